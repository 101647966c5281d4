"""How much may be spent: limits, what of them is gone, and what is kept back for the report."""

from dataclasses import dataclass, fields
from typing import Literal

from pydantic import Field

from models.event import Given

_OF_MODELS = ("tokens", "money", "requests", "seconds")
Level = Literal["free", "reserve", "spent"]


@dataclass(frozen=True, slots=True)
class Spent:
    """What a session has used so far."""

    tokens: int = 0
    """Of prompts and replies."""
    money: float = 0.0
    """US dollars, as far as prices are known."""
    requests: int = 0
    """To language models."""
    searches: int = 0
    pages: int = 0
    """Fetched and read."""
    seconds: float = 0.0
    """Of wall time."""


class Budget(Given):
    """Limits to a session's means. A step under way when one is reached is still ended."""

    tokens: int | None = Field(default=None, gt=0)
    """Of prompts and replies together; None: no limit."""
    money: float | None = Field(default=None, gt=0)
    """US dollars; None: no limit. Requests without a known price count as nothing."""
    requests: int | None = Field(default=None, gt=0)
    """To language models; None: no limit."""
    searches: int | None = Field(default=None, gt=0)
    """None: no limit."""
    pages: int | None = Field(default=None, gt=0)
    """Fetched and read; None: no limit."""
    seconds: float | None = Field(default=None, gt=0)
    """Of wall time; None: no limit."""
    reserve: float = Field(default=0.15, ge=0, lt=1)
    """Share (0 to 1) of each limit that the discussion leaves to the report."""

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return any(getattr(self, field.name) is not None for field in fields(Spent))

    def shares(self, spent: Spent) -> dict[str, float]:
        """Return how much of each limit that is set is gone (0 to 1 and above), by name."""
        used = {field.name: getattr(spent, field.name) for field in fields(spent)}
        limits = {name: limit for name in used if (limit := getattr(self, name)) is not None}
        # Of nothing, which is what an owner may have left of the day, all is gone.
        return {name: used[name] / limit if limit else 1.0 for name, limit in limits.items()}

    def share(self, spent: Spent) -> float:
        """Return how much of the nearest limit is gone: 0 without limits, 1 and above when one is reached."""
        return max(self.shares(spent).values(), default=0.0)

    def nearest(self, spent: Spent) -> str | None:
        """Return the name of the limit that is nearest, None without limits."""
        shares = self.shares(spent)
        return max(shares, key=lambda name: shares[name]) if shares else None

    def exhausted(self, spent: Spent) -> str | None:
        """Return the limit of models (or of time) that is reached: nothing more is to be asked of them."""
        return next((name for name in _OF_MODELS if self.shares(spent).get(name, 0.0) >= 1), None)

    def level(self, spent: Spent) -> Level:
        """Tell whether the talk may go on (`free`), only the report (`reserve`), or nothing (`spent`)."""
        share = self.share(spent)
        if share >= 1:
            return "spent"
        return "reserve" if share >= 1 - self.reserve else "free"
