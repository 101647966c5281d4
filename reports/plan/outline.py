"""From the map to the report's sections: which branches, in which order. Pure; no model is asked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from library import Evidence
from library.text import HAN
from models import Statistics
from reports.plan.map_reader import Branch, Map, branch
from reports.report_phrases import ReportPhrases
from reports.visible_text import capitalised

UNSORTED = "unsorted"
"""The map's branch of what fitted nowhere; it comes last and under a name of ours."""
_LITTLE = 2
"""A branch with fewer passages than this is no section of its own."""
_BELOW = 4
"""A child with at least so many passages is a section below its parent's, where there are two such."""

# Kinds of section by words of their titles, in the order in which a reader wants them.
_KINDS: tuple[tuple[int, str], ...] = (
    (0, r"overview|introduction|definition|summary|basics|what is|概述|概览|简介|定义|介绍|是什么"),
    (1, r"background|histor\w*|origins?|early|context|predecessors?|prelude|背景|历史|起源|早期|由来|沿革"),
    (2, r"causes?|risk factors?|reasons?|motives?|drivers?|etiology|原因|成因|动机|因素|诱因"),
    (3, r"mechanisms?|principles?|how it works|structure|design|composition|机制|原理|结构|设计|组成"),
    (
        6,
        r"effects?|results?|outcomes?|consequences?|impacts?|casualt\w+|victims|damage|结果|影响|后果|伤亡|效果|损失",
    ),
    (
        7,
        r"responses?|reactions?|treatment|prevention|investigation|aftermath|relief|mitigation|应对|反应|治疗|预防|调查|救援|善后",
    ),
    (8, r"reception|criticism|controvers\w+|debate|reviews?|limitations?|评价|批评|争议|反响|局限"),
    (
        9,
        r"legacy|future|outlook|prospects|current|today|conclusions?|trends?|遗产|未来|前景|展望|现状|趋势|结论",
    ),
)
_MIDDLE = 5
_KIND = [(rank, re.compile(rf"(?:\b|(?=(?-i:[{HAN}])))(?:{words})", re.IGNORECASE)) for rank, words in _KINDS]
_YEAR = re.compile(r"(?<![\d.,])(1[0-9]{3}|20[0-9]{2})(?![\d,]|\.\d)")


@dataclass(frozen=True, slots=True)
class ReportPlan:
    """A section to be written."""

    heading: str
    branches: tuple[Branch, ...]
    """One for an ordinary section; several where small branches share it."""
    node: str | None
    level: int = 1
    parts: tuple["ReportPlan", ...] = ()
    """Sections below it. What stands in them does not stand in `branches`."""
    purpose: str = ""
    """What it must make clear; empty where it follows a branch of the map."""
    words: int = 0
    """How much it contributes, in words against those of other sections; 0: by its passages."""
    chosen: tuple[str, ...] = ()
    """Ids of the passages that it was planned from one by one; empty where it takes branches of the map."""

    def flat(self) -> list["ReportPlan"]:
        """Return the section and those below it, in reading order."""
        return [self, *(below for part in self.parts for below in part.flat())]

    def passages(self) -> list[str]:
        """Return the ids of its passages in the map's order."""
        return [p for part in self.branches for p in part.all_passages()]

    def titles(self) -> dict[str, str]:
        """Return for each passage the title of its node and what was asked there."""
        return {
            passage: " ".join([part.title, *(note.question for note in part.notes[:6])])
            for top in self.branches
            for part in top.walk()
            for passage in part.passages
        }


def plan_report(
    tree: Map, evidence: Evidence, statistics: Statistics, phrases: ReportPhrases, max_sections: int = 12
) -> list[ReportPlan]:
    """Return the sections of a report on the map, in reading order.

    Branches with too little join the section that they are most like; where none is like them, they share one
    at the end. Passages that stand at the root itself are treated as a branch of their own.
    """
    root = branch(tree, tree.root, evidence)
    branches = [part for part in root.children if part.all_passages()]
    rest = [part for part in branches if part.node == UNSORTED]
    branches = [part for part in branches if part.node != UNSORTED]
    if root.passages:
        rest.insert(0, replace(root, children=()))
    large, small = _by_size(branches, max_sections - bool(rest))
    joined, left = _join(large, small, evidence, statistics)
    plans = _in_order([_plan(parts) for parts in joined], evidence)
    if left or rest:
        heading = phrases.more if plans else phrases.found
        plans.append(ReportPlan(heading, (*left, *rest), None))
    return plans


def _plan(parts: Sequence[Branch]) -> ReportPlan:
    """Return the section of a branch (and what joined it); large children become sections below it."""
    top = parts[0]
    below = [child for child in top.children if len(child.all_passages()) >= _BELOW]
    if len(below) < 2:
        return ReportPlan(_heading(top.title), tuple(parts), top.node)
    own = replace(top, children=tuple(child for child in top.children if child not in below))
    subsections = tuple(ReportPlan(_heading(child.title), (child,), child.node, level=2) for child in below)
    return ReportPlan(_heading(top.title), (own, *parts[1:]), top.node, parts=subsections)


def _by_size(branches: Sequence[Branch], most: int) -> tuple[list[Branch], list[Branch]]:
    sizes = {part.node: len(part.all_passages()) for part in branches}
    little = _LITTLE if sum(size >= _LITTLE for size in sizes.values()) >= 2 else 1
    largest = sorted(branches, key=lambda part: -sizes[part.node])[: max(most, 1)]
    large = [part for part in branches if part in largest and sizes[part.node] >= little]
    return large, [part for part in branches if part not in large]


def _join(
    large: Sequence[Branch], small: Sequence[Branch], evidence: Evidence, statistics: Statistics
) -> tuple[list[list[Branch]], list[Branch]]:
    joined, left = [[part] for part in large], []
    if small and large:
        alike = statistics.similarity([_text(part, evidence) for part in (*large, *small)])
        for i, part in enumerate(small, start=len(large)):
            nearest = int(alike[i, : len(large)].argmax())
            if alike[i, nearest] >= 0.1:
                joined[nearest].append(part)
            else:
                left.append(part)
    else:
        left = list(small)
    return joined, left


def _text(part: Branch, evidence: Evidence) -> str:
    return "\n".join([part.title, *(evidence.passages[p].text for p in part.all_passages())])


def _in_order(plans: Sequence[ReportPlan], evidence: Evidence) -> list[ReportPlan]:
    years = [_year(plan, evidence) for plan in plans]
    known = [year for year in years if year is not None]
    middle = median(known) if known else 0.0

    def place(i: int) -> tuple[int, float, int]:
        year = years[i]
        return kind(plans[i].heading), middle if year is None else year, i

    return [plans[i] for i in sorted(range(len(plans)), key=place)]


def kind(heading: str) -> int:
    """Return where a section of this name belongs: 0 comes first, 9 last, 5 for names that do not say."""
    return next((rank for rank, words in _KIND if words.search(heading)), _MIDDLE)


def _year(plan: ReportPlan, evidence: Evidence) -> float | None:
    passages = [p for part in plan.flat() for p in part.passages()]
    found = [int(y) for p in passages for y in _YEAR.findall(evidence.passages[p].text)]
    return float(median(found)) if len(found) >= 2 else None


def _heading(title: str) -> str:
    return capitalised(title)
