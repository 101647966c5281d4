"""What people may use, counted in a file and in a database alike."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from models import ModelReplied, Spent, Usage
from roundtable.config.config import Settings
from roundtable.config.errors import QuotaReached
from roundtable.journal.clock import SteppingClock
from roundtable.journal.sessions.fork import fork
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.people.quotas import Quota
from roundtable.web.hosting.owners_quota import bounded_by_quota, left_for, used_up, within_quota
from tests.postgres_server import PostgresServer
from tests.roundtable.journal.test_journal import started

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def journal(place: Path | str) -> Iterator[Journal]:
    with Journal(place, SteppingClock(NOON)) as journal:
        yield journal


def replied(tokens: int, cost: float | None = None, *, cached: int = 0) -> ModelReplied:
    usage = Usage(
        model="m", requests=1, prompt_tokens=tokens - 10, completion_tokens=10, cost=cost, cached=cached
    )
    return ModelReplied(task="t", speaker="a", key="k", prompt_hash="h", output={}, usage=usage)


def test_what_is_used_is_counted_for_the_owner_and_deleting_gives_nothing_back(
    journal: Journal, place: Path | str
) -> None:
    ada, bo = (journal.accounts().add(name) for name in ("Ada", "Bo"))
    for name in ("s1", "nobodys"):
        journal.create(name, [started()])
    journal.sharing().own("session", "s1", ada)
    journal.append("s1", [replied(1000, 0.25), replied(500)])
    journal.append("s1", [replied(100, 0.05), replied(70_000, cached=1)])
    journal.append("nobodys", [replied(90_000, 3.0)])
    quotas = journal.quotas()
    assert quotas.used(ada.id) == (1600, pytest.approx(0.30))
    assert quotas.used(bo.id) == (0, 0.0)
    journal.sharing().own("session", fork(journal, "s1", 0, "f1"), bo)
    assert quotas.used(bo.id) == (0, 0.0), "what is copied was paid once"
    journal.delete("s1")
    assert quotas.used(ada.id)[0] == 1600
    with Journal(place, SteppingClock(NOON + timedelta(days=1))) as tomorrow:
        assert tomorrow.quotas().used(ada.id) == (0, 0.0)


def test_own_limits_go_before_those_of_everybody(journal: Journal) -> None:
    ada, bo = (journal.accounts().add(name) for name in ("Ada", "Bo"))
    quotas = journal.quotas()
    assert quotas.of(ada.id) == Quota()
    quotas.limit(None, Quota(sessions=2, tokens=1000))
    quotas.limit(ada, Quota(tokens=5, money=1.5))
    assert quotas.of(ada.id) == Quota(2, 5, 1.5)
    assert quotas.of(bo.id) == Quota(2, 1000, None)
    quotas.limit(ada, Quota())
    assert quotas.of(ada.id) == quotas.of(bo.id)


def test_what_is_used_up_is_told_and_what_is_left_bounds_a_new_session(journal: Journal) -> None:
    ada, quotas = journal.accounts().add("Ada"), journal.quotas()
    for name in ("s1", "s2"):
        journal.sharing().own("session", name, ada)
    journal.create("s1", [started()])
    quotas.limit(ada, Quota(sessions=1, tokens=1000, money=1.0))
    journal.append("s1", [replied(400, 0.5)])
    assert quotas.left("s2", []) == Quota(None, 600, 0.5)
    assert quotas.left("s1", ["s1"]) == Quota(None, 600, 0.5), "it does not stand in its own way"
    with pytest.raises(QuotaReached, match="1 of its owner's sessions run already"):
        quotas.left("s2", ["s1"])
    settings = Settings()
    tight = settings.moderator.model_copy(
        update={"budget": settings.moderator.budget.model_copy(update={"tokens": 100})}
    )
    for given, tokens in ((settings, 600), (settings.model_copy(update={"moderator": tight}), 100)):
        budget = within_quota(journal, given, "s2", []).moderator.budget
        assert (budget.tokens, budget.money) == (tokens, 0.5)
    assert within_quota(journal, settings, "nobodys", []) is settings
    journal.append("s1", [replied(500, 0.6)])
    with pytest.raises(QuotaReached, match=r"1.10 dollars today, of 1.00"):
        quotas.left("s2", [])
    quotas.limit(ada, Quota(tokens=900))
    with pytest.raises(QuotaReached, match="900 tokens today, of 900"):
        quotas.left("s2", [])


def test_a_copy_of_somebodys_session_goes_on_within_what_its_own_owner_has_left(journal: Journal) -> None:
    ada, bo = (journal.accounts().add(name) for name in ("Ada", "Bo"))
    journal.create("s1", [started()])
    journal.sharing().own("session", "s1", ada)
    journal.append("s1", [replied(400, 0.5)])
    settings = Settings()
    assert bounded_by_quota(journal, "s1")(settings) is settings
    journal.sharing().own("session", fork(journal, "s1", 0, "f1"), bo)
    journal.append("f1", [replied(300, 0.25)])
    journal.quotas().limit(bo, Quota(tokens=1000))
    copied = sum(json.loads(event)["usage"]["prompt_tokens"] + 10
                 for _, event in journal.of_kinds(("model_replied",), "f1"))  # fmt: skip
    budget = bounded_by_quota(journal, "f1")(settings).moderator.budget
    assert (budget.tokens, budget.money) == (copied + 700, None)
    assert bounded_by_quota(journal, "s1")(settings) is settings
    journal.quotas().limit(bo, Quota(tokens=200))
    assert bounded_by_quota(journal, "f1")(settings).moderator.budget.tokens == copied, "nothing is left"


def test_what_others_of_the_owner_use_up_is_used_up_for_a_session_at_work(journal: Journal) -> None:
    ada = journal.accounts().add("Ada")
    for name in ("s1", "s2"):
        journal.create(name, [started()])
        journal.sharing().own("session", name, ada)
    assert used_up(journal, "s1") is None
    journal.quotas().limit(ada, Quota(tokens=1_000, money=2.0))
    settings = within_quota(journal, Settings(), "s1", [])
    assert settings.moderator.budget.tokens == 1_000
    journal.append("s2", [replied(900, 1.0)])
    assert used_up(journal, "s1") is None
    journal.append("s2", [replied(100, 0.5)])
    assert used_up(journal, "s1") == used_up(journal, "s2") == "tokens"
    journal.quotas().limit(ada, Quota(money=1.5))
    assert used_up(journal, "s1") == "money"
    assert used_up(journal, "nobodys") is None


def test_a_session_that_used_nothing_and_may_use_nothing_has_spent_all(journal: Journal) -> None:
    ada = journal.accounts().add("Ada")
    for name in ("s1", "s2"):
        journal.create(name, [started()])
        journal.sharing().own("session", name, ada)
    journal.quotas().limit(ada, Quota(tokens=1_000, money=1.0))
    journal.append("s2", [replied(1_000, 1.0)])
    budget = bounded_by_quota(journal, "s1")(Settings()).moderator.budget
    assert (budget.level(Spent()), budget.exhausted(Spent())) == ("spent", "tokens")


def test_what_was_let_into_the_queue_is_not_judged_again_there(postgres: PostgresServer) -> None:
    address = postgres.database()
    with Journal(address, SteppingClock(NOON)) as journal, psycopg.connect(address) as database:
        ada = journal.accounts().add("Ada")
        for name in ("s1", "s2", "s3"):
            journal.create(name, [started()])
            journal.sharing().own("session", name, ada)
        journal.quotas().limit(ada, Quota(sessions=1))
        database.execute("INSERT INTO roundtable.queued (session) VALUES ('s1'), ('s2')")
        database.commit()
        for name in ("s1", "s2"):  # put in by two servers at once: each would wait for the other
            assert left_for(journal, name, []) == Quota()
        with pytest.raises(QuotaReached):
            left_for(journal, "s3", [])


def test_what_is_used_outside_of_sessions_counts_for_who_asked(journal: Journal) -> None:
    ada, quotas = journal.accounts().add("Ada"), journal.quotas()
    quotas.check(ada.id)
    quotas.limit(ada, Quota(tokens=1_500, money=0.5))
    for reply in (replied(1_000, 0.2), replied(9_000, 1.0, cached=1), replied(400)):
        quotas.check(ada.id)
        quotas.count(ada.id, reply.usage)
    assert quotas.used(ada.id) == (1_400, pytest.approx(0.2))
    quotas.count(ada.id, replied(100, 0.4).usage)
    with pytest.raises(QuotaReached, match="has used 1500 tokens today, of 1500"):
        quotas.check(ada.id)
    quotas.limit(ada, Quota(money=0.5))
    with pytest.raises(QuotaReached, match=r"has used 0.60 dollars today, of 0.50"):
        quotas.check(ada.id)
    quotas.limit(ada, Quota(sessions=0))
    quotas.check(ada.id)
