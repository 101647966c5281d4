"""What happened, told line by line: events in, lines out. No clock, no console, no network.

A session told again from its journal gives the same lines.
"""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from library import rewrite_citations
from mindmap import MindMap
from roundtable.journal.events import Recorded
from roundtable.journal.place_names import place_names
from roundtable.output.clean import clean, clean_line, counted

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


@dataclass(slots=True)
class Totals:
    """What has been spent so far."""

    requests: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    """None once a request came whose price nobody knows."""
    searches: int = 0
    sources: int = 0
    """Pages and documents of which something was put on the table."""
    seconds: float = 0.0

    def shown(self) -> str:
        """Print the totals in one line."""
        parts = [counted(self.searches, "search", "searches"), f"{counted(self.sources, 'source')} read"]
        if self.requests:
            parts += [counted(self.requests, "request"), f"{self.tokens:,} tokens"]
            parts.append("cost unknown" if self.cost is None else f"${self.cost:.4f}")
        minutes, seconds = divmod(int(self.seconds), 60)
        return " · ".join([*parts, f"{minutes}:{seconds:02d}"])


@dataclass(slots=True)
class Story:
    """A fold over events that knows names, titles and the map, and tells each event."""

    map: MindMap | None = None
    totals: Totals = field(default_factory=Totals)
    researching: dict[str, str] = field(default_factory=dict)
    """Those who have the word: slug, and what they are asked."""
    names: dict[str, str] = field(default_factory=dict)
    turns: int = 0
    turns_counted: int = 0
    """Turns that the limit is held against: what a person says, and what answers them, is free."""
    limit: int | None = None
    _asked: dict[str, str] = field(default_factory=dict)
    """What a person asked for, by the command's id."""
    _questions: dict[str, str] = field(default_factory=dict)
    _theirs: set[str] = field(default_factory=set)
    """The questions of a person."""
    _pages: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Title and url by the source's sha256."""
    _passages: dict[str, str] = field(default_factory=dict)
    """The source's sha256 by the passage's id."""
    _labels: dict[str, str] = field(default_factory=dict)
    """How passages are named by their ids: `9.2`, the second of source 9."""
    _held: dict[str, int] = field(default_factory=dict)
    """How many passages of each source were admitted, by its sha256, in the order of the sources."""
    _places: dict[str, str] = field(default_factory=dict)
    """Collections of folders and files, as a person knows them."""
    _began: datetime | None = None
    novelty: float | None = None
    """Share (0 to 1) of what was new in the last answers; None before the first."""
    _told: str = ""
    """The map's branches as they were told last."""
    _ended: bool = False

    def tell(self, recorded: Recorded) -> list[Line]:
        """Take in one event and return what to show of it."""
        self._watch(recorded.at)
        teller = getattr(self, f"_on_{recorded.event.kind}", None)
        lines: list[Line] = teller(recorded.event) if teller else []
        return lines

    def _watch(self, at: str) -> None:
        try:
            now = datetime.fromisoformat(at)
        except ValueError:
            return
        self._began = self._began or now
        self.totals.seconds = max(self.totals.seconds, (now - self._began).total_seconds())

    def name(self, slug: str) -> str:
        """Return a speaker's name as shown."""
        return self.names.get(slug) or {"moderator": "Moderator", "person": "You"}.get(slug, clean_line(slug))

    def link(self, passage: str) -> Link:
        """Return where a passage leads to."""
        title, url = self._pages.get(self._passages.get(passage, ""), ("", ""))
        return Link(self._labels.get(passage, passage), title, url)

    def cited(self, text: str) -> str:
        """Return a text whose citations are the numbers that sources have everywhere: `[9.2]`."""
        return rewrite_citations(text, lambda ids: "".join(f"[{self._labels.get(i, i)}]" for i in ids))

    # The session

    def _on_session_started(self, event: Any) -> list[Line]:
        self.limit = event.settings.get("moderator", {}).get("turns")
        self._places = place_names(event.docs)
        places = [*event.docs, *event.search]
        facts = [f"model {event.model}" if event.model else "", f"language {event.language}"]
        facts += [f"searching {', '.join(places)}" if places else "", "offline" if event.offline else ""]
        about = clean_line(" · ".join(fact for fact in facts if fact))
        return [Line("title", clean_line(event.topic, LONGEST_TITLE)), Line("fact", about)]

    def _on_session_resumed(self, event: Any) -> list[Line]:
        self._ended = False
        more = "" if event.turns is None else f" for {counted(event.turns, 'turn')} more"
        self.limit = self.limit if event.turns is None else self.turns_counted + event.turns
        return [Line("fact", f"The session goes on after turn {self.turns}{more}.")]

    def _on_table_closed(self, event: Any) -> list[Line]:
        return [Line("fact", f"The discussion is over: {clean_line(event.reason)}. Writing the report …")]

    def _on_session_stopped(self, event: Any) -> list[Line]:
        self.researching.clear()
        return [Line("end", f"Stopped: {clean_line(event.reason)}")]

    def _on_session_ended(self, _event: Any) -> list[Line]:
        self._ended = True
        self.researching.clear()
        return [Line("map", line) for line in self.map_lines(40)] + [Line("end", self.totals.shown())]

    def _on_warned(self, event: Any) -> list[Line]:
        return [Line("warning", clean_line(event.text))]

    # What a person asks for

    def _on_commanded(self, event: Any) -> list[Line]:
        command = event.command
        self._asked[event.id] = told(command)
        when = ""
        if self._ended and command.at_boundary and command.do not in _REVIVING:
            when = ", taken in when the report is written again (/write) or the table goes on"
        elif not self._ended and command.at_boundary and command.do != "break_in":
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
        known = self.names.keys() >= {p.slug for p in event.panel}
        self.names |= {p.slug: clean_line(p.name) for p in event.panel}
        if event.reason and known:
            return []  # nobody nearer was found: the same people go on
        head = f"The panel changes: {clean_line(event.reason)}" if event.reason else "At the table"
        return [Line("fact", head)] + [
            Line("fact", f"  {self.name(p.slug)} — {clean_line(p.told)}", speaker=p.slug) for p in event.panel
        ]

    def _on_question_raised(self, event: Any) -> list[Line]:
        self._questions[event.id] = clean_line(event.text)
        if event.by == "person":
            self._theirs.add(event.id)
        if event.claim is None and (event.by not in self.names or event.by in ("moderator", "person")):
            return []  # the moderator and a person ask in a turn of their own
        return [Line("work", f"{self.name(event.by)} asks: {clean_line(event.text)}", speaker=event.by)]

    def _on_question_returned(self, event: Any) -> list[Line]:
        asked = self._questions.get(event.id, "")
        return [Line("work", f"Asked again, {clean_line(event.reason, 160)}: {asked}")]

    def _on_question_closed(self, event: Any) -> list[Line]:
        if event.state != "answered" or not event.reason:
            return []
        asked = self._questions.get(event.id, "")
        return [Line("work", f"Answered, but for {clean_line(event.reason, 160)}: {asked}")]

    def _on_contradiction_found(self, event: Any) -> list[Line]:
        sides = " / ".join(clean_line(value, 60) for value in event.values)
        return [Line("work", f"Sources disagree on {clean_line(event.about, 60)}: {sides}")]

    def _on_discussion_reviewed(self, event: Any) -> list[Line]:
        told = [("In common", event.common), ("Apart", event.apart)]
        return [Line("work", f"{kind}: {clean_line(' / '.join(lines))}") for kind, lines in told if lines]

    def _on_novelty_measured(self, event: Any) -> list[Line]:
        self.novelty = max(event.passages, event.terms)
        new = f"{event.passages:.0%} of the passages, {event.terms:.0%} of the words"
        return [Line("work", f"New in the last answers: {new}")]

    def _on_loop_warned(self, event: Any) -> list[Line]:
        then = "it is asked to answer" if event.ended else "advice stands before its next round"
        circle = f"goes in circles ({clean_line(event.loop, 20)})"
        return [Line("work", f"{self.name(event.speaker)} {circle}: {then}", speaker=event.speaker)]

    def _on_turn_hurried(self, event: Any) -> list[Line]:
        why = "a budget is nearly spent"
        return [
            Line(
                "work", f"{self.name(event.speaker)} answers with what there is: {why}", speaker=event.speaker
            )
        ]

    def _on_speaker_called(self, event: Any) -> list[Line]:
        question = self._questions.get(event.question or "", "")
        self.researching[event.speaker] = question
        return []

    def _on_turn_taken(self, event: Any) -> list[Line]:
        turn = event.turn
        self.turns = turn.n
        self.turns_counted += not (turn.role == "person" or turn.question in self._theirs)
        self.names.setdefault(turn.speaker, clean_line(turn.name))
        self.researching.pop(turn.speaker, None)
        asked = self._questions.get(turn.question or "", "") if turn.act == "answer" else ""
        head = f"{turn.n}. {clean_line(turn.name)}, {turn.act}" + (f": {asked}" if asked else "")
        if reply := turn.replies_to:
            head += f" — {REPLIES[reply.act]} {clean_line(reply.name)} (turn {reply.turn})"
        links = tuple(self.link(i) for i in turn.citations)
        return [Line("turn", self.cited(clean(turn.text).strip()), head, turn.speaker, links)]

    def _on_turn_failed(self, event: Any) -> list[Line]:
        self.researching.pop(event.speaker, None)
        self.turns_counted += 1
        told = f"{event.turn}. {self.name(event.speaker)} said nothing: {clean_line(event.reason)}"
        return [Line("fact", told)]  # it took a number: told also where work is not

    def _on_citation_rejected(self, event: Any) -> list[Line]:
        ids = ", ".join(map(clean_line, event.ids))
        return [Line("work", f"{self.name(event.speaker)} cited {ids} without having been shown it: dropped")]

    # Searching, reading, asking

    def _on_searched(self, event: Any) -> list[Line]:
        self.totals.searches += 1
        for hit in event.hits:
            if hit.span is not None:
                self._pages[hit.span[0]] = (clean_line(hit.title), clean_line(hit.url))
        where = clean_line(self._places.get(event.where, event.where))
        query = clean_line(event.query, 70)
        what = f"{self.name(event.speaker)} searches {where} for “{query}”"
        if event.error:
            return [Line("warning", f"{what}: {clean_line(event.error)}")]
        return [Line("work", f"{what}: {counted(len(event.hits), 'result')}", speaker=event.speaker)]

    def _on_page_read(self, event: Any) -> list[Line]:
        if event.error:
            problem = f"{clean_line(event.url)}: {clean_line(event.error)}"
            line = f"{self.name(event.speaker)} could not read {problem}"
            return [Line("work", line, speaker=event.speaker)]
        title, url = clean_line(event.title), clean_line(event.url)
        self._pages[event.sha256] = (title, url)
        line = f"{self.name(event.speaker)} reads {title or url}"
        return [Line("work", line, speaker=event.speaker, links=(Link("", title, url),))]

    def _on_passages_admitted(self, event: Any) -> list[Line]:
        for item in event.passages:
            sha256 = item.span[0]
            self._passages[item.id] = sha256
            self._held[sha256] = self._held.get(sha256, 0) + 1
            number = list(self._held).index(sha256) + 1
            self._labels[item.id] = f"{number}.{self._held[sha256]}"
        self.totals.sources = len(self._held)
        return []

    def _on_model_replied(self, event: Any) -> list[Line]:
        usage, totals = event.usage, self.totals
        totals.requests += usage.requests
        totals.tokens += usage.prompt_tokens + usage.completion_tokens
        if usage.requests:
            known = usage.cost is not None and totals.cost is not None
            totals.cost = totals.cost + usage.cost if known else None
        if event.fallback is None:
            return []
        line = f"a reply to “{clean_line(event.task)}” could not be used, text was quoted instead: "
        return [Line("work", line + clean_line(event.fallback, 160))]

    # The map and the report

    def _on_map_started(self, event: Any) -> list[Line]:
        self.map = MindMap.started(event)
        return []

    def _map_changed(self, event: Any) -> list[Line]:
        assert self.map is not None
        self.map.fold(event)
        branches = self._branches()
        if event.kind == "map_placed" or not branches or branches == self._told:
            return []
        self._told = branches
        return [Line("work", f"The map has {counted(len(self.map) - 1, 'topic')}: {branches}")]

    _on_map_placed = _on_map_grown = _on_map_edited = _map_changed

    def _branches(self) -> str:
        assert self.map is not None
        titles = [clean_line(self.map.title(node), 40) for node in self.map.children(self.map.root)]
        return ", ".join(titles[:8]) + (", …" if len(titles) > 8 else "")

    def map_lines(self, most: int) -> list[str]:
        """Return the map as a tree of at most so many lines: deeper levels only as they fit."""
        if self.map is None or len(self.map) == 1:
            return []
        for depth in range(5, 0, -1):
            lines = self._tree(self.map, depth)
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

    def _on_section_written(self, event: Any) -> list[Line]:
        return [Line("work", f"Section written: {clean_line(event.section.heading) or 'lead'}")]

    def _on_report_written(self, event: Any) -> list[Line]:
        summary = event.report.summary
        sentences = counted(summary.sentences, "sentence")
        sources = counted(summary.sources, "source")
        return [Line("fact", f"Report: {sentences}, {summary.cited} cited, {sources}")]
