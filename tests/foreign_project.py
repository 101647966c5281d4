"""A folder that somebody else made, in which modules lie that are called as others are."""

from collections.abc import Sequence
from pathlib import Path


def foreign_project(place: Path, names: Sequence[str]) -> tuple[Path, Path]:
    """Return the folder, and the file to which each of its modules writes its name when it is loaded."""
    told, folder = place / "loaded", place / "project"
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(f"open({str(told)!r}, 'a').write({name!r})\n")
    return folder, told
