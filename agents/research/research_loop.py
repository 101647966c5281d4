"""An expert's inquiry into one question: rounds of thought, actions and observations, until it answers.

A round's actions run at the same time; what came of them is seen in the next. Notes are kept on the way,
old rounds become a digest, and a watch advises against going in circles. The number of rounds adapts: an
inquiry may ask for more, finish early, and ends when a budget is nearly spent.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from agents.events import LoopWarned
from agents.research.findings import Research
from agents.research.loop_detection import RoundSeen, Watch
from agents.research.moves.actions import Action
from agents.research.moves.proposals import allowed_actions, is_answer, rests_on_snippets
from agents.research.moves.respond import Move, Respond
from agents.research.notebook import Notebook
from agents.research.rounds import DigestRounds, Log, outcome
from agents.settings import AgentSettings
from agents.speaker import SpeakRequest
from agents.speaker_context import SpeakerContext
from agents.token_budget import Room, fit_lines, size_of
from library import Passage, citations, cited_claims, claimed, quote, strip_citations
from library.claims import denied_otherwise, missing_figures
from library.text import one_line, sentences
from models import Statistics

Asked = Callable[["Inquiry", int], Respond]
"""Makes the request for the next move, from the inquiry and the rounds that are left."""


_EXHAUSTED_AFTER = 2
"""Searches of an expert's own without anything new after which a prompt says so."""
_MOST_NAMED = 3
"""Passages that are shown whole because the thought of a round names them."""
_EXHAUSTED = "your last {n} searches brought nothing that you had not been shown"


