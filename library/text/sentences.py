"""Where a text's sentences begin and end."""

import re
from functools import lru_cache

from library.text.multilingual.stop_words import STOP_WORDS
from library.text.quantities.months import ABBREVIATED
from library.text.tokenize import is_cjk

_SHORT, _CACHED_TEXTS = 4_000, 2_000
"""Characters of a text whose sentences are kept, for they are asked for again; how many texts."""

_ABBREVIATIONS_TEXT = """
    mr mrs ms dr prof rev hon st sr jr gen col sgt capt lt cmdr adm maj gov sen rep pres supt det vs
    no nos vol vols ed eds pp fig figs ch sec art al ca cf e.g i.e eg ie viz approx est dept univ
    inc ltd co corp bros assn ave blvd rd mt ft u.s
    u.k u.n a.m p.m ph.d b.c a.d d.c s.a bzw z.b d.h u.a usw nr bspw vgl av jl sra mme mlle
"""
_ABBREVIATIONS = frozenset((*_ABBREVIATIONS_TEXT.split(), *ABBREVIATED))
# These are abbreviations before a number, and words elsewhere.
_BEFORE_NUMBER = frozenset(("no", "nos", "fig", "figs", "sec", "art", "vol", "vols", "ch", "pp", "mar"))
# These may also end a sentence: with them the next word decides.
_MAY_END_TEXT = "inc ltd co corp jr sr al etc u.s u.k u.n a.m p.m ph.d b.c a.d d.c s.a dept usw"
_MAY_END = frozenset(_MAY_END_TEXT.split())
_UNITS = frozenset(("ms", "ft", "sec"))
"""Abbreviations that are units behind a number: those may end a sentence."""
_NUMBER = re.compile(r"\d\s?$")
_COMMON_STARTS = re.compile(
    r"(?:The|A|An|It|He|She|They|We|I|In|On|At|This|That|These|Those|But|And|However|After|Before|When|While|His|Her"
    r"|Its|Their|There|As|For|If|By|With|From|To|Some|Many|Most|Although)\b"
)
_STOPS = ".!?…؟۔।॥։።"
_CLOSERS = "\"'”’»)\\]}"
_WIDE_STOPS = "。！？"
_BREAK = re.compile(
    # What none of the three can begin with is passed over at once: else all are tried at every character.
    rf"(?=[{_STOPS}{_WIDE_STOPS}\n]|[ \t][ \t\n])(?:"
    rf"(?P<stop>(?<![{_STOPS}])[{_STOPS}]+[{_CLOSERS}]*(?:\[\d+\])*)(?=\s)"
    rf"|(?P<wide>[{_WIDE_STOPS}]+[”’」』）》)\"]*(?:\[\d+\])*)"
    r"|(?P<line>(?<![ \t])[ \t]*\n[ \t]*(?P<blank>\n\s*)?))"
)
_CODE = re.compile(r"(?<![\w`])`[^`'\n]{1,200}`(?![\w`])")
"""Code within a line; an apostrophe is the end of a quotation of old (`this'), and may stand between two."""
_DOTTED = re.compile(r"(?:[a-z\d_-]{1,63}\.){1,8}[a-z][a-z\d-]{1,62}")
"""A name of the DNS, whose full stop may be the root's."""
_RECORD = re.compile(r"(?:\d+\s+)?[A-Z]{2,10}\s+(?:[A-Z]{1,10}\d*\b|[\d.]*\d\b|[\w.-]+\.(?:\s|$))")
"""What goes on behind such a name in a record: `3600 IN SOA`, `IN NS`, `CNAME other.example.`."""
_TYPED = re.compile(
    r"[a-z][a-z\d]*(?:[-_][a-z\d]+)+(?:\(\d?\))?\s(?!to\b)|[a-z][a-z\d]*(?:\s[a-z][\w-]*){0,2}\s--?[A-Za-z]"
)
"""A command that a sentence begins with: `git-annex sync`, `pg_ctl stop`, `git push --force`."""
_LONG = 5
"""Letters of a word that may end a sentence before one: of unknown abbreviations few are so long."""
_FIRST_WORD = re.compile(r"[a-z][\w.+-]*")
_PROGRAM = re.compile(rf"(?:`|\n\$ )({_FIRST_WORD.pattern})(?=\s)")
_BEFORE = re.compile(r"[^\s(\[\"“‘']{0,24}$")
_MARKER = re.compile(r"(?:[#>|]|[-*+•–]\s|\d{1,3}[.)]\s|[（(]?[一二三四五六七八九十]{1,3}[、)）])")
_SO_FAR = 1_000
"""Characters of a sentence in which a quotation mark that is open is looked for."""
_GOES_ON = re.compile(r"""(?:[^“”"\n]|\n(?![ \t]*\n)){0,300}[”"](?:,\s|\s+[^\W\dA-Z])""")
"""The rest of a quotation, and that its sentence goes on behind it."""
_NEAR_BY, _WIDEST, _RAGGED = 2_000, 400, 20
"""Characters around a line end in which lines tell how wide a paragraph is; the widest that is wrapped; by
how many its lines differ, for the next word had no room."""
_OPENERS = "\"'“‘«([{—–- \t"


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) spans of the text's sentences, in order, without outer white space.

    Ends are stops followed by white space (not after abbreviations, initials and numbers of a list, nor
    before a lower-case word), wide stops, blank lines, and line ends that are not mere wrapping.
    """
    return list(_kept_sentences(text)) if len(text) <= _SHORT else _sentences(text)


@lru_cache(maxsize=_CACHED_TEXTS)
def _kept_sentences(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_sentences(text))


def _sentences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    inside = (
        {at for code in _CODE.finditer(text) for at in range(*code.span())} if "`" in text else set[int]()
    )
    for match in _BREAK.finditer(text):
        if match.start() in inside:
            continue
        if match["line"] is not None:
            if match["blank"] is None and not _line_ends(text, match.start(), match.end()):
                continue
        elif match["stop"] is not None and (
            _within_quotation(text, start, match) or not _stop_ends(text, start, match)
        ):
            continue
        end = _before_opening(text, start, match) if match["wide"] else match.end()
        _append(spans, text, start, end)
        start = end
    _append(spans, text, start, len(text))
    return spans


def _before_opening(text: str, start: int, match: re.Match[str]) -> int:
    """Return where a sentence ends: before a straight quotation mark behind its stop that opens the next."""
    straight = match["wide"].find('"')
    if straight < 0 or text.count('"', start, match.start()) % 2:
        return match.end()
    return match.start() + straight


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + len(piece) - len(piece.lstrip())
        spans.append((begin, begin + len(stripped)))


def _stop_ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a stop before white space ends the sentence that began at `start`."""
    following = text[match.end() : match.end() + 40].lstrip()
    first = following.lstrip(_OPENERS)[:1]
    if not first:
        return True
    stop = match["stop"]
    if first.islower():  # "Yahoo! said", "approx. ten": a lower-case word goes on, but for a command
        return stop[0] == "." and len(stop) == 1 and _begins_command(text, start, match.start(), following)
    if ")" in stop and is_cjk(first) and "(" in text[start + 1 : match.start()]:
        return False  # "(分区,...) 的备忘录": a bracket within a sentence, and what follows has no capitals
    if stop.startswith(("..", "…")) and _left_out(text, start, match.start(), following):
        return False
    if stop[0] != "." or stop.startswith(".."):
        return True
    before = _BEFORE.search(text, max(start, match.start() - 24), match.start())
    word = before[0] if before else ""
    if _DOTTED.fullmatch(word) and _RECORD.match(following):
        return False
    if len(word) == 1 and word.isalpha() and word.isupper():
        return word == "I" or bool(_COMMON_STARTS.match(following))
    if word.isdigit() and match.start() - len(word) == start:
        return False
    lowered = word.lower()
    if lowered in _MAY_END or re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word):
        return bool(_COMMON_STARTS.match(following)) or len(stop) > 1
    if lowered in _UNITS and _NUMBER.search(text, max(start, match.start() - 24), match.start() - len(word)):
        return bool(_COMMON_STARTS.match(following))
    if lowered in _BEFORE_NUMBER:
        return not first.isdigit()
    return lowered not in _ABBREVIATIONS


