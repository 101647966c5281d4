"""The moderator's seat: asks the next question from what was read but not yet used."""

from collections.abc import Sequence

from agents import Contribution, SessionView, SpeakerContext, SpeakRequest, discussion, set_aside
from library import Passage, TopicProfile
from library.text import is_question
from moderator.agenda import Agenda
from moderator.tasks import AskQuestion

SLUG = "moderator"
_UNUSED = 24
_ASKED = 20
"""Questions that were asked which the prompt shows at most: none of them, or alike, is asked again."""


class Moderator:
    """A speaker that asks."""

    slug = SLUG
    description = "Leads the discussion: asks from what was read and not yet used."

    def __init__(self, view: SessionView, agenda: Agenda, context: SpeakerContext) -> None:
        self._view = view
        self._agenda = agenda
        self._context = context

    async def speak(self, request: SpeakRequest) -> Contribution:
        """Ask a question; an empty text when nothing is worth asking."""
        del request  # the moderator finds its question itself
        view = self._view
        used = {i for turn in view.turns for i in turn.citations}
        used |= set_aside(self._context.memory(), used)
        unused = self._nearest_last([p for p in view.evidence.passages.values() if p.id not in used])
        if not unused:  # a request that shows nothing to ask from
            return Contribution(act="question", text="")
        draft = await self._context.ask(
            AskQuestion(
                topic=view.topic,
                language=view.language,
                directions=tuple(view.directions),
                asked=self._asked_near(unused[-_UNUSED:]),
                discussion=discussion(list(view.turns), 3),
                unused=tuple(unused[-_UNUSED:]),
            )
        )
        text = " ".join(draft.question.split())
        if self._agenda.asked(text):
            text = ""
        return Contribution(
            act="question",
            text=text,
            search=draft.search,
            why=" ".join(draft.why.split()),
            asked_from=[p.id for p in unused if p.id in draft.passages],
        )

    def _asked_near(self, passages: Sequence[Passage]) -> tuple[str, ...]:
        """Return the questions of the agenda that are nearest to some passages, in order."""
        asked = [q.text for q in self._agenda.questions.values() if q.state != "merged"]
        about = " ".join(p.text for p in passages)
        fits = self._context.statistics.relevance(about, asked) if len(asked) > _ASKED else []
        kept = sorted(range(len(asked)), key=lambda n: (-round(fits[n], 6) if fits else 0, n))[:_ASKED]
        return tuple(asked[n] for n in sorted(kept))

    def _nearest_last(self, passages: list[Passage]) -> list[Passage]:
        """Return passages with those near the topic last, each part in its order: the last ones are shown.

        What was found for a question may be of other matters; of a subject all that is admitted is near.
        """
        if not self._context.chooses or not is_question(self._view.topic):
            return passages
        profile = TopicProfile(self._view.topic, self._context.statistics)
        profile.learn(self._view.evidence.passages.values())
        scores = dict(zip((p.id for p in passages), profile.scores(passages), strict=True))
        return sorted(passages, key=lambda p: scores[p.id] >= profile.cut_off)
