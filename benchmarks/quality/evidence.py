"""What becomes of the evidence on the language-model path, with a deterministic reader in the model's seat.

    python -m benchmarks evidence          with ROUNDTABLE_FRESHWIKI naming PAGES-AND-GOLD
    python -m benchmarks.quality.evidence PAGES-AND-GOLD [--topics N] [--only WORD]
        [--depth NAME] [--json FILE]

The folder holds `pages/` (documents to search) and `gold/` (a JSON file for each topic: `topic`, and
`statements`, each with `sentences`). The reader (`inputs/reader.py`) answers from what each request shows
and from nothing else. Told for each topic:

    recall      share of the article's statements of which a sentence stands in the report
    told        share of the passages that answers rest on and that the report cites or counts as left out
                with a reason
    cut         citations of admitted passages that were dropped from a turn
    whole       share of the admitted passages that a prompt showed whole, at the latest two rounds after
    requests, tokens (of prompts), sentences
"""

import argparse
import asyncio
import html
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from agents import CitationRejected
from benchmarks.inputs.reader import read
from library import citations
from roundtable.config.config import load_settings
from roundtable.journal.fold.state import State
from roundtable.output.outputs import write_outputs
from roundtable.session.factory import Runtime, start_session
from tests.model_server import ModelServer

_PASSAGE = re.compile(r"<passage\b([^<>]*)>\n([^<\n]*(?:(?:\n(?!</)|<(?!/))[^<\n]*)*)\n</passage>")


@dataclass(frozen=True, slots=True)
class Kept:
    """One session's figures."""

    recall: float
    told: float
    cut: int
    whole: float
    requests: int
    tokens: int
    sentences: int


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def recall(report: Mapping[str, Any], gold: Mapping[str, Any]) -> float:
    """Return the share of the statements of which a sentence of five words or more stands in the report."""
    said = " ".join(_words(s["text"]) for section in report["sections"] for s in section["sentences"])
    statements = gold["statements"]
    return sum(
        any(_words(s) in said for s in each["sentences"] if len(s.split()) > 4) for each in statements
    ) / len(statements)


def told(report: Mapping[str, Any], state: State) -> float:
    """Return the share of the passages under answers that the report cites, or leaves out with a reason."""
    rest = {p for turn in state.turns if turn.role == "expert" for p in citations(turn.text)}
    cited = {c for section in report["sections"] for s in section["sentences"] for c in s["citations"]}
    left = {each["passage"] for each in report.get("left_out", []) if each["reason"]}
    return len(rest & (cited | left)) / len(rest) if rest else 1.0


def shown_whole(state: State, prompts: Sequence[str]) -> float:
    """Return the share of the admitted passages that some prompt shows whole."""
    bodies = {body for prompt in prompts for _attributes, body in _PASSAGE.findall(prompt)}
    shown = "\n".join(_words(html.unescape(body)) for body in bodies)
    passages = state.evidence.passages
    whole = [p for p in passages.values() if _words(p.text) in shown]
    return len(whole) / len(passages) if passages else 1.0


async def _play(
    topic: str, pages: Path, home: Path, server: ModelServer, depth: str
) -> tuple[State, list[CitationRejected]]:
    flags: dict[str, Any] = {
        "docs": [str(pages)], "offline": True,
        "models": {"model": "openai:reader", "base_url": server.url, "cache": "off"},
    }  # fmt: skip
    if depth:
        flags["depth"] = depth
    settings = load_settings(flags, environment={})
    around = Runtime(home=home, environment={"OPENAI_API_KEY": "none"})
    session = await start_session(topic, settings, around=around)
    try:
        events = [recorded.event async for recorded in session.run()]
    finally:
        await session.close()
    return session.state, [event for event in events if isinstance(event, CitationRejected)]


def measure(gold: Mapping[str, Any], pages: Path, home: Path, depth: str) -> Kept:
    """Run one topic and say what became of its evidence."""
    with ModelServer(reply=read) as server, tempfile.TemporaryDirectory() as out:
        state, rejected = asyncio.run(_play(gold["topic"], pages, home, server, depth))
        write_outputs(state, Path(out))
        report = json.loads((Path(out) / "report.json").read_text(encoding="utf-8"))
        prompts = [asked.prompt for asked in server.asked]
        admitted = state.evidence.passages
        return Kept(
            recall=recall(report, gold), told=told(report, state),
            cut=sum(each in admitted for event in rejected for each in event.ids),
            whole=shown_whole(state, prompts),
            requests=server.requests, tokens=server.prompt_tokens,
            sentences=sum(len(section["sentences"]) for section in report["sections"]),
        )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure all topics of a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--topics", type=int, default=0, help="the first N alone")
    parser.add_argument("--only", default="", help="topics whose name holds this")
    parser.add_argument("--depth", default="", help="quick, standard or deep; as configured by default")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    golds = [json.loads(f.read_text(encoding="utf-8")) for f in sorted((given.data / "gold").glob("*.json"))]
    golds = [gold for gold in golds if given.only.lower() in gold["topic"].lower()]
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as home:
        for gold in golds[: given.topics or None]:
            found = measure(gold, given.data / "pages", Path(home), given.depth)
            rows[gold["topic"]] = asdict(found)
            print(f"{gold['topic']:<40.40} {_line(asdict(found))}", flush=True)
    together = {name: mean(row[name] for row in rows.values()) for name in Kept.__slots__} if rows else {}
    print(f"{'MEAN of ' + str(len(rows)):<40} {_line(together)}")
    if given.json:
        given.json.write_text(json.dumps({"topics": len(rows), "mean": together}, indent=1), encoding="utf-8")


def _line(row: Mapping[str, float]) -> str:
    return " ".join(f"{k}={v:.3f}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items())


if __name__ == "__main__":
    main()
