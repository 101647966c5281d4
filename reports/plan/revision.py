"""Which sections of a report that stands are written again for what was answered since, and from what."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from library import Evidence
from library.passages import word_count
from reports.document import Section
from reports.plan.map_reader import Branch, Map
from reports.plan.outline import ReportPlan
from reports.plan.outline_file import OutlineUnreadable, outline_text, read_outline
from reports.plan.outline_task import WORDS_A_PASSAGE
from reports.plan.revision_task import Revision
from reports.plan.section_plan import section_from
from reports.tasks.prompt_texts import unit_of_length
from reports.visible_text import plain


@dataclass(frozen=True, slots=True)
class Change:
    """A section that is written again, or a new one."""

    plan: ReportPlan
    place: int | None = None
    """Its place among the sections, from 0; None: a new one."""
    before: Section | None = None
    """As it stands; None: a new one."""


def changes_of(
    revision: Revision,
    sections: Sequence[Section],
    gone: Collection[int],
    plans: Sequence[ReportPlan],
    root: Branch,
    evidence: Evidence,
    language: str,
) -> list[Change]:
    """Return the sections to be written, those that stand first, in their order.

    Args:
        revision: What a model decided; what it names and nobody knows is passed over.
        sections: Of the report, without its opening.
        gone: Places, from 0, of those that cite what may not be cited any more: they are written again.
        plans: The sections as they were planned once.
        root: The map, for its notes.
        evidence: All that may be cited.
        language: Of the report.
    """
    added: dict[int, list[str]] = {n: [] for n in gone}
    for changed in revision.sections:
        # What has no sentence (a table of who says what) is no section that a writer wrote.
        if 1 <= changed.n <= len(sections) and sections[changed.n - 1].sentences:
            added.setdefault(changed.n - 1, []).extend(changed.passages)
    purposes = {plan.heading: plan.purpose for plan in plans}
    changes = []
    for n, passages in sorted(added.items()):
        old = sections[n]
        own = [i for s in old.sentences for i in s.citations]
        if not (ids := _known([*own, *passages], evidence)):
            continue
        words = int(sum(word_count(s.text) for s in old.sentences))
        words += WORDS_A_PASSAGE * max(len(set(ids) - set(own)), 1)
        plan = section_from(old.heading, purposes.get(old.heading, ""), words, ids, root, old.level)
        changes.append(Change(replace(plan, node=old.node), n, old))
    for new in revision.added:
        if (ids := _known(new.passages, evidence)) and plain(new.heading):
            words = max(new.words // unit_of_length(language)[1], WORDS_A_PASSAGE)
            changes.append(Change(section_from(new.heading, new.purpose, words, ids, root)))
    return changes


def _known(passages: Sequence[str], evidence: Evidence) -> list[str]:
    return [i for i in dict.fromkeys(passages) if i in evidence.passages]


def standing_plans(outline: str, tree: Map, evidence: Evidence) -> list[ReportPlan]:
    """Return the sections as they were planned once; none where the map was the outline."""
    try:
        return [plan for top in read_outline(outline, tree, evidence) for plan in top.flat()]
    except OutlineUnreadable:
        return []


def outline_with(plans: Sequence[ReportPlan], changes: Sequence[Change]) -> str:
    """Return an outline with what changed, to be edited; empty where there was none."""
    if not plans:
        return ""
    made = {change.plan.heading: change.plan for change in changes}
    known = {plan.heading for plan in plans}
    every = [made.get(plan.heading, plan) for plan in plans]
    every += [plan for heading, plan in made.items() if heading not in known]
    return outline_text([replace(plan, parts=()) for plan in every])
