"""How a model is asked: tasks, the language model, the extractive one, and a script."""

from models.blocks import DATA_RULE, data_block
from models.errors import ModelError, ModelUnavailable, PromptError, ReplyUnusable
from models.event import Event
from models.extractive import ExtractiveModel
from models.prompts import Prompt, load, render
from models.scripted import ScriptedModel
from models.statistics import Statistics
from models.task import Asks, Model, OutputT, Reply, Role, Task, Usage

__all__ = [
    "DATA_RULE",
    "Asks",
    "Event",
    "ExtractiveModel",
    "Model",
    "ModelError",
    "ModelUnavailable",
    "OutputT",
    "Prompt",
    "PromptError",
    "Reply",
    "ReplyUnusable",
    "Role",
    "ScriptedModel",
    "Statistics",
    "Task",
    "Usage",
    "data_block",
    "load",
    "render",
]
