"""Things, compared: what is asked for settled, the library and the model opened, the table filled."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from reports import Comparison, ComparisonStep, library_comparer
from roundtable.commands.comparison_size import check_size
from roundtable.config.config import Settings
from roundtable.config.search_places import settle_places
from roundtable.journal.clock import timestamp
from roundtable.session.factory import load_stubs
from roundtable.session.texts.runtime import (
    TextRuntime,
    filled_by,
    named_documents,
    opened_judge,
    opened_library,
    pictures_seen,
    searched_places,
)


@dataclass(frozen=True, slots=True)
class ComparisonBegun:
    """Everything is open; the line says what is searched, and what leaves this machine."""

    line: str


async def compare_things(
    things: Sequence[str], questions: Sequence[str], settings: Settings, around: TextRuntime | None = None
) -> AsyncIterator[ComparisonBegun | ComparisonStep | Comparison]:
    """Fill a table of things against questions.

    Args:
        things: What is compared, each once.
        questions: In which respects.
        settings: Where is searched, and which model fills the cells.
        around: None: the machine's own.

    Raises:
        InputError: there is nothing to compare, too much of it, or nowhere to search.
        LibraryError, ModelUnavailable: documents or a model cannot be had.
    """
    check_size(things, questions)
    load_stubs()
    around = around or TextRuntime()
    settings = settings if around.library is not None else settle_places(settings, around.home)
    async with AsyncExitStack() as opened:
        library = await opened_library(settings, around, opened)
        model, name = opened_judge(settings, around, library, opened)
        yield ComparisonBegun(_line(settings, name))
        comparer = library_comparer(things, questions, library, model)
        async for step in comparer.steps():
            yield step
        table = comparer.comparison(compared_at=timestamp(around.clock.now()), model=name)
        yield table.model_copy(update={"searched": searched_places(table.searched, settings)})


def _line(settings: Settings, model: str) -> str:
    """Return what is searched, and what leaves this machine."""
    places = [] if settings.offline else settings.search
    searched = [*named_documents(settings), *places]
    sent = f"what is compared goes to {', '.join(places)}" if places else "nothing goes to the web"
    return "; ".join([f"searching {', '.join(searched)}", sent, filled_by(model), *pictures_seen(settings)])
