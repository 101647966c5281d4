"""What the benchmarks' figures rest on, as far as it does not depend on the machine.

Imports, packages, threads, and the page that tells of it all.
"""

import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from statistics import median
from xml.etree import ElementTree as ET

import pytest
from packaging.requirements import Requirement
from pydantic import BaseModel

from benchmarks.__main__ import FLOORS
from benchmarks.inputs.loopback import NONE, Loopback
from benchmarks.inputs.zipf import Corpus
from benchmarks.performance import FROM, TABLES, draw, rendered, table
from benchmarks.speed.growth import _PAGES, measure
from benchmarks.speed.session import run
from models import ExtractiveModel, Task

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = ("autogen_agentchat", "autogen_ext", "openai", "scipy", "trafilatura", "pypdfium2", "lxml", "ddgs")
LATER = ("numpy", "networkx", "pydantic", "pydantic_core", "pygments", "rich")
"""What no command needs that only shows a few lines."""


def modules_of(program: str, *arguments: str, **variables: str) -> set[str]:
    """Run a program with variables of the environment; return all modules that it imported."""
    told = f"{program}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    command = [sys.executable, "-c", told, *arguments]
    ran = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=True
    )
    return set(json.loads(ran.stderr.splitlines()[-1]))


@pytest.mark.parametrize(("command", "most"), [("--help", 95), ("--version", 85), ("list", 145)])
def test_a_short_command_imports_little(command: str, most: int, tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "os.environ['ROUNDTABLE_HOME'] = sys.argv[1]\n"
        "from roundtable.__main__ import run\n"
        f"run([{command!r}])"
    )
    imported = modules_of(program, str(tmp_path))
    plain = modules_of("pass")
    assert not {name for name in imported if name.partition(".")[0] in {*HEAVY, *LATER}}
    assert len(imported - plain) <= most


@pytest.mark.parametrize(("typed", "most"), [("roundtable ru", 110), ("roundtable run --mo", 150)])
def test_completing_a_line_imports_little(typed: str, most: int, tmp_path: Path) -> None:
    program = "from roundtable.__main__ import run\ntry: run([])\nexcept SystemExit: pass"
    line = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" ")), "_ROUNDTABLE_COMPLETE": "bash_complete"}
    imported = modules_of(program, **line, ROUNDTABLE_HOME=str(tmp_path))
    assert not {name for name in imported if name.partition(".")[0] in {*HEAVY, *LATER}}
    assert len(imported - modules_of("pass")) <= most


def test_a_first_event_waits_for_nothing_that_is_needed_later(tmp_path: Path) -> None:
    (tmp_path / "bridges.md").write_text(
        "# Bridges\n\nThe bridge of stone was built by the river in 1931.\n" * 5
    )
    program = (
        "import asyncio, json, sys\n"
        "from pathlib import Path\n"
        "from roundtable.config import load_settings\n"
        "from roundtable.journal.storage.journal_store import Journal\n"
        "import roundtable.session.factory as opening\n"
        "async def main():\n"
        "    here = Path(sys.argv[1])\n"
        "    flags = {'docs': [str(here / 'bridges.md')], 'offline': True, 'models': {'model': 'embedded'}}\n"
        "    around = opening.Runtime(here / 'home', environment={})\n"
        "    create = Journal.create\n"
        "    def noted(*given):\n"
        "        made = create(*given)\n"
        "        print(json.dumps(sorted(sys.modules)))\n"
        "        return made\n"
        "    Journal.create = noted\n"
        "    settings = load_settings(flags, environment={})\n"
        "    session = await opening.start_session('bridges', settings, around=around)\n"
        "    await session.close()\n"
        "asyncio.run(main())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    imported = set(json.loads(ran.stdout.splitlines()[0]))
    assert not {name for name in imported if name.partition(".")[0] in HEAVY}


def installed_with(names: list[str]) -> set[str]:
    """Return the names of all packages that some bring with them, themselves included."""
    found: set[str] = set()
    waiting = [(Requirement(name), frozenset(Requirement(name).extras) | {""}) for name in names]
    while waiting:
        requirement, extras = waiting.pop()
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        try:
            inside = [Requirement(text) for text in requires(name) or ()]
        except PackageNotFoundError:
            continue  # not for this system
        found.add(name)
        for each in inside:
            wanted = each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in extras)
            known = re.sub(r"[-_.]+", "-", each.name).lower() in found and not each.extras
            if wanted and not known:
                waiting.append((each, frozenset(each.extras) | {""}))
    return found


def test_an_install_brings_few_packages_and_none_that_is_huge() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert len(project["dependencies"]) <= 33, "some are named that others bring anyway; what counts is below"
    packages = installed_with(project["dependencies"])
    assert "numpy" in packages
    assert len(packages) <= 75, sorted(packages)
    assert not packages & {
        "torch", "transformers", "pandas", "pyarrow", "tensorflow", "onnxruntime", "playwright", "spacy",
        "sentence-transformers", "scikit-learn", "matplotlib", "lancedb",
    }  # fmt: skip


