"""Two passages that disagree are told by what they state, and by what both speak of."""

import pytest

from library import TextStatistics
from moderator import wording
from roundtable.session.judging.opposed_sides import shared_phrase, shortened, stated_of

ANSWER = "If you sign automatically, no. Just change it. It goes over to the new policy smoothly."
FAQ = f"Are there problems if I change the policy for a zone?\n\n{ANSWER}\n\nHow do I roll a key?\n\nSo."
NOTE = "The questions say that a changed policy for a zone brings no problems, the reference says it may."


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (FAQ, ANSWER),
        ("A key is safe. Are there problems if I change the policy for a zone?", "A key is safe."),
        ("Any problems if I change the policy?", "Any problems if I change the policy?"),
        ("It has keys. A changed policy brings no problems.", "A changed policy brings no problems."),
        ("更改区域的策略会有问题吗？不会。服务器会平稳过渡。", "不会。服务器会平稳过渡。"),
    ],
)  # fmt: skip
def test_a_passage_that_asks_and_answers_is_quoted_with_its_answer(text: str, stated: str) -> None:
    note = "更改区域的策略不会有问题" if "策略" in text else NOTE
    assert stated_of(text, note, TextStatistics()) == stated


def test_two_sides_differ_on_what_both_speak_of() -> None:
    one = "The server makes a smooth transition to the new policy."
    other = "Rolling to the new policy while another is rolled is not supported."
    assert shared_phrase(one, other) == "new policy"
    assert shared_phrase(one, "It has no such name.") == ""
    assert shared_phrase("It had 64,000 people come.", "Not 40,000 people come in a year.") == "people come"
    assert shared_phrase("Its 5 million visitors in 2022", "7 million visitors in 2022") == "visitors in 2022"
    assert shared_phrase("服务器会过渡到新策略。", "在轮换时改用新策略会出错。") == "新策略"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_noted_disagreement_is_asked_about_in_whole_words_of_both_sides(language: str) -> None:
    a, b = shortened("It is safe.", 20), shortened("Rolling to a new policy is not supported.", 20)
    assert (a, b) == ("It is safe", "Rolling to a new…")
    text = wording(language).disagree_noted.format(a=a, b=b)
    assert "“It is safe”" in text
    assert text.endswith(("?", "？"))


def test_a_side_is_shown_without_half_a_mark_of_emphasis() -> None:
    text = "Of money.\n\n**Cost.** The final cost was 298 million euros, or 2**3 parts. It was paid."
    told = stated_of(text, "the final cost was 298 million", TextStatistics())
    assert told == "Cost. The final cost was 298 million euros, or 2**3 parts."
