"""Which claims are put to somebody, and that none is put twice."""

from agents import TurnClaim
from agents.turn import ReplyTo, Turn
from moderator import put_before


def claim(turn: int, text: str) -> TurnClaim:
    return TurnClaim(turn=turn, speaker="warden", name="Dyke Warden", text=text)


def turn(n: int, replies_to: int | None = None) -> Turn:
    to = None
    if replies_to is not None:
        to = ReplyTo(turn=replies_to, speaker="captain", name="Ferry Captain", text="So.", act="dispute")
    return Turn(
        n=n, speaker="warden", name="Dyke Warden", role="expert", act="answer", text="So.", citations=[],
        replies_to=to, at="2026-01-01T00:00:00Z", seconds=1.0,
    )  # fmt: skip


RANKED = "The owners bear the first blame for the breach, and the inspectors the second (inference) [p3][p4]."
TO = "captain"
AGAIN = "So the owners stay first, the inspectors with their slow reports second, the rain third [p4]."


def test_a_claim_is_put_once_in_whatever_words() -> None:
    turns = [turn(1), turn(2)]
    assert not put_before(claim(1, RANKED), TO, [], turns)
    assert put_before(claim(2, RANKED), TO, [claim(1, RANKED)], turns)
    assert put_before(claim(2, AGAIN), TO, [claim(1, RANKED)], turns)


def test_another_claim_from_the_same_passages_may_be_put() -> None:
    other = "Grass had grown over the gauge, so nobody could have read the level [p3]."
    assert not put_before(claim(2, other), TO, [claim(1, RANKED)], [turn(1), turn(2)])


def test_a_claim_is_answered_and_that_answer_once_more() -> None:
    turns = [turn(1), turn(2, 1), turn(3, 2)]
    fresh = "The toll paid for the lamps alone [p9]."
    assert not put_before(claim(2, fresh), "warden", [], turns)
    assert put_before(claim(3, fresh), "warden", [], turns)


def test_who_had_no_part_in_it_may_still_be_asked() -> None:
    turns = [turn(1), turn(2, 1), turn(3, 2)]
    assert not put_before(claim(3, "The toll paid for the lamps alone [p9]."), "miller", [], turns)
