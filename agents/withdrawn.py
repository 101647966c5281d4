"""What turns claim, and what of it stands no longer: what its speaker conceded, or a judge refused."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.turn import Turn, TurnClaim
from library import cited_claims, told_by_itself, without_claims
from library.text import sentences


@dataclass(frozen=True, slots=True)
class WithdrawnClaim:
    """A claim that stands no longer."""

    claim: TurnClaim
    by: int
    """Number of the turn that concedes, or whose judgement it was."""


def claims_made(turn: Turn) -> list[TurnClaim]:
    """Return what a turn claims: its sentences that cite something, word for word, in order."""
    return [
        TurnClaim(turn=turn.n, speaker=turn.speaker, name=turn.name, text=claim.strip())
        for claim in cited_claims(turn.text, sentences)
    ]


def withdrawn_claims(turns: Sequence[Turn]) -> list[WithdrawnClaim]:
    """Return the claims that stand no longer: what judges refused, then what speakers took back, in order."""
    by_number = {turn.n: turn for turn in turns}
    found = [
        WithdrawnClaim(TurnClaim(turn=turn.n, speaker=turn.speaker, name=turn.name, text=text), by)
        for turn in turns
        for text, by in turn.withdrawn.items()
    ]
    for turn in turns:
        conceded = turn.replies_to
        if conceded is None or conceded.act != "concede":
            continue
        reply = by_number.get(conceded.turn)
        # A person disputes a claim before whoever made it; an expert does in a turn that is conceded to.
        own = conceded.speaker == turn.speaker
        disputed = conceded if own else reply.replies_to if reply and reply.replies_to else None
        if disputed is None or not (own or disputed.act == "dispute"):
            continue
        if disputed.speaker == turn.speaker and disputed.text:
            if any((w.claim.turn, w.claim.text) == (disputed.turn, disputed.text) for w in found):
                continue
            found.append(WithdrawnClaim(TurnClaim(**disputed.model_dump(exclude={"act"})), turn.n))
    return found


def standing_text(turn: Turn, withdrawn: Sequence[WithdrawnClaim]) -> str:
    """Return what a turn says without the claims that were taken back."""
    own = [each.claim.text for each in withdrawn if each.claim.turn == turn.n]
    return without_claims(turn.text, own, sentences) if own else turn.text


def withdrawal_lines(turn: Turn, withdrawn: Sequence[WithdrawnClaim]) -> list[str]:
    """Return a line for each claim of a turn that was taken back; half a clause, saying nothing, has none."""
    own = [(each.by, told_by_itself(each.claim.text)) for each in withdrawn if each.claim.turn == turn.n]
    return [f"(withdrawn in turn {by}: {claim})" for by, claim in own if claim]


def standing_claim(claim: TurnClaim, turns: Sequence[Turn]) -> str:
    """Return a claim without the clauses of it that were taken back since; as it is where all of it was."""
    own = [each.claim.text for each in withdrawn_claims(turns) if each.claim.turn == claim.turn]
    return without_claims(claim.text, own, sentences) or claim.text
