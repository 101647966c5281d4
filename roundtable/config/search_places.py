"""Where a session searches: what was asked for, made definite before anything is spent."""

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path

from library import Store
from library.store import is_unnamed
from roundtable.config.config import Settings
from roundtable.config.errors import InputError, NothingToSearch
from roundtable.config.trust_file import read_trust, with_folders

STORE = "library.sqlite"
"""The store's name in the home folder."""
PYTHON = "python"
"""The collection that is always there."""
SESSIONS, SESSION = "sessions", "session:"
"""As documents: what all earlier sessions read, or one of them (`session:ID`)."""


def settle_places(settings: Settings, home: Path) -> Settings:
    """Return the settings with places that stay the same from wherever the session is resumed.

    Paths are made absolute; collections' names win over paths of the same name. The web is searched where
    neither documents nor places are named; with documents only when it is named too, for a question goes out
    with it. Servers of tools are searched wherever they are set.

    Raises:
        NothingToSearch: it is offline, without documents.
        InputError: a place or a path does not exist.
        LibraryError: the store cannot be opened.
    """
    search = list(dict.fromkeys([*settings.mcp, *(settings.search or usual_places(settings))]))
    if taken := sorted({*settings.mcp} & {*_backends(), PYTHON}):
        raise InputError(f"mcp.{taken[0]}: there is a place of that name already; call the server otherwise")
    local = any(name in settings.mcp and settings.mcp[name].local for name in search)
    if settings.offline and not settings.docs and not local:
        raise NothingToSearch(
            "nothing to search: --offline leaves out the web and no documents are named; pass --docs FOLDER "
            "(or --docs python, which is always there), or leave out --offline"
        )
    check_backends([] if settings.offline else search, settings)
    docs = [_definite(name, home) for name in settings.docs]
    if not settings.offline or local:
        refuse_one_name(docs, search)
    trust = with_folders(settings.library.trust.joined(read_trust(home)), lambda name: _folders(name, home))
    library = settings.library.model_copy(update={"trust": trust})
    return settings.model_copy(
        update={"search": search, "docs": list(dict.fromkeys(docs)), "library": library}
    )


def refuse_one_name(docs: Sequence[str], search: Sequence[str]) -> None:
    """Refuse documents that are called as a place is: of two places with one name one would be left out.

    Args:
        docs: Made definite.
        search: Names of places outside and of servers.

    Raises:
        InputError: it names both.
    """
    for name in docs:
        if name in search:
            raise InputError(
                f"{name} is a collection here and a place to search: a session knows each by its name, so "
                "name the folder of the collection, or leave one of them out"
            )


def _folders(name: str, home: Path) -> tuple[str, ...]:
    """Return where a collection's documents lie. Raises InputError."""
    with Store(home / STORE) as store:
        held = store.collection(name)
    if held is None:
        raise InputError(f"trust: no collection {name!r}; there are: {', '.join(collections(home))}")
    if not held.paths:
        raise InputError(f"trust: the collection {name!r} has no folder; name its hosts or kinds instead")
    return held.paths


def usual_places(settings: Settings) -> list[str]:
    """Return the places outside that are searched when none is named."""
    if settings.offline or settings.docs:
        return []
    kinds = settings.library.search.scope.kinds
    return list(dict.fromkeys(place for kind in kinds for place in _OF_KIND[kind])) or ["web"]


def destinations(settings: Settings, model: str) -> str:
    """Return the line that a run begins with: what is searched, and what leaves this machine.

    Args:
        settings: With their places settled.
        model: The line that says which model is asked.
    """
    from library.search import engines_in_use

    local = [name for name in settings.search if name in settings.mcp and settings.mcp[name].local]
    places = [] if settings.offline else [name for name in settings.search if name not in local]
    searched = [*settings.docs, *local, *places]
    engines = engines_in_use(settings.library.search, os.environ)
    if "web" in places and engines != ["ddgs"]:
        places[places.index("web")] = f"web (by {', '.join(engines)})"
    scope = settings.library.search.scope.worded()
    sent = f"the topic and queries go to {', '.join(places)}" if places else "nothing goes to the web"
    if settings.offline:
        sent = "offline: nothing leaves this machine"
    if settings.models.vision is not None:
        model = f"{model}; pictures and pages without text are read by {settings.models.vision}"
    return f"Searching {', '.join(searched)}{f' (only {scope})' if scope else ''}; {sent}; {model}"


_OF_KIND = {
    "paper": ("arxiv", "openalex", "crossref"),
    "news": ("web",),
    "encyclopedia": ("wikipedia",),
    "docs": ("web",),
    "code": ("github", "web"),
}
"""Where a kind of source is searched for when no place is named."""

_HASHED = re.compile(r"-[0-9a-f]{8}\Z")
"""What the name of a folder's collection ends with: nothing that a person types."""