class Inquiry:
    """Runs the rounds of one question with a model."""

    def __init__(
        self,
        context: SpeakerContext,
        settings: AgentSettings,
        request: SpeakRequest,
        research: Research,
        room: Room,
        language: str,
    ) -> None:
        self._context = context
        self._settings = settings
        self._request = request
        self._room = room
        self._language = language
        self._rounds = settings.rounds
        self._read_up = False
        self._in_vain = 0
        """Searches since one brought something new."""
        self._watch = Watch(lambda one, other: likeness(one, other, context.statistics))
        self.research = research
        self.notebook = Notebook(context, context.statistics, research.admitted)
        self.log = Log([])
        self.offered: set[str] = set()
        """Ids of the passages that the model could choose from, in any of its prompts."""
        self.seen: dict[str, None] = {}
        """Ids whose text stood in one of this inquiry's prompts, in order."""
        self.citable: set[str] = set()
        """Admitted ids that stood in a prompt, with their text or only named: those alone may be cited."""
        self.drafted: list[str] = []
        """Ids that the answer under `draft` cites, first those whose text was never shown."""
        self.draft = ""
        """The answer that is to be confirmed; empty for none."""

    @property
    def passages(self) -> dict[str, Passage]:
        """What was shown so far, by id."""
        return self.research.findings.passages

    async def begin(self, actions: Sequence[Action], query: str) -> None:
        """Do the first round, which needs no model: search for the question."""
        await self._run("", actions, [query])

    async def answered(self, asked: Asked) -> Move:
        """Go on until the model answers, or has to."""
        while True:
            left = self._left()
            await self._digest()
            task = asked(self, left)
            # What was asked before a crash is not hurried now.
            if left and not self._context.answered(task) and self._hurried():
                left, task = 0, asked(self, 0)
            move = await self._context.ask(task)
            # What was admitted may be cited, whoever found it: where it was never shown, it is confirmed.
            named = cited_in(task).union(citations(move.answer))
            self.citable |= named & self.research.admitted.keys()
            shown = [[p.id for p in task.passages], *task.doubles]
            self.seen |= dict.fromkeys(i for ids in shown for i in ids)
            notices = self.notebook.take(move, self.citable)
            self.research.findings.notices = notices
            self._extend(move)
            if self._unconfirmed(move, task):
                continue
            if left == 0 or (is_answer(move) and not self._must_read(move)):
                return move
            if is_answer(move):
                await self._read(move)
            else:
                await self._act(move)

    def rounds_text(self) -> str:
        """Return what this inquiry has done, for a prompt: the digest of older rounds and the last ones."""
        lines = [entry.text for entry in self.log.open]
        head = fit_lines(self.log.digest.split("\n"), self._room.rounds // 2) if self.log.digest else []
        spent = sum(size_of(line) + 1 for line in head)
        return "\n".join([*head, *fit_lines(lines, self._room.rounds - spent, newest=True)])

    def _left(self) -> int:
        """Return the rounds of acting that are left; 0 when the answer is due."""
        done = len(self.log.rounds)
        if self.draft or self._watch.over or self._request.hurry or done >= self._rounds:
            return 0
        return self._rounds - done

    def _hurried(self) -> bool:
        return self._context.hurried(self._request.turn, len(self.log.rounds))

    def _extend(self, move: Move) -> None:
        """Grant the rounds that a model asks for, up to the most that a question may take."""
        if move.more > 0 and not self._watch.over:
            wanted = self._rounds + min(move.more, self._settings.most_rounds)
            self._rounds = max(self._rounds, min(wanted, self._settings.most_rounds))

    def _unconfirmed(self, move: Move, task: Respond) -> bool:
        """Tell whether an answer cites what was only named: then it is shown, and the answer asked for again.

        Once in a turn. A claim that quotes its passage word for word needs no confirming, nor does one whose
        passage this expert was shown before, in this turn or an earlier one, nor one that says no more than
        what the prompt told of the passage and what stands in it: a colleague's note names what it rests on.
        """
        if self.draft:
            return False
        told = quotations(move.answer)
        known = {p.id: p for p in [*task.passages, *task.material]}
        cited = [i for i in citations(move.answer) if i in self.citable]
        before = self._context.seen_before()
        unseen = [i for i in cited if i not in self.seen and i not in before]
        unseen = [i for i in unseen if i not in known or not quotes(told, known[i].text)]
        held = {i: passage.text for i, passage in self.research.admitted.items()}
        unseen = [i for i in unseen if not borne(i, move.answer, task, self._context.statistics, held)]
        if not unseen:
            return False
        self.draft = move.answer.strip()
        self.drafted = [*unseen, *(i for i in cited if i not in unseen)]
        self.research.findings.notices.append(
            f"your answer stands under draft, with the passages that it cites; {', '.join(unseen)} had not "
            "been shown to you. Answer again: confirm each claim, correct it, or leave it out"
        )
        return True

    def _must_read(self, move: Move) -> bool:
        """Tell whether an answer rests on search snippets alone: then the pages are read first, once."""
        return not self._read_up and rests_on_snippets(move, self.citable, self.research.findings.pages)

    async def _read(self, move: Move) -> None:
        self._read_up = True
        urls = list(self.research.findings.pages)[: self._settings.actions]
        self.research.findings.notices.append(
            "the answer rested on no passage; pages that were found are read first, a snippet is no evidence"
        )
        actions = [Action(kind="read", url=url, query=self._request.text) for url in urls]
        await self._run(move.thought, actions, [action.line for action in actions])

    async def _act(self, move: Move) -> None:
        actions, refused = allowed_actions(move.actions, self.research.allowed, self._settings.actions)
        self.research.findings.notices += refused
        queries = [action.query if action.kind == "search" else action.line for action in actions]
        self._warn(queries)
        if self._watch.over:
            return
        await self._run(move.thought, actions, queries)
        self.research.findings.opened += self._named(move.thought)

    def _named(self, thought: str) -> list[str]:
        """Return the ids that a thought names and that were only listed so far: it wants to see those."""
        opened = self.research.findings.opened
        named = [i for i in dict.fromkeys(_ID.findall(thought)) if i in self.citable]
        return [i for i in named if i not in self.seen and i not in opened][:_MOST_NAMED]

    def _warn(self, queries: Sequence[str]) -> None:
        circle = self._watch.before(queries)
        if circle is None:
            return
        self.research.findings.notices.append(circle.advice)
        warned = LoopWarned(
            speaker=self._context.speaker,
            turn=self._request.turn,
            round=len(self.log.rounds) + 1,
            loop=circle.loop,
            advice=circle.advice,
            ended=self._watch.over,
        )
        self._context.record(warned)

    async def _run(self, thought: str, actions: Sequence[Action], queries: Sequence[str]) -> None:
        problems = len(self.research.findings.notices)
        fresh = await self.research.run(actions) if actions else []
        queries_run = [action.query for action in actions if action.kind == "search"]
        self.notebook.searched(queries_run, [action.opens for action in actions if action.opens])
        self._watch.saw(RoundSeen(tuple(queries), len(fresh)))
        findings = self.research.findings
        met = findings.notices[problems:]
        self.log.add(thought, actions, findings.brought, outcome(met))
        # What nobody chose to search, in the first round, says nothing of what other words would find.
        own = len(queries_run) if len(self.log.rounds) > 1 else 0
        self._told_of_searches(own, len(fresh), failed=bool(met))

    def _told_of_searches(self, searches: int, new: int, *, failed: bool) -> None:
        """Say so where the last searches brought nothing that this expert had not been shown.

        A round that met with problems says nothing of what the places hold.
        """
        if new:
            self._in_vain = 0
        elif searches and not failed:
            self._in_vain += searches
            if self._in_vain >= _EXHAUSTED_AFTER:
                self.research.findings.notices.append(_EXHAUSTED.format(n=self._in_vain))

    async def _digest(self) -> None:
        """Put older rounds in short when there are many, or when they no longer fit."""
        size = size_of(self.log.digest) + sum(size_of(entry.text) for entry in self.log.open)
        if not self.log.due(size, self._room.rounds):
            return
        task = DigestRounds(
            language=self._language,
            question=self._request.text,
            before=self.log.digest,
            rounds=tuple(fit_lines([r.text for r in self.log.older()], 4 * self._room.rounds, newest=True)),
            facts=tuple(fit_lines([b.line for b in self.notebook.facts], self._room.memory, newest=True)),
        )
        digest = await self._context.ask(task)
        self.log.compress("\n".join(fit_lines(digest.text.split("\n"), self._room.rounds // 2)))


_ID = re.compile(r"\bp\d+\b")
_BORNE = 0.7
"""Share (0 to 1) of a claim's words that what was told of its passage must hold to bear it."""
_QUOTED = re.compile("“([^“”]+)”")


def cited_in(task: Respond) -> set[str]:
    """Return the ids that stand in a request: of the passages shown, and those named beside them."""
    named = [task.discussion, *task.memory, task.rounds, *task.listed, task.draft, *task.notices]
    shown = {p.id for p in [*task.passages, *task.material]}.union(*task.doubles)
    return shown.union(*(_ID.findall(text) for text in named))


def borne(
    passage: str, answer: str, task: Respond, statistics: Statistics, held: Mapping[str, str] | None = None
) -> bool:
    """Tell whether all claims that cite a passage say no more than what a request told of it, and it says.

    What was told is the notes and earlier answers that rest on the passage, and what else these claims cite
    and was shown. With the passage's own words these hold most of each claim's words, and all its figures,
    and deny nothing of it.

    Args:
        passage: Its id; the request did not show it.
        answer: What cites it.
        task: The request.
        statistics: Finds the words that count.
        held: The text of each admitted passage, by id. None: what was told is all that is known of it.
    """
    shown = {p.id: text for p, text in zip(task.passages, task.texts, strict=True)}
    said = [*task.memory, *cited_claims(task.discussion, sentences)]
    told = [strip_citations(line) for line in said if passage in citations(line)]
    own = [held[passage]] if held and passage in held else []
    for claim in cited_claims(answer, sentences):
        ids = citations(claim)
        if passage not in ids:
            continue
        known = [*told, *own, *(shown[i] for i in ids if i in shown)]
        words = set(statistics.terms(claimed(claim)))
        found = words & {term for text in known for term in statistics.terms(text)}
        if len(found) < _BORNE * len(words) or missing_figures(claimed(claim), known):
            return False
        if denied_otherwise(claimed(claim), known, task.language):
            return False
    return True


def quotations(text: str) -> list[str]:
    """Return what a text quotes, without the marks."""
    return [" ".join(found.split()) for found in _QUOTED.findall(text)]


def quotes(told: Sequence[str], text: str) -> bool:
    """Tell whether one of the quotations stands in a text, word for word."""
    whole = quote(text)
    return any(quotation in whole for quotation in told)


def likeness(one: str, other: str, statistics: Statistics) -> float:
    """Return how alike two queries are; readings and computations are alike only when they are the same."""
    first, second = map(one_line, (one, other))
    if first == second:
        return 1.0
    if any(text.startswith(("read ", "compute ")) for text in (first, second)):
        return 0.0
    return float(statistics.similarity([first, second])[0, 1])