def _within_quotation(text: str, start: int, match: re.Match[str]) -> bool:
    """Tell whether a stop ends only a part of what a sentence quotes, as in `“Shame! Shame!” as he left`.

    Or `"He sat. He never rose", she said`: each half alone has half a quotation.
    """
    if match["stop"].strip("!?.") or match.start() - start > _SO_FAR:
        return False
    at = match.start()
    straight = text.rfind('"', start, at)
    opens = straight >= 0 and (straight == start or text[straight - 1] in " \n\t([") and straight + 1 < at
    opened = (opens and not text[straight + 1].isspace()) or text.rfind("“", start, at) > text.rfind(
        "”", start, at
    )
    return opened and _GOES_ON.match(text, match.end()) is not None


def _begins_command(text: str, start: int, at: int, following: str) -> bool:
    """Tell whether a sentence begins with a command, by its signs or because the text shows it as code."""
    before = _BEFORE.search(text, max(start, at - 24), at)
    word = before[0].lower() if before else ""
    if word in _ABBREVIATIONS or not (word in STOP_WORDS or (word[:-1].isalpha() and len(word) >= _LONG)):
        return False
    if _TYPED.match(following):
        return True
    program = _FIRST_WORD.match(following)
    return program is not None and program[0] in _programs(text)


@lru_cache(maxsize=2)  # of the text at hand: looked for anew at each stop, it would take the square of it
def _programs(text: str) -> frozenset[str]:
    """Return what a text shows as code or at a prompt with something behind it: names of programs."""
    return frozenset(_PROGRAM.findall(text))


