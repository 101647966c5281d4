"""What a document says under the very name of a field: `Licence: MIT`, a row `Licence | MIT`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from library import Passage
from library.text import terms

_LABELLED = re.compile(r"(?P<label>[^:：]{1,60}?)\s*(?::(?=[\s*_])|：)\s*(?P<value>\S.*)")
_MARKS = " \t*_#>|-•"
"""What stands around labels in Markdown and lists."""
_LONGEST = 40
"""Words of a value."""


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """What stands behind a label."""

    value: str
    line: str
    """The label and the value, as they stand there."""
    passage: Passage


def labelled_value(field: str, passages: Sequence[Passage]) -> LabelledValue | None:
    """Return what passages say under a field's name; None where nothing does, or several things do."""
    wanted = _key(field)
    found = [one for passage in passages for label, one in _labelled(passage) if _key(label) == wanted]
    return found[0] if found and len({one.value for one in found}) == 1 else None


def _key(label: str) -> frozenset[str] | str:
    return frozenset(terms(label)) or label.casefold()


def _labelled(passage: Passage) -> Iterator[tuple[str, LabelledValue]]:
    """Yield the labels of a passage, each with its value."""
    for line in passage.text.splitlines():
        cells = [cell for part in line.split(" | ") if (cell := part.strip(_MARKS))]
        named = [found for cell in cells if (found := _LABELLED.fullmatch(cell))]
        if len(cells) == 2 and not named:
            yield from _one(cells[0], cells[1], line, passage)
        for found in named:
            yield from _one(found["label"], found["value"], found[0], passage)


def _one(label: str, value: str, said: str, passage: Passage) -> Iterator[tuple[str, LabelledValue]]:
    value = " ".join(value.strip(_MARKS).split())
    if value and len(value.split()) <= _LONGEST:
        yield label.strip(_MARKS), LabelledValue(value, " ".join(said.split()), passage)
