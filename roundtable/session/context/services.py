"""What experts may use beside searching and reading: a sandbox for figures, a service that reranks."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents import Action, PlaceRecord
from library import Computed, Library, Passage, Reranked, SearchError
from library.compute import ComputeError, MontySandbox, Sandbox, available, source_of
from library.search import KEY, Embedder, Reranker, key_of
from mindmap import PassagesEmbedded
from roundtable.config.config import Settings
from roundtable.journal.clock import Clock, timestamp
from roundtable.journal.fold.state import State


@dataclass(frozen=True, slots=True)
class Services:
    """What there is; None for what is not configured or not installed."""

    sandbox: Sandbox | None = None
    reranker: Reranker | None = None
    embedder: Embedder | None = None

    async def close(self) -> None:
        """Release connections."""
        if self.reranker is not None:
            await self.reranker.close()
        if self.embedder is not None:
            await self.embedder.close()


def open_services(settings: Settings, environment: Mapping[str, str]) -> tuple[Services, list[str]]:
    """Return what the settings name, and a warning for each thing that cannot be used.

    Raises:
        FetchError: the reranker's url may not be asked; the message says what to set.
    """
    warnings: list[str] = []
    sandbox = _sandbox(settings, warnings)
    reranker: Reranker | None = None
    if settings.library.rerank.url:
        key = environment.get(KEY, "")
        reranker = Reranker(settings.library.rerank, key, settings.library.fetch.allow)
        if settings.offline and not reranker.here:
            warnings.append(f"offline: passages are not sent to {reranker.target.host} for reranking")
            reranker = None
    embedder: Embedder | None = None
    wanted = settings.mindmap.embeddings
    if wanted.model:
        embedder = Embedder(wanted, key_of(wanted, environment), settings.library.fetch.allow)
        if settings.offline and not embedder.here:
            warnings.append(f"offline: passages are not sent to {embedder.target.host} to be placed")
            embedder = None
    return Services(sandbox, reranker, embedder), warnings


def _sandbox(settings: Settings, warnings: list[str]) -> Sandbox | None:
    """Return where figures are computed; what was asked for and cannot be had is warned of, not replaced."""
    bounds = settings.library.compute
    if not settings.agents.compute:
        return None
    if bounds.docker is None:
        return MontySandbox(bounds) if available() else None
    from library.compute import docker_sandbox

    try:
        return docker_sandbox(bounds)
    except ComputeError as failure:
        warnings.append(f"nothing is computed: {failure}")
        return None


async def embed(embedder: Embedder, passages: Sequence[Passage]) -> PassagesEmbedded:
    """Ask for the vectors of passages that may be sent; a failure is told, not raised."""
    ids = [passage.id for passage in passages]
    sent = [passage for passage in passages if embedder.may_have(passage)]
    try:
        vectors = await embedder.embed([passage.text for passage in sent])
    except SearchError as failure:
        return PassagesEmbedded(passages=ids, error=str(failure))
    found = dict(zip((passage.id for passage in sent), vectors, strict=True))
    return PassagesEmbedded(passages=ids, vectors=[found.get(each, "") for each in ids])


async def compute(
    sandbox: Sandbox,
    action: Action,
    passages: Sequence[Passage],
    library: Library,
    clock: Clock,
    speaker: str,
) -> Computed:
    """Run a computation and keep it with its result as a source; a failure is told, not raised."""
    began = clock.monotonic()
    sha256, error = None, None
    try:
        result = await sandbox.run(action.code)
        source = source_of(action.code, action.query, result, passages, timestamp(clock.now()))
        library.store.add(source)
        sha256 = source.sha256
    except ComputeError as failure:
        error = str(failure)
    seconds = round(clock.monotonic() - began, 3)
    return Computed(
        speaker=speaker, code=action.code, passages=list(action.passages), sha256=sha256, error=error,
        seconds=seconds,
    )  # fmt: skip


def reranking_key(query: str, passages: Sequence[Passage]) -> str:
    """Return what makes two rerankings the same."""
    parts = "\n".join([query, *(f"{p.sha256} {p.start} {p.end}" for p in passages)])
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]


async def rerank(
    reranker: Reranker, query: str, passages: Sequence[Passage], clock: Clock, speaker: str
) -> Reranked:
    """Ask the service; a failure is told, not raised."""
    began = clock.monotonic()
    scores: list[float] | None = None
    error: str | None = None
    try:
        scores = await reranker.rerank(query, [p.text for p in passages])
    except SearchError as failure:
        error = str(failure)
    seconds = round(clock.monotonic() - began, 3)
    key = reranking_key(query, passages)
    return Reranked(speaker=speaker, key=key, scores=scores, error=error, seconds=seconds)


def place_records(state: State, question: str, before: int) -> Mapping[str, PlaceRecord]:
    """Return how each place that was searched before an event did, for a question's id."""
    admitted = {span for span, number in state.gathered.admitted_at.items() if number < before}
    texts = {sha256 for sha256, _, _ in admitted}
    read = {url for url, page in state.work.pages.items() if page.sha256 in texts}
    searched: dict[str, int] = {}
    fitted: dict[str, int] = {}
    for search in state.work.searches_before(before).values():
        if search.error:
            continue
        searched[search.where] = searched.get(search.where, 0) + 1
        gave = any(hit.span in admitted if hit.span else hit.url in read for hit in search.hits)
        fitted[search.where] = fitted.get(search.where, 0) + gave
    unrelated = [key for key, number in state.work.unrelated.items() if number < before]
    return {
        where: PlaceRecord(
            count, fitted[where], sum(name == where for name, _ in unrelated), (where, question) in unrelated
        )
        for where, count in searched.items()
    }
