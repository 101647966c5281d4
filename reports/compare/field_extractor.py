"""Named fields of documents: a table with a row for each, filled and checked as a comparison's rows are.

Without a model what a document says under a field's own name comes first.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from library import Library, Passage, Source, detect, select
from library.text import asks_when, terms, without_when
from models import Model
from reports.audit.audit_findings import WORDS
from reports.compare.comparer import Comparer, ComparisonStep, row_filler, shown_passage
from reports.compare.comparison import Comparison, ComparisonCell, ComparisonRow
from reports.compare.labelled_values import LabelledValue, labelled_value
from reports.compare.table_cells import table_value
from reports.extract.written_day import dated_line

_LOOKED_AT = 60
"""Passages of a document that are looked at for a field."""


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document that was read."""

    name: str
    """What its row is called: a file's name, an address."""
    sha256: str
    """Of its text."""


class DocumentSearch:
    """Finds passages in one document alone."""

    def __init__(self, library: Library, sha256: str) -> None:
        self._library = library
        self._sha256 = sha256
        self.notices: list[str] = []

    async def passages(self, query: str) -> list[Passage]:
        """Return those that fit a query, the best first; where none does, how it begins."""
        held = self._library.passages(self._sha256)
        chosen = select(query, held, self._library.statistics, limit=_LOOKED_AT, threshold=0.0)
        found = [item.passage for item in chosen]
        known = {passage.key for passage in found}
        return [*found, *(passage for passage in held if passage.key not in known)][:_LOOKED_AT]

    def notice(self, text: str) -> None:
        """Tell what went wrong, once."""
        if text not in self.notices:
            self.notices.append(text)


class FieldExtractor:
    """Fills one table; `steps` works, `table` is what was found."""

    def __init__(
        self, documents: Sequence[NamedDocument], fields: Sequence[str], library: Library, model: Model | None
    ) -> None:
        """Take what is read.

        Args:
            documents: Held by the library.
            fields: What is wanted of each: `price`, `licence`, a question.
            library: Holds their texts.
            model: Says what stands in a field, with words of a passage; None: sentences are quoted.
        """
        self._documents = list(documents)
        self._fields = list(fields)
        self._library = library
        self._model = model
        self._rows: list[ComparisonRow] = []
        self._notices: list[str] = []

    async def steps(self) -> AsyncIterator[ComparisonStep]:
        """Do the work, a document after another; yield how many cells are done."""
        whole, width = len(self._documents) * len(self._fields), len(self._fields)
        search = DocumentSearch(self._library, "")
        fill = row_filler(self._model, search.notice) if self._model is not None else None
        by = self._model.name if self._model is not None else WORDS
        for n, document in enumerate(self._documents):
            yield ComparisonStep("cells", n * width, whole)
            title = self._library.source(document.sha256).title
            within = DocumentSearch(self._library, document.sha256)
            comparer = Comparer([title], self._fields, self._library, within, fill, by, by_words=True)
            async for _ in comparer.steps():
                pass
            table = comparer.comparison(compared_at="", model="")
            [row] = table.rows
            cells = zip(self._fields, row.cells, strict=True)
            told = tuple(self._by_label(field, cell, document) for field, cell in cells)
            self._rows.append(ComparisonRow(thing=document.name, cells=told))
            self._notices += (notice.replace(title, document.name, 1) for notice in table.notices)
        self._notices += search.notices
        yield ComparisonStep("cells", whole, whole)

    def _by_label(self, field: str, cell: ComparisonCell, document: NamedDocument) -> ComparisonCell:
        """Return what the document says under the field's own name, where no model was asked."""
        if cell.judged_by not in ("", WORDS) or (self._model is not None and not cell.text):
            return cell
        passages = self._library.passages(document.sha256)
        source = self._library.source(document.sha256)
        found = labelled_value(field, passages)
        if found is None:
            found = table_value(field, [(passage, source) for passage in passages])
        if found is None:
            found = _day_of(field, source, passages)
        if found is None:
            return cell
        passage = shown_passage(found.passage, source, found.line)
        return ComparisonCell(text=found.value, quote=found.line, passage=passage, judged_by=WORDS)

    def table(self, *, extracted_at: str, model: str, notices: Sequence[str] = ()) -> Comparison:
        """Return the table: documents down the side, fields along the top.

        Args:
            extracted_at: Now, ISO 8601.
            model: The name of the model that filled it, or `embedded`.
            notices: What went wrong before.
        """
        return Comparison(
            questions=tuple(self._fields), rows=tuple(self._rows), compared_at=extracted_at, model=model,
            language=detect(" ".join(self._fields)), notices=tuple(dict.fromkeys([*notices, *self._notices])),
        )  # fmt: skip


def _day_of(field: str, source: Source, passages: Sequence[Passage]) -> LabelledValue | None:
    """Return the day that a document says it is of, where a field asks for that and for nothing else.

    “Date of the meeting” asks for it too, where that line says that it is a meeting.
    """
    if not asks_when(field):
        return None
    found = dated_line(source.text)
    asked = set(terms(without_when(field)))
    if found is None or not asked <= set(terms(found[0])):
        return None
    line, day = found
    first = next((passage for passage in passages if line in passage.text), None)
    return LabelledValue(day, line, first) if first else None
