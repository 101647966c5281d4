"""Does each sentence stand in the passages it cites? What can be told without a model; pure.

A sentence is `quoted` when its quoted words stand in a cited passage and make up most of it, `unsupported`
when a citation, a quotation, a number, a date or a name in it has nothing behind it, when it denies what the
passage says or has its names the other way round, and otherwise `unchecked`: that its words resemble the
passage's is no proof. Denials in other words, added details and most wrong relations between right names are
not seen here; a judge (`reports.verify.review`) sees more.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from library import Evidence, Passage, Source, detect, is_inference, strip_citations
from library.claims import (
    TYPED,
    abbreviations,
    denied_otherwise,
    exchanged,
    full_names,
    kinds_of,
    missing_figures,
    missing_names,
    name_lexicon,
    origins,
    swapped_figures,
    years_named,
)
from library.passages import headings_above, terms_above, word_count
from library.text import CODE_SPAN, DATE_LANGUAGES, byline, code_span, code_spans
from reports.cite.source_names import source_name
from reports.document import Report, Resting, Section, Sentence, Summary, Support
from reports.extract.quotations import key
from reports.tables.charts import refusal
from reports.verify.composed_commands import KnownTexts, Told, is_composed
from reports.verify.composed_queries import is_query_composed
from reports.verify.typed_code import code_lines, holds_lines, holds_plainly, holds_typed, placeholders
from reports.visible_text import dated, host

QUOTED_SHARE = 0.6
"""The share of a sentence's words that must be quotation for the sentence to count as quoted."""

_NEARLY = 0.7
"""The share of their words that two sentences must have in common to be nearly the same."""
_NOUNS_LIKE_NAMES = {"de", "lb"}
_LARGE = re.compile(r"(?!3[01]$|[12]?\d$)\d[\d.,]*")
_SPELLED_READ = {"en", "zh"}
_SMALL = re.compile(r"\d|1[0-2]")
"""Numbers that passages usually spell; only English and Chinese words for them are known."""
_FEW = {"two", "three", "four"}
_OF_NAMED = re.compile(
    r"\b(?:the|these|those) (two|three|four)"
    r"(?=$|[,.;:)]|\s(?:\w+ed|were|are|had|have|did|do|would|could|also|both|who)\b)",
    re.IGNORECASE,
)
"""A count in the place of what was named: `most of those who followed the two cited …`."""
_STOP = re.compile(r"(?<=[.!?])\s+(?=[^a-z])|(?<=[。！？])|\n\s*\n")
_JUDGED = ("supported", "inferred", "partial", "unsupported")
_ATTRIBUTED = re.compile(
    r"^\s*(?:The\s+)?(?:[A-Z][\w’'-]{0,40}\s+(?:(?:and|of|for|on|the)\s+){0,2}){1,12}(?=[a-z])"
)
"""Who is said to conclude something, at the beginning of a sentence marked as a conclusion."""
_HEADLINE = re.compile(
    r"\b(?:headline[sd]?|entitled|titled|Schlagzeilen?|Überschrift(?:en)?|betitelt|titr(?:e|es|é|ée)|manchetes?"
    r"|titular(?:es)?|titulad[oa]|titol[oi]|intitolat[oa])\b|заголов\w{1,4}\b|标题|標題|見出し",
    re.IGNORECASE,
)
"""A sentence tells what a source is called."""
_QUOTATION = re.compile(r"“([^“”]+)”")
_CODE_SIGNS = re.compile(r"\w=\S|(?:^|\s)--?[A-Za-z]|\w_\w|::")
"""In a quotation: what is typed stands between its marks."""
_COMMAND_SIGNS = re.compile(r"\w=\S|(?:^|\s)--[A-Za-z]|::")
"""In a quotation: a command stands there, which may be put together; words of a sentence may not."""


