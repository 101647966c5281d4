"""The discussion as a prompt tells it: who takes up whom, what was taken back, and all of it at the end."""

import re

import pytest

from agents.memory.history_summary import retold
from agents.memory.telling_sentences import most_told, telling
from agents.turn import ReplyTo, Turn, TurnClaim
from agents.withdrawn import standing_claim, withdrawn_claims
from library import TextStatistics, without_claims
from library.text import sentences
from models import estimate
from roundtable.journal.fold.state import State
from roundtable.session.closing.report_brief import brief_of

QUESTION = "Why did the spillway fail?"
STATISTICS = TextStatistics()


def turn(n: int, speaker: str, text: str, reply: ReplyTo | None = None) -> Turn:
    return Turn(
        n=n, speaker=speaker, name=speaker.upper(), role="expert", act="answer", text=text, citations=[],
        question="q1", replies_to=reply, at="2026-01-01T00:00:00.000Z", seconds=1.0,
    )  # fmt: skip


def reply(to: Turn, act: str, text: str) -> ReplyTo:
    return ReplyTo(turn=to.n, speaker=to.speaker, name=to.name, text=text, act=act)  # type: ignore[arg-type]


CLAIM = "The keepers alone are to blame for the spillway (inference) [p1]."
FIRST = turn(1, "a", f"It was blocked by logs. [p1] {CLAIM} Nobody had cleared it [p2].")
DISPUTE = turn(2, "b", "The gate was ordered shut [p3].", reply(FIRST, "dispute", CLAIM))
CONCEDE = turn(3, "a", "That is so: the order came first [p3].", reply(DISPUTE, "concede", DISPUTE.text))


def test_what_its_speaker_takes_back_is_material_no_longer() -> None:
    [withdrawn] = withdrawn_claims([FIRST, DISPUTE, CONCEDE])
    assert (withdrawn.claim.turn, withdrawn.claim.text, withdrawn.by) == (1, CLAIM, 3)
    for closing in (False, True):
        told = retold([FIRST, DISPUTE, CONCEDE], 4, QUESTION, STATISTICS, 600, closing=closing)
        assert CLAIM not in told
        assert "(withdrawn in turn 3: The keepers alone are to blame for the spillway.)" in told
        assert "It was blocked by logs. [p1]" in told
        assert "Nobody had cleared it [p2]." in told


def test_what_its_speaker_takes_back_before_a_person_is_material_no_longer() -> None:
    granted = turn(3, "a", "I was wrong in that [p3].", reply(FIRST, "concede", CLAIM))
    [withdrawn] = withdrawn_claims([FIRST, granted])
    assert (withdrawn.claim.turn, withdrawn.claim.text, withdrawn.by) == (1, CLAIM, 3)


def test_what_a_judge_refused_is_material_no_longer() -> None:
    judged = FIRST.model_copy(update={"withdrawn": {CLAIM: 2}})
    [withdrawn] = withdrawn_claims([judged, DISPUTE])
    assert (withdrawn.claim.turn, withdrawn.claim.text, withdrawn.by) == (1, CLAIM, 2)
    assert len(withdrawn_claims([judged, DISPUTE, CONCEDE])) == 1, "conceded too, it is one claim"
    told = retold([judged, DISPUTE], 4, QUESTION, STATISTICS, 600)
    assert "(withdrawn in turn 2: The keepers alone are to blame for the spillway.)" in told
    assert "It was blocked by logs. [p1]" in told
    state = State(find_source=lambda _: None, topic=QUESTION, turns=[judged, DISPUTE])  # type: ignore[arg-type]
    assert CLAIM not in brief_of(state).answers[0].answer


def test_what_is_only_disputed_or_conceded_by_somebody_else_stands() -> None:
    granted = turn(3, "b", "So it is [p1].", reply(FIRST, "concede", CLAIM))
    assert withdrawn_claims([FIRST, DISPUTE]) == []
    assert withdrawn_claims([FIRST, granted]) == []
    assert CLAIM in retold([FIRST, DISPUTE], 4, QUESTION, STATISTICS, 600)


