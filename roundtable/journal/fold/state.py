"""A session as it stands: a fold over its events. Resuming, replaying and the live view are this one path."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from agents import (
    AgentsInvited,
    InvitedAgent,
    Memory,
    PanelSeated,
    Perspective,
    PlaceUnrelated,
    SpeakerCalled,
    Turn,
    TurnClaim,
    TurnFailed,
    TurnTaken,
    set_aside,
)
from library import (
    Computed,
    Evidence,
    PageRead,
    Passage,
    PassagesAdmitted,
    Reranked,
    Searched,
    Source,
    TrustList,
    citations,
    without_citations,
)
from library.text import sentences
from mindmap import MapEdited, MapGrown, MapPlaced, MapStarted, MindMap, PassagesEmbedded
from models import Event, ModelReplied, Statistics, Usage
from moderator import SLUG, Agenda, AnswerJudged, CloseCause, Question, Talk
from reports import Report, ReportWritten, SectionsDrafted, SectionWritten, SentencesReviewed, source_order
from roundtable.journal.commands.table_commands import GoOn
from roundtable.journal.comparisons import ComparisonProposed, ThingsCompared
from roundtable.journal.events import (
    Commanded,
    PlanChanged,
    Recorded,
    SessionEnded,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    SessionTakenUp,
    TableClosed,
    Warned,
)
from roundtable.journal.fold.gathered import Gathered
from roundtable.journal.fold.map_course import MapCourse
from roundtable.journal.fold.state_slices import WRITER, ReportWork, TurnsUnderWay, WorkDone
from roundtable.journal.fold.user_controls import UserControls
from roundtable.journal.fold.working_time import LONGEST, WorkingTime
from roundtable.journal.source_updates import UPDATE, SourcesUpdated, Updates

_STEERED_FROM = 12
"""Passages that a steered question is at least chosen from."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one request was for, and what it cost."""

    task: str
    speaker: str
    usage: Usage
    fallback: str | None


