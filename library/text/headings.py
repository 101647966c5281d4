"""What pages are called by those who wrote them: a title that passages share is a name for them."""

import re
from collections import Counter
from collections.abc import Sequence

from library.text.tokenize import terms

_AFTERWORD = re.compile(r"\s*(?:\([^()]*\)|\s[|·–—-]\s[^|·–—]{1,60})\s*$")
"""What a title says of its site, or of the work that it is a part of."""
_LONGEST_WITHOUT_SPACES = 8
"""Characters of a heading in a script that is written without spaces."""
_LONGEST = 5
"""Words; what is longer is a headline and no heading."""


def heading(title: str) -> str:
    """Return a page's title as a heading: without its site, and nothing when it does not read as one.

    A heading begins with a capital or in a script that has none; words of a url and headlines are none.
    """
    bare = _AFTERWORD.sub("", " ".join(title.split()))
    first = bare[:1]
    if not first.isalpha() or first != first.upper() or any(sign.isdigit() for sign in bare):
        return ""
    letters = 12 * _LONGEST if bare.isascii() or " " in bare else _LONGEST_WITHOUT_SPACES
    long = len(bare.split()) > _LONGEST or len(bare) > letters
    return "" if long or any(sign in bare for sign in ':?!…"“') else bare


def common_heading(
    titles: Sequence[str], taken: Sequence[str] = (), *, share: float = 0.3, fewest: int = 2
) -> str | None:
    """Return the heading that most of some passages' pages have; None when too few have one in common.

    Args:
        titles: A page's title for each passage.
        taken: Texts whose words a heading must not merely repeat: the topic, other headings.
        share: The share of the passages (0 to 1) whose page must be called so.
        fewest: How many passages' pages must be called so.
    """
    known = [set(terms(text)) for text in taken]
    counted = Counter(found for title in titles if (found := heading(title)))
    for found, count in counted.most_common():
        if count < max(fewest, share * len(titles)):
            return None
        own = set(terms(found))
        if own and not any(own <= old for old in known):
            return found
    return None
