"""Who speaks next: the agenda, the policy, the watch over the talk, the moderator, and the AutoGen team."""

from moderator.agenda import Agenda, Question, raise_all
from moderator.events import (
    AnswerJudged,
    ContradictionFound,
    NoveltyMeasured,
    PassagesCompared,
    QuestionClosed,
    QuestionRaised,
    QuestionReturned,
    QuestionReworded,
)
from moderator.judging import AnswerVerdict, JudgeAnswer
from moderator.moderator import SLUG, Moderator
from moderator.moderator_phrases import wording
from moderator.policy import AnswerStep, AskStep, CloseStep, RenewStep, Standing, Step, next_step
from moderator.same_question import alike
from moderator.settings import ModeratorSettings
from moderator.talk import Talk
from moderator.talk_novelty import dry_answers, novelty

__all__ = [
    "SLUG",
    "Agenda",
    "AnswerStep",
    "AnswerJudged",
    "AskStep",
    "CloseStep",
    "ContradictionFound",
    "JudgeAnswer",
    "Moderator",
    "ModeratorSettings",
    "NoveltyMeasured",
    "PassagesCompared",
    "Question",
    "QuestionClosed",
    "QuestionRaised",
    "QuestionReturned",
    "QuestionReworded",
    "RenewStep",
    "Standing",
    "Step",
    "Talk",
    "AnswerVerdict",
    "alike",
    "dry_answers",
    "next_step",
    "novelty",
    "raise_all",
    "wording",
]
