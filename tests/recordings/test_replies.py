"""Replies of whole sessions as a strong model writes them: longer and messier than made.

`bank.jsonl` holds a contested question and parts of sessions over manuals and in Chinese, `device.jsonl` a
whole session in which a person joined, steered and asked. Whole sessions are `collapse.jsonl`, too,
`upgrade.jsonl` (over a manual), `submersible.jsonl` (a person asked, disputed and wished), `contested.jsonl`
(the sources settle nothing) and `backup.jsonl` (in Chinese, over a reference).
"""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from agents import PanelDraft
from agents.expert import taken_up
from agents.research.moves.respond import Move
from agents.turn import Turn
from library import citations, is_inference, strip_citations
from library.text import sentences
from library.text.similarity.tfidf import TextStatistics
from mindmap.tasks import Placements, Titles
from models.prompting.output_parsing import read_reply
from moderator.judging import AnswerVerdict
from moderator.reviewing import ReviewDraft
from reports.cite.cited_sentences import cited_sentences
from reports.plan.outline_task import SectionOutline
from reports.plan.revision_task import Revision
from reports.tasks.answer_task import AnswerText
from reports.tasks.editing_tasks import Edits, ReportTitle
from reports.verify.review import Repairs, Verdicts
from reports.write.drafting.batch_tasks import SectionTexts
from reports.write.drafting.written_text import written
from reports.write.parts.answer import AnswerReview
from reports.write.parts.gaps import CheckedGaps
from reports.write.parts.left_out import Additions


def _recorded(name: str) -> list[dict[str, str]]:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


DEVICE = _recorded("device.jsonl")
SESSIONS = ("collapse.jsonl", "upgrade.jsonl", "submersible.jsonl", "contested.jsonl", "backup.jsonl")
RECORDED = [*_recorded("bank.jsonl"), *DEVICE, *(reply for name in SESSIONS for reply in _recorded(name))]
OUTPUTS: dict[str, type[BaseModel]] = {
    kind.__name__: kind
    for kind in (
        PanelDraft, Move, Placements, Titles, AnswerVerdict, ReviewDraft, SectionOutline, AnswerText, Edits,
        Repairs, Verdicts, AnswerReview, SectionTexts, CheckedGaps, Revision, Additions, ReportTitle,
    )
}  # fmt: skip


@pytest.mark.parametrize("n", range(len(RECORDED)))
def test_a_recorded_reply_is_read_whole(n: int) -> None:
    recorded = RECORDED[n]
    read = read_reply(recorded["reply"], OUTPUTS[recorded["output"]])
    said = json.loads(recorded["reply"])
    kept = read.model_dump(mode="json")
    for name, value in said.items():
        assert kept.get(name) == value or isinstance(value, list), name
        if isinstance(value, list):
            assert len(kept[name]) == len(value), name