class Word(BaseModel):
    """Where a task was done."""

    thread: int


class Tell(Task[Word]):
    """Says which thread does it."""

    name = "tell"
    package = "models"
    role = "expert"
    output = Word

    def fields(self) -> Mapping[str, str]:
        return {}

    def extract(self, statistics: object) -> Word:
        return Word(thread=threading.get_ident())


async def test_the_embedded_model_works_beside_the_event_loop() -> None:
    reply = await ExtractiveModel(None).ask(Tell())  # type: ignore[arg-type]
    assert reply.output.thread != threading.get_ident()


@pytest.mark.loopback
@pytest.mark.parametrize(("depth", "requests", "tokens"), [("quick", 32, 49_000), ("standard", 45, 90_000)])
def test_a_session_costs_what_its_depth_says(depth: str, requests: int, tokens: int) -> None:
    found = run(NONE, depth=depth)
    assert set(found.stages) == {"warm start", "turns", "report"}
    assert all(stage.requests for stage in found.stages.values())
    assert found.requests <= requests
    assert found.prompt_tokens <= tokens


@pytest.mark.loopback
@pytest.mark.slow
async def test_late_turns_take_no_more_tokens_than_early_ones(tmp_path: Path) -> None:
    turns = 20
    with Loopback(replace(NONE, pages=_PAGES)) as loopback:
        found = await measure(loopback, turns, tmp_path)  # a person asks on where the table closes
    tokens = [spent for _, _, spent in found.per_turn]
    assert len(tokens) >= turns
    # The median: one of the late ones is the closing question, which has room of its own.
    assert median(tokens[14:20]) <= 1.2 * median(tokens[6:12]), tokens


def test_the_page_says_what_was_measured() -> None:
    figures = json.loads((ROOT / "docs" / "performance.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert rendered(page, figures) == page, "run `python -m benchmarks --render`"
    for name in TABLES:
        measured = FROM.get(name, name) in figures
        assert f"<!-- table: {name} -->\n{'|' if measured else '<!-- end'}" in page, name
    for image in re.findall(r"\]\((images/[\w./-]+)\)", page):
        assert (ROOT / "docs" / image).is_file()


def test_tables_are_put_in_place_and_unknown_ones_left_alone(tmp_path: Path) -> None:
    page = "a\n<!-- table: many -->\nold\n<!-- end -->\nb\n<!-- table: session -->\nkept\n<!-- end -->\n"
    one = {
        "sessions": 1, "seconds": 2.0, "processor_seconds": 1.5, "ended": 1, "megabytes": 100.0,
        "lag_p50": 0.001, "lag_p95": 0.02, "lag_most": 0.3,
    }  # fmt: skip
    made = rendered(page, {"many": [one, {**one, "sessions": 10, "megabytes": 190.0}]})
    assert "old" not in made
    assert "kept" in made
    assert "| 10 | 1.5 | 2.0 | 0.15 | 190 MB | 10.0 MB | 1.0 ms / 20.0 ms / 300 ms |" in made
    assert rendered(made, {}) == made
    draw({"many": [one]}, tmp_path)
    assert [path.name for path in tmp_path.glob("*.svg")] == ["performance-many.svg"]
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_a_plot_is_xml_and_the_same_each_time(tmp_path: Path) -> None:
    times = {"p50": 0.001, "p95": 0.0035}
    sizes = [{"name": "made", "passages": passages, "then": times} for passages in (1_000, 10_000)]
    for folder in ("a", "b"):
        draw({"documents": sizes}, tmp_path / folder)
    one, other = (tmp_path / folder / "performance-search.svg" for folder in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()
    words = {text.text for text in ET.parse(one).getroot().findall(".//{*}text")}
    assert {"1,000", "10,000", "p50", "p95", "passages", "milliseconds of a search"} <= words


def test_made_texts_are_the_same_each_time_and_as_uneven_as_real_ones() -> None:
    corpus = Corpus(30)
    texts = [corpus.text(number) for number in range(30)]
    assert texts == [Corpus(30).text(number) for number in range(30)]
    assert list(corpus.queries(3)) == list(Corpus(30).queries(3))
    words = re.findall(r"[a-z]+", " ".join(texts).lower())
    counts = sorted((words.count(word) for word in set(words)), reverse=True)
    assert sum(counts[:20]) > 0.15 * len(words)
    assert sum(count == 1 for count in counts) > 0.2 * len(counts)


def test_every_part_is_measured_by_one_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for part, floor in FLOORS.items():
        assert part in ran.stdout
        assert (ROOT / "benchmarks" / floor / f"{part}.py").is_file()
    assert "$(BIN)/python -m benchmarks\n" in (ROOT / "Makefile").read_text()
