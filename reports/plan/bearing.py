"""What of all that was admitted a report on a question is written from: no strangers."""

from library import Evidence
from library.text import titled_text
from models import Statistics
from reports.brief import Brief
from reports.plan.map_reader import Map, branch

_FLOOR = 0.5
"""Share of the nearest passage, in what it means, below which another bears on nothing that was asked."""


def bearing(brief: Brief, tree: Map, evidence: Evidence, statistics: Statistics) -> Evidence:
    """Return evidence without the passages that bear on nothing that was asked.

    What answers and notes rest on stays, and what stands in the map; of the rest what is near to the topic,
    to a question or to what was missed. All of it where no meaning is known (`Statistics.meaning`).
    """
    kept = {*brief.resting, *branch(tree, tree.root, evidence).all_passages()}
    others = [i for i in evidence.passages if i not in kept]
    asked = [brief.topic, *brief.parts, *(question for question, _answer in brief.given), *brief.gaps]
    ids = [*(i for i in evidence.passages if i in kept), *others]
    texts = [titled_text(p) for p in (evidence.passages[i] for i in ids)]
    gone = set(others)
    for wording in dict.fromkeys(asked) if others else ():
        near = statistics.meaning(wording, texts)
        if near is None:
            return evidence
        least = _FLOOR * max(near)
        gone -= {i for i, cosine in zip(ids, near, strict=True) if cosine >= least}
    passages = {i: p for i, p in evidence.passages.items() if i not in gone}
    return Evidence(passages, evidence.sources)
