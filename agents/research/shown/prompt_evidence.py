"""Which passages a prompt shows of all that was admitted, and in which order.

What fits the question now comes first: what the last round brought, and what the session held that fits the
question or a search as well, then what earlier answers and notes rest on, then the rest, and last what the
last round brought and hardly fits; what was shown before and nobody has used counts less, and what this turn
has shown and nobody noted, or one speaker was shown again and again, takes no other's place. A passage of up
to `library.passages.WHOLE` tokens is never cut. Texts that are the same stand once, with all their ids, and
so does one that stands whole inside another. Passages that follow each other on a page stand in its order.
What the last round found, and what is rested on, is shown or listed in a line: it can be opened by its id.
Where nothing comes near to what is asked, few texts are shown, and whoever answers is told so.
"""

from collections.abc import Mapping, Sequence

from agents.research.shown.evidence_ranking import EvidenceRanking, Tier
from agents.research.shown.evidence_request import EvidenceRequest
from agents.research.shown.evidence_room import EvidenceShown, Filling
from agents.research.shown.listed_passages import listed_lines
from library import Passage
from library.passages import ARGUED, WHOLE

_NEW, _NEW_BESIDE = 0.6, 0.75
"""Share (0 to 1) of the room that new passages take at most while others are rested on; where some were
opened, with those and what stands around them."""
_HITS, _BEYOND = 3, 0.4
"""Results of each search, the best ones, that have room beyond that of all others where it is taken: they
were asked for; that room, as a share (0 to 1) of the other."""
_PART = (60,)
"""Tokens of a passage that is rested on, where there is no room for more of it."""
_BESIDE = 0.35
"""What stands around what was opened may take beside the room of all others, as a share (0 to 1) of that."""


def chosen_evidence(admitted: Mapping[str, Passage], asked: EvidenceRequest) -> EvidenceShown:
    """Return what a prompt shows of all that may be shown, by id."""
    ranking = EvidenceRanking(admitted, asked)
    said = [[claim for p in group for claim in asked.told.get(p.id, ())] for group in ranking.groups]
    filling = _room(ranking, said)
    _show_opened(filling, ranking)
    _show_in_turn(filling, ranking)
    _show_hits(filling, ranking)
    # What is answered from all that was found is not answered from what nobody found worth a word.
    rested = asked.resting_first and bool(ranking.of_tier(Tier.FIRST))
    left_out = [each for each in ranking.order if each.n not in filling.shown]
    _fill_up(filling, [(tier, n) for tier, _, n in left_out if tier <= Tier.FIRST or not rested])
    lines = _listed(filling, ranking, said, [each.n for each in left_out], rested=rested)
    return filling.evidence(lines, near=ranking.near or rested)


def _room(ranking: EvidenceRanking, said: Sequence[Sequence[str]]) -> Filling:
    """Return the empty room; of a text that is cut stays what the question, a claim or a search is about."""
    asked = ranking.asked
    sought = " ".join(asked.searches)
    by_search = [[sought] if sought and ranking.has(n, asked.new) else [] for n in range(len(said))]
    return Filling(ranking.groups, [[asked.question, *claims] for claims in said], by_search, asked.tokens)


def _show_opened(filling: Filling, ranking: EvidenceRanking) -> None:
    """Show what was asked for by its id, and what stands around it."""
    asked = ranking.asked
    filling.open(ranking.of_tier(Tier.OPENED), asked.room or asked.tokens)
    around = max(_BESIDE * asked.tokens, asked.room - asked.tokens)
    filling.read_on(ranking.of_tier(Tier.BESIDE), around)


def _show_in_turn(filling: Filling, ranking: EvidenceRanking) -> None:
    """Show what is new and what is rested on, each as far as its share of the room goes."""
    asked = ranking.asked
    first = ranking.of_tier(Tier.FIRST)
    if asked.resting_first:
        # Who closes sees all that the answers cite at once, before anything else: of what is too long for
        # that the sentences that something rests on, rather than nothing of others.
        filling.take(first, 1.0, filling.share_out(first) if first else ARGUED, *_PART)
    else:
        share = 1.0 if not asked.resting else _NEW_BESIDE if asked.opened else _NEW
        filling.take(first, share, ARGUED)
    # What is rested on and took the place of a new text that it holds has the room of both.
    held = [n for n in first if ranking.has(n, asked.resting) and n not in filling.shown]
    filling.take([*held, *ranking.of_tier(Tier.SECOND)], 1.0, ARGUED, *_PART)


def _show_hits(filling: Filling, ranking: EvidenceRanking) -> None:
    """Show each search's best results also where the room is taken."""
    asked = ranking.asked
    if asked.resting_first:
        return
    hits = asked.new[: _HITS * len(asked.searches)]
    asked_for = [n for n in ranking.of_tier(Tier.FIRST, Tier.SECOND) if ranking.has(n, hits)]
    filling.read_on([n for n in asked_for if n not in filling.shown], _BEYOND * asked.tokens)


def _fill_up(filling: Filling, waiting: Sequence[tuple[Tier, int]]) -> None:
    """Show what there is room left for; what comes last only where all else stands in the prompt."""
    before = [n for tier, n in waiting if tier < Tier.LAST]
    filling.take(before, 1.0, WHOLE)
    if all(n in filling.told for n in before):
        filling.take([n for tier, n in waiting if tier == Tier.LAST], 1.0, WHOLE)


def _listed(
    filling: Filling,
    ranking: EvidenceRanking,
    said: Sequence[Sequence[str]],
    left_out: Sequence[int],
    *,
    rested: bool,
) -> list[str]:
    """Return a line for what is not shown.

    Args:
        filling: What is shown.
        ranking: What might have been.
        said: What notes and answers say of each text.
        left_out: Numbers of what had no room before it was filled up.
        rested: It is answered from what answers rest on alone: nothing else is offered.
    """
    asked, groups = ranking.asked, ranking.groups
    found = [n for n in range(len(groups)) if ranking.has(n, asked.found)]
    filling.note_inside([*left_out, *ranking.beyond, *found])
    named = [n for n in [*left_out, *ranking.beyond] if n not in filling.told]
    # What a round is said to have brought is named first: its id alone would cost another round.
    fresh = [n for n in named if ranking.has(n, ranking.sought_for)]
    due = [*fresh, *(n for n in named if ranking.has(n, asked.resting) and n not in fresh)]
    # What this speaker was shown and had no use for is not offered again, nor at the end what nobody used.
    offered = [] if rested else [n for n in named if n not in due]
    more = [n for n in offered if not all(p.id in asked.passed_over for p in groups[n])]
    return listed_lines(
        [(groups[n], said[n]) for n in due],
        [(groups[n], said[n]) for n in more],
        [groups[n][0] for n in found if n not in filling.told],
        asked.listed,
        asked.wordings,
        seen=asked.seen,
    )
