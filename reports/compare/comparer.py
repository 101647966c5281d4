"""A comparison from things and questions to its table: searched, chosen or asked of a model, and checked."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from library import Library, Passage, Source, detect
from library.passages import headings_above
from models import Model, ModelError, ModelUnavailable
from reports.audit.audit_findings import WORDS, FoundPassage
from reports.audit.claim_evidence import EvidencePool
from reports.compare.cell_choice import CellChooser
from reports.compare.cell_search import CellSearch, LibrarySearch
from reports.compare.comparison import Comparison, ComparisonCell, ComparisonRow
from reports.compare.fill_row import FillComparison, FilledCells, QuestionToFill
from reports.compare.table_cells import table_value
from reports.document import Sentence
from reports.extract.quotations import key
from reports.tasks.prompt_texts import shown
from reports.verify.check import Checker

_SHOWN = 4
"""Passages that a model reads for a cell."""

FillRow = Callable[[FillComparison], Awaitable[FilledCells | None]]
"""Asks a model for a row; None where none could answer: then what was quoted stays."""


@dataclass(frozen=True, slots=True)
class ComparisonStep:
    """How far a comparison is: cells that were looked for, and things that a model was asked about."""

    stage: str
    """`cells` or `model`."""
    done: int
    of: int


class Comparer:
    """Fills one table; `steps` works, `comparison` is what was found."""

    def __init__(
        self, things: Sequence[str], questions: Sequence[str], library: Library, search: CellSearch,
        fill: FillRow | None = None, by: str = WORDS, by_words: bool = False,
    ) -> None:  # fmt: skip
        """Take what is compared; `library_comparer` makes one of a library and a model.

        Args:
            things: Names of things, or titles of documents.
            questions: In which respects: `price`, `licence`, a question.
            library: Holds what is found.
            search: Finds it.
            fill: Has a model fill a row; None: sentences are quoted.
            by: The name of who fills.
            by_words: As `CellChooser` has it.
        """
        self._things, self._questions = list(things), list(questions)
        self._library = library
        self._search = search
        self._pool = EvidencePool(library)
        self._fill = fill
        self._by = by
        self._chooser = CellChooser(things, library.statistics, by_words=by_words)
        self._found: dict[tuple[str, str], list[tuple[Passage, Source]]] = {}
        self._cells: dict[tuple[str, str], ComparisonCell] = {}
        self._notices: list[str] = []

    async def steps(self) -> AsyncIterator[ComparisonStep]:
        """Do the work; yield how far it is. What fails for one cell is told in the notices."""
        whole = len(self._things) * len(self._questions)
        yield ComparisonStep("cells", 0, whole)
        for thing in self._things:
            for question in self._questions:
                await self._look(thing, question)
                yield ComparisonStep("cells", len(self._found), whole)
        if self._fill is not None:
            yield ComparisonStep("model", 0, len(self._things))
            for n, thing in enumerate(self._things, 1):
                await self._ask(self._fill, thing)
                yield ComparisonStep("model", n, len(self._things))

    async def _look(self, thing: str, question: str) -> None:
        """Find the passages that may fill a cell, and the sentence that does."""
        found: dict[tuple[str, int, int], tuple[Passage, Source]] = {}
        for passage in await self._search.passages(f"{thing} {question}"):
            source = await asyncio.to_thread(self._library.source, passage.sha256)
            if self._chooser.is_about(thing, passage, source):
                found.setdefault(passage.key, (self._pool.numbered(passage, source), source))
        chosen = self._chooser.choose(thing, question, list(found.values()))
        told = dict.fromkeys(one.passage.key for one in chosen)
        self._found[thing, question] = [found[key] for key in dict.fromkeys([*told, *found])]
        row = table_value(question, list(found.values()), lambda cell: self._chooser.is_name(thing, cell))
        if row is not None:
            shown = self._shown(row.passage, row.line)
            cell = ComparisonCell(text=row.value, quote=row.line, passage=shown, judged_by=WORDS)
            self._cells[thing, question] = cell
            return
        self._cells[thing, question] = (
            ComparisonCell(
                text=chosen[0].words,
                quote=chosen[0].words,
                passage=self._shown(chosen[0].passage, chosen[0].words),
                judged_by=WORDS,
            )
            if chosen
            else ComparisonCell()
        )

    async def _ask(self, fill: FillRow, thing: str) -> None:
        """Have a model fill a row; what it says stands only with words of a passage that it was shown.

        Where it does not, the sentence that was quoted before stays.
        """
        questions = [
            QuestionToFill(n=n, text=question, passages=ids)
            for n, question in enumerate(self._questions, 1)
            if (ids := [passage.id for passage, _ in self._found[thing, question][:_SHOWN]])
        ]
        if not questions:
            return
        ids = list(dict.fromkeys(i for one in questions for i in one.passages))
        task = FillComparison(thing=thing, questions=questions, passages=shown(ids, self._pool.evidence))
        filled = await fill(task)
        if filled is None:
            return
        checker = Checker(self._pool.evidence, thing)
        said = {cell.n: cell for cell in reversed(filled.cells) if cell.value.strip()}
        if not said:
            self._notice(f"{thing}: the model filled nothing; sentences are quoted")
            return
        for asked in questions:
            cell = said.get(asked.n)
            if cell is None:  # it filled others of the row, and found none of these to answer
                self._cells[thing, asked.text] = ComparisonCell()
                continue
            passage = self._pool.evidence.passages.get(cell.passage.strip(" []"))
            quote = " ".join(cell.quote.split())
            if passage is None or passage.id not in asked.passages:
                self._notice(f"{thing}, {asked.text}: the model names a passage that it was not shown")
                continue
            if not key(quote) or f" {key(quote)} " not in f" {key(passage.text)} ":
                self._notice(f"{thing}, {asked.text}: what the model quoted does not stand in the passage")
                continue
            told = Sentence(text=" ".join(cell.value.split()), citations=[passage.id])
            refused = checker.sentence(told).support == "unsupported"
            self._cells[thing, asked.text] = ComparisonCell(
                text=quote if refused else told.text,
                quote=quote,
                passage=self._shown(passage, quote),
                judged_by=self._by,
            )

    def _shown(self, passage: Passage, quote: str) -> FoundPassage:
        return shown_passage(passage, self._pool.evidence.sources[passage.sha256], quote)

    def _notice(self, text: str) -> None:
        if text not in self._notices:
            self._notices.append(text)

    def comparison(self, *, compared_at: str, model: str) -> Comparison:
        """Return the table.

        Args:
            compared_at: Now, ISO 8601.
            model: The name of the model that filled it, or `embedded`.
        """
        rows = tuple(
            ComparisonRow(thing=thing, cells=tuple(self._cells[thing, one] for one in self._questions))
            for thing in self._things
        )
        return Comparison(
            questions=tuple(self._questions), rows=rows, compared_at=compared_at, model=model,
            language=detect(" ".join([*self._things, *self._questions])),
            searched=tuple(place.name for place in self._library.collections),
            notices=tuple(dict.fromkeys([*self._search.notices, *self._notices])),
        )  # fmt: skip


def library_comparer(
    things: Sequence[str], questions: Sequence[str], library: Library, model: Model | None,
    *, searches: int = 60,
) -> Comparer:  # fmt: skip
    """Return what fills a table from a library and, where there is one, with a model.

    Args:
        things: Names of things, or titles of documents.
        questions: In which respects.
        library: What is searched.
        model: Fills the rows; None: sentences are quoted.
        searches: Searches that are made outside, at most.
    """
    search = LibrarySearch(library, searches)
    if model is None:
        return Comparer(things, questions, library, search)

    return Comparer(things, questions, library, search, row_filler(model, search.notice), model.name)


def row_filler(model: Model, notice: Callable[[str], None]) -> FillRow:
    """Return what has a model fill rows, until it cannot be had; what fails is told in a notice."""
    asking = True

    async def fill(task: FillComparison) -> FilledCells | None:
        nonlocal asking
        if not asking:
            return None
        try:
            return (await model.ask(task)).output
        except ModelUnavailable as error:
            asking = False
            notice(f"sentences are quoted, no model filled the rows: {error}")
        except ModelError as error:
            notice(f"{task.thing}: sentences are quoted, no model filled the row: {error}")
        return None

    return fill


def shown_passage(passage: Passage, source: Source, quote: str) -> FoundPassage:
    """Return a passage as findings show it, with what its quoted words stand under."""
    found = re.search(r"\s+".join(map(re.escape, quote.split())), passage.text)
    above = headings_above(source.text, passage.start + (found.start() if found else 0))
    return FoundPassage(
        text=passage.text, title=passage.title, url=passage.url, page=passage.page,
        heading=above[-1] if above else "", start=passage.start, end=passage.end, sha256=passage.sha256,
    )  # fmt: skip
