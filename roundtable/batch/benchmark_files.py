"""What benchmarks of reports read: a batch's reports in their forms, from the files that each session left.

Sources: the README files of DeepResearch Bench and of ScholarQABench, whose citations count from 0, and the
folders that STORM leaves behind, which its evaluation on FreshWiki reads.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from roundtable.batch.batch_index import BatchRow
from roundtable.output.outputs import write_file


def write_benchmarks(folder: Path, rows: Sequence[BatchRow], forms: Sequence[str]) -> list[Path]:
    """Write the reports of topics that have ended; return what was written, a file or folder of each form.

    Args:
        folder: Of the batch.
        rows: Its topics.
        forms: Of `FORMATS`.

    Raises:
        OutputError: a file cannot be written.
        OSError, ValueError: a report's files cannot be read.
    """
    ended = [(row, folder / row.folder) for row in rows if row.status == "ended"]
    return [FORMATS[form](folder, ended) for form in dict.fromkeys(forms)]


def _deep_research(folder: Path, ended: Sequence[tuple[BatchRow, Path]]) -> Path:
    lines = [
        {"id": row.id or row.n, "prompt": row.topic, "article": (place / "report.md").read_text("utf-8")}
        for row, place in ended
    ]
    file = folder / "drb.jsonl"
    write_file(file, "".join(json.dumps(each) + "\n" for each in lines).encode())
    return file


def _scholar(folder: Path, ended: Sequence[tuple[BatchRow, Path]]) -> Path:
    answers = []
    for row, place in ended:
        report, passages = _read(place)
        numbers = {each: n for n, each in enumerate(_cited(report))}
        contexts = [{"title": passages[each]["title"], "text": passages[each]["text"]} for each in numbers]
        output = _written(report, numbers, "")
        answers.append({"id": row.id or row.n, "input": row.topic, "output": output, "ctxs": contexts})
    file = folder / "scholarqa.json"
    write_file(file, json.dumps(answers, indent=1).encode())
    return file


def _freshwiki(folder: Path, ended: Sequence[tuple[BatchRow, Path]]) -> Path:
    whole = folder / "freshwiki"
    for row, place in ended:
        report, passages = _read(place)
        urls = list(dict.fromkeys(passages[each]["url"] for each in _cited(report)))
        numbers = {each: urls.index(passages[each]["url"]) + 1 for each in _cited(report)}
        information = {
            url: {"url": url, "title": told[0]["title"], "snippets": [each["text"] for each in told]}
            for url in urls
            if (told := [passages[each] for each in numbers if passages[each]["url"] == url])
        }
        index = {url: n for n, url in enumerate(urls, 1)}
        told_of = {"url_to_unified_index": index, "url_to_info": information}
        article = whole / row.folder
        article.mkdir(parents=True, exist_ok=True)
        write_file(article / "storm_gen_article_polished.txt", _written(report, numbers, "# ").encode())
        write_file(article / "url_to_info.json", json.dumps(told_of, indent=1).encode())
    return whole


FORMATS: Mapping[str, Callable[[Path, Sequence[tuple[BatchRow, Path]]], Path]] = {
    "drb": _deep_research, "scholarqa": _scholar, "freshwiki": _freshwiki
}  # fmt: skip
"""By the name of the benchmark."""


def _read(place: Path) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return a report, and its passages by id with their sources' titles and addresses."""
    report = json.loads((place / "report.json").read_text("utf-8"))
    sources = json.loads((place / "sources.json").read_text("utf-8"))["sources"]
    passages = {
        each["id"]: {"text": each["text"], "title": source["title"], "url": source["url"]}
        for source in sources
        for each in source["passages"]
    }
    return report, passages


def _sentences(report: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for section in report["sections"]:
        yield from section["sentences"]


def _cited(report: Mapping[str, Any]) -> list[str]:
    """Return the passages that a report cites, in order, each once."""
    return list(dict.fromkeys(each for sentence in _sentences(report) for each in sentence["citations"]))


def _written(report: Mapping[str, Any], numbers: Mapping[str, int], mark: str) -> str:
    """Return a report as plain text with numbered citations, a section after the other."""
    parts = []
    for section in report["sections"]:
        told = []
        for sentence in section["sentences"]:
            shown = dict.fromkeys(numbers[each] for each in sentence["citations"])
            told.append(" ".join([sentence["text"], "".join(f"[{n}]" for n in shown)]).strip())
        if told:
            head = "#" * (section["level"] - 1) + mark + section["heading"] + "\n\n" if mark else ""
            parts.append(head + " ".join(told))
    return "\n\n".join(parts) + "\n"
