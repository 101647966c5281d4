"""What a research remembers of its own rounds, and how old rounds become a digest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, Field

from agents.research.moves.actions import Action
from library.passages import short_title
from models import Role, Statistics, Task, TaskOutput
from models.prompting import cut_point, data_block

ROUNDS_A_DIGEST = 10
"""Rounds after which the older ones are compressed."""
SAME = "the same"
"""What came of an action that brought what others of its round did."""
KEPT = 3
"""Rounds that stay in full when the others are compressed."""
_SEARCHED = 72
"""Characters of a search for the question itself, or the topic, which stand in the prompt anyway."""
_THOUGHT = 300
"""Characters of a round's thought."""
_MOST = 12
"""Findings, and attempts, that a digest holds at most."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a research."""

    number: int
    thought: str
    actions: tuple[str, ...]
    """A line each, with what it brought."""
    outcome: str

    @property
    def text(self) -> str:
        """Return the round as a prompt shows it."""
        done = "; ".join(self.actions)
        thought = self.thought[: cut_point(self.thought, _THOUGHT)]
        return f"Round {self.number}. {thought} → {done}{self.outcome}".replace("  ", " ")


def outcome(problems: Sequence[str]) -> str:
    """Say in few words what went wrong in a round; '' for nothing."""
    return f"; failed: {len(problems)}" if problems else ""


class RoundsDigest(TaskOutput):
    """Many rounds in short."""

    findings: list[str]
    """What was found, a sentence each, with citations `[p12]`."""
    tried: list[str]
    """What was searched, read or computed, and whether it helped."""
    turning: list[str] = Field(default_factory=list)
    """What changed the direction of the research."""

    @property
    def text(self) -> str:
        """Return the digest as a prompt shows it."""
        parts = [("Found", self.findings), ("Tried", self.tried), ("Turning points", self.turning)]
        return "\n".join(f"{name}: {' / '.join(lines[:_MOST])}" for name, lines in parts if lines)


class DigestRounds(Task[RoundsDigest]):
    """The older rounds of a research in short, so that a long one stays within a prompt."""

    name: ClassVar[str] = "digest_rounds"
    package: ClassVar[str] = "agents"
    role: ClassVar[Role] = "expert"
    output: ClassVar[type[BaseModel]] = RoundsDigest

    language: str
    question: str
    before: str = ""
    """The digest of the rounds before these."""
    rounds: tuple[str, ...]
    facts: tuple[str, ...] = ()
    """Notes of facts, with citations."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        return {
            "language": self.language,
            "question": data_block("question", self.question),
            "before": data_block("digest", self.before or "none"),
            "rounds": data_block("rounds", "\n".join(self.rounds)),
            "facts": data_block("notes", "\n".join(self.facts) or "none"),
        }

    def extract(self, statistics: Statistics) -> RoundsDigest:
        """Keep the facts as findings, and each round's actions with what came of them."""
        del statistics
        earlier = [line for line in self.before.split("\n") if line]
        tried = [text.partition("→")[2].strip() or text for text in self.rounds]
        return RoundsDigest(findings=list(self.facts[-_MOST:]), tried=[*earlier[:1], *tried][-_MOST:])


@dataclass(slots=True)
class Log:
    """The rounds of one research: the digest of the older ones, and the last ones in full."""

    rounds: list[Round]
    digest: str = ""
    digested: int = 0
    """Rounds that the digest stands for."""

    def add(self, thought: str, actions: Sequence[Action], brought: Mapping[str, str], came: str) -> None:
        """Add a round that was run, with what each of its actions brought."""
        told = [(a.line, brought.get(a.line, "nothing close")) for a in actions]
        if not thought:  # searches that nobody chose: few words tell them, what found the same says nothing
            told = [each for each in told if each[1] != SAME] or told[:1]
            told = [(short_title(line, _SEARCHED), came_of) for line, came_of in told]
        lines = tuple(f"{line} → {came_of}" for line, came_of in told)
        self.rounds.append(Round(len(self.rounds) + 1, " ".join(thought.split()), lines, came))

    @property
    def open(self) -> list[Round]:
        """The rounds that no digest stands for."""
        return self.rounds[self.digested :]

    def due(self, size: int, room: int) -> bool:
        """Tell whether older rounds should be compressed: many of them, or little room left."""
        return len(self.open) >= ROUNDS_A_DIGEST or (size > room and len(self.open) > KEPT)

    def older(self) -> list[Round]:
        """Return the rounds that would be compressed."""
        return self.open[:-KEPT]

    def compress(self, digest: str) -> None:
        """Put a digest in the place of the older rounds."""
        self.digested += len(self.older())
        self.digest = digest
