"""Which sentences of a text can be quoted: whole, readable, no question, no page furniture, no code.

Notes are told from what was written to be published by their form alone: hardly anything in them is a
sentence with a capital and a stop. Their lines and items are quoted as they stand.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from library.passages.blocks import Block, blocks
from library.safety.prompt_injection import order_finder
from library.text.byline import byline_span
from library.text.hidden_characters import HIDDEN
from library.text.multilingual.scripts import CJK, HANGUL, MARKS
from library.text.multilingual.stop_words import STOP_WORDS, VERB_PARTICLES

SHORTEST, LONGEST = 6, 60
"""Words of a quotation; a Chinese, Japanese or Korean character counts half a word."""

_CJK = re.compile(f"[{CJK}{HANGUL}]")
_WORD = re.compile(rf"[\w{MARKS}]+")
_MARK = re.compile(f"[{MARKS}]")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*[-*•#|>])")
_ENDS = re.compile(r"[.!。！…।॥۔][\"”’'»）)」』\]]*$")
_STARTS = re.compile(r"^[\"“‘'«（(「『\[]*(?:[^\W_a-zß-öø-ÿ]|\d)")
_SALUTATION = re.compile(r"[,，]\s*\n\s*\n\s*$")
"""What stands before the first sentence of a letter, which may begin small."""
_GREETING = 80
"""Characters of it that are looked at."""
_IN_NOTES = 0.34
"""Share of a text's words in sentences with a capital and a stop from which on it is no notes."""
_FEWEST_NOTES = 2
"""Notes of a text at least, code that one stands by counted: one alone may be the rest of a sentence."""
_FEWEST_IN_NOTES, _BARE = 3, 5
"""Words of a note at least; of one on a line of its own that nothing but its words tells from a heading."""
_LETTERS_IN_NOTES = 0.5
_NOTED = re.compile(r"^[^\W\dA-Z_]|[,;:，；：]\s|\d|^\[[ xX]?\]")
"""What an entry of contents hardly has: it begins small, names a figure or has parts."""
_ENTRY = re.compile(r"^[^:]{1,80}: \W?[A-Z].*[.!]$")
"""What a reference says of a term: `limit: The largest number that …`."""
_GOES_ON = re.compile(r"(?:and|or|nor|but|which|whose|than)\b")
"""What a line of prose begins with that is the rest of a sentence."""
_LEADS_ON = STOP_WORDS - VERB_PARTICLES
"""Words behind which a sentence goes on; `off` and `back` may end a note."""
_ASKS = re.compile(r"[?？؟][\"”’'»）)」』\]]*$")
_LEADS = re.compile(r"[:：,，]$")
_STOP_SMALL = re.compile(r"(?<=[^\W\d_]{3})[.!?][\"”’')\]]*\s+(?=[^\W\dA-Z_])")
"""A stop before a small letter, behind a word of three letters at least."""
_RUN_ON = re.compile(r"(?<=[^\W_]) (\d{1,3})\. (?=\S)")
"""A number that follows on words without a stop: `Sending 1. By post 2. By hand`."""
_FEWEST_RUN_ON = 4
"""Numbers that count up so in a table of contents, at least."""
_LONGEST_ENTRY = 8
"""Words between two of them at most."""
_STOPS_WITHIN = re.compile(r"[.!?] ")
_WRAPS = 3
"""Characters by which lines that are wrapped fall short of the longest, beside the next line's first word."""
_LEANS = re.compile(
    r"^(?:he|she|it|they|this"
    r"|that(?! (?:the|an?|no|his|her|its|their|he|she|it|they|each|every|all|any|many|most|some)\b)"
    r"|these|those|his|her|hers|its|their|such|there|here|however|but|and|also|thus|hence|"
    r"therefore|moreover|furthermore|additionally|instead|similarly|likewise|otherwise|meanwhile|then|so|yet|still|"
    r"in addition|for example|for instance|as a result|on the other hand|the latter|the former|both|"
    r"the (?:above|preceding|previous|foregoing)|"
    r"(?:in order )?to (?:do|achieve|accomplish) (?:so|this|that)|"
    r"(?:by|after|before|when|in) doing (?:so|this|that))\b"
    r"|^(?:can|cannot|could|may|might|must|shall|should|will|would|is|are|was|were|has|had)(?= [a-z])"
    r"|^(?:他|她|它|这|那|此|其|该|但|然而|因此|所以|而且|此外|同时|另外)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"(?<!\w)(\*\*|\*|``|`)(?=[^\s*`])([^*`]+?)(?<=[^\s*`])\1(?!\w)")
