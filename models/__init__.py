"""How a model is asked: tasks, the language model, the extractive one, and a script."""

from models.blocks import DATA_RULE, data_block
from models.budget import Budget, Spent
from models.choose import ROLES, Models, choose_model
from models.errors import ModelError, ModelUnavailable, PromptError, ReplyUnusable
from models.event import Event
from models.events import ModelReplied
from models.extractive import ExtractiveModel
from models.fallback import FallbackModel
from models.llm import LanguageModel, Probe
from models.prompts import Prompt, load, render
from models.providers import quiet_autogen
from models.scripted import ScriptedModel
from models.settings import ModelSettings, Price
from models.statistics import Statistics
from models.task import Asks, Model, OutputT, Reply, Role, Task, Usage
from models.tokens import estimate
from models.tools import Call, Tool, Toolbox

__all__ = [
    "DATA_RULE",
    "ROLES",
    "Asks",
    "Budget",
    "Call",
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
