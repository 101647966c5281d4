"""Of long texts the sentences that tell most about something: what a prompt shows instead of all of them.

A passage that a claim rests on is shown by one rule (`whole_or_around`): whole where it is short, else by
whole sentences, and what the claim rests on is never cut. Many texts that only have to be told apart share
so many tokens (`excerpts`).

By words alone, so that it costs next to nothing and is the same every time. A text's best sentence comes
first, then more of all texts as long as there is room; what stands beside a good sentence counts for more,
since it is often needed to understand it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import log

from library.evidence import cited_claims
from library.passages.blocks import blocks
from library.passages.chunking import units
from library.passages.excerpts.list_pieces import PieceList, Span, pieces
from library.text.code_spans import CODE_SPAN
from library.text.sentences import sentences
from library.text.tokenize import terms
from models import estimate
from models.prompting import cut_point, is_wide

GAP = " … "
"""Stands where sentences were left out."""
_WORD = re.compile(r"\S+")
_LEADS = (":", "：")
_LEAST_WINDOW = 45
"""Characters below which a part from the middle of a sentence tells nobody what that is about."""
_LONGEST = 400
"""Characters of one sentence."""
_BESIDE = 0.3
"""Of the worth of the sentences beside it, how much a sentence has."""
_USUAL = 12
"""Terms of a sentence of usual length: longer ones need more in common to be worth the same."""


def excerpts(texts: Sequence[str], about: str | Sequence[str], tokens: int, *, most: int = 0) -> list[str]:
    """Return an excerpt of each text, in the order of the texts, all within so many tokens.

    Each text keeps at least its best sentence, whatever the room: what a prompt names must have some words.

    Args:
        texts: Passages, usually.
        about: What the excerpts should tell about, for all texts or for each of them.
        tokens: For all excerpts together.
        most: Tokens of one excerpt at most; 0 for no limit of its own.
    """
    abouts = [about] * len(texts) if isinstance(about, str) else list(about)
    spans = [_told(text) for text in texts]
    worth = _worth(texts, spans, abouts)
    order = sorted(
        ((-round(w, 9), place, n) for place, own in enumerate(worth) for n, w in enumerate(own)),
    )
    best = {place: n for _, place, n in reversed(order)}
    chosen = {place: {n} for place, n in best.items()}
    size = {p: _size(texts[p], spans[p][n]) for p, n in best.items()}
    left = tokens - sum(size.values())
    for _, place, n in order:
        cost = _size(texts[place], spans[place][n])
        if n not in chosen[place] and cost <= left and (not most or size[place] + cost <= most):
            chosen[place].add(n)
            size[place] += cost
            left -= cost
    return [_joined(text, spans[p], sorted(chosen.get(p, ()))) for p, text in enumerate(texts)]


WHOLE = 120
"""Tokens of a passage up to which a prompt that argues with it shows all of it."""


ARGUED = 260
"""Tokens up to which a passage is shown whole to who answers from it, and to who judges the answer."""
LISTED = 600
"""Tokens up to which they see a list, steps or a table whole."""
_WIDE = 1.5
"""How many more tokens a text of a script has whose signs are tokens by themselves, and says as much."""
_WORTH_CUTTING = 1.25
"""Of what may be shown of a passage: a longer one is cut."""


def whole_or_around(text: str, claims: Sequence[str], tokens: int = WHOLE) -> str:
    """Return a passage as a prompt shows it: all of it, or whole sentences around what is claimed of it.

    Args:
        text: The passage. One of up to `tokens`, or a quarter more, is never cut: that would save nothing.
        claims: What is said of it or asked about it. Of a longer passage the sentences that each rests on
            stay, whatever their length and the room; then those that tell most of all claims, as long as
            there is room. A list or a table counts as one of those where it fits, for who argues with it one
            of up to `LISTED` tokens; a longer one is cut between its items, with what leads to them and how
            many are left out.
        tokens: How much of a longer passage is shown, about.
    """
    told, listed = pieces(text)
    whole = max(tokens, LISTED if tokens >= ARGUED else 0)
    if listed and estimate(text) <= _room(text, whole) * _WORTH_CUTTING:
        return text.strip()
    told, listed = _joined_lists(text, told, listed, _room(text, whole))
    return _around(text, told, claims, tokens, listed)


def parted(text: str, kept: Sequence[Span]) -> str:
    """Return what of a passage holds some spans: whole sentences and items, code with what leads to it.

    Args:
        text: The passage.
        kept: What has to stay; at least one.
    """
    spans, listed = pieces(text)
    chosen = {n for n, (a, b) in enumerate(spans) if any(a < end and start < b for start, end in kept)}
    needed = {n: set(each.needed(n)) for each in listed for n in each.items}
    chosen |= {beside for n in chosen for beside in needed.get(n, ())}
    return _joined(text, spans, sorted(chosen), longest=len(text), listed=listed)


def answer_around(text: str, claims: Sequence[str], tokens: int) -> str:
    """Return what somebody said as `whole_or_around` does; citations stay with the sentence before them.

    Args:
        text: With citations.
        claims: What matters of it.
        tokens: How much of a longer one is shown, about.
    """
    spans: list[Span] = []
    at = 0
    for part in cited_claims(text, sentences):
        begins = at + len(part) - len(part.lstrip())
        spans.append((begins, at + len(part.rstrip())))
        at += len(part)
    return _around(text, [span for span in spans if span[0] < span[1]], claims, tokens)


def _room(text: str, tokens: int) -> int:
    return int(tokens * _WIDE) if is_wide(text) else tokens


def _joined_lists(
    text: str, spans: Sequence[Span], listed: Sequence[PieceList], tokens: int
) -> tuple[list[Span], list[PieceList]]:
    """Return spans and lists, those lists as one span each that are no longer than so many tokens."""
    found, longer, at = list[Span](), list[PieceList](), 0
    for each in listed:
        first = min(each.first, *each.leads) if each.leads else each.first
        found += spans[at:first]
        at = each.items.stop
        if estimate(text[spans[first][0] : spans[at - 1][1]]) <= tokens:
            found.append((spans[first][0], spans[at - 1][1]))
        else:
            longer.append(each.moved(len(found) - first))
            found += spans[first:at]
    return [*found, *spans[at:]], longer


def _around(
    text: str,
    spans: Sequence[Span],
    claims: Sequence[str],
    tokens: int,
    listed: Sequence[PieceList] = (),
) -> str:
    tokens = _room(text, tokens)
    if not spans or estimate(text) <= tokens * _WORTH_CUTTING:
        return text.strip()
    parts = [text[start:end] for start, end in spans]
    told = [set(terms(part)) for part in parts]
    [worth] = _worth([text], [spans], [" ".join(claims)])
    order = sorted(range(len(spans)), key=lambda n: (-round(worth[n], 9), n))
    needed = {n: set(each.needed(n)) for each in listed for n in each.items}
    # `She added:` is no sentence without the next one, nor that without it.
    for n, m in pairwise(range(len(spans))):
        if parts[n].rstrip().endswith(_LEADS) and n not in needed and m not in needed:
            needed[n], needed[m] = {m}, {n}
    chosen = {n for claim in claims for n in _under(set(terms(claim)), told, order)} or {order[0]}
    chosen |= {beside for n in chosen for beside in needed.get(n, ())}
    room = tokens - sum(estimate(parts[n]) for n in chosen)
    for n in order:
        new = {n, *needed.get(n, ())} - chosen
        size = sum(estimate(parts[each]) for each in new)
        if n in new and size <= room:
            chosen |= new
            room -= size
    return _joined(text, spans, sorted(chosen), longest=len(text), listed=listed)


def beginning(text: str, most: int) -> str:
    """Return how a passage begins, in one line of at most so many characters; its headings lead it.

    Cut between words, where there are any, and never within code.
    """
    heads = [" ".join(text[b.start : b.end].split()) for b in blocks(text) if b.form == "heading"]
    told = [text[b.start : b.end] for b in blocks(text) if b.form != "heading"]
    line = " ".join(": ".join([*heads[:1], " ".join(told)] if told else heads).split())
    if len(line) <= most:
        return line
    return line[: cut_point(line, most)].rstrip() + " …"


def resting_line(text: str, claims: Sequence[str], most: int) -> str:
    """Return a passage in one line of at most so many characters: the sentence that claims rest on most.

    Args:
        text: The passage; one that is no longer stands whole.
        claims: What is said of it, the newest last: it counts first.
        most: Characters.
    """
    spans = _told(text)
    line = " ".join(text.split())
    if len(line) <= most or not spans or not claims:
        return beginning(text, most)
    told = [set(terms(text[start:end])) for start, end in spans]
    wanted = [set(terms(claim)) for claim in reversed(claims)]
    best = max(range(len(spans)), key=lambda n: ([len(each & told[n]) for each in wanted], -n))
    start, end = spans[best]
    mark = "… " if best else ""
    sentence = text[start:end]
    if more := _window(" ".join(sentence.split()), wanted, most - len(GAP)):
        return f"… {more}"
    return mark + beginning(sentence, most - len(mark))


def _window(line: str, wanted: Sequence[set[str]], most: int) -> str:
    """Return the part of a line that holds more of what is wanted than its beginning, cut at words.

    Empty where its beginning holds as much, and where it is no longer than so many characters.
    """
    words = [(m.start(), set(terms(m[0]))) for m in _WORD.finditer(line)]
    if len(line) <= most or len(words) < 2 or most < _LEAST_WINDOW:
        return ""

    def held(start: int) -> list[int]:
        told = set[str]().union(*(found for at, found in words if start <= at < start + most))
        return [len(each & told) for each in wanted]

    inside = {n for code in CODE_SPAN.finditer(line) for n in range(code.start() + 1, code.end())}
    starts = [at for at, _ in words if at not in inside]
    best = max(starts, key=lambda at: (held(at), -at))
    if not best or held(best) == held(0):
        return ""
    rest = line[best:]
    return rest if len(rest) <= most else f"{rest[: cut_point(rest, most)].rstrip()} …"


def short_title(title: str, most: int) -> str:
    """Return a title of at most so many characters: of a longer one how it begins and, longer, how it ends.

    Pages of one work begin alike and end differently. Cut between words, where there are any.
    """
    title = " ".join(title.split())
    if len(title) <= most:
        return title
    room = most - len(GAP)
    begins = cut_point(title, room * 2 // 5)
    ends = len(title) - room + begins
    while ends < len(title) - room // 4 and cut_point(title, ends) != ends:
        ends += 1
    return f"{title[:begins].rstrip()}{GAP}{title[ends:].lstrip()}"


def _under(claim: set[str], told: Sequence[set[str]], order: Sequence[int]) -> list[int]:
    """Return the sentences that a claim rests on: those that together hold its terms, as few as do."""
    found: list[int] = []
    left = claim & set[str]().union(*told)
    while left:
        best = max(order, key=lambda n: len(left & told[n]))
        held = left & told[best]
        if found and len(held) < _RESTS and not any(term[0].isdigit() for term in held):
            break
        found.append(best)
        left -= held
    return found


_RESTS = 2
"""Terms of a claim that a further sentence must hold to be one that it rests on; one, where a figure is."""


def _told(text: str) -> list[Span]:
    """Return the spans of a text's sentences without its headings, unless there is nothing else."""
    spans = units(text)
    heads = {text.rfind("\n", 0, block.start) + 1 for block in blocks(text) if block.form == "heading"}
    return [span for span in spans if span[0] not in heads] or spans


