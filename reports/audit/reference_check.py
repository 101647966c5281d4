"""Does a reference exist, is it what the text says, and what became of it: asked of what is at hand.

Documents of one's own come first, then the catalogues, then the page itself. Nobody who cannot be asked makes
a reference an invented one: that is `unchecked`.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from library import (
    FetchError,
    Hit,
    Library,
    ReadError,
    RegisteredWork,
    SearchError,
    Source,
    Work,
)
from library.web import StatusError
from reports.audit.audit_findings import Difference, FoundWork, ReferenceFinding
from reports.audit.claim_evidence import same_document
from reports.audit.document_files import DocumentFiles
from reports.audit.reference_entry import (
    ReferenceEntry,
    differences,
    holds_title,
    tells_apart,
    title_share,
    tokens,
)

_AT_ONCE = 4
_FOUND = 80
"""Passages of a collection among whose sources a title is looked for: pages of a manual share most of it."""
_HEAD = 600
"""Characters of a text in which its title may stand."""
_LONG_TITLE = 6
"""Words of a title from which on no author and no year is needed to know a work by it."""
_ABSTRACT = 5_000
"""Characters of a catalogued work's text up to which it may be its abstract alone, where no file holds it."""
_GONE = (404, 410)
_OUTSIDE = frozenset({"catalogues", "page"})
"""Who could know a work that is not among the documents."""
_NOBODY = "not looked up: it is not among the documents, and nobody else was asked"


@dataclass(frozen=True, slots=True)
class CheckedReference:
    """A reference with what was found of it."""

    finding: ReferenceFinding
    source: Source | None = None
    """Its text, where that could be read."""
    held: bool = False
    """Whether a collection holds a file with that text."""

    @property
    def whole(self) -> bool:
        """Whether what was read is the work's text, and not its abstract."""
        if self.source is None:
            return False
        short = self.source.work is not None and len(self.source.text) < _ABSTRACT and not self.held
        return not (short or self.source.title.endswith("(abstract)"))


@dataclass(slots=True)
class _Search:
    """What is found out about one reference."""

    reference: ReferenceEntry
    source: Source | None = None
    registered: RegisteredWork | None = None
    asked: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    """Why somebody could not be asked."""
    reasons: list[tuple[Difference, str]] = field(default_factory=list)
    gone: str = ""
    """Why its page is not there any more."""


