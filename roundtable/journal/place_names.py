"""How a person knows what is searched: a folder by its own name, not by that of its collection."""

from collections.abc import Collection, Sequence
from pathlib import Path


def place_names(docs: Sequence[str]) -> dict[str, str]:
    """Return how a person knows the collections that were made for folders and files: by their last part.

    Those that end alike keep as much before it as tells them apart; a collection that has a name is not
    among them.
    """
    from library.store import derived_name

    paths = [Path(name) for name in docs if Path(name).is_absolute()]
    names = [name for name in docs if not Path(name).is_absolute()]
    return {derived_name(path): called for path, called in told_apart(paths, names).items()}


def told_apart(paths: Sequence[Path], taken: Collection[str] = ()) -> dict[Path, str]:
    """Return the shortest end of each path that no other has, from its last part on.

    Args:
        paths: Of folders and files.
        taken: Names that stand for something else.
    """
    different, used = set(paths), set(taken)
    return {path: _shortest(path, different - {path}, used) for path in paths}


def _shortest(path: Path, others: Collection[Path], taken: Collection[str]) -> str:
    for count in range(1, len(path.parts)):
        end = path.parts[-count:]
        name = "/".join(end)
        if name not in taken and all(other.parts[-count:] != end for other in others):
            return name
    return str(path)
