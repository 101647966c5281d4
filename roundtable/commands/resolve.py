"""Commands made definite against the session as it stands: names become slugs, numbers become urls.

What cannot be done is a CommandError here, before anything is journalled.
"""

import contextlib
import re
from urllib.parse import unquote, urlsplit

from library import Source, host_of
from library.text import one_line
from library.web import WebAddress, located
from roundtable.commands.comparison_size import asked_for, check_size, parted
from roundtable.config.errors import InputError
from roundtable.journal.commands.command import CommandError
from roundtable.journal.commands.command_reading import AnyCommand
from roundtable.journal.commands.map_edits import MapAsk
from roundtable.journal.commands.table_commands import (
    AddExpert,
    Ask,
    Compare,
    DismissExpert,
    DropHost,
    DropSource,
    FollowUp,
    GoOn,
    Pause,
    ReadSource,
    RenameExpert,
    Say,
)
from roundtable.journal.fold.state import State
from roundtable.journal.fold.user_controls import on_host
from roundtable.journal.session_phrases import session_phrases

_MOST_EXPERTS = 8
_HOST = re.compile(r"[^\W_][\w.-]*|[0-9a-f:]+")
_QUOTED = re.compile("[\"'“](.+)[\"'”]")
"""A path as a shell wants one with blanks."""
_FILES = (".md", ".markdown", ".txt", ".htm", ".html", ".pdf", ".docx")


def definite(command: AnyCommand, state: State, *, offline: bool) -> AnyCommand:
    """Return a command as it is journalled. Raises CommandError when it cannot be done now."""
    match command:
        case Ask():
            to, text = _named_first(state, command)
            return Say.of(text=text, to=expert(state, to))
        case MapAsk():
            return _about(command, state)
        case FollowUp() if state.report is None:
            raise CommandError("there is no report yet to ask on: just say it, and the table answers")
        case Say() if command.to is not None:
            return command.model_copy(update={"to": expert(state, command.to)})
        case DropSource():
            return _dropped(command.source, state)
        case DropHost():
            return DropHost.of(host=_host(command.host))
        case ReadSource():
            return ReadSource.of(place=_place(command.place, state, offline=offline))
        case Compare():
            return _comparable(command, state)
        case AddExpert() | RenameExpert() | DismissExpert():
            return _reseating(command, state)
        case Pause() if state.status != "running":
            raise CommandError(f"nothing to pause: the session is {state.status}")
        case GoOn(turns=None) if state.status == "ended":
            raise CommandError("the session has ended; say for how many turns it should go on: /go 3")
        case _:
            return command


def _comparable(command: Compare, state: State) -> Compare:
    if not command.things and not command.questions and state.proposed:
        things, questions = ("; ".join(part) for part in (state.proposed.things, state.proposed.questions))
        command = Compare.of(things=f"{things};", questions=f"{questions};")
    if not command.things and not command.questions:
        raise CommandError("/compare: the moderator proposes nothing; write: /compare A, B: PRICE, LICENCE")
    try:
        check_size(parted(command.things), asked_for(command.questions))
    except InputError as failure:
        raise CommandError(str(failure)) from failure
    return command


def _named_first(state: State, command: Ask) -> tuple[str, str]:
    """Return whom a question is for and its words: a name of several words is taken from its beginning."""
    words = [command.to.removeprefix("@"), *command.text.split()]
    said = [word.strip(",:").casefold() for word in words]
    for name in sorted((p.name.casefold().split() for p in state.panel), key=len, reverse=True):
        if len(name) < len(words) and said[: len(name)] == name:
            rest = command.text.split(maxsplit=len(name) - 1)
            return " ".join(name), rest[-1] if len(name) > 1 else command.text
    return command.to, command.text


def expert(state: State, named: str) -> str:
    """Return an expert's slug by slug, name, or the beginning of either. Raises CommandError."""
    wanted = one_line(named.removeprefix("@"))
    known = {p.slug: p.name.casefold() for p in state.panel}
    for matches in (
        [slug for slug, name in known.items() if wanted in (slug, name)],
        [slug for slug, name in known.items() if slug.startswith(wanted) or name.startswith(wanted)],
        [slug for slug, name in known.items() if wanted in slug or wanted in name],
    ):
        if len(matches) == 1 and wanted:
            return matches[0]
    names = ", ".join(f"@{slug}" for slug in known) or "nobody yet"
    raise CommandError(f"nobody named {named!r} is at the table; there are: {names}")


def sources(state: State) -> list[Source]:
    """Return the sources of all admitted passages, in the order of their numbers, from 1."""
    hashes = {passage.sha256 for passage in state.evidence.passages.values()}
    return [state.evidence.sources[sha256] for sha256 in state.evidence.numbers() if sha256 in hashes]


