"""What a person is told of the settings that an imported session brought and that are not in force."""

from collections.abc import Iterator, Mapping
from typing import Any

from roundtable.output.clean import clean_line

_MOST = 12


def left_out(brought: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines about settings that are not in force here; none when there are none."""
    if not brought:
        return
    yield "It was run with other settings elsewhere; they are not used here:"
    for name, value in list(brought.items())[:_MOST]:
        yield f"  {clean_line(name)} = {clean_line(repr(value))[:100]}"
    if len(brought) > _MOST:
        yield f"  and {len(brought) - _MOST} more"
    yield "To take some of them: roundtable resume ID --use-imported NAME,NAME (for instance models, or docs)"
