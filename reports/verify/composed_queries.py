"""Is a query put together of names that passages tell?

A manual tells functions, views and their columns each by itself; who concludes how something is measured
puts a query together of them. It only reads, so that the worst is that it fails. Whether it does what is
said, a judge reads.
"""

import re
from collections.abc import Sequence

from reports.verify.typed_code import has_token, placeholders

_READS = re.compile(r"\s*SELECT\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:INTO|INSERT|UPDATE|DELETE|DROP|ALTER|CREATE|TRUNCATE|GRANT|REVOKE)\b", re.IGNORECASE
)
_STRINGS = re.compile(r"'[^']*'")
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = frozenset(
    re.findall(
        r"\w+",
        "select distinct from where and or not in is null as on join left right inner outer full cross using "
        "group order by having limit offset asc desc case when then else end between like true false union "
        "all exists interval with cast count sum min max avg",
    )
)
"""Words of the language itself, and functions that every dialect of it has."""
_MOST = 400
"""Characters of a query that is looked at."""


def is_query_composed(code: str, texts: Sequence[str]) -> bool:
    """Tell whether code is one query that reads, of which some texts have each name to the letter.

    Args:
        code: One statement, a `;` at its end or none.
        texts: Of the passages that the sentence cites.
    """
    code = code.strip().removesuffix(";")
    if len(code) > _MOST or ";" in code or not _READS.match(code) or _CHANGES.search(code):
        return False
    bare = _STRINGS.sub(" ", code)
    for name in placeholders(bare):
        bare = bare.replace(name, " ")
    defined = {found[1] for found in re.finditer(r"\bAS\s+([A-Za-z_]\w*)", bare, re.IGNORECASE)}
    names = [n for n in _NAME.findall(bare) if n.casefold() not in _WORDS and n not in defined]
    return bool(names) and all(any(has_token(text, name) for text in texts) for name in set(names))