def test_at_the_end_every_answer_is_told_exchanges_too() -> None:
    long = " ".join(f"The dam of year {n} stood in the valley of the river [p{n}]." for n in range(1, 60))
    turns = [turn(n, "a", long) for n in range(1, 6)] + [
        DISPUTE.model_copy(update={"n": 6}), CONCEDE.model_copy(update={"n": 7}),
    ]  # fmt: skip
    told = retold(turns, 7, QUESTION, STATISTICS, 1_000, closing=True)
    assert [line.split(".")[0] for line in told.split("\n\n")] == ["1", "2", "3", "4", "5", "6", "7"]
    assert "6. B, disputes turn 1: The gate was ordered shut [p3]." in told
    assert estimate(told) <= 1_100


def test_what_was_replied_to_the_reader_comes_before_what_is_only_newer() -> None:
    later = [turn(n, "c", f"The market of year {n} sold fish by the gate. " * 5) for n in range(3, 7)]
    told = retold([FIRST, DISPUTE, *later], 1, QUESTION, STATISTICS, 120, speaker="a")
    assert DISPUTE.text in told.split("\n\n")[-1]


def test_the_turn_at_hand_is_told_before_any_other() -> None:
    claim = TurnClaim(turn=1, speaker="a", name="A", text=CLAIM)
    told = retold([FIRST, DISPUTE, turn(3, "c", "It is old. " * 60)], 1, QUESTION, STATISTICS, 160, claim)
    assert CLAIM in told


def test_a_report_is_written_without_what_was_taken_back() -> None:
    state = State(find_source=lambda _: None, topic=QUESTION, turns=[FIRST, DISPUTE, CONCEDE])  # type: ignore[arg-type]
    brief = brief_of(state)
    assert all(CLAIM not in answer for _, answer in brief.given)
    assert len(brief.answers) == 3
    assert brief.withdrawn == [CLAIM]
    assert "p1" in brief.resting, "another sentence rests on it"
    kept = without_claims(f"{CLAIM} It is old [p4].", brief.withdrawn, sentences)
    assert kept == "(…) It is old [p4]."


def test_what_answered_the_question_is_told_before_what_is_nearer() -> None:
    near = turn(2, "b", "The spillway failed because the spillway was blocked: so it failed. " * 3)
    told = retold([FIRST, near], 1, "Why did the spillway fail?", STATISTICS, 140, answered=[1])
    assert told.split("\n\n")[-1].startswith("1. A: It was blocked by logs.")


def test_each_answer_of_a_long_session_keeps_its_number_and_its_speaker() -> None:
    told = f"The pier was built of oak. [p1] {'It has a railing. [p2] ' * 30}Iron came last. [p3]"
    turns = [turn(n, f"expert {n}", told) for n in range(1, 7)]
    shown = retold(turns, 6, "When did iron come?", STATISTICS, 700, closing=True)
    for n in range(1, 7):
        assert f"{n}. EXPERT {n}: " in shown
    assert shown.count("Iron came last. [p3]") == 6, "what bears on the question stays, with its citation"


COMMANDS = (
    "The order matters, and the archive comes first [p1]. It is well to think of it early [p2]. "
    "Set archive_mode=on and archive_command='cp %p /mnt/%f' [p3]. Others may watch [p4]. "
    "Keep at least 16 files of 64 MB each [p5]. It is done then [p6]."
)


def test_what_is_typed_and_figures_are_an_answer_s_most_telling_sentences() -> None:
    assert [claim[-5:] for claim in telling(COMMANDS)] == ["[p3].", "[p1].", "[p5]."]
    assert telling("It is well to think of it [p2]. Others may watch [p4].") == []


def test_what_most_answers_rest_on_comes_first_then_what_cannot_be_said_otherwise() -> None:
    order = most_told([COMMANDS, "So it is [p6]. That is so, too [p7]."], [["p2"], ["p9"]])
    assert order[:4] == ["p6", "p2", "p3", "p1"]
    assert order[-1] == "p9"


def test_the_closing_question_is_asked_beside_commands_and_figures_of_each_answer() -> None:
    long = f"{COMMANDS} {'The keepers looked at it for a while [p8]. ' * 30}"
    turns = [turn(n, "a", long) for n in range(1, 6)]
    told = retold(turns, len(turns), "How is it kept?", STATISTICS, 600, closing=True)
    assert told.count("archive_command='cp %p /mnt/%f' [p3]") == len(turns)


