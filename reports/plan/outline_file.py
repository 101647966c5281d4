"""The outline as a file that a person may edit: Markdown headings, each naming what it is written from.

    # Birds                <!-- n1 -->
    ## In autumn           <!-- n5 -->
    # How it was built     <!-- n3 n4 -->

Or, where the sections were planned for a question, the passages one by one, how long it is to be against the
others, and below what it must make clear:

    # Why it was built     <!-- p3 p8 p12, 250 words -->
    What the reef had cost before.

Headings may be renamed, moved, joined (several nodes, or passages, in one) and left out. One that names
nothing is written from the passages nearest to it. Other lines below a heading of nodes, and before the first
heading, are ignored; an outline without a heading is read a line a heading, deeper ones indented.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import NamedTuple

from library import Evidence
from library.passages import combined_relevance
from library.text import titled_text
from models import Statistics
from reports.document import Report
from reports.plan.map_reader import Branch, Map, branch
from reports.plan.outline import ReportPlan
from reports.plan.section_plan import section_from
from reports.report_phrases import phrases_for
from reports.visible_text import plain

_PASSAGE = re.compile(r"p\d+")
_WORDS = re.compile(r"(?:(?<!\s)|(?=,)),?\s*(\d{1,6}) words\s*$")
_HEADING = re.compile(r"(#{1,3})\s+(.*)")
_NAMED = re.compile(r"<!--([\w\s,-]*)-->")
_LISTED = re.compile(r"^(\s*)(?:[-*+]\s+|\d{1,3}[.)]\s+)?(\S.*)$")
_DEEPEST = 3
MOST_HEADINGS = 200
"""Of an outline; what thousands ask for is written for hours, and no reader has the report."""
_SHORT = 3
"""Letters of a word that tells nothing of what a heading is about."""
_NEAREST, _AS_NEAR = 8, 0.5
"""Passages at most of a heading that names none, and the least share of the nearest one's relevance."""


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
    marks = {m.words: m.named for line in planned.splitlines() if (m := _headline(line)) and m.named}
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


class _Headline(NamedTuple):
    signs: str
    words: str
    named: str
    """What a comment at its end says that it is written from."""


def _headline(line: str) -> _Headline | None:
    """Read a line as a heading; None for any other."""
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    words = match[2].rstrip()
    at = words.rfind("<!--")
    named = _NAMED.fullmatch(words, at) if at >= 0 else None
    if named is None:
        return _Headline(match[1], words, "")
    return _Headline(match[1], words[:at].rstrip(), named[1].strip())


