import subprocess
import sys
import tomllib
from pathlib import Path

import roundtable
from roundtable import ROOMS, __version__, foreign_room

HOUSE = Path(roundtable.__file__).parent.parent


def test_the_rooms_are_our_own():
    assert foreign_room() is None


def test_a_foreign_package_of_the_same_name_is_named(tmp_path: Path):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text(
        "raise RuntimeError('must not be imported to be looked at')"
    )
    program = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(HOUSE)!r}]; import roundtable"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"roundtable.ForeignRoom: the package 'agents' at {tmp_path}/agents/__init__.py")
    assert "environment of its own" in last


def test_a_missing_room_is_named(tmp_path: Path):
    assert foreign_room(tmp_path / "elsewhere") is not None


def test_version_and_rooms_are_those_of_the_project_file():
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())
    assert project["project"]["version"] == __version__
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(packages) == {*ROOMS, "roundtable"}