def passage_id(state: State, named: str) -> str:
    """Return the id of a passage that is named as it is shown (`9.2`); any other name as it is."""
    wanted = named.strip().strip("[]")
    return next((i for i, label in state.evidence.labels().items() if label == wanted), wanted)


def source(state: State, named: str) -> Source:
    """Return a source by number, id (`s3`), passage (`9.2`, `p12`), url, file name or title.

    Raises CommandError.
    """
    known = sources(state)
    wanted = named.strip().strip("[]")
    number = wanted.removeprefix("s")
    if number.isdecimal() and len(number) < 10 and 0 < int(number) <= len(known):
        return known[int(number) - 1]
    wanted = passage_id(state, wanted)
    if wanted in state.evidence.passages:
        return state.evidence.source(wanted)
    for held in known:
        if wanted == held.url:
            return held
    called = [held for held in known if wanted and wanted.casefold() in _names(held)]
    if len(called) == 1:
        return called[0]
    if called:
        raise CommandError(f"{len(called)} sources are called {named!r}: name one by number, passage or url")
    many = f"there are 1 to {len(known)}" if known else "nothing has been read yet"
    raise CommandError(f"no source {named!r}: name it by number, passage, url, file name or title; {many}")


def _names(held: Source) -> set[str]:
    """Return what a person may call a source: its title and, where it is a file, the file's name and path."""
    names = {" ".join(held.title.split())}
    with contextlib.suppress(ValueError):
        parts = urlsplit(held.url)
        if parts.scheme == "file":
            path = unquote(parts.path)
            names |= {path, path.rpartition("/")[2]}
    return {name.casefold() for name in names if name}


def node(state: State, named: str) -> str:
    """Return a node of the map by id or title. Raises CommandError."""
    wanted = named.strip()
    if wanted in state.map:
        return wanted
    titled = [n for n in state.map.walk() if state.map.title(n).casefold() == wanted.casefold()]
    if len(titled) == 1:
        return titled[0]
    raise CommandError(
        f"several nodes have the title {named!r}; /map shows the map with its ids"
        if titled
        else f"the map has no node {named!r}; /map shows the map with its ids"
    )


def _about(command: MapAsk, state: State) -> Say:
    title = state.map.title(node(state, command.node))
    wonder = session_phrases(state.language).anything_more.format(title=title)
    asked = " ".join(command.text.split())
    return Say.of(text=f"{title}: {asked}" if asked else wonder, search=f"{title} {asked}".strip())


def _dropped(named: str, state: State) -> AnyCommand:
    try:
        return DropSource.of(source=source(state, named).url)
    except CommandError:
        # Not a source that is known: a bare host, perhaps, or a page that nobody has read yet.
        bare = named.strip()
        if isinstance(where := located(named), WebAddress):
            return DropSource.of(source=where.url)
        read = any(on_host(held.url, bare.casefold()) for held in sources(state))
        if "." in bare and " " not in bare and (read or not bare.casefold().endswith(_FILES)):
            return DropHost.of(host=_host(named))
        raise


def _host(named: str) -> str:
    where = located(named)
    host = host_of(where.url if isinstance(where, WebAddress) else f"//{named.strip()}")
    if not _HOST.fullmatch(host):
        raise CommandError(f"{named!r} is no host: write it as in example.org")
    return host


def _place(named: str, state: State, *, offline: bool) -> str:
    where = located(named)
    if isinstance(where, WebAddress):
        if offline:
            raise CommandError("this session is offline: it reads files, and no pages of the web")
        if state.controls.barred(where.url):
            raise CommandError(f"{where.url} was dropped from this session")
        return where.url
    try:
        if where.path.is_file():
            return str(where.path.resolve())
    except (OSError, ValueError):  # a name that no file can have
        pass
    if quoted := _QUOTED.fullmatch(named.strip()):
        return _place(quoted[1], state, offline=offline)
    raise CommandError(f"cannot read {named!r}: it is no url (http, https) and no file that is there")


def _reseating(command: AddExpert | RenameExpert | DismissExpert, state: State) -> AnyCommand:
    if isinstance(command, AddExpert):
        return _invited(command, state)
    slug = expert(state, command.expert)
    if isinstance(command, DismissExpert) and len(state.panel) == 1:
        raise CommandError("the last expert cannot be dismissed: add another one first")
    return command.model_copy(update={"expert": slug})


def _invited(command: AddExpert, state: State) -> AddExpert:
    if len(state.panel) >= _MOST_EXPERTS:
        raise CommandError(f"the table is full: {_MOST_EXPERTS} experts; dismiss one first")
    if command.expert.casefold() in {p.name.casefold() for p in state.panel}:
        raise CommandError(f"{command.expert} is at the table already")
    return command
