"""The tables and plots of docs/performance.md, from measured figures. Its words are written by hand.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; what is between is replaced.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Figures = Mapping[str, Any]

_TABLE = re.compile(r"(<!-- table: (?P<name>[a-z]+) -->\n).*?(?=<!-- end -->)", re.DOTALL)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def documents(figures: Sequence[Figures]) -> str:
    """Return the table of indexing and searching."""
    heads = [
        "passages", "files a second", "second run", "search p50 / p95", "on the clock",
        "first 20 searches of a process", "on disk", "memory, indexing / searching",
    ]  # fmt: skip
    return table(heads, [_documents_row(each) for each in figures])


def _documents_row(each: Figures) -> list[str]:
    then, first = each["then"], each["first"]
    name = "" if each["name"] == "made" else f" ({each['name']})"
    rates = [each["documents"] / each[f"index_{kind}"] for kind in ("processor", "seconds")]
    return [
        f"{each['passages']:,}{name}",
        f"{rates[0]:,.0f} ({rates[1]:,.0f})",
        f"{each['again_seconds']:.2f} s",
        f"{_ms(then['p50'])} / {_ms(then['p95'])}",
        f"{_ms(then['clock_p50'])} / {_ms(then['clock_p95'])}",
        f"{_ms(first['p50'])} / {_ms(first['p95'])}",
        f"{each['megabytes']:.0f} MB",
        f"{each['index_memory']:.0f} / {each['search_memory']:.0f} MB",
    ]


def growth(figures: Sequence[Figures]) -> str:
    """Return the table of turns: of a model that takes its time, and of one that answers at once."""
    slow, quick = figures
    heads = [
        "turn", f"a turn, {slow['name']} an answer", "prompt tokens", f"a turn, answers {quick['name']}",
        "of processor", "the median", "memory", "journal",
    ]  # fmt: skip
    rows = [
        [
            str(mark["turn"]), f"{mark['seconds']:.2f} s", f"{mark['prompt_tokens']:,.0f}",
            f"{own['seconds']:.3f} s", f"{own['processor']:.3f} s", f"{own['processor_median']:.3f} s",
            f"{mark['megabytes']:.0f} MB", f"{mark['journal_kilobytes'] / 1000:.1f} MB",
        ]
        for mark, own in zip(slow["marks"], quick["marks"], strict=True)
    ]  # fmt: skip
    resumed = (
        f"\nOpening the session again after {quick['turns']} turns: {quick['resume_processor']:.2f} s of"
        f" processor, {quick['resume_seconds']:.2f} s on the clock.\n"
    )
    return table(heads, rows) + resumed


def start(figures: Figures) -> str:
    """Return the table of starts."""
    plain = figures["python"]
    first, installed = figures["first_event"], figures.get("install")
    times = figures["help"]["processor"] / plain["processor"]
    rows = [
        ["`python -c pass`", "", _seconds(plain)],
        ["`roundtable --help`", "5 times that", f"{_seconds(figures['help'])}: {times:.1f} times"],
        ["`roundtable list`", "", _seconds(figures["list"])],
        ["from the first import to a session's first event", "1 s", _seconds(first)],
        ["memory, a session with the embedded model", "200 MB", f"{figures['megabytes']:.0f} MB"],
    ]
    if installed:
        heaviest = ", ".join(f"{name} {size:.0f}" for name, size in installed["heaviest"][:6])
        rows += [
            ["a fresh install", "500 MB", f"{installed['megabytes']:.0f} MB ({heaviest})"],
            ["packages in it", "", f"{installed['packages']} in {installed['seconds']:.0f} s"],
        ]
    return table(["", "wanted", "here, of processor (on the clock)"], rows)


def session(figures: Sequence[Figures]) -> str:
    """Return the table of sessions against a model and a web that take their time."""
    heads = [
        "setting", "on the clock", "of processor", "requests", "in flight", "prompt tokens", "reply tokens",
        "embeddings", "an expert's turn",
    ]  # fmt: skip
    rows = [
        [
            f"{each['name']}, {each['turns']} turns",
            f"{each['seconds']:.1f} s", f"{each['processor']:.1f} s",
            str(each["requests"]), str(each["most_in_flight"]), f"{each['prompt_tokens']:,}",
            f"{each['completion_tokens']:,}", str(each["embeddings"]), f"{each['expert_turn']:.2f} s",
        ]
        for each in figures
    ]  # fmt: skip
    return table(heads, rows)


def stages(figures: Sequence[Figures]) -> str:
    """Return the table of a session's stages, with a model that takes its time and with one that does not."""
    shown = [each for each in figures if each["name"] in ("no latency", "300 ms")]
    heads = ["stage", "requests", "prompt tokens", "reply tokens", *(each["name"] for each in shown)]
    rows = [
        [
            name, str(sums["requests"]), f"{sums['prompt_tokens']:,}", f"{sums['completion_tokens']:,}",
            *(f"{each['stages'][name]['seconds']:.2f} s" for each in shown),
        ]
        for name in ("warm start", "turns", "report")
        for sums in [shown[0]["stages"][name]]
    ]  # fmt: skip
    return table(heads, rows)


