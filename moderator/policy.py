"""Who speaks next, and about what: one pure function of the table as it stands."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from moderator.agenda import Question
from moderator.settings import ModeratorSettings

_AS_NEAR = 0.8
"""Share (0 to 1) of the nearest expert's nearness from which another one is as near."""
_AHEAD = 2
"""Turns more than another expert after which one waits, until the other has spoken or is asked by name."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The table as the policy sees it."""

    turns: int
    """Turns taken, failed ones included: a speaker of whom nothing came must not keep the table for ever."""
    limit: int
    """Turns after which the table closes."""
    waiting: Sequence[Question]
    """Questions that nobody has taken, the most urgent first."""
    panel: Sequence[str]
    """Slugs of the experts."""
    spoken: Sequence[int]
    """How often each expert has spoken since the panel was last changed, in the panel's order."""
    nearness: Sequence[float]
    """How near (0 to 1) each expert is to the question at hand, beside the others."""
    last_question: Question | None
    """The question answered last."""
    answered_by: Sequence[str]
    """Slugs of the experts who have answered the last question."""
    answers: int
    """Answers since the last fresh question."""
    unused: int
    """Passages that were read and not yet used."""
    dry: int
    """Answers in a row that brought no new passage, and cited none for the first time."""
    seated: int
    """Turns since the panel was last changed."""
    reach: float = 1.0
    """How near (0 to 1) the nearest expert is to the question at hand, whoever else there is."""
    besides: int = 0
    """Turns on what was asked from outside: they are free, and only told."""
    spent: str | None = None
    """Which budget is spent; None while there is some left."""
    stopped: bool = False
    """A person asked to stop."""
    novelty: float = 1.0
    """Share (0 to 1) of new passages and words over the last answers; 1 until there were enough of them."""
    tail: Question | None = None
    """The topic itself, as long as nobody was asked it: the last question of every session."""
    staying: Collection[str] = ()
    """Slugs of the experts who make room for nobody: a person brought them."""
    in_vain: int = 0
    """Questions that closed as not in the sources found, while no question at all was answered; else 0."""
    tried: Sequence[str] = ()
    """Slugs of the experts who have answered the most urgent question before it came back."""
    settled: bool = False
    """A judge that reads found that the last question is answered whole: another would tell it again."""
    wanted: bool = False
    """A person asked for turns that are not taken yet: they are, however little new the last ones brought."""
    unheard: tuple[Question, Collection[str]] | None = None
    """The last question on which an expert has said nothing, and who has; only where turns are wanted."""


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """An expert answers a question."""

    question: Question
    speaker: str


@dataclass(frozen=True, slots=True)
class AskStep:
    """The moderator asks from what was read but not used."""


@dataclass(frozen=True, slots=True)
class RenewStep:
    """An expert makes room for one nearer to what the talk has come to."""

    leaving: str
    question: Question


class CloseCause(StrEnum):
    """What makes the table close."""

    STOPPED = "stopped"
    """A person asked for it."""
    BUDGET = "budget"
    TURNS = "turns"
    """As many as were wanted were taken."""
    NOTHING_NEW = "nothing_new"
    NOTHING_FOUND = "nothing_found"
    """The searches before the first turn found nothing."""

    @property
    def early(self) -> bool:
        """Whether the discussion was cut off, so that its report says so."""
        return self in {CloseCause.STOPPED, CloseCause.BUDGET}


@dataclass(frozen=True, slots=True)
class CloseStep:
    """The table closes."""

    cause: CloseCause
    reason: str
    """The cause in words, with its figures."""


Step = AnswerStep | AskStep | RenewStep | CloseStep


