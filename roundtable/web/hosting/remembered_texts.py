"""What the analysis of texts remembers between two looks at the same text: let go when no session is at work.

Within a session the same sentences are looked at again and again; the next one has others. Each memory is
bounded by a number of texts, which short sessions fill only after hundreds of them: together they were most
of what a server held that had been up for long.
"""

import sys
from functools import lru_cache

from library.text import sentence_vectors

_ROOMS = ("agents", "library", "mindmap", "moderator", "reports")
_Remembering = type(lru_cache(len))


def forget_texts() -> None:
    """Empty every memory of texts; the program's own tables stay (kept without a bound, or one alone)."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in _ROOMS:
            continue
        for held in list(vars(module).values()):
            if isinstance(held, _Remembering) and (held.cache_parameters()["maxsize"] or 0) > 1:
                held.cache_clear()
    sentence_vectors().forget()