def _worth(texts: Sequence[str], spans: Sequence[Sequence[Span]], abouts: Sequence[str]) -> list[list[float]]:
    held = [[set(terms(text[a:b])) for a, b in own] for text, own in zip(texts, spans, strict=True)]
    everywhere = Counter(term for own in held for found in own for term in found)
    count = sum(map(len, held))
    known = {about: set(terms(about)) for about in abouts}
    found = []
    for own, about in zip(held, abouts, strict=True):
        plain = [
            sum(log(1 + count / everywhere[term]) for term in sorted(told & known[about]))
            / (1 + len(told) / _USUAL)
            for told in own
        ]
        padded = [0.0, *plain, 0.0]
        found.append([w + _BESIDE * (padded[n] + padded[n + 2]) for n, w in enumerate(plain)])
    return found


def _size(text: str, span: Span) -> int:
    return estimate(text[span[0] : min(span[1], span[0] + _LONGEST)]) + 1


def _joined(
    text: str,
    spans: Sequence[Span],
    chosen: Sequence[int],
    longest: int = _LONGEST,
    listed: Sequence[PieceList] = (),
) -> str:
    """Return the chosen sentences in order, with a mark where some are left out; of items, how many."""
    if not chosen:
        return ""
    ends = [-1, *chosen, len(spans)]
    parts = list[str]()
    for before, n in pairwise(ends):
        if n > before + 1:
            parts.append(_gap(range(before + 1, n), listed))
        elif before >= 0 and n < len(spans):
            parts.append(text[spans[before][1] : spans[n][0]])
        if n < len(spans):
            told = text[slice(*spans[n])]
            parts.append(told if len(told) <= longest else told[: cut_point(told, longest)].rstrip() + " …")
    return "".join(parts).strip()


def _gap(missing: range, listed: Sequence[PieceList]) -> str:
    """Return the mark of what is left out between sentences: where it is of a list, with how many items."""
    counts = [(sum(n in each.items for n in missing), each.count) for each in listed]
    told = [f"({gone} of {count} items left out)" for gone, count in counts if gone]
    return f"\n{GAP.strip()} {', '.join(told)} {GAP.strip()}\n" if told else GAP
