"""The outline as a file that a person may edit: Markdown headings, each naming what it is written from.

    # Birds                <!-- n1 -->
    ## In autumn           <!-- n5 -->
    # How it was built     <!-- n3 n4 -->

Or, where the sections were planned for a question, the passages one by one, how long it is to be against the
others, and below what it must make clear:

    # Why it was built     <!-- p3 p8 p12, 250 words -->
    What the reef had cost before.

Headings may be renamed, moved, joined (several nodes, or passages, in one) and left out. Other lines below a
heading of nodes, and before the first heading, are ignored.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from library import Evidence
from reports.document import Report
from reports.plan.map_reader import Branch, Map, branch
from reports.plan.outline import ReportPlan
from reports.plan.section_plan import section_from
from reports.report_phrases import phrases_for
from reports.visible_text import plain

_PASSAGE = re.compile(r"p\d+")
_WORDS = re.compile(r"(?:(?<!\s)|(?=,)),?\s*(\d{1,6}) words\s*$")
_HEADING = re.compile(r"^(#{1,3})\s+(.*?)\s*(?:<!--\s*([\w\s,-]*?)\s*-->)?\s*$")


class OutlineUnreadable(Exception):
    """An edited outline cannot be followed; the message names the line and what is wrong with it."""


def outline_text(plans: Sequence[ReportPlan]) -> str:
    """Print an outline to be edited."""
    return "\n".join(_printed(plan) for top in plans for plan in top.flat()) + "\n"


def _printed(plan: ReportPlan) -> str:
    head = f"{'#' * plan.level} {plain(plan.heading)}"
    if not plan.chosen:
        return f"{head} <!-- {' '.join(part.node for part in plan.branches)} -->"
    length = f", {plan.words} words" if plan.words else ""
    purpose = " ".join(plain(plan.purpose).split()).lstrip("# ")
    return f"{head} <!-- {' '.join(plan.chosen)}{length} -->" + (f"\n{purpose}" if purpose else "")


def present_outline(report: Report, planned: str) -> str:
    """Return the outline of a report as it stands: its headings, each with what it is written from.

    The opening, differences, what changed and what was compared are left out: they come by themselves.

    Args:
        report: As it is read now.
        planned: The outline that it was written after; what a heading named there it names again.
    """
    marks = {m[2]: m[3] for line in planned.splitlines() if (m := _HEADING.match(line)) and m[3]}
    below = _purposes(planned)
    apart = phrases_for(report.language).disagree
    lines, taken = list[str](), set[str]()
    for section in report.sections[1 if report.answer.sentences else 0 :]:
        heading = plain(section.heading)
        if section.changes or section.compared or heading == apart:
            continue
        cited = dict.fromkeys(i for sentence in section.sentences for i in sentence.citations)
        node = section.node if section.node and section.node not in taken else ""
        if mark := marks.get(heading) or node or " ".join(cited):
            taken |= set(mark.split())
            lines += [f"{'#' * min(section.level, 3)} {heading} <!-- {mark} -->", *below.get(heading, [])]
    return "".join(f"{line}\n" for line in lines)


def _purposes(outline: str) -> dict[str, list[str]]:
    """Return the lines below each heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in outline.splitlines():
        if match := _HEADING.match(line):
            heading = match[2]
        elif heading and line.strip():
            found.setdefault(heading, []).append(line)
    return found


def read_outline(text: str, tree: Map, evidence: Evidence) -> list[ReportPlan]:
    """Return the sections that an edited outline asks for.

    A node that has a heading of its own is not told again under its parent.

    Raises:
        OutlineUnreadable: a heading names nothing, what is unknown, nodes and passages at once, or a node
            that another heading has.
    """
    root = branch(tree, tree.root, evidence)
    known = _nodes(root)
    headings: list[_Heading] = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := _HEADING.match(line):
            headings.append(_read_heading(number, match, known, evidence))
        elif headings and line.strip():
            headings[-1].below.append(line.strip())
    named = [node for heading in headings for node in heading.nodes]
    if twice := sorted({node for node in named if named.count(node) > 1}):
        raise OutlineUnreadable(f"two headings of the outline name {twice[0]}: a node stands in one section")
    return _grouped([_plan(heading, known, set(named), root) for heading in headings])