"""Emphasis and code marks of plain-text markup: not words of the author's."""
_JUNK_HEAD = re.compile(
    r"see\b(?! (?:that|to it|how|what|if|whether)\b)|(?:read|learn) more (?:about|on)\b|"
    r"for (?:more|further) (?:information|details?)\b|"
    r"(?:new|changed|deprecated|added|removed) (?:in|since) version\b|"
    r"(?:now,? )?let(?:['’]s| us) (?:now )?(?:see|look|turn|move|have a look)\b|"
    r"(?:written|licensed|copyright(?:ed)?|maintained|distributed) (?:by|under|and|\(c\)|[0-9])[^,]*$|"
    r"(?:args|arguments|returns?|raises|parameters|usage|examples?):",
    re.IGNORECASE,
)
_JUNK = re.compile(
    r"https?://|www\.|<[\w.+-]+@[\w.-]+>|©|\||>>>|\{\{|\}\}|</?[a-z]+[ >]|```|::|javascript:", re.IGNORECASE
)
"""Addresses, marks of ownership, cells, code: the form of what is no sentence."""
_ROW = re.compile(r"[^|:]{1,80}: [^|]+(?: \| [^|:]{1,80}: [^|]+)+")
_CELL = 8
"""Words of a cell, with the head of its column, from which on it says something."""
_CODE = re.compile(
    r"^\s*(?:from \w[\w.]* import |import \w[\w.]*\s*$|def \w+\(|class \w+[(:]|return\b.*[()]\s*$|[\w.]+ = )"
    r"|[{};]\s*$|==|!=|\+=|-> \w|\(\)\s*:|\b\w+\(\w*\)\.\w+\("
)
"""Lines of programs: assignments, definitions, calls upon calls."""