def many(figures: Sequence[Figures]) -> str:
    """Return the table of sessions at once."""
    heads = [
        "sessions", "seconds of processor", "on the clock", "a session", "memory", "a further session",
        "the loop comes late, p50 / p95 / most",
    ]  # fmt: skip
    one = figures[0]
    rows = [
        [
            str(each["sessions"]), f"{each['processor_seconds']:.1f}", f"{each['seconds']:.1f}",
            f"{each['processor_seconds'] / each['sessions']:.2f}", f"{each['megabytes']:.0f} MB",
            _further(one, each),
            f"{_ms(each['lag_p50'])} / {_ms(each['lag_p95'])} / {_ms(each['lag_most'])}",
        ]
        for each in figures
    ]  # fmt: skip
    return table(heads, rows)


def journals(figures: Sequence[Figures]) -> str:
    """Return the table of journals."""
    heads = [
        "journal", "an append that waits for the disk, p50 / p95", "one that does not", "a session",
        "its appends",
    ]  # fmt: skip
    rows = [
        [
            each["name"], " / ".join(map(_ms, each["waiting"])), " / ".join(map(_ms, each["passing"])),
            f"{each['session']:.2f} s", _ms(each["appending"]),
        ]
        for each in figures
    ]  # fmt: skip
    return table(heads, rows)


def cluster(figures: Sequence[Figures]) -> str:
    """Return the table of batches on nodes and workers of which one is killed."""
    heads = [
        "where", "sessions", "ended", "begun or ended twice", "cut off, at work again after",
        "compared, differ", "a session before the loss", "after it", "load",
    ]  # fmt: skip
    return table(heads, [_cluster_row(each) for each in figures])


def _cluster_row(each: Figures) -> list[str]:
    before, left = each["before"], each["sessions"] - each["before"]
    rates = [each["until_loss"] / before if before else 0.0]
    rates += [(each["seconds"] - each["until_loss"]) / left] if left else [0.0]
    taken_up = ", ".join(f"{seconds:.0f} s" for seconds in sorted(each["taken_up"]))
    return [
        each["name"], str(each["sessions"]), str(each["ended"]), str(each["twice"]),
        f"{len(each['cut'])}: {taken_up}" if each["cut"] else "",
        f"{each['compared']}, {len(each['differ'])}" if each["compared"] else "",
        *(f"{seconds:.1f} s" if seconds else "" for seconds in rates),
        f"{each['load']:.0f}",
    ]  # fmt: skip


def _further(one: Figures, each: Figures) -> str:
    """Return what a session more takes of memory."""
    more = each["sessions"] - one["sessions"]
    return f"{(each['megabytes'] - one['megabytes']) / more:.1f} MB" if more else ""


