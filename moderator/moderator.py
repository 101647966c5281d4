"""The moderator's seat: asks the next question from what was read but not yet used."""

from agents import Contribution, SessionView, SpeakerContext, SpeakRequest, discussion
from moderator.agenda import Agenda
from moderator.tasks import AskQuestion

SLUG = "moderator"
_UNUSED = 24


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
        unused = [p for p in view.evidence.passages.values() if p.id not in used]
        draft = await self._context.ask(
            AskQuestion(
                topic=view.topic,
                language=view.language,
                directions=tuple(view.directions),
                asked=tuple(q.text for q in self._agenda.questions.values()),
                discussion=discussion(list(view.turns), 3),
                unused=tuple(unused[-_UNUSED:]),
            )
        )
        text = " ".join(draft.question.split())
        if self._agenda.asked(text):
            text = ""
        return Contribution(act="question", text=text, search=draft.search, why=" ".join(draft.why.split()))
