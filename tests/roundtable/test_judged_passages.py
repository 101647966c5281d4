"""Who judges an answer is shown the same whenever it is asked, also by a session that was cut off."""

import pytest

from agents import Turn, TurnTaken
from agents.events import MemoryAdded
from library import TextStatistics
from models import Event
from roundtable.journal.events import Recorded
from roundtable.journal.fold.state import State
from roundtable.session.judging.answer_weighing import judgement
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
    events = [recorded.event for recorded in session()]
    taken = next(n for n, event in enumerate(events) if isinstance(event, TurnTaken))
    state = State(source)
    for n, event in enumerate([*events[:taken], *before, events[taken], *after], 1):
        state.fold(Recorded(n=n, at=f"2026-01-01T00:00:{n:02d}.000Z", event=event))
    return judgement(state, state.turns[0], TextStatistics()).far


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
