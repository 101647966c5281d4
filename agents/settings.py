"""What can be set for the people at the table."""

from pydantic import BaseModel, ConfigDict, Field

from models import Given

LEAST_CONTEXT = 4_000
"""Tokens: a prompt's own words take nearly half of it."""
CONTEXT = 16_000
"""Tokens of an expert's prompt where nobody sets another number."""


class SeatSettings(BaseModel):
    """An expert of a person's own choice: who it is, and which model speaks for it."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    name: str = Field(min_length=1, max_length=200)
    focus: str = Field(default="", max_length=400)
    """What this expert looks at; empty: what its name says."""
    question: str = Field(default="", max_length=400)
    """What it looks into first; empty: the planner finds it."""
    model: str | None = None
    """Like `models.model`; None: the model of all experts."""
    base_url: str | None = None
    """Like `models.base_url`; None: the session's, where it is the same provider, else the provider's own."""


class AgentSettings(Given):
    """Experts: how many, and how far one of their turns may go."""

    experts: int = Field(default=3, ge=1, le=8)
    """Experts at the table."""
    seats: list[SeatSettings] = Field(default_factory=list, max_length=8)
    """Experts of a person's own choice, who sit first; the planner fills the other seats."""
    rounds: int = Field(default=5, ge=1, le=20)
    """Rounds of acting that one turn may take before it must answer; the first search is the first round."""
    most_rounds: int = Field(default=20, ge=1, le=40)
    """Rounds to which an expert may extend a turn by asking for more."""
    places: int = Field(default=4, ge=1, le=20)
    """Places that one question is asked at first, the likeliest ones."""
    context: int = Field(default=CONTEXT, ge=LEAST_CONTEXT, le=1_000_000)
    """Tokens of one prompt of an expert, estimated on the high side; a smaller window of the model wins."""
    compute: bool = True
    """Experts may compute with figures in a closed sandbox, where the extra `compute` is installed."""
    actions: int = Field(default=3, ge=1, le=5)
    """Actions of one round, run at the same time."""
    allow_providers: list[str] = Field(default_factory=list)
    """AutoGen components that a file named with `--expert` may hold beside AutoGen's assistant, its models
    and contexts: classes, or packages for all in them. Loading them runs their code. Also addresses of
    servers that its models may ask with your key: `https://gateway.example.org`."""
    results: int = Field(default=50, ge=1, le=200)
    """Results asked of each place in one search."""
    pages: int = Field(default=4, ge=0, le=20)
    """Pages of the web read after one search, the best first."""
    passages: int = Field(default=12, ge=1, le=60)
    """Passages that one round may admit at most."""
    cut_off: float = Field(default=0.25, ge=0.0, le=1.0)
    """Fit to the topic, as a share (0 to 1) of the ten best passages, below which none is admitted."""
    sure: int = Field(default=12, ge=0, le=200)
    """Results of one search in documents, the best ones, that are admitted without fitting the topic
    otherwise where the topic is a question: its answer may be told in quite other words than all that
    stands around it."""
    background: int = Field(default=16, ge=1, le=60)
    """Passages that the background search before the first turn admits at most."""
    timeout: float = Field(default=300.0, gt=0)
    """Seconds after which a speaker's turn is given up."""
    background_tokens: int = Field(default=1_800, ge=100, le=100_000)
    """Tokens of the passages from which the panel is planned; see `configs/depths.toml`."""
    passage_tokens: int = Field(default=2_200, ge=100, le=100_000)
    """Tokens of the passages in one prompt: those that fit the question best, whole or nearly so."""
    listed_tokens: int = Field(default=200, ge=0, le=10_000)
    """Tokens of the lines that name passages which are not shown."""
    closing_context: int = Field(default=26_000, ge=LEAST_CONTEXT, le=1_000_000)
    """Tokens of the one prompt in which the topic itself is answered last: a large session needs them for all
    that its answers rest on. A `context` below its own default, and a smaller window of the model, win."""
    closing_tokens: int = Field(default=18_000, ge=100, le=100_000)
    """Tokens of the passages when the topic itself is answered last: all that answers and notes rest on."""
    closing_discussion_tokens: int = Field(default=3_200, ge=100, le=100_000)
    """Tokens of the discussion then: beside the passages it need not repeat what they say."""
    discussion_tokens: int = Field(default=360, ge=0, le=10_000)
    """Tokens of the discussion in one prompt: the last turns in full, earlier ones in a sentence."""
    note_tokens: int = Field(default=400, ge=0, le=10_000)
    """Tokens of the notes in one prompt: what is open before what is known."""
    discussion_turns: int = Field(default=4, ge=0, le=20)
    """Earlier turns shown in full in a prompt, as far as there is room."""

    @property
    def longest_prompt(self) -> int:
        """Tokens of the longest prompt of an expert: the closing question's."""
        return max(self.context, self.closing_context) if self.context >= CONTEXT else self.context
