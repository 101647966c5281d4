"""Judging an answer before its question is closed: by a model, or by rules."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import ClassVar

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from agents import show_passages, show_topic
from library import Passage, citations, cited_claims, inference_mark, origin, strip_citations
from library.claims import Freshness, ages_in_weeks, changing, freshness, is_weak, newest, stale_days
from library.passages import ARGUED, whole_or_around
from library.text import sentences, terms
from models import Role, Statistics, Task, TaskOutput
from models.prompting import data_block
from moderator.moderator_phrases import wording

_PARTS = re.compile(r"[?？;；]\s*")
_AROUND = ".,;:!?()[]\"'“”‘’«»"
"""Signs around a word that are none of it."""
_OPENING, _CLOSING = "“「«", "”」»"
_VAGUE = re.compile(
    r"^(?:i do not know|i don[’']t know|it is (?:not known|unclear|unknown)|there is no information|"
    r"the (?:passages|sources) do not (?:say|tell|mention)|不清楚|不知道|资料没有提到|没有找到)",
    re.IGNORECASE,
)


class AnswerVerdict(TaskOutput):
    """What an answer is worth."""

    answers: bool
    """It answers this question, and not only something near to it."""
    definite: bool
    """It commits itself."""
    complete: bool
    """Every part of the question is answered."""
    fresh: bool
    """What it rests on is recent enough for what is asked."""
    sourced: bool
    """It rests on more than one source, where that can be had."""
    missing: str
    """What is wanting, one line; empty when nothing is."""
    wanted: SkipJsonSchema[str] = ""
    """What is wanting in the question's own words, to be searched for; a model says it in `missing`."""
    in_vain: bool = False
    """What is wanting was searched for and is not in the sources: to ask again would be in vain."""
    unsaid: list[str] = Field(default_factory=list)
    """What the answer itself says the sources do not tell, a clause each, whatever it is worth otherwise."""
    withdrawn: list[str] = Field(default_factory=list)
    """Conclusions, of the answer or the one put to it, that stand no longer, word for word."""
    unborne: list[str] = Field(default_factory=list)
    """Other sentences of it that no passage shown bears out, or that one contradicts, word for word."""
    settles: list[str] = Field(default_factory=list)
    """Ids of the waiting questions, and of notes on something missing, that the answer answers whole, too."""

    @property
    def lacks(self) -> bool:
        """Whether something that was asked for is not there; an answer may fail for other reasons."""
        return not (self.answers and self.definite and self.complete)

    @property
    def in_part(self) -> bool:
        """Whether the question is answered but for a part of it."""
        return self.answers and self.definite and not self.complete

    @property
    def holds(self) -> bool:
        """Whether the question may be closed as answered."""
        return self.answers and self.definite and self.complete and self.fresh and self.sourced


