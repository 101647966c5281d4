"""Are contradictions found that were planted in notes beside real documents, and what else is flagged?

    python -m benchmarks.quality.contradictions NOTES.toml [NAME=FOLDER ...] [--show]
    python -m benchmarks.quality.contradictions NAME=FOLDER ...

NOTES.toml (`inputs/planted_notes.toml`) has `[[set]]` with a `name`, `documents` (title to text) and
`planted`: pairs of words of the two sentences that contradict each other. The documents of FOLDER are set
against the notes of the set NAME and against each other; without NOTES, against each other alone. What is
flagged beside what was planted is printed, to be read: no program knows whether it is false. Told, too, of
how much a language model would be shown both sides, in one review of a session; `--prompt` prints what it is
shown.
"""

import argparse
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from library import Passage, Source, TextFrequencies, TextStatistics
from library.claims import Contradiction, StatedSentence, contradictions, near_statements
from library.passages import cut
from library.readers import Reader
from roundtable.session.judging.told_contradictions import STATED_ROOM

_ENDINGS = {".html", ".htm", ".md", ".txt", ".pdf"}


@dataclass(frozen=True)
class Notes:
    """Documents with what was planted in them."""

    name: str
    passages: Sequence[Passage]
    planted: Sequence[tuple[str, str]]


def notes_of(path: Path) -> list[Notes]:
    """Read the sets of a file."""
    return [
        Notes(
            one["name"],
            [p for title, text in one["documents"].items() for p in _passages(title, text)],
            [(a, b) for a, b in one["planted"]],
        )
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["set"]
    ]


def documents_of(folder: Path) -> list[Passage]:
    """Read a folder's documents, texts that several have once."""
    found: dict[str, list[Passage]] = {}
    with Reader() as reader:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in _ENDINGS):
            source = reader.read_file(path)
            found[source.sha256] = cut(source)
    return [passage for cuts in found.values() for passage in cuts]


def _passages(title: str, text: str) -> list[Passage]:
    return cut(Source(sha256(f"{title}{text}".encode()).hexdigest(), f"file:{title}", title, text.strip()))


def which(found: Contradiction, planted: Sequence[tuple[str, str]]) -> int | None:
    """Return which of the planted ones this is."""
    for n, pair in enumerate(planted):
        for a, b in (pair, pair[::-1]):
            if a in _plain(found.sentences[0]) and b in _plain(found.sentences[1]):
                return n
    return None


def _plain(text: str) -> str:
    return " ".join(text.split())


def shown(stated: Sequence[StatedSentence], planted: Sequence[tuple[str, str]]) -> set[int]:
    """Return which of the planted ones a model is shown both sides of, each in another document."""
    said = [(statement.passage.sha256, _plain(statement.shown)) for statement in stated]
    sides = [[{sha256 for sha256, text in said if side in text} for side in pair] for pair in planted]
    return {n for n, (a, b) in enumerate(sides) if a and b and len(a | b) > 1}


def measure(notes: Notes, documents: Sequence[Passage], *, show: bool, prompt: bool) -> tuple[int, int, int]:
    """Print what was found of a set; return how many planted ones, how many others, how many are shown."""
    everything = [*documents, *notes.passages]
    statistics = TextStatistics(TextFrequencies([passage.text for passage in everything]))
    begun = time.perf_counter()
    flagged = contradictions(everything, [], statistics)
    seconds = time.perf_counter() - begun
    stated = near_statements(notes.passages, documents, statistics, STATED_ROOM)
    near = shown(stated, notes.planted)
    told = [which(one, notes.planted) for one in flagged]
    hits = set(told) - {None}
    print(
        f"{notes.name}: {len(documents) + len(notes.passages)} passages, {seconds:.1f} s;"
        f" found {len(hits)} of {len(notes.planted)} planted, {told.count(None)} else;"
        f" {len(near)} shown in {len(stated)} statements, {len(hits | near)} in all"
    )
    for statement in stated if prompt else []:
        print(f"  [{statement.passage.title}] {statement.shown}")
    for n, (a, b) in enumerate(notes.planted):
        if n not in hits and show:
            print(f"  missed{'' if n in near else ', not shown'}: {a} / {b}")
    for one, known in zip(flagged, told, strict=True):
        if known is None:
            print(f"  else ({one.kind}, {' / '.join(one.values)[:80]}), about {one.about}")
            for passage, sentence in ((one.a, one.sentences[0]), (one.b, one.sentences[1])):
                print(f"    [{passage.title}] {_plain(sentence)}")
    return len(hits), told.count(None), len(near)


def main() -> None:
    """Measure and print."""
    cli = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    cli.add_argument("what", nargs="*", help="NOTES.toml, NAME=FOLDER")
    cli.add_argument("--show", action="store_true", help="print what was missed")
    cli.add_argument("--prompt", action="store_true", help="print what a model would be shown")
    options = cli.parse_args()
    folders = {name: Path(folder) for name, _, folder in (w.partition("=") for w in options.what) if folder}
    files = [Path(one) for one in options.what if "=" not in one]
    sets = [one for file in files for one in notes_of(file)] or [Notes(name, [], []) for name in folders]
    found = else_ = near = 0
    for one in sets:
        documents = documents_of(folders[one.name]) if one.name in folders else []
        hits, others, read = measure(one, documents, show=options.show, prompt=options.prompt)
        found, else_, near = found + hits, else_ + others, near + read
    planted = sum(len(one.planted) for one in sets)
    print(f"all: {found} of {planted} planted ({found / max(planted, 1):.0%}), {else_} else, {near} shown")


if __name__ == "__main__":
    main()
