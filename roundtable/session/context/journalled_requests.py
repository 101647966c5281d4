"""What one speaker asks of models: each task once, its reply journalled, and had again for nothing."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any

from library import TextStatistics
from models import EMBEDDED, Model, ModelReplied, OutputT, Reply, ReplyUnusable, Role, Spent, Task, Usage
from roundtable.session.context.joint_requests import groups_that_fit, key_of, replied_jointly
from roundtable.session.context.shared_context import SharedContext
from roundtable.session.context.spending import cost_of


class JournalledRequests:
    """The tasks of one speaker."""

    def __init__(self, speaker: str, shared: SharedContext) -> None:
        self._speaker = speaker
        self._shared = shared
        self._state = shared.record.state

    @property
    def statistics(self) -> TextStatistics:
        """Text statistics over what the library holds."""
        return self._shared.library.statistics

    @property
    def chooses(self) -> bool:
        """Whether a language model speaks, which may search again in words of its own."""
        return self._model("expert").name != EMBEDDED

    def _model(self, role: Role) -> Model:
        """Return who does a task of a role in this speaker's place."""
        own = self._shared.seat_model(self._speaker) if role == "expert" else None
        return self._shared.agent_of(self._speaker) or own or self._shared.models[role]

    def answered(self, task: Task[OutputT]) -> bool:
        """Tell whether the journal holds a task's reply."""
        return key_of(task) in self._state.work.replies

    async def ask(self, task: Task[OutputT]) -> OutputT:
        """Do one task; a reply that the journal holds is had again for nothing."""
        return (await self.ask_all([task]))[0]

    async def ask_all(self, tasks: Sequence[Task[OutputT]]) -> list[OutputT]:
        """Do several tasks at the same time; journal the replies in the order of the tasks."""
        keys = [key_of(task) for task in tasks]

        async def reply(task: Task[OutputT], key: str) -> ModelReplied | None:
            return None if key in self._state.work.replies else await self._reply(task, key)

        waiting: list[Awaitable[ModelReplied | None]] = [
            reply(t, k) for t, k in zip(tasks, keys, strict=True)
        ]
        events = await asyncio.gather(*waiting)
        await self._shared.barrier.arrive(self._speaker)
        return [self._settle(t, k, e) for t, k, e in zip(tasks, keys, events, strict=True)]

    async def ask_jointly(self, tasks: Sequence[Task[Any]]) -> list[Any]:
        """Do several tasks in one request for each role, as long as it is not too long.

        The replies are journalled in the order of the tasks.
        """
        keys = [key_of(task) for task in tasks]
        new = {key: t for key, t in zip(keys, tasks, strict=True) if key not in self._state.work.replies}
        if len(new) < 2:
            return await self.ask_all(tasks)
        roles = dict.fromkeys(task.role for task in new.values())
        groups = [
            group
            for role in roles
            for group in groups_that_fit(
                [task for task in new.values() if task.role == role], self._shared.prompt_room
            )
        ]
        answered = await asyncio.gather(*(replied_jointly(group, self._reply) for group in groups))
        await self._shared.barrier.arrive(self._speaker)
        events = {event.key: event for group in answered for event in group}
        self._shared.record.add(*(events[key] for key in new if key not in self._state.work.replies))
        return [self._settle(task, key, None) for task, key in zip(tasks, keys, strict=True)]

    def _settle(self, task: Task[OutputT], key: str, event: ModelReplied | None) -> OutputT:
        if event is not None and key not in self._state.work.replies:
            self._shared.record.add(event)
        output: Any = task.output.model_validate(self._state.work.replies[key])
        return output  # type: ignore[no-any-return]

    async def _asked(self, model: Model, task: Task[Any]) -> Reply[Any]:
        async def request() -> Reply[Any]:
            with self._shared.speaking.shown(self._speaker, task.name):
                return await model.ask(task)

        return await self._shared.requests.send(request, self._journalled, self._shared.exhausted)

    def _journalled(self) -> Spent:
        return cost_of(cost.usage for cost in self._state.usage)

    async def _reply(self, task: Task[Any], key: str) -> ModelReplied:
        """Ask the model.

        Where nothing usable comes, or a budget is spent, the task's own extract stands in, and the journal
        says so. In the place of an AutoGen agent nobody else answers.
        """
        agent = self._shared.agent_of(self._speaker)
        model = self._model(task.role)
        fallback: str | None = None
        try:
            reply = await self._asked(model, task)
        except ReplyUnusable as failure:
            if agent is not None:
                raise
            fallback = str(failure)
            output = task.extract(self.statistics)
            reply = Reply(output, failure.usage or Usage(model=model.name), failure.prompt_hash)
        return ModelReplied(
            task=task.name,
            speaker=self._speaker,
            key=key,
            prompt_hash=reply.prompt_hash,
            output=reply.output.model_dump(mode="json"),
            usage=reply.usage,
            fallback=fallback,
        )
