"""Headings: titles of pages that can name what several passages have in common."""

import pytest

from library.text.headings import heading


@pytest.mark.parametrize(("title", "wanted"), [
    ("Special method names (Python language reference)", "Special method names"),
    ("Tectonic setting | Example Encyclopedia", "Tectonic setting"),
    ("青河湿地生态恢复", "青河湿地生态恢复"),
    ("青河镇洪灾损失统计与重建经费报告", ""),
    ("istanbul explosion | bbc.com", ""),
    ("Six killed and dozens hurt in blast on busy street", ""),
    ("What is known so far?", ""),
    ("Copyright © Ada Merrow", ""),
    ("2022 West Java earthquake", ""),
    ("", ""),
])  # fmt: skip
def test_a_heading_is_a_short_title_without_its_site(title: str, wanted: str) -> None:
    assert heading(title) == wanted
