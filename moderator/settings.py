"""What can be set for the course of the discussion."""

from pydantic import Field

from models import Budget, Given


class ModeratorSettings(Given):
    """When the moderator asks, when the panel changes, and when the table closes."""

    turns: int = Field(default=12, ge=1, le=1000)
    """Turns after which the table closes; the moderator's questions count."""
    warm_rounds: int = Field(default=1, ge=1, le=5)
    """Rounds at the start in which all experts answer at once: their first questions, then what came up."""
    after_answers: int = Field(default=2, ge=1, le=20)
    """Answers without a new question after which the moderator asks from what was read but not yet used."""
    renew_after: int = Field(default=6, ge=1)
    """Turns that a panel sits at least before an expert may be replaced."""
    renew_below: float = Field(default=0.02, ge=0.0, le=1.0)
    """Likeness (0 to 1) of a question to the nearest expert below which a new expert is called."""
    dry_answers: int = Field(default=4, ge=1)
    """Answers in a row that bring no new passage, and cite none for the first time, after which the table
    closes."""
    dry_novelty: float = Field(default=0.02, ge=0.0, le=1.0)
    """Share (0 to 1) of new passages and new words over the last answers below which the table closes."""
    returns: int = Field(default=2, ge=0, le=5)
    """Times that a question may come back because its answer did not hold; 0: answers are not judged."""
    disputes: int = Field(default=2, ge=0, le=50)
    """Contradictions that the table is asked about at most; the others are in the report all the same."""
    contradictions: int = Field(default=40, ge=0, le=1000)
    """Contradictions that a session keeps at most: tables of figures can disagree in every line."""
    hurry_from: float = Field(default=0.85, ge=0.0, le=1.0)
    """Share (0 to 1) of what the talk may spend from which experts answer with what they have."""
    budget: Budget = Budget()
    """What a session may spend in all; without limits by default."""