def next_step(now: Standing, settings: ModeratorSettings) -> Step:
    """Return what happens next.

    A person's wish to stop comes first, then the limits, then the agenda: an open question goes to the expert
    nearest to it, one that came back to another expert. With none open, others add to the last question until
    `after_answers` answers have been given, or a judge found it answered whole; then the moderator asks, as
    long as something read is not yet used and a turn is left for the answer. The topic itself is asked last.
    """
    if closing := _closing(now, settings):
        return closing
    if now.tail and _is_last(now, settings):
        return AnswerStep(now.tail, nearest(now, ()))
    if now.waiting:
        question = now.waiting[0]
        if _moved_on(now, settings, question):
            return RenewStep(_least_needed(now), question)
        if question.to in now.panel and question.to:
            return AnswerStep(question, question.to)
        others = now.tried if set(now.tried) < set(now.panel) else ()
        # Who asks from outside wants to hear who knows of it, whoever spoke much.
        return AnswerStep(question, nearest(now, others, fair=not question.owed))
    more = [slug for slug in now.panel if slug not in now.answered_by]
    last = now.last_question
    adds = last is not None and last.claim is None and last.state != "not_found" and not now.settled
    if last and adds and now.answers < settings.after_answers and more:
        return AnswerStep(last, nearest(now, now.answered_by))
    if now.unused and _leaves_an_answer(now):
        return AskStep()
    if last and adds and more and now.unused:
        return AnswerStep(last, nearest(now, now.answered_by))
    if now.tail:
        return AnswerStep(now.tail, nearest(now, ()))
    if now.wanted and now.unheard:
        question, heard = now.unheard
        return AnswerStep(question, nearest(now, [slug for slug in now.panel if slug in heard]))
    if now.unused:
        return CloseStep(CloseCause.TURNS, f"{_taken(now)}, and none is left to answer a question")
    return CloseStep(CloseCause.NOTHING_NEW, "nothing that was read leads to another question")


def _leaves_an_answer(now: Standing) -> bool:
    """Tell whether what is asked now can be answered: a turn is left for that before the topic itself."""
    return now.limit - now.turns - (now.tail is not None) >= 2


def _is_last(now: Standing, settings: ModeratorSettings) -> bool:
    """Tell whether the next turn is the last, so that it belongs to the topic itself."""
    about_to_dry = now.dry >= settings.dry_answers or now.novelty < settings.dry_novelty or _barren(now)
    waits = any(q.owed for q in now.waiting)
    last = now.turns == now.limit - 1 and now.limit > len(now.panel) + 1
    return not waits and (last or about_to_dry)


def _taken(now: Standing) -> str:
    besides = f", and {now.besides} more on what was asked besides" if now.besides else ""
    turns = "turn" if now.turns == 1 else "turns"
    return f"{now.turns} {turns} taken{besides}"


def _closing(now: Standing, settings: ModeratorSettings) -> CloseStep | None:
    if now.stopped:
        return CloseStep(CloseCause.STOPPED, "the report was asked for")
    if now.spent:
        return CloseStep(CloseCause.BUDGET, f"budget spent: {now.spent}")
    if now.turns >= now.limit:
        return CloseStep(CloseCause.TURNS, _taken(now))
    if any(q.owed for q in now.waiting) or now.tail or now.wanted:
        return None
    if now.dry >= settings.dry_answers:
        why = f"the last {now.dry} answers brought and used no new passage"
        return CloseStep(CloseCause.NOTHING_NEW, why)
    if _barren(now):
        why = f"nothing found answers it: {now.in_vain} questions were looked for in vain"
        return CloseStep(CloseCause.NOTHING_NEW, why)
    if now.novelty < settings.dry_novelty:
        why = f"only {now.novelty:.0%} of the last answers was new"
        return CloseStep(CloseCause.NOTHING_NEW, why)
    return None


def _barren(now: Standing) -> bool:
    """Tell whether as many questions as there are experts were looked for in vain, and none was answered.

    To talk on would turn over that there is nothing.
    """
    return bool(now.panel) and now.in_vain >= len(now.panel)


def _moved_on(now: Standing, settings: ModeratorSettings, question: Question) -> bool:
    """Tell whether the talk has left the panel.

    Nobody is near to the question, and the panel has sat for a while.
    """
    far = now.reach < settings.renew_below
    leave = any(slug not in now.staying for slug in now.panel)
    waited = now.seated >= settings.renew_after
    return far and question.to is None and waited and len(now.panel) > 1 and leave


def _least_needed(now: Standing) -> str:
    may_leave = [pair for pair in zip(now.nearness, now.panel, strict=True) if pair[1] not in now.staying]
    return min(may_leave, key=lambda pair: pair[0])[1]


def nearest(now: Standing, without: Sequence[str], *, fair: bool = True) -> str:
    """Return the expert nearest to the question; of those nearly as near the one who spoke least.

    Who is `_AHEAD` turns ahead of another one who may answer is passed over: a table of several viewpoints
    is no interview. Without `fair` the nearest one answers.
    """
    may = [n for n, slug in enumerate(now.panel) if slug not in without]
    fewest = min(now.spoken[n] for n in may)
    may = [n for n in may if now.spoken[n] - fewest < _AHEAD] if fair else may
    best = max(now.nearness[n] for n in may)
    close = [n for n in may if now.nearness[n] >= (_AS_NEAR if fair else 1.0) * best]
    return now.panel[min(close, key=lambda n: (now.spoken[n], -round(now.nearness[n], 6), n))]
