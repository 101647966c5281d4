"""A text with all that is known of it, as one line: so an engine keeps it for whoever searches elsewhere."""

import json
from dataclasses import asdict

from pydantic import TypeAdapter, ValidationError

from library.errors import EngineError
from library.evidence import Source

_SOURCE = TypeAdapter(Source)


def written_source(source: Source) -> str:
    """Return a source as JSON in ASCII."""
    return json.dumps(asdict(source))


def read_source(line: str) -> Source:
    """Read a source again. Raises EngineError where it is none."""
    try:
        return _SOURCE.validate_python(json.loads(line))
    except (ValueError, TypeError, RecursionError, ValidationError) as error:
        raise EngineError(
            "the engine holds a text that cannot be read; was it written by a later version?"
        ) from error
