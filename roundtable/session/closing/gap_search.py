"""What a discussion did not find is searched for once more, in other words, before its report says so."""

from agents import AgentSettings
from agents.research import Research, routed_actions
from library.text import STOP_WORDS, words
from models import Statistics
from reports import points_missed
from roundtable.journal.fold.state import State
from roundtable.journal.fold.state_slices import WRITER
from roundtable.session.closing.report_brief import brief_of
from roundtable.session.context.journalled_context import ContextFactory

_GAPS = 4
"""Gaps that are searched for, those nearest to what was asked."""
_PASSAGES, _PAGES = 4, 1
"""Passages that may be admitted for a gap, and pages of the web that are read for it."""
_WORDS = 4
"""Words that the passages nearest to a gap add to it."""


async def search_gaps(contexts: ContextFactory, settings: AgentSettings) -> None:
    """Search for the gaps that matter most to what was asked; what is close is admitted for the report.

    Whoever checks the gaps against the evidence is shown it. Searches and admissions are journalled: a
    session that was cut off has them again for nothing.
    """
    state, context = contexts.record.state, contexts.of(WRITER)
    few = settings.model_copy(update={"passages": _PASSAGES, "pages": _PAGES})
    for gap in _gaps(state, context.statistics):
        query = f"{gap} {' '.join(_other_words(state, gap, context.statistics))}".strip()
        # As people write them: no search engine knows stems, or pairs of characters.
        asked = dict.fromkeys(words(f"{state.topic} {gap}"))
        key_words = " ".join(word for word in asked if word not in STOP_WORDS)
        research = Research(context, few, state.topic, f"{gap} {state.topic}", asked=[gap])
        names = [place.name for place in context.places]
        await research.run(routed_actions(key_words, [query], names, context.places))


def _gaps(state: State, statistics: Statistics) -> list[str]:
    """Return the gaps that are searched for: those nearest to the question and its parts, in order."""
    points = points_missed(brief_of(state), statistics)
    near = statistics.relevance(" ".join([state.topic, *state.parts]), points) if points else []
    nearest = sorted(range(len(points)), key=lambda n: (-round(near[n], 6), n))[:_GAPS]
    return [points[n] for n in sorted(nearest)]


def _other_words(state: State, gap: str, statistics: Statistics) -> list[str]:
    """Return words that the sources use where they come nearest to a gap, and that it does not."""
    texts = [passage.text for passage in state.reported().passages.values()]
    near = statistics.relevance(gap, texts) if texts else []
    best = sorted(range(len(texts)), key=lambda n: (-round(near[n], 6), n))[:_WORDS]
    return statistics.feedback(gap, [texts[n] for n in best if near[n] > 0], _WORDS)