class ReferenceChecker:
    """Checks references against a library's collections, the catalogues, and the pages themselves."""

    def __init__(self, library: Library, own: Source) -> None:
        """Take where is looked, and the text that the references stand in: it is no source of its own."""
        self._library = library
        self._own = own
        self._files = DocumentFiles(library.files())
        self._registry = library.registry
        self._local = [place for place in library.collections if place.local]

    async def check(self, references: Sequence[ReferenceEntry]) -> list[CheckedReference]:
        """Check references, in their order; what fails for one is told in its finding."""
        turn = asyncio.Semaphore(_AT_ONCE)

        async def one(reference: ReferenceEntry) -> CheckedReference:
            async with turn:
                return await self._check(reference)

        return list(await asyncio.gather(*map(one, references)))

    async def _check(self, reference: ReferenceEntry) -> CheckedReference:
        search = _Search(reference)
        search.source = await self._held(search)
        if self._registry is not None and not (reference.is_link and not reference.doi):
            await self._ask_registry(search)
        if search.source is None and search.registered is not None:
            search.source = await self._held_as(search, search.registered)
        if search.source is None and self._registry is not None:
            await self._read(search)
        source = search.source
        held = source is not None and await asyncio.to_thread(self._library.holds_whole, source)
        return CheckedReference(_finding(search), source, held)

    async def _held(self, search: _Search) -> Source | None:
        """Return a document at hand that is what the reference names."""
        reference = search.reference
        search.asked += [place.name for place in self._local]
        for url in _addresses(reference):
            source = await asyncio.to_thread(self._library.at_hand, url)
            if source is not None and not same_document(source, self._own):
                return source
        if reference.is_link:
            return None
        for sha in self._files.named_in(reference.text):
            source = await asyncio.to_thread(self._library.source, sha)
            if not same_document(source, self._own):
                return source
        return await self._named(search, [reference.title or reference.text[:200], *reference.short_titles])

    async def _named(self, search: _Search, queries: Sequence[str]) -> Source | None:
        """Return the document at hand that a reference names, of those that queries find."""
        reference = search.reference
        for query in dict.fromkeys(queries):
            found = await self._found(search, query) if tokens(query) else []
            named = [source for source in found if _is_named(reference, source)]
            if named:
                return min(named, key=lambda source: _likeness(reference, source))
        return None

    async def _held_as(self, search: _Search, work: RegisteredWork) -> Source | None:
        """Return the document at hand that is a work as it is registered, whatever the entry says."""
        title = work.hit.title
        found = await self._found(search, title) if tokens(title) else []
        return next((source for source in found if _is_registered(work, source)), None)

    async def _found(self, search: _Search, query: str) -> list[Source]:
        """Return the documents at hand that a query finds."""
        found: dict[str, Source] = {}
        for place in self._local:
            try:
                hits = await self._library.search(query, place.name, _FOUND)
            except SearchError as error:
                search.troubles.append(str(error))
                continue
            shas = dict.fromkeys(hit.passage.sha256 for hit in hits if hit.passage is not None)
            found |= {sha: await asyncio.to_thread(self._library.source, sha) for sha in shas}
        return [source for source in found.values() if not same_document(source, self._own)]

    async def _ask_registry(self, search: _Search) -> None:
        assert self._registry is not None
        reference = search.reference
        doi = reference.doi or (f"10.48550/arxiv.{reference.arxiv}" if reference.arxiv else "")
        try:
            if doi:
                search.asked.append("catalogues")
                found = await self._registry.by_doi(doi)
                if found is not None and (not found.hit.title or _same_title(reference, found.hit.title)):
                    search.registered = found
                    return
                told = f"leads to “{found.hit.title}”" if found is not None else "does not exist"
                search.reasons.append(("doi", f"the DOI {doi} {told}"))
            elif search.source is not None and search.source.work is not None and search.source.work.doi:
                search.asked.append("catalogues")
                search.registered = await self._registry.by_doi(search.source.work.doi)
                return
            if len(tokens(reference.text)) >= _LONG_TITLE:
                search.asked += [] if "catalogues" in search.asked else ["catalogues"]
                search.registered = _meant(reference, await self._registry.by_reference(reference.text))
        except SearchError as error:
            search.troubles.append(str(error))

    async def _read(self, search: _Search) -> None:
        """Read the page of a reference, or what is free of the work."""
        reference, registered = search.reference, search.registered
        found = [registered.hit] if registered is not None and registered.hit.title else []
        for url in dict.fromkeys([reference.url, *(hit.url for hit in found)]):
            if not url:
                continue
            hits = [hit for hit in found if hit.url == url] or (
                [_for_abstract(found[0], url)] if found else []
            )
            try:
                search.asked.append("page")
                search.source = await self._library.read(url, hits)
            except StatusError as error:
                search.gone = str(error) if error.status in _GONE else search.gone
                if error.status not in _GONE:
                    search.troubles.append(str(error))
            except (FetchError, ReadError) as error:
                search.troubles.append(str(error))
            else:
                return


def _for_abstract(hit: Hit, url: str) -> Hit:
    return Hit(url, hit.title, hit.snippet, published=hit.published, kind=hit.kind, work=hit.work)


def _addresses(reference: ReferenceEntry) -> Iterator[str]:
    """Yield the addresses at which what a reference names may have been read."""
    if doi := reference.doi:
        yield from (f"https://doi.org/{doi}", f"http://doi.org/{doi}", f"https://dx.doi.org/{doi}")
    if reference.arxiv:
        yield from (f"https://arxiv.org/{kind}/{reference.arxiv}" for kind in ("abs", "pdf"))
    if url := reference.url:
        bare = url.partition("#")[0]
        other = bare.replace("https://", "http://", 1) if bare.startswith("https") else f"https{bare[4:]}"
        for each in (url, bare, other):
            yield from (each, each.rstrip("/"), f"{each.rstrip('/')}/")


def _is_named(reference: ReferenceEntry, source: Source) -> bool:
    """Tell whether a document is what a reference names, by its title or how it begins."""
    doi = source.work.doi.lower() if source.work is not None else ""
    if doi and reference.doi:
        return doi == reference.doi
    if holds_title(reference.text, source.title):
        work = _described(None, source)
        assert work is not None
        long = len(tokens(source.title)) >= _LONG_TITLE
        known = bool(work.authors and work.years)
        other = _differences(reference, source)
        if long or tells_apart(source.title):
            return long or other < 2
        return not other and (known or reference.has_part(source.title))
    title = reference.title
    return len(tokens(title)) >= _LONG_TITLE and holds_title(source.text[:_HEAD], title)


def _is_registered(work: RegisteredWork, source: Source) -> bool:
    """Tell whether a document is a work: by its title, and of a short one its author and year as well."""
    title = work.hit.title
    if tokens(source.title) != tokens(title):
        return False
    own = _described(None, source)
    assert own is not None
    known = f"{', '.join(own.authors)} {' '.join(map(str, own.years))}"
    if differences(f"{known}. {title}", work.work, title, work.years):
        return False
    return tells_apart(title) or bool(own.authors and own.years)


