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
from moderator.judging import JudgeAnswer, Verdict
from moderator.moderator import SLUG, Moderator
from moderator.moderator_phrases import wording
from moderator.policy import Answer, Ask, Close, Renew, Standing, Step, next_step
from moderator.same_question import alike
from moderator.settings import ModeratorSettings
from moderator.talk import Talk
from moderator.talk_novelty import dry_answers, novelty

__all__ = [
    "SLUG",
    "Agenda",
    "Answer",
    "AnswerJudged",
    "Ask",
    "Close",
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
    "Renew",
    "Standing",
    "Step",
    "Talk",
    "Verdict",
    "alike",
    "dry_answers",
    "next_step",
    "novelty",
    "raise_all",
    "wording",
]
