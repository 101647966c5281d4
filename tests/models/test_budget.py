"""How much may be spent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from models import Budget, Spent


def test_without_limits_nothing_ends():
    budget, spent = Budget(), Spent(tokens=10**9, money=1e6, seconds=1e6)
    assert budget.share(spent) == 0
    assert budget.nearest(spent) is None
    assert budget.level(spent) == "free"


def test_the_nearest_limit_counts():
    budget = Budget(tokens=1000, money=2.0, searches=10)
    spent = Spent(tokens=100, money=1.0, searches=3, pages=99)
    assert budget.shares(spent) == {"tokens": 0.1, "money": 0.5, "searches": 0.3}
    assert budget.share(spent) == 0.5
    assert budget.nearest(spent) == "money"


@pytest.mark.parametrize(
    ("tokens", "level"),
    [(0, "free"), (849, "free"), (850, "reserve"), (999, "reserve"), (1000, "spent"), (5000, "spent")],
)
def test_the_report_has_a_reserve(tokens, level):
    assert Budget(tokens=1000).level(Spent(tokens=tokens)) == level


def test_the_reserve_can_be_set():
    assert Budget(requests=10, reserve=0.5).level(Spent(requests=5)) == "reserve"
    assert Budget(requests=10, reserve=0).level(Spent(requests=9)) == "free"


@pytest.mark.parametrize("wrong", [{"tokens": 0}, {"money": -1}, {"reserve": 1}, {"token": 5}])
def test_limits_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValidationError):
        Budget(**wrong)


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_spending_more_never_leaves_more(limit, spent, more):
    order = ["free", "reserve", "spent"]
    budget = Budget(tokens=limit)
    before, after = budget.level(Spent(tokens=spent)), budget.level(Spent(tokens=spent + more))
    assert order.index(before) <= order.index(after)