class JudgeAnswer(Task[AnswerVerdict]):
    """Whether an answer holds."""

    name: ClassVar[str] = "judge_answer"
    package: ClassVar[str] = "moderator"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = AnswerVerdict

    topic: str
    language: str
    question: str
    subject: str = ""
    """Words that the question is searched by."""
    answer: str
    claim: str = ""
    """The claim that the answer responds to, with who made it; empty for none."""
    named: tuple[tuple[int, str], ...] = ()
    """Turns that the answer names by their numbers, each with what it says of that."""
    waiting: tuple[str, ...] = ()
    """`id text` of the questions that wait, and of what was missed, that the answer may answer, too."""
    cited: tuple[Passage, ...]
    """The passages that the answer cites."""
    directions: tuple[str, ...] = ()
    """What a person wants kept to."""
    others: tuple[Passage, ...] = ()
    """Further passages that the speaker found."""
    far: tuple[str, ...] = ()
    """Ids of those among them that are far from the question, or called another matter: no sources for it."""
    searched: tuple[str, ...] = ()
    """What was searched for on the way to the answer, in order."""
    found: int = 0
    """New passages that those searches brought."""
    today: str
    """ISO date on which the session began."""

    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt."""
        return {
            "topic": show_topic(self.topic, self.directions),
            "language": self.language,
            "question": data_block("question", self.question),
            "claim": "".join(
                f"{block}\n"
                for block in (
                    *([data_block("claim", self.claim)] if self.claim else []),
                    *(data_block("turn", said, n=str(n)) for n, said in self.named),
                )
            ),
            "answer": data_block("answer", self.answer),
            "waiting": data_block("waiting", "\n".join(self.waiting)) + "\n" if self.waiting else "",
            "inference": inference_mark(self.language),
            "passages": show_passages(
                self.cited, [whole_or_around(p.text, self._told_of(p), ARGUED) for p in self.cited]
            )
            or data_block("passages", "none"),
            "searched": data_block("searched", "\n".join(self.searched) or "nothing"),
            "found": str(self.found),
            "others": str(len({origin(p.url) for p in self._near()} - {origin(p.url) for p in self.cited})),
            "today": self.today,
        }

    def _near(self) -> list[Passage]:
        """Return the passages not cited that hold half as many of the question's words as a cited one."""
        asked = set(terms(f"{self.question} {self.subject}"))
        held = [len(asked & set(terms(f"{p.title} {p.text}"))) for p in (*self.cited, *self.others)]
        least = max(max(held[: len(self.cited)], default=0) / 2, 1)
        others = zip(self.others, held[len(self.cited) :], strict=True)
        return [p for p, count in others if count >= least and p.id not in self.far]

    def _told_of(self, passage: Passage) -> list[str]:
        """Return the sentences of the answer that cite a passage: those it is judged by."""
        told = cited_claims(self.answer, sentences)
        return [claim for claim in told if passage.id in citations(claim)] or [self.answer]

    def extract(self, statistics: Statistics) -> AnswerVerdict:
        """Judge by rules: what is cited, which of the question's words are taken up, dates, sources."""
        words = wording(self.language)
        reasons: list[str] = []
        text = strip_citations(self.answer)
        said = set(statistics.terms(text))
        unsaid = self._beside(said, statistics)
        missing = self._missing(said, statistics)
        age = self._age()
        definite = not _VAGUE.match(text)
        weak = bool(self.cited) and all(map(is_weak, self.cited))
        sourced = not (weak or self._others_fit(statistics))
        if not self.cited:
            reasons.append(words.nothing)
        elif unsaid:
            reasons.append(words.beside.format(parts=words.join.join(unsaid)))
        if not definite:
            reasons.append(words.indefinite)
        if missing:
            reasons.append(words.missing.format(parts=words.join.join(missing)))
        if age == "undated":
            reasons.append(words.undated)
        elif age == "stale":
            stale = words.stale_price if ages_in_weeks(self.question) else words.stale
            reasons.append(stale.format(date=newest(self.cited)))
        if not sourced:
            reasons.append(words.weak_source if weak else words.one_source)
        return AnswerVerdict(
            answers=bool(self.cited) and not unsaid, definite=definite, complete=not missing,
            fresh=age == "fresh", sourced=sourced, missing=reasons[0] if reasons else "",
            wanted=" ".join(missing) or self.subject or self.question,
        )  # fmt: skip

    def _age(self) -> Freshness:
        """Return how fresh what is cited is, for a question about something that changes; else `fresh`."""
        if not changing(self.question):
            return "fresh"
        return freshness(self.cited, date.fromisoformat(self.today), stale_days(self.question))

    def _beside(self, said: set[str], statistics: Statistics) -> list[str]:
        """Return the question's own words, as written, when the answer and what it cites take up none."""
        apart = set(statistics.terms(self.topic))
        asked = [t for t in dict.fromkeys(statistics.terms(self.subject or self.question)) if t not in apart]
        held = said.union(*(statistics.terms(f"{p.title} {p.text}") for p in self.cited))
        beside = asked[:3] if not held & set(asked) else []
        return _as_written(beside, f"{self.subject} {self.question}", statistics)

    def _missing(self, said: set[str], statistics: Statistics) -> list[str]:
        """Return the parts of a question of several sentences that the answer takes up no word of."""
        parts = _parts(self.question)
        if len(parts) < 2:
            return []
        apart = set(statistics.terms(self.topic))
        own = [(part, set(statistics.terms(part)) - apart) for part in parts]
        return [part for part, terms in own if terms and not terms & said]

    def _others_fit(self, statistics: Statistics) -> bool:
        """Tell whether all is from one source while another one fits the question as well."""
        sources = {p.sha256 for p in self.cited}
        others = [p.text for p in self.others if p.sha256 not in sources]
        if len(sources) != 1 or not others:
            return False
        asked = f"{self.question} {self.subject}"
        return max(statistics.relevance(asked, others)) > max(
            statistics.relevance(asked, [p.text for p in self.cited])
        )


def _as_written(wanted: Sequence[str], text: str, statistics: Statistics) -> list[str]:
    """Return the words of a text that some index terms stand for; a term that is no whole word stays."""
    words: dict[str, str] = {}
    for word in text.split():
        held = statistics.terms(word)
        if len(held) == 1:
            words.setdefault(held[0], word.strip(_AROUND))
    return list(dict.fromkeys(words.get(term, term) for term in wanted))


def _parts(question: str) -> list[str]:
    """Return the things that a question asks; what it quotes is one piece."""
    ends, depth = [0], 0
    for place, sign in enumerate(question):
        depth = max(0, depth + (sign in _OPENING) - (sign in _CLOSING))
        if not depth and _PARTS.match(sign):
            ends.append(place + 1)
    cut = [question[a:b].strip(" \t?？;；") for a, b in pairwise([*ends, len(question)])]
    return [part for part in cut if part]
