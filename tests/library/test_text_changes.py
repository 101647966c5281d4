"""What changed between two readings of a text, sentence by sentence."""

from library.passages.text_changes import text_changes

BEFORE = """The lamp of the Orrin lighthouse was lit in 1871 for the first time.

The tower is 44 m high and stands on the reef. A ferry sails on Mondays and Fridays.
The keeper's house is closed."""
AFTER = """The lamp of the Orrin lighthouse was lit in 1871 for the first time!

Since spring a small museum shows the old lens to visitors. The tower is 46 m high and stands on the reef.
A ferry sails on Mondays and Fridays."""


def told(before: str, after: str) -> list[tuple[str, str]]:
    found = text_changes(before, after)
    return [(c.before.words if c.before else "", c.after.words if c.after else "") for c in found]


def test_what_was_reworded_came_and_went_is_told_and_layout_is_not() -> None:
    assert told(BEFORE, AFTER) == [
        ("", "Since spring a small museum shows the old lens to visitors."),
        ("The tower is 44 m high and stands on the reef.", "The tower is 46 m high and stands on the reef."),
        ("The keeper's house is closed.", ""),
    ]


def test_nothing_changed_in_what_is_only_moved_or_laid_out_otherwise() -> None:
    one, two = "The ferry sails on Mondays in winter.", "The lighthouse opens to visitors at nine in summer."
    assert told(f"{one} {two}", f"{two}\n\n{one}") == []
    assert told(BEFORE, BEFORE.replace("\n\n", "\n\n## Contents\n\n")) == []


def test_a_sign_before_a_figure_and_its_decimals_count() -> None:
    assert told("The rate fell to 4.25 percent in May.", "The rate fell to 4.5 percent in May.")
    assert told("It was -5 degrees on the reef in May.", "It was 5 degrees on the reef in May.")
    assert told("A ticket to the tower costs $5 today.", "A ticket to the tower costs €5 today.")


def test_chinese_sentences_are_compared_by_their_characters() -> None:
    pairs = told("灯塔高四十四米，建在礁石上。渡轮周一开航。", "灯塔高四十六米，建在礁石上。渡轮周一开航。")
    assert pairs == [("灯塔高四十四米，建在礁石上。", "灯塔高四十六米，建在礁石上。")]
