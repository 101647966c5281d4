"""What models are shown of evidence and answers when a report is written, and how lengths are told."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from library import Evidence, Passage, cite, is_inference, strip_citations
from library.claims import weight_of
from library.passages import WHOLE, answer_around, copies, holders, short_title, whole_or_around
from library.text import byline, cut_line, sentences
from models import Frozen, estimate
from models.prompting import cut, data_block, even_level, told_directions
from reports.cite.cited_sentences import CitedSentence, cited_sentences
from reports.cite.source_names import source_name
from reports.extract.page_units import begins_under, table_around


class PromptPassage(Frozen):
    """A passage as the writer sees it."""

    id: str
    text: str
    title: str
    source: str
    """The source's url."""
    start: int = 0
    """Where the passage begins in its source."""
    under: str = ""
    """The heading that it begins under there, for the embedded model; no other is shown it."""
    table: tuple[tuple[str, ...], int] = ((), 0)
    """The heads of the table that it begins in the midst of, and the rows of its longest one, likewise."""
    published: str | None = None
    by: str | None = None
    """What its source says of itself below its title; None where that is not known, or stands in the text."""
    weight: str | None = None
    """What speaks against its source, or for it, in a few words."""


_GIVEN, _LEAST_GIVEN = 400, 120
"""Tokens of one of the discussion's answers up to which all of it is shown, and of one at least."""
_LONGER = 1.3
"""Times those that what matters of an answer may have."""


def unit_of_length(language: str) -> tuple[str, int]:
    """Return what a writer of a language counts, and how many of these are a word."""
    return ("characters", 2) if language.lower().partition("-")[0] in ("zh", "ja") else ("words", 1)


def told_length(words: int, language: str, least: int = 0) -> str:
    """Return a length as a writer can count it: in words, or in characters where words are not parted."""
    unit, each = unit_of_length(language)
    return f"{' to '.join(f'{n * each}' for n in (least, words) if n)} {unit}"


def in_parts(topic: str, parts: Sequence[str] = (), directions: Sequence[str] = ()) -> str:
    """Print what was asked, below it its parts, numbered from 1, and the directions of who asked."""
    told = told_directions(directions)
    return "\n".join([topic, *(f"  {n}. {part}" for n, part in enumerate(parts, 1)), *filter(None, [told])])


