"""The last pass over the whole: a model may reword, but touch no citation and no fact."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from library import citations, cite, is_inference, marks_within, strip_citations
from library.claims import missing_figures
from library.text import CJK, terms
from reports.brief import Brief
from reports.cite.lead_ins import in_their_paragraphs, led_to
from reports.document import Section, Sentence
from reports.plan.layout import IN_ORDER, needed_there, said_by, says_no_more, told
from reports.settings import ReportSettings
from reports.tasks.editing_tasks import Edits, SmoothReport
from reports.verify.check import Checker
from reports.verify.kept_reviews import Reviews
from reports.verify.review import claims
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest, nothing

_OWN_WORDS = 4
"""Index terms that an edit may bring to a sentence: enough to join it to the one before."""
_TAKEN_IN = 0.6
"""Share (0 to 1) of a sentence's further words that an edit has which took it in."""
_SIGNS = re.compile(f"[{CJK}]")
"""Writing whose index terms are pairs of signs: a word of two brings up to three of them."""


def smoothing(
    sections: Sequence[Section],
    brief: Brief,
    settings: ReportSettings,
    reviews: Reviews,
    opening: Section | None = None,
) -> BatchedRequest[dict[int, str]]:
    """Ask for one pass over the whole: edits by number (from 1, through the report).

    Sections that it saw before, as they are, are not shown again: what was made of them stands.
    """
    written = [s for section in sections for s in section.sentences if s.support != "quoted"]
    if not settings.smooth or not written:
        return nothing({})
    starts = [sum(len(x.sentences) for x in sections[:i]) for i in range(len(sections))]
    changed = [i for i, section in enumerate(sections) if not reviews.seen(section)]
    known = {
        start + n: edit
        for i, start in enumerate(starts)
        if i not in changed
        for n, sentence in enumerate(sections[i].sentences, 1)
        if (edit := reviews.edit(sentence)) is not None and edit != sentence.text
    }
    if not changed:
        return nothing(known)
    first = opening.sentences if opening else []
    task = SmoothReport(
        topic=brief.topic,
        language=brief.language,
        sections=told([sections[i] for i in changed]),
        opening=[f"{s.text} {cite(s.citations)}" for s in first if s.citations],
    )
    places = [starts[i] + n for i in changed for n in range(1, len(sections[i].sentences) + 1)]

    def read(replies: list[Edits]) -> dict[int, str]:
        asked = {edit.n: edit.text for edit in reversed(replies[0].edits)}
        made = {place: asked[n] for n, place in enumerate(places, 1) if n in asked}
        every = [sentence for section in sections for sentence in section.sentences]
        for place in places:
            reviews.edited(every[place - 1], made.get(place, every[place - 1].text))
        return known | made

    return BatchedRequest([task], read)


def apply_edits(
    sections: Sequence[Section],
    wanted: dict[int, str],
    checker: Checker,
    reviews: Reviews,
    opening: Section | None = None,
) -> list[Section]:
    """Apply edits by number (from 1, through the report), without those that touch what they may not.

    A sentence is left out, one that fails too, only where every passage that it cites is cited by another
    that stands, in the opening too, and where no edit that was to take it in was refused: both are done, or
    neither. What a judge refused of it goes with it, and into no other sentence, which nobody would judge.
    A step or code is left out only where another sentence of the sections says it. Why an edit is refused is
    kept in the reviews, and so in the journal.
    """
    every = dict(enumerate((s for section in sections for s in section.sentences), 1))
    places = [n for n in wanted if n in every]
    gone = [every[n] for n in places if not plain(wanted[n])]
    edited, refused = _each_edited(every, {n: wanted[n] for n in places}, gone, checker)
    cited = {i for sentence in edited.values() if sentence is not None for i in sentence.citations}
    cited.update(i for sentence in (opening.sentences if opening else []) for i in sentence.citations)
    merging = [_words_of(wanted[n]) for n in refused]
    leading = _leading(sections)
    # Where the one behind it was to be told otherwise, and is not, it says still what that leans on.
    needed = _needed(sections, edited) | {n for n in _with_one_behind(sections) if n + 1 in refused}
    for n, sentence in every.items():
        if edited[n] is not None:
            continue
        own = set(sentence.citations)
        staying = (s for m, s in edited.items() if m != n and s is not None)
        if sentence.form in IN_ORDER and not says_no_more(sentence, said_by(staying)):
            refused[n] = "it is a step, or code, that no other section tells"
        elif any(edited[m] is not None for m in leading.get(n, ())):
            refused[n] = "it leads to what stands behind it"
        elif not own <= cited:
            refused[n] = "left out, it would leave a passage untold"
        elif _was_to_go_into(merging, sentence):
            refused[n] = "what was to take it in was refused"
        elif n in needed:
            refused[n] = "its heading, or the sentence behind it, speaks of what it names"
        if n in refused:
            edited[n] = sentence
            cited.update(own)
    for n, reason in _without_what_stays(edited, refused, wanted, every).items():
        edited[n], refused[n] = every[n], reason
    for n in places:
        reviews.edit_refused(every[n], refused.get(n, ""))
    return _as_edited(sections, edited)


