"""What a model is asked for the first section: the answer, from the whole evidence."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from library import citations, cite, inference_mark, quote, strip_citations
from library.passages import holds_answer, tells_of
from library.text import is_question
from models import Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from reports.document import Quotation
from reports.extract.lead import leading
from reports.extract.opening import opening
from reports.extract.page_units import OpeningPassage
from reports.extract.quotations import quotes
from reports.extract.quoted_sentences import quoted
from reports.tasks.editing_tasks import ToldSection
from reports.tasks.prompt_texts import (
    WRITTEN,
    PromptPassage,
    cited_by,
    given,
    in_parts,
    points,
    show,
    told_length,
)


class AnswerText(TaskOutput):
    """The report's first section as written."""

    found: bool = True
    """Whether the passages answer what was asked, at least in part."""
    paragraph: str = ""
    """Prose, each sentence ending with its citations."""
    unsaid: list[str] = Field(default_factory=list)
    """The parts of the question that no passage answers, as clauses (`how much was withdrawn`)."""
    look_for: list[str] = Field(default_factory=list)
    """Kinds of document that would answer a question which no passage answers."""
    quotations: SkipJsonSchema[list[Quotation]] = Field(default_factory=list)
    """What the embedded model gives in its place; no other is asked for it."""


_ANSWERS = 3000
"""Tokens of all answers of the discussion that the writer sees, about."""


class WriteAnswer(Task[AnswerText]):
    """Write the first section: the answer to what was asked, from the whole evidence."""

    name: ClassVar[str] = "write_answer"
    package: ClassVar[str] = "reports"
    role: ClassVar[Role] = "writer"
    output: ClassVar[type[BaseModel]] = AnswerText

    topic: str
    language: str
    audience: str
    parts: list[str] = Field(default_factory=list)
    """The parts of what was asked; empty for one thing."""
    directions: list[str] = Field(default_factory=list)
    """What the person who asked wants kept to."""
    words: tuple[int, int] = (120, 200)
    """From how many to how many."""
    evidence: list[PromptPassage] = Field(default_factory=list)
    """What the discussion's answers and facts rest on."""
    answers: list[tuple[str, str]] = Field(default_factory=list)
    """The discussion's questions and answers, with citations: those of passages that are not shown, too,
    which may be cited as they are there."""
    silent: list[str] = Field(default_factory=list)
    """What the sources do not say, as far as was found."""
    draft: str = ""
    """The answer as it was written before, with citations; empty the first time."""
    lacks: list[str] = Field(default_factory=list)
    """What a judge found wanting in the draft."""
    count: int = 6
    """Sentences that are chosen where there is no language model."""
    share: float = 1.0
    """Of the usual length of what is quoted where there is no language model."""
    sections: list[ToldSection] = Field(default_factory=list)
    """The report as it stands, where there is no language model: the answer is chosen from it."""
    about: dict[str, float] = Field(default_factory=dict)
    """How much a passage is about the topic; no model sees it (`reports.extract.quote_selection`)."""
    passages: list[OpeningPassage] = Field(default_factory=list)
    """All that may be cited, where there is no language model; no model sees it."""

    def fields(self) -> Mapping[str, str]:
        """Return the prompt's texts."""
        said = cited_by([answer for _question, answer in self.answers])
        return {
            "topic": in_parts(self.topic, self.parts, self.directions),
            "language": self.language,
            "audience": self.audience,
            "length": told_length(self.words[1], self.language, self.words[0]),
            "mark": inference_mark(self.language),
            "answers": given(self.answers, self.topic, _ANSWERS)
            or ("what the draft tells" if self.draft else "none"),
            "silent": data_block("gaps", points(self.silent)) if self.silent else "nothing was noted",
            "passages": show(
                self.evidence, {p.id: [self.topic, *said.get(p.id, ())] for p in self.evidence}, WRITTEN
            ),
            "draft": self._revision(),
        }

    def _revision(self) -> str:
        if not self.draft:
            return ""
        draft, lacks = data_block("draft", self.draft), data_block("judgement", points(self.lacks))
        return f"It was written before, and found wanting; write it again, mended:\n{draft}\n{lacks}\n"

    def extract(self, statistics: Statistics) -> AnswerText:
        """Quote what answers a question (`reports.extract.opening`); of a subject tell what it is, if found.

        Of a subject, the sentences that say most of it are taken from different sections
        (`reports.extract.lead`).
        """
        asks = is_question(self.topic)
        tells = holds_answer if asks else tells_of
        found = not self.passages or tells(self.topic, self.passages, statistics)
        if told := opening(self.topic, self.passages, statistics, self.share) if asks else []:
            return AnswerText(found=found, quotations=quoted(told))
        sections = self.sections or self._quoted(statistics)
        pool = [(i, s) for i, section in enumerate(sections) for s in section.sentences]
        bare = [(i, strip_citations(sentence).strip("“”")) for i, sentence in pool]
        about = [max((self.about.get(p, 1.0) for p in citations(s)), default=1.0) for _i, s in pool]
        chosen = leading(bare, self.topic, self.count, statistics, about)
        return AnswerText(found=found, paragraph=" ".join(pool[i][1] for i in chosen))

    def _quoted(self, statistics: Statistics) -> list[ToldSection]:
        """Return what can be quoted of the evidence, each passage's as if it were a section."""
        texts = [(p.id, p.text) for p in self.evidence]
        found = quotes(texts, statistics)
        return [ToldSection(heading="", sentences=[f"{quote(q.text)} {cite(q.passages[:3])}"]) for q in found]
