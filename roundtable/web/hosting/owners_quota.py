"""What the owner of a session may still use, before the session begins or goes on."""

from collections.abc import Callable, Collection

from models import ModelReplied
from roundtable.config.config import Settings
from roundtable.config.errors import JournalError
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.people.quotas import Quota


def left_for(journal: Journal, session: str, here: Collection[str]) -> Quota:
    """Return what a session may use today. Raises QuotaReached.

    Args:
        journal: With the session's owner.
        session: Its id.
        here: Sessions that run in this process; others the journal knows.
    """
    if not journal.accounts().are_on():
        return Quota()
    queued = journal.queued()
    waiting = queued.pending() if queued is not None else set()
    if session in waiting:
        return Quota()  # judged when it was put into the queue; two there would wait for each other
    running = {row.id for row in journal.sessions() if row.state == "running"}
    return journal.quotas().left(session, {*running, *waiting, *here})


def within_quota(journal: Journal, settings: Settings, session: str, here: Collection[str]) -> Settings:
    """Return settings for a new session, with a budget of at most what its owner has left today.

    Raises:
        QuotaReached: that is nothing.
    """
    return _at_most(settings, left_for(journal, session, here))


def bounded_by_quota(journal: Journal, session: str) -> Callable[[Settings], Settings]:
    """Return what bounds the settings of a session that goes on: by what it used, and its owner has left.

    A copy of somebody's session, and one begun before there were limits, have no budget of their own.
    """
    rest = journal.quotas().rest(session)
    if rest == Quota():
        return lambda settings: settings
    told = journal.of_kinds(("model_replied",), session)
    usages = [ModelReplied.model_validate_json(event).usage for _, event in told]
    tokens = sum(usage.prompt_tokens + usage.completion_tokens for usage in usages)
    money = sum(usage.cost or 0.0 for usage in usages)
    most = Quota(
        tokens=None if rest.tokens is None else rest.tokens + tokens,
        money=None if rest.money is None else rest.money + money,
    )
    return lambda settings: _at_most(settings, most)


def used_up(journal: Journal, session: str) -> str | None:
    """Return which of the owner's limits of the day is reached; None: none, or the database is away.

    Asked while the session is at work: others of the same owner use up what it was given, too.
    """
    try:
        rest = journal.quotas().rest(session)
    except JournalError:  # the session's next event tells
        return None
    return "tokens" if rest.tokens == 0 else "money" if rest.money == 0 else None


def _at_most(settings: Settings, most: Quota) -> Settings:
    budget = settings.moderator.budget
    least = {
        name: min(rest, asked) if (asked := getattr(budget, name)) is not None else rest
        for name in ("tokens", "money")
        if (rest := getattr(most, name)) is not None
    }
    if not least:
        return settings
    capped = settings.moderator.model_copy(update={"budget": budget.model_copy(update=least)})
    return settings.model_copy(update={"moderator": capped})
