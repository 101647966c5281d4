"""Which places gave nothing that fits a question: they are not asked for it again."""

from collections.abc import Collection, Sequence

from agents.events import PlaceUnrelated
from agents.research.moves.actions import Observation
from agents.speaker_context import SpeakerContext

_Key = tuple[str, int, int]


class PlaceFit:
    """Watches the places that are searched for one question."""

    def __init__(self, context: SpeakerContext, question_id: str) -> None:
        """Begin with what is known; an empty id: nothing is kept, for nobody asks that again."""
        self._context = context
        self._question_id = question_id
        self._fitted: set[str] = set()
        records = context.records(question_id) if question_id else {}
        self.unrelated = {where for where, record in records.items() if record.unrelated_here}
        """Places that gave nothing fitting for this question."""

    def judge(self, observations: Sequence[Observation], fitting: Collection[_Key]) -> None:
        """Look at what each place gave; `fitting` are the keys of passages that fit."""
        if not self._question_id:
            return
        read = {seen.action.url: seen.passages for seen in observations if seen.action.kind == "read"}
        places = {place.name: place.local for place in self._context.places}
        for seen in observations:
            if seen.action.kind != "search" or seen.problems:
                continue
            for where in seen.action.where or places:
                given = [found for found in seen.found if found.where == where]
                texts = [p for f in given for p in ([f.passage] if f.passage else read.get(f.url, ()))]
                if any(p.key in fitting for p in texts):
                    self._fitted.add(where)
                elif texts or (not given and places.get(where)):
                    self._gave_nothing(where)

    def _gave_nothing(self, where: str) -> None:
        if where in self._fitted or where in self.unrelated:
            return
        self.unrelated.add(where)
        event = PlaceUnrelated(speaker=self._context.speaker, question=self._question_id, where=where)
        self._context.record(event)
