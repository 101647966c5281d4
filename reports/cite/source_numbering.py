"""The numbers of cited sources, and the way back from each number to its passages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote as percent

from library import Evidence, Passage, Source
from library.passages import short_title
from reports.cite.people import author_year
from reports.cite.places import CitedPlace, places_of
from reports.document import Report
from reports.report_phrases import phrases_for
from reports.visible_text import plain, web_address

_NAMED = 48
"""Characters of a heading within a citation."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One source that the report cites."""

    number: int
    """Its place in the list, from 1."""
    source: Source
    passages: tuple[Passage, ...]
    """Those that the report cites, in order of first citation, with their ids."""
    label: str = ""
    """How it is called as a whole: `[1]`, or `(Merrow 2021)`."""
    places: tuple[CitedPlace, ...] = ()
    """The pages or sections that are cited of a long source, in its order; () for a short one."""
    names: Mapping[str, str] = field(default_factory=dict)
    """How the session names each passage, by its id: `3.11`, as the page and `/source 3.11` have it."""
    renewed: str = ""
    """When a later version of the same page or file was read (ISO 8601); empty: it is the newest."""

    def name_of(self, passage: Passage) -> str:
        """Return how the session names a passage."""
        return self.names.get(passage.id, passage.id)

    @property
    def numbered(self) -> bool:
        """Whether citations name it by its number."""
        return self.label.startswith("[")

    def locator(self, passages: Iterable[Passage]) -> str:
        """Return where in a long source passages stand, as a citation adds it; empty: no such place."""
        cited = self.places_of(passages)
        if all(place.paged for place in cited):
            return ", ".join(place.mark for place in cited)
        if self.numbered or len(self.places) == 1:
            return ""  # the passages' names lead there, or there is one place alone
        return ", ".join(f"“{short_title(place.heading, _NAMED)}”" for place in cited)

    def places_of(self, passages: Iterable[Passage]) -> list[CitedPlace]:
        """Return the places in which passages stand; none in a short source."""
        ids = {passage.id for passage in passages}
        return [place for place in self.places if ids & {p.id for p in place.passages}]

    def label_at(self, passages: Iterable[Passage]) -> str:
        """Return how a citation of passages looks: `[1.2, 1.7]`, `[1.2, p. 12]`, `(Merrow 2021, p. 12)`.

        A number is that of a passage, as `Evidence.labels` has it, everywhere.
        """
        cited = list(passages)
        named = ", ".join(map(self.name_of, cited)) if self.numbered else self.label[1:-1]
        where = self.locator(cited)
        return f"{self.label[:1]}{named}{where and f', {where}'}{self.label[-1:]}"

    def listed(self) -> list[tuple[str, tuple[Passage, ...]]]:
        """Return the passages as the list of sources tells them, each line with its place; "" for none.

        A line has them by their names, so that one can be looked up.
        """
        lines = [(place.line, place.passages) for place in self.places] or [("", self.passages)]
        return [(place, tuple(sorted(held, key=self._rank))) for place, held in lines]

    def _rank(self, passage: Passage) -> int:
        number = self.name_of(passage).rpartition(".")[2]
        return int(number) if number.isdecimal() else 0

    @property
    def anchor(self) -> str:
        """The entry's name inside a page."""
        return f"source-{self.number}"


@dataclass(frozen=True, slots=True)
class Bibliography:
    """The sources that a report cites, in the order of their numbers."""

    entries: tuple[Entry, ...]
    numbers: dict[str, int]
    """For each cited passage id, its source's number."""

    def entry(self, passage_id: str) -> Entry:
        """Return the entry of a cited passage. Raises KeyError for one that the report does not cite."""
        return self._by_number()[self.numbers[passage_id]]

    def _by_number(self) -> dict[int, Entry]:
        return {entry.number: entry for entry in self.entries}

    def grouped(self, ids: Iterable[str]) -> list[tuple[Entry, list[Passage]]]:
        """Return the entries that citations lead to, each once with its passages."""
        found: dict[int, list[Passage]] = {}
        entries = self._by_number()
        for passage_id in dict.fromkeys(ids):
            if number := self.numbers.get(passage_id):
                passage = next(p for p in entries[number].passages if p.id == passage_id)
                found.setdefault(number, []).append(passage)
        return [(entries[number], passages) for number, passages in found.items()]


