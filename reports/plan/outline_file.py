"""The outline as a file that a person may edit: Markdown headings, each naming the nodes it is written from.

    # Birds                <!-- n1 -->
    ## In autumn           <!-- n5 -->
    # How it was built     <!-- n3 n4 -->

Headings may be renamed, moved, joined (several nodes in one) and left out. Lines that are no heading are
ignored.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from library import Evidence
from reports.plan.map_reader import Branch, Map, branch
from reports.plan.outline import ReportPlan
from reports.visible_text import plain

_HEADING = re.compile(r"^(#{1,3})\s+(.*?)\s*(?:<!--\s*([\w\s,-]*?)\s*-->)?\s*$")


class OutlineUnreadable(Exception):
    """An edited outline cannot be followed; the message names the line and what is wrong with it."""


def outline_text(plans: Sequence[ReportPlan]) -> str:
    """Print an outline to be edited."""
    lines = [
        f"{'#' * plan.level} {plain(plan.heading)} <!-- {' '.join(part.node for part in plan.branches)} -->"
        for top in plans
        for plan in top.flat()
    ]
    return "\n".join(lines) + "\n"


def read_outline(text: str, tree: Map, evidence: Evidence) -> list[ReportPlan]:
    """Return the sections that an edited outline asks for.

    A node that has a heading of its own is not told again under its parent.

    Raises:
        OutlineUnreadable: a heading names no node, an unknown one, or one that another heading has.
    """
    known = _nodes(branch(tree, tree.root, evidence))
    headings: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := _HEADING.match(line):
            nodes = re.findall(r"[\w-]+", match[3] or "")
            if wrong := [node for node in nodes if node not in known]:
                raise OutlineUnreadable(f"line {number} of the outline: the map has no node {wrong[0]}")
            if not nodes:
                raise OutlineUnreadable(
                    f"line {number} of the outline: write the nodes after it, as <!-- n3 -->"
                )
            headings.append((len(match[1]), plain(match[2]), nodes))
    named = [node for _level, _heading, nodes in headings for node in nodes]
    if twice := sorted({node for node in named if named.count(node) > 1}):
        raise OutlineUnreadable(f"two headings of the outline name {twice[0]}: a node stands in one section")
    return _grouped([_plan(level, heading, nodes, known, set(named)) for level, heading, nodes in headings])


def _nodes(root: Branch) -> dict[str, Branch]:
    return {part.node: part for part in root.walk()}


def _plan(
    level: int, heading: str, nodes: Sequence[str], known: dict[str, Branch], named: set[str]
) -> ReportPlan:
    branches = tuple(_without(known[node], named) for node in nodes)
    return ReportPlan(heading, branches, nodes[0] if len(nodes) == 1 else None, level)


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
