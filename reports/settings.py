"""How reports are written: the `[reports]` part of the configuration."""

from typing import Literal

from pydantic import Field

from models import Given

Style = Literal["article", "brief", "outline", "faq"]


class ReportSettings(Given):
    """What a report should be like."""

    style: Style = "article"
    """`article`: flowing sections; `brief`: half as long; `outline`: points; `faq`: questions as headings."""
    words: int = Field(default=2100, ge=100, le=40_000)
    """How long the report should be, in words, for a model that writes."""
    language: str = Field(default="", max_length=20, pattern=r"^[A-Za-z-]*$")
    """The code of the language to write in; empty: that of the discussion. Without a language model only the
    words between the quotations follow it."""
    audience: str = "an interested general reader"
    """Whom it is written for; a language model reads it."""
    max_sentences: int = Field(default=60, ge=5, le=2000)
    """Most quoted sentences in a report of the embedded model."""
    max_sections: int = Field(default=12, ge=1, le=40)
    """Most top sections; smaller branches of the map share one."""
    lead_sentences: int = Field(default=6, ge=1, le=12)
    """Sentences in the lead."""
    unsupported: Literal["drop", "mark"] = "drop"
    """What becomes of a claim that stays unsupported, or without a citation, after one repair."""
    judge: bool = True
    """Let a language model read each sentence with its passages. The embedded model cannot judge."""
    smooth: bool = True
    """Let a language model go over the whole once, for terms, transitions and repetition."""
    evidence_tokens: int = Field(default=4000, ge=500, le=100_000)
    """Most tokens of passages that the answer is written from; those that answers rest on come first."""
    citations: Literal["numeric", "author-year"] = "numeric"
    """How citations look in exports."""

    @property
    def share(self) -> float:
        """How long what is quoted without a language model is, as a share of the usual length."""
        return 0.5 if self.style == "brief" else 1.0
