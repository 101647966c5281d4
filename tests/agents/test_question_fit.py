"""What may be admitted of a question: what is close to it, and what is near the topic where there is room."""

from collections.abc import Collection

import pytest

from agents.research.closeness import Closeness
from agents.research.moves.actions import Action, Found, Observation
from agents.research.moves.observed import whole_ones
from agents.research.question_fit import QuestionFit
from library import Passage, TextFrequencies, TextStatistics, TopicProfile
from tests.agents.test_closeness import FOUND, QUESTION, STRANGERS, passages

OTHER = "An umpire may stop a race when it is unsafe, and nobody did, as an inquiry held in May."
OTHER_WORDS = passages([*(p.text for p in FOUND), OTHER])[-1]
SEARCH = Action(kind="search", query=QUESTION)


def may_come(
    room: int, near: list[Passage], far: list[Passage], often: Collection[Passage] = (), fit_far: float = 0.1
) -> set[str]:
    """Return the texts that may come of what one search found: `near` of the topic, `far` of others."""
    statistics = TextStatistics(TextFrequencies([p.text for p in FOUND] * 3))
    profile = TopicProfile(QUESTION, statistics, cut_off=0.25, by_meaning=False)
    closeness = Closeness(QUESTION, [QUESTION], statistics)
    fit = QuestionFit(
        profile, closeness, {}, statistics, QUESTION, asks=True, by_person=False, first=12, room=room
    )
    found = [Found(p.url, p.title, p.text, "docs", None, p) for p in [*near, *far]]
    seen = Observation(action=SEARCH, found=tuple(found))
    scores = {p.key: 0.5 for p in near} | {p.key: fit_far for p in far}
    keys = fit.may_come([seen], scores, lambda _action: False, set(), {p.key for p in often})
    return {p.text for p in [*near, *far] if p.key in keys}


@pytest.mark.parametrize(("room", "comes"), [(2_200, True), (0, False)])
def test_what_answers_in_other_words_comes_where_a_prompt_has_room(room: int, comes: bool) -> None:
    strangers = [p for p in FOUND if p.text in STRANGERS]
    close = [p for p in FOUND if p.text not in STRANGERS]
    texts = may_come(room, [*close, OTHER_WORDS], strangers)
    assert (OTHER_WORDS.text in texts) is comes
    assert not texts & set(STRANGERS)


def test_what_many_searches_find_needs_neither_words_nor_the_topic() -> None:
    strangers = [p for p in FOUND if p.text in STRANGERS]
    close = [p for p in FOUND if p.text not in STRANGERS]
    assert not may_come(0, close, strangers, (), 0.0) & set(STRANGERS)
    assert strangers[0].text in may_come(0, close, strangers, strangers[:1], 0.0)


def test_what_another_result_tells_whole_gives_way_to_that() -> None:
    half, whole, other = passages([
        "The regatta ended in May.",
        "The regatta ended in May. Fog and a broken buoy were the causes.",
        "The club has a boathouse.",
    ])  # fmt: skip
    assert whole_ones([half, other], [half, other, whole]) == [whole, other]
    assert whole_ones([half, whole], [half, whole]) == [whole]
    assert whole_ones([other], [half, whole]) == [other]
    same = passages(["The regatta ended in May."] * 2)
    assert whole_ones(same[:1], same) == same[:1], "of copies the one that was chosen stays"
