"""What stands alone begins with a capital, but for names of what is typed."""

import pytest

from reports.visible_text import capitalised, dated


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("how long the copy takes", "How long the copy takes"),
        ("pg_upgrade and dump as other ways", "pg_upgrade and dump as other ways"),
        ("pg_hba.conf of the old server", "pg_hba.conf of the old server"),
        ("--link and its price", "--link and its price"),
        ("restic、duplicity 有什么差别", "restic、duplicity 有什么差别"),
        ("", ""),
    ],
)
def test_a_capital_is_set_where_no_name_is_spoilt(text: str, shown: str) -> None:
    assert capitalised(text) == shown


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("2016/07/25/reef", "2016-07-25"),
        ("world/2016-07-25/reef", "2016-07-25"),
        ("news/2016/7/5/reef", "2016-07-05"),
        ("world/2016/jul/25/reef", "2016-07-25"),
        ("world/reef-is-steep-2016-07-25/", "2016-07-25"),
        ("20160725/reef", "2016-07-25"),
        ("articles/20161399/reef", None),
        ("world/2016/foo/25/reef", None),
        ("reef-2016-07-25-and-more", None),
        ("2016/07/reef?day=/2016/07/25/", None),
    ],
)
def test_the_day_that_an_address_bears(path: str, day: str | None) -> None:
    assert dated(f"https://orrin.example/{path}") == day
    assert dated(f"file:///{path}") is None
