"""What requests cost: the settings' own prices first, then the providers' list prices.

List prices come with the package genai-prices and are as old as that: nothing is looked up on the network.
They hold for a provider's own server alone; what a server of one's own costs nobody knows.
"""

from collections.abc import Mapping
from functools import lru_cache

from models.settings import Price

_SAMPLE = 1_000
"""Tokens that are priced to learn the rates: fewer than those from which some models cost more."""


def price_of(model: str, prices: Mapping[str, Price], *, listed: bool) -> Price | None:
    """Return a model's price, None when nobody knows it. The first look at the list takes 0.4 s.

    Args:
        model: As the user named it: `openai:gpt-5-mini`, `openai:gpt-5-mini-2025-08-07`.
        prices: The settings' own.
        listed: Whether the provider's list prices hold: it is the provider's own server.
    """
    return prices.get(model) or (_list_price(model) if listed else None)


@lru_cache(maxsize=64)
def _list_price(model: str) -> Price | None:
    from genai_prices import Usage, calc_price

    provider, _, name = model.partition(":")
    try:
        sample = calc_price(Usage(input_tokens=_SAMPLE, output_tokens=_SAMPLE), name, provider_id=provider)
    except LookupError:
        return None
    million = 1_000_000 // _SAMPLE
    return Price(prompt=float(sample.input_price * million), completion=float(sample.output_price * million))


def cost(price: Price | None, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Return what the tokens cost in US dollars, None without a price."""
    if price is None:
        return None
    return (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1_000_000