def test_answers_as_they_are_really_written_keep_their_citations() -> None:
    answers = [read_reply(r["reply"], Move).answer for r in RECORDED if r["output"] == "Move"]
    answers = [answer for answer in answers if answer]
    assert len(answers) > 8
    for answer in answers:
        told = cited_sentences(answer, sentences)
        assert {i for sentence in told for i in sentence.citations} == set(citations(answer))
        # What stands without a source says what is missing, or is marked as a conclusion.
        bare = [sentence.text for sentence in told if not sentence.citations]
        assert len(bare) <= max(3, len(told) // 3), bare


def test_a_conclusion_marked_as_one_is_known_as_one() -> None:
    answers = [read_reply(r["reply"], Move).answer for r in RECORDED if r["output"] == "Move"]
    marked = [
        sentence
        for answer in answers
        for sentence in cited_sentences(answer, sentences)
        if "(inference" in sentence.text
    ]
    assert marked
    for sentence in marked:
        assert is_inference(strip_citations(sentence.text))


def test_sections_as_they_are_really_written_keep_every_citation_in_either_script() -> None:
    sections = [
        section
        for r in RECORDED
        if r["output"] == "SectionTexts"
        for section in read_reply(r["reply"], SectionTexts).sections
    ]
    assert any("。" in section.paragraphs[0] for section in sections)
    for section in sections:
        whole = " ".join(section.paragraphs)
        told = written(section.paragraphs, citations(whole), TextStatistics(), points=False)
        assert {i for sentence in told for i in sentence.citations} == set(citations(whole))
        assert not [s.text for s in told if "[p" in s.text or not s.text.strip("。. ")]
        # Connecting sentences, which cite nothing and are left out, are few.
        assert len([s for s in told if s.citations]) >= 0.8 * len(told)


def test_a_procedure_as_it_is_really_written_keeps_its_steps_and_options() -> None:
    sections = [
        section
        for r in RECORDED
        if r["output"] == "SectionTexts"
        for section in read_reply(r["reply"], SectionTexts).sections
    ]
    told = [
        written(section.paragraphs, citations(" ".join(section.paragraphs)), TextStatistics(), points=False)
        for section in sections
    ]
    forms = [[sentence.form for sentence in each] for each in told]
    recovery = next(each for each in forms if each.count("step") == 9)
    assert recovery[0] == "step"
    options = next(each for each in forms if each.count("point") >= 8)
    assert options[0] == "prose", "what leads to the options stands before them"
    commands = [s.text for each in told for s in each if "`restore_command = " in s.text]
    assert commands
    assert all("'cp /mnt/server/archivedir/%f %p'`" in text for text in commands)


def test_a_claim_that_was_conceded_at_the_table_stands_in_no_turn_any_more() -> None:
    moves = [read_reply(r["reply"], Move) for r in DEVICE if r["output"] == "Move"]
    said = [move for move in moves if move.answer]
    turns = [
        Turn(n=n, speaker=f"e{n}", name=f"Expert {n}", role="expert", act="answer", text=move.answer,
             citations=citations(move.answer), at="2026-01-02T03:04:05Z", seconds=1.0)
        for n, move in enumerate(said, 1)
    ]  # fmt: skip
    verdicts = [read_reply(r["reply"], AnswerVerdict) for r in DEVICE if r["output"] == "AnswerVerdict"]
    [words] = [claim for verdict in verdicts for claim in verdict.withdrawn]
    [turn] = [turn for turn in turns if words in turn.text]
    conceding = next(move for move in said if move.stance == "concede")
    reply = taken_up(conceding, None, turns, "somebody")
    assert reply is not None
    assert (reply.act, reply.turn) == ("concede", turn.n)


def test_what_a_person_asked_and_no_source_tells_is_said_to_be_missing() -> None:
    [answer] = [r for r in DEVICE if r["output"] == "Move" and "0.2 seconds" in r["reply"]]
    told = cited_sentences(read_reply(answer["reply"], Move).answer, sentences)
    assert [sentence.text for sentence in told if not sentence.citations] == [told[0].text]
    inferred = [sentence for sentence in told if is_inference(sentence.text)]
    assert len(inferred) == 2
    verdicts = [read_reply(r["reply"], AnswerVerdict) for r in DEVICE if r["output"] == "AnswerVerdict"]
    assert [verdict.missing for verdict in verdicts if verdict.in_vain] == [
        "how long an SD card needs to finish its writes"
    ]


def test_code_under_a_step_and_counts_that_lead_to_lists_are_kept_as_they_are_really_written() -> None:
    told = [
        sentence
        for r in DEVICE
        if r["output"] == "SectionTexts"
        for section in read_reply(r["reply"], SectionTexts).sections
        for sentence in written(
            section.paragraphs, citations(" ".join(section.paragraphs)), TextStatistics(), points=False
        )
    ]
    [code] = [n for n, sentence in enumerate(told) if sentence.form == "code"]
    assert (told[code - 1].step, told[code + 1].step) == (1, 2)
    assert told[code].text == "PRAGMA journal_mode=WAL;"
    for count, points in (("Three values", 3), ("Two ways", 2)):
        [lead] = [n for n, sentence in enumerate(told) if sentence.text.startswith(count)]
        assert told[lead].citations
        behind = [s.form == "point" and s.paragraph for s in told[lead + 1 : lead + 7]]
        assert sum(behind) == points
