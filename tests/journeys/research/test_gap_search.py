"""What answers leave open is searched for once more before the report says so, and told where it is found."""

from pathlib import Path
from typing import Any

import pytest

from library import TextStatistics
from models import ScriptedModel
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.journeys.research import research_world
from tests.journeys.research.research_world import answers
from tests.journeys.session.test_embedded import play, settings_for

pytestmark = pytest.mark.usefixtures("each_mode")
TOPIC = "Why did the dam of Asterby break?"
GAP = "who had the sluice gates welded shut"
TOLD = "The sluice gates of the dam were welded shut on the orders of the county surveyor, Ebba Lind."
DOCUMENTS = {
    "flood": "The dam of Asterby broke on 4 May because its spillway was blocked and could not be opened.",
    "rain": "The dam of Asterby stood under the heaviest rain that the valley of Asterby had seen.",
    "repair": "The dam of Asterby was built again within two years, with a broader spillway.",
    "surveyor": TOLD,
}
HOLDS = {
    "answers": True, "definite": True, "complete": True, "fresh": True, "sourced": True, "missing": "",
}  # fmt: skip


@pytest.fixture
def valley(tmp_path: Path) -> Path:
    folder = tmp_path / "valley"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n", encoding="utf-8")
    return folder


def speaks(task: Any) -> dict[str, Any]:
    return answers(f"The spillway was blocked [{task.passages[0].id}]. It is not told {GAP}.")


def checks(task: Any) -> dict[str, Any]:
    """Drop each point that a passage shown answers."""
    found = [p.id for p in task.passages if "welded" in p.text]
    answered = [n for n, point in enumerate(task.points, 1) if GAP in point and found]
    return {
        "gaps": [point for n, point in enumerate(task.points, 1) if n not in answered],
        "answered": [{"n": n, "passages": found} for n in answered],
    }


def tells(task: Any) -> dict[str, Any]:
    return {"add": [{"after": 1, "text": f"{p.text.split(chr(10))[-1]} [{p.id}]"} for p in task.passages]}


def model() -> ScriptedModel:
    said = {
        "judge_answer": lambda task: {**HOLDS, "unsaid": [f"{GAP}."]},
        "respond": speaks,
        "check_gaps": checks,
        "tell_left_out": tells,
    }
    found: ScriptedModel = research_world.scripted(said, otherwise=TextStatistics())
    return found


async def session(valley: Path, around: Runtime, spoken: ScriptedModel) -> Any:
    few = {"passages": 1, "background": 1, "results": 1, "sure": 1, "experts": 2}
    settings = settings_for(valley, moderator={"turns": 4, "disputes": 0}, agents=few)
    return await start_session(
        TOPIC, settings, around=Runtime(around.home, around.clock, {}, model=spoken), session_id="s1"
    )


async def test_what_an_answer_leaves_open_is_searched_for_and_told_where_it_is_found(
    valley: Path, around: Runtime
) -> None:
    spoken = model()
    begun = await session(valley, around, spoken)
    await play(begun)
    state = begun.state
    assert any(GAP in query for _, query in ((k, s.query) for k, s in state.work.searches.items()))
    found = [i for i, p in state.evidence.passages.items() if "welded" in p.text]
    assert found, "the search for the gap admits what it finds"
    assert not any(i in found for turn in state.turns for i in turn.citations)
    assert state.report is not None
    cited = {i for section in state.report.sections for s in section.sentences for i in s.citations}
    assert set(found) <= cited
    assert not any("welded" in point for point in state.report.back.open_questions)


async def test_who_researches_is_told_which_passages_need_no_reading(valley: Path, around: Runtime) -> None:
    spoken = model()
    await play(await session(valley, around, spoken))
    first, *_ = spoken.tasks("respond")
    [line] = [line for line in first.notices if line.startswith("each all of its document")]
    assert {p.id for p in first.passages} == set(line.partition(": ")[2].split())


async def test_what_is_not_found_again_stands_among_what_the_sources_do_not_say(
    valley: Path, around: Runtime
) -> None:
    (valley / "surveyor.md").unlink()
    spoken = model()
    begun = await session(valley, around, spoken)
    await play(begun)
    assert begun.state.report is not None
    told = " ".join(begun.state.report.back.open_questions)
    assert GAP in told.casefold()


async def test_a_session_that_is_cut_off_behind_the_search_admits_nothing_twice(
    valley: Path, around: Runtime
) -> None:
    begun = await session(valley, around, model())
    stream = begun.run()
    async for recorded in stream:
        if recorded.event.kind == "passages_admitted" and recorded.event.speaker == "writer":
            break
    await stream.aclose()
    await begun.close()
    again = await resume_session("s1", around=Runtime(around.home, around.clock, {}, model=model()))
    await play(again)
    spans = [p.key for p in again.state.evidence.passages.values()]
    assert len(spans) == len(set(spans))
    assert again.state.report is not None
    assert sum("welded" in p.text for p in again.state.evidence.passages.values()) == 1
