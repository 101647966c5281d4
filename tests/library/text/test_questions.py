"""What a text asks."""

import pytest

from library.text import asked_words


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Before you close, please look at one thing: was the mill insured?", "was the mill insured?"),
        ("Could you look into how the money was spent?", "how the money was spent?"),
        ("please check whether the hull was tested before 2018", "the hull was tested before 2018"),
        ("请看看船体是否经过测试。", "船体是否经过测试。"),
        ("请求分页是如何工作的？", "请求分页是如何工作的？"),
        ("Check valves: why did they fail?", "Check valves: why did they fail?"),
        ("How do I tell whether a slot is active?", "How do I tell whether a slot is active?"),
        ("Please look at it.", "Please look at it."),
    ],
)
def test_a_wish_is_searched_for_by_what_it_is_about(said: str, asked: str) -> None:
    assert asked_words(said) == asked
