"""`report.json` and `sources.json`: exact, stable, with the session's own passage ids."""

import json

from library import Evidence, Passage
from library.claims import origins, source_kind
from reports.cite.places import section_line
from reports.document import Report


def report_json(report: Report) -> str:
    """Return the report as `report.json` holds it; the plan of its sections is a file of its own."""
    return dumps(report.model_dump(mode="json", exclude={"outline"}))


def sources_json(evidence: Evidence) -> str:
    """Return all admitted passages under their sources, as `sources.json` holds them."""
    grouped: dict[str, list[tuple[str, Passage]]] = {}
    for passage_id, passage in sorted(evidence.passages.items(), key=lambda item: _number(item[0])):
        grouped.setdefault(passage.sha256, []).append((passage_id, passage))
    first, numbers = origins(evidence.sources[sha] for sha in grouped), evidence.numbers()
    names = evidence.labels()
    grouped = dict(sorted(grouped.items(), key=lambda item: numbers[item[0]]))
    numbered = {sha: f"s{n}" for n, sha in enumerate(grouped, 1)}
    sources = []
    for n, (sha, passages) in enumerate(grouped.items(), 1):
        source = evidence.sources[sha]
        sources.append(
            {
                "id": f"s{n}",
                "url": source.url,
                "title": source.title,
                "author": source.author,
                "published": source.published,
                "retrieved": source.retrieved,
                "doi": source.work.doi if source.work else "",
                "became": source.became,
                "kind": source_kind(source),
                "trust": source.trust,
                "copy_of": numbered[first[sha]] if first[sha] != sha else "",
                "sha256": sha,
                "passages": [
                    {
                        "id": i,
                        "name": names[i],
                        "text": p.text,
                        "start": p.start,
                        "end": p.end,
                        "page": source.page(p.start),
                        "section": section_line(p, source),
                    }
                    for i, p in passages
                ],
            }
        )
    return dumps({"sources": sources})


def dumps(value: object) -> str:
    """Print JSON for UTF-8 files: readable, one newline at the end, lone surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value, ensure_ascii=True, indent=2)
    return text + "\n"


def _number(passage_id: str) -> tuple[int, str]:
    digits = passage_id.removeprefix("p")
    return (int(digits), passage_id) if digits.isdecimal() and len(digits) < 10 else (1 << 60, passage_id)
