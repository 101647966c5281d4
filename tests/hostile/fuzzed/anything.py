"""What strangers may send: texts and values made to be misread, and real ones with a part altered."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

DIGITS = "9" * 5000
"""More than Python turns into a number."""
PIECES = (
    "", "\n", "\n\n", " ", "\t", "|", "1", "-1", "0", "1e999", DIGITS, "²", "١٢", "½", "\x00",
    "\x1b[2J", "\u202e", "\ud83d", "\U000e0041", "中文。", "é\u0301", "[1]", "[p1]", f"[p{DIGITS}]",
    f"[{DIGITS}]", "⁹" * 5000, "\xff", "(Hale, 2020)", "## References\n\n",
    "[1] A. Hale. On dikes. 2020.\n", "https://[::1", "http://x y/", "]]>", "file:///etc",
    "<!-- n1 -->", "<!-- p1, 5 words -->", "# A\n", "```\n", "{", "}", "[", "]", '"', ",", ":",
    "=", "@article{a,", "null", "true", "Infinity", "NaN", "-Infinity", "<b>", "</b>", "&y;",
    "&#0;", "<svg><script>", "<!DOCTYPE x [<!ENTITY y 'z'>]>",
    "<table><tr><td colspan='9999999' rowspan='-1'>", f"<ol start='{DIGITS}'><li>x",
)  # fmt: skip
WORDS = st.text(max_size=60) | st.sampled_from(PIECES)
TEXTS = st.lists(WORDS, max_size=25).map("".join)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.just(10**4000),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
PLACE = st.tuples(st.integers(0, 10**6), st.integers(0, 40), WORDS)
"""Where something is altered, how much of it goes, and what comes instead."""


def fewer(examples: int) -> settings:
    """Return settings for so many examples; where new ones are looked for, for as many as there."""
    looking = settings.default is not None and settings.default.max_examples > 100
    return settings() if looking else settings(max_examples=examples)


def altered(data: bytes, places: list[tuple[int, int, str]]) -> bytes:
    """Return bytes with pieces of them replaced."""
    for at, gone, new in places:
        start = at % (len(data) + 1)
        data = data[:start] + new.encode("utf-8", "surrogatepass") + data[start + gone :]
    return data


def replaced(value: Any, path: list[int], new: Any) -> Any:
    """Return a JSON value with one place in it changed."""
    if not path or not isinstance(value, dict | list) or not value:
        return new
    copy: Any = value.copy()
    key = list(value)[path[0] % len(value)] if isinstance(value, dict) else path[0] % len(value)
    copy[key] = replaced(value[key], path[1:], new)
    return copy


def with_members(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """Return an archive with its members changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return out.getvalue()
