"""A model for each seat: experts whose seat names a model of its own are asked there, all others by role."""

from collections.abc import Callable, Mapping

from agents.panel import seat_slugs
from agents.settings import AgentSettings, SeatSettings
from models import Model, Models, ModelSettings, ModelUnavailable

Chooses = Callable[[ModelSettings], Models]
"""Chooses models by settings. Raises ModelUnavailable when one cannot be had."""


def settings_of(seat: SeatSettings, models: ModelSettings) -> ModelSettings:
    """Return the settings by which a seat's model is chosen: the session's, with the seat's model and server.

    A seat without a server of its own is asked at the session's, where that speaks for the same provider.
    """
    roles = {role: name for role, name in models.roles.items() if role != "expert"}
    provider = (seat.model or "").partition(":")[0]
    same = provider == (models.model or "").partition(":")[0]
    base = seat.base_url or (models.base_url if same else None)
    return models.model_copy(update={"model": seat.model, "base_url": base, "roles": roles})


class SeatModels:
    """The models of a session's seats, by the experts' slugs."""

    def __init__(self, by_slug: Mapping[str, Models]) -> None:
        self._by_slug = dict(by_slug)

    @classmethod
    def chosen(cls, agents: AgentSettings, models: ModelSettings, chooses: Chooses) -> "SeatModels":
        """Choose the models of all seats that name one.

        Raises:
            ModelUnavailable: one cannot be had; the message names the expert.
        """
        found: dict[str, Models] = {}
        for seat, own in zip(agents.seats, seat_slugs(agents.seats), strict=True):
            if seat.model is None:
                continue
            try:
                found[own] = chooses(settings_of(seat, models))
            except ModelUnavailable as failure:
                raise ModelUnavailable(f"expert {seat.name!r}: {failure}") from failure
        return cls(found)

    def model(self, speaker: str) -> Model | None:
        """Return an expert's own model; None where its seat names none."""
        models = self._by_slug.get(speaker)
        return models["expert"] if models else None

    @property
    def all(self) -> list[Models]:
        """The models of all seats."""
        return list(self._by_slug.values())

    async def close(self) -> None:
        """Release connections."""
        for models in self._by_slug.values():
            await models.close()
