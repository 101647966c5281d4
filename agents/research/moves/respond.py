"""An expert's next move on a question: act again, take notes, ask, or answer from what it was shown."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel, Field

from agents.research.moves.tool_schemas import MoveToolbox
from agents.tasks import show_passages, show_topic
from library import Passage, Quotable, choose_quotes, cite, inference_mark, quote
from library.passages import rank_pages
from library.text import asked_clauses, is_question
from models import Role, Statistics, Task, TaskOutput
from models.prompting import data_block

_PAGES, _MORE_PAGES = 2, 6
"""Pages that a person's question, and an expert's own on it, are answered from where no language model is."""
_QUOTES = 5
"""Sentences of an answer where no language model is; of a question of more clauses, one for each."""
_LOOK = "look (`url` as for `read`: a model that sees writes down what the page shows, its charts too)"
_CLOSING = (
    "This is the closing question, the topic itself: answer each part of it from all that the table found, "
    "with its figures and names; where it asks how, tell the way that you advise step by step, with its "
    "commands; where it asks what is safe or what to do, say also what must not be done, and what to do "
    "after it went wrong; where it asks what to use or choose, also what that is not meant "
    "for and its limits, as far as passages say it. "
)
_SHORT_CLOSING, _LONG_CLOSING = 12, 20
"""Sentences of a closing answer at most, where few passages were found and where many were."""
_ADDING = (
    "Turn {turns} of the discussion has answered this question: tell only what is left out there, or what "
    "your viewpoint weighs otherwise, and from which passages; repeat nothing. "
)


class ActionDraft(TaskOutput):
    """One action as proposed."""

    kind: str
    """`search`, `read`, `look` or `compute`."""
    query: str = ""
    """For a search, the words to search for; for a reading, what it is read for; for a computation, what it
    finds out."""
    where: list[str] = Field(default_factory=list)
    """For a search: names of the places to search; empty for all that fit."""
    url: str = ""
    """For a reading or a look: a url that a search or a page gave, or a passage's id, for its source."""
    code: str = ""
    """For a computation: a few lines of Python whose last line is the result."""
    passages: list[str] = Field(default_factory=list)
    """For a computation: ids of the passages that its numbers come from."""


class NoteDraft(TaskOutput):
    """One note as proposed."""

    kind: str
    """`fact`, `lead`, `gap`, `contradiction`, `done` or `unrelated`."""
    text: str
    """One idea, one sentence."""
    passages: list[str] = Field(default_factory=list)
    """Ids of the passages that it rests on or sets aside; a fact and `unrelated` have at least one."""


class Move(TaskOutput):
    """An expert's move: actions to run now, or an answer; notes go with either."""

    thought: str
    """What is known, what is missing, in one or two sentences."""
    actions: list[ActionDraft]
    """What to do next; empty when answering."""
    notes: list[NoteDraft] = Field(default_factory=list)
    """What to keep in mind."""
    drop: list[str] = Field(default_factory=list)
    """Ids of notes that are of no use any longer."""
    ask: list[str] = Field(default_factory=list)
    """Questions for the table's agenda that came up and that this answer will not settle."""
    more: int = 0
    """Rounds wanted beyond those left; 0 for none."""
    stance: str = ""
    """Where the answer takes up somebody's claim: `support`, `add`, `dispute` or `concede`."""
    replies_to: int = 0
    """Number of the turn whose claim it takes up; 0: that under `claim`, or none."""
    answer: str
    """The answer with citations `[p12]` after each claim; empty while acting."""