def without_marks(outline: str) -> str:
    """Return an outline as a person reads it: without what each heading is written from."""
    found = [_HEADING.match(line) for line in outline.splitlines()]
    shown = [
        f"{match[1]} {match[2]}" if match else line
        for match, line in zip(found, outline.splitlines(), strict=True)
    ]
    return "".join(f"{line}\n" for line in shown)


def with_marks(edited: str, outline: str) -> str:
    """Return an edited outline whose headings say again what they are written from.

    A heading that stayed has its own; one that was renamed that of the heading which stood there and is gone.

    Args:
        edited: As a person has it; marks that it has stay.
        outline: As it was, with its marks.
    """
    marks = [(m[2], m[3]) for line in outline.splitlines() if (m := _HEADING.match(line)) and m[3]]
    wanted = [m[2] for line in edited.splitlines() if (m := _HEADING.match(line)) and not m[3]]
    gone = [mark for heading, mark in marks if heading not in wanted]
    known = dict(marks)
    lines = []
    for line in edited.splitlines():
        match = _HEADING.match(line)
        mark = ""
        if match and not match[3]:
            mark = known.get(match[2]) or (gone.pop(0) if gone else "")
        lines.append(f"{match[1]} {match[2]} <!-- {mark} -->" if match and mark else line)
    return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    text: str
    nodes: list[str]
    passages: list[str]
    words: int
    below: list[str] = field(default_factory=list)
    """The lines under it."""


def _read_heading(
    number: int, match: re.Match[str], known: dict[str, Branch], evidence: Evidence
) -> _Heading:
    where, named = f"line {number} of the outline", match[3] or ""
    length = _WORDS.search(named)
    ids = re.findall(r"[\w-]+", named[: length.start()] if length else named)
    passages = [i for i in ids if _PASSAGE.fullmatch(i) and i not in known]
    nodes = [i for i in ids if i not in passages]
    if wrong := [node for node in nodes if node not in known]:
        raise OutlineUnreadable(f"{where}: the map has no node {wrong[0]}")
    if wrong := [i for i in passages if i not in evidence.passages]:
        raise OutlineUnreadable(f"{where}: the session has no passage {wrong[0]}")
    if nodes and passages:
        raise OutlineUnreadable(f"{where}: name nodes or passages after a heading, not both")
    if not ids:
        raise OutlineUnreadable(f"{where}: write the nodes after it, as <!-- n3 -->")
    return _Heading(len(match[1]), plain(match[2]), nodes, passages, int(length[1]) if length else 0)


def _nodes(root: Branch) -> dict[str, Branch]:
    return {part.node: part for part in root.walk()}


def _plan(heading: _Heading, known: dict[str, Branch], named: set[str], root: Branch) -> ReportPlan:
    if heading.passages:
        purpose = " ".join(heading.below)
        return section_from(heading.text, purpose, heading.words, heading.passages, root, heading.level)
    nodes = heading.nodes
    branches = tuple(_without(known[node], named) for node in nodes)
    return ReportPlan(heading.text, branches, nodes[0] if len(nodes) == 1 else None, heading.level)


def _without(part: Branch, named: set[str]) -> Branch:
    return replace(
        part, children=tuple(_without(child, named) for child in part.children if child.node not in named)
    )


def _grouped(plans: Sequence[ReportPlan]) -> list[ReportPlan]:
    tops: list[ReportPlan] = []
    for plan in plans:
        if plan.level == 1 or not tops:
            tops.append(replace(plan, level=1))
        else:
            tops[-1] = replace(tops[-1], parts=(*tops[-1].parts, plan))
    return tops
