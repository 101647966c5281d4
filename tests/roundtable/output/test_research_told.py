"""What a terminal tells of a research: how much is new, circles, and hurry."""

import io

from rich.console import Console

from agents.events import LoopWarned, TurnHurried
from library.events import Searched
from models import Event
from moderator import NOVELTY_ANSWERS, NoveltyMeasured
from roundtable.journal.events import Recorded, SessionResumed, SessionStopped, Warned
from roundtable.terminal.live import LiveView
from roundtable.terminal.plain_view import plain_lines
from tests.roundtable.output.told import session


def told(*events: Event) -> list[Recorded]:
    """Return the short session with events after its first turn."""
    known = session()
    place = next(i for i, recorded in enumerate(known) if recorded.event.kind == "turn_taken") + 1
    more = [known[place - 1].model_copy(update={"event": event}) for event in events]
    return [*known[:place], *more, *known[place:]]


def test_how_much_is_new_stands_in_the_plain_view_and_below_the_live_one() -> None:
    measured = NoveltyMeasured(turn=1, passages=0.25, terms=0.4)
    assert not any("25%" in line for line in plain_lines(told(measured))), "before it there is nothing"
    [first] = [recorded.event for recorded in session() if recorded.event.kind == "turn_taken"]
    more = [
        first.model_copy(update={"turn": first.turn.model_copy(update={"n": n})})
        for n in range(2, NOVELTY_ANSWERS + 2)
    ]
    events = told(*more, measured.model_copy(update={"turn": NOVELTY_ANSWERS + 1}))
    said = "  · New in the last answers: 25% of the passages, 40% of the words"
    assert said in list(plain_lines(events))
    stream = io.StringIO()
    shape = {"width": 100, "height": 30, "_environ": {"TERM": "xterm"}}
    view = LiveView(Console(file=stream, force_terminal=True, **shape))
    for recorded in events:
        view.show(recorded)
    view.close()
    assert "· new 40%" in stream.getvalue()


def test_a_search_that_fails_is_told_once() -> None:
    failed = Searched(speaker="ada", query="roofs", where="web", hits=[], error="no network")
    lines = list(plain_lines(told(failed, Warned(text="search of web: no network"), Warned(text="no disk"))))
    assert sum("no network" in line for line in lines) == 1
    assert any("no disk" in line for line in lines)


def test_circles_and_hurry_are_told_by_name() -> None:
    events = told(
        LoopWarned(speaker="ada", turn=1, round=3, loop="repeating", advice="Look elsewhere."),
        LoopWarned(speaker="ada", turn=1, round=4, loop="repeating", advice="Look elsewhere.", ended=True),
        TurnHurried(speaker="ada", turn=1, round=5),
    )
    lines = list(plain_lines(events))
    assert "  · Ada goes in circles (repeating): advice stands before its next round" in lines
    assert "  · Ada goes in circles (repeating): it is asked to answer" in lines
    assert "  · Ada answers with what there is: a budget is nearly spent" in lines


def test_a_session_whose_plan_was_looked_at_first_did_not_stop() -> None:
    known = session()
    place = next(i for i, recorded in enumerate(known) if recorded.event.kind == "speaker_called")
    looked = [SessionStopped.planned(), SessionResumed()]
    more = [known[place].model_copy(update={"event": event}) for event in looked]
    lines = list(plain_lines([*known[:place], *more, *known[place:]]))
    assert "The plan is made" in [line.strip(" ·") for line in lines]
    assert not any("Stopped" in line for line in lines)


def test_a_search_that_adds_to_the_topic_tells_what_it_adds() -> None:
    topic = "What are descriptors, and how are attributes looked up in Python?"
    search = Searched(speaker="ada", query=f"{topic} metaclass bypass", where="tea", hits=[])
    known = session(topic)
    place = next(i for i, recorded in enumerate(known) if recorded.event.kind == "turn_taken")
    searched = known[place].model_copy(update={"event": search})
    lines = list(plain_lines([*known[:place], searched, *known[place:]]))
    assert any("Ada searches tea for “… metaclass bypass”" in line for line in lines)
    assert any(f"for “{topic}”" in line for line in lines), "the topic itself is told whole"