def check_report(report: Report, evidence: Evidence) -> Report:
    """Return the report with each sentence's support as far as rules can tell, and the summary counted."""
    checker = Checker(evidence, report.topic, report.language)
    sections = [checker.section(section) for section in report.sections]
    # What the discussion rested on is the session's to say; the report alone does not tell.
    rested = {"resting": report.summary.resting, "resting_told": report.summary.resting_told}
    summary = summarize(sections, evidence).model_copy(update=rested)
    return report.model_copy(update={"sections": sections, "summary": summary})


class Checker:
    """The rules, with what they need to know of the whole evidence."""

    def __init__(self, evidence: Evidence, topic: str = "", language: str = "en") -> None:
        """Take the evidence, and the topic and language of the report, whose sentences may name the topic."""
        self._evidence = evidence
        self.topic = topic
        """What the report is about; empty: unknown."""
        self._years = years_named(topic)
        self._language = language
        self._lexicon = name_lexicon(passage.text for passage in evidence.passages.values())
        self._full = full_names(passage.text for passage in evidence.passages.values())
        self._short = abbreviations(passage.text for passage in evidence.passages.values())
        self._known = KnownTexts([passage.text for passage in evidence.passages.values()])

    def section(self, section: Section) -> Section:
        """Return the section with its sentences checked, and without charts that cannot be traced."""
        told = section.sentences
        sentences = [
            self.sentence(sentence, concluded=_concluded(told, n)) for n, sentence in enumerate(told)
        ]
        charts = [chart for chart in section.charts if refusal(chart, self._evidence) is None]
        return section.model_copy(update={"sentences": sentences, "charts": charts})

    def sentence(self, sentence: Sentence, *, concluded: bool = False) -> Sentence:
        """Return the sentence with its support and, where something is amiss, the reason that names it.

        What a judge said stays where the rules have nothing to say against it.

        Args:
            sentence: It.
            concluded: It is code that belongs to a sentence which is marked as a conclusion.
        """
        known = {
            "became": self._evidence.became(sentence.citations),
            "rests": self._rests(sentence.citations),
        }
        sentence = sentence.model_copy(update=known)
        support, reason = self._judge(sentence, concluded=concluded)
        if support == "unchecked" and sentence.support in _JUDGED and sentence.citations:
            return sentence
        return sentence.model_copy(update={"support": support, "reason": reason})

    def _rests(self, ids: Sequence[str]) -> Resting:
        """Return on how many sources some passages stand, of how many origins and of what kinds."""
        held = self._evidence
        shas = dict.fromkeys(held.passages[i].sha256 for i in ids if i in held.passages)
        sources = _read_ones(held, shas)
        different = len(set(origins(sources).values()))
        doubted = bool(sources) and all(source.trust == "doubt" for source in sources)
        return Resting(sources=len(sources), origins=different, kinds=kinds_of(sources), doubted=doubted)

    def _judge(self, sentence: Sentence, *, concluded: bool) -> tuple[Support, str | None]:
        if not sentence.citations:
            return "unchecked", "no citation"
        held = self._evidence.passages
        if unknown := [i for i in sentence.citations if i not in held]:
            return "unsupported", f"no such passage: {', '.join(unknown)}"
        if moved := [i for i in sentence.citations if not archived(held[i], self._evidence)]:
            return "unsupported", f"not in the archived text: {', '.join(moved)}"
        passages = [held[i] for i in sentence.citations]
        if sentence.form == "code":
            if concluded and is_query_composed(sentence.text, [p.text for p in passages]):
                return "unchecked", None
            return self._verbatim(sentence.text, passages, concluded=concluded)
        text = strip_citations(sentence.text)
        if lost := next(filter(None, self._lost(text, passages)), None):
            return "unsupported", f"not in the passages: {', '.join(lost)}"
        quotations = _QUOTATION.findall(text)
        quotations = [words for words in quotations if any(_holds(p.text, words) for p in passages)]
        if sum(map(word_count, quotations)) >= QUOTED_SHARE * max(word_count(text), 1):
            return "quoted", None
        return "unchecked", None

    def lost(self, text: str, ids: Sequence[str]) -> list[str]:
        """Return the words of a sentence, given without citations, that passages do not hold."""
        passages = [self._evidence.passages[i] for i in ids if i in self._evidence.passages]
        return [words for kind in self._lost(text, passages) for words in kind]

    def _lost(self, text: str, passages: Sequence[Passage]) -> Iterator[list[str]]:
        """Yield what passages do not hold of a text: words in quotation marks, what is typed, the others."""
        # What was asked may be taken up in its own words, and a page be called by its name.
        named = [self.topic, *(name for p in passages for name in self._names(p))]
        held_by = [*(p.text for p in passages), *named]
        quoted = _QUOTATION.findall(text)
        lost = [words for words in quoted if not any(_holds(part, words) for part in held_by)]
        lost = [c for c in lost if not self._quotes_code(c, held_by, passages)]
        yield [f"“{words}”" for words in lost]
        typed = [piece for piece, code in code_spans(text) if code]
        drawn = is_inference(text)
        yield [
            code_span(code)
            for code in typed
            if not self._typed(code, held_by, passages)
            and not (drawn and self._concluded(code, passages))
        ]
        bare = _QUOTATION.sub(" ", text)
        yield self.missing(CODE_SPAN.sub(f" {TYPED} ", bare), passages, bare.replace("`", " "))

    def _typed(
        self, code: str, held_by: Sequence[str], passages: Sequence[Passage], *, composed: bool = True
    ) -> bool:
        """Tell whether texts hold what is typed, or speak in plain words of a name that is known as it is.

        A command may be put together (`composed`) of what the passages that are cited say of it.
        """
        if any(holds_typed(text, code) for text in held_by):
            return True
        if composed and is_composed(code, self._told(passages)):
            return True
        plain = any(holds_plainly(text, code) for text in held_by)
        return plain and any(holds_typed(p.text, code) for p in self._evidence.passages.values())

    def _quotes_code(self, words: str, held_by: Sequence[str], passages: Sequence[Passage]) -> bool:
        """Tell whether what stands in quotation marks is typed, and told."""
        composed = _COMMAND_SIGNS.search(words) is not None
        return bool(_CODE_SIGNS.search(words)) and self._typed(words, held_by, passages, composed=composed)

    def _told(self, passages: Sequence[Passage]) -> Told:
        """Return what a command of a sentence may be put together of."""
        return Told([(p.text, self._names(p)) for p in passages], self.topic, self._known)

    def _concluded(self, code: str, passages: Sequence[Passage]) -> bool:
        """Tell whether a conclusion may put something that is typed together of what passages tell."""
        composed = is_composed(code, self._told(passages), concluded=True)
        return composed or is_query_composed(code, [p.text for p in passages])

    def _verbatim(
        self, code: str, passages: Sequence[Passage], *, concluded: bool
    ) -> tuple[Support, str | None]:
        lines = code_lines(code)
        if holder := next((p.text for p in passages if holds_lines(p.text, lines)), None):
            # Whether a placeholder stands for what the passage has there, a judge reads.
            return "quoted" if all(name in holder for name in placeholders(code)) else "unchecked", None
        lost = [line for line in lines if not any(holds_lines(p.text, [line]) for p in passages)]
        told = self._told(passages)
        # In which order lines of several passages are typed, a judge reads; one passage's own order holds.
        apart = not any(all(holds_lines(p.text, [line]) for line in lines) for p in passages)
        if (lost or apart) and all(is_composed(line, told, concluded=concluded) for line in lost):
            return "unchecked", None
        return "unsupported", f"not in the passages: the code{f' `{lost[0]}`' if lost else ' in this order'}"

    def missing(self, text: str, passages: Sequence[Passage], told: str = "") -> list[str]:
        """Return the dates, numbers and names of a text that the passages do not hold.

        Args:
            text: Of a sentence, without code.
            passages: What it cites.
            told: The same with the words of its code, which what is denied may need; empty: there is none.
        """
        texts = [p.text for p in passages]
        around = [part for p in passages for part in self._around(p)]
        languages = {detect(passage) for passage in texts}
        headlines = [name for p in passages for name in _titles(p)] if _HEADLINE.search(text) else []
        figures = missing_figures(text, [*texts, *headlines], [*around, *self._years], asked=self.topic)
        figures = [figure for figure in figures if not _counts_named(figure, text)]
        if not languages <= _SPELLED_READ:
            figures = [figure for figure in figures if not _SMALL.fullmatch(figure)]
        if not languages <= DATE_LANGUAGES:
            figures = [figure for figure in figures if _LARGE.fullmatch(figure)]
        if not figures and (original := _original(text, texts)):
            figures = swapped_figures(text, original)
        # A name has another form in another language, and German writes every noun like one.
        if languages != {self._language}:
            return figures
        if self._language in _NOUNS_LIKE_NAMES:
            return figures or self._told_otherwise(text, texts, told)
        said = _ATTRIBUTED.sub("", text) if is_inference(text) else text
        known = [*around, self.topic]
        # Whether the premises carry a conclusion on somebody whom other passages name, a judge has to read.
        elsewhere = self._lexicon if is_inference(text) else frozenset[str]()
        missing = figures + missing_names(
            said, texts, known, self._lexicon, self._full, self._short, elsewhere
        )
        return missing or ([] if is_inference(text) else self._told_otherwise(text, texts, told))

    def turned(self, text: str, passages: Sequence[Passage]) -> list[str]:
        """Return what a text denies, or who it says did what, otherwise than passages in its own language."""
        texts = [passage.text for passage in passages]
        return self._told_otherwise(text, texts) if {detect(t) for t in texts} == {self._language} else []

    def _told_otherwise(self, text: str, passages: Sequence[str], told: str = "") -> list[str]:
        """Return what a text denies, or who it says did what, otherwise than the passages.

        What is typed (in `told`, not in `text`) does nothing: the entries of a menu stand in their own order.
        """
        turned = [f"{one} … {other} in this order" for one, other in exchanged(text, passages)]
        return turned or denied_otherwise(told or text, passages, self._language)

    def _names(self, passage: Passage) -> list[str]:
        """Return what a passage's page is called and what it stands under: a sentence may name that."""
        source = self._evidence.sources.get(passage.sha256)
        return [*_titles(passage), _file_name(passage.url), *_above(source, passage)]

    def _around(self, passage: Passage) -> list[str]:
        """Return what is known of a passage beside its text: whence it comes, and what it stands under.

        A sentence may say that too.
        """
        source = self._evidence.sources.get(passage.sha256)
        author = source.author if source else None
        below = byline(source.text) if source else None
        known = [passage.title, passage.published, host(passage.url), author, below and below.words]
        return [part for part in (*known, *_above(source, passage)) if part]