def _likeness(reference: ReferenceEntry, source: Source) -> tuple[float, int, int]:
    """Return by what the document that a reference means comes first among those that it may mean.

    Pages of one manual share all of their titles but the end; another edition, or another page of the same
    name, differs in more.
    """
    share = round(title_share(reference.text, source.title), 6)
    return -share, _differences(reference, source), -len(tokens(source.title))


def _differences(reference: ReferenceEntry, source: Source) -> int:
    """Count what a reference says otherwise than a document does of itself."""
    work = _described(None, source)
    assert work is not None
    own = Work(authors=work.authors)
    return len(differences(reference.text, own, "", work.years, known_title=source.title))


def _same_title(reference: ReferenceEntry, title: str) -> bool:
    """Tell whether a work is called what the reference says; one that names no title says nothing else."""
    return reference.is_link or not reference.title or holds_title(reference.text, title)


def _meant(reference: ReferenceEntry, found: Sequence[RegisteredWork]) -> RegisteredWork | None:
    """Return the work that a reference means: one of its title, and of a short one its year or author."""
    fitting: list[tuple[int, int, RegisteredWork]] = []
    for rank, work in enumerate(found):
        title = work.hit.title
        if not tells_apart(title) or not holds_title(reference.text, title):
            continue
        other = differences(reference.text, work.work, title, work.years)
        if len(tokens(title)) >= _LONG_TITLE or len(other) < 2:
            fitting.append((len(other), rank, work))
    return min(fitting, key=lambda one: one[:2])[2] if fitting else None


def _finding(search: _Search) -> ReferenceFinding:
    reference, source, registered = search.reference, search.source, search.registered
    reasons = list(search.reasons)
    work = _described(registered, source)
    if work is not None and not reference.is_link:
        if registered is not None and registered.hit.title:
            known = registered.work
        else:
            known = Work(authors=work.authors)
        told = differences(reference.text, known, "", work.years, known_title=work.title)
        if registered is None and source is not None and not reference.doi:
            told = [one for one in told if one[0] != "authors" or source.work is not None or source.author]
        reasons += told
        if registered is None and source is not None and _is_other(reference, source):
            reasons.append(("title", f"what is there is called “{source.title}”"))
    became = registered.work.became if registered is not None else source.became if source is not None else ""
    common = {
        "key": reference.key, "text": reference.text, "start": reference.start, "end": reference.end,
        "asked": tuple(dict.fromkeys(search.asked)), "became": became,
        "source": source.sha256 if source is not None else "",
    }  # fmt: skip
    if work is not None:
        lines = tuple(line for _, line in reasons)
        kinds = tuple(dict.fromkeys(kind for kind, _ in reasons))
        return ReferenceFinding(
            verdict="differs" if reasons else "found", differs=kinds, reasons=lines, work=work, **common
        )
    lines = tuple(line for _, line in reasons)
    if search.gone and not search.troubles:
        return ReferenceFinding(verdict="not_found", reasons=(*lines, search.gone), **common)
    nobody = () if _OUTSIDE.intersection(search.asked) else (_NOBODY,)
    if search.troubles or nobody:
        return ReferenceFinding(verdict="unchecked", reasons=(*lines, *search.troubles, *nobody), **common)
    return ReferenceFinding(verdict="not_found", reasons=lines, **common)


def _described(registered: RegisteredWork | None, source: Source | None) -> FoundWork | None:
    if registered is not None and (registered.hit.title or source is None):
        work = registered.work
        return FoundWork(
            title=registered.hit.title, url=registered.hit.url, authors=work.authors, years=registered.years,
            doi=work.doi, told_by=registered.told_by,
        )  # fmt: skip
    if source is None:
        return None
    authors = source.work.authors if source.work is not None else (source.author,) if source.author else ()
    year = (source.published or "")[:4]
    return FoundWork(
        title=source.title, url=source.url, authors=tuple(authors),
        told_by="document" if source.private else "page", years=(int(year),) if year.isdecimal() else (),
        doi=source.work.doi if source.work is not None else "",
    )  # fmt: skip


def _is_other(reference: ReferenceEntry, source: Source) -> bool:
    """Tell whether a page that was read at an address is something else than what the reference names."""
    title = tokens(reference.title)
    if len(title) < _LONG_TITLE or holds_title(reference.text, source.title):
        return False
    held = set(tokens(f"{source.title} {source.text}"))
    return sum(token in held for token in title) * 2 < len(title)
