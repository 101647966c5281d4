"""What a session has used so far, as its budget counts."""

from models import Spent
from roundtable.journal.fold.state import State


def spent(state: State, now: str) -> Spent:
    """Return what a session has used so far."""
    usages = [cost.usage for cost in state.usage]
    return Spent(
        tokens=sum(u.prompt_tokens + u.completion_tokens for u in usages),
        money=sum(u.cost or 0.0 for u in usages),
        requests=sum(u.requests for u in usages),
        searches=len(state.work.searches),
        pages=len(state.work.pages),
        seconds=state.time.until(now),
    )