def _concluded(sentences: Sequence[Sentence], at: int) -> bool:
    """Tell whether code stands behind a sentence that is marked as a conclusion."""
    before = next((s for s in reversed(sentences[:at]) if s.form != "code"), None)
    return sentences[at].form == "code" and before is not None and is_inference(before.text)


def _above(source: Source | None, passage: Passage) -> list[str]:
    """Return the headings that a passage stands under, and the entries of a reference that it goes on in."""
    if source is None:
        return []
    return [*headings_above(source.text, passage.start), *terms_above(source.text, passage.start)]


def _titles(passage: Passage) -> list[str]:
    """Return what a passage's page is called: by itself, and to readers, who are told its address's words."""
    return [passage.title, source_name(passage.title, passage.url, passage.text)]


def _file_name(url: str) -> str:
    """Return what a page's file is called, without its ending."""
    return PurePosixPath(urlsplit(url).path).stem


def _holds(passage: str, words: str) -> bool:
    """Tell whether a passage holds words, however it writes marks and spaces; of marks alone, the marks."""
    if wanted := key(words):
        return f" {wanted} " in f" {key(passage)} "
    return "".join(words.split()) in "".join(passage.split())


def _original(text: str, passages: Sequence[str]) -> str | None:
    """Return the sentence of the passages that a text nearly repeats, None when there is none."""
    mine = _words(text)
    best, best_share = None, _NEARLY
    for passage in passages:
        for sentence in _STOP.split(passage):
            theirs = _words(sentence)
            share = len(mine & theirs) / max(len(mine | theirs), 1)
            if share > best_share:
                best, best_share = sentence, share
    return best


