"""What a chat is told: the report, or what the table answered, with its citations as annotations."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents import Turn
from library import Evidence, Source, shown_address
from models import Usage
from reports import SOURCE_LINK
from reports.cite import bibliography
from roundtable.journal.fold.state import State
from roundtable.output.outputs import output_texts, summed

_ESCAPE = re.compile(r"\\([^\w\s])")
_ANCHOR = re.compile(r'\\\[(\d{1,9})\\\] <a id="source-\d+"></a>')


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A message's text, with where it cites what."""

    text: str
    annotations: list[dict[str, Any]]


def report_answer(state: State, identity: str) -> ChatAnswer:
    """Return the report as a message; where there is none, why."""
    report = output_texts(state)["report.md"]
    if not report:
        return _closed(f"There is no report: {state.reason or state.status}.", [], identity)
    text, cited = "", list[tuple[int, int, int]]()
    at = 0
    report = _ANCHOR.sub(r"[\1]", report)
    for match in SOURCE_LINK.finditer(report):
        text += report[at : match.start()]
        mark = _ESCAPE.sub(r"\1", match[1])
        cited.append((len(text), len(text) + len(mark), int(match[2])))
        text += mark
        at = match.end()
    text += report[at:]
    assert state.report is not None
    entries = bibliography(state.report, state.evidence).entries
    known = {entry.number: entry.source for entry in entries}
    return _closed(text.rstrip(), _annotations(cited, known), identity)


def turns_answer(state: State, after: int, identity: str) -> ChatAnswer:
    """Return what experts answered since a turn, as a message."""
    said = [turn for turn in state.turns if turn.n > after and turn.role == "expert"]
    numbers = state.evidence.numbers()
    text, cited = "", list[tuple[int, int, int]]()
    for turn in said:
        text += ("\n\n" if text else "") + f"**{turn.name}**: "
        text += _named(turn, len(text), numbers, state.evidence, cited)
    if not said:
        text = f"Nobody answered: {state.reason or state.status}."
    known = {number: state.evidence.sources[sha256] for sha256, number in numbers.items()}
    sources = _sources({number for *_, number in cited}, known)
    return _closed(text + sources, _annotations(cited, known), identity)


def _named(
    turn: Turn, offset: int, numbers: dict[str, int], evidence: Evidence, cited: list[tuple[int, int, int]]
) -> str:
    """Return a turn's text with the passages' names; note where each stands in the whole message."""
    labels = evidence.labels()
    text = evidence.named(turn.text)
    sources = {label: numbers[evidence.passages[i].sha256] for i, label in labels.items()}
    marks = (mark for mark in re.finditer(r"\[(\d{1,9}\.\d{1,9})\]", text) if mark[1] in sources)
    cited.extend((offset + mark.start(), offset + mark.end(), sources[mark[1]]) for mark in marks)
    return text


def _closed(text: str, annotations: list[dict[str, Any]], identity: str) -> ChatAnswer:
    """Add the line by which the next message finds the session."""
    return ChatAnswer(f"{text}\n\nSession `{identity}`", annotations)


def _annotations(cited: Sequence[tuple[int, int, int]], known: Mapping[int, Source]) -> list[dict[str, Any]]:
    return [
        {
            "type": "url_citation",
            "url_citation": {
                "start_index": start,
                "end_index": end,
                "url": known[number].url,
                "title": known[number].title,
            },
        }
        for start, end, number in cited
        if number in known
    ]


def _sources(numbers: set[int], known: Mapping[int, Source]) -> str:
    listed = [(number, known[number]) for number in sorted(numbers)]
    lines = [f"- [{number}] {source.title} — {shown_address(source.url)}" for number, source in listed]
    return "\n\n" + "\n".join(lines) if lines else ""


def usage_of(state: State) -> dict[str, int]:
    """Return the tokens that the session has taken so far."""
    usages: list[Usage] = [cost.usage for cost in state.usage]
    counted = summed(usages)
    prompt, completion = int(counted["prompt_tokens"]), int(counted["completion_tokens"])
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
