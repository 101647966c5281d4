"""What pages are called by those who wrote them: a title that passages share is a name for them."""

import re
from typing import Protocol

_AFTERWORD = re.compile(r"(?<!\s)\s*(?:\([^()]*\)|\s[|·–—-]\s[^|·–—]{1,60})\s*$")
"""What a title says of its site, or of the work that it is a part of."""
_LONGEST_WITHOUT_SPACES = 8
"""Characters of a heading in a script that is written without spaces."""
_LONGEST = 7
"""Words; what is longer is a headline and no heading."""
_LONGEST_HEADLINE, _HEADLINE = 12, 80
"""Words and characters of a headline that can still name something."""
_NUMBER = re.compile(
    r"^(?:(?:chapter|section|part|appendix)\s+)?(?:[A-Z]\.)?\d+(?:\.\d+)*(?:\.|:|(?<=\.\d))\s+(?=\S)",
    re.IGNORECASE,
)
_OF_CODE = re.compile(r"[/\\_=<>{}$@#*|©]|\w\.\w|\(\)|[a-z][A-Z]|^[A-Z]{2}[\s\-A-Z]+$")
"""Signs and forms of a path, a file, a command, a name in a program, whose a text is, and shouted words."""
_REPORTED = re.compile(
    r"[\[({]\s*(?:error|failed|missing|not? \w+|null|none|untitled|undefined|object object)\b[^\])}]*[\])}]"
    r"|<[^<>]*>|error(?:\s*:.*|\s+\d{3}\b.*)?|untitled|no title|null|none|undefined|nan|n/a",
    re.IGNORECASE,
)


def reported(title: str) -> bool:
    """Tell whether a title is what a program writes where it found none: `[ERROR …]`, `null`, `<title>`."""
    return _REPORTED.fullmatch(" ".join(title.split())) is not None


def without_number(title: str) -> str:
    """Return a title without the number of its chapter or section: “9.9. Quotas” is “Quotas”."""
    return _NUMBER.sub("", " ".join(title.split()))


def heading(title: str) -> str:
    """Return a page's title as a heading: without its site and its number, "" when it does not read as one.

    A heading begins with a capital or in a script that has none; words of a url, headlines, files, commands
    and names of programs' parts are none.
    """
    bare = _AFTERWORD.sub("", " ".join(without_number(title).split())).strip("¶ ")
    first = bare[:1]
    if not first.isalpha() or first != first.upper() or any(sign.isdigit() for sign in bare):
        return ""
    letters = 12 * _LONGEST if bare.isascii() or " " in bare else _LONGEST_WITHOUT_SPACES
    long = len(bare.split()) > _LONGEST or len(bare) > letters
    return "" if long or _OF_CODE.search(bare) or any(sign in bare for sign in ':?!…"“') else bare


def headline(title: str) -> str:
    """Return a page's title without its site and its number, as a longer name; "" where it is none.

    What `heading` refuses for its length or its stops may pass; a path, a command, a name in a program not.
    """
    bare = _AFTERWORD.sub("", " ".join(without_number(title).split())).strip("¶ ")
    words = bare.split()
    if _OF_CODE.search(bare) or not any(map(str.isalpha, bare)) or len(words) > _LONGEST_HEADLINE:
        return ""
    long = len(bare) > (_HEADLINE if " " in bare else 3 * _LONGEST_WITHOUT_SPACES)
    return "" if long else bare[:1].upper() + bare[1:]


class Titled(Protocol):
    """A text of a source that has a title."""

    @property
    def title(self) -> str:
        """Of its source."""

    @property
    def text(self) -> str:
        """Its words."""


def titled_text(held: Titled) -> str:
    """Return a text behind its source's title, as it is weighed: often only that says what it is about."""
    return f"{held.title}. {held.text}"