@pytest.mark.parametrize(
    ("text", "clause", "left"),
    [
        ("先备份 [p1]。手册建议完整备份 [p6]，所以逐包修复只适合损坏范围已知的情形（推断）。",
         "所以逐包修复只适合损坏范围已知的情形", "先备份 [p1]。手册建议完整备份 [p6]。"),
        ("The manual advises a copy [p2], so repairs suit known damage alone (inference) [p3]. Then wait.",
         "so repairs suit known damage alone", "The manual advises a copy [p2]. Then wait."),
        ("The manual advises a copy [p2], so repairs suit known damage alone [p3].", "damage alone",
         "The manual advises a copy [p2], so repairs suit known damage alone [p3]."),
        ("So repairs suit known damage alone (inference) [p3]. Then wait.",
         "So repairs suit known damage alone", "Then wait."),
        ("It broke [p1]. First to blame is the keeper: the wall was not watched [p2], nobody asked why [p3].",
         "First to blame is the keeper",
         "It broke [p1]. The wall was not watched [p2], nobody asked why [p3]."),
        ("The gravest is the wall: it was bare [p1]. The second is haste: if a gate opens, it floods [p2].",
         "The gravest is the wall", "(…) It was bare [p1]. If a gate opens, it floods [p2]."),
        ("The gravest is the wall [p1]. The second is haste: rain fell on. The third is: fog. The pump is.",
         "The gravest is the wall", "Rain fell on. The pump is."),
        ("The first is the wall [p1]. Nobody asked why [p2]. The second is haste [p3].", "Nobody asked why",
         "The first is the wall [p1]. The second is haste [p3]."),
        ("The first is the wall [p1]. Second, wait for a day [p2]. The third is haste [p3].",
         "The first is the wall", "Wait for a day [p2]."),
        ("首先是堤坝无人看管 [p1]。其次是操之过急：闸门开得太早会淹水 [p2]。", "首先是堤坝无人看管",
         "闸门开得太早会淹水 [p2]。"),
        ("The keepers come first, since the wall was built of clay and straw [p1]. Then wait.",
         "The keepers come first", "The wall was built of clay and straw [p1]. Then wait."),
        ("The keeper shut the gate [p1], whose key nobody had [p2]. Then wait.", ", whose key nobody had",
         "The keeper shut the gate [p1]. Then wait."),
        ("Early ideas of a broken lock [p17] or a flood [p2] were dropped. Then wait.", "a broken lock or",
         "Early ideas of (…) a flood [p2] were dropped. Then wait."),
        ("It has leaked, since the war, in many places [p1]. Then wait.", "It has leaked", "Then wait."),
    ],
)  # fmt: skip
def test_a_clause_that_was_withdrawn_goes_without_what_a_source_says_beside_it(
    text: str, clause: str, left: str
) -> None:
    assert without_claims(text, [clause], sentences) == left


@pytest.mark.parametrize(
    ("text", "clause", "left"),
    [
        # What only hung on the clause, or led to it, goes with it.
        ("If the gate opens, the valley floods [p1]. Then wait.", "the valley floods", "Then wait."),
        ("Two things follow: the wall is to blame [p1]. Then wait.", "the wall is to blame", "Then wait."),
        ("The wall alone failed because nobody came [p1]. Then wait.", "The wall alone failed", "Then wait."),
        ("The wall alone failed, which it says [p1]. Then wait.", "The wall alone failed", "Then wait."),
        ("如果闸门打开，山谷必然被淹 [p1]。然后等待。", "山谷必然被淹", "然后等待。"),
        # What a head led to is a sentence without it, and a gap tells of what ended within a clause.
        ("The wall could fall at once, because 85% of its stones were loose [p1].",
         "The wall could fall at once, because", "(…) 85% of its stones were loose [p1]."),
        ("Nobody feared for it, since the Warden rated it as safe [p1].", "Nobody feared for it, since",
         "(…) The Warden rated it as safe [p1]."),
        ("The only official word points at the keeper: nobody watched it [p1].", "The only official word",
         "(…) points at the keeper: nobody watched it [p1]."),
        # Behind a colon a sentence of its own may begin with what hangs on its main clause.
        ("Yet the first to leave went over the wall: after its fall in May, the warden resigned [p1].",
         "Yet the first to leave went over the wall:",
         "(…) After its fall in May, the warden resigned [p1]."),
        # The mark of a conclusion stays with what is one.
        ("The worst is its roof: rain can rot it [p1]; since it hides them, I would wait (inference) [p2].",
         "The worst is its roof:",
         "(…) Rain can rot it [p1]; since it hides them, I would wait (inference) [p2]."),
        # What stands by itself stays, as a sentence.
        ("When it rains, the gate opens, so the valley floods [p1].", "so the valley floods",
         "When it rains, the gate opens [p1]."),
        ("The wall alone failed [p1][p4], and the keepers went home [p2].", "The wall alone failed",
         "The keepers went home [p2]."),
        ("The wall failed; it alone is to blame; nobody had looked [p1].", "it alone is to blame",
         "The wall failed; nobody had looked [p1]."),
        ("The wall, the only cause of it, was ten metres high [p1].", "the only cause of it",
         "The wall, (…), was ten metres high [p1]."),
        # What points back to what went does not point to what stands before that.
        ("Logs blocked it [p1]. A second gate is the only way out. It needs a keeper [p2].",
         "A second gate is the only way out.", "Logs blocked it [p1]. (…) It needs a keeper [p2]."),
        ("A gate was built [p1]. It is the only way out. It needs a keeper [p2].",
         "It is the only way out.", "A gate was built [p1]. It needs a keeper [p2]."),
        ("原木堵住了它 [p1]。第二道闸门是唯一的办法。它需要人看守 [p2]。", "第二道闸门是唯一的办法",
         "原木堵住了它 [p1]。(…) 它需要人看守 [p2]。"),
    ],
)  # fmt: skip
def test_what_is_left_of_an_answer_reads_and_points_to_nothing_else(
    text: str, clause: str, left: str
) -> None:
    assert without_claims(text, [clause], sentences) == left


