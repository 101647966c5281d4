"""What can go wrong with a model, as one tree.

ModelError
├── ModelUnavailable   final until somebody mends it: wrong key, unknown model, no server
├── ReplyUnusable      an answer came, but nothing that fits the task, also after one repair
└── PromptError        a prompt file is missing, badly written, or does not fit its task
"""


class ModelError(Exception):
    """The root of this room's errors; the message is one line that says what is wrong and what to do."""


class ModelUnavailable(ModelError):  # noqa: N818 - a state, and the design's word
    """The model cannot be had at all; asking again without a change is useless."""


class ReplyUnusable(ModelError):  # noqa: N818 - a state, and the design's word
    """The model answered, but the answer cannot be read as what the task asks for."""


class PromptError(ModelError):
    """A prompt file cannot be used: the message names it and says what to change."""