def given(answers: Sequence[tuple[str, str]], topic: str, tokens: int) -> str:
    """Print questions and answers of the discussion; nothing where there are none.

    Args:
        answers: Each question with its answer. Those to the topic itself stand first and whole; of other long
            ones stand the beginning, what was concluded, and what bears on the topic.
        topic: What was asked.
        tokens: For all of them, about: each has its share.
    """
    closing = [(q, a) for q, a in answers if q == topic]
    others = [(q, a) for q, a in answers if q != topic]
    left = tokens - sum(estimate(a) for _q, a in closing)
    share = max(_LEAST_GIVEN, min(_GIVEN, left // max(len(others), 1)))
    told = [(q, _shortened(a, topic, share)) for q, a in others]
    return "\n".join(
        data_block("answer", f"Question: {q}\n{text or 'Not answered.'}") for q, text in [*closing, *told]
    )


def _shortened(answer: str, topic: str, tokens: int) -> str:
    """Return what a long answer begins with, what was concluded and what bears on the topic.

    Of many conclusions the last stands for all: the answer to the topic itself, which took them up, would
    have no room beside them.
    """
    first, concluded = first_sentence(answer), _concluded(answer)
    text = answer_around(answer, [topic, *first, *concluded], tokens)
    if estimate(text) > _LONGER * tokens:
        text = answer_around(answer, [*first, *concluded[-1:]], tokens)
    return text


def _concluded(answer: str) -> list[str]:
    """Return the sentences of an answer that are marked as conclusions."""
    return [s.text for s in cited_sentences(answer, sentences) if is_inference(s.text)]


def points(lines: Sequence[str]) -> str:
    """Print lines as the points of a list."""
    return "\n".join(f"- {line}" for line in lines)


def first_sentence(text: str) -> list[str]:
    """Return a text's first sentence, which mostly is the main one, in a list; none of an empty text."""
    return [sentence.text for sentence in cited_sentences(text, sentences)[:1]]


WRITTEN = 400
"""Tokens of a passage up to which whoever writes from it sees all of it."""


_SOURCE = 120
"""Characters of a source's name."""


def show(passages: Sequence[PromptPassage], claims: Mapping[str, Sequence[str]], tokens: int = WHOLE) -> str:
    """Print passages for a prompt, each as `whole_or_around` cuts it; one text of several ids stands once.

    Args:
        passages: A source is named once for passages of it that follow each other.
        claims: By id, what is said of it or asked about it: that part of a long passage is never cut.
        tokens: A passage of up to so many is never cut.
    """
    blocks: list[str] = []
    before = ""
    for same in copies([p.text for p in passages], [p.title for p in passages]):
        group = [passages[n] for n in same]
        first = group[0]
        text = whole_or_around(first.text, [claim for p in group for claim in claims.get(p.id, ())], tokens)
        ids = " ".join(p.id for p in group)
        name = source_name(first.title, first.source, first.text)
        source = None if first.source == before else short_title(name, _SOURCE)
        by = first.by and cut_line(first.by, _SOURCE) if source else None
        told = {"source": source, "by": by, "published": first.published, "weight": first.weight}
        blocks.append(data_block("passage", text, id=ids, **told))
        before = first.source
    return "\n".join(blocks)


def lines_of(
    passages: Sequence[tuple[str, str]],
    topic: str,
    answers: Sequence[str],
    starred: Collection[str] = (),
    sources: Mapping[str, str] | None = None,
) -> str:
    """Print many passages to choose from, a line each: what answers rest on as `show` does, the rest shorter.

    None is left out but what another says word for word and nothing marks: where they are too many the
    longest lines give way.

    Args:
        passages: Ids and texts.
        topic: What was asked.
        answers: What was said to it, with citations.
        starred: Passages that are marked with a star.
        sources: By id, what a passage's source is called: said once for those that follow each other.
    """
    said = cited_by(answers)
    passages = _without_copies(passages, {*said, *starred})
    about = " ".join([topic, *map(strip_citations, answers)])
    room = max(_LEAST_SHOWN, min(WHOLE, _LINES // max(len(passages), 1)))
    each = max(_LEAST_RESTED_ON, min(WHOLE, _RESTED_ON // max(len(said.keys() & dict(passages)), 1)))
    told = [
        " ".join(whole_or_around(text, said.get(i, [about]), each if i in said else room).split())
        for i, text in passages
    ]
    level = even_level([estimate(words) for words in told], _ALL_LINES)
    lines, before = list[str](), ""
    for (i, text), words in zip(passages, told, strict=True):
        source = (sources or {}).get(i, "")
        named = f"({source}) " if source not in ("", before) else ""
        kept = words
        if estimate(words) > level:
            kept = _first_lines(whole_or_around(text, said.get(i, [about])[-1:], level), level)
        lines.append(f"{i}{'*' if i in starred else ''} {named}{kept}")
        before = source
    return "\n".join(lines)


def _without_copies(passages: Sequence[tuple[str, str]], kept: Collection[str]) -> Sequence[tuple[str, str]]:
    """Return passages without those that say no more than another does, but for some ids."""
    held = holders([text for _, text in passages])
    left = set[int]()
    for n, (i, _) in enumerate(passages):
        if i not in kept and any(m not in left for m in held[n]):
            left.add(n)
    return [each for n, each in enumerate(passages) if n not in left]


def _first_lines(text: str, tokens: int) -> str:
    """Return a text in one line, its first words where it is longer; of code whole lines, one at least.

    A first line of code that is much longer than what there is room for is cut, too.
    """
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    kept, in_code, room = list[str](), False, tokens
    for line in lines:
        first = in_code and kept[-1].startswith(_FENCE)
        if estimate(line) + 1 > room and not (first and estimate(line) <= _LONG_LINE * tokens):
            whole = (in_code and not first) or room < _SOME_WORDS
            rest = [] if whole else [cut(line, room, estimate)]
            return " ".join([*kept, *(rest or ["…"]), *([_FENCE] if in_code else [])])
        in_code ^= line.startswith(_FENCE)
        kept.append(line)
        room -= estimate(line) + 1
    return " ".join(kept)


_FENCE = "```"
_LONG_LINE = 3
"""Times the room that a first line of code may take."""
_SOME_WORDS = 4
"""Tokens of a line below which the rest of a room tells nothing."""
_LINES, _LEAST_SHOWN = 4000, 24
"""Tokens of all passages that are shown to be chosen from, about, and of one that no answer rests on."""
_RESTED_ON, _LEAST_RESTED_ON = 7000, 48
"""The same for those that answers rest on."""
_ALL_LINES = 6500
"""Tokens of all of them at most: a prompt that gets too long would lose its last passages whole."""


def cited_by(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return for each passage the sentences of some texts that cite it, without their citations."""
    found: dict[str, list[str]] = {}
    for text in texts:
        for sentence in cited_sentences(text, sentences):
            for passage in sentence.citations:
                found.setdefault(passage, []).append(sentence.text)
    return found


def cited_as_shown(answer: str, shown_ids: Collection[str]) -> str:
    """Return an answer with citations of passages that are shown alone.

    A sentence that rests on others too is left out, but for a conclusion: the passages that are left may not
    say what it says.
    """
    return " ".join(
        f"{sentence.text} {cite(i for i in sentence.citations if i in shown_ids)}".strip()
        for sentence in cited_sentences(answer, sentences)
        if rests_on_shown(sentence, shown_ids)
    )


def rests_on_shown(sentence: CitedSentence, shown_ids: Collection[str]) -> bool:
    """Tell whether all that a sentence rests on is shown, or nothing of it; or it is a conclusion."""
    held = {i in shown_ids for i in sentence.citations}
    return len(held) < 2 or is_inference(sentence.text)


def sources_of(passage_ids: Sequence[str], evidence: Evidence) -> dict[str, str]:
    """Return by id what the sources of passages are called, as a prompt names them."""
    held = {i: evidence.passages[i] for i in passage_ids}
    return {i: short_title(source_name(p.title, p.url, p.text), _SOURCE) for i, p in held.items()}


def shown(passage_ids: Sequence[str], evidence: Evidence) -> list[PromptPassage]:
    """Return passages as a model sees them."""
    return [
        PromptPassage(
            id=i,
            text=p.text,
            title=p.title,
            source=p.url,
            start=p.start,
            under=begins_under(p, evidence),
            table=table_around(p, evidence),
            published=p.published,
            by=_by(p, evidence),
            weight=weight_of(p),
        )
        for i in dict.fromkeys(passage_ids)
        if (p := evidence.passages.get(i)) is not None
    ]


def _by(passage: Passage, evidence: Evidence) -> str | None:
    """Return the byline of a passage's source where the passage does not hold it."""
    source = evidence.sources.get(passage.sha256)
    below = byline(source.text) if source else None
    return below.words if below and not passage.start <= below.start < passage.end else None
