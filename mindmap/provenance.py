"""What a node rests on: how many sources, from when, and how sure that makes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from library import Passage
from mindmap.tree import MindMap

Sure = Literal["nothing", "one source", "few sources", "several sources", "disputed"]


@dataclass(frozen=True, slots=True)
class Facts:
    """What stands in a node and under it, counted."""

    passages: int
    sources: int
    hosts: int
    """Different hosts; a document without a web address counts as one."""
    earliest: str | None
    """ISO date, possibly shortened, of the oldest dated source; None when no source has a date."""
    latest: str | None
    undated: int
    """Passages whose source has no date."""
    sure: Sure
    """`disputed` where a contradiction is marked; else by the number of different hosts: 1, 2, 3 or more."""


def facts_of(tree: MindMap, node: str, passages: Mapping[str, Passage]) -> Facts:
    """Return what a node rests on, with everything under it. Passages that are not known are left out."""
    held = [passages[p] for each in tree.walk(node) for p in tree.passages(each) if p in passages]
    disputed = any("contradiction" in tree.node(each).marks for each in tree.walk(node))
    hosts = len({passage.origin for passage in held})
    dates = sorted(passage.published for passage in held if passage.published)
    return Facts(
        passages=len(held),
        sources=len({passage.sha256 for passage in held}),
        hosts=hosts,
        earliest=dates[0] if dates else None,
        latest=dates[-1] if dates else None,
        undated=sum(not passage.published for passage in held),
        sure="disputed" if disputed else _sure(hosts),
    )


def _sure(hosts: int) -> Sure:
    steps: tuple[Sure, ...] = ("nothing", "one source", "few sources", "several sources")
    return steps[min(hosts, 3)]