def _purposes(outline: str) -> dict[str, list[str]]:
    """Return the lines below each heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in outline.splitlines():
        if match := _headline(line):
            heading = match.words
        elif heading and line.strip():
            found.setdefault(heading, []).append(line)
    return found


def read_outline(
    text: str, tree: Map, evidence: Evidence, statistics: Statistics | None = None
) -> list[ReportPlan]:
    """Return the sections that an edited outline asks for.

    A node that has a heading of its own is not told again under its parent.

    Args:
        text: Headings, or plain lines.
        tree: The map, for nodes that headings name.
        evidence: The passages that they may name.
        statistics: Finds what a heading that names nothing is written from; None: each must name something.

    Raises:
        OutlineUnreadable: a heading names nothing and nothing is near to it, what is unknown, nodes and
            passages at once, or a node that another heading has; or there are too many headings.
    """
    root = branch(tree, tree.root, evidence)
    known = _nodes(root)
    headings: list[_Heading] = []
    for number, line in enumerate(_headed(text).splitlines(), 1):
        if match := _headline(line):
            if len(headings) == MOST_HEADINGS:
                raise OutlineUnreadable(f"the outline has more than {MOST_HEADINGS} headings")
            headings.append(_read_heading(number, match, known, evidence, statistics))
        elif headings and line.strip():
            headings[-1].below.append(line.strip())
    named = [node for heading in headings for node in heading.nodes]
    if twice := sorted(node for node, times in Counter(named).items() if times > 1):
        raise OutlineUnreadable(f"two headings of the outline name {twice[0]}: a node stands in one section")
    return _grouped([_plan(heading, known, set(named), root) for heading in headings])


def without_marks(outline: str) -> str:
    """Return an outline as a person reads it: without what each heading is written from."""
    found = [_headline(line) for line in outline.splitlines()]
    shown = [
        f"{match.signs} {match.words}" if match else line
        for match, line in zip(found, outline.splitlines(), strict=True)
    ]
    return "".join(f"{line}\n" for line in shown)


def with_marks(edited: str, outline: str) -> str:
    """Return an edited outline whose headings say again what they are written from.

    A heading that stayed has its own, a renamed one that of the heading which it stands for, a new one none.

    Args:
        edited: As a person has it; marks that it has stay.
        outline: As it was, with its marks.
    """
    known = {m.words: m.named for line in outline.splitlines() if (m := _headline(line)) and m.named}
    edited = _headed(edited)
    wanted = [m.words for line in edited.splitlines() if (m := _headline(line)) and not m.named]
    known |= {new: known[old] for old, new in _renamed(list(known), wanted)}
    lines = []
    for line in edited.splitlines():
        match = _headline(line)
        mark = known.get(match.words, "") if match and not match.named else ""
        lines.append(f"{match.signs} {match.words} <!-- {mark} -->" if match and mark else line)
    return "".join(f"{line}\n" for line in lines)


def _renamed(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield old and new headings: those that share a word, or stand between headings that stayed."""
    gone = [heading for heading in before if heading not in after]
    fresh = [heading for heading in after if heading not in before]
    for new in list(fresh):
        old = next((each for each in gone if _words(each) & _words(new)), None)
        if old is not None:
            gone.remove(old)
            fresh.remove(new)
            yield old, new
    edits = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    if any(kind == "equal" for kind, *_ in edits):
        for kind, a, b, c, d in edits:
            if kind == "replace" and b - a == d - c:
                pairs = zip(before[a:b], after[c:d], strict=True)
                yield from ((old, new) for old, new in pairs if old in gone and new in fresh)


def _words(heading: str) -> set[str]:
    words = re.findall(r"\w+", heading.casefold())
    return {word for word in words if len(word) > _SHORT or not word.isascii()}


def _headed(text: str) -> str:
    """Return an outline of plain lines or list items as headings; one that has headings as it is."""
    lines = text.splitlines()
    if any(_headline(line) for line in lines):
        return text
    made, above = list[str](), list[int]()
    for line in lines:
        if match := _LISTED.match(line):
            indent = len(match[1].expandtabs(4))
            above = [*(each for each in above if each < indent), indent]
            made.append(f"{'#' * min(len(above), _DEEPEST)} {match[2].rstrip()}")
        else:
            made.append("")
    return "".join(f"{line}\n" for line in made)


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
    number: int,
    headline: _Headline,
    known: dict[str, Branch],
    evidence: Evidence,
    statistics: Statistics | None,
) -> _Heading:
    where, named = f"line {number} of the outline", headline.named
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
    if not ids and statistics is None:
        raise OutlineUnreadable(f"{where}: write the nodes after it, as <!-- n3 -->")
    if not ids and statistics is not None:
        passages = _nearest(plain(headline.words), evidence, statistics)
        if not passages:
            raise OutlineUnreadable(f"{where}: nothing that was read tells of “{plain(headline.words)}”")
    words = int(length[1]) if length else 0
    return _Heading(len(headline.signs), plain(headline.words), nodes, passages, words)


def _nearest(heading: str, evidence: Evidence, statistics: Statistics) -> list[str]:
    """Return the passages that a heading is written from where it names none, the nearest first."""
    ids = list(evidence.passages)
    texts = [titled_text(p) for p in evidence.passages.values()]
    near = dict(zip(ids, combined_relevance(heading, texts, statistics), strict=True)) if ids else {}
    least = _AS_NEAR * max(near.values(), default=0.0)
    order = sorted(ids, key=lambda i: -round(near[i], 6))
    return [i for i in order if near[i] > 0 and near[i] >= least][:_NEAREST]


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