def bibliography(report: Report, evidence: Evidence) -> Bibliography:
    """Return the sources that a report cites; citations that the evidence does not hold have no number.

    They are numbered from 1 in the order in which the report first cites them: who is handed a report alone
    misses none. One that was written again keeps the numbers that its readers know (`keeping_numbers`). In
    author-year style the bibliography stands in the order of its labels.
    """
    held = {i: p for i, p in evidence.passages.items() if p.sha256 in evidence.sources}
    order: dict[str, list[Passage]] = {
        sha: [] for sha in source_order(report, {i: p.sha256 for i, p in held.items()})
    }
    for passage_id in dict.fromkeys(cited(report)):
        if passage := held.get(passage_id):
            order[passage.sha256].append(_named(passage, passage_id))
    words = phrases_for(report.language)
    numbers = {sha: place for place, sha in enumerate(order, 1)}
    names = Evidence(evidence.passages, evidence.sources, list(order)).labels()
    order = {sha: passages for sha, passages in order.items() if passages}
    labels = {sha: f"[{numbers[sha]}]" for sha in order}
    if report.citation_style == "author-year":
        labels = author_year([evidence.sources[sha] for sha in order], words.undated_short)
        order = {sha: order[sha] for sha in sorted(order, key=lambda sha: (labels[sha].casefold(), sha))}
        numbers = {sha: place for place, sha in enumerate(order, 1)}
    newest = _newest(evidence.sources.values())
    entries = tuple(
        Entry(
            numbers[sha],
            evidence.sources[sha],
            tuple(passages),
            labels[sha],
            places_of(passages, evidence.sources[sha], words),
            {passage.id: names[passage.id] for passage in passages},
            _renewed(evidence.sources[sha], newest),
        )
        for sha, passages in order.items()
    )
    return Bibliography(entries, {p.id: entry.number for entry in entries for p in entry.passages})


def _newest(sources: Iterable[Source]) -> dict[str, str]:
    """Return when the newest version of each address was read, where that is known."""
    newest: dict[str, str] = {}
    for source in sources:
        newest[source.url] = max(newest.get(source.url, ""), source.retrieved)
    return newest


def _renewed(source: Source, newest: Mapping[str, str]) -> str:
    read = newest[source.url]
    return read if source.retrieved and source.retrieved < read else ""


def source_order(report: Report, source_of: Mapping[str, str]) -> list[str]:
    """Return the sources (sha256) that have a number in a report, in the order of their numbers.

    Those that an earlier version of it cited and this one does not keep theirs: they are among them.
    `source_of` holds the source of each admitted passage's id; citations of others have no number.
    """
    found = (source_of[i] for i in cited(report) if i in source_of)
    return list(dict.fromkeys([*report.numbered, *found]))


def keeping_numbers(
    report: Report, before: Report, source_of: Mapping[str, str], address_of: Mapping[str, str] | None = None
) -> Report:
    """Return a report whose sources have the numbers that they have in the one before.

    What is cited no longer keeps its number, so that none of the others moves; the report says why some are
    missing. New sources take the next ones; but another version of a page, that of the one it replaces.

    Args:
        report: As it was written again, whose sources are numbered as they are first cited.
        before: Its readers know.
        source_of: The source of each admitted passage's id.
        address_of: The address of each source; None: nothing replaces anything.
    """
    places, known = address_of or {}, source_order(before, source_of)
    now = source_order(report.model_copy(update={"numbered": []}), source_of)
    new = [sha for sha in now if sha not in known]
    order = list[str]()
    for sha in known:
        later = (one for one in new if places.get(one) and places.get(one) == places.get(sha))
        order.append(sha if sha in now else next(later, sha))
        new = [one for one in new if one != order[-1]]
    kept = [*order, *new]
    back = report.back
    if report.citation_style == "numeric" and not set(kept) <= set(now):
        back = back.model_copy(update={"made": [*back.made, phrases_for(report.language).numbers_kept]})
    # Where they have those anyway, a report is the same as one that was written first.
    return report.model_copy(update={"numbered": [] if kept == now else kept, "back": back})


def cited(report: Report) -> Iterator[str]:
    """Yield the passage ids that a report cites, in reading order."""
    for section in report.sections:
        for sentence in section.sentences:
            yield from sentence.citations
        for table in section.tables:
            for row in table.rows:
                for cell in row:
                    yield from cell.citations
        for chart in section.charts:
            yield from chart.citations


def fragment_link(passage: Passage, words: str = "") -> str | None:
    """Return a web link that leads to the very words on the live page; None for what is not on the web.

    Browsers find a text fragment by its first and last words, so that a small change in between does no harm.
    Of a paged document they open the page.
    """
    address = web_address(passage.url)
    if address is None:
        return None
    if passage.page is not None:
        return f"{address.partition('#')[0]}#page={passage.page}"
    found = plain(words or passage.text).split(" ")
    if len(found) > 10:
        text = f"{_encoded(found[:5])},{_encoded(found[-5:])}"
    elif len(found) == 1 and len(found[0]) > 24:  # writing without spaces
        text = f"{_encoded([found[0][:10]])},{_encoded([found[0][-10:]])}"
    else:
        text = _encoded(found)
    before, _hash, anchor = address.partition("#")
    return f"{before}#{anchor}:~:text={text}"


def _encoded(words: Sequence[str]) -> str:
    # `-`, `,` and `&` are the syntax of text fragments and are encoded too.
    return percent(" ".join(words), safe="").replace("-", "%2D")


def _named(passage: Passage, passage_id: str) -> Passage:
    if passage.id == passage_id:
        return passage
    return Passage(
        passage.sha256,
        passage.start,
        passage.end,
        passage.text,
        passage.url,
        passage.title,
        passage.published,
        passage.private,
        passage.page,
        passage_id,
    )
