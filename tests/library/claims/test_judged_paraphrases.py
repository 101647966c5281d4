"""What says the same in other words is no matter for rules: a judge reads it."""

import pytest

from library.claims import denied_otherwise, missing_figures
from reports.verify.typed_code import holds_typed


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        (
            "No survey that mapped the reef was known to the harbour master.",
            "The harbour master was unaware of any survey that mapped the reef.",
        ),
        ("The pump is not for salt water.", "The makers advise against using the pump in salt water."),
        ("The makers advise against using the pump in salt water.", "Do not use the pump in salt water."),
    ],
)
def test_a_denial_in_other_words_is_not_refused(text: str, passage: str) -> None:
    assert denied_otherwise(text, [passage], "en") == []


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("The reef was not surveyed in spring.", "The reef was surveyed in spring by the harbour master."),
        ("No ship struck the reef.", "A ship struck the reef in May."),
        ("The tar does not guard hulls against worms.", "The tar guards hulls against worms."),
        ("The parish did not approve the mill.", "The parish approved the mill against its clerk's advice."),
        ("The dyke does not guard the meadow.", "The dyke guards the meadow against spring tides."),
        ("The parish did not approve the mill.", "The parish approved the mill its clerk advised against."),
        ("Let no ferryman ring twice.", "Each ferryman rings twice."),
    ],
)
def test_a_plain_denial_of_what_is_said_is_refused_as_before(text: str, passage: str) -> None:
    assert denied_otherwise(text, [passage], "en")


@pytest.mark.parametrize(
    ("text", "passage", "missing"),
    [
        ("The manual judges the glue differently in two places.", "It holds. It likely does not hold.", []),
        ("The clerk thinks the two identical.", "The clerk sees the copy as the same book.", []),
        ("Where 1.2 runs on both sides it is final.", "Use 1.2.0 on client and server.", []),
        ("The two mills burned.", "Three mills burned.", ["two"]),
        ("It fell by 1.2 percent.", "See 1.2.0.", ["1.2"]),
        ("It was 1.2 then.", "On 1.2.2020 it was.", ["1.2"]),
        ("Since 1.2 it is final.", "Since 11.2.0 it is final.", ["1.2"]),
        ("Since 1.2 it is final.", "It is final since 1.2.0.", []),
        ("The post boat reads Lamplight 1.2 files.", "Lamplight 1.2.4 is on board.", []),
        ("The mean depth was 3.1 at noon.", "See section 3.1.2. The mean depth was 4.2 at noon.", ["3.1"]),
        ("Depth 3.1 was noted.", "See section 3.1.2. A depth of 4.2 was noted.", ["3.1"]),
        ("The dose is 1.2 and no more.", "Version 1.2.0 is out. The dose is 2.4.", ["1.2"]),
    ],
)
def test_what_only_counts_what_was_named_or_shortens_a_version_is_no_figure(
    text: str, passage: str, missing: list[str]
) -> None:
    assert missing_figures(text, [passage]) == missing


@pytest.mark.parametrize(
    ("text", "title", "missing"),
    [
        ("As of 15.5 the tool looks for them.", "Release 15.5", []),
        ("As of 15.4 the tool looks for them.", "Release 15.5", ["15.4"]),
        ("It fell by 15.5 percent.", "Release 15.5", ["15.5"]),
        ("As of 15.5 the tool looks for them.", "Section 15.5", ["15.5"]),
        ("As of 15.5 the tool looks for them.", "Lamplight 15.5.1", ["15.5"]),
    ],
)
def test_the_version_that_a_source_is_called_by_is_no_figure_of_somebodys_own(
    text: str, title: str, missing: list[str]
) -> None:
    assert missing_figures(text, ["The tool looks for them."], [title]) == missing


@pytest.mark.parametrize(
    ("drawn", "code", "held"),
    [
        ("laptop ---tar x---> disk", "tar x", True),
        ("disk <---tar x--- laptop", "tar x", True),
        ("laptop --tar x", "tar x", False),
        ("laptop ---rm -rf /srv---> disk", "rm -rf /", False),
        ("laptop ---mv a-b---> disk", "mv a", False),
    ],
)
def test_a_command_on_an_arrow_of_a_drawing_is_held_whole(drawn: str, code: str, held: bool) -> None:
    assert holds_typed(drawn, code) is held


@pytest.mark.parametrize(
    ("passage", "code", "held"),
    [
        ("Choose a layer by Ctrl-clicking on it.", "Ctrl", True),
        ("Save it with Ctrl+S.", "Ctrl", True),
        ("Remove it with rm-all.", "rm", False),
        ("The Controller opens it.", "Control", False),
    ],
)
def test_a_key_is_held_where_it_is_pressed_with_others(passage: str, code: str, held: bool) -> None:
    assert holds_typed(passage, code) is held
