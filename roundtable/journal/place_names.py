"""How a person knows what is searched: a folder by its own name, not by that of its collection."""

from collections.abc import Sequence
from pathlib import Path


def place_names(docs: Sequence[str]) -> dict[str, str]:
    """Return how a person knows the collections that were made for folders and files: by their last part.

    Two that end alike keep their whole paths; a collection that has a name is not among them.
    """
    from library.store import derived_name

    paths = [Path(name) for name in docs if Path(name).is_absolute()]
    ends = [path.name for path in paths]
    return {
        derived_name(path): path.name if path.name and ends.count(path.name) == 1 else str(path)
        for path in paths
    }
