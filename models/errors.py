"""What can go wrong with a model, as one tree.

ModelError
├── ModelUnavailable   final until somebody mends it: wrong key, unknown model, no server
├── ReplyUnusable      an answer came, but nothing that fits the task, also after one repair
└── PromptError        a prompt file is missing, badly written, or does not fit its task
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.task import Usage


class ModelError(Exception):
    """The root of this room's errors; the message is one line that says what is wrong and what to do."""

    usage: Usage | None = None
    """What was spent before it failed; None when nothing was sent."""
    prompt_hash: str = ""
    """Of the prompt that it failed with; empty when there was none yet."""


class ModelUnavailable(ModelError):
    """The model cannot be had at all; asking again without a change is useless."""


class ReplyUnusable(ModelError):
    """The model answered, but the answer cannot be read as what the task asks for."""


class PromptError(ModelError):
    """A prompt file cannot be used: the message names it and says what to change."""
