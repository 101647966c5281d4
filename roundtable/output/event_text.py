"""What happened, told line by line: events in, lines out. No clock, no console, no network.

A session told again from its journal gives the same lines.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from library import Passage, Source, rewrite_citations
from mindmap import MindMap
from roundtable.journal.events import Recorded
from roundtable.journal.place_names import place_names
from roundtable.journal.state import State
from roundtable.output.clean import clean, clean_line, counted
from roundtable.output.outputs import summed

LONGEST_TITLE = 400
"""Characters of a topic that stand over a session; a whole page may be one."""
Mood = Literal["title", "fact", "work", "asked", "turn", "map", "warning", "end"]
"""How a line is meant: `work` is what goes on between turns, and is left out where only the result counts."""

_DOINGS = {
    "say": "say", "break_in": "break in", "follow_up": "ask on", "steer": "steer", "set_aside": "set aside",
    "drop_source": "drop", "drop_host": "drop the host", "read": "want read", "add_expert": "invite",
    "rename_expert": "rename", "dismiss_expert": "dismiss", "pause": "pause", "go_on": "go on",
    "stop": "stop: the report is next", "mode": "choose the mode",
}  # fmt: skip

REPLIES = {
    "support": "supports", "add": "adds to", "dispute": "disputes", "concede": "concedes a point to",
}  # fmt: skip
"""What a turn does with a claim, in words that its speaker's name goes before."""

_REVIVING = ("say", "break_in", "follow_up")
"""What the table takes up again for when it has ended."""


def told(command: Any) -> str:
    """Return what a person did, in words that follow “You”."""
    doing = _DOINGS.get(command.do, command.do)
    given = [str(value) for value in command.model_dump(exclude={"do", "search"}).values() if value]
    return clean_line(f"{doing}: {' — '.join(given)}" if given else doing, 200)