def _each_edited(
    every: Mapping[int, Sentence], wanted: Mapping[int, str], gone: Sequence[Sentence], checker: Checker
) -> tuple[dict[int, Sentence | None], dict[int, str]]:
    """Return all sentences by number as edits leave them, and why some edits are refused."""
    edited: dict[int, Sentence | None] = dict(every)
    refused: dict[int, str] = {}
    for n, text in wanted.items():
        try:
            edited[n] = _edited(every[n], text, gone, checker)
        except _Refused as why:
            refused[n] = str(why)
    return edited, refused


def _as_edited(sections: Sequence[Section], edited: dict[int, Sentence | None]) -> list[Section]:
    """Return the sections with what became of their sentences, by number from 1 through the report."""
    found, n = list[Section](), 0
    for section in sections:
        numbers = range(n + 1, n + 1 + len(section.sentences))
        n += len(section.sentences)
        sentences = in_their_paragraphs(section.sentences, [edited[number] for number in numbers])
        # An editor that would empty a section has misread its order: the section stays.
        found.append(section.model_copy(update={"sentences": sentences}) if sentences else section)
    return found


def _words_of(text: str) -> tuple[set[str], set[str]]:
    """Return what a text cites, and its terms."""
    return set(citations(text)), set(terms(strip_citations(text)))


def _was_to_go_into(merging: Sequence[tuple[set[str], set[str]]], sentence: Sentence) -> bool:
    """Tell whether one of some texts, given by citations and terms, was to take in a sentence."""
    own = set(sentence.citations)
    return any(own <= ids if own else says_no_more(sentence, [(ids, words)]) for ids, words in merging)


def _without_what_stays(
    edited: Mapping[int, Sentence | None],
    refused: Mapping[int, str],
    wanted: Mapping[int, str],
    every: Mapping[int, Sentence],
) -> dict[int, str]:
    """Return which edits were to take in a sentence that stays after all, with why they are refused.

    Such an edit cites all that the sentence cites, and has most of its words beyond those that it had before.
    """
    found = {}
    for n in (n for n in refused if not plain(wanted.get(n, "")) and edited[n] is every[n]):
        ids, words = set(every[n].citations), set(terms(every[n].text))
        for m, text in wanted.items():
            if m not in every or edited[m] is every[m] or not plain(text):
                continue
            cited, said = _words_of(text)
            new = words - set(terms(every[m].text))
            if ids <= cited and new and len(new & said) >= _TAKEN_IN * len(new):
                found[m] = f"what it was to take in stays: {n}"
    return found


def _needed(sections: Sequence[Section], edited: dict[int, Sentence | None]) -> set[int]:
    """Return the numbers, from 1 through the report, of sentences that leave and are needed there.

    What fails says nothing that could be needed.
    """
    found, first = set[int](), 1
    for section in sections:
        numbers = range(first, first + len(section.sentences))
        now = [edited[n] or s for n, s in zip(numbers, section.sentences, strict=True)]
        leaving = {n - first for n in numbers if edited[n] is None}
        as_edited = section.model_copy(update={"sentences": now})
        needed = needed_there(as_edited, leaving)
        found |= {first + n for n in needed if section.sentences[n].support != "unsupported"}
        first += len(section.sentences)
    return found


