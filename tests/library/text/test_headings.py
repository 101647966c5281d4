"""Headings: titles of pages that can name what several passages have in common."""

import pytest

from library.text.headings import common_heading, heading


@pytest.mark.parametrize(("title", "wanted"), [
    ("Special method names (Python language reference)", "Special method names"),
    ("Tectonic setting | Example Encyclopedia", "Tectonic setting"),
    ("青河湿地生态恢复", "青河湿地生态恢复"),
    ("青河镇洪灾损失统计与重建经费报告", ""),
    ("istanbul explosion | bbc.com", ""),
    ("Six killed and dozens hurt in blast on busy street", ""),
    ("What is known so far?", ""),
    ("2022 West Java earthquake", ""),
    ("", ""),
])  # fmt: skip
def test_a_heading_is_a_short_title_without_its_site(title: str, wanted: str) -> None:
    assert heading(title) == wanted


def test_what_most_pages_are_called_names_their_passages() -> None:
    titles = ["Execution model (A)", "Execution model (A)", "Class definitions (A)"]
    assert common_heading(titles) == "Execution model"
    assert common_heading(titles, taken=["the execution model of Python"]) is None
    assert common_heading(["Execution model", "Class definitions", "Modules"]) is None
    assert common_heading([]) is None
