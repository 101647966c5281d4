"""Sentences that lead to what follows: a list, code (`The options are:`) or a paragraph (`It has two gaps.`).

They are cited with that; those before a list or code stay and go with it.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from library.passages import word_count
from library.text import terms
from reports.document import Sentence

_COLONS = (":", "：")
_MOST = 6
"""Passages that a sentence is said to rest on for what it leads to."""
_JOINING = 14
"""Words of a sentence that only joins others, at most."""
_COUNTS = re.compile(
    r"\b(?:two|three|four|five|six|both)\b|\b(?!(?:this|its|was|has|does|always|as|is)\b)\w\w+[^su\W]s\b|[两二三四五六多几各]",
    re.IGNORECASE,
)
"""Says that what follows is more than one."""
_TELLING = re.compile(r"\d|[`“”\"]|(?<=[a-z,;:] )[A-Z]")
"""What a sentence tells by: figures, code, quotations, and capitals within it, of names."""


def joins(sentence: Sentence) -> bool:
    """Tell whether a sentence cites nothing and claims nothing that a passage could say, as by its form.

    It is short, and holds no figure, no name, no code and no quotation.
    """
    return not sentence.citations and _only_joins(sentence)


def _only_joins(sentence: Sentence) -> bool:
    short = word_count(sentence.text) <= _JOINING
    return short and sentence.form == "prose" and not _TELLING.search(sentence.text)


def joined_in_vain(sentences: Sequence[Sentence], at: int) -> bool:
    """Tell whether a sentence that only joined others got their citations, and says more than they do.

    Nobody claimed that they say it: it goes, where a sentence that was cited is told with what it lacks.
    """
    said = sentences[at]
    if said.support != "partial" or not _only_joins(said):
        return False
    return said.citations == _cited_at(sentences, _borne_by(sentences, at))


def led_to(sentences: Sequence[Sentence], at: int) -> range:
    """Return the places of the list or the code that a sentence leads to; none where it leads to nothing."""
    first = at + 1
    if not sentences[at].text.rstrip().endswith(_COLONS) or first >= len(sentences):
        return range(0)
    if sentences[at].form == "code":
        return range(0)
    end = first
    if sentences[first].form == "code":
        while end < len(sentences) and sentences[end].form == "code":
            end += 1
    elif _opening(sentences, at).form == "prose" and sentences[first].form in ("step", "point"):
        while end < len(sentences) and not (sentences[end].paragraph and sentences[end].form == "prose"):
            end += 1
    elif _opening(sentences, at).form == "step" and sentences[first].form == "point":
        while end < len(sentences) and not (sentences[end].paragraph and sentences[end].form != "point"):
            end += 1
    return range(first, end)


def with_their_citations(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return sentences, those that cite nothing and lead to what follows with what that cites.

    A sentence that only joins, and opens a paragraph of several that cite, leads to these: without it they
    would hang in the air. It cites what the next does, which it leads to first, and what that one does which
    has most of its words; or all (`It has two gaps.`). A judge reads it as any other.
    """
    found = []
    for n, sentence in enumerate(sentences):
        followed = led_to(sentences, n) or (_borne_by(sentences, n) if joins(sentence) else range(0))
        own = sentence.citations or _cited_at(sentences, followed)
        found.append(sentence.model_copy(update={"citations": own}))
    return found


def _cited_at(sentences: Sequence[Sentence], places: Iterable[int]) -> list[str]:
    """Return what sentences at some places cite, each once, the first ones."""
    return list(dict.fromkeys(i for n in places for i in sentences[n].citations))[:_MOST]


def _borne_by(sentences: Sequence[Sentence], at: int) -> Sequence[int]:
    """Return the places of what bears a sentence out that opens a paragraph: the next, and by its words."""
    behind = [n for n in _behind(sentences, at) if sentences[n].citations]
    own = set(terms(sentences[at].text))
    shared = [len(own & set(terms(sentences[n].text))) for n in behind]
    if not any(shared) and _COUNTS.search(sentences[at].text):
        return behind
    return list(dict.fromkeys([behind[0], behind[shared.index(max(shared))]])) if behind else []


def without_repeated(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return sentences as they are shown: what only leads to a list cites nothing that its points cite again.

    `There are two ways:` says nothing that a reader would look up before the ways themselves.
    """
    found = []
    for n, sentence in enumerate(sentences):
        points = [sentences[m] for m in led_to(sentences, n) if sentences[m].form != "code"]
        said = {i for point in points for i in point.citations}
        bare = sentence.model_copy(update={"citations": []})
        repeats = bool(points) and said.issuperset(sentence.citations) and joins(bare)
        found.append(bare if repeats else sentence)
    return found


def _behind(sentences: Sequence[Sentence], at: int) -> range:
    """Return the places of the prose that a sentence opens, where several of it cite; else none."""
    end = at + 1
    while end < len(sentences) and sentences[end].form == "prose" and not sentences[end].paragraph:
        end += 1
    several = sum(bool(s.citations) for s in sentences[at + 1 : end]) > 1
    return range(at + 1, end if sentences[at].paragraph and several else at + 1)


def left_out(sentences: Sequence[Sentence], gone: Collection[int], *, kept: bool = False) -> list[Sentence]:
    """Return sentences without some, and without those that led to nothing else.

    Of a step whose code goes the words stay. What stands behind a paragraph's lost first sentence opens it.

    Args:
        sentences: Of one section.
        gone: Places of those that go.
        kept: One of them that leads to something which stays, stays too.
    """
    away = set(gone)
    ended = set[int]()
    for n in reversed(range(len(sentences))):
        block = led_to(sentences, n)
        if not block:
            continue
        if away.issuperset(block):
            (away if sentences[n].form == "prose" else ended).add(n)
        elif kept:
            away.discard(n)
    left = [
        None if n in away else s.model_copy(update={"text": _ended(s.text) if n in ended else s.text})
        for n, s in enumerate(sentences)
    ]
    return in_their_paragraphs(sentences, left)


def in_their_paragraphs(old: Sequence[Sentence], left: Sequence[Sentence | None]) -> list[Sentence]:
    """Return what is left of sentences; what stands behind a paragraph's lost first one opens it.

    Args:
        old: As they were.
        left: What became of each; None of one that goes.
    """
    found, opens = list[Sentence](), False
    for was, now in zip(old, left, strict=True):
        opens = opens or was.paragraph
        if now is not None:
            found.append(now.model_copy(update={"paragraph": now.paragraph or opens}))
            opens = False
    return found


def _opening(sentences: Sequence[Sentence], at: int) -> Sentence:
    """Return the sentence that opens the paragraph in which one stands."""
    return next((sentences[n] for n in range(at, -1, -1) if sentences[n].paragraph), sentences[0])


def _ended(text: str) -> str:
    text = text.rstrip()
    return text[:-1].rstrip() + ("。" if text.endswith("：") else ".")
