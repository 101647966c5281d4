"""Chats and logs: texts whose lines begin with a time become lists, an item for each message."""

import re

_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:\s?[AaPp]\.?[Mm]\.?(?!\w))?"
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_STAMP = re.compile(rf"\s*[\[(]?(?:{_DATE}[T,]?\s*)?{_TIME}(?:Z|[+-]\d\d:?\d\d)?[\])]?(?=[\s:–-])(?=.*\w)")
_NAME = re.compile(r"(\s*)<\s*([^<>\s][^<>]{0,40})>(?=\s)")
"""Who speaks, as programs for chats write it right behind the time: `<anna>`."""
_FEWEST, _MOSTLY = 3, 0.5
"""Lines with a time before them that make a chat or a log, and the share of all lines that they are."""


def dated_lines(text: str) -> str:
    """Return a text whose lines begin with times as a list of its messages; any other as it is.

    What stands on lines of its own below a message goes on with it. Words and times stay as they are; who
    speaks stands before a colon.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    stamped = [_STAMP.match(line) for line in lines]
    count = sum(found is not None for found in stamped)
    if count < max(_FEWEST, _MOSTLY * len(lines)):
        return text
    told = list[str]()
    begun = False
    for line, stamp in zip(lines, stamped, strict=True):
        if stamp is None:
            told.append(f"  {line.strip()}" if begun else line)
            continue
        speaker = _NAME.match(line, stamp.end())
        rest = f"{speaker[1]}{speaker[2]}:{line[speaker.end() :]}" if speaker else line[stamp.end() :]
        # A mark of its own parts the list from a title above it.
        told.append(f"{'' if begun or not told else chr(10)}- {stamp[0].strip()}{rest}")
        begun = True
    return "\n".join(told)
