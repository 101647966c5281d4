"""What OpenSearch answers to the few requests that are made of it, in its own form, on the loopback address.

Answers have the shape that a server of version 2 gives; what it does not know it refuses, as such a server
would. It holds documents in memory, strict about their fields, and scores words by BM25.
"""

import base64
import json
import math
import re
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

SHARDS = {"total": 1, "successful": 1, "skipped": 0, "failed": 0}


class Refused(Exception):
    """A request is refused, with a status and OpenSearch's name for why."""

    def __init__(self, status: int, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        cause = {"type": kind, "reason": reason}
        self.body = {"error": {"root_cause": [cause], **cause}, "status": status}


class OpenSearchServer:
    """Indices by name; with `password`, for the user `reader` alone."""

    def __init__(self, *, password: str = "", broken: str = "") -> None:
        """Set up; `broken` is a text that it answers everything with instead."""
        self.mappings: dict[str, dict[str, Any]] = {}
        self.documents: dict[str, dict[str, dict[str, Any]]] = {}
        self.asked: list[str] = []
        """Method and path of each request."""
        server = self
        told = "Basic " + base64.b64encode(f"reader:{password}".encode()).decode()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                url = urlsplit(self.path)
                server.asked.append(f"{self.command} {url.path}")
                if password and self.headers.get("Authorization") != told:
                    return self.say(401, b"Unauthorized", "text/plain")
                if broken:
                    return self.say(200, broken.encode(), "application/json")
                try:
                    said = server.does(
                        self.command, url.path.strip("/").split("/"), parse_qs(url.query), body
                    )
                except Refused as refused:
                    return self.say(refused.status, json.dumps(refused.body).encode(), "application/json")
                return self.say(200, json.dumps(said).encode(), "application/json")

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815 - as the library has them

            def say(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def does(self, method: str, path: list[str], query: dict[str, list[str]], body: bytes) -> Any:
        """Answer a request. Raises Refused."""
        if path == ["_bulk"]:
            return self._bulk([json.loads(line) for line in body.splitlines()])
        index, action = path[0], path[1] if len(path) > 1 else ""
        missing = index not in self.mappings
        if missing and not (method == "PUT" and not action) and "ignore_unavailable" not in query:
            raise Refused(404, "index_not_found_exception", f"no such index [{index}]")
        given = json.loads(body) if body else {}
        match method, action:
            case "HEAD", "":
                return {}
            case "PUT", "":
                return self._make(index, given)
            case "DELETE", "":
                self.mappings.pop(index, None)
                self.documents.pop(index, None)
                return {"acknowledged": True}
            case "GET", "_mapping":
                return {index: {"mappings": self.mappings[index]}}
            case "PUT", "_mapping":
                self.mappings[index] |= given
                return {"acknowledged": True}
            case _, "_count":
                return {"count": len(self.documents.get(index, {})), "_shards": SHARDS}
            case "POST", "_delete_by_query":
                gone = [one for one, _ in self._matching(index, given["query"])]
                for one in gone:
                    del self.documents[index][one]
                return {
                    "took": 1,
                    "timed_out": False,
                    "total": len(gone),
                    "deleted": len(gone),
                    "failures": [],
                }
            case _, "_search":
                return self._search(index, given, missing=missing)
        raise Refused(400, "illegal_argument_exception", f"unknown request {method} {action}")

    def _make(self, index: str, given: dict[str, Any]) -> Any:
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", index):
            raise Refused(400, "invalid_index_name_exception", f"Invalid index name [{index}]")
        if index in self.mappings:
            raise Refused(400, "resource_already_exists_exception", f"index [{index}] already exists")
        knn = given["settings"].get("index", {}).get("knn", False)
        kinds = [field["type"] for field in given["mappings"]["properties"].values()]
        assert ("knn_vector" in kinds) == knn, "vectors are searched in an index that is made for them alone"
        self.mappings[index], self.documents[index] = given["mappings"], {}
        return {"acknowledged": True, "shards_acknowledged": True, "index": index}

    def _bulk(self, lines: list[dict[str, Any]]) -> Any:
        items = []
        for action, document in zip(lines[::2], lines[1::2], strict=True):
            index, one = action["index"]["_index"], action["index"]["_id"]
            item: dict[str, Any] = {"_index": index, "_id": one, "status": 201}
            fields = self.mappings[index]["properties"]
            unknown = sorted(document.keys() - fields.keys())
            size = fields.get("vector", {}).get("dimension")
            if unknown:
                kind, why = "strict_dynamic_mapping_exception", f"[{unknown[0]}] within [_doc] is not allowed"
            elif size is not None and len(document["vector"]) != size:
                kind, why = "mapper_parsing_exception", f"Vector dimension mismatch. Expected: {size}"
            else:
                self.documents[index][one] = document
                items.append({"index": item})
                continue
            items.append({"index": {**item, "status": 400, "error": {"type": kind, "reason": why}}})
        return {"took": 1, "errors": any("error" in one["index"] for one in items), "items": items}

    def _matching(self, index: str, query: dict[str, Any]) -> list[tuple[str, float]]:
        """Return the ids that a query finds, with their scores."""
        documents = self.documents.get(index, {})
        ((kind, said),) = query.items()
        if kind == "terms":
            ((field, values),) = said.items()
            return [(one, 1.0) for one, document in documents.items() if document[field] in values]
        if kind == "match":
            return self._by_words(index, said["terms"]["query"].split())
        if kind == "knn":
            wanted = said["vector"]["vector"]
            if len(wanted) != self.mappings[index]["properties"]["vector"]["dimension"]:
                raise Refused(400, "illegal_argument_exception", "Query vector has invalid dimension")
            near = [(one, (1 + _cosine(wanted, d["vector"])) / 2) for one, d in documents.items()]
            return sorted(near, key=lambda each: -each[1])[: said["vector"]["k"]]
        raise Refused(400, "parsing_exception", f"unknown query [{kind}]")

    def _by_words(self, index: str, wanted: list[str]) -> list[tuple[str, float]]:
        held = {one: Counter(document["terms"].split()) for one, document in self.documents[index].items()}
        mean = sum(c.total() for c in held.values()) / max(1, len(held))
        found = []
        for one, counts in held.items():
            score = 0.0
            for term in set(wanted) & counts.keys():
                within = sum(term in other for other in held.values())
                idf = math.log(1 + (len(held) - within + 0.5) / (within + 0.5))
                score += idf * counts[term] / (counts[term] + 1.2 * (0.25 + 0.75 * counts.total() / mean))
            if score:
                found.append((one, score))
        return found

    def _search(self, index: str, given: dict[str, Any], *, missing: bool) -> Any:
        if given.get("size", 10) > 10_000:
            raise Refused(400, "illegal_argument_exception", "Result window is too large")
        found = self._matching(index, given["query"]) if "query" in given and not missing else []
        documents = self.documents.get(index, {})
        order = [next(iter(one)) for one in given.get("sort", [])]
        keys = {
            one: [score if key == "_score" else documents[one][key] for key in order] for one, score in found
        }
        found.sort(key=lambda each: -each[1])
        if order:
            found.sort(
                key=lambda each: [
                    -k if n == "_score" else k for n, k in zip(order, keys[each[0]], strict=True)
                ]
            )
        if "search_after" in given:
            found = [each for each in found if keys[each[0]] > given["search_after"]]
        hits = [
            {"_index": index, "_id": one, "_score": score, "sort": keys[one],
             "_source": {name: documents[one][name] for name in given["_source"]}}
            for one, score in found[: given.get("size", 10)]
        ]  # fmt: skip
        total = {"value": len(found), "relation": "eq"}
        said = {"took": 1, "timed_out": False, "_shards": SHARDS, "hits": {"total": total, "hits": hits}}
        if not missing and "aggs" in given:
            said["aggregations"] = {name: self._added(index, agg) for name, agg in given["aggs"].items()}
        return said

    def _added(self, index: str, asked: dict[str, Any]) -> Any:
        """Return a sum, how many documents hold each of some terms, or how many have each value."""
        documents = list(self.documents[index].values())
        ((kind, said),) = asked.items()
        if kind == "sum":
            return {"value": float(sum(document[said["field"]] for document in documents))}
        if kind == "filters":
            held = [set(document["terms"].split()) for document in documents]
            wanted = {name: one["term"]["terms"] for name, one in said["filters"].items()}
            return {
                "buckets": {n: {"doc_count": sum(term in own for own in held)} for n, term in wanted.items()}
            }
        assert kind == "composite"
        counted = Counter(document["sha256"] for document in documents)
        after = said.get("after", {}).get("sha256", "")
        page = sorted(value for value in counted if value > after)[: said["size"]]
        buckets = [{"key": {"sha256": value}, "doc_count": counted[value]} for value in page]
        return {"buckets": buckets, **({"after_key": {"sha256": page[-1]}} if page else {})}


def _cosine(one: list[float], other: list[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / (math.hypot(*one) * math.hypot(*other) or 1.0)
