from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.web import LocalFile, WebAddress, located


@pytest.mark.parametrize(
    ("named", "url"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        (" HTTP://Example.org/ ", "HTTP://Example.org/"),
        ("http://user:word@example.org/x", "http://example.org/x"),
        ("https://user@example.org:8443/@x", "https://example.org:8443/@x"),
        ("http://a@b@example.org/", "http://example.org/"),
    ],
)
def test_an_address_is_one_and_loses_its_user(named: str, url: str):
    assert located(named) == WebAddress(url)


@pytest.mark.parametrize(
    "named",
    [
        "notes.md", "x://../private/diary.md", "http:/etc/passwd", "http:///etc/passwd", "file:///etc/passwd",
        "https://", "ftp://example.org/x", "http://[::1", "~nobody-of-that-name/x", "", "http:../x",
    ],
)  # fmt: skip
def test_all_else_is_a_file_by_some_name(named: str):
    assert isinstance(located(named), LocalFile)


@given(st.text())
def test_anything_is_one_or_the_other_and_no_address_keeps_a_user(named: str):
    match located(named):
        case WebAddress(url):
            assert url.lower().startswith(("http://", "https://"))
            assert "@" not in url.partition("://")[2].partition("/")[0].partition("?")[0].partition("#")[0]
        case LocalFile(path):
            assert isinstance(path, Path)
