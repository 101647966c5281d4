"""What requests cost, from a table: the settings' own prices first, then the providers' list prices.

List prices are of late 2025 and may have changed; they are used only with a provider's own server, never with
a server of one's own, whose prices nobody knows.
"""

from collections.abc import Mapping

from models.settings import Price

_LIST: dict[str, tuple[float, float]] = {
    "openai:gpt-5": (1.25, 10.0),
    "openai:gpt-5-mini": (0.25, 2.0),
    "openai:gpt-5-nano": (0.05, 0.4),
    "openai:gpt-4.1": (2.0, 8.0),
    "openai:gpt-4.1-mini": (0.4, 1.6),
    "openai:gpt-4.1-nano": (0.1, 0.4),
    "openai:gpt-4o": (2.5, 10.0),
    "openai:gpt-4o-mini": (0.15, 0.6),
    "openai:o3": (2.0, 8.0),
    "openai:o4-mini": (1.1, 4.4),
    "anthropic:claude-haiku-4-5": (1.0, 5.0),
    "anthropic:claude-sonnet-4-5": (3.0, 15.0),
}


def price_of(model: str, prices: Mapping[str, Price], *, listed: bool) -> Price | None:
    """Return a model's price, None when nobody knows it.

    Args:
        model: As the user named it: `openai:gpt-5-mini`.
        prices: The settings' own.
        listed: Whether the provider's list prices hold: it is the provider's own server.
    """
    if model in prices:
        return prices[model]
    known = _LIST.get(model) if listed else None
    return Price(prompt=known[0], completion=known[1]) if known else None


def cost(price: Price | None, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Return what the tokens cost in US dollars, None without a price."""
    if price is None:
        return None
    return (prompt_tokens * price.prompt + completion_tokens * price.completion) / 1_000_000
