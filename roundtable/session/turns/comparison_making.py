"""Things compared at the table: searched, read and asked as anybody there does, then told with citations."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents import Action
from library import Passage
from models import EMBEDDED
from reports import CATALOGUES, Comparer, ComparisonCell, FillComparison, FilledCells, best_of_page
from roundtable.commands.comparison_size import asked_for, parted
from roundtable.journal.commands.table_commands import Compare
from roundtable.journal.comparisons import ComparedCell, ThingsCompared
from roundtable.journal.fold.state import State
from roundtable.journal.session_phrases import session_phrases
from roundtable.session.context.journalled_context import ContextFactory, JournalledContext

_READ = 2
"""Pages that are read for a cell of what searches outside find."""


@dataclass(frozen=True, slots=True)
class MadeComparison:
    """A table that was made, and what it brings."""

    event: ThingsCompared
    text: str
    """It in words, a cell a line, with citations."""
    admitted: list[str]
    """Ids of the passages that the session had not seen."""


async def compared_at_the_table(
    command: Compare, contexts: ContextFactory, context: JournalledContext
) -> MadeComparison:
    """Set things side by side as a person asked.

    Args:
        command: What they asked for.
        contexts: The session.
        context: In whose place is searched and read: it is journalled, and done once.
    """
    things, questions = parted(command.things), asked_for(command.questions)
    judge = contexts.models["judge"]

    async def fill(task: FillComparison) -> FilledCells | None:
        filled = await context.ask(task)
        return filled if filled.cells else None  # where no model could answer, its place is empty

    comparer = Comparer(
        things, questions, contexts.library, _TableSearch(contexts, context),
        *(() if judge.name == EMBEDDED else (fill, judge.name)),
    )  # fmt: skip
    async for _ in comparer.steps():
        pass
    rows = comparer.comparison(compared_at="", model=judge.name).rows
    passages = _passages([cell for row in rows for cell in row.cells], contexts.record.state)
    brought = context.admit([(passage, 1.0) for passage in passages])
    ids = {passage.key: passage.id for passage, _ in brought}
    cells = [[_of_session(cell, ids) for cell in row.cells] for row in rows]
    event = ThingsCompared(things=things, questions=questions, rows=cells)
    fresh = [passage.id for passage, new in brought if new]
    return MadeComparison(event, _told(event, contexts.record.state.language), fresh)


def _passages(cells: Sequence[ComparisonCell], state: State) -> list[Passage]:
    """Return the passages that cells rest on, each once."""
    spans = dict.fromkeys((c.passage.sha256, c.passage.start, c.passage.end) for c in cells if c.passage)
    return [state.source(sha256).passage(start, end) for sha256, start, end in spans]


def _of_session(cell: ComparisonCell, ids: dict[tuple[str, int, int], str]) -> ComparedCell:
    held = cell.passage
    if held is None:
        return ComparedCell()
    return ComparedCell(text=cell.text, passage=ids[held.sha256, held.start, held.end])


def _told(event: ThingsCompared, language: str) -> str:
    """Return a table in words: what is asked, a cell a line, and what was not found."""
    words = session_phrases(language)
    joined = words.listed.join
    asked = words.please_compare.format(things=joined(event.things), questions=joined(event.questions))
    lines, empty = [asked], list[str]()
    for thing, cells in zip(event.things, event.rows, strict=True):
        for question, cell in zip(event.questions, cells, strict=True):
            if cell.passage:
                value = f"{cell.text} [{cell.passage}]"
                lines.append(words.cell_told.format(thing=thing, question=question, value=value))
            else:
                empty.append(f"{thing}/{question}")
    return "\n".join([*lines, *([words.cells_empty.format(cells=joined(empty))] if empty else [])])


class _TableSearch:
    """Searches in somebody's place: journalled, and had again for nothing."""

    def __init__(self, contexts: ContextFactory, context: JournalledContext) -> None:
        self._library = contexts.library
        self._state = contexts.record.state
        self._context = context
        self._places = tuple(
            place.name for place in self._library.collections if place.local or place.name not in CATALOGUES
        )
        self.notices: Sequence[str] = ()
        """None: what failed stands in the journal."""

    async def passages(self, query: str) -> list[Passage]:
        """Return what is found here, and the best of the first pages that are found outside."""
        [seen] = await self._context.perform([Action(kind="search", query=query, where=self._places)])
        found = [one.passage for one in seen.found if one.passage is not None]
        pages = dict.fromkeys(one.url for one in seen.found if one.passage is None)
        reading = [Action(kind="read", query=query, url=url) for url in list(pages)[:_READ]]
        for action in reading:
            [read] = await self._context.perform([action])
            page = self._state.work.pages.get(action.url)
            if read.passages and page is not None and page.sha256:
                found += best_of_page(query, page.sha256, self._library)
        return [passage for passage in found if not self._state.barred(passage)]
