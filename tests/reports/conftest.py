"""Something to write about: documents made up for it, their evidence, a map, and models."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from library.evidence import Evidence, Passage, Source
from library.text.similarity.tfidf import TextStatistics
from mindmap.changes import AddNode, AddNote, Note, PlacePassage, SetMark
from mindmap.tree import MindMap
from models.extractive import ExtractiveModel
from models.prompting import joint
from models.scripted import ScriptedModel

PAGES: dict[str, tuple[str, str | None, list[str]]] = {
    "https://harbour.example/history": (
        "A history of the Orrin lighthouse",
        "2019-05-04",
        [
            (
                "The Orrin lighthouse was built in 1871 on a reef nine miles off the coast. Its granite "
                "tower stands 44 m high and cost 62,000 pounds."
            ),
            (
                "Before the lighthouse, the reef wrecked at least thirty ships in a century. The worst "
                "wreck, in 1848, drowned 112 emigrants within sight of the shore."
            ),
        ],
    ),
    "https://engineers.example/orrin": (
        "Building on a reef",
        "2021",
        [
            (
                "Masons could work on the reef for only four hours a day, because the tide covered it. They"
                " cut every stone ashore and dovetailed it into its neighbours."
            ),
            (
                "The Orrin lighthouse was built in 1871 on a reef nine miles off the coast. The engineer "
                "Ada Merrow kept a diary of all 2,300 blocks."
            ),
        ],
    ),
    "https://birds.example/migration": (
        "Birds and the light",
        None,
        [
            (
                "On foggy autumn nights the beam of the Orrin lighthouse attracts migrating birds in "
                "thousands. Keepers counted 1,140 dead thrushes under the lantern in October 1911."
            ),
            (
                "Shielding the lantern from above cut the deaths by 70 percent. The society asked for green"
                " light in 2008, which birds find less attractive."
            ),
        ],
    ),
    "https://coast.example/automation": (
        "The last keepers",
        "2003-11-30",
        [
            (
                "The last keepers left the Orrin lighthouse in 1994, when the lamp became automatic. A "
                "solar array now feeds an LED lamp of 26 nautical miles range."
            ),
            "Engineers visit twice a year by helicopter. The old Fresnel lens is shown in the town museum.",
        ],
    ),
    "https://survey.example/height": (
        "Heights of towers",
        "2022-02-01",
        ["A survey of 2020 measured the granite tower of the Orrin lighthouse at 41 m above the reef."],
    ),
}

BRANCHES: list[tuple[str, list[str]]] = [
    ("Birds", ["p5", "p6"]),
    ("History of the reef", ["p1", "p2"]),
    ("Construction", ["p3", "p4", "p9"]),
    ("Automation", ["p7", "p8"]),
]


def make_evidence(pages: Mapping[str, tuple[str, str | None, Sequence[str]]]) -> Evidence:
    """Return evidence in which every paragraph is an admitted passage, p1, p2, …"""
    evidence = Evidence()
    for url, (title, published, paragraphs) in pages.items():
        text = "\n\n".join(paragraphs)
        sha = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        evidence.sources[sha] = Source(
            sha, url, title, text, author="A. Writer", published=published, retrieved="2026-01-02T03:04:05Z"
        )
        at = 0
        for paragraph in paragraphs:
            number = f"p{len(evidence.passages) + 1}"
            evidence.passages[number] = Passage(
                sha, at, at + len(paragraph), paragraph, url, title, published, id=number
            )
            at += len(paragraph) + 2
    return evidence


def make_map(topic: str, branches: Sequence[tuple[str, Sequence[str]]]) -> MindMap:
    """Return a map with a node for each branch."""
    tree = MindMap(topic)
    for n, (title, passages) in enumerate(branches, 1):
        tree.apply_all([AddNode(id=f"n{n}", title=title, parent="n0")])
        tree.apply_all([PlacePassage(passage=p, node=f"n{n}") for p in passages])
    return tree


class Asker:
    """Asks one model, one task after the other."""

    def __init__(self, model: Any) -> None:
        self.model = model

    async def ask(self, task: Any) -> Any:
        return (await self.model.ask(task)).output

    async def ask_all(self, tasks: Sequence[Any]) -> list[Any]:
        return [await self.ask(task) for task in tasks]

    async def ask_jointly(self, tasks: Sequence[Any]) -> list[Any]:
        done: dict[int, Any] = {}
        for role in dict.fromkeys(task.role for task in tasks):
            places = [n for n, task in enumerate(tasks) if task.role == role]
            together = joint([tasks[n] for n in places])
            done |= zip(places, together.outputs(await self.ask(together)), strict=True)
        return [done[n] for n in range(len(tasks))]


@pytest.fixture
def statistics() -> TextStatistics:
    return TextStatistics()


@pytest.fixture
def evidence() -> Evidence:
    return make_evidence(PAGES)


@pytest.fixture
def tree() -> MindMap:
    tree = make_map("The Orrin lighthouse", BRANCHES)
    tree.apply_all(
        [
            AddNote(
                node="n2", note=Note(turn=1, question="Why was a lighthouse needed?", answer="Wrecks [p2].")
            )
        ]
    )
    return tree


@pytest.fixture
def contradicting(tree: MindMap) -> MindMap:
    tree.apply_all([SetMark(node="n3", mark="contradiction", sides=["p1", "p9"])])
    return tree


@pytest.fixture
def embedded(statistics: TextStatistics) -> Asker:
    return Asker(ExtractiveModel(statistics))


@pytest.fixture
def scripted(statistics: TextStatistics) -> Any:
    """A function that makes a asker whose model follows a script, and quotes where it has none."""
    return lambda scripts: Asker(ScriptedModel(scripts, otherwise=statistics))