@dataclass(slots=True)
class State:
    """Everything that the session's events say. Changed by `fold` alone."""

    find_source: Callable[[str], Source]
    """Looks a source up by its sha256: texts stay in the store."""
    topic: str = ""
    language: str = "en"
    settings: dict[str, Any] = field(default_factory=dict)
    start: SessionStarted | None = None
    status: str = "running"
    """`running`, `closed` (the report is next), `stopped` (can be resumed) or `ended`."""
    reason: str = ""
    """Why the table closed, or the session stopped."""
    close_cause: CloseCause | None = None
    """Why the table closed last; None when it never did, and where the session stopped after that."""
    plan_changes: list[PlanChanged] = field(default_factory=list)
    """What a person changed of the settings with the plan."""
    turns_after_report: int | None = None
    """Turns for which the table goes on once the report that is being written is there; None: nobody said."""
    turn_limit: int | None = None
    """Turns at which the table closes, from the session's beginning on; None: as the settings say."""
    wait_from: int = 0
    """Turns, as the limit counts them, before which a table does not wait that waits after each round."""
    started: str = ""
    ended: str = ""
    time: WorkingTime = field(default_factory=WorkingTime)
    last: int = 0
    """Number of the last event."""
    turns: list[Turn] = field(default_factory=list)
    failed: list[TurnFailed] = field(default_factory=list)
    admitted: dict[int, list[str]] = field(default_factory=dict)
    """Passages that each turn brought; 0 is the background."""
    shown: dict[int, int] = field(default_factory=dict)
    taken_at: dict[int, int] = field(default_factory=dict)
    """Number of the event with which each turn was taken."""
    seen: dict[str, Counter[str]] = field(default_factory=dict)
    """By slug, the passages whose text each speaker was shown, with in how many of its turns."""
    invited: list[InvitedAgent] = field(default_factory=list)
    """Agents of AutoGen that the session was begun with."""
    panel: list[Perspective] = field(default_factory=list)
    panels: list[list[Perspective]] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)
    """Slugs of experts whom a person wrote, renamed or invited: the moderator does not replace them."""
    parts: list[str] = field(default_factory=list)
    """The parts of what was asked, each a question of its own; empty for one thing, or a subject."""
    seated_at: int = 0
    """Turns taken when the panel was last changed."""
    agenda: Agenda = field(default_factory=Agenda)
    talk: Talk = field(default_factory=Talk)
    """What was compared, judged and measured."""
    memory: Memory = field(default_factory=Memory)
    gathered: Gathered = field(default_factory=Gathered)
    """What was found, read and admitted."""
    map_course: MapCourse = field(default_factory=MapCourse)
    """The map, and how far work on it is."""
    report: Report | None = None
    usage: list[Cost] = field(default_factory=list)
    asked_for_talk: int | None = None
    """Requests when the table closed: what the report says was spent on the talk; None while it is open."""
    work: WorkDone = field(default_factory=WorkDone)
    under_way: TurnsUnderWay = field(default_factory=TurnsUnderWay)
    writing: ReportWork = field(default_factory=ReportWork)
    warnings: list[str] = field(default_factory=list)
    controls: UserControls = field(default_factory=UserControls)
    """What a person asked for."""
    compared: list[ThingsCompared] = field(default_factory=list)
    """What a person had set side by side."""
    proposed: ComparisonProposed | None = None
    """What the moderator proposes to set side by side; None where it proposes nothing, or once it was."""
    updates: Updates = field(default_factory=Updates)
    """What became of the sources since they were read."""

    @property
    def evidence(self) -> Evidence:
        """What was admitted, with its sources."""
        return self.gathered.evidence

    @property
    def map(self) -> MindMap:
        """What has been said, as a tree."""
        return self.map_course.map

    @property
    def taken(self) -> int:
        """Turns taken or failed."""
        return len(self.turns) + len(self.failed)

    @property
    def directions(self) -> list[str]:
        """What a person wants kept to, subjects that were set aside included."""
        return [*self.controls.steering, *(f"leave out: {subject}" for subject in self.controls.aside)]

    @property
    def counted(self) -> int:
        """Turns that the limit is held against, and that are told everywhere.

        What a person says, and what answers them, is free; so is a moderator's word of which nothing came.
        """
        people = sum(turn.role == "person" for turn in self.turns)
        unasked = sum(failed.speaker == SLUG for failed in self.failed)
        return self.taken - people - unasked - len(self.asked_from_outside())

    def asked_from_outside(self, by: str = "") -> list[Turn]:
        """Return the turns of those at the table on what was asked from outside: by `by`, or anybody."""
        questions = self.agenda.questions.values()
        asked = {q.id for q in questions if q.owed and by in ("", q.by)}
        return [turn for turn in self.turns if turn.role != "person" and turn.question in asked]

    def _go_on(self, turns: int) -> None:
        """Let the table go on for some turns; then it waits again where it does so, else it closes."""
        if self.controls.mode == "wait":
            self.wait_from = self.counted + turns
            self.turn_limit = max(self.limit or 0, self.wait_from)
        else:
            self.turn_limit = self.counted + turns

    @property
    def waits_now(self) -> bool:
        """Whether the table is to wait for the person now.

        What is asked once there is a report is answered and goes into that, without another word.
        """
        over = self.report is not None and self.limit is not None and self.counted >= self.limit
        return self.controls.due and self.counted >= self.wait_from and not over

    @property
    def turns_wanted(self) -> bool:
        """Whether a person said for how many turns the table is to go on, and not all of them are taken."""
        until = self.wait_from if self.controls.mode == "wait" else self.turn_limit
        return until is not None and self.counted < until

    def unheard(self) -> tuple[Question, list[str]] | None:
        """Return the question answered last on which some expert was not called, and who was; None: none."""
        answered = [turn.question for turn in reversed(self.answers()) if turn.question]
        for question in map(self.agenda.questions.get, dict.fromkeys(answered)):
            called = self.answered_by(question)
            if question is not None and any(p.slug not in called for p in self.panel):
                return question, called
        return None

    @property
    def round_end(self) -> float:
        """Turns after which the table waits again, where a person said how many; infinity: nobody did."""
        asked = self.controls.mode == "wait" and self.wait_from > self.counted
        return self.wait_from if asked else float("inf")

    @property
    def limit(self) -> int | None:
        """Turns at which the table closes; None where nothing tells."""
        changed = [event.turns for event in self.plan_changes]
        planned = changed[-1] if changed else self.settings.get("moderator", {}).get("turns")
        return planned if self.turn_limit is None else self.turn_limit

    @property
    def unsearched(self) -> str | None:
        """Why nothing was found: each of the searches failed. None when one worked."""
        errors = [searched.error for searched in self.work.searches.values()]
        return None if self.evidence.passages or not errors or None in errors else errors[-1]

    def fold(self, recorded: Recorded) -> None:
        """Take in one event."""
        event = recorded.event
        self.last = recorded.n
        at_work = self.status in {"running", "closed"} and not self.controls.standing_still
        if isinstance(event, SessionTakenUp):
            self.time.reach(event.since, working=False)
        self.time.reach(recorded.at, working=at_work and not isinstance(event, SessionResumed))
        self.agenda.fold(event)
        self.talk.fold(event)
        self.controls.fold(event)
        self.memory.fold(event, recorded.n)
        match event:
            case SessionStarted():
                self.start, self.topic, self.language = event, event.topic, event.language
                self.settings, self.started = event.settings, recorded.at
                self.gathered.trust = TrustList(**event.settings.get("library", {}).get("trust", {}))
                self.time.longest = event.settings.get("models", {}).get("total_timeout", LONGEST)
            case SessionResumed():
                self.status, self.ended, self.writing.written = "running", "", False
                self.asked_for_talk = None
                self.turn_limit = None if event.turns is None else self.counted + event.turns
                self.turns_after_report = None
            case TableClosed():
                self.status, self.reason, self.writing.written = "closed", event.reason, False
                self.asked_for_talk, self.close_cause = len(self.usage), event.cause
                self.under_way.forget(WRITER)
            case SessionStopped():
                self.status, self.reason, self.close_cause = "stopped", event.reason, None
            case SessionEnded():
                self.status, self.ended = "ended", recorded.at
            case PlanChanged():
                self.plan_changes.append(event)
            case Warned():
                self.warnings.append(event.text)
            case SourcesUpdated():
                self.updates.fold(event, recorded.at)
                self.under_way.leave_unplaced(UPDATE)
            case Commanded(command=GoOn(turns=int() as turns)):
                self._go_on(turns)
                self.turns_after_report = turns if self.status == "closed" else None
            case ThingsCompared() | ComparisonProposed():
                self.proposed = event if isinstance(event, ComparisonProposed) else None
                self.compared += [event] if isinstance(event, ThingsCompared) else []
            case _:
                self._fold_work(event, recorded)

    def _fold_work(self, event: Event, recorded: Recorded) -> None:
        match event:
            case ModelReplied():
                self.usage.append(Cost(event.task, event.speaker, event.usage, event.fallback))
                self.work.fold(event, recorded.n)
            case Searched() | PageRead() | Computed() | Reranked() | PassagesEmbedded():
                self.work.fold(event, recorded.n)
                self.gathered.note(event)
            case PassagesAdmitted():
                self.under_way.admit(event, recorded.n)
                self.gathered.admit(event, recorded.n, self.find_source)
            case SectionsDrafted() | SentencesReviewed() | SectionWritten():
                self.writing.fold(event)
            case ReportWritten():
                self.report, self.writing.written, self.writing.sections = event.report, True, []
                source_of = {i: p.sha256 for i, p in self.evidence.passages.items()}
                self.evidence.reported = source_order(event.report, source_of)
                self.writing.answers, self.writing.settings = len(self.answers()), event.settings
                self.writing.edits, self.writing.directions = self.controls.edits, list(self.directions)
                self.under_way.forget(WRITER)
            case MapStarted() | MapPlaced() | MapGrown() | MapEdited():
                self._fold_map(event)
            case _:
                self._fold_table(event, recorded)

    def _fold_table(self, event: Event, recorded: Recorded) -> None:
        match event:
            case PanelSeated():
                self.panel, self.seated_at = event.panel, self.taken
                self.panels.append(event.panel)
                self.kept.update(event.kept)
                self.parts = event.parts or self.parts
                self.under_way.leave_unplaced(SLUG)
            case AgentsInvited():
                self.invited = event.agents
            case SpeakerCalled():
                self.under_way.call(event, recorded)
            case TurnTaken():
                self.turns.append(event.turn)
                self.admitted[event.turn.n] = event.admitted
                self.shown[event.turn.n] = event.shown
                self.taken_at[event.turn.n] = recorded.n
                self.seen.setdefault(event.turn.speaker, Counter()).update(set(event.seen))
                self.under_way.newly_admitted.pop(event.turn.speaker, None)
                if event.turn.role == "person":
                    self.under_way.shown_to.pop(event.turn.speaker, None)
                    self.under_way.shown_at.pop(event.turn.speaker, None)
            case AnswerJudged():
                for claim in event.withdrawn:
                    self._withdraw(claim, event.turn)
            case TurnFailed():
                self.failed.append(event)
                self.under_way.leave_unplaced(event.speaker)
            case PlaceUnrelated():
                self.work.unrelated.setdefault((event.where, event.question), recorded.n)
                self.under_way.tell(event)
            case _:  # events that only tell: citations rejected, sections as they are written
                self.under_way.tell(event)

    def source(self, sha256: str) -> Source:
        """Return a source, looked up once; it is evidence only when a passage of it is admitted."""
        return self.gathered.source(sha256, self.find_source)

    def _fold_map(self, event: MapStarted | MapPlaced | MapGrown | MapEdited) -> None:
        self.map_course.fold(event)
        if isinstance(event, MapPlaced):
            gone = set(event.outside)
            unplaced = [i for i in self.under_way.unplaced if i not in gone and self.map.where(i) is None]
            self.under_way.unplaced = unplaced

    # What the policy asks for, computed from the fold.

    def _withdraw(self, claim: TurnClaim, by: int) -> None:
        """Mark a conclusion in its turn: it stands no longer."""
        place = next((i for i, turn in enumerate(self.turns) if turn.n == claim.turn), None)
        if place is not None:
            turn = self.turns[place]
            marked = turn.model_copy(update={"withdrawn": turn.withdrawn | {claim.text: by}})
            self.turns[place] = marked

    def unused(self) -> list[str]:
        """Return the ids of passages that were admitted and that no turn has cited, in order.

        Those of dropped sources, and those about subjects set aside, are nothing to ask from.
        """
        used = {i for turn in self.turns for i in turn.citations}
        return [i for i, p in self.usable().passages.items() if i not in used and not self._aside(p)]

    def _aside(self, passage: Passage) -> bool:
        return self.controls.left_aside(f"{passage.title} {passage.text}")

    def usable(self) -> Evidence:
        """Return what may be used: without sources that a person dropped, and what stands there no more."""
        if not (self.controls.drops or self.updates.replaced):
            return self.evidence
        kept = {i: p for i, p in self.evidence.passages.items() if not self.barred(p)}
        return Evidence(kept, self.evidence.sources)

    def reported(self) -> Evidence:
        """Return what a report may be written from: what may be used, but for what notes call another matter.

        What stands in the map stays.
        """
        usable, notes = self.usable(), [b for b in self.memory.blocks.values() if not b.dropped]
        apart = set_aside(notes, {i for turn in self.turns for i in turn.citations})
        gone = {i for i in apart if self.map.where(i) is None}
        if not gone:
            return usable
        return Evidence({i: p for i, p in usable.passages.items() if i not in gone}, usable.sources)

    def barred(self, passage: Passage) -> bool:
        """Tell whether a passage is used no longer: its source was dropped, or says something else now."""
        replaced = self.updates.replaced
        return self.controls.barred(passage.url) or self.gathered.ids.get(passage.key, "") in replaced

    def without_dropped(self) -> "State":
        """Return the state as speakers see it: nothing in it rests on what is used no longer."""
        if not (self.controls.drops or self.updates.replaced):
            return self
        usable = self.usable()
        gone = self.evidence.passages.keys() - usable.passages.keys()
        texts = [without_citations(self.updates.current(t.text), gone, sentences) for t in self.turns]
        said = [
            turn.model_copy(update={"text": text, "citations": citations(text)})
            for turn, text in zip(self.turns, texts, strict=True)
        ]
        return replace(self, gathered=self.gathered.without(gone), turns=said)

    def worth_asking(self, statistics: Statistics, *, by_words: bool) -> "State":
        """Return the state with the evidence that questions are to come from.

        Without subjects set aside; and where a person steers and whoever asks goes by words alone, what is
        nearest to where they want to go. A language model reads the directions.
        """
        if not (self.controls.aside or self.controls.steering):
            return self
        kept = {i: p for i, p in self.evidence.passages.items() if not self._aside(p)}
        if self.controls.steering and by_words:
            near = statistics.relevance(" ".join(self.controls.steering), [p.text for p in kept.values()])
            best = sorted(near, reverse=True)[: max(_STEERED_FROM, len(near) // 3)]
            least = best[-1] if best else 0.0
            kept = {
                i: p for (i, p), score in zip(kept.items(), near, strict=True) if score > 0 and score >= least
            } or kept
        return replace(self, gathered=self.gathered.without(self.evidence.passages.keys() - kept.keys()))

    def running(self) -> list[SpeakerCalled]:
        """Return the calls of the turn under way: nothing has come of them yet."""
        over = {turn.n for turn in self.turns} | {failed.turn for failed in self.failed}
        return [
            SpeakerCalled(turn=turn, speaker=speaker, question=question)
            for (turn, speaker), question in self.under_way.called_for.items()
            if turn not in over
        ]

    def at_table(self) -> list[Perspective]:
        """Return the experts who spoke or sit there now, as they came; none who left unheard."""
        spoke = {turn.speaker for turn in self.turns} | {p.slug for p in self.panel}
        known = {p.slug: p for panel in self.panels for p in panel}
        return [person for slug, person in known.items() if slug in spoke]

    def answers(self) -> list[Turn]:
        """Return the experts' answers, in order."""
        return [turn for turn in self.turns if turn.role == "expert" and turn.act == "answer"]

    def answers_to(self, question: Question) -> list[Turn]:
        """Return the experts' answers to a question that cite something, in order."""
        return [turn for turn in self.answers() if turn.question == question.id and turn.citations]

    def answers_since_question(self) -> int:
        """Return how many answers were given since somebody other than the panel's plan asked."""
        count = 0
        for turn in reversed(self.turns):
            if turn.act == "question":
                break
            count += turn.act == "answer"
        return count

    def last_question(self) -> Question | None:
        """Return the question that was answered last."""
        answered = [turn.question for turn in self.answers() if turn.question]
        return self.agenda.questions.get(answered[-1]) if answered else None

    def answered_by(self, question: Question | None) -> list[str]:
        """Return the slugs of those who were called for a question, also when nothing came."""
        if question is None:
            return []
        said = [turn.speaker for turn in self.turns if turn.question == question.id and turn.act == "answer"]
        return list(dict.fromkeys([*said, *(f.speaker for f in self.failed if f.question == question.id)]))

    def nothing_to_ask(self) -> bool:
        """Tell whether the moderator had nothing to ask when it was called last."""
        asks = [f.turn for f in self.failed if f.speaker == SLUG]
        later = [turn.n for turn in self.turns if asks and turn.n >= asks[-1]]
        return bool(asks) and not later
