"""Who judges an answer is shown the same whenever it is asked, also by a session that was cut off."""

import pytest

from agents import Turn, TurnTaken
from agents.events import MemoryAdded, MemoryDropped
from library import TextStatistics
from models import Event
from moderator import AnswerVerdict
from moderator.events import QuestionClosed, QuestionRaised
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.session.judging.answer_weighing import judgement, settle
from tests.roundtable.output.told import session, source

NOTE = MemoryAdded(id="m1", speaker="bea", note="unrelated", text="about another tea", passages=["p3"])
CITING = TurnTaken(
    turn=Turn(
        n=2, speaker="bea", name="Bea", role="expert", act="answer", text="“Green tea is not oxidised.” [p3]",
        citations=["p3"], question="q2", at="2026-01-01T00:00:20Z", seconds=1.0,
    )
)  # fmt: skip


def far(before: list[Event], after: list[Event]) -> tuple[str, ...]:
    """Return the passages of the first turn's answer that are told to be far, by what stands around it."""
    state = state_of(before, after)
    return judgement(state, state.turns[0], TextStatistics()).far


def state_of(before: list[Event], after: list[Event]) -> State:
    """Return a session with something before its first turn was taken, and behind that."""
    events = [recorded.event for recorded in session()]
    taken = next(n for n, event in enumerate(events) if isinstance(event, TurnTaken))
    state = State(source)
    for n, event in enumerate([*events[:taken], *before, events[taken], *after], 1):
        state.fold(Recorded(n=n, at=f"2026-01-01T00:00:{n:02d}.000Z", event=event))
    return state


@pytest.mark.parametrize(
    ("before", "told"),
    [([], ()), ([NOTE], ("p3",))],
)
def test_what_others_note_and_cite_after_a_turn_changes_nothing_of_how_it_is_judged(
    before: list[Event], told: tuple[str, ...]
) -> None:
    assert far(before, []) == told
    later = NOTE.model_copy(update={"id": "m2"})
    assert far(before, [later]) == told
    assert far(before, [later, CITING]) == told
    assert far(before, [CITING]) == told


def test_a_gap_that_an_answer_tells_is_shown_to_its_judge_and_closed_by_him() -> None:
    gap = MemoryAdded(id="m1", speaker="bea", note="gap", text="what leaves it is made from", passages=[])
    beside = gap.model_copy(update={"id": "m2", "text": "who owns the harbour of Asterby"})
    state = state_of([gap, beside], [])
    task = judgement(state, state.turns[0], TextStatistics())
    assert [line for line in task.waiting if line.startswith("m")] == ["m1 what leaves it is made from"]
    verdict = AnswerVerdict(
        answers=True, definite=True, complete=True, fresh=True, sourced=True, missing="", settles=["m1", "m9"]
    )
    events = settle(state, state.turns[0], verdict, TextStatistics(), again=False)
    assert [event.id for event in events if isinstance(event, MemoryDropped)] == ["m1"]
    silent = verdict.model_copy(update={"settles": []})
    events = settle(state, state.turns[0], silent, TextStatistics(), again=False)
    assert not [event for event in events if isinstance(event, MemoryDropped)]


def test_the_answer_to_the_topic_may_tell_what_still_waits() -> None:
    state = state_of([], [])
    tail = QuestionRaised(id="q9", text="What of tea?", by="moderator", place="tail")
    waits = QuestionRaised(id="q8", text="Who grows it?", by="bea", place="queue")
    for n, event in enumerate((tail, waits), 90):
        state.fold(Recorded(n=n, at="2026-01-01T00:01:30.000Z", event=event))
    closing = state.turns[0].model_copy(update={"question": "q9"})
    state.turns[0] = closing
    assert "q8 Who grows it?" in judgement(state, closing, TextStatistics()).waiting
    verdict = AnswerVerdict(
        answers=True, definite=True, complete=True, fresh=True, sourced=True, missing="", settles=["q8"]
    )
    events = settle(state, closing, verdict, TextStatistics(), again=False)
    assert "q8" in [event.id for event in events if isinstance(event, QuestionClosed)]


def test_what_an_answer_names_by_a_turn_s_number_is_shown_to_its_judge() -> None:
    state = state_of([], [CITING])
    naming = state.turns[1].model_copy(update={"text": "It is as turn 1 tells it [p3]."})
    state.turns[1] = naming
    [(n, said)] = judgement(state, naming, TextStatistics()).named
    assert n == 1
    assert said in state.turns[0].text
    assert f'<turn n="1">\n{said}' in judgement(state, naming, TextStatistics()).fields()["claim"]


def test_searches_are_told_without_the_topic_that_all_of_them_repeat() -> None:
    state = state_of([], [])
    state.topic = "What is tea made of, and how is it kept for a long time?"
    state.talk.searched[1] = [f"{state.topic} leaves", "leaves", state.topic, f"oxidised {state.topic} air"]
    told = judgement(state, state.turns[0], TextStatistics()).searched
    assert told == ("leaves", state.topic, "oxidised air")