def _left_out(text: str, start: int, at: int, following: str) -> bool:
    """Tell whether dots at a place stand for what is left out of a command: `SELECT ... FOR SHARE`."""
    before, after = text[max(start, at - 40) : at], following.split(maxsplit=1)[0].rstrip(",;:.")
    if not before[-1:].isspace():
        return False
    words = (before.split()[-1:] or [""])[0], after
    return all(len(word) > 1 and word.isalpha() and word.isupper() for word in words)


def _line_ends(text: str, at: int, following: int) -> bool:
    """Whether a single line end closes a sentence: true unless the text is merely wrapped there."""
    line_start = max(text.rfind("\n", 0, at) + 1, 0)
    next_end = text.find("\n", following)
    next_line = text[following : next_end if next_end >= 0 else len(text)]
    line = text[line_start:at]
    if not line.strip() or not next_line.strip() or line.lstrip().startswith("#") or _MARKER.match(next_line):
        return True
    if next_line[0].islower() or line[-1] in ",;，；、":
        return False
    wide = is_cjk(line[-1]) or is_cjk(line[0])
    shortest, longest = (20, 60) if wide else (50, 120)
    if len(line) < shortest:
        return True
    if max(len(line), len(next_line)) <= longest:
        return False
    return not _is_wrapped(text, at, following)


def _is_wrapped(text: str, at: int, following: int) -> bool:
    """Whether a line end stands in a paragraph whose lines are all about as wide but for the last.

    Where each line is a paragraph of its own, their lengths have nothing to do with one another. Only lines
    near by are looked at: a text may be one paragraph.
    """
    before = text[max(0, at - _NEAR_BY) : at].rsplit("\n\n", 1)
    above = before[-1].split("\n")[1 if len(before) == 1 and at > _NEAR_BY else 0 :]
    below = text[following : following + _NEAR_BY].split("\n\n", 1)[0].split("\n")[:-1]
    widths = [len(line.rstrip()) for line in (*above, *below)]
    return len(widths) > 1 and max(widths) <= _WIDEST and min(widths) >= max(widths) - _RAGGED
