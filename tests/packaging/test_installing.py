"""What is installed is whole: a wheel in an environment of its own, a container as it is written down."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

from roundtable.config.config import RESERVED, load_settings
from roundtable.config.search_places import destinations, settle_places
from tests.faults.town import THINGS, write_documents

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it is built from what is versioned."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True,
        capture_output=True, timeout=300,
    )  # fmt: skip
    [file] = folder.glob("*.whl")
    return file


@pytest.mark.slow
def test_a_wheel_in_an_environment_of_its_own_runs_a_session(wheel: Path, tmp_path: Path):
    """What it depends on is lent by the environment of the tests: nothing is fetched."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {"agents", "library", "models", "roundtable", "configs"} <= tops
    assert not tops & {"tests", "benchmarks", "docs"}
    assert not [name for name in names if "node_modules" in name or name.endswith((".pyc", ".map"))]
    assert any(name.endswith("/data/share/man/man1/roundtable.1") for name in names)

    home = tmp_path / "tool"
    venv.create(home, with_pip=False)
    site = next((home / "lib").glob("python*")) / "site-packages"
    lent = next(Path(path) for path in sys.path if path.endswith("site-packages"))
    others = tmp_path / "lent"
    others.mkdir()
    for item in lent.iterdir():  # all but this project, whose editable install would hide the wheel
        if (
            "roundtable" not in item.name
            and not item.name.startswith("__editable__")
            and item.suffix != ".pth"
        ):
            (others / item.name).symlink_to(item)
    (site / "lent.pth").write_text(str(others))
    uv = shutil.which("uv")
    installer = [uv, "pip", "install", "--offline", "--no-deps", "--python", str(home / "bin" / "python")]
    if uv is None:
        installer = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(home / "bin" / "python"),
            "install",
            "--no-deps",
        ]
    subprocess.run([*installer, str(wheel)], check=True, capture_output=True, timeout=300)
    program = home / "bin" / "roundtable"
    assert (home / "share" / "man" / "man1" / "roundtable.1").exists()
    kept = {k: v for k, v in os.environ.items() if not k.endswith(("_KEY", "_URL")) and k != "PYTHONPATH"}
    write_documents(tmp_path / "documents", THINGS[:2])
    done = subprocess.run(
        [program, "run", f"What happened to the {THINGS[0]} of Asterby?", "--docs", "documents", "--offline",
         "--turns", "2", "--model", "embedded", "--out", "out", "--plain"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
        env={**kept, "ROUNDTABLE_HOME": str(tmp_path / "home")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert report.startswith(f"# What happened to the {THINGS[0]}")
    assert f"The {THINGS[0]} of Asterby was" in report


def test_the_container_s_recipe_has_no_faults_and_names_what_there_is():
    recipe = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    [extras] = re.findall(r"'\.\[([a-z,]+)\]'", recipe)
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    [python] = set(re.findall(r"^FROM python:(\d+\.\d+)-", recipe, re.MULTILINE))
    assert tuple(map(int, python.split("."))) >= (3, 11)
    assert re.search(r"^USER \d+$", recipe, re.MULTILINE)
    command = json.loads(re.findall(r"^CMD (\[.*\])$", recipe, re.MULTILINE)[0])
    assert command[:3] == ["serve", "--host", "0.0.0.0"]  # noqa: S104 - in the container
    linter = Path(sys.executable).with_name("hadolint")
    if not linter.exists():
        pytest.skip("hadolint is not installed")
    linted = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout


def test_what_the_compose_file_sets_are_settings(tmp_path: Path):
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    service = composed["services"]["roundtable"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    given = {name: value for name, value in service["environment"].items() if not value.startswith("${")}
    assert {name for name in service["environment"] if name.startswith("ROUNDTABLE_")} - set(
        given
    ) <= RESERVED
    settings = settle_places(load_settings(environment=given), tmp_path)
    assert destinations(settings, "m") == "Searching searxng; the topic and queries go to searxng; m"
    assert settings.library.search.addresses == {"searxng": "http://searxng:8080"}
    assert set(service["depends_on"]) < set(composed["services"])
    named = {volume.partition(":")[0] for each in composed["services"].values() for volume in each["volumes"]}
    for volume in named:
        assert volume in composed["volumes"] or volume == "./documents" or (ROOT / volume).exists(), volume
    engine = yaml.safe_load((ROOT / "container" / "searxng.yml").read_text(encoding="utf-8"))
    assert "json" in engine["search"]["formats"]  # else it answers our searches with 403


def test_the_compose_file_is_one_to_docker_too():
    env = {**os.environ, "ROUNDTABLE_TOKEN": "t", "SEARXNG_SECRET": "s"}
    for compose in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(compose[0]) is None:
            continue
        if subprocess.run([*compose, "version"], capture_output=True, check=False, timeout=300).returncode:
            continue
        checked = subprocess.run(
            [*compose, "-f", str(ROOT / "compose.yaml"), "config"],
            env=env, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert checked.returncode == 0, checked.stderr
        resolved = yaml.safe_load(checked.stdout)["services"]["roundtable"]
        assert resolved["environment"]["ROUNDTABLE_TOKEN"] == "t"
        del env["ROUNDTABLE_TOKEN"]
        refused = subprocess.run(
            [*compose, "-f", str(ROOT / "compose.yaml"), "config"],
            env=env, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert refused.returncode, "without a token nobody could sign in"
        assert "set it to a long random word" in refused.stderr
        return
    pytest.skip("there is no docker compose here")


def test_the_image_carries_what_a_server_may_need_and_says_what_it_lacks():
    recipe = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    carried = set(re.findall(r"'\.\[([a-z,]+)\]'", recipe)[0].split(","))
    extras = set(PROJECT["optional-dependencies"]) - {"test"}
    told = (ROOT / "docs" / "container.md").read_text(encoding="utf-8")
    has, _, lacks = told.partition("It lacks")
    assert set(re.findall(r"^\| `(\w+)`", has, re.MULTILINE)) == carried
    assert set(re.findall(r"^- `(\w+)`", lacks, re.MULTILINE)) == extras - carried