def test_half_a_clause_that_was_withdrawn_is_named_nowhere() -> None:
    said = turn(1, "a", "The tide fell, and then the sluice with its gate, by hand [p1]. The wall held [p2].")
    half = said.model_copy(update={"withdrawn": {"and then the sluice with its gate": 2, "The wall held": 3}})
    for closing in (False, True):
        told = retold([half], 4, QUESTION, STATISTICS, 600, closing=closing)
        assert told.count("withdrawn") == 1
        assert "(withdrawn in turn 3: The wall held)" in told


def test_an_answer_in_short_is_whole_sentences_that_carry_something_and_what_it_concludes() -> None:
    items = " ".join(f"{n}. Open the gate of lock {n} by hand and wait a while [p{n}]." for n in range(1, 20))
    ends = "Only a rehearsal shows whether an hour is enough (inference) [p3]."
    said = turn(1, "a", f"I add three things to it. {items} {ends}")
    told = retold([said, said.model_copy(update={"n": 2})], 2, QUESTION, STATISTICS, 300, closing=True)
    assert told.count(ends) == 2
    assert "I add three things" not in told
    assert re.search(r"\d\. …", told) is None, "no number stands without its item"
    assert re.search(r"\d\. Open the gate of lock", told)
    line = retold([said, *(turn(n, "b", "The gate is shut [p1]. " * 20) for n in (2, 3))], 1, QUESTION,
                  STATISTICS, 200)  # fmt: skip
    assert "1. A: Open the gate of lock 1 by hand" in line


def test_a_command_of_several_words_is_told_before_lists_of_names() -> None:
    answer = (
        "Look at `srsubstate`, `sync_state`, `write_lag` and `replay_lag` [p1]. "
        "Run `SELECT slot_name, lag(now(), confirmed) FROM slots;` then [p2]. It is well [p3]."
    )
    assert telling(answer)[0].startswith("Run `SELECT")
    assert most_told([answer.replace("`", "'") + " Set `wal` [p4]."], [])[0] == "p4"


def test_a_claim_is_put_without_the_clause_that_was_taken_back_since() -> None:
    said = turn(1, "a", "It is the one way there is; the switch takes seconds [p1]. More follows [p2].")
    claim = TurnClaim(
        turn=1, speaker="a", name="A", text="It is the one way there is; the switch takes seconds [p1]."
    )
    assert standing_claim(claim, [said]) == claim.text
    judged = said.model_copy(update={"withdrawn": {"It is the one way there is": 2}})
    assert standing_claim(claim, [judged]) == "The switch takes seconds [p1]."
    gone = said.model_copy(update={"withdrawn": {claim.text: 2}})
    assert standing_claim(claim, [gone]) == claim.text, "whoever is asked of it must know what it was"
