"""The sections that answer a question are read whole before a report tells them, where no model reads."""

import asyncio

from library.text import is_question
from reports import unread_passages
from roundtable.journal.fold.state_slices import WRITER
from roundtable.session.context.journalled_context import ContextFactory


async def read_sections(contexts: ContextFactory) -> None:
    """Admit the rest of the sections that answer the topic best; nothing where it asks nothing."""
    state, context = contexts.record.state, contexts.of(WRITER)
    if not is_question(state.topic):
        return
    evidence = state.reported()
    unread = await asyncio.to_thread(unread_passages, state.topic, evidence, context.statistics)
    if unread:
        context.admit([(passage, 1.0) for passage in unread])
