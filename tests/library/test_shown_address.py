"""What a person gave is shown under the name that they gave it."""

import pytest

from library import shown_address


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (
            "file:///home/a/.local/roundtable/uploads/0f4b8028/0123456789ab/My%20notes.pdf",
            "My notes.pdf",
        ),
        ("file:///data/collections/papers/2021/tide.md", "2021/tide.md"),
        ("file:///home/a/.local/share/roundtable/collections/papers/%E6%BD%AE.md", "潮.md"),
        ("file:///home/a/collections/art/x.md", "art/x.md"),
        ("file:///home/a/uploads/x.md", "uploads/x.md"),
        ("file:///srv/guide/usage/%C3%BCber%20uns.html", "usage/über uns.html"),
        ("file:///x.md", "x.md"),
        (
            "https://a.example/uploads/0f4b8028/0123456789ab/x",
            "https://a.example/uploads/0f4b8028/0123456789ab/x",
        ),
    ],
)
def test_a_file_is_shown_by_the_name_that_it_was_given(url: str, shown: str) -> None:
    assert shown_address(url) == shown
