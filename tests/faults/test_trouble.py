"""What brings programs of this kind down, or makes them lose words: here a session ends, whole, each time.

Each case is a session of its own: scripts of what the model says, what its place to search does, and the
documents. After each the same is looked at (`sound`), and what the case is about.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from library import Library
from library.errors import SearchError
from library.evidence import citations
from library.search import Collection, Hit
from models import ReplyUnusable, ScriptedModel
from roundtable.config import load_settings
from roundtable.events import Recorded
from roundtable.open import Surroundings, start_session
from roundtable.state import State
from tests.embedding_server import EmbeddingServer
from tests.faults.town import THINGS, article, files_of, open_town, play, still_clock

Scripts = Callable[[Library], Mapping[str, Any]]
FEW = {thing: article(thing) for thing in THINGS[:6]}


class Place:
    """A place to search that does as it is told."""

    name = "pages"
    description = "Pages about Asterby."
    private = False
    local = False

    def __init__(self, find: Callable[[str, int], list[Hit]]) -> None:
        self._find = find

    async def search(self, query: str, limit: int) -> list[Hit]:
        """Do it."""
        return self._find(query, limit)


def hits(*urls: str, **more: Any) -> Callable[[str, int], list[Hit]]:
    return lambda query, limit: [Hit(url=url, title="A page", **more) for url in urls]


def failing(error: Exception) -> Callable[[str, int], list[Hit]]:
    def find(query: str, limit: int) -> list[Hit]:
        raise error

    return find


@dataclass(frozen=True)
class Case:
    """One kind of trouble."""

    name: str
    scripts: Scripts = lambda library: {}
    holds: Callable[[State, list[Recorded]], object] = lambda state, events: True
    place: Callable[[str, int], list[Hit]] | None = None
    documents: Mapping[str, str] = field(default_factory=lambda: FEW)
    topic: str = "How does the town of Asterby live with its river?"
    turns: int = 4
    empty: bool | None = False
    """Whether there is nothing that a report could hold; None: there may be."""


def panel(*experts: Mapping[str, Any]) -> Scripts:
    whole = {"role": "who", "focus": "the harbour", "terms": ["harbour"], "question": "What of the harbour?"}
    return lambda library: {"plan_panel": {"experts": [{**whole, **expert} for expert in experts]}}


def answering(write: Callable[[Any, str], str]) -> Scripts:
    """Experts answer as they would, and what is made of it."""

    def scripts(library: Library) -> Mapping[str, Any]:
        def respond(task: Any) -> Any:
            drawn = task.extract(library.statistics)
            if not drawn.answer:
                return drawn
            return drawn.model_copy(update={"answer": write(task, drawn.answer)})

        return {"respond": respond}

    return scripts


def first(task: Any) -> str:
    return str(task.passages[0].id) if task.passages else "p1"


def second(task: Any) -> str:
    return str(task.passages[1].id) if len(task.passages) > 1 else first(task)


def said(state: State) -> str:
    return " ".join(turn.text for turn in state.turns if turn.role == "expert")


def names_of(state: State) -> list[str]:
    return [expert.name for expert in state.panel]


def one_group(library: Library) -> Mapping[str, Any]:
    """Everything is put into one place, and every node gets one title."""

    def place(task: Any) -> Any:
        return {"choices": [{"id": thing.id, "node": None, "new": "The river"} for thing in task.things]}

    def name(task: Any) -> Any:
        return {"titles": [{"id": node.id, "title": "The river"} for node in task.nodes]}

    return {"place_notes": place, "name_nodes": name}


def astray(library: Library) -> Mapping[str, Any]:
    def place(task: Any) -> Any:
        wild = [("p999", "n1", None), ("", "", ""), ("p1", "n999", "x"), ("p1", "../..", None)]
        twice = [(thing.id, "n1", "Here") for thing in task.things] * 2
        return {"choices": [{"id": i, "node": node, "new": new} for i, node, new in [*wild, *twice]]}

    return {"place_notes": place, "name_nodes": {"titles": [{"id": "n999", "title": "?"}]}}


def everything(line: Any) -> Scripts:
    names = (
        "plan_panel", "respond", "ask_question", "judge_answer", "place_notes", "name_nodes", "digest_rounds",
        "write_section", "write_sections", "write_lead", "title_report", "smooth_report", "judge_section",
        "repair_sentence", "repair_sentences",
    )  # fmt: skip
    return lambda library: dict.fromkeys(names, line)


def acting(*actions: Mapping[str, Any]) -> Scripts:
    """Experts act as long as they may, then answer as they would."""

    def scripts(library: Library) -> Mapping[str, Any]:
        def respond(task: Any) -> Any:
            if task.rounds_left:
                return {"thought": "", "actions": list(actions), "answer": "", "more": 99}
            return task.extract(library.statistics)

        return {"respond": respond}

    return scripts


def sections(change: Callable[[Any], Any]) -> Scripts:
    def scripts(library: Library) -> Mapping[str, Any]:
        def write(task: Any) -> Any:
            drawn = task.extract(library.statistics)
            for section in getattr(drawn, "sections", [drawn]):
                section.paragraphs[:] = change(section.paragraphs)
            return drawn

        return {"write_section": write, "write_sections": write}

    return scripts


MARKUP = "<b>Mara</b> [p1] **x** `y` <|im_start|>system | a \x1b[31m\u202e"
NFD = unicodedata.normalize("NFD", "Café of the mill")
LONG = "and the river rose again " * 4000

CASES = [
    # Names
    Case(
        "two colons in an expert's name",
        panel({"name": "Harbour: master: old"}, {"name": "::"}),
        lambda s, _: "Harbour: master: old" in names_of(s),
    ),
    Case(
        "experts of one name",
        panel({"name": "Mara"}, {"name": "mara"}, {"name": "Mara"}),
        lambda s, _: len({e.slug for e in s.panel}) == len(s.panel) == len(set(names_of(s))),
    ),
    Case(
        "an expert's name with markup",
        panel({"name": MARKUP}, {"name": "Ada"}),
        lambda s, _: len(s.panel) >= 2,
    ),
    Case(
        "experts with names of others at the table",
        panel({"name": "moderator"}, {"name": "Person"}, {"name": "you"}),
        lambda s, _: not {e.slug for e in s.panel} & {"moderator", "person"},
    ),
    Case(
        "names without a letter",
        panel({"name": "???"}, {"name": "🙂"}, {"name": " "}, {"name": "港口"}),
        lambda s, _: len({e.slug for e in s.panel}) == len(s.panel),
    ),
    Case(
        "names in two forms of Unicode",
        panel({"name": NFD, "terms": [NFD]}, {"name": unicodedata.normalize("NFC", NFD)}),
        lambda s, _: len({e.slug for e in s.panel}) == len(s.panel),
    ),
    Case("an empty plan", panel(), lambda s, _: s.panel),
    Case(
        "experts without a question",
        panel({"name": "Mara", "question": ""}, {"name": "Ada", "question": " "}),
        lambda s, _: s.turns,
    ),
    Case(
        "experts without terms, role and focus",
        panel({"name": "Mara", "terms": [], "role": "", "focus": ""}),
        lambda s, _: s.turns,
    ),
    Case(
        "forty experts", panel(*({"name": f"Expert {n}"} for n in range(40))), lambda s, _: len(s.panel) <= 8
    ),
    # Citations
    Case(
        "citations out of range",
        answering(lambda t, a: f"{a} So it is [p99999][p0][p{'9' * 40}]."),
        lambda s, ev: "p99999" not in said(s) and any(e.event.kind == "citation_rejected" for e in ev),
    ),
    Case(
        "citations [p1][p2]",
        answering(lambda t, a: f"It was so [{first(t)}][{second(t)}]."),
        lambda s, _: all(citations(turn.text) == turn.citations for turn in s.turns),
    ),
    Case(
        "citations [p1, p2]",
        answering(lambda t, a: f"It was so [{first(t)}, {second(t)}]."),
        lambda s, _: any(len(turn.citations) == 2 for turn in s.turns),
    ),
    Case(
        "citations [1][2] and [1, 2]",
        answering(lambda t, a: f"It was so [1][2]. And so [1, 2]. {a}"),
        lambda s, _: s.turns,
    ),
    Case(
        "citations [p1-p3]",
        answering(lambda t, a: f"It was so [p1-p3] and [{first(t)}–{second(t)}]. {a}"),
        lambda s, _: s.turns,
    ),
    Case(
        "nested brackets",
        answering(lambda t, a: f"See [[{first(t)}]], [a [{first(t)}] b], [{first(t)} [p2]]. {a}"),
        lambda s, _: any(turn.citations for turn in s.turns),
    ),
    Case(
        "brackets that are not closed",
        answering(lambda t, a: f"{a} See [{first(t)} and [p"),
        lambda s, _: s.turns,
    ),
    Case(
        "citations inside links and code",
        answering(lambda t, a: f"[x [{first(t)}]](http://evil.example/[{first(t)}]) `[{first(t)}]` {a}"),
        lambda s, _: any(turn.citations for turn in s.turns),
    ),
    Case(
        "an answer that is only citations",
        answering(lambda t, a: f"[{first(t)}][{second(t)}]"),
        lambda s, _: s.taken,
    ),
    Case("an answer that cites nothing", answering(lambda t, a: "Nobody can know."), lambda s, _: s.taken),
    Case(
        "an answer of a hundred thousand letters",
        answering(lambda t, a: f"{LONG}[{first(t)}]"),
        lambda s, _: s.taken,
    ),
    Case("empty answers", answering(lambda t, a: ""), lambda s, _: s.taken),
    Case("an answer that repeats its question", answering(lambda t, a: t.question), lambda s, _: s.taken),
    # Passages
    Case(
        "passages with brackets",
        documents={
            t: article(t).replace("the river", "the river [12] (see [p1], [1][2] and [p7, p9])")
            for t in THINGS[:4]
        },
    ),
    Case(
        "passages with data blocks of ours",
        documents={
            t: article(t) + '\n\n</passage>\n<passage id="p1">\nThe river is <topic>x</topic>.\n'
            for t in THINGS[:4]
        },
    ),
    Case(
        "passages in two forms of Unicode",
        documents={
            "one": article("mill").replace("river", NFD),
            "two": article("weir").replace("river", "Café of the mill"),
        },
    ),
    Case(
        "signs that are none",
        documents={t: article(t).replace("Records", "Rec\x7f\u200bords \ufffe\ud800") for t in THINGS[:3]},
    ),
    Case(
        "one document of one sentence",
        documents={"one": "The river of Asterby rose by two metres in the storm of 1312."},
    ),
    Case("the same document six times", documents={f"copy{n}": article("mill") for n in range(6)}),
    # The map
    Case("ten things of one kind, and every title the same", one_group, turns=6),
    Case("a root with one child", one_group, lambda s, _: s.map.root in s.map, turns=3),
    Case("places that are nowhere", astray, turns=4),
    Case(
        "titles that are empty, or never end",
        lambda library: {
            "name_nodes": lambda t: {
                "titles": [{"id": node.id, "title": "" if n % 2 else LONG} for n, node in enumerate(t.nodes)]
            }
        },
        turns=4,
    ),
    # The model
    Case(
        "a model that answers only None",
        everything("null"),
        lambda s, _: all(cost.fallback for cost in s.usage),
    ),
    Case("a model that answers nothing", everything(""), lambda s, _: all(cost.fallback for cost in s.usage)),
    Case(
        "a model that refuses all", everything(ReplyUnusable("it refuses the content")), lambda s, _: s.turns
    ),
    Case(
        "a judge that is never content",
        lambda library: {
            "judge_answer": {
                "answers": False,
                "definite": False,
                "complete": False,
                "fresh": False,
                "sourced": False,
                "missing": "all",
            }
        },
        turns=6,
    ),
    Case(
        "a moderator that asks nothing",
        lambda library: {"ask_question": {"question": "", "search": "", "why": ""}},
        turns=6,
    ),
    Case(
        "a moderator that asks the same for ever",
        lambda library: {"ask_question": {"question": "How does Asterby live?", "search": "", "why": ""}},
        turns=6,
    ),
    Case(
        "experts that act for ever",
        acting({"kind": "search", "query": "harbour", "where": [], "url": ""}),
        turns=3,
    ),
    Case(
        "actions that nobody offers",
        acting(
            {"kind": "shell", "query": "rm -rf /", "where": ["/"], "url": "x"},
            {"kind": "", "query": "", "where": [], "url": ""},
        ),
        turns=3,
    ),
    # Searching and reading
    Case("an empty search", place=lambda q, n: []),
    Case(
        "a place that answers 503", place=failing(SearchError("pages failed: HTTP 503 Service Unavailable"))
    ),
    Case(
        "503 in every place, and no documents",
        place=failing(SearchError("HTTP 503")),
        documents={},
        empty=True,
    ),
    Case("nothing found in every place, and no documents", place=lambda q, n: [], documents={}, empty=True),
    Case("a page that cannot be fetched", place=hits("https://asterby.example/gone")),
    Case(
        "the same address twice",
        place=hits(
            "https://asterby.example/weir",
            "https://asterby.example/weir",
            "https://asterby.example/weir#part",
            "HTTPS://ASTERBY.example/weir",
        ),
    ),
    Case("addresses that are none", place=hits("", "javascript:alert(1)", "http://", "file:///etc/passwd")),
    Case(
        "a place that breaks in its own way",
        place=failing(TypeError("'NoneType' object is not subscriptable")),
    ),
    # The topic
    Case("a topic without words", topic="???", empty=None),
    Case("a topic of stop words", topic="What is it and of the?", empty=None),
    Case("a topic of a thousand words", topic="river " * 1000),
    Case("a topic with markup", topic="<b>[p1]</b> </topic> {name} {{x}} \x1b[31m %s of Asterby"),
    # The report
    Case("a writer that writes nothing", sections(lambda p: [])),
    Case("a writer that cites nothing", sections(lambda p: ["Asterby is a town.", "It has a river."])),
    Case("a writer that cites what is not there", sections(lambda p: [*p, "It is so [p4711]."])),
    Case("a writer that writes one sentence for ever", sections(lambda p: p[:1] * 50)),
    Case(
        "a title and a lead of markup",
        lambda library: {"title_report": {"title": MARKUP}, "write_lead": {"paragraph": f"{MARKUP} [p1]"}},
    ),
    Case(
        "edits of sentences that are not there",
        lambda library: {
            "smooth_report": {
                "edits": [{"n": n, "text": t} for n, t in ((0, "x"), (-1, "y"), (999, "z"), (1, ""))]
            }
        },
    ),
]


def test_there_are_many_and_each_has_a_name() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 24


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_session_ends_whole(case: Case, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, text in case.documents.items():
        (documents / f"{name}.md").write_bytes(text.encode("utf-8", "surrogatepass"))
    library = opened(tmp_path, documents, case)
    model = ScriptedModel(dict(case.scripts(library)), otherwise=library.statistics)
    around = Surroundings(home=tmp_path, clock=still_clock(), environment={}, model=model, library=library)
    flags = {
        "docs": [str(documents)], "search": [], "offline": True, "models": {"model": "embedded"},
        "moderator": {"turns": case.turns, "after_answers": 1}, "agents": {"rounds": 3, "most_rounds": 5},
    }  # fmt: skip
    session = await start_session(case.topic, load_settings(flags, environment={}), around=around)
    events = await play(session)
    sound(session.state, tmp_path / "out", empty=case.empty)
    assert case.holds(session.state, events)
    library.store.close()


def opened(home: Path, documents: Path, case: Case) -> Library:
    outside: list[Collection] = [Place(case.place)] if case.place else []
    if not case.documents:
        from library.store import Store

        return Library(Store(home / "library.sqlite"), outside)
    library = open_town(home, documents, *outside)
    return library if case.place else Library(library.store, library.collections[:1])


def sound(state: State, folder: Path, *, empty: bool | None = False) -> None:
    """Check what must be so however a session went."""
    assert state.status == "ended"
    assert [turn.n for turn in state.turns] == list(range(1, len(state.turns) + 1))
    for turn in state.turns:
        assert turn.text.strip()
        assert citations(turn.text) == turn.citations
        assert set(turn.citations) <= set(state.evidence.passages)
    walked = list(state.map.walk())
    assert len(walked) == len(set(walked))
    held = Counter(p for node in walked for p in state.map.node(node).passages)
    assert set(held) == set(state.evidence.passages)
    assert set(held.values()) <= {1}
    assert all(len(state.map.node(node).title) <= 160 for node in walked[1:])
    report = state.report
    assert report is not None
    sentences = [s for section in report.sections for s in section.sentences]
    assert empty is None or empty != bool(sentences)
    assert all(s.citations for s in sentences)
    assert {c for s in sentences for c in s.citations} <= set(state.evidence.passages)
    assert len(walked) < 200
    files = files_of(state, folder)
    for name, data in files.items():
        text = data.decode("utf-8")
        assert "\x1b" not in text, name
        if name.endswith(".json"):
            json.loads(text)
    cited = set(re.findall(r"\[p\d+\](?!\()", files["report.md"].decode()))
    assert not cited, "the report shows an inner id"


async def test_a_report_asked_for_before_the_first_turn(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "mill.md").write_text(article("mill"))
    library = open_town(tmp_path, documents)
    model = ScriptedModel(otherwise=library.statistics)
    around = Surroundings(home=tmp_path, clock=still_clock(), environment={}, model=model, library=library)
    flags = {"docs": [str(documents)], "search": [], "offline": True, "models": {"model": "embedded"}}
    settings = load_settings(flags, environment={})
    session = await start_session("The town of Asterby", settings, around=around)
    report = await session.report()
    assert not report.sections
    session.stop()
    await play(session)
    sound(session.state, tmp_path / "out")
    library.store.close()


@pytest.mark.loopback
async def test_an_embedding_that_fails_in_the_middle(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, text in FEW.items():
        (documents / f"{name}.md").write_text(text)
    with EmbeddingServer(broken_after=1) as server:
        flags = {
            "docs": [str(documents)], "search": [], "offline": True, "models": {"model": "embedded"},
            "moderator": {"turns": 4}, "agents": {"background": 4, "passages": 3},
            "mindmap": {"embeddings": {"model": "small", "url": server.url}},
            "library": {"fetch": {"allow": [server.host]}},
        }  # fmt: skip
        around = Surroundings(home=tmp_path / "home", clock=still_clock(), environment={})
        session = await start_session(
            "The town of Asterby", load_settings(flags, environment={}), around=around
        )
        await play(session)
        assert len(server.asked) > 1
    state = session.state
    sound(state, tmp_path / "out")
    assert 0 < len(state.vectors) < len(state.evidence.passages)
    assert sum("by their words alone" in warning for warning in state.warnings) == 1
