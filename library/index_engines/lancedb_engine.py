"""A collection in LanceDB: tables of texts, passages, counts of terms and vectors, in a folder or on S3.

Words are found by LanceDB's full text index over our own terms, so that both sides cut and stem alike. How
many passages hold a term it does not tell: that is counted in a table of its own, by what each writing adds
and takes away, and put together when the writing ends. A writing that was killed is noticed by the next one,
which counts again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from library.errors import EngineError
from library.index_engines.index_engine import (
    CandidatePassage,
    EngineCounts,
    IndexedText,
    Vectors,
    candidate_of,
    check_owner,
)
from library.index_engines.lance_tables import (
    ABOUT,
    COUNTS,
    NEVER_WRITTEN,
    PASSAGES,
    TEXTS,
    VECTORS,
    connect,
    faults,
    quoted,
    schemas,
    vector_schema,
)
from library.index_engines.written_source import read_source, written_source
from library.store.cutting.text_cutting import CutText

if TYPE_CHECKING:
    import pyarrow as pa

_MANY_VECTORS = 100_000
"""Vectors from which on they are searched by an approximate index: below, looking at all is as fast."""
_AT_ONCE = 500
"""Texts that are named in one condition."""
_KEPT = timedelta(minutes=10)
"""For how long a state before the newest is kept, for those who read it."""
_OCCURRENCES = ""
"""Stands in the table of counts for the terms of all passages together: no term is empty."""
_FOUND = ["sha256", "start", "end", "terms", "page_length"]


class LanceEngine:
    """Implements `IndexEngine`."""

    def __init__(self, place: str, options: Mapping[str, str], owner: str = "") -> None:
        """Open it; nothing is made yet.

        Args:
            place: A folder, or an address such as `s3://bucket/path`.
            options: LanceDB's storage options, such as `endpoint`; keys are taken from the environment.
            owner: Whose the index is that is written; who only reads needs to name none.

        Raises:
            EngineError: LanceDB is not installed, or cannot open it.
        """
        self._place = place
        self._owner = owner
        self._db = connect(place, options)
        self._tables: dict[str, Any] = {}
        self._recount = False

    def analysis(self) -> str:
        """Return by which analysis of text its terms were made; empty where it holds nothing."""
        return self._about().get("analysis", "")

    def model(self) -> str:
        """Return the name of the model that made its vectors; empty for none."""
        return self._about().get("model", "")

    def owner(self) -> str:
        """Return whose index it is; empty where it holds nothing, or nobody said."""
        return self._about().get("owner", "")

    def is_empty(self) -> bool:
        """Tell whether there is no table at all."""
        with faults(self._place):
            return all(self._table(name) is None for name in self._db.list_tables().tables)

    def counts(self) -> EngineCounts:
        """Return how much it holds."""
        with faults(self._place):
            rows = [self._rows(name) for name in (TEXTS, PASSAGES, VECTORS)]
        occurrences = self.document_frequency([_OCCURRENCES]).get(_OCCURRENCES, 0)
        return EngineCounts(rows[0], rows[1], occurrences, rows[2])

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs."""
        found: Counter[str] = Counter()
        for row in self._where(COUNTS, "term", [_plain(term) for term in terms]):
            if not isinstance(number := row["passages"], int):  # others may write there
                raise EngineError("the engine holds a count that cannot be read")
            found[row["term"]] += number
        return {term: number for term, number in found.items() if number > 0}

    def find(self, terms: Sequence[str], limit: int) -> list[CandidatePassage]:
        """Return passages that hold any of some terms, by LanceDB's own BM25."""
        wanted = " ".join(_plain(term) for term in terms)
        with faults(self._place):
            table = self._table(PASSAGES)
            if table is None or not wanted.strip():
                return []
            from lancedb.query import MatchQuery

            words = MatchQuery(wanted, "terms")  # type: ignore[call-arg]  # the others have defaults
            query = table.search(words, query_type="fts")
            return [candidate_of(row) for row in query.select([*_FOUND, "_score"]).limit(limit).to_list()]

    def passages_of(self, texts: Sequence[str]) -> list[CandidatePassage]:
        """Return all passages of texts (by sha256), in order."""
        rows = self._where(PASSAGES, "sha256", texts, _FOUND)
        return sorted(map(candidate_of, rows), key=lambda candidate: candidate.key)

    def all_texts(self) -> list[str]:
        """Return the sha256 of every text that is there."""
        with faults(self._place):
            return sorted(self._keys(TEXTS))

    def texts(self, wanted: Sequence[str]) -> list[IndexedText]:
        """Return texts by sha256; those that are not there are left out."""
        passages: dict[str, list[CandidatePassage]] = {}
        for each in self.passages_of(wanted):
            passages.setdefault(each.sha256, []).append(each)
        found: list[IndexedText] = []
        for row in self._where(TEXTS, "sha256", wanted):
            own = passages.get(row["sha256"], [])
            cut = CutText([(each.start, each.end) for each in own], [each.terms for each in own])
            found.append(IndexedText(read_source(row["source"]), cut))
        return found

    def finished(self) -> bool:
        """Tell whether the last writing came to its end."""
        return not self._about().get("writing")

    def begin(self, analysis: str) -> None:
        """Begin to write; what was indexed by another analysis goes. Raises EngineError: it is not ours."""
        about = self._ours()
        if about and about.get("analysis") != analysis:
            self.drop()
            about = {}
        self._recount = about.get("writing") == "yes"
        self._note({**about, "analysis": analysis, "owner": self._owner, "writing": "yes"})
        with faults(self._place):
            for name, schema in schemas().items():
                if self._table(name) is None:
                    self._make(name, schema=schema)

    def put(self, texts: Sequence[IndexedText]) -> None:
        """Keep texts, each in place of what was there of it."""
        self.remove([text.source.sha256 for text in texts])
        passages = [row for text in texts for row in _rows_of(text)]
        added = _counted(row["terms"] for row in passages)
        with faults(self._place):
            rows = [{"sha256": t.source.sha256, "source": written_source(t.source)} for t in texts]
            self._add(TEXTS, rows)
            self._add(PASSAGES, passages)
        self._count(added)

    def remove(self, texts: Sequence[str]) -> None:
        """Drop texts by sha256."""
        gone = _counted(row["terms"] for row in self._where(PASSAGES, "sha256", texts, ["terms"]))
        # A writing that was killed may have kept the one and not the other.
        there = gone or any(self._where(TEXTS, "sha256", texts, ["sha256"]))
        with faults(self._place):
            for some in _parts(texts) if there else ():
                for name in (VECTORS, PASSAGES, TEXTS):
                    if (table := self._table(name)) is not None:
                        table.delete(f"sha256 IN ({quoted(some)})")
        self._count({term: -number for term, number in gone.items()})

    def finish(self) -> None:
        """Put the counts together, and bring the indexes up to date."""
        from lancedb.index import FTS, BTree, IvfPq

        if self._recount:
            self._count_again()
        self._put_counts_together()
        words = FTS(
            base_tokenizer="whitespace", lower_case=False, stem=False, remove_stop_words=False,
            ascii_folding=False, with_position=False, max_token_length=None,
        )  # fmt: skip
        with faults(self._place):
            self._index(PASSAGES, "terms", words)
            for name, column in ((PASSAGES, "sha256"), (TEXTS, "sha256"), (COUNTS, "term")):
                self._index(name, column, BTree())
            if self._table(VECTORS) is not None:
                self._index(VECTORS, "sha256", BTree())
            if self._rows(VECTORS) >= _MANY_VECTORS:
                self._index(VECTORS, "vector", IvfPq(distance_type="cosine"))
        self._note({**self._about(), "writing": ""})
        self._recount = False

    def without_vectors(self, model: str) -> list[str]:
        """Return the texts (by sha256) that have no vectors of a model yet; those of another model go."""
        if self.model() != model:
            with faults(self._place):
                if self._table(VECTORS) is not None:
                    self._db.drop_table(VECTORS)
                self._tables.pop(VECTORS, None)
            self._note({**self._about(), "model": model})
        with faults(self._place):
            if self._rows(VECTORS) == self._rows(PASSAGES):
                return []
            all_of, known = self._keys(PASSAGES), self._keys(VECTORS)
            return sorted({sha256 for sha256, number in all_of.items() if known.get(sha256, 0) != number})

    def put_vectors(self, vectors: Sequence[tuple[str, Sequence[int], Vectors]]) -> None:
        """Keep the vectors of texts."""
        rows = [
            {"sha256": sha256, "start": start, "vector": row}
            for sha256, starts, own in vectors
            for start, row in zip(starts, own, strict=True)
        ]
        if not rows:
            return
        texts = [sha256 for sha256, _, _ in vectors]
        some_there = any(self._where(VECTORS, "sha256", texts, ["sha256"]))
        with faults(self._place):
            table = self._table(VECTORS)
            if table is None:
                schema = vector_schema(len(rows[0]["vector"]))
                self._make(VECTORS, schema=schema)
            elif some_there:
                table.delete(f"sha256 IN ({quoted(texts)})")
            self._add(VECTORS, rows)

    def near(self, vector: Vectors, limit: int) -> list[CandidatePassage]:
        """Return the passages whose vectors come nearest to one, by their cosine."""
        with faults(self._place):
            table = self._table(VECTORS)
            if table is None:
                return []
            query = table.search(vector, vector_column_name="vector").distance_type("cosine")
            rows = query.select(["sha256", "start", "_distance"]).limit(limit).to_list()
        ranks = {(row["sha256"], row["start"]): rank for rank, row in enumerate(rows)}
        found = self.passages_of(list(dict.fromkeys(sha256 for sha256, _ in ranks)))
        return sorted((each for each in found if each.key in ranks), key=lambda each: ranks[each.key])

    def drop(self) -> None:
        """Remove all that it holds, for good. Raises EngineError: it is not ours."""
        self._ours()
        with faults(self._place):
            for name in (VECTORS, *schemas()):  # that which tells whose they are goes last
                if self._table(name) is not None:
                    self._db.drop_table(name)
            self._tables.clear()
            with suppress(OSError):  # it is on S3, or holds what is not ours
                Path(self._place).rmdir()

    def _table(self, name: str) -> Any:
        """Return a table, None where there is none, or one that was begun and never written (a full disk)."""
        if name not in self._tables:
            if name not in self._db.list_tables().tables:
                return None
            try:
                self._tables[name] = self._db.open_table(name)
            except ValueError as error:
                if NEVER_WRITTEN not in str(error):
                    raise
                return None
        return self._tables[name]

    def _make(self, name: str, rows: Any = None, schema: Any = None) -> None:
        """Make a table, also over what was left of one that was never written."""
        self._tables[name] = self._db.create_table(name, rows, schema=schema, mode="overwrite")

    def _rows(self, name: str) -> int:
        table = self._table(name)
        return int(table.count_rows()) if table is not None else 0

    def _add(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        import pyarrow as pa

        if rows:
            table = self._table(name)
            table.add(pa.Table.from_pylist(list(rows), schema=table.schema))

    def _where(
        self, name: str, column: str, values: Sequence[str], columns: Sequence[str] = ()
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table in which a column has one of some values."""
        for some in _parts(values):
            with faults(self._place):
                table = self._table(name)
                if table is None:
                    return
                query = table.search().where(f"{column} IN ({quoted(some)})")
                rows = (query.select(list(columns)) if columns else query).to_list()
            yield from rows

    def _about(self) -> dict[str, str]:
        with faults(self._place):
            table = self._table(ABOUT)
            known = table is not None and table.schema.names == schemas()[ABOUT].names
            rows = table.search().to_list() if known else []
        return {row["name"]: row["value"] for row in rows}

    def _ours(self) -> dict[str, str]:
        """Return what is noted of it. Raises EngineError: another's index, or tables that are not ours."""
        about = self._about()
        check_owner(about.get("owner", ""), self._owner, self._place)
        if "analysis" not in about and not self.is_empty():
            raise EngineError(f"{self._place}: the tables there are not roundtable's; choose another place")
        return about

    def _note(self, said: Mapping[str, str]) -> None:
        import pyarrow as pa

        rows = [{"name": name, "value": value} for name, value in said.items()]
        noted = pa.Table.from_pylist(rows, schema=schemas()[ABOUT])
        with faults(self._place):
            if (table := self._table(ABOUT)) is not None:
                table.add(noted, mode="overwrite")
            else:  # in one, so that no table is ever there of which nobody knows whose it is
                self._make(ABOUT, noted)

    def _keys(self, name: str) -> Counter[str]:
        """Return how many rows a table has of each text."""
        table = self._table(name)
        if table is None:
            return Counter()
        return Counter(table.search().select(["sha256"]).to_arrow()["sha256"].to_pylist())

    def _count(self, changes: Mapping[str, int]) -> None:
        rows = [{"term": term, "passages": number} for term, number in changes.items()]
        with faults(self._place):
            self._add(COUNTS, rows)

    def _count_again(self) -> None:
        """Count the terms of all passages, in place of what was counted."""
        found: Counter[str] = Counter()
        with faults(self._place):
            for batch in self._table(PASSAGES).search().select(["terms"]).to_batches():
                found.update(_counted(batch.column("terms").to_pylist()))
            self._table(COUNTS).delete("true")
        self._count(found)

    def _put_counts_together(self) -> None:
        """Make one row of each term's."""
        import pyarrow.compute as pc

        with faults(self._place):
            table = self._table(COUNTS)
            held: pa.Table = table.search().to_arrow()
            summed = held.group_by("term").aggregate([("passages", "sum")])
            if summed.num_rows < held.num_rows:
                summed = summed.rename_columns(["term", "passages"])
                kept = summed.filter(pc.greater(summed["passages"], 0))
                table.add(kept.cast(schemas()[COUNTS]), mode="overwrite")

    def _index(self, name: str, column: str, config: Any) -> None:
        """Make an index of a column, or bring the one that is there up to date."""
        table = self._table(name)
        if any(index.columns == [column] for index in table.list_indices()):
            table.optimize(cleanup_older_than=_KEPT)
        else:
            table.create_index(column, config=config)


def _rows_of(text: IndexedText) -> Iterator[dict[str, Any]]:
    lengths = [len(terms.split()) for terms in text.cut.terms]
    for (start, end), terms, length in zip(text.cut.spans, text.cut.terms, lengths, strict=True):
        yield {
            "sha256": text.source.sha256, "start": start, "end": end, "terms": _plain(terms),
            "length": length, "page_length": sum(lengths),
        }  # fmt: skip


def _counted(passages: Iterable[str | None]) -> Counter[str]:
    """Return in how many of some passages each term occurs, and how many terms they have in all.

    None: a row that others wrote, which holds no terms.
    """
    found: Counter[str] = Counter()
    for terms in passages:
        own = (terms or "").split()
        found.update(set(own))
        found[_OCCURRENCES] += len(own)
    return found


def _plain(terms: str) -> str:
    """Return terms as Arrow can hold them: halves of surrogate pairs are no text."""
    return terms.encode("utf-8", "replace").decode("utf-8")


def _parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    return (values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE))
