"""One expert's research on one question: search, read what was found, admit what fits, act again or answer.

The first round needs no model: it searches for the question and reads the best pages found. From then on the
model (or the task's own extract) decides in one request whether to act again or to answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.actions import Action, Found, Observation
from agents.desk import Desk
from agents.settings import AgentSettings
from agents.tasks import ActionDraft, Move
from library import Passage, TopicProfile, select


@dataclass(slots=True)
class Findings:
    """What a research has found so far."""

    question: str
    """The words that passages are weighed against."""
    passages: dict[str, Passage] = field(default_factory=dict)
    """Shown to the expert, by id, in the order of admission."""
    fresh: list[str] = field(default_factory=list)
    """Ids admitted by this research, not known before it."""
    pages: dict[str, str] = field(default_factory=dict)
    """Pages found and not read: url to title, best first."""
    notices: list[str] = field(default_factory=list)
    """What the last round met with, for the next prompt."""


def first_actions(query: str) -> list[Action]:
    """Return what every research begins with: one search, everywhere."""
    return [Action(kind="search", query=query)]


def allowed_actions(
    drafts: Sequence[ActionDraft], findings: Findings, places: Sequence[str], most: int
) -> tuple[list[Action], list[str]]:
    """Turn a model's proposals into actions that may run; each refusal is a notice for the next round."""
    actions: list[Action] = []
    refused: list[str] = []
    for draft in drafts:
        action, problem = _read_draft(draft, findings, places)
        if action is None:
            refused.append(problem)
        elif action.key not in {a.key for a in actions}:
            actions.append(action)
    refused += [f"not run, {most} actions are the most in a round: {a.key}" for a in actions[most:]]
    return actions[:most], refused


def _read_draft(draft: ActionDraft, findings: Findings, places: Sequence[str]) -> tuple[Action | None, str]:
    if draft.kind == "search":
        query = " ".join(draft.query.split())
        where = tuple(name for name in dict.fromkeys(draft.where) if name in places)
        return (
            (Action(kind="search", query=query, where=where), "")
            if query
            else (None, "a search without words")
        )
    if draft.kind == "read":
        if draft.url not in findings.pages:
            return None, f"not read, no search has given this url: {draft.url}"
        return Action(kind="read", url=draft.url, query=draft.query), ""
    return None, f"there is no action named {draft.kind!r}; there are search and read"


class Research:
    """Runs the rounds of one research at one desk."""

    def __init__(self, desk: Desk, settings: AgentSettings, topic: str, question: str) -> None:
        self._desk = desk
        self._settings = settings
        self._profile = TopicProfile(topic, desk.statistics, cut_off=settings.cut_off)
        self._profile.learn(desk.found_before())
        self.findings = Findings(question)

    async def run(self, actions: Sequence[Action]) -> None:
        """Do one round: run the actions, read the best new pages of the web, admit the passages that fit."""
        observations = await self._desk.perform(actions)
        self._note(observations)
        unread = self._unread(observations)
        if unread:
            readings = [Action(kind="read", url=url, query=self.findings.question) for url in unread]
            pages = await self._desk.perform(readings)
            self._note(pages)
            observations += pages
        self._admit(observations)

    def _note(self, observations: Sequence[Observation]) -> None:
        for seen in observations:
            self.findings.notices += seen.problems
            if seen.repeated:
                self.findings.notices.append(f"done before, the same result: {seen.action.key}")
            for found in seen.found:
                if found.passage is None:
                    self.findings.pages.setdefault(found.url, found.title)
            if seen.action.kind == "read":
                self.findings.pages.pop(seen.action.url, None)

    def _unread(self, observations: Sequence[Observation]) -> list[str]:
        """Return the urls of the pages to read now: of each search the best, taken in turns."""
        ranked: list[tuple[int, int, Found]] = [
            (rank, place, found)
            for place, seen in enumerate(observations)
            if seen.action.kind == "search"
            for rank, found in enumerate(f for f in seen.found if f.passage is None)
        ]
        urls = dict.fromkeys(found.url for _, _, found in sorted(ranked, key=lambda r: r[:2]))
        return [url for url in urls if url in self.findings.pages][: self._settings.pages]

    def _admit(self, observations: Sequence[Observation]) -> None:
        candidates = list({p.key: p for seen in observations for p in _passages(seen)}.values())
        self._profile.learn(candidates)
        scores = {p.key: s for p, s in zip(candidates, self._profile.scores(candidates), strict=True)}
        fitting = [p for p in candidates if scores[p.key] >= self._profile.cut_off]
        known = self._desk.known(fitting)
        limit = self._settings.passages
        chosen = [
            *self._choose([p for p in fitting if p.key not in known], limit),
            *self._choose([p for p in fitting if p.key in known], limit // 2),
        ]
        admitted = [(passage, min(1.0, scores[passage.key])) for passage in chosen]
        for passage, is_new in self._desk.admit(admitted):
            self.findings.passages[passage.id] = passage
            if is_new:
                self.findings.fresh.append(passage.id)

    def _choose(self, passages: Sequence[Passage], limit: int) -> list[Passage]:
        """Return those that fit the question best, no near copies among them or of what was shown already."""
        shown = list(self.findings.passages.values())
        question, statistics = self.findings.question, self._desk.statistics
        chosen = select(question, passages, statistics, limit=limit, threshold=0.0, seen=shown)
        return [item.passage for item in chosen]


def _passages(seen: Observation) -> list[Passage]:
    return [*seen.passages, *(f.passage for f in seen.found if f.passage is not None)]


def is_answer(move: Move) -> bool:
    """Tell whether a move answers; one that neither answers nor acts counts as an (empty) answer."""
    return bool(move.answer.strip()) or not move.actions
