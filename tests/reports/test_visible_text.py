"""What stands alone begins with a capital, but for names of what is typed."""

import pytest

from reports.visible_text import capitalised


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
