"""The texts that events speak of: which they are, and how one is written where it is kept with a session."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from pydantic import TypeAdapter

from library import Computed, PageRead, PassagesAdmitted, Searched, Source
from roundtable.journal.events import Recorded

_SOURCE = TypeAdapter(Source)


def texts_of(events: Sequence[Recorded]) -> list[str]:
    """Return the hashes of the texts that events speak of, in order, each once."""
    found: dict[str, None] = {}
    for item in events:
        match item.event:
            case Searched(hits=hits):
                found |= {hit.span[0]: None for hit in hits if hit.span}
            case PageRead(sha256=str() as digest) | Computed(sha256=str() as digest):
                found[digest] = None
            case PassagesAdmitted(passages=admitted):
                found |= {one.span[0]: None for one in admitted}
            case _:
                pass
    return list(found)


def source_line(source: Source) -> str:
    """Return a source as one line of JSON, in ASCII: texts of the web hold what is no Unicode."""
    return json.dumps(asdict(source), ensure_ascii=True)


def read_source(line: str | bytes) -> Source:
    """Return the source of a line. Raises ValueError when it is none."""
    return _SOURCE.validate_python(json.loads(line))
