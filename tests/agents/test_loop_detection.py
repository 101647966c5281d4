"""Circles are noticed from what was done alone."""

from agents.research.loop_detection import RoundSeen, Watch, dry, hopping, repeating


def same(one: str, other: str) -> float:
    return float(one == other)


def test_three_of_the_same_in_a_row_are_a_circle_and_two_are_not() -> None:
    assert repeating(["a", "b", "b"], same) is None
    assert repeating(["a", "b", "b", "b"], same) == "b"
    assert repeating(["b", "b", "b", "a"], same) is None


def test_hopping_needs_few_subjects_each_visited_again() -> None:
    assert hopping(["a", "b", "a", "b", "a", "b"], same) == ["a", "b"]
    assert hopping(["a", "b", "c", "a", "b", "c"], same) == ["a", "b", "c"]
    assert hopping(["a", "b", "c", "d", "a", "b"], same) is None
    assert hopping(["a", "a", "b"], same) is None


def test_a_dry_spell_is_three_rounds_without_anything_new() -> None:
    assert not dry([RoundSeen(("a",), 0)] * 2)
    assert dry([RoundSeen(("a",), 3), *[RoundSeen(("b",), 0)] * 3])


def test_a_heeded_warning_is_forgotten_and_an_ignored_one_is_counted() -> None:
    watch = Watch(same)
    for _ in range(2):
        assert watch.before(["a"]) is None
        watch.saw(RoundSeen(("a",), 1))
    assert watch.before(["a"]) is not None
    watch.saw(RoundSeen(("a",), 1))
    assert watch.before(["b"]) is None
    assert (watch.ignored, watch.over) == (0, False)


def test_two_ignored_warnings_are_the_end() -> None:
    watch = Watch(same)
    for _ in range(4):
        watch.before(["a"])
        watch.saw(RoundSeen(("a",), 1))
    assert not watch.over
    watch.before(["a"])
    assert watch.over
