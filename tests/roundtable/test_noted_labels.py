"""What a row of the table of disagreements is called, where an expert noted it."""

import pytest

from roundtable.session.judging.told_contradictions import row_label


@pytest.mark.parametrize(
    ("note", "label"),
    [
        ("cause of the crash: officials say a bomb, the ministry says none", "cause of the crash"),
        ("坠机原因：官员说是炸弹，部门说不是", "坠机原因"),
        ("the depth of the harbour, while the pilots tell of less", "the depth of the harbour"),
        ("the wall holds", "the wall holds"),
    ],
)
def test_a_note_is_told_by_what_it_is_about(note: str, label: str) -> None:
    assert row_label(note) == label


def test_a_long_note_without_a_head_is_cut_at_a_word() -> None:
    note = "the surveyors of the county and those of the harbour " * 4
    assert len(row_label(note)) <= 81
    assert row_label(note).endswith("…")
