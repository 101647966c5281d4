"""How long does a report of many pages take in each form?

    python -m benchmarks.speed.exports [--pages N] [--runs N]

The report is made up (`inputs/made.py`): sections with two citations a sentence, a table and two charts.
Each form is made in this process, the first time (which loads what it needs) and again; the pages of the PDF
are counted by pdfium.
"""

import argparse
import hashlib
import time
from typing import Any

import pypdfium2

from benchmarks.inputs.made import TOPIC, page
from library import Evidence, Passage, Source
from reports import FORMS, Cell, Chart, Report, Section, Sentence, Table, export_report

_SENTENCES = 34
"""Of a section; with its share of the bibliography about two pages."""


def made(sections: int) -> tuple[Report, Evidence]:
    """Return a report of so many sections and what it cites."""
    evidence = Evidence()
    parts: list[Section] = []
    for n, each in enumerate(page(k, paragraphs=2) for k in range(sections * 6)):
        sha = hashlib.sha256(each.text.encode()).hexdigest()
        url = f"https://example.org/{n}"
        evidence.sources[sha] = Source(
            sha, url, each.title, each.text, published="2020-05-01", retrieved="2026-01-02T00:00:00Z"
        )
        identity = f"p{n + 1}"
        evidence.passages[identity] = Passage(sha, 0, len(each.text), each.text, url, each.title, id=identity)
    ids = list(evidence.passages)
    for n in range(sections):
        mine = ids[n * 6 : n * 6 + 6]
        texts = [s for i in mine for s in evidence.passages[i].text.split(". ") if len(s) > 30]
        sentences = [
            Sentence(
                text=f"{texts[k % len(texts)].strip('. ')}.",
                citations=[mine[k % 6], mine[(k + 1) % 6]],
                paragraph=k % 5 == 0,
            )
            for k in range(_SENTENCES)
        ]
        parts.append(Section(heading=f"Measures, part {n + 1}", level=1, node=f"n{n}", sentences=sentences))
    rows = [[Cell(text=str(2000 + k)), Cell(text=str(40 + k), citations=[ids[0]])] for k in range(8)]
    values: list[dict[str, Any]] = [
        {"year": str(2000 + k), "floods": 40 + k, "passage": ids[0]} for k in range(8)
    ]
    axes = {"x": {"field": "year", "type": "ordinal"}, "y": {"field": "floods", "type": "quantitative"}}
    charts = [
        Chart(
            title="Floods",
            spec={"mark": mark, "data": {"values": values}, "encoding": axes},
            citations=[ids[0]],
        )
        for mark in ("bar", "line")
    ]
    tables = [Table(title="Floods", columns=["Year", "Floods"], rows=rows)]
    parts[0] = parts[0].model_copy(update={"tables": tables, "charts": charts})
    return Report(title=TOPIC, topic=TOPIC, sections=parts), evidence


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--pages", type=int, default=40, help="of the PDF, at least")
    options.add_argument("--runs", type=int, default=3)
    wanted = options.parse_args()
    report, evidence = made(max(wanted.pages * 3 // 4, 2))
    words = sum(len(s.text.split()) for section in report.sections for s in section.sentences)
    print(f"{len(report.sections)} sections, {words} words, {len(evidence.sources)} sources")
    for form in FORMS:
        took = []
        for _ in range(wanted.runs + 1):
            start = time.perf_counter()
            data = export_report(form, report, evidence, stem="report").data
            took.append(time.perf_counter() - start)
        about = f", {len(pypdfium2.PdfDocument(data))} pages" if form == "pdf" else ""
        print(
            f"{form:5} first {took[0]:6.2f} s, again {min(took[1:]):6.2f} s, {len(data) / 1e3:9.1f} kB{about}"
        )


if __name__ == "__main__":
    main()