Splitter = Callable[[str], list[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class QuoteVerdict:
    """A sentence of a text that can be quoted."""

    start: int
    end: int
    """Where it stands: `text[start:end]`."""
    words: str
    """As it is quoted: in one line, without marks of markup."""
    paragraph: int
    """The number of its paragraph in the text, from 0."""
    first: bool
    """Opens its paragraph."""


def quotable(text: str, split: Splitter) -> Iterator[QuoteVerdict]:
    """Yield the sentences of a text that can stand as quotations, in order; orders to machines are none.

    Of notes these are their lines and items; of a text without any, of a table alone, its rows: each says of
    what its figures are.
    """
    if is_notes(text, split):
        yield from _of_notes(text, split)
        return
    apart = byline_span(text)
    sentences = (told for told in _fitting(text, split, usable) if told.start not in apart)
    first = next(sentences, None)
    if first is None:
        yield from _fitting(text, _lines, usable_row)
    else:
        yield first
        yield from sentences


def _lines(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"[^\n]+", text)]


def _fitting(text: str, split: Splitter, fits: Callable[[str], bool]) -> Iterator[QuoteVerdict]:
    is_order = order_finder(text)
    at = 0
    for number, paragraph in enumerate(_paragraphs(text)):
        for place, (start, end) in enumerate(split(paragraph)):
            raw = paragraph[start:end]
            words = readable(raw)
            if not HIDDEN.search(raw) and fits(opened(words, text, at + start)) and not is_order(words):
                yield QuoteVerdict(at + start, at + end, words, number, place == 0)
        at += len(paragraph)


def opened(words: str, text: str, at: int) -> str:
    """Return a sentence of a text as it is judged: the one that opens a letter as if it began with a capital.

    Args:
        words: The sentence.
        text: The text.
        at: Where it begins there.
    """
    letter = _SALUTATION.search(text, max(at - _GREETING, 0), at)
    return words[:1].upper() + words[1:] if letter else words


@lru_cache(maxsize=1_000)
def is_notes(text: str, split: Splitter) -> bool:
    """Tell whether a text was noted down rather than written out: notes, chats, lists of things to do.

    Hardly any of its words stand in a sentence with a capital and a stop, and there is something that a note
    would say. Contents, menus and headlines are none.
    """
    strict, beside = 0.0, 0
    noted: list[float] = []
    for block in blocks(text):
        if block.form in ("code", "row", "heading"):
            beside += block.form == "code"
            continue
        body = text[block.start : block.end]
        if runs_on(body):
            continue
        strict += sum(word_count(told) for told in _readable_spans(body, split) if usable(told))
        noted += (
            word_count(told)
            for told in (readable(body[a:b]) for a, b in note_spans(body, block, text, split))
            if _NOTED.search(told) and not usable(told) and not _ENTRY.search(told)
            if usable_note(told, listed=block.form != "prose")
        )
    return bool(noted) and len(noted) + beside >= _FEWEST_NOTES and strict < _IN_NOTES * (strict + sum(noted))


def runs_on(text: str) -> bool:
    """Tell whether a text is a table of contents in running text: numbers count up in it, without stops."""
    line = " ".join(text.split())
    if _ENDS.search(line):  # sentences, or steps told in one line
        return False
    counted, last, at = 0, 0, 0
    for found in _RUN_ON.finditer(line):
        entry, number = line[at : found.start()], int(found[1])
        follows = (
            number == last + 1 and word_count(entry) <= _LONGEST_ENTRY and not _STOPS_WITHIN.search(entry)
        )
        counted, last, at = counted + 1 if follows else 1, number, found.end()
        if counted >= _FEWEST_RUN_ON:
            return True
    return False


def _readable_spans(text: str, split: Splitter) -> list[str]:
    return [readable(text[start:end]) for start, end in split(text)]


def _of_notes(text: str, split: Splitter) -> Iterator[QuoteVerdict]:
    is_order = order_finder(text)
    for block in blocks(text):
        if block.form in ("code", "row", "heading"):
            continue
        body = text[block.start : block.end]
        for place, (start, end) in enumerate(note_spans(body, block, text, split)):
            raw = body[start:end]
            words = readable(raw)
            if HIDDEN.search(raw) or not usable_note(words, listed=block.form != "prose") or is_order(words):
                continue
            yield QuoteVerdict(block.start + start, block.start + end, words, block.paragraph, place == 0)


def note_spans(body: str, block: Block, text: str, split: Splitter) -> Iterator[tuple[int, int]]:
    """Yield what one block of notes says, in order: an item as a whole, lines by themselves, sentences.

    A line goes on below where its words would not have fitted (where it is about as long as the longest), and
    where it ends as no sentence does.

    Args:
        body: The block's text.
        block: What it is.
        text: The whole that it stands in.
        split: Finds sentences as they are written elsewhere.
    """
    if block.form != "prose" and word_count(body) <= LONGEST:
        yield 0, len(body.rstrip())
        return
    for first, last in _unwrapped(body, _width(text)):
        for start, end in split(body[first:last]):
            at = first + start
            for stop in [*_STOP_SMALL.finditer(body, at, first + end), None]:
                until = first + end if stop is None else stop.end()
                if words := body[at:until].rstrip():
                    yield at, at + len(words)
                at = until


@lru_cache(maxsize=1_000)
def _width(text: str) -> int:
    return max(map(len, text.split("\n")))


def _unwrapped(body: str, width: int) -> Iterator[tuple[int, int]]:
    lines = [found.span() for found in re.finditer(r"[^\n]+", body)]
    start = 0
    for (a, b), (c, d) in pairwise([*lines, (len(body), len(body))]):
        following = body[c:d].split(maxsplit=1)
        if not following or (b - a + len(following[0]) + _WRAPS < width and not _wants_more(body[a:b])):
            yield start, b
            start = c


def _wants_more(line: str) -> bool:
    """Tell whether a line ends where no sentence does: behind a comma or a word that leads to another."""
    words = line.split()
    return bool(words) and (words[-1].endswith((",", "，")) or words[-1] in _LEADS_ON)


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs with what separates them, so that they add up to the text."""
    at = 0
    for match in _PARAGRAPH.finditer(text):
        yield text[at : match.end()]
        at = match.end()
    yield text[at:]


@lru_cache(maxsize=2_000)
def readable(text: str) -> str:
    """Return a sentence in one line, without what nobody sees and without marks of markup."""
    return _MARKUP.sub(r"\2", " ".join(HIDDEN.sub("", text).split()))


@lru_cache(maxsize=2_000)
def usable(text: str) -> bool:
    """Tell whether a sentence can stand as a quotation."""
    if HIDDEN.search(text) or is_junk(text) or not SHORTEST <= word_count(text) <= LONGEST:
        return False
    if not _ENDS.search(text) or not _STARTS.match(text) or _CODE.search(text):
        return False
    if any(text.count(a) != text.count(b) for a, b in ("()", "[]", "“”", "（）", "「」")):
        return False
    if text.count('"') % 2:
        return False
    letters = sum(map(str.isalpha, text)) + (0 if text.isascii() else len(_MARK.findall(text)))
    return letters >= 0.6 * len(text.replace(" ", "")) and sum(map(str.isupper, text)) <= 0.4 * letters


@lru_cache(maxsize=2_000)
def usable_note(text: str, *, listed: bool) -> bool:
    """Tell whether a line or an item of notes says something by itself.

    Args:
        text: In one line, without marks of markup.
        listed: It is an item of a list; a line without any mark of its own may be a heading.
    """
    if usable(text):
        return True
    if HIDDEN.search(text) or is_junk(text) or not _FEWEST_IN_NOTES <= word_count(text) <= LONGEST:
        return False
    if _ASKS.search(text) or _LEADS.search(text) or _CODE.search(text):
        return False
    if (
        any(text.count(a) != text.count(b) for a, b in ("()", "[]", "“”", "（）", "「」"))
        or text.count('"') % 2
    ):
        return False
    if not listed and (_GOES_ON.match(text) or (not _NOTED.search(text) and word_count(text) < _BARE)):
        return False
    letters = sum(map(str.isalpha, text)) + (0 if text.isascii() else len(_MARK.findall(text)))
    return letters >= _LETTERS_IN_NOTES * len(text.replace(" ", ""))


def usable_row(text: str) -> bool:
    """Tell whether a line is a row of a table whose cells name their columns: `Year: 2021 | Sales: 12`."""
    if HIDDEN.search(text) or _JUNK.search(text.replace("|", " ")):
        return False
    return _ROW.fullmatch(text) is not None and word_count(text) <= LONGEST


def usable_cells(text: str, *, named: bool) -> bool:
    """Tell whether a row of a table says something by itself: its columns have names, or a cell many words.

    Args:
        text: In one line, its cells parted by bars.
        named: The heads of its columns are known.
    """
    held = [cell for cell in text.split("|") if any(map(str.isalnum, cell))]
    if HIDDEN.search(text) or _JUNK.search(text.replace("|", " ")) or word_count(text) > LONGEST:
        return False
    return len(held) > 1 and (named or any(word_count(cell) >= _CELL for cell in held))


def is_junk(text: str) -> bool:
    """Tell whether a text is no statement by its form: a reference to elsewhere, an address, code."""
    return bool(_JUNK_HEAD.match(text) or _JUNK.search(text))


def leans(text: str) -> bool:
    """Tell whether a sentence starts with a word that points to what stood before it."""
    return bool(_LEANS.match(text))


@lru_cache(maxsize=2_000)
def word_count(text: str) -> float:
    """Return a sentence's length in words; two CJK characters count as one word."""
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + cjk / 2
