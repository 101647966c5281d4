import ast
import subprocess
import sys
import tomllib
from importlib import import_module
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


def _python_files() -> list[Path]:
    rooms = [*ROOMS, "roundtable", "benchmarks", "examples"]
    files = [file for room in rooms for file in sorted((HOUSE / room).rglob("*.py"))]
    return [file for file in files if "node_modules" not in file.parts]


def _is_package(dotted: str) -> bool:
    return (HOUSE / Path(*dotted.split("."))).is_dir()


def test_across_rooms_only_what_a_package_hands_out_is_imported():
    deep = []
    for file in _python_files():
        room = file.relative_to(HOUSE).parts[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            other = node.module.split(".")[0]
            if other in ROOMS and other != room and not _is_package(node.module):
                deep.append(f"{file.relative_to(HOUSE)}:{node.lineno} imports from {node.module}")
    assert deep == []


def test_a_package_hands_out_exactly_what_its_stub_names():
    stubs = {file.with_suffix(".pyi") for file in _python_files() if file.name == "__init__.py"}
    for stub in sorted(filter(Path.exists, stubs)):
        package = import_module(".".join(stub.parent.relative_to(HOUSE).parts))
        for node in ast.walk(ast.parse(stub.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                home = import_module(f"{package.__name__}.{node.module}")
                for alias in node.names:
                    # A module of the same name would hide what is handed out as soon as somebody imported it.
                    assert getattr(package, alias.name) is getattr(home, alias.name), f"{stub}: {alias.name}"


def test_no_class_name_stands_for_two_things():
    homes: dict[str, set[str]] = {}
    for file in _python_files():
        if file.relative_to(HOUSE).parts[0] in {"benchmarks", "examples"}:
            continue
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, set()).add(str(file.relative_to(HOUSE)))
    assert {name: sorted(files) for name, files in homes.items() if len(files) > 1} == {}


SAME_ROLE = {"__init__.py", "errors.py", "events.py", "settings.py", "tasks.py"}
"""File names that stand for the same thing in every room."""


def test_no_file_name_stands_for_two_things():
    homes: dict[str, list[str]] = {}
    for file in _python_files():
        if file.name not in SAME_ROLE and file.relative_to(HOUSE).parts[0] not in {"benchmarks", "examples"}:
            homes.setdefault(file.name, []).append(str(file.relative_to(HOUSE)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_a_folder_can_be_taken_in_at_a_glance_and_a_file_holds_one_idea():
    folders: dict[Path, int] = {}
    for file in _python_files():
        folders[file.parent] = folders.get(file.parent, 0) + (file.name != "__init__.py")
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 500, file
    for file in (HOUSE / "tests").rglob("*.py"):
        if "node_modules" not in file.parts:
            folders[file.parent] = folders.get(file.parent, 0) + 1
    assert {str(folder): files for folder, files in folders.items() if files > 16} == {}


def test_every_stub_is_loaded_before_threads_begin():
    from roundtable.session.factory import _STUBS

    stubs = {file.parent for file in _python_files() if file.with_suffix(".pyi").exists()}
    assert {".".join(folder.relative_to(HOUSE).parts) for folder in stubs} == set(_STUBS)
