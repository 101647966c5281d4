"""A discussion, not parallel questions: claims are put to named experts, who take them up and say how."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents import withdrawn_claims
from library import TextStatistics, quote
from models import ScriptedModel
from roundtable.output.event_text import EventText
from roundtable.output.outputs import write_outputs
from roundtable.session.closing.report_brief import brief_of
from roundtable.session.factory import Runtime, start_session
from tests.journeys.research import research_world
from tests.journeys.research.research_world import answers, document
from tests.journeys.session.test_embedded import play, settings_for

pytestmark = pytest.mark.usefixtures("each_mode")
TOPIC = "The harbour of Asterby"
HOLDS = {
    "answers": True, "definite": True, "complete": True, "fresh": True, "sourced": True, "missing": "",
}  # fmt: skip
COUNTED = "passengers, while the other counts crossings."
VIEW = "The first thing to praise is the keeper, for every year the harbour draws more people"
SEARCHED = "counts of the dyke's gate"
PANEL = {
    "experts": [
        {"name": name, "role": what, "focus": what, "terms": [what], "question": f"What of the {what}?"}
        for name, what in (("Ferry Captain", "ferry"), ("Dyke Warden", "dyke"))
    ]
}  # fmt: skip


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    folder = tmp_path / "harbour"
    folder.mkdir()
    for side in ("ferry", "dyke", "market"):
        (folder / f"{side}.md").write_text(document(side), encoding="utf-8")
    return folder


def speaks(task: Any) -> dict[str, Any]:
    """Answer from the first passage; dispute what is claimed, and raise two questions of one meaning."""
    first = task.passages[0].id
    if task.claim:
        return answers(f"The figures do not bear that out [{first}].", stance="Dispute")
    ask = [] if task.closing else ["Who draws the people?", "By whom are people drawn to it?"]
    return answers(
        f"Every year the harbour draws more people [{first}]. It will go on so (inference) [{first}].",
        ask=ask,
    )


def reviews(task: Any) -> dict[str, Any]:
    """Put a claim, in each review the same one in other words."""
    asked = "Would the dyke's own counts bear that out?" if task.put else "It draws more people: does it?"
    waiting = [line.split()[0] for line in task.questions if "(waiting)" in line and "people" in line]
    return {
        "common": ["Both tell of the harbour."],
        "apart": ["How it will go on."],
        "exchanges": [
            {"turn": 99, "claim": "x", "to": "Dyke Warden", "question": "Nobody said that?"},
            {"turn": 1, "claim": "x", "to": "Ferry Captain", "question": "Is your own claim so?"},
            {"turn": 1, "claim": "the harbour draws more people every year", "to": "dyke warden",
             "question": f"The Ferry Captain claims something. {asked}", "search": SEARCHED},
        ],
        "order": ["q77", *waiting],
        "same": [{"id": waiting[1], "of": waiting[0]}] if len(waiting) > 1 else [],
    }  # fmt: skip


async def talk(
    harbour: Path,
    around: Runtime,
    turns: int = 6,
    judge: Any = HOLDS,
    speak: Any = speaks,
    review: Any = reviews,
) -> tuple[Any, list[Any], Any]:
    said = {"judge_answer": judge, "plan_panel": PANEL, "respond": speak, "review_discussion": review}
    model: ScriptedModel = research_world.scripted(said, otherwise=TextStatistics())
    settings = settings_for(harbour, moderator={"turns": turns, "disputes": 0}, agents={"experts": 2})
    session = await start_session(TOPIC, settings, around=Runtime(around.home, around.clock, {}, model=model))
    recorded = await play(session)
    return session.state, recorded, model


async def test_after_the_first_round_a_claim_is_put_to_a_named_expert_who_takes_it_up(
    harbour: Path, around: Runtime
) -> None:
    state, recorded, model = await talk(harbour, around)
    first, *later = model.tasks("review_discussion")
    assert not first.put
    assert later
    assert all("to Dyke Warden: “Every year the harbour draws more people" in each.put[0] for each in later)
    [asked] = [q for q in state.agenda.questions.values() if q.claim]
    assert asked.to == "dyke-warden"
    assert asked.claim is not None
    assert asked.claim.text.startswith("Every year the harbour draws more people")
    assert asked.search == SEARCHED
    searched = [queries for queries in state.talk.searched.values() if SEARCHED in queries]
    assert searched, "what would decide a claim is searched for"
    assert not any("Every year" in query for queries in state.talk.searched.values() for query in queries)
    reply = next(turn for turn in state.turns if turn.replies_to)
    assert (reply.n, reply.speaker) == (3, "dyke-warden")
    assert reply.replies_to is not None
    assert (reply.replies_to.act, reply.replies_to.turn) == ("dispute", 1)
    assert reply.replies_to.name == "Ferry Captain"
    assert reply.citations
    shown = next(task for task in model.tasks("respond") if task.claim)
    assert "Ferry Captain" in shown.claim
    assert asked.id not in {q.id for q in state.agenda.unanswered()}
    reviewed = next(r.event for r in recorded if r.event.kind == "discussion_reviewed")
    assert [line.partition(":")[0] for line in reviewed.passed_over] == ["x", "x"], "the journal says so"


async def test_who_is_disputed_by_a_person_is_shown_the_claim_and_may_take_it_back(
    harbour: Path, around: Runtime
) -> None:
    def speak(task: Any) -> dict[str, Any]:
        said = speaks(task)
        return said | {"stance": "concede"} if task.claim else said

    said = {"judge_answer": HOLDS, "plan_panel": PANEL, "respond": speak}
    model: ScriptedModel = research_world.scripted(said, otherwise=TextStatistics())
    settings = settings_for(harbour, moderator={"turns": 4, "disputes": 0}, agents={"experts": 2})
    session = await start_session(TOPIC, settings, around=Runtime(around.home, around.clock, {}, model=model))
    words = "I dispute turn 1: that the harbour draws more people every year was never counted."
    claim = "Every year the harbour draws more people"
    lines, teller = list[str](), EventText()
    try:
        async for recorded in session.run():
            lines += [line.text for line in teller.tell(recorded)]
            if recorded.event.kind == "turn_taken" and recorded.event.turn.n == 2:
                session.say(words)
    finally:
        await session.close()
    state = session.state
    asked = next(q for q in state.agenda.questions.values() if q.by == "person")
    answer = next(turn for turn in state.turns if turn.question == asked.id and turn.role == "expert")
    assert answer.speaker == asked.to == state.turns[0].speaker
    assert answer.replies_to is not None
    assert (answer.replies_to.act, answer.replies_to.turn) == ("concede", 1)
    assert any(task.claim.startswith(f"Turn 1, {answer.name}: {claim}") for task in model.tasks("respond"))
    assert [each.claim.text.startswith(claim) for each in withdrawn_claims(state.turns)] == [True]
    assert not any("asks" in line and words in line for line in lines), "it was a turn of its own"


async def test_a_conclusion_that_a_judge_refuses_is_marked_and_is_material_no_longer(
    harbour: Path, around: Runtime, tmp_path: Path
) -> None:
    def judge(task: Any) -> dict[str, Any]:
        # What a source says is no conclusion, whatever a judge calls it.
        return HOLDS | {"withdrawn": ["Every year the harbour draws more people.", "It will go on so."]}

    def speak(task: Any) -> dict[str, Any]:
        said, drawn = speaks(task), f"It will go on so (inference) [{task.passages[0].id}]."
        told = said["answer"] if drawn in said["answer"] else f"{said['answer']} {drawn}"
        return said | {"answer": told, "ask": []}

    state, recorded, model = await talk(harbour, around, judge=judge, speak=speak)
    first = next(turn for turn in state.turns if turn.n == 1)
    [(text, by)] = first.withdrawn.items()
    assert (text.partition(" (inference)")[0], by) == ("It will go on so", 1)
    assert text in first.text, "what was said stands as it was said"
    claimed = next(task for task in model.tasks("judge_answer") if task.claim)
    assert claimed.claim.startswith("Ferry Captain: Every year the harbour draws more people")
    closing = [task for task in model.tasks("respond") if task.closing][-1]
    assert "(withdrawn in turn 1: It will go on so.)" in closing.discussion
    assert "It will go on so (inference)" not in closing.discussion, "of the turn right before it neither"
    assert all("It will go on so" not in given.answer for given in brief_of(state).answers[:1])
    write_outputs(state, tmp_path / "out")
    transcript = (tmp_path / "out" / "transcript.md").read_text(encoding="utf-8")
    assert "*No longer held, since turn 1:* It will go on so (inference)" in transcript
    teller = EventText()
    told = [line.text for each in recorded for line in teller.tell(each)]
    assert "No longer held of turn 1: It will go on so." in told


async def test_what_no_passage_bears_is_taken_back_and_a_question_answered_meanwhile_is_not_put(
    harbour: Path, around: Runtime
) -> None:
    def judge(task: Any) -> dict[str, Any]:
        settled = [line.split()[0] for line in task.waiting if "people" in line]
        # The second is a view, but what a source says stands beside it: a judge may name its clause alone.
        unborne = ["Every year the harbour draws more people.", VIEW, "No other port on this coast is safe."]
        return HOLDS | {"unborne": unborne, "settles": settled}

    def speak(task: Any) -> dict[str, Any]:
        said = speaks(task)
        denied = f"No other port on this coast is safe [{task.passages[0].id}]."
        return said | {"answer": f"{said['answer']} {VIEW} [{task.passages[0].id}]. {denied}"}

    state, _, model = await talk(harbour, around, judge=judge, speak=speak)
    first = next(turn for turn in state.turns if turn.n == 1)
    [text] = first.withdrawn
    assert text.startswith("No other port on this coast is safe"), "what its passage says stays"
    asked = [q for q in state.agenda.questions.values() if "people" in q.text and not q.claim]
    assert asked
    assert {q.state for q in asked} == {"merged"}
    assert not {q.id for q in asked} & {turn.question for turn in state.turns}
    shown = [task.fields()["waiting"] for task in model.tasks("judge_answer")]
    assert any("Who draws the people?" in block for block in shown)


async def test_what_an_expert_notes_as_disagreeing_or_missing_reaches_the_moderator_and_the_writer(
    harbour: Path, around: Runtime
) -> None:
    def speak(task: Any) -> dict[str, Any]:
        ids = [p.id for p in task.passages][:2]
        notes = [
            {"kind": "contradiction", "text": f"{ids[0]} counts {COUNTED}", "passages": ids},
            {"kind": "gap", "text": "No source tells who pays the keeper.", "passages": []},
        ]
        return speaks(task) | {"notes": notes if len(set(ids)) > 1 else []}

    def review(task: Any) -> dict[str, Any]:
        noted = [n for n, point in enumerate(task.points, 1) if "counts passengers" in point]
        return reviews(task) | {"differ": noted}

    state, _, model = await talk(harbour, around, speak=speak, review=review)
    first = model.tasks("review_discussion")[0]
    assert any(point.startswith(f"counts {COUNTED}") for point in first.points)
    assert "perhaps not looked for yet: No source tells who pays the keeper." in first.gaps
    noted = [set(point.passages) for point in state.talk.contradictions if point.how == "noted"]
    told = [
        point
        for point in brief_of(state).contradictions
        if {i for side in point.sides for i in side.citations} in noted
    ]
    assert told
    passages = state.evidence.passages
    sides = [side for point in told for side in point.sides]
    assert all(side.claim.strip("“”") in quote(passages[side.citations[0]].text) for side in sides)


def _granite_and_brick(task: Any) -> list[int]:
    """Return the numbers of the statements on what the lighthouse is built of."""
    said = [text for _, text in task.stated]
    both = [n for n, text in enumerate(said, 1) if "of granite" in text or "yellow brick" in text]
    return both if len(both) > 1 else []


@pytest.mark.parametrize("confirmed", [True, False])
async def test_sentences_in_other_words_are_a_disagreement_where_the_moderator_says_so(
    harbour: Path, around: Runtime, confirmed: bool
) -> None:
    for side in ("dyke", "market"):
        (harbour / f"{side}.md").unlink()
    for title, said in (
        ("Keepers", "The old lighthouse at the harbour of Asterby is built of granite."),
        ("Visitors", "In Asterby the old lighthouse at the harbour was built of yellow brick."),
    ):
        path = harbour / f"{title}.md"
        text = f"---\ndate: 2021-05-04\n---\n# {title} at the harbour of Asterby\n\n{said}\n"
        path.write_text(text, encoding="utf-8")

    def review(task: Any) -> dict[str, Any]:
        both = _granite_and_brick(task)
        wrong = [{"a": 1, "b": 999}, {"a": 0, "b": 1}, {"a": 1, "b": 1}]
        names = ("the stone", "walls") if confirmed and both else ()
        right = [dict(zip("ab", both, strict=True)) | {"about": name} for name in names]
        return reviews(task) | {"opposed": [*wrong, *right]}

    state, _, model = await talk(harbour, around, review=review)
    tasks = model.tasks("review_discussion")
    assert sum(len(_granite_and_brick(task)) == 2 for task in tasks) == 1, "asked once"
    assert any("Keepers at the harbour of Asterby (2021-05-04):\n" in t.fields()["stated"] for t in tasks)
    judged = [point for point in state.talk.contradictions if point.how == "judged"]
    assert [point.about for point in judged] == ["the stone"] * confirmed
    assert [point for point in state.talk.disagreements(confirmed=True) if point in judged] == judged
    told = [side.claim for point in brief_of(state).contradictions for side in point.sides]
    assert any("yellow brick" in claim for claim in told) == confirmed


async def test_a_question_that_is_answered_whole_is_asked_of_nobody_else(
    harbour: Path, around: Runtime
) -> None:
    state, _, _ = await talk(harbour, around, turns=12)
    asked = [turn.question for turn in state.turns if turn.act == "answer"]
    assert len(asked) == len(set(asked)) > 4


async def test_questions_that_mean_the_same_are_one_and_the_first_in_order_is_put_next(
    harbour: Path, around: Runtime
) -> None:
    state, _, _ = await talk(harbour, around)
    raised = [q for q in state.agenda.questions.values() if q.text.endswith("people?") or "drawn" in q.text]
    assert [q.state for q in raised] == ["answered", "merged"]
    answered = [turn.question for turn in state.turns if turn.act == "answer"]
    assert answered[3] == raised[0].id


async def test_who_takes_up_what_stands_in_all_that_is_shown(
    harbour: Path, around: Runtime, tmp_path: Path
) -> None:
    state, recorded, _ = await talk(harbour, around)
    write_outputs(state, tmp_path / "out")
    text = (tmp_path / "out" / "transcript.md").read_text(encoding="utf-8")
    assert "*disputes Ferry Captain (turn 1)*: Every year the harbour draws more people" in text
    lines = (tmp_path / "out" / "transcript.jsonl").read_text(encoding="utf-8").splitlines()
    told = [json.loads(line)["replies_to"] for line in lines]
    assert [each["act"] for each in told if each] == ["dispute"]
    teller = EventText()
    shown = [line for each in recorded for line in teller.tell(each)]
    assert any("disputes Ferry Captain (turn 1)" in line.head for line in shown)
    assert any(line.text == "Apart: How it will go on." for line in shown)


async def test_a_session_that_has_no_turn_left_for_a_response_is_not_reviewed(
    harbour: Path, around: Runtime
) -> None:
    _, _, model = await talk(harbour, around, turns=3)
    assert not model.tasks("review_discussion")


async def test_a_claim_without_words_to_search_by_is_searched_by_its_telling_words(
    harbour: Path, around: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.SEARCHED", " ")
    state, _, _ = await talk(harbour, around)
    [asked] = [q for q in state.agenda.questions.values() if q.claim]
    assert {"draws", "people"} <= set(asked.search.split())
    assert len(asked.search.split()) <= 10
    assert not asked.search.endswith(".")


async def test_who_judges_the_topic_s_answer_is_told_what_the_table_searched_for(
    harbour: Path, around: Runtime
) -> None:
    state, _, model = await talk(harbour, around)
    closing = next(t for t in model.tasks("judge_answer") if t.question == TOPIC)
    assert SEARCHED in closing.searched
    assert len(closing.searched) > len(state.talk.searched.get(state.turns[-1].n, []))
