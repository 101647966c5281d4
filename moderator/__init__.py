"""Who speaks next: the agenda, the policy, the watch over the talk, the moderator, and the AutoGen team."""

from moderator.agenda import Agenda, Question, raise_all
from moderator.events import QuestionClosed, QuestionRaised
from moderator.moderator import SLUG, Moderator
from moderator.policy import Answer, Ask, Close, Renew, Standing, Step, next_step
from moderator.settings import ModeratorSettings
from moderator.watch import dry_answers, novelty

__all__ = [
    "SLUG",
    "Agenda",
    "Answer",
    "Ask",
    "Close",
    "Moderator",
    "ModeratorSettings",
    "Question",
    "QuestionClosed",
    "QuestionRaised",
    "Renew",
    "Standing",
    "Step",
    "dry_answers",
    "next_step",
    "novelty",
    "raise_all",
]
