"""What a person types at the table: commands of the session, and those that only look at it."""

import io
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from library import shown_address
from library.passages import beginning
from library.text import catalogue, translated
from roundtable.commands.resolve import node, passage_id, source, sources
from roundtable.journal.commands.command import CommandError
from roundtable.journal.commands.command_reading import COMMANDS, read_line
from roundtable.journal.commands.table_commands import FollowUp, Say
from roundtable.journal.fold.state import State
from roundtable.output.clean import clean, clean_line
from roundtable.session.session import Session

LOOKS: Mapping[str, tuple[str, str]] = {
    "help": ("help [COMMAND]", "List the commands, or explain one."),
    "map": ("map [NODE]", "Show the map with the ids of its nodes, or what a node holds."),
    "sources": ("sources", "List the sources with their numbers."),
    "source": ("source N|9.2", "Show what was read in a source, or a passage's words."),
    "agenda": ("agenda", "List the questions that are open."),
    "experts": ("experts", "List who sits at the table."),
    "report": ("report", "Show the report; while the table talks: stop after this turn and write it."),
    "fork": ("fork TURN", "Begin another session from after that turn, to try another way."),
    "quit": ("quit", "Leave; the session can be taken up again."),
}
"""Name, usage and help of what is not a command of the session."""
GROUPS: Mapping[str, Sequence[str]] = {
    "Talk": ("say", "ask", "break", "follow", "steer", "aside"),
    "Course": ("pause", "go", "write", "mode"),
    "Sources": ("read", "look", "compare", "drop", "drop-host"),
    "Experts": ("invite", "name", "dismiss"),
    "Map": ("about", "rename", "move", "merge", "split", "pin", "delete", "add", "put", "undo"),
}
"""What the commands of the session are for, in the order of the help."""
_HEADING = re.compile(r"(?m)^#{1,6} ")
_HELP_HEAD = "Type words to say something; @EXPERT first asks that one. Or:"


@dataclass(frozen=True, slots=True)
class LineAnswer:
    """What comes of a typed line."""

    lines: Sequence[str] = ()
    """To show; clean."""
    leave: bool = False


class Typed:
    """Does what is typed."""

    def __init__(
        self, session: Session, fork: Callable[[int], str] | None = None, language: str = ""
    ) -> None:
        """Sit at a session.

        Args:
            session: What is typed is for it.
            fork: Makes a fork of it after a turn; returns the new session's id.
            language: The code of the language to answer in; empty: the session's.
        """
        self._session = session
        self._fork = fork
        self._language = language

    def do(self, line: str) -> LineAnswer:
        """Do what a line asks for.

        Raises:
            CommandError: it cannot be done; the message is one line.
        """
        words = line.strip()
        if not words:
            return LineAnswer()
        name, _, rest = words[1:].partition(" ")
        if words.startswith("/") and name.lower() in LOOKS:
            return self._look(name.lower(), rest.strip())
        command = read_line(words, LOOKS)
        if type(command) is Say and self._session.state.status == "ended":
            command = FollowUp(text=command.text)
        self._session.do(command)
        return LineAnswer()

    def _look(self, name: str, rest: str) -> LineAnswer:
        state = self._session.state
        language = self._language or state.language
        match name:
            case "help":
                return LineAnswer(helped(rest, language))
            case "map":
                return LineAnswer(
                    _node(state, node(state, rest), language) if rest else _map(state, language)
                )
            case "sources":
                return LineAnswer(_sources(state, language))
            case "source":
                return LineAnswer(_source(state, rest))
            case "agenda":
                waiting = [f"{q.id}  {clean_line(q.text)}" for q in state.agenda.unanswered()]
                return LineAnswer(waiting or [translated("No question is open.", language)])
            case "experts":
                seated = state.panel
                return LineAnswer([f"@{p.slug}  {clean_line(p.name)} — {clean_line(p.role)}" for p in seated])
            case "fork":
                return self._forked(rest)
            case "report":
                return self._report()
            case _:
                return LineAnswer(leave=True)

    def _report(self) -> LineAnswer:
        from reports import report_markdown

        state = self._session.state
        if state.report is None or state.status != "ended":
            self._session.stop()
            return LineAnswer()
        return LineAnswer(clean(report_markdown(state.report, state.evidence)).splitlines())

    def _forked(self, rest: str) -> LineAnswer:
        if self._fork is None or not (rest.isdecimal() and len(rest) < 10):
            raise CommandError(f"/fork: say after which turn; write: /{LOOKS['fork'][0]}")
        new = self._fork(int(rest))
        begun = f"Session {new} begins after turn {rest}. Sit down there with: roundtable join {new}"
        return LineAnswer([translated(begun, self._language or self._session.state.language)])