def _words(text: str) -> set[str]:
    return {word for word in key(text).split() if not word.isdigit()}


def archived(passage: Passage, evidence: Evidence) -> bool:
    """Tell whether a passage stands in its source's archived text at the offsets kept."""
    source = evidence.sources.get(passage.sha256)
    return source is not None and source.text[passage.start : passage.end] == passage.text


def summarize(sections: Sequence[Section], evidence: Evidence) -> Summary:
    """Count the report's sentences by support, and its sources."""
    sentences = [s for section in sections for s in section.sentences]
    cited = [s for s in sentences if s.citations]
    held = [[i for i in s.citations if i in evidence.passages] for s in cited]
    used = sorted({evidence.passages[i].sha256 for ids in held for i in ids})
    sources = _read_ones(evidence, used)
    alone = [
        ids for ids in held if len(_read_ones(evidence, {evidence.passages[i].sha256 for i in ids})) == 1
    ]
    counts = {kind: sum(s.support == kind for s in sentences) for kind in _KINDS}
    good = counts["quoted"] + counts["supported"]
    return Summary(
        sentences=len(sentences),
        cited=len(cited),
        **counts,
        code=sum(s.support == "quoted" and s.form == "code" for s in sentences),
        quoting=sum(s.support not in ("quoted", "unsupported") and _quotes(s) for s in sentences),
        retracted=sum(s.became == "retracted" for s in sentences),
        doubted=sum(s.rests.doubted for s in sentences),
        preferred=sum(source.trust == "prefer" for source in sources),
        dangling=sum(i not in evidence.passages for s in sentences for i in s.citations),
        sources=len(sources),
        hosts=len({source.origin for source in sources}),
        origins=len(set(origins(sources).values())),
        kinds=kinds_of(sources),
        single_origin=_share(sum(s.rests.origins == 1 for s in cited), len(cited)),
        undated=_share(sum(not (source.published or dated(source.url)) for source in sources), len(sources)),
        single_source=_share(len(alone), len(cited)),
        accuracy=_share(good, sum(s.support not in ("unchecked", "inferred") for s in cited)),
        effective=sum(len(s.citations) for s in cited if s.support in ("quoted", "supported")),
    )


def _counts_named(figure: str, text: str) -> bool:
    """Tell whether a small count only takes up what a text named before, or what a conclusion sets apart.

    Whether that many were named, or follow from the premises (`two channels rather than one`), a judge reads.
    """
    if figure.lower() not in _FEW:
        return False
    times = len(re.findall(rf"\b{figure}\b", text, re.IGNORECASE))
    named = [count.lower() for count in _OF_NAMED.findall(text)]
    return is_inference(text) or times == named.count(figure.lower())


def _quotes(sentence: Sentence) -> bool:
    """Tell whether a sentence quotes words; the rules have found them in what it cites."""
    return bool(sentence.citations) and _QUOTATION.search(sentence.text) is not None


def _read_ones(evidence: Evidence, shas: Iterable[str]) -> list[Source]:
    """Return sources by sha256 but for the session's own computations, which are none."""
    found = (evidence.sources[sha] for sha in shas if sha in evidence.sources)
    return [source for source in found if not source.computed]


_KINDS = ("quoted", "supported", "inferred", "partial", "unsupported", "unchecked")


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
