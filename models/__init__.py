"""How a model is asked: tasks, the language model, the extractive one, and a script."""

from models.budget import Budget, Spent
from models.client.providers import quiet_autogen
from models.errors import ModelError, ModelUnavailable, PromptError, ReplyUnusable
from models.event import Event
from models.events import ModelReplied
from models.extractive import ExtractiveModel
from models.fallback import FallbackModel
from models.language_model import LanguageModel, Probe
from models.model_registry import ROLES, Models, choose_model
from models.prompting.prompts import Prompt, load, render
from models.prompting.token_estimate import estimate
from models.prompting.tools import Tool, Toolbox, ToolCall
from models.prompting.untrusted_text import DATA_RULE, data_block
from models.scripted import ScriptedModel
from models.settings import ModelSettings, Price
from models.task import Asks, Model, OutputT, Reply, Role, Task, Usage
from models.text_statistics import Statistics

__all__ = [
    "DATA_RULE",
    "ROLES",
    "Asks",
    "Budget",
    "ToolCall",
    "Event",
    "ExtractiveModel",
    "FallbackModel",
    "LanguageModel",
    "Model",
    "ModelError",
    "ModelReplied",
    "ModelSettings",
    "ModelUnavailable",
    "Models",
    "OutputT",
    "Price",
    "Probe",
    "Prompt",
    "PromptError",
    "Reply",
    "ReplyUnusable",
    "Role",
    "ScriptedModel",
    "Spent",
    "Statistics",
    "Task",
    "Tool",
    "Toolbox",
    "Usage",
    "choose_model",
    "data_block",
    "estimate",
    "load",
    "quiet_autogen",
    "render",
]