class Respond(Task[Move]):
    """An expert's next move on a question: act again, or answer from the passages it was shown."""

    name: ClassVar[str] = "respond"
    package: ClassVar[str] = "agents"
    role: ClassVar[Role] = "expert"
    output: ClassVar[type[BaseModel]] = Move

    topic: str
    language: str
    expert: str
    """Name, role and focus of the expert."""
    places: tuple[str, ...]
    """`name: description` of each place to search."""
    discussion: str
    """Earlier turns in short, the last ones in full."""
    branch: str
    """What the map holds near the question."""
    question: str
    claim: str = ""
    """What somebody claimed and this expert is asked to respond to, with the turn and the name."""
    directions: tuple[str, ...] = ()
    """What a person wants kept to."""
    wanting: str = ""
    """What earlier answers to the question lack; empty: nobody has answered it."""
    answered: tuple[int, ...] = ()
    """Numbers of the turns of the discussion that have answered the question."""
    by_person: bool = False
    """A person asked."""
    closing: bool = False
    """The question is the topic itself, asked last: it is answered from what the whole table found."""
    passages: tuple[Passage, ...]
    """Shown, in their order."""
    texts: tuple[str, ...] = ()
    """What is shown of each; empty: all of it."""
    doubles: tuple[tuple[str, ...], ...] = ()
    """Of each, the ids of other passages with the same text; empty: there are none."""
    listed: tuple[str, ...] = ()
    """A line for each admitted passage that did not fit: id, title, first words."""
    draft: str = ""
    """The answer that was given, when it cites passages whose text is shown only now."""
    material: tuple[Passage, ...] = ()
    """What this research has found, shown or not; for the embedded model, which pays for none."""
    memory: tuple[str, ...] = ()
    """The notes, a line each, with their ids."""
    rounds: str = ""
    """What this research has done so far: a digest of the first rounds, and the last ones."""
    pages: tuple[str, ...] = ()
    """`url title` of pages that were found and not read."""
    notices: tuple[str, ...] = ()
    """What the last actions met with: failures, repeats, advice."""
    computes: bool = False
    """Python can be run."""
    looks: bool = False
    """Pages can be looked at."""
    said: tuple[str, ...] = ()
    """Quotations of these passages that the discussion holds already; not shown, for the embedded model."""
    rounds_left: int = Field(default=0, ge=0)
    """Rounds of acting that are left; 0 when the answer is due."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        told = {
            "claim": self.claim,
            "wanting": self.wanting,
            "discussion": self.discussion,
            "map": self.branch,
            "notes": "\n".join(self.memory),
            "rounds": self.rounds,
            "pages": "\n".join(self.pages),
            "notices": "\n".join(self.notices),
            "listed": "\n".join(self.listed),
            "draft": self.draft,
        }
        computing = ["compute"] if self.computes else []
        parts = [data_block(kind, text) for kind, text in told.items() if text]
        return {
            "topic": show_topic(self.topic, self.directions),
            "language": self.language,
            "expert": data_block("you", self.expert),
            "places": data_block("places", "\n".join(self.places)),
            "question": data_block("question", self.question),
            "passages": show_passages(self.passages, self.texts or None, self.doubles)
            or data_block("passages", "none"),
            "parts": "\n".join(parts),
            "inference": inference_mark(self.language),
            "closing": self._due(),
            "length": f"up to {self._closing_sentences()}" if self.closing else "3 to 8",
            "kinds": ", ".join(["search", "read", *([_LOOK] if self.looks else []), *computing]),
            "rounds_left": str(self.rounds_left),
        }

    def _closing_sentences(self) -> int:
        """Return how many sentences a closing answer has at most: what the table found decides it."""
        return max(_SHORT_CLOSING, min(_LONG_CLOSING, len(self.passages) * 2 // 3))

    def _due(self) -> str:
        if self.closing:
            return _CLOSING
        turns = " and ".join(str(n) for n in self.answered)
        return _ADDING.format(turns=turns) if self.answered and not self.wanting else ""

    @property
    def toolbox(self) -> MoveToolbox:
        """The move as tools; without a round of acting left, those of answering alone."""
        return MoveToolbox(computes=self.computes, acts=self.rounds_left > 0, looks=self.looks)

    def extract(self, statistics: Statistics) -> Move:
        """Answer with the sentences that fit the question best, word for word, and note the first of them.

        None that was quoted before, unless all that answers the topic, asked at the end, was. A person's
        question and one that is the topic are answered by their words alone, from the pages that fit those,
        clause by clause where they ask several things; another question of a topic that asks something, from
        the pages that fit the topic and the best that fit the question itself.
        """
        material, asked = self.material or self.passages, f"{self.question} {self.topic} {self.expert}"
        clauses = list[str]()
        on_question = is_question(self.topic)
        ends = self.closing and on_question
        if self.by_person or on_question:
            whole = self.by_person or ends
            clauses = asked_clauses(self.question) if whole else []
            best = self._best(self.question, _MORE_PAGES if len(clauses) > 1 else _PAGES, statistics)
            if not whole:
                best |= self._best(self.topic, _MORE_PAGES, statistics)
            if best:
                material = tuple(p for p in material if p.sha256 in best)
                asked = self.question if whole else f"{self.question} {self.topic}"
        chosen = _chosen(asked, clauses, material, statistics, () if ends else self.said)
        if self.closing and not chosen:
            chosen = _chosen(asked, clauses, material, statistics)
        answer = " ".join(f"{quote(q.text)} {cite([q.passage.id])}" for q in chosen)
        facts = [NoteDraft(kind="fact", text=q.text, passages=[q.passage.id]) for q in chosen[:1]]
        return Move(thought="", actions=[], notes=facts, answer=answer)

    def _best(self, question: str, count: int, statistics: Statistics) -> set[str]:
        pages = list(rank_pages(question, self.material or self.passages, statistics).items())
        return {page for page, fit in pages[:count] if fit > 0}


def _chosen(
    asked: str,
    clauses: Sequence[str],
    held: Sequence[Passage],
    statistics: Statistics,
    said: Sequence[str] = (),
) -> list[Quotable]:
    """Return the sentences that answer best what is asked, of several clauses the best for each first."""
    if len(clauses) < 2:
        return choose_quotes(asked, held, statistics, _QUOTES, said=said)
    first = [q for clause in clauses for q in choose_quotes(clause, held, statistics, 1, said=said)]
    also = choose_quotes(asked, held, statistics, _QUOTES, said=said)
    return list(dict.fromkeys([*first, *also]))[: max(_QUOTES, len(clauses))]