def _with_one_behind(sections: Sequence[Section]) -> set[int]:
    """Return the numbers, through the report, of sentences that another one of their paragraph follows."""
    every = [(i, s) for i, section in enumerate(sections) for s in section.sentences]
    pairs = enumerate(pairwise(every), 1)
    return {n for n, ((i, _), (j, behind)) in pairs if i == j and not behind.paragraph}


def _leading(sections: Sequence[Section]) -> dict[int, list[int]]:
    """Return the numbers, from 1 through the report, of what sentences lead to."""
    found: dict[int, list[int]] = {}
    first = 1
    for section in sections:
        told = section.sentences
        found |= {first + n: [first + m for m in led_to(told, n)] for n in range(len(told))}
        first += len(told)
    return found


class _Refused(Exception):
    """An edit goes too far; its words say how."""


def _edited(sentence: Sentence, text: str, gone: Sequence[Sentence], checker: Checker) -> Sentence | None:
    """Return a sentence as edited, None where it is left out.

    Args:
        sentence: As it was.
        text: As the editor wants it.
        gone: Sentences that the editor leaves out: an edited one may take them in, with their citations.
        checker: Rules that the new sentence has to pass.

    Raises:
        _Refused: the edit goes too far.
    """
    if sentence.support == "quoted":
        raise _Refused("it is a quotation")
    if sentence.support == "unsupported" and plain(text):
        raise _Refused("it fails, and is repaired as it was judged")
    if plain(text) and sentence.form == "code":
        raise _Refused("it is code, which stands as its source has it")
    text = marks_within(plain(text))
    if not text:
        return None
    words, ids = strip_citations(text), set(citations(text))
    own = set(sentence.citations)
    near = [s for s in gone if set(s.citations) <= ids and s.support != "unsupported"]
    within = [s for s in near if not set(s.citations) <= own]
    if not words or ids != own.union(*(s.citations for s in within)):
        raise _Refused("its citations are not those of the sentences that it is made of")
    before = " ".join([sentence.text, *(s.text for s in within)])
    # What goes and rests on passages of its own is taken in whole; of the rest its words may come.
    around = " ".join([before, *(s.text for s in near if s not in within)])
    if refused := _refused_words(words, sentence, gone):
        raise _Refused(f"it takes over what was refused: {', '.join(refused)}")
    # No figure may come but those of what the report is about, and none may go.
    if figures := missing_figures(words, [around, checker.topic]) or missing_figures(before, [words]):
        raise _Refused(f"figures differ: {', '.join(figures)}")
    # The judge read it as it was: an edit joins and shortens, and says nothing of its own.
    known = set(terms(f"{around} {checker.topic}"))
    brought = [term for term in dict.fromkeys(terms(words)) if term not in known]
    if len(brought) > _OWN_WORDS * (2 if _SIGNS.search(words) else 1):
        raise _Refused(f"it brings words of its own: {', '.join(brought)}")
    support = "partial" if any(s.support == "partial" for s in within) else sentence.support
    new = sentence.model_copy(update={"text": words, "citations": list(dict.fromkeys(citations(text)))})
    checked = checker.sentence(new.model_copy(update={"support": "unchecked", "reason": None}))
    if checked.support != "unchecked" or not claims([checked]):
        raise _Refused(checked.reason or f"checked, it would be {checked.support}")
    if support == "partial" and not within and not is_inference(words) and _is_rid(words, sentence):
        return new.model_copy(update={"support": "supported", "reason": None})
    return new.model_copy(update={"support": support})


def _is_rid(words: str, sentence: Sentence) -> bool:
    """Tell whether an edit left out of a sentence, borne in part, all the words that were refused of it."""
    refused = set(terms(_words_refused(sentence)))
    return bool(refused) and not refused & set(terms(words))


def _words_refused(sentence: Sentence) -> str:
    """Return the words that a judge refused of a sentence, by its reason; empty where that names none."""
    return (sentence.reason or "").partition(": ")[2]


def _refused_words(words: str, sentence: Sentence, gone: Sequence[Sentence]) -> list[str]:
    """Return the terms of new words that a sentence lacks and that were refused in others, which go."""
    refused = {
        term
        for s in gone
        if s.support in ("partial", "unsupported")
        for term in terms(_words_refused(s) or s.text)
    }
    brought = set(terms(words)) - set(terms(sentence.text))
    return sorted(brought & refused)
