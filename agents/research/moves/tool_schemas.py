"""An expert's move as calls of tools: actions, notes, questions and the answer, any number in one reply."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from library import citations
from models import Tool, ToolCall


class Search(BaseModel):
    """Arguments of `search`."""

    query: str
    """The words to search for."""
    where: list[str]
    """Names of the places; empty for all that fit."""


class Read(BaseModel):
    """Arguments of `read`."""

    url: str
    """A url that a search or a page gave, or a passage's id, for its whole source."""
    query: str
    """What it is read for."""


class Look(BaseModel):
    """Arguments of `look`."""

    url: str
    """A url that a search or a page gave, or a passage's id, for its page."""
    query: str
    """What is to be seen on it."""


class Compute(BaseModel):
    """Arguments of `compute`."""

    code: str
    """A few lines of Python whose last line is the result."""
    passages: list[str]
    """Ids of the passages that its numbers come from."""
    query: str
    """What it finds out."""


class KeepNote(BaseModel):
    """Arguments of `note`."""

    kind: str
    """`fact`, `lead`, `gap`, `contradiction`, `done` or `unrelated`."""
    text: str
    """One idea, one sentence."""
    passages: list[str]
    """Ids of the passages that it rests on; a fact has at least one."""


class DropNote(BaseModel):
    """Arguments of `drop_note`."""

    id: str


class AskTable(BaseModel):
    """Arguments of `ask`."""

    question: str


class MoreRounds(BaseModel):
    """Arguments of `more_rounds`."""

    rounds: int


class GiveAnswer(BaseModel):
    """Arguments of `answer`."""

    text: str
    """The answer with citations `[p12]` after each claim."""
    stance: str
    """Where it takes up somebody's claim: `support`, `add`, `dispute` or `concede`; else empty."""
    replies_to: int
    """Number of the turn whose claim it takes up; 0: that under `claim`, or none."""


_SEARCH = Tool("search", "Search places for words.", Search)
_READ = Tool("read", "Read a page that was found, or the whole source of a passage.", Read)
_LOOK = Tool("look", "See a page as it looks: a model that sees writes down its charts and pictures.", Look)
_COMPUTE = Tool("compute", "Compute with figures of passages in Python.", Compute)
_NOTE = Tool("note", "Keep a note for later rounds and turns.", KeepNote)
_DROP = Tool("drop_note", "Drop a note by its id.", DropNote)
_ASK = Tool("ask", "Put a question on the table's agenda.", AskTable)
_MORE = Tool("more_rounds", "Ask for rounds beyond those left.", MoreRounds)
_ANSWER = Tool("answer", "Answer the question. No action goes with it.", GiveAnswer)
ACTIONS = frozenset(("search", "read", "look", "compute"))
_INSTRUCTION = (
    "Give your move as calls of the tools, all in one reply, and your thought as plain text before them. "
    "To answer, call `answer`. What is said above of `actions`, `notes`, `drop`, `ask`, `more` and `answer` "
    "holds for the tools of these meanings."
)
_ONLY_ANSWER = " No round is left: call `answer`."


class MoveToolbox:
    """The tools of an expert's move."""

    def __init__(self, *, computes: bool, acts: bool, looks: bool = False) -> None:
        """Choose the tools.

        Args:
            computes: Python can be run.
            acts: Rounds of acting are left; else the answer is due and no action is offered.
            looks: Pages can be looked at.
        """
        offered = [_SEARCH, _READ, *([_LOOK] if looks else []), *([_COMPUTE] if computes else []), _MORE]
        actions = offered if acts else []
        self.tools: Sequence[Tool] = (*actions, _NOTE, _DROP, _ASK, _ANSWER)
        self.instruction = _INSTRUCTION + ("" if acts else _ONLY_ANSWER)

    def output(self, text: str, calls: Sequence[ToolCall]) -> Mapping[str, Any] | None:
        """Return a move's fields; None when nothing was called and the text is no cited answer either."""
        if not calls:
            cited = bool(citations(text)) and not text.startswith(("{", "```"))
            return {"thought": "", "actions": [], "answer": text} if cited else None
        made = [(call.name, _fitting(call)) for call in calls]
        given = [values for name, values in made if name == "answer"]
        answers = [values["text"] for values in given]
        answer = "\n\n".join(text for text in answers if text.strip())
        actions: list[dict[str, Any]] = [{"kind": name, **values} for name, values in made if name in ACTIONS]
        more = [values["rounds"] for name, values in made if name == "more_rounds"]
        unknown = [{"kind": name} for name, _ in made if name not in _TOOLS]
        return {
            "thought": text,
            "actions": [] if answer else [*actions, *unknown],
            "notes": [values for name, values in made if name == "note"],
            "drop": [values["id"] for name, values in made if name == "drop_note"],
            "ask": [values["question"] for name, values in made if name == "ask"],
            "more": max(more, default=0),
            "stance": next((values["stance"] for values in given), ""),
            "replies_to": next((values["replies_to"] for values in given), 0),
            "answer": answer,
        }


_TOOLS = {tool.name: tool for tool in (_SEARCH, _READ, _LOOK, _COMPUTE, _NOTE, _DROP, _ASK, _MORE, _ANSWER)}


def _fitting(call: ToolCall) -> dict[str, Any]:
    """Return a call's arguments as its tool has them: one wrong argument shall not cost the whole reply."""
    tool = _TOOLS.get(call.name)
    known = tool.parameters.model_fields if tool else {}
    given = call.values()
    fitting: dict[str, Any] = {}
    for name, field in known.items():
        value = given.get(name)
        if field.annotation is int:
            fitting[name] = value if isinstance(value, int) else 0
        elif field.annotation is str:
            fitting[name] = value if isinstance(value, str) else ""
        else:
            listed = value if isinstance(value, list) else [value]
            fitting[name] = [item for item in listed if isinstance(item, str)]
    return fitting
