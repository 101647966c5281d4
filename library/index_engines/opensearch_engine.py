"""A collection in OpenSearch: indices of texts, passages and vectors, called by one name.

Words are found by its BM25 over our own terms. How many passages hold a term it counts exactly. What the
index is (whose, by which analysis, whether a writing came to its end) stands beside the fields of the
passages (`_meta`), so that it is there from the moment when the index is. It was tried against a stand-in
that answers in OpenSearch's form, and on no live server.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from library.errors import EngineError
from library.index_engines.index_engine import (
    CandidatePassage,
    EngineCounts,
    IndexedText,
    Vectors,
    candidate_of,
    check_owner,
)
from library.index_engines.opensearch_indices import (
    PASSAGE_FIELDS,
    TEXT_FIELDS,
    connect,
    faults,
    vector_fields,
)
from library.index_engines.written_source import read_source, written_source
from library.store.cutting.text_cutting import CutText

_AT_ONCE = 500
"""Values that are named in one condition."""
_ROWS = 5_000
"""Documents that are asked for at a time; a server gives 10,000 at most."""
_MOST_NEAR = 10_000
_FOUND = ["sha256", "start", "end", "terms", "page_length"]
_MARK = "roundtable"
"""Under which what an index is stands in its `_meta`."""


class OpenSearchEngine:
    """Implements `IndexEngine`."""

    def __init__(self, place: str, owner: str = "") -> None:
        """Open it; nothing is made or asked yet.

        Args:
            place: `https://host:9200/NAME`.
            owner: Whose the index is that is written; who only reads needs to name none.

        Raises:
            EngineError: the client is not installed, or that is no address of a server.
        """
        self._place = place
        self._owner = owner
        self._client, name = connect(place)
        self._texts, self._passages, self._vectors = (f"{name}.{k}" for k in ("texts", "passages", "vectors"))

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
        """Tell whether there is no index of that name at all."""
        with faults(self._place):
            return not any(map(self._there, (self._texts, self._passages, self._vectors)))

    def counts(self) -> EngineCounts:
        """Return how much it holds."""
        if not self.analysis():
            return EngineCounts()
        with faults(self._place):
            summed = self._search(self._passages, size=0, aggs={"terms": {"sum": {"field": "length"}}})
            texts, passages, vectors = map(self._count, (self._texts, self._passages, self._vectors))
            return EngineCounts(texts, passages, int(summed["aggregations"]["terms"]["value"]), vectors)

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many passages each term occurs."""
        found: dict[str, int] = {}
        for some in _parts(terms):
            wanted = {str(at): {"term": {"terms": _plain(term)}} for at, term in enumerate(some)}
            with faults(self._place):
                told = self._search(self._passages, size=0, aggs={"held": {"filters": {"filters": wanted}}})
                if (counted := told.get("aggregations")) is None:  # there is no index
                    return {}
                buckets = counted["held"]["buckets"]
                found |= {term: int(buckets[str(at)]["doc_count"]) for at, term in enumerate(some)}
        return {term: number for term, number in found.items() if number > 0}

    def find(self, terms: Sequence[str], limit: int) -> list[CandidatePassage]:
        """Return passages that hold any of some terms, by OpenSearch's own BM25."""
        wanted = " ".join(_plain(term) for term in terms)
        if not wanted.strip():
            return []
        order = [{"_score": "desc"}, {"sha256": "asc"}, {"start": "asc"}]
        with faults(self._place):
            told = self._search(
                self._passages, size=limit, query={"match": {"terms": {"query": wanted}}}, sort=order,
                _source=_FOUND,
            )  # fmt: skip
            return [candidate_of(hit["_source"]) for hit in told["hits"]["hits"]]

    def passages_of(self, texts: Sequence[str]) -> list[CandidatePassage]:
        """Return all passages of texts (by sha256), in order."""
        rows = self._where(self._passages, texts, _FOUND, ("sha256", "start"))
        return sorted(map(candidate_of, rows), key=lambda candidate: candidate.key)

    def all_texts(self) -> list[str]:
        """Return the sha256 of every text that is there."""
        return sorted(self._keys(self._texts))

    def texts(self, wanted: Sequence[str]) -> list[IndexedText]:
        """Return texts by sha256; those that are not there are left out."""
        passages: dict[str, list[CandidatePassage]] = {}
        for each in self.passages_of(wanted):
            passages.setdefault(each.sha256, []).append(each)
        found: list[IndexedText] = []
        for row in self._where(self._texts, wanted, ["sha256", "source"], ("sha256",)):
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
        about |= {"analysis": analysis, "owner": self._owner, "writing": "yes"}
        with faults(self._place):
            if not self._there(self._passages):  # in one, so that it is never there and nobody knows whose
                self._make(self._passages, {"properties": PASSAGE_FIELDS, "_meta": {_MARK: about}})
            if not self._there(self._texts):
                self._make(self._texts, {"properties": TEXT_FIELDS})
        self._note(about)

    def put(self, texts: Sequence[IndexedText]) -> None:
        """Keep texts, each in place of what was there of it."""
        self.remove([text.source.sha256 for text in texts])
        kept = (
            {"_index": self._texts, "_id": text.source.sha256, "sha256": text.source.sha256,
             "source": written_source(text.source)}
            for text in texts
        )  # fmt: skip
        self._bulk([*(row for text in texts for row in self._rows_of(text)), *kept])

    def remove(self, texts: Sequence[str]) -> None:
        """Drop texts by sha256."""
        for some in _parts(texts):
            for index in (self._vectors, self._passages, self._texts):
                self._delete(index, {"terms": {"sha256": list(some)}})

    def finish(self) -> None:
        """Note that the writing came to its end; a server keeps its indices fast by itself."""
        about = self._about()
        about["writing"] = ""
        self._note(about)

    def without_vectors(self, model: str) -> list[str]:
        """Return the texts (by sha256) that have no vectors of a model yet; those of another model go."""
        about = self._about()
        if about.get("model", "") != model:
            with faults(self._place):
                self._client.indices.delete(index=self._vectors, params={"ignore_unavailable": "true"})
            self._note({**about, "model": model})
        with faults(self._place):
            if self._count(self._vectors) == self._count(self._passages):
                return []
        all_of, known = self._keys(self._passages), self._keys(self._vectors)
        return sorted({sha256 for sha256, number in all_of.items() if known.get(sha256, 0) != number})

    def put_vectors(self, vectors: Sequence[tuple[str, Sequence[int], Vectors]]) -> None:
        """Keep the vectors of texts."""
        rows = [
            {"_index": self._vectors, "_id": f"{sha256}-{start}", "sha256": sha256, "start": start,
             "vector": [float(number) for number in row]}
            for sha256, starts, own in vectors
            for start, row in zip(starts, own, strict=True)
        ]  # fmt: skip
        if not rows:
            return
        with faults(self._place):
            if not self._there(self._vectors):
                fields = vector_fields(vectors[0][2].shape[1])
                self._make(self._vectors, {"properties": fields}, knn=True)
        for some in _parts([sha256 for sha256, _, _ in vectors]):
            self._delete(self._vectors, {"terms": {"sha256": list(some)}})
        self._bulk(rows)

    def near(self, vector: Vectors, limit: int) -> list[CandidatePassage]:
        """Return the passages whose vectors come nearest to one, by their cosine."""
        asked = {"vector": [float(number) for number in vector], "k": min(limit, _MOST_NEAR)}
        with faults(self._place):
            if not self._there(self._vectors):
                return []
            told = self._search(
                self._vectors, size=limit, query={"knn": {"vector": asked}}, _source=["sha256", "start"]
            )
            rows = [hit["_source"] for hit in told["hits"]["hits"]]
            ranks = {(row["sha256"], row["start"]): rank for rank, row in enumerate(rows)}
        found = self.passages_of(list(dict.fromkeys(sha256 for sha256, _ in ranks)))
        return sorted((each for each in found if each.key in ranks), key=lambda each: ranks[each.key])

    def drop(self) -> None:
        """Remove all that it holds, for good. Raises EngineError: it is not ours."""
        self._ours()
        with faults(self._place):
            for index in (self._vectors, self._texts, self._passages):  # that which tells whose they are last
                self._client.indices.delete(index=index, params={"ignore_unavailable": "true"})

    def _there(self, index: str) -> bool:
        return bool(self._client.indices.exists(index=index))

    def _make(self, index: str, mappings: Mapping[str, Any], *, knn: bool = False) -> None:
        settings = {"index": {"knn": True}} if knn else {}
        strict = {"dynamic": "strict", **mappings}
        self._client.indices.create(index=index, body={"settings": settings, "mappings": strict})

    def _search(self, index: str, **body: Any) -> Any:
        """Search; an index that is not there holds nothing. What only some shards answer is an error."""
        params = {"ignore_unavailable": "true", "allow_partial_search_results": "false"}
        return self._client.search(index=index, body=body, params=params)

    def _count(self, index: str) -> int:
        told = self._client.count(index=index, params={"ignore_unavailable": "true"})
        return int(told["count"])

    def _delete(self, index: str, query: Mapping[str, Any]) -> None:
        with faults(self._place):
            told = self._client.delete_by_query(
                index=index, body={"query": query}, params={"ignore_unavailable": "true", "refresh": "true"}
            )
            if told["failures"]:
                raise EngineError(f"{self._place}: OpenSearch: {str(told['failures'][0])[:200]}")

    def _bulk(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write documents, and have them found from now on."""
        from opensearchpy.helpers import bulk

        with faults(self._place):
            bulk(self._client, rows, refresh="true")

    def _where(
        self, index: str, texts: Sequence[str], fields: Sequence[str], order: Sequence[str]
    ) -> Iterator[Mapping[str, Any]]:
        """Yield the documents of texts, however many there are; no two are alike in `order`."""
        for some in _parts(texts):
            body: dict[str, Any] = {
                "size": _ROWS, "query": {"terms": {"sha256": list(some)}}, "_source": list(fields),
                "sort": [{name: "asc"} for name in order],
            }  # fmt: skip
            while True:
                with faults(self._place):
                    hits = self._search(index, **body)["hits"]["hits"]
                    rows = [hit["_source"] for hit in hits]
                yield from rows
                if len(hits) < _ROWS:
                    break
                body["search_after"] = hits[-1]["sort"]

    def _keys(self, index: str) -> Counter[str]:
        """Return how many documents an index has of each text."""
        found: Counter[str] = Counter()
        parts: dict[str, Any] = {"size": _ROWS, "sources": [{"sha256": {"terms": {"field": "sha256"}}}]}
        while True:
            with faults(self._place):
                told = self._search(index, size=0, aggs={"texts": {"composite": parts}})
                counted = told.get("aggregations", {}).get("texts", {"buckets": []})
                found.update({one["key"]["sha256"]: one["doc_count"] for one in counted["buckets"]})
            if len(counted["buckets"]) < _ROWS:
                return found
            parts["after"] = counted["after_key"]

    def _about(self) -> dict[str, str]:
        """Return what is noted of it; nothing where there is no index, or one that is not ours."""
        with faults(self._place):
            if not self._there(self._passages):
                return {}
            told = self._client.indices.get_mapping(index=self._passages)
            (mapping,) = told.values()
            return dict(mapping["mappings"].get("_meta", {}).get(_MARK, {}))

    def _ours(self) -> dict[str, str]:
        """Return what is noted of it. Raises EngineError: another's index, or indices that are not ours."""
        about = self._about()
        check_owner(about.get("owner", ""), self._owner, self._place)
        if "analysis" not in about and not self.is_empty():
            raise EngineError(f"{self._place}: the index there is not roundtable's; choose another name")
        return about

    def _note(self, about: Mapping[str, str]) -> None:
        with faults(self._place):
            self._client.indices.put_mapping(index=self._passages, body={"_meta": {_MARK: dict(about)}})

    def _rows_of(self, text: IndexedText) -> Iterator[Mapping[str, Any]]:
        lengths = [len(terms.split()) for terms in text.cut.terms]
        sha256 = text.source.sha256
        for (start, end), terms, length in zip(text.cut.spans, text.cut.terms, lengths, strict=True):
            yield {
                "_index": self._passages, "_id": f"{sha256}-{start}", "sha256": sha256, "start": start,
                "end": end, "terms": _plain(terms), "length": length, "page_length": sum(lengths),
            }  # fmt: skip


def _plain(terms: str) -> str:
    """Return terms as JSON can hold them: halves of surrogate pairs are no text."""
    return terms.encode("utf-8", "replace").decode("utf-8")


def _parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    return (values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE))
