"""What adds an extra fits how the program was installed: each case is an installed distribution on disk."""

import json
import sys
from pathlib import Path

import pytest

from models import install_command


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, direct_url: object = None) -> Path:
    """Put a distribution `roundtable` into a folder that Python looks into first; return an environment."""
    info = folder / "site" / "roundtable-9.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: roundtable\nVersion: 9\n")
    if direct_url is not None:
        (info / "direct_url.json").write_text(json.dumps(direct_url))
    monkeypatch.syspath_prepend(str(info.parent))
    environment = folder / "environment"
    environment.mkdir()
    return environment


def test_a_venv_is_reached_by_its_own_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"url": "file:///home/ann/my%20clone", "dir_info": {}}
    said = install_command("export", installed(tmp_path, monkeypatch, there))
    assert sys.executable in said
    assert said.endswith("'/home/ann/my clone[export]'")
    assert " -e " not in said


def test_what_is_used_in_its_folder_stays_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"url": "file:///home/ann/clone", "dir_info": {"editable": True}}
    said = install_command("export", installed(tmp_path, monkeypatch, there))
    assert said.endswith(" install -e '/home/ann/clone[export]'") or "uv pip install" in said


def test_uv_tool_is_named_with_the_extras_that_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = installed(tmp_path, monkeypatch, {"url": "file:///home/ann/clone", "dir_info": {}})
    (environment / "uv-receipt.toml").write_text(
        '[tool]\nrequirements = [{ name = "roundtable", extras = ["mcp"], directory = "/home/ann/clone" }]\n'
    )
    assert install_command("export", environment) == "uv tool install '/home/ann/clone[mcp,export]'"


def test_pipx_is_named_with_the_extras_that_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vcs = {"url": "https://git.example.org/r.git", "vcs_info": {"vcs": "git", "commit_id": "1f"}}
    environment = installed(tmp_path, monkeypatch, vcs)
    (environment / "pipx_metadata.json").write_text(
        json.dumps(
            {"main_package": {"package_or_url": "roundtable[mcp] @ git+https://git.example.org/r.git"}}
        )
    )
    said = install_command("export", environment)
    assert said == "pipx install --force 'roundtable[mcp,export] @ git+https://git.example.org/r.git'"


def test_what_came_from_an_index_is_taken_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert install_command("mcp", installed(tmp_path, monkeypatch)).endswith(" 'roundtable[mcp]'")
