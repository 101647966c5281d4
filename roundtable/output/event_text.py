"""What happened, told line by line: events in, lines out. No clock, no console, no network.

A session told again from its journal gives the same lines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from agents import NOTHING_TO_ASK
from library import Passage, Source, claimed, shown_address
from library.text import catalogue
from moderator import NOVELTY_ANSWERS
from reports import Report, source_order
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.journal.place_names import place_names
from roundtable.journal.source_updates import UPDATE
from roundtable.output.clean import clean, clean_line
from roundtable.output.told_state import ToldState
from roundtable.output.turn_paragraphs import turn_paragraphs

LONGEST_TITLE = 400
"""Characters of a topic that stand over a session; a whole page may be one."""
Mood = Literal["title", "fact", "work", "asked", "turn", "map", "warning", "end"]
"""How a line is meant: `work` is what goes on between turns, and is left out where only the result counts."""

_REVIVING = ("say", "break_in", "follow_up", "compare")
"""What the table takes up again for when it has ended."""


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


def _reported(events: Sequence[Recorded]) -> list[str]:
    """Return the sources that the last report among events cites, in the order of their numbers."""
    source_of: dict[str, str] = {}
    report: Report | None = None
    for recorded in events:
        event: Any = recorded.event
        if event.kind == "passages_admitted":
            source_of |= {passage.id: passage.span[0] for passage in event.passages}
        elif event.kind == "report_written":
            report = event.report
    return source_order(report, source_of) if report else []


def _own_words(query: str, topic: str) -> str:
    """Return what a search adds to the topic that it begins with: cut at its end, all would look alike."""
    words, of = " ".join(query.split()), " ".join(topic.split())
    return f"… {words[len(of) :].strip()}" if len(words) > len(of) > 0 and words.startswith(of) else words


class EventText(ToldState):
    """Folds events into a session's state, and tells each."""

    def __init__(self, language: str = "", past: Sequence[Recorded] = (), *, seated: bool = False) -> None:
        """Begin with nothing told.

        Args:
            language: The code of the language to tell it in; what was said at the table stays as it was said.
                Empty: the session's own.
            past: Events that are known already: sources are numbered from the beginning as the last report
                among them numbers them.
            seated: Whoever is told can speak there: not at a retelling, nor where somebody looks on.
        """
        super().__init__(language, State(self._source))
        self._seated = seated
        self._asked: dict[str, str] = {}
        """What a person asked for, by the command's id."""
        self._pages: dict[str, tuple[str, str]] = {}
        """Url and title by the source's sha256."""
        self._places: dict[str, str] = {}
        """Collections of folders and files, as a person knows them."""
        self._failed: set[str] = set()
        """Searches that failed, as warnings tell them too."""
        self._told = ""
        """The map's branches as they were told last."""
        self._reported = _reported(past)
        self._foreseen = past[-1].n if past else 0
        """Number of the last event that was known before any was told."""
        self._renumbered = False
        """Whether the event that was told last gave sources other numbers."""

    def _did(self, command: Any) -> str:
        """Return what a person did, in words that follow “You”."""
        texts = catalogue(self.language, "terminal").texts
        doing = self.say(f"do_{command.do}") if f"do_{command.do}" in texts else command.do
        given = [str(value) for value in command.model_dump(exclude={"do", "search"}).values() if value]
        if command.do == "mode":
            given = [self.say(f"mode_{value}") for value in given]
        told = self.say("did_with", doing=doing, given=" — ".join(given)) if given else doing
        return clean_line(told, 200)

    def _did_by(self, person: str, command: Any) -> str:
        """Return who did what: somebody with a name, or “You”."""
        doing = self._did(command)
        if person:
            return self.say("person_did", name=clean_line(person), doing=doing)
        return self.say("you_did", doing=doing)

    def _source(self, sha256: str) -> Source:
        return _Untold(sha256, *self._pages.get(sha256, ("", "")), text="")

    def tell(self, recorded: Recorded) -> list[Line]:
        """Take in one event and return what to show of it."""
        event: Any = recorded.event
        if event.kind == "searched":
            self._pages |= {hit.span[0]: (hit.url, hit.title) for hit in event.hits if hit.span is not None}
        elif event.kind == "page_read" and event.sha256:
            self._pages[event.sha256] = (event.url, event.title)
        self._fold(recorded)
        teller = getattr(self, f"_on_{event.kind}", None)
        lines: list[Line] = teller(event) if teller else []
        return lines

    def _fold(self, recorded: Recorded) -> None:
        reported = recorded.event.kind == "report_written"
        before = self.state.evidence.numbers() if reported else {}
        self.state.fold(recorded)
        if recorded.n <= self._foreseen:
            self.state.evidence.reported = self._reported
        now = self.state.evidence.numbers() if reported else {}
        self._renumbered = any(now[sha] != number for sha, number in before.items())

    def _why(self, event: Any) -> dict[str, str]:
        return {
            "reason": self.translated(clean_line(event.reason, 160)),
            "question": self._question(event.id),
        }

    def _reason(self, event: Any) -> str:
        """Return why the table closed; by its cause alone where the language has no words for the rest."""
        told, texts = self.translated(event.reason), catalogue(self.language, "terminal").texts
        untold = self.language != "en" and told == clean_line(event.reason)
        return str(texts.get(f"cause_{event.cause}", told)) if untold else told

    def _link(self, passage_id: str, labels: Mapping[str, str]) -> Link:
        """Return where a passage leads to."""
        passage = self.state.evidence.passages.get(passage_id)
        title, url = (passage.title, shown_address(passage.url)) if passage else ("", "")
        return Link(labels.get(passage_id, passage_id), title, url)

    # The session

    def _on_session_started(self, event: Any) -> list[Line]:
        self._places = place_names(event.docs)
        places = [*event.docs, *event.search]
        say = self.say
        facts = [say("model", model=event.model) if event.model else "", say("language", code=event.language)]
        facts += [say("searching", places=", ".join(places)) if places else ""]
        facts += [say("offline") if event.offline else ""]
        about = clean_line(" · ".join(fact for fact in facts if fact))
        return [Line("title", clean_line(event.topic, LONGEST_TITLE)), Line("fact", about)]

    def _on_session_resumed(self, event: Any) -> list[Line]:
        last, more = self.state.turns[-1].n if self.state.turns else 0, event.turns
        if not last and more is None:
            return []  # it begins
        on = self.say("goes_on", turn=last) if more is None else self.say("goes_on_for", turn=last, n=more)
        on = self.say("goes_on_asked") if more == 0 else on
        return [Line("fact", on)]

    def _on_table_closed(self, event: Any) -> list[Line]:
        return [Line("fact", self.say("over", reason=self._reason(event)))]

    def _on_session_stopped(self, event: Any) -> list[Line]:
        if event.cause == "planned":
            return [Line("fact", self.say("planned"))]
        return [Line("end", self.say("stopped", reason=self.translated(event.reason)))]

    def _on_session_ended(self, _event: Any) -> list[Line]:
        return [Line("map", line) for line in self.map_lines(40)] + [Line("end", self.spent())]

    def _on_warned(self, event: Any) -> list[Line]:
        if event.text in self._failed:  # told where it was searched
            return []
        return [Line("warning", self.translated(event.text))]

    # What a person asks for

    def _on_commanded(self, event: Any) -> list[Line]:
        command = event.command
        self._others = self._others or bool(event.person)
        told = self._asked[event.id] = self._did_by(event.person, command)
        when, ended = "", self.state.status == "ended"
        if ended and command.at_boundary and command.do not in _REVIVING:
            when = self.say("taken_later")
        elif not ended and command.at_boundary and command.do != "break_in":
            when = self.say("heard_later")
        return [Line("asked", f"{told}{when}", speaker="person")]

    def _on_command_done(self, event: Any) -> list[Line]:
        if not event.problem or event.problem in self._failed:
            return []
        told = self._asked.get(event.id) or self.say("you_did", doing=self.say("did_something"))
        return [Line("warning", f"{told}: {self.translated(event.problem)}")]

    def _on_sources_updated(self, event: Any) -> list[Line]:
        told = self.say("looked_again", n=event.looked, searches=event.searches)
        fates = [
            Line("work", self.say(f"source_{one.fate}", title=clean_line(one.title or one.url)))
            for one in event.sources
        ]
        if not event.news:
            told = self.say("told_both", one=told, other=self.say("nothing_new"))
        return [*fates, Line("fact", told)]

    def _on_table_waits(self, _event: Any) -> list[Line]:
        return [Line("fact", self.say("table_waits" if self._seated else "waits_for_somebody"))]

    # The table

    def _on_agents_invited(self, event: Any) -> list[Line]:
        told = [f"{a.name} ({Path(a.file).name})" if a.file else a.name for a in event.agents]
        return [Line("fact", self.say("invited", names=clean_line(", ".join(told))))]

    def _on_panel_seated(self, event: Any) -> list[Line]:
        known = self._names.keys() >= {p.slug for p in event.panel}
        self._names |= {p.slug: clean_line(p.name) for p in event.panel}
        if event.reason and known:
            return []  # nobody nearer was found: the same people go on
        reason = self.translated(event.reason)
        head = self.say("panel_changes", reason=reason) if reason else self.say("seated")
        return [Line("fact", head)] + [
            Line("fact", f"  {self.name(p.slug)} — {clean_line(p.role)}", speaker=p.slug) for p in event.panel
        ]

    def _on_comparison_proposed(self, event: Any) -> list[Line]:
        things, questions = (clean_line(", ".join(part)) for part in (event.things, event.questions))
        return [Line("fact", self.say("comparison_proposed", things=things, questions=questions))]

    def _on_question_raised(self, event: Any) -> list[Line]:
        in_a_turn = event.by not in self._names or event.by in ("moderator", "person")
        if event.by == "person" or (event.claim is None and in_a_turn):
            return []  # the moderator and a person ask in a turn of their own
        return [Line("work", self._by(event.by, "asks", question=event.text), speaker=event.by)]

    def _on_question_returned(self, event: Any) -> list[Line]:
        return [Line("work", self.say("asked_again", **self._why(event)))]

    def _on_question_closed(self, event: Any) -> list[Line]:
        if event.state != "answered" or not event.reason:
            return []
        return [Line("work", self.say("answered_in_part", **self._why(event)))]

    def _on_contradiction_found(self, event: Any) -> list[Line]:
        sides = " / ".join(clean_line(value, 60) for value in event.values or event.claims)
        return [Line("work", self.say("disagree", about=clean_line(event.about, 60), sides=sides))]

    def _on_discussion_reviewed(self, event: Any) -> list[Line]:
        told = [("common", event.common), ("apart", event.apart)]
        named = self.state.evidence.named
        return [
            Line("work", self.say(key, lines=named(clean_line(" / ".join(some)))))
            for key, some in told
            if some
        ]

    def _on_answer_judged(self, event: Any) -> list[Line]:
        return [
            Line("work", self.say("withdrawn", turn=claim.turn, claim=clean_line(claimed(claim.text))))
            for claim in event.withdrawn
        ]

    def _on_novelty_measured(self, event: Any) -> list[Line]:
        last = self.state.last_question()
        if len(self.state.answers()) <= NOVELTY_ANSWERS or (last is not None and last.by == UPDATE):
            return []  # before there is anything to compare with all is new; an update brings it itself
        new = self.say("novelty", passages=f"{event.passages:.0%}", words=f"{event.terms:.0%}")
        return [Line("work", new)]

    def _on_loop_warned(self, event: Any) -> list[Line]:
        key = "circles_ended" if event.ended else "circles"
        return [Line("work", self._by(event.speaker, key, loop=event.loop), speaker=event.speaker)]

    def _on_turn_hurried(self, event: Any) -> list[Line]:
        return [Line("work", self._by(event.speaker, "hurried"), speaker=event.speaker)]

    def _on_turn_taken(self, event: Any) -> list[Line]:
        turn = event.turn
        name = clean_line(turn.person) or self._named(turn.speaker, turn.name)
        if not turn.person:
            self._names.setdefault(turn.speaker, name)
        asked = self._question(turn.question) if turn.act == "answer" else ""
        head = self.say("head", turn=turn.n, name=name, act=self.say(f"act_{turn.act}"))
        head = self.say("head_asked", head=head, question=asked) if asked else head
        if reply := turn.replies_to:
            to = self._named(reply.speaker, reply.name)
            told = self.say(f"reply_{reply.act}", name=to, turn=reply.turn)
            head += f" — {told}"
        labels = self.state.evidence.labels()
        links = tuple(self._link(i, labels) for i in turn.citations)
        said = "\n".join(turn_paragraphs(clean(turn.text)))
        text = self.state.evidence.named(said)
        text += f"\n{clean_line(turn.age)}" if turn.age else ""
        return [Line("turn", text, head, turn.speaker, links)]

    def _on_turn_failed(self, event: Any) -> list[Line]:
        if event.reason == NOTHING_TO_ASK:
            return [Line("fact", self._by(event.speaker, "asked_out"))]
        told = self._by(event.speaker, "said_nothing", turn=event.turn, reason=self.translated(event.reason))
        return [Line("fact", told)]  # it took a number: told also where work is not

    def _on_citation_rejected(self, event: Any) -> list[Line]:
        ids = ", ".join(map(clean_line, event.ids))
        return [Line("work", self._by(event.speaker, "citation_dropped", ids=ids))]

    # Searching, reading, asking

    def _on_searched(self, event: Any) -> list[Line]:
        where = clean_line(self._places.get(event.where, event.where))
        query = clean_line(_own_words(event.query, self.state.topic), 70)
        what = self._by(event.speaker, "searches_for", where=where, query=query)
        if event.error:
            self._failed.add(f"search of {event.where}: {event.error}")
            return [Line("warning", self.say("told_more", what=what, more=self.translated(event.error)))]
        told = self.say("told_more", what=what, more=self.say("results", n=len(event.hits)))
        found = Line("work", told, speaker=event.speaker)
        return [*(Line("warning", f"{where}: {clean_line(note)}") for note in event.notes), found]

    def _on_page_read(self, event: Any) -> list[Line]:
        if event.error:
            self._failed.add(event.error)  # whoever asked for it is not told once more
            what, why = shown_address(event.url), event.error.removeprefix(f"{event.url}: ")
            place, _, rest = why.partition(": ")
            problem = self.translated(rest if rest and place.endswith(what) else why)
            line = self._by(event.speaker, "could_not_read", what=what, problem=problem)
            return [Line("work", line, speaker=event.speaker)]
        title, url = clean_line(event.title), clean_line(shown_address(event.url))
        line = self._by(event.speaker, "reads", what=title or url)
        return [Line("work", line, speaker=event.speaker, links=(Link("", title, url),))]

    def _on_model_replied(self, event: Any) -> list[Line]:
        if event.fallback is None:
            return []
        told = self.say("reply_unused", task=clean_line(event.task), problem=clean_line(event.fallback, 160))
        return [Line("work", told)]

    # The map and the report

    def _map_changed(self, event: Any) -> list[Line]:
        branches = self._branches()
        if event.kind == "map_placed" or not branches or branches == self._told:
            return []
        self._told = branches
        return [Line("work", self.say("map_has", n=len(self.state.map) - 1, branches=branches))]

    _on_map_placed = _on_map_grown = _map_changed

    def _on_map_edited(self, event: Any) -> list[Line]:
        undone: list[Line] = []
        if event.undo and event.did:
            done = self.say(f"did_{event.did}", title=clean_line(event.title, 80))
            undone = [Line("fact", self.say("undone", what=done))]
        return [*undone, *self._map_changed(event)]

    def _branches(self) -> str:
        tree = self.state.map
        titles = [clean_line(tree.title(node), 40) for node in tree.children(tree.root)]
        return ", ".join(titles[:8]) + (", …" if len(titles) > 8 else "")

    def _on_report_written(self, event: Any) -> list[Line]:
        summary, say = event.report.summary, self.say
        sentences, sources = say("sentences", n=summary.sentences), say("sources", n=summary.sources)
        told = [say("report", sentences=sentences, cited=summary.cited, sources=sources)]
        told += [say("renumbered")] if self._renumbered else []
        return [Line("fact", text) for text in told]
