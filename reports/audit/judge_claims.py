"""What a model is asked of a manuscript's claims: what do the passages that were found say of each."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from models import Frozen, Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from reports.tasks.prompt_texts import WRITTEN, PromptPassage, show


class ClaimJudgement(TaskOutput):
    """What a judge says of one claim."""

    n: int
    verdict: Literal["supported", "partial", "contradicted", "not_found"]
    passage: str = ""
    """The id of the passage that it rests on; empty for `not_found`."""
    words: str = ""
    """What does not follow, or what the passage says instead."""


class ClaimJudgements(TaskOutput):
    """What a judge says of some claims."""

    verdicts: list[ClaimJudgement] = Field(default_factory=list)


class ClaimToJudge(Frozen):
    """A claim of the text with the passages that were found for it."""

    n: int
    text: str
    cited: list[str]
    """Ids of passages of what the text cites for it."""
    others: list[str]
    """Ids of passages that were found elsewhere."""


class JudgeClaims(Task[ClaimJudgements]):
    """Judge a manuscript's claims by the passages that were found for them."""

    name: ClassVar[str] = "judge_claims"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = ClaimJudgements

    claims: list[ClaimToJudge]
    passages: list[PromptPassage]

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        lines = [
            f"{claim.n}. {claim.text} ({', '.join([*(f'{i}*' for i in claim.cited), *claim.others])})"
            for claim in self.claims
        ]
        said: dict[str, list[str]] = {}
        for claim in self.claims:
            for passage in (*claim.cited, *claim.others):
                said.setdefault(passage, []).append(claim.text)
        return {
            "claims": data_block("claims", "\n".join(lines)),
            "passages": show(self.passages, said, WRITTEN),
        }

    def extract(self, statistics: Statistics) -> ClaimJudgements:  # noqa: ARG002 - likeness of words is no proof
        """Judge nothing: what rules can tell is told without this task."""
        return ClaimJudgements()
