"""Subtitles (`.srt`, `.vtt`) to text: what is said, in lines that say something, under the time."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pysubs2

from library.errors import ReadError
from library.readers.text_files.plain_text import decode, seen, tidy

_A_PART = 60_000
"""Milliseconds from which on a new part begins, with its time as the heading."""
_PAUSE = 300
"""Milliseconds of silence behind which something else is said."""
_SOME, _MANY = 6, 25
"""Words of a line behind which a pause ends it; and which end it anyway, where nobody wrote stops."""
_STOPS = (".", "!", "?", "…", "。", "！", "？", "।", "؟")


class _Line(NamedTuple):
    start: int
    words: str


def read_subtitles(data: bytes, charset: str | None, largest: int) -> dict[str, Any]:
    """Read subtitles as running text: sentences are put together again, what is shown twice stands once.

    Args:
        data: The file.
        charset: As it was declared; None where it was not.
        largest: Bytes that it may have.

    Raises:
        ReadError: there are no subtitles in it.
    """
    if len(data) > largest:
        raise ReadError(f"the subtitles are larger than {largest / 1_000_000:g} MB")
    try:
        cues = pysubs2.SSAFile.from_string(decode(data, charset))
    except (pysubs2.exceptions.Pysubs2Error, ValueError) as error:
        raise ReadError(f"it holds no subtitles that can be read ({error})") from error
    said = [cue for cue in cues if not cue.is_comment and cue.plaintext.strip()]
    if not said:
        raise ReadError("the subtitles are empty")
    return {"text": tidy(seen("\n".join(_parts(list(_lines(said)))))), "title": None}


def _lines(cues: Sequence[pysubs2.SSAEvent]) -> Iterator[_Line]:
    stopped = sum(cue.plaintext.rstrip().endswith(_STOPS) for cue in cues) * 5 > len(cues)
    held, start, end = list[str](), 0, 0
    shown = list[str]()
    for cue in cues:
        # Captions that roll show a line again below the next one.
        rows = [" ".join(row.split()) for row in cue.plaintext.split("\n")]
        words = " ".join(row for row in rows if row and row not in shown)
        shown = rows
        if not words:
            continue
        count = sum(len(each.split()) for each in held)
        if held and (count >= _SOME and cue.start - end >= _PAUSE and not (stopped and _goes_on(words))):
            yield _Line(start, " ".join(held))
            held = []
        start = start if held else cue.start
        held.append(words)
        end = cue.end
        if words.endswith(_STOPS) or (not stopped and count + len(words.split()) >= _MANY):
            yield _Line(start, " ".join(held))
            held = []
    if held:
        yield _Line(start, " ".join(held))


def _goes_on(words: str) -> bool:
    return words[:1].islower()


def _parts(lines: Sequence[_Line]) -> Iterator[str]:
    """Yield lines, before those of each part its time, where there is more than one part."""
    last = -_A_PART
    several = lines[-1].start - lines[0].start >= _A_PART
    for line in lines:
        if several and line.start - last >= _A_PART:
            last = line.start
            yield f"\n## {pysubs2.time.ms_to_str(line.start)}\n"
        yield line.words