def helped(name: str = "", language: str = "en", width: int | None = None) -> list[str]:
    """Return a table of all commands by what they are for, or the lines about one.

    Args:
        name: A command, with or without its slash; empty: all of them.
        language: A code; what they do is said in it.
        width: Cells of a line; None: the terminal's.

    Raises:
        CommandError: there is no such command.
    """
    known = {**LOOKS, **{kind.name: (kind.usage, kind.help) for kind in COMMANDS.values()}}
    wanted = name.strip().lstrip("/").lower()
    if wanted and wanted not in known:
        raise CommandError(f"no command /{wanted}; /help lists all")
    groups = {"": (wanted,)} if wanted else {**GROUPS, "Look": tuple(LOOKS)}
    lines = [] if wanted else [translated(_HELP_HEAD, language)]
    for group, names in groups.items():
        rows = [(f"/{known[n][0]}", translated(known[n][1], language)) for n in names]
        lines += ["", translated(group, language)] if group else []
        lines += _table(rows, width or shutil.get_terminal_size().columns)
    return lines


def _table(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Print rows in two columns, the second broken into lines where it is too long."""
    from rich.console import Console
    from rich.table import Table

    table = Table.grid(padding=(0, 0, 0, 2), pad_edge=True)
    table.add_column(width=25)
    table.add_column(overflow="fold")
    for usage, meaning in rows:
        table.add_row(usage, meaning)
    printed = Console(file=io.StringIO(), width=max(50, min(width, 100)), markup=False, highlight=False)
    with printed.capture() as caught:
        printed.print(table)
    return [line.rstrip() for line in caught.get().splitlines()]


def _map(state: State, language: str) -> list[str]:
    return ["  " * state.map.depth(held) + _branch(state, held, language) for held in state.map.walk()]


def _branch(state: State, held: str, language: str) -> str:
    tree, say = state.map, catalogue(language, "terminal").say
    page = catalogue(language, "page").say
    marks = "".join(f" ({page(mark)})" for mark in tree.node(held).marks)
    notes, passages = tree.load(held)
    holds = f"  [{say('passages', n=passages)}, {say('note_count', n=notes)}]" if notes or passages else ""
    return f"{held}  {clean_line(tree.title(held))}{marks}{holds}"


def _node(state: State, named: str, language: str) -> list[str]:
    held = state.map.node(named)
    lines = [f"{held.id}  {clean_line(held.title)}"]
    labels = state.evidence.labels()
    unanswered = catalogue(language, "terminal").say("unanswered")

    answered = state.map.answered()
    for note in held.notes:
        if not note.answer and note.question in answered:
            continue  # it stands with its answer
        answer = clean_line(state.evidence.named(note.answer))
        lines += [f"  {clean_line(note.question)}", f"    {answer or f'({unanswered})'}"]
    begins = {i: clean_line(beginning(state.evidence.passages[i].text, 160)) for i in held.passages}
    lines += [f"  [{labels[i]}] {words}" for i, words in begins.items()]
    return lines + [f"  {_branch(state, below, language)}" for below in state.map.children(held.id)]


def _sources(state: State, language: str) -> list[str]:
    lines = []
    dropped = catalogue(language, "terminal").say("dropped")
    for number, held in enumerate(sources(state), 1):
        gone = f"  ({dropped})" if state.controls.barred(held.url) else ""
        where = clean_line(shown_address(held.url))
        lines.append(f"{number:>3}  {clean_line(held.title, 60)} — {where}{gone}")
    return lines or [translated("Nothing has been read yet.", language)]


def _source(state: State, named: str) -> list[str]:
    from reports import section_line

    labels = state.evidence.labels()
    passage = state.evidence.passages.get(passage_id(state, named))
    held = source(state, named)
    where = clean_line(shown_address(held.url))
    head = [clean_line(held.title), where, *([held.published] if held.published else [])]
    if passage is not None:
        if under := section_line(passage, state.evidence.sources[passage.sha256]):
            head.append(clean_line(under))
        return [*head, f"[{labels[passage.id]}] {clean(passage.text)}"]
    cited = [p for p in state.evidence.passages.values() if p.sha256 == held.sha256]
    return [*head, *(f"  [{labels[p.id]}] {clean_line(_HEADING.sub('', p.text), 200)}" for p in cited)]


def completions(before: str, state: State, language: str = "") -> list[tuple[str, str, int]]:
    """Return what may come next: (text, help, how many characters of what is typed it replaces).

    The help is in the language of that code; in the session's where none is named.
    """
    if before.startswith("/") and " " not in before:
        known = {**{k.name: k.help for k in COMMANDS.values()}, **{n: h for n, (_, h) in LOOKS.items()}}
        typed = before[1:].lower()
        language = language or state.language
        shown = sorted((n, translated(h, language)) for n, h in known.items() if n.startswith(typed))
        return [(f"/{n}", h, len(before)) for n, h in shown]
    word = before.rsplit(" ", 1)[-1]
    if word.startswith("@"):
        return [
            (f"@{p.slug}", clean_line(p.name), len(word)) for p in state.panel if p.slug.startswith(word[1:])
        ]
    name = before[1:].split(" ", 1)[0]
    wants_node = name in {"rename", "move", "merge", "split", "pin", "delete", "add", "about", "map"}
    if before.startswith("/") and wants_node and word.startswith("n") and before.count(" ") <= 2:
        nodes = [n for n in state.map.walk() if n.startswith(word)]
        return [(n, clean_line(state.map.title(n), 40), len(word)) for n in nodes]
    return []
