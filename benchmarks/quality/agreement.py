"""How far two groupings of the same things agree, beyond what chance would give."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence


def _entropy(counts: Mapping[Hashable, int], total: int) -> float:
    return -sum(count / total * math.log(count / total) for count in counts.values())


def adjusted_mutual_information(truth: Sequence[Hashable], found: Sequence[Hashable]) -> float:
    """Return the adjusted mutual information (Vinh, Epps and Bailey 2010): 0 is chance, 1 the same."""
    total, joint = len(truth), Counter(zip(truth, found, strict=True))
    ours, theirs = Counter(truth), Counter(found)
    mutual = sum(
        count / total * math.log(total * count / (ours[a] * theirs[b])) for (a, b), count in joint.items()
    )
    log = [math.lgamma(number + 1) for number in range(total + 1)]
    expected = 0.0
    for (a, b), times in Counter((a, b) for a in ours.values() for b in theirs.values()).items():
        for both in range(max(1, a + b - total), min(a, b) + 1):
            chance = log[a] + log[b] + log[total - a] + log[total - b]
            chance -= log[total] + log[both] + log[a - both] + log[b - both] + log[total - a - b + both]
            expected += times * both / total * math.log(total * both / (a * b)) * math.exp(chance)
    top = (_entropy(ours, total) + _entropy(theirs, total)) / 2
    return (mutual - expected) / (top - expected) if abs(top - expected) > 1e-12 else 1.0


def adjusted_rand_index(truth: Sequence[Hashable], found: Sequence[Hashable]) -> float:
    """Return the adjusted Rand index (Hubert and Arabie 1985): 0 chance, 1 the same."""
    joint, ours, theirs = (
        sum(count * (count - 1) / 2 for count in Counter(things).values())
        for things in (zip(truth, found, strict=True), truth, found)
    )
    pairs = len(truth) * (len(truth) - 1) / 2
    expected, top = ours * theirs / pairs if pairs else 0.0, (ours + theirs) / 2
    return (joint - expected) / (top - expected) if top != expected else 1.0
