"""Does a comparison fill its cells rightly, and leave those empty of which nothing is told?

    python -m benchmarks.quality.compare [FOLDER ...] [--show]

Without a model: cells are sentences. Texts of our own with known cells (`inputs/compared_things.toml`) come
first. A FOLDER holds `pages/*.md` and `gold/*.json` with a `summary` for each topic: what a summary tells of
its topic by one of a few forms (`FACETS`) is a known cell where a sentence of the topic's own pages says it,
too. There a cell that no summary tells is not counted, for a page may.
"""

import argparse
import asyncio
import json
import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library import LibrarySettings, open_library
from library.text import sentences, terms
from reports import library_comparer

OWN = Path(__file__).parents[1] / "inputs" / "compared_things.toml"
_DATE = r"((?:\d{1,2} [A-Z]\w+|[A-Z]\w+ \d{1,2}),? \d{4})"
_NAME = r"((?:[A-Z][\w.’'-]+ )+[A-Z][\w’'-]+)"
FACETS = {
    "Who directed it?": rf"directed(?: and produced)? by {_NAME}",
    "Who produced it?": rf"produced by {_NAME}",
    "When was it released?": rf"released (?:by [^.,]{{1,40}} )?on {_DATE}",
    "When did it happen?": rf"^(?:On|[^.]{{0,200}}? (?:held|occurred)[^.]{{0,120}}? on) {_DATE}",
    "How many people were killed?": r"kill(?:ing|ed) (?:at least )?(\w+) (?:people|others)",
    "magnitude": r"(?:magnitude of |\bMww? )(\d\.\d)",
    "population": r"population of ([\d,]+)",
    "date of birth": rf"(?:\(|born )(?:[^()]{{0,60}}; )?{_DATE}",
    "When was it founded?": r"(?:founded|established) in (\d{4})",
    "visitors a year": r"([\d,]+) visitors",
}


@dataclass(frozen=True)
class KnownTable:
    """Documents, and what their cells hold."""

    name: str
    documents: Mapping[str, str]
    """By file name."""
    things: Sequence[str]
    questions: Sequence[str]
    cells: Mapping[tuple[str, str], Sequence[str]]
    """Of a thing and a question: words of a right cell, one of several; none where an empty one is right.
    What is not named here is not counted."""


def own_tables() -> Iterator[KnownTable]:
    """Yield the tables of our own texts."""
    for one in tomllib.loads(OWN.read_text(encoding="utf-8"))["set"]:
        rows = one["cells"].items()
        cells = {(thing, question): said for thing, row in rows for question, said in row.items()}
        yield KnownTable(one["name"], one["documents"], one["things"], one["questions"], cells)


def tables_of(folder: Path) -> Iterator[KnownTable]:
    """Yield a table for each question that summaries of topics answer."""
    pages = sorted((folder / "pages").glob("*.md"))
    documents = {path.stem: path.read_text(encoding="utf-8") for path in pages}
    gold = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / "gold").glob("*.json"))]
    for question, form in FACETS.items():
        told: dict[str, str] = {}
        for one in gold:
            match = re.search(form, one["summary"])
            if match is not None and any(_says(each, match[1], question) for each in _own(one, documents)):
                told[re.sub(r" \(.*\)", "", one["topic"])] = match[1]
        if told:
            cells = {(thing, question): [value] for thing, value in told.items()}
            yield KnownTable(f"{folder.name}: {question}", documents, list(told), [question], cells)


def _own(gold: Mapping[str, Any], documents: Mapping[str, str]) -> Iterator[str]:
    """Yield the pages that a topic's statements cite."""
    urls = {url for statement in gold["statements"] for url in statement["urls"]}
    for text in documents.values():
        address = re.search(r'^url: "(.*)"$', text, re.MULTILINE)
        if address is not None and address[1] in urls:
            yield text


def _says(text: str, value: str, question: str) -> bool:
    """Tell whether a sentence of a text has a value, and beside a short one a word of what was asked."""
    whole = re.compile(rf"(?<![\w.,]){re.escape(value)}(?![\w]|[.,]\d)")
    asked = set(terms(question))
    said = (text[start:end] for start, end in sentences(text))
    return any(whole.search(one) and (" " in value or asked & set(terms(one))) for one in said)


async def measured(tables: Sequence[KnownTable], *, show: bool) -> Counter[str]:
    """Fill tables over the same documents; count the cells by what became of them."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        home, documents = Path(folder), Path(folder) / "documents"
        documents.mkdir()
        for name, text in tables[0].documents.items():
            (documents / f"{name}.md").write_text(text, encoding="utf-8")
        async with await open_library(
            LibrarySettings(), [str(documents)], [], offline=True, home=home, environment={}
        ) as library:
            for table in tables:
                filling = library_comparer(table.things, table.questions, library, None)
                async for _ in filling.steps():
                    pass
                for row in filling.comparison(compared_at="", model="embedded").rows:
                    for question, cell in zip(table.questions, row.cells, strict=True):
                        known = table.cells.get((row.thing, question))
                        if known is None:
                            continue
                        became = _became(cell.text, known)
                        counts[became] += 1
                        if show and became not in ("right", "rightly empty"):
                            print(f"  {became}: {row.thing} | {question} | {cell.text} | {' / '.join(known)}")
    return counts


def _became(text: str, known: Sequence[str]) -> str:
    if not text:
        return "wrongly empty" if known else "rightly empty"
    return "right" if any(words.casefold() in text.casefold() for words in known) else "wrong"


def main() -> None:
    """Measure and print."""
    cli = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    cli.add_argument("folders", type=Path, nargs="*")
    cli.add_argument("--show", action="store_true", help="print the cells that went wrong")
    options = cli.parse_args()
    groups = [[table] for table in own_tables()] + [list(tables_of(folder)) for folder in options.folders]
    for group in groups:
        counts = asyncio.run(measured(group, show=options.show))
        filled = counts["right"] + counts["wrong"]
        known = counts["right"] + counts["wrong"] + counts["wrongly empty"]
        print(
            f"{group[0].name.partition(':')[0]:<20} {counts.total():4d} cells"
            f"  filled {filled:3d}, right {counts['right'] / max(filled, 1):4.0%}"
            f"  of those that can be filled right {counts['right'] / max(known, 1):4.0%}"
            f"  wrongly empty {counts['wrongly empty']}, rightly {counts['rightly empty']}"
        )


if __name__ == "__main__":
    main()
