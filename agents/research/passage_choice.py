"""Which passages are admitted of those that may be: what fits best, no near copies, as a person prefers."""

from collections.abc import Collection, Sequence

from agents.settings import AgentSettings
from agents.speaker_context import SpeakerContext
from library import Passage, select

_RERANKED = 4
"""Passages given to a reranker, for each that will be shown."""


class PassageChoice:
    """Chooses passages for one research."""

    def __init__(self, context: SpeakerContext, settings: AgentSettings) -> None:
        self._context = context
        self._settings = settings

    async def best(
        self,
        asked: str,
        passages: Sequence[Passage],
        known: Collection[tuple[str, int, int]],
        limit: int,
        shown: Sequence[Passage],
    ) -> list[Passage]:
        """Return what is new to the session, and of what is known half as many, or what has room beside it.

        Args:
            asked: What the passages are weighed against.
            passages: Those that may be admitted.
            known: Keys of what the session holds.
            limit: New passages at most, and all together where few are new.
            shown: What this research has shown: no near copies of it are taken.
        """
        new = await self._choose(asked, [p for p in passages if p.key not in known], limit, shown)
        room = max(limit // 2, (limit - len(new)) * 2 // 3)
        return [*new, *await self._choose(asked, [p for p in passages if p.key in known], room, shown)]

    async def _choose(
        self, asked: str, passages: Sequence[Passage], limit: int, shown: Sequence[Passage]
    ) -> list[Passage]:
        """Return those that fit what is asked best, no near copies among them or of what was shown."""
        if not self._context.reranks:
            return self._select(asked, passages, limit, shown)
        wide = self._select(asked, passages, limit * _RERANKED, shown)
        judged = await self._context.rerank(asked, wide) if len(wide) > limit else None
        if judged is None:
            return wide[:limit]
        order = sorted(range(len(wide)), key=lambda n: (-round(judged[n], 6), n))
        return [wide[n] for n in order[:limit]]

    def _select(
        self, asked: str, passages: Sequence[Passage], limit: int, shown: Sequence[Passage]
    ) -> list[Passage]:
        """Choose: up to half the room for what the person prefers, what they doubt where room is left."""
        chosen: list[Passage] = []
        preferred = [p for p in passages if p.trust == "prefer"]
        undoubted = [p for p in passages if p.trust != "doubt"]
        shares = [(preferred, -(-limit // 2)), (undoubted, limit), (passages, limit)]
        for some, room in shares if any(p.trust for p in passages) else shares[-1:]:
            seen = [*shown, *chosen]
            statistics = self._context.statistics
            best = select(
                asked,
                some,
                statistics,
                limit=room - len(chosen),
                threshold=0.0,
                seen=seen,
                by_meaning=self._context.chooses,
            )
            chosen += [item.passage for item in best]
        return chosen
