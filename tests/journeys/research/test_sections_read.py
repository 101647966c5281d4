"""Before an embedded report is written, the rest of the sections that answer its question is admitted."""

from pathlib import Path

import pytest

from library import Evidence, Passage
from models import Statistics
from roundtable.journal.fold.state import State
from roundtable.session.closing import section_reading
from roundtable.session.factory import Runtime, start_session
from tests.journeys.session.test_embedded import play, settings_for

NOTES = "# Yards\n\nThe boats are built in two yards by the quay. One builds racing boats, one cargo boats.\n"


@pytest.fixture
def rest(monkeypatch: pytest.MonkeyPatch) -> list[Passage]:
    """Stand in for what is unread: the first words of a source, once it is asked for."""
    given: list[Passage] = []

    def unread(question: str, evidence: Evidence, statistics: Statistics) -> list[Passage]:
        del question, statistics
        given.append(next(iter(evidence.sources.values())).passage(0, 7))
        return given

    monkeypatch.setattr(section_reading, "unread_passages", unread)
    return given


async def ended(topic: str, folder: Path, around: Runtime) -> State:
    (folder / "yards.md").write_text(NOTES)
    session = await start_session(topic, settings_for(folder), around=around)
    await play(session)
    return session.state


async def test_of_a_question_the_rest_is_admitted(
    around: Runtime, tmp_path: Path, rest: list[Passage]
) -> None:
    (folder := tmp_path / "docs").mkdir()
    state = await ended("Where are the boats built?", folder, around)
    [passage] = rest
    assert passage.key in state.gathered.ids
    assert state.report is not None


async def test_of_a_subject_nothing_is_read(around: Runtime, tmp_path: Path, rest: list[Passage]) -> None:
    (folder := tmp_path / "docs").mkdir()
    assert (await ended("The yards by the quay", folder, around)).status == "ended"
    assert rest == []