_NEAR = 0.75
"""How alike names of files and collections are that may be meant: `nofile` and `Dockerfile` are 0.62."""


def _backends() -> list[str]:
    """Return the names of the backends that come with the program; what others add takes long to find."""
    from library.search import KEYED
    from library.search.backends import OURS

    return [*OURS, *KEYED]


def check_backends(search: list[str], settings: Settings) -> None:
    """Refuse a place outside that there is none of. Raises InputError, which names the nearest."""
    from library.search.backends import names

    ours = {*_backends(), *settings.mcp}
    if ours.issuperset(search):
        return  # what other distributions add is looked for among all that is installed
    known = sorted({*names(), *ours})
    for name in search:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}? " if near else ""
            raise InputError(f"--search {name}: there is no such place; {hint}there are: {', '.join(known)}")


def _definite(name: str, home: Path) -> str:
    names = collections(home)
    if is_collection(name, names):
        return name
    path = Path(name).expanduser()
    if name.strip() and path.exists():
        return str(path.resolve())
    begun = [known for known in names if name.strip() and known.startswith(name)]
    for meant in (begun, _folders_ending(name, home)):
        if len(meant) == 1:
            return _folder_of(meant[0], home)
    raise InputError(
        f"{name}: no file or folder and no collection of that name; "
        f"{_near_path(path) or ('' if _is_path(name) else near_collection(name, names))}"
        f"pass a path that exists, or one of: {', '.join(_called(names).values())}"
    )


def _folders_ending(name: str, home: Path) -> list[str]:
    """Return the collections of folders and files whose path ends so, as lists tell them apart: `a/notes`."""
    parts = Path(name).parts
    if not parts or not (home / STORE).exists():
        return []
    with Store(home / STORE) as store:
        folders = [one for one in store.collections() if is_unnamed(one)]
    return [one.name for one in folders if Path(one.paths[0]).parts[-len(parts) :] == parts]


def _folder_of(name: str, home: Path) -> str:
    """Return where the folder lies that an unnamed collection is of, as people know it; else the name."""
    if not (home / STORE).exists():
        return name
    with Store(home / STORE) as store:
        held = store.collection(name)
    lies = held is not None and is_unnamed(held) and Path(held.paths[0]).exists()
    return held.paths[0] if held is not None and lies else name


def _is_path(name: str) -> bool:
    return name.startswith(("~", ".")) or os.sep in name


def _near_path(path: Path) -> str:
    """Return `did you mean …? ` with what lies beside a path that is not there, else nothing."""
    try:
        beside = sorted(each.name for each in path.parent.iterdir())
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, beside, n=1, cutoff=_NEAR)
    return f"did you mean {path.parent / near[0]}? " if near else ""


def _called(names: Sequence[str]) -> dict[str, str]:
    """Return what a person calls each collection: one of a folder without the hash.

    Where that may mean another one too, the folder's is left out: it is named by its path.
    """
    bare = {name: _HASHED.sub("", name) for name in names}
    return {
        name: short
        for name, short in bare.items()
        if short == name or sum(each.startswith(short) for each in names) == 1
    }


def near_collection(name: str, names: Sequence[str]) -> str:
    """Return `did you mean …? ` with the collections that a name may mean, else nothing."""
    called = _called(names)
    begun = [called[known] for known in called if name.strip() and known.startswith(name)]
    near = begun[:3] or difflib.get_close_matches(name, called.values(), n=1, cutoff=_NEAR)
    return f"did you mean {' or '.join(near)}? " if near else ""


def refuse_paths(docs: Sequence[str], home: Path) -> None:
    """Raise InputError for documents that are no named collection; nothing tells whether they are there."""
    known = {*collections(home), SESSIONS}  # whoever is let in sees every session anyway
    for name in docs:
        if name not in known and not name.startswith(SESSION):
            raise InputError(
                f"{name}: this server is open to others, so sessions search named collections only; "
                "name one with `roundtable docs add`"
            )


def is_collection(name: str, names: Sequence[str]) -> bool:
    """Tell whether documents of a name are a collection's or sessions', whatever lies at that path.

    Args:
        name: As it was given.
        names: The collections that there are.
    """
    return name in names or name == SESSIONS or name.startswith(SESSION)


def collections(home: Path, *, named: bool = False) -> list[str]:
    """Return the names of the collections that can be searched, the one that is always there first.

    Args:
        home: The home folder.
        named: Only what a person named, and no folder or file that was searched by its path.
    """
    if not (home / STORE).exists():
        return [PYTHON]
    with Store(home / STORE) as store:
        held = [one for one in store.collections() if not one.name.startswith(SESSION)]
        names = [one.name for one in held if not (named and is_unnamed(one))]
    return list(dict.fromkeys([PYTHON, *names]))
