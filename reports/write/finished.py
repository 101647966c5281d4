"""A report that is checked and mended, before its parts are put in their places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reports.brief import Brief
from reports.document import Section
from reports.tasks.editing_tasks import ReportTitle, TitleReport
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest
from reports.write.drafting.verify_and_repair import Mended


@dataclass(frozen=True, slots=True)
class Finished:
    """What is left to be put together."""

    sections: Mended
    answer: Mended
    """One section, which may be empty."""
    title: str
    found: bool
    """Whether the first section answers what was asked."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Why passages were left out, where somebody said why."""
    unsaid: Sequence[str] = ()
    """What the first section says the sources do not say."""
    silent: Sequence[str] | None = None
    """What else they do not say, as whoever judged that section left it; None: as it was found."""


def titling(brief: Brief, sections: Sequence[Section]) -> BatchedRequest[str]:
    """Ask for the report's title."""
    task = TitleReport(
        topic=brief.topic, language=brief.language, headings=[section.heading for section in sections]
    )

    def read(replies: list[ReportTitle]) -> str:
        title = plain(replies[0].title).strip("\"“”'# ")
        return title if 0 < len(title) <= 200 else plain(brief.topic)

    return BatchedRequest([task], read)
