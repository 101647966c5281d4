"""What a session has used so far, as its budget counts."""

from collections.abc import Iterable
from dataclasses import replace

from models import Spent, Usage
from roundtable.journal.fold.state import State


def cost_of(usages: Iterable[Usage]) -> Spent:
    """Return what tasks of models have cost: tokens, money and requests."""
    whole = list(usages)
    return Spent(
        tokens=sum(u.prompt_tokens + u.completion_tokens for u in whole),
        money=sum(u.cost or 0.0 for u in whole),
        requests=sum(u.requests for u in whole),
    )


def spent(state: State, now: str, beside: Spent | None = None) -> Spent:
    """Return what a session has used so far, with what it does not count yet (`beside`; None: nothing)."""
    asked = cost_of(cost.usage for cost in state.usage)
    if beside is not None:
        asked = added(asked, beside)
    return replace(
        asked,
        searches=len(state.work.searches),
        pages=len(state.work.pages),
        seconds=state.time.until(now),
    )


def added(one: Spent, other: Spent, times: int = 1) -> Spent:
    """Return what two costs of models come to, the other counted so many times (-1: taken away)."""
    return Spent(
        tokens=one.tokens + times * other.tokens,
        money=one.money + times * other.money,
        requests=one.requests + times * other.requests,
    )


def most(one: Spent, other: Spent) -> Spent:
    """Return the higher cost of each kind."""
    return Spent(
        tokens=max(one.tokens, other.tokens),
        money=max(one.money, other.money),
        requests=max(one.requests, other.requests),
    )