def evidence(figures: Figures) -> str:
    """Return the table of what became of the evidence: means over the topics."""
    mean = figures["mean"]
    rows = [
        ["recall of the article's statements in the report", "0.70", f"{mean['recall']:.3f}"],
        ["passages under answers that the report tells", "0.9", f"{mean['told']:.3f}"],
        ["citations of admitted passages dropped, a session", "0", f"{mean['cut']:.2f}"],
        ["admitted passages that a prompt showed whole", "0.95", f"{mean['whole']:.3f}"],
        ["requests, prompt tokens", "", f"{mean['requests']:.0f}, {mean['tokens']:,.0f}"],
    ]
    return table([f"{figures['topics']} topics", "wanted", "measured"], rows)


TABLES: Mapping[str, Callable[[Any], str]] = {
    "documents": documents, "growth": growth, "start": start, "many": many, "journals": journals,
    "cluster": cluster, "session": session, "stages": stages, "evidence": evidence,
}  # fmt: skip
FROM = {"stages": "session"}
"""Tables that are made of another part's figures."""


def rendered(text: str, figures: Figures) -> str:
    """Return the page with its tables made anew from the figures; those without figures stay as they are."""

    def made(match: re.Match[str]) -> str:
        name = match["name"]
        part = FROM.get(name, name)
        return match[1] + TABLES[name](figures[part]) if name in TABLES and part in figures else match[0]

    return _TABLE.sub(made, text)


def draw(figures: Figures, folder: Path) -> None:
    """Draw the plots."""
    folder.mkdir(parents=True, exist_ok=True)
    if "documents" in figures:
        sizes = [each for each in figures["documents"] if each["name"] == "made"]
        points = [(f"{s['passages']:,}", s["then"][p] * 1000, p) for s in sizes for p in ("p95", "p50")]
        _plot(folder / "performance-search.svg", "milliseconds of a search", "passages", points)
    if "growth" in figures:
        points = [(str(mark["turn"]), mark["prompt_tokens"], "") for mark in figures["growth"][0]["marks"]]
        _plot(folder / "performance-growth.svg", "prompt tokens of a turn", "turn", points)
    if "many" in figures:
        points = [(str(each["sessions"]), each["megabytes"], "") for each in figures["many"]]
        _plot(folder / "performance-many.svg", "megabytes of one process", "sessions at once", points)
    if "mindmap" in figures:
        points = [(f"{row['held']:,}", row["seconds"] * 1000, "") for row in figures["mindmap"]]
        _plot(folder / "performance-map.svg", "milliseconds to place a passage", "passages held", points)


def _plot(path: Path, title: str, across: str, points: Sequence[tuple[str, float, str]]) -> None:
    """Draw lines over named steps: of each point the step, the value, and the line where there are two."""
    import vl_convert

    encoding: dict[str, Any] = {
        "x": {"field": "step", "type": "ordinal", "sort": None, "title": across, "axis": {"labelAngle": 0}},
        "y": {"field": "value", "type": "quantitative", "title": title},
    }
    if any(line for _, _, line in points):
        encoding["color"] = {"field": "line", "type": "nominal", "title": None}
    values = [{"step": step, "value": round(value, 3), "line": line} for step, value, line in points]
    drawn = vl_convert.vegalite_to_svg({
        "width": 440, "height": 220, "config": {"background": "white"}, "data": {"values": values},
        "mark": {"type": "line", "point": True}, "encoding": encoding,
    }, allowed_base_urls=[])  # fmt: skip
    path.write_text(drawn + "\n", encoding="utf-8")


def _ms(seconds: float) -> str:
    value = seconds * 1000
    return f"{value:.1f} ms" if value < 100 else f"{value:,.0f} ms"


def _seconds(times: Figures) -> str:
    if times["clock"] < 0.3:
        return f"{times['processor'] * 1000:.0f} ms ({times['clock'] * 1000:.0f} ms)"
    return f"{times['processor']:.2f} s ({times['clock']:.2f} s)"
