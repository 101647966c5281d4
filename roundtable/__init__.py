"""Roundtable: experts and a moderator discuss a topic, keep a mind map, and write a report that cites.

    from roundtable import RoundtableTeam, start_session

Importing this checks, by looking and without loading anything, that the other rooms are this program's own:
their names are short, and another distribution in the same environment may have one of them too.
"""

import os
import sys
from importlib.util import find_spec

TYPE_CHECKING = False  # importing typing for it would be a tenth of what `--help` takes
if TYPE_CHECKING:
    from roundtable.autogen_team import RoundtableTeam as RoundtableTeam
    from roundtable.session.factory import start_session as start_session

__version__ = "0.1.0"

ROOMS = ("agents", "moderator", "mindmap", "reports", "library", "models", "configs")
# By os.path: importing pathlib would be a tenth of what `--help` takes.
_HOUSE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120


_HANDED_OUT = {"RoundtableTeam": "roundtable.autogen_team", "start_session": "roundtable.session.factory"}


def __getattr__(name: str) -> object:
    """Load what others use of this program when it is first asked for."""
    if name not in _HANDED_OUT:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HANDED_OUT[name]), name)


class ForeignRoom(ImportError):
    """A package that should be one of this program's rooms belongs to somebody else."""


def foreign_room(house: "str | os.PathLike[str]" = _HOUSE) -> str | None:
    """Return one line about the first room that is not this program's own, None when all are."""
    for room in ROOMS:
        try:
            spec = find_spec(room)
        except (ImportError, ValueError):
            spec = None
        if spec is None:
            return f"the package {room!r} is missing from {house}: install roundtable again"
        places = [spec.origin] if spec.origin else list(spec.submodule_search_locations or ())
        inside = os.path.join(house, "")  # noqa: PTH118
        if not any(os.path.realpath(place).startswith(inside) for place in places):
            return f"the package {room!r} at {places[0]} is not roundtable's own but {_owner(room)}: {_MEND}"
    return None


_MEND = "install roundtable into an environment of its own (`uv tool install`, `pipx install`, or a venv)"


def _owner(room: str) -> str:
    from importlib.metadata import packages_distributions

    owners = sorted(set(packages_distributions().get(room, [])) - {"roundtable"})
    return f"that of {', '.join(owners)}" if owners else "one that stands before it on Python's path"


def _is_command() -> bool:
    """Whether this is the command, and not a program that imports us: a person then reads one line."""
    return os.path.basename(sys.argv[0]) == "roundtable" or sys.argv[:1] == ["-m"]  # noqa: PTH119


if (_problem := foreign_room()) is not None:
    if _is_command():
        raise SystemExit(f"roundtable: {_problem}")
    raise ForeignRoom(_problem)
