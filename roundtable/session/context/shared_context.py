"""What the contexts of all speakers share."""

from collections.abc import Callable, Mapping

from library import Library
from models import Model, Role
from roundtable.journal.clock import Clock
from roundtable.journal.event_log import EventLog
from roundtable.session.context.commit_barrier import CommitBarrier
from roundtable.session.context.live_writing import Speaking
from roundtable.session.context.requests_under_way import Exhausted, RequestsUnderWay
from roundtable.session.context.services import Services


class SharedContext:
    """The library, a model for each role, the record, the clock, and the order."""

    def __init__(
        self,
        library: Library,
        models: Mapping[Role, Model],
        record: EventLog,
        clock: Clock,
        *,
        results: int,
        services: Services | None = None,
    ) -> None:
        self.library = library
        self.services = services or Services()
        self.pressed: Callable[[], bool] = lambda: False
        """Whether a budget is nearly spent: then experts answer with what they have."""
        self.exhausted: Exhausted = lambda _: None
        """Which budget of the models is spent: then nothing more is asked of them."""
        self.requests = RequestsUnderWay()
        self.models = models
        self.agent_of: Callable[[str], Model | None] = lambda _: None
        """Who answers in a speaker's place instead of the role's model: an AutoGen agent."""
        self.seat_model: Callable[[str], Model | None] = lambda _: None
        """The model of an expert's own seat; None: the model of all experts."""
        self.record = record
        self.clock = clock
        self.barrier = CommitBarrier()
        self.speaking = Speaking()
        self.results = results
        self.prompt_room = 0
        """Tokens of the longest prompt: several tasks are joined in one as far as they fit. 0: no bound."""
        self.guarded = True
        """Whether queries to places outside hold public words alone while private documents are searched."""
        self.ahead = 0
        """Pages of a search that are read while others are waited for: as many as will be read anyway."""