@dataclass(frozen=True, slots=True)
class Link:
    """A citation with what it leads to."""

    id: str
    """The source's number in the session; of a passage also its place, `9.2`. Empty where it has none."""
    title: str
    url: str

    def __post_init__(self) -> None:
        """Leave nothing in it that a terminal acts on, whoever made it."""
        for name in ("id", "title", "url"):
            object.__setattr__(self, name, clean_line(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to show; its text is clean."""

    mood: Mood
    text: str
    head: str = ""
    """For a turn: who speaks."""
    speaker: str = ""
    """Slug, for colours."""
    links: tuple[Link, ...] = ()

    def __post_init__(self) -> None:
        """Leave nothing in it that a terminal acts on, whoever made it."""
        object.__setattr__(self, "text", clean(self.text))
        object.__setattr__(self, "head", clean_line(self.head))


class _Untold(Source):
    """A source whose text nobody needs to tell what happened with it."""

    def passage(self, start: int, end: int, passage_id: str = "") -> Passage:
        """Return a span without its words."""
        return Passage(self.sha256, start, end, "", self.url, self.title, id=passage_id)


class EventText:
    """Folds events into a session's state, and tells each."""

    def __init__(self) -> None:
        self.state = State(self._source)
        self._names: dict[str, str] = {}
        self._asked: dict[str, str] = {}
        """What a person asked for, by the command's id."""
        self._pages: dict[str, tuple[str, str]] = {}
        """Url and title by the source's sha256."""
        self._places: dict[str, str] = {}
        """Collections of folders and files, as a person knows them."""
        self._told = ""
        """The map's branches as they were told last."""

    def _source(self, sha256: str) -> Source:
        return _Untold(sha256, *self._pages.get(sha256, ("", "")), text="")

    def tell(self, recorded: Recorded) -> list[Line]:
        """Take in one event and return what to show of it."""
        event: Any = recorded.event
        if event.kind == "searched":
            self._pages |= {hit.span[0]: (hit.url, hit.title) for hit in event.hits if hit.span is not None}
        elif event.kind == "page_read" and event.sha256:
            self._pages[event.sha256] = (event.url, event.title)
        self.state.fold(recorded)
        teller = getattr(self, f"_on_{event.kind}", None)
        lines: list[Line] = teller(event) if teller else []
        return lines

    def name(self, slug: str) -> str:
        """Return a speaker's name as shown."""
        known = self._names.get(slug) or {"moderator": "Moderator", "person": "You"}.get(slug, slug)
        return clean_line(known)

    def at_work(self) -> dict[str, str]:
        """Return those who have the word: slug, and what they are asked."""
        if self.state.status in {"stopped", "ended"}:
            return {}
        return {call.speaker: self._question(call.question) for call in self.state.running()}

    def turn(self) -> str:
        """Print how far the table has come: `turn 3 of 12`."""
        limit = self.state.limit
        return f"turn {self.state.counted}" + (f" of {limit}" if limit else "")

    def spent(self) -> str:
        """Print what has been spent so far in one line."""
        state, used = self.state, summed([cost.usage for cost in self.state.usage])
        sources = counted(len(state.evidence.sources), "source")
        parts = [counted(len(state.work.searches), "search", "searches"), f"{sources} read"]
        if used["requests"]:
            parts += [counted(used["requests"], "request"), f"{used['tokens']:,} tokens"]
            parts.append("cost unknown" if used["cost"] is None else f"${used['cost']:.4f}")
        minutes, seconds = divmod(int(state.time.worked), 60)
        return " · ".join([*parts, f"{minutes}:{seconds:02d}"])

    def writing(self) -> str:
        """Print how far the report is while it is written; an empty text at any other time."""
        if self.state.status != "closed":
            return ""
        sections = [clean_line(s.heading) for s in self.state.writing.sections]
        last = next((heading for heading in reversed(sections) if heading), "")
        done = f": {counted(len(sections), 'section')}" if sections else ""
        return f"writing the report{done}{f', “{last}”' if last else ''}"

    def _question(self, identity: str | None) -> str:
        known = self.state.agenda.questions.get(identity or "")
        return clean_line(known.text) if known else ""

    def _link(self, passage_id: str, labels: Mapping[str, str]) -> Link:
        """Return where a passage leads to."""
        passage = self.state.evidence.passages.get(passage_id)
        title, url = (passage.title, passage.url) if passage else ("", "")
        return Link(labels.get(passage_id, passage_id), title, url)

    # The session

    def _on_session_started(self, event: Any) -> list[Line]:
        self._places = place_names(event.docs)
        places = [*event.docs, *event.search]
        facts = [f"model {event.model}" if event.model else "", f"language {event.language}"]
        facts += [f"searching {', '.join(places)}" if places else "", "offline" if event.offline else ""]
        about = clean_line(" · ".join(fact for fact in facts if fact))
        return [Line("title", clean_line(event.topic, LONGEST_TITLE)), Line("fact", about)]

    def _on_session_resumed(self, event: Any) -> list[Line]:
        more = "" if event.turns is None else f" for {counted(event.turns, 'turn')} more"
        last = self.state.turns[-1].n if self.state.turns else 0
        return [Line("fact", f"The session goes on after turn {last}{more}.")]

    def _on_table_closed(self, event: Any) -> list[Line]:
        return [Line("fact", f"The discussion is over: {clean_line(event.reason)}. Writing the report …")]

    def _on_session_stopped(self, event: Any) -> list[Line]:
        return [Line("end", f"Stopped: {clean_line(event.reason)}")]

    def _on_session_ended(self, _event: Any) -> list[Line]:
        return [Line("map", line) for line in self.map_lines(40)] + [Line("end", self.spent())]

    def _on_warned(self, event: Any) -> list[Line]:
        return [Line("warning", clean_line(event.text))]

    # What a person asks for

    def _on_commanded(self, event: Any) -> list[Line]:
        command = event.command
        self._asked[event.id] = told(command)
        when, ended = "", self.state.status == "ended"
        if ended and command.at_boundary and command.do not in _REVIVING:
            when = ", taken in when the report is written again (/write) or the table goes on"
        elif not ended and command.at_boundary and command.do != "break_in":
            when = ", heard after this turn"
        return [Line("asked", f"You {told(command)}{when}", speaker="person")]

    def _on_command_done(self, event: Any) -> list[Line]:
        if not event.problem:
            return []
        what = self._asked.get(event.id, "asked for something")
        return [Line("warning", f"You {what}: {clean_line(event.problem)}")]

    def _on_table_waits(self, _event: Any) -> list[Line]:
        return [Line("fact", "The table waits for you: say something, or /go.")]

    # The table

    def _on_agents_invited(self, event: Any) -> list[Line]:
        told = [f"{a.name} ({Path(a.file).name})" if a.file else a.name for a in event.agents]
        return [Line("fact", f"AutoGen agents at the table: {clean_line(', '.join(told))}")]

    def _on_panel_seated(self, event: Any) -> list[Line]:
        known = self._names.keys() >= {p.slug for p in event.panel}
        self._names |= {p.slug: clean_line(p.name) for p in event.panel}
        if event.reason and known:
            return []  # nobody nearer was found: the same people go on
        head = f"The panel changes: {clean_line(event.reason)}" if event.reason else "At the table"
        return [Line("fact", head)] + [
            Line("fact", f"  {self.name(p.slug)} — {clean_line(p.role)}", speaker=p.slug) for p in event.panel
        ]

    def _on_question_raised(self, event: Any) -> list[Line]:
        if event.claim is None and (event.by not in self._names or event.by in ("moderator", "person")):
            return []  # the moderator and a person ask in a turn of their own
        return [Line("work", f"{self.name(event.by)} asks: {clean_line(event.text)}", speaker=event.by)]

    def _on_question_returned(self, event: Any) -> list[Line]:
        return [Line("work", f"Asked again, {clean_line(event.reason, 160)}: {self._question(event.id)}")]

    def _on_question_closed(self, event: Any) -> list[Line]:
        if event.state != "answered" or not event.reason:
            return []
        told = f"Answered, but for {clean_line(event.reason, 160)}: {self._question(event.id)}"
        return [Line("work", told)]

    def _on_contradiction_found(self, event: Any) -> list[Line]:
        sides = " / ".join(clean_line(value, 60) for value in event.values)
        return [Line("work", f"Sources disagree on {clean_line(event.about, 60)}: {sides}")]

    def _on_discussion_reviewed(self, event: Any) -> list[Line]:
        told = [("In common", event.common), ("Apart", event.apart)]
        return [Line("work", f"{kind}: {clean_line(' / '.join(lines))}") for kind, lines in told if lines]

    def _on_novelty_measured(self, event: Any) -> list[Line]:
        new = f"{event.passages:.0%} of the passages, {event.terms:.0%} of the words"
        return [Line("work", f"New in the last answers: {new}")]

    def _on_loop_warned(self, event: Any) -> list[Line]:
        then = "it is asked to answer" if event.ended else "advice stands before its next round"
        circle = f"goes in circles ({clean_line(event.loop, 20)})"
        return [Line("work", f"{self.name(event.speaker)} {circle}: {then}", speaker=event.speaker)]

    def _on_turn_hurried(self, event: Any) -> list[Line]:
        line = f"{self.name(event.speaker)} answers with what there is: a budget is nearly spent"
        return [Line("work", line, speaker=event.speaker)]

    def _on_turn_taken(self, event: Any) -> list[Line]:
        turn = event.turn
        self._names.setdefault(turn.speaker, clean_line(turn.name))
        asked = self._question(turn.question) if turn.act == "answer" else ""
        head = f"{turn.n}. {clean_line(turn.name)}, {turn.act}" + (f": {asked}" if asked else "")
        if reply := turn.replies_to:
            head += f" — {REPLIES[reply.act]} {clean_line(reply.name)} (turn {reply.turn})"
        labels = self.state.evidence.labels()
        links = tuple(self._link(i, labels) for i in turn.citations)
        text = rewrite_citations(
            clean(turn.text).strip(), lambda ids: "".join(f"[{labels.get(i, i)}]" for i in ids)
        )
        return [Line("turn", text, head, turn.speaker, links)]

    def _on_turn_failed(self, event: Any) -> list[Line]:
        told = f"{event.turn}. {self.name(event.speaker)} said nothing: {clean_line(event.reason)}"
        return [Line("fact", told)]  # it took a number: told also where work is not

    def _on_citation_rejected(self, event: Any) -> list[Line]:
        ids = ", ".join(map(clean_line, event.ids))
        return [Line("work", f"{self.name(event.speaker)} cited {ids} without having been shown it: dropped")]

    # Searching, reading, asking

    def _on_searched(self, event: Any) -> list[Line]:
        where = clean_line(self._places.get(event.where, event.where))
        query = clean_line(event.query, 70)
        what = f"{self.name(event.speaker)} searches {where} for “{query}”"
        if event.error:
            return [Line("warning", f"{what}: {clean_line(event.error)}")]
        found = Line("work", f"{what}: {counted(len(event.hits), 'result')}", speaker=event.speaker)
        return [*(Line("warning", f"{where}: {clean_line(note)}") for note in event.notes), found]

    def _on_page_read(self, event: Any) -> list[Line]:
        if event.error:
            problem = f"{clean_line(event.url)}: {clean_line(event.error)}"
            line = f"{self.name(event.speaker)} could not read {problem}"
            return [Line("work", line, speaker=event.speaker)]
        title, url = clean_line(event.title), clean_line(event.url)
        line = f"{self.name(event.speaker)} reads {title or url}"
        return [Line("work", line, speaker=event.speaker, links=(Link("", title, url),))]

    def _on_model_replied(self, event: Any) -> list[Line]:
        if event.fallback is None:
            return []
        line = f"a reply to “{clean_line(event.task)}” could not be used, text was quoted instead: "
        return [Line("work", line + clean_line(event.fallback, 160))]

    # The map and the report

    def _map_changed(self, event: Any) -> list[Line]:
        branches = self._branches()
        if event.kind == "map_placed" or not branches or branches == self._told:
            return []
        self._told = branches
        return [Line("work", f"The map has {counted(len(self.state.map) - 1, 'topic')}: {branches}")]

    _on_map_placed = _on_map_grown = _on_map_edited = _map_changed

    def _branches(self) -> str:
        tree = self.state.map
        titles = [clean_line(tree.title(node), 40) for node in tree.children(tree.root)]
        return ", ".join(titles[:8]) + (", …" if len(titles) > 8 else "")

    def map_lines(self, most: int) -> list[str]:
        """Return the map as a tree of at most so many lines: deeper levels only as they fit."""
        if len(self.state.map) == 1:
            return []
        for depth in range(5, 0, -1):
            lines = self._tree(self.state.map, depth)
            if len(lines) <= most:
                return lines
        return [*lines[: most - 1], f"… and {len(lines) - most + 1} more"]

    def _tree(self, tree: MindMap, depth: int) -> list[str]:
        lines: list[str] = [clean_line(tree.title(tree.root), 80)]

        def grow(node: str, before: str, left: int) -> None:
            children = tree.children(node)
            for place, child in enumerate(children):
                last = place == len(children) - 1
                held = sum(len(tree.passages(below)) for below in tree.walk(child))
                count = f"  ({counted(held, 'passage')})" if held else ""
                lines.append(f"{before}{'└─ ' if last else '├─ '}{clean_line(tree.title(child), 70)}{count}")
                if left > 1:
                    grow(child, before + ("   " if last else "│  "), left - 1)

        grow(tree.root, "", depth)
        return lines

    def _on_report_written(self, event: Any) -> list[Line]:
        summary = event.report.summary
        sentences = counted(summary.sentences, "sentence")
        sources = counted(summary.sources, "source")
        return [Line("fact", f"Report: {sentences}, {summary.cited} cited, {sources}")]
