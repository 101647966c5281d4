"""Going on with another model when the first cannot be had."""

from models.errors import ModelUnavailable
from models.task import Model, OutputT, Reply, Task


class FallbackModel:
    """Asks one model, and from the moment that it cannot be had, another."""

    def __init__(self, first: Model, second: Model) -> None:
        self.models = (first, second)
        self._first = first
        self._second = second
        self.why: str | None = None
        """Why the first is no longer asked; None while it is."""

    @property
    def name(self) -> str:
        """The name of the model that is asked now."""
        return self._first.name if self.why is None else self._second.name

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Do the task with the first model that can be had. Raises ModelUnavailable when neither can."""
        if self.why is None:
            try:
                return await self._first.ask(task)
            except ModelUnavailable as error:
                self.why = str(error)
        try:
            return await self._second.ask(task)
        except ModelUnavailable as error:
            raise ModelUnavailable(f"{self.why}; and the fallback: {error}") from error

    async def close(self) -> None:
        """Release both models' connections."""
        await self._first.close()
        await self._second.close()
