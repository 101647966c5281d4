"""A task and a language model for the tests of this room."""

import pytest
from pydantic import BaseModel, Field

from models import LanguageModel, ModelSettings, Task, data_block
from models.model_registry import endpoint

PROMPT = """# System

You answer from passages. Cite them like [p1].

# User

The question: {question}

{passages}
"""


class Finding(BaseModel):
    """One thing found."""

    title: str
    passages: list[str]
    weight: float = 0.0


class Findings(BaseModel):
    """What a reply is read into."""

    answer: str = Field(min_length=1)
    findings: list[Finding] = Field(max_length=8)


class Ask(Task[Findings]):
    """A question about passages."""

    name = "ask"
    package = "models"
    role = "expert"
    output = Findings

    question: str = "What do bees do?"
    texts: tuple[str, ...] = (
        "Bees dance to show the way. They also hum.",
        "Wax is made by young bees. It melts.",
    )

    def fields(self):
        """Return the prompt's names."""
        shown = [data_block("passage", text, id=f"p{n}") for n, text in enumerate(self.texts, 1)]
        return {"question": self.question, "passages": "\n\n".join(shown)}

    def extract(self, statistics):
        """Quote the first passage."""
        return Findings(answer=f"{self.texts[0]} [p1]", findings=[])


class Waits:
    """A sleep that does not: it remembers how long it should have."""

    def __init__(self):
        self.seconds = []

    async def __call__(self, seconds):
        self.seconds.append(seconds)


@pytest.fixture
def waits():
    """Every wait that a model asked for."""
    return Waits()


@pytest.fixture
def prompts(tmp_path):
    """A folder with the task's prompt."""
    folder = tmp_path / "prompts"
    folder.mkdir()
    (folder / "ask.md").write_text(PROMPT)
    return folder


@pytest.fixture
async def ask_of(prompts, waits):
    """A function that makes a language model on a server; it is closed after the test."""
    made = []

    def make(url, *, name="openai:test-model", key="sk-secret-1234", **settings):
        wanted = ModelSettings(**{"model": name, "base_url": url, "prompts": prompts, **settings})
        place = endpoint(name, wanted, {"OPENAI_API_KEY": key, "ANTHROPIC_API_KEY": key})
        made.append(LanguageModel(place, wanted, sleep=waits, chance=lambda: 0.5))
        return made[-1]

    yield make
    for model in made:
        await model.close()
