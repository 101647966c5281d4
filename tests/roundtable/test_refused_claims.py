"""What a judge names of an answer is found in it, and falls where its passages do not say it."""

from types import SimpleNamespace
from typing import cast

import pytest

from agents import Turn, TurnClaim
from library import Passage, TextStatistics
from moderator import AnswerVerdict, Question
from roundtable.journal.fold.state import State
from roundtable.session.judging.refused_claims import refused_claims

TOLD = "The sluice was opened at noon by the warden. The lower field is drained by two ditches."
ANSWER = (
    "The sluice was opened at noon [p1]. The “lower field” is the only place that two ditches drain [p1]. "
    "The sluice was not opened at noon by the warden [p1]. The miller came from another county [p1]. "
    "The gravest is the weir: two ditches drain the field, so the mill should wait (inference) [p1]."
)


def refused(*unborne: str, claim: str = "", withdrawn: str = "") -> list[str]:
    passage = Passage("0" * 64, 0, len(TOLD), TOLD, "file:x", "x", None, id="p1")
    turn = Turn(
        n=1, speaker="a", name="A", role="expert", act="answer", text=ANSWER, citations=["p1"], question="q1",
        at="2026-01-01T00:00:00.000Z", seconds=1.0,
    )  # fmt: skip
    held = SimpleNamespace(passages={"p1": passage})
    state = SimpleNamespace(answers=lambda: [turn], evidence=held, language="en")
    good = {"answers": True, "definite": True, "complete": True, "fresh": True, "sourced": True}
    back = [withdrawn] * bool(withdrawn)
    verdict = AnswerVerdict(**good, missing="", unborne=list(unborne), withdrawn=back)
    disputed = TurnClaim(turn=1, speaker="b", name="B", text=claim) if claim else None
    question = cast("Question", SimpleNamespace(id="q1", claim=disputed))
    found = refused_claims(cast("State", state), turn, question, verdict, TextStatistics())
    return [claim.text for claim in found]


@pytest.mark.parametrize(
    ("named", "taken"),
    [
        # Its words as they stand, in other marks and case, with an ellipsis around them.
        ("the only place that two ditches drain", "the only place that two ditches drain"),
        ('…The "lower field" is the only place', "The “lower field” is the only place"),
        # All of a sentence: what denies its passage, and what most of its words are not from.
        ("The sluice was not opened at noon by the warden.",
         "The sluice was not opened at noon by the warden [p1]."),
        ("The miller came from another county.",
         "The miller came from another county [p1]."),
        # A clause of a conclusion.
        ("The gravest is the weir: ", "The gravest is the weir:"),
        ("two ditches drain the field, so", "two ditches drain the field"),
        (", so the mill should wait", "so the mill should wait"),
        # What its passage says stays, whatever a judge says.
        ("The sluice was opened at noon.", ""),
        ("Nobody has ever seen such a thing in the valley.", ""),
    ],
)  # fmt: skip
def test_what_a_judge_names_takes_effect(named: str, taken: str) -> None:
    assert [text.strip() for text in refused(named)] == [taken] * bool(taken)


@pytest.mark.parametrize(
    ("claim", "falls"),
    [("The warden was bribed by the miller", True), ("The sluice was opened at noon [p1]", False)],
)
def test_a_plain_claim_that_was_disputed_falls_where_its_passages_do_not_say_it(
    claim: str, falls: bool
) -> None:
    assert refused(claim=claim, withdrawn=claim) == [claim] * falls


def test_a_sentence_that_is_named_word_for_word_is_meant_and_no_other() -> None:
    assert refused("is the only place", "came from another county") == [
        "is the only place",
        "came from another county",
    ]




def test_each_claim_is_read_once_however_many_are_named(monkeypatch: pytest.MonkeyPatch):
    """A judge without bounds named hundreds, of answers of hundreds of sentences: all was read for each."""
    from roundtable.session.judging import refused_claims as module

    read: list[str] = []
    monkeypatch.setattr(module, "claimed", lambda text: read.append(text) or text)
    refused(*[f"The sluice was moved to field {n} at noon by nobody" for n in range(50)])
    assert len(read) < 50 * 12
