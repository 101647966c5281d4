import random
from collections.abc import Callable

import pytest

from library.evidence import Evidence, Passage
from library.text.similarity.tfidf import TextStatistics
from models.extractive import ExtractiveModel

THEMES = {
    "storm": ["storm", "flood", "rain", "wind", "coast", "levee", "surge", "river", "water", "damage"],
    "opera": ["opera", "singer", "aria", "stage", "orchestra", "tenor", "conductor", "libretto",
        "voice", "theatre"],
    "rocket": ["rocket", "engine", "orbit", "launch", "fuel", "booster", "satellite", "payload",
        "thrust", "nozzle"],
    "bread": ["bread", "flour", "yeast", "oven", "dough", "crust", "baker", "loaf", "salt", "rye"],
}


class Embedded:
    """The session's context with the embedded model behind it, counting what it is asked."""

    def __init__(self):
        self.asked = []
        self._model = ExtractiveModel(TextStatistics())

    async def ask(self, task):
        self.asked.append(task)
        return (await self._model.ask(task)).output

    async def ask_all(self, tasks):
        return [await self.ask(task) for task in tasks]


def made_passage(number: int, text: str, source: str = "", title: str = "A page", url: str = "") -> Passage:
    sha = source or f"source{number % 7}"
    return Passage(sha, 0, len(text), text, url or f"https://{sha}.example/page", title, id=f"p{number}")


@pytest.fixture
def asks():
    return Embedded()


@pytest.fixture
def themed() -> Callable[[int], Evidence]:
    """Passages about four things, each about one of them."""

    def make(count: int, seed: int = 1) -> Evidence:
        chance = random.Random(seed)
        names = list(THEMES)
        passages = {}
        for number in range(1, count + 1):
            words = [chance.choice(THEMES[names[number % 4]]) for _ in range(12)]
            passage = made_passage(number, " ".join(words).capitalize() + ".", source=f"s{number}")
            passages[passage.id] = passage
        return Evidence(passages)

    return make
