"""What words and meaning tell of a claim beside a passage that is cited for it."""

import pytest

from library import Evidence, Passage, Source
from library.text.similarity.tfidf import TextStatistics
from reports.audit.claim_check import WordsVerdict, judge_by_words, unless_denied
from reports.audit.claim_evidence import Candidate
from reports.verify.check import Checker

PANELS = (
    "The trial ended early because the control boxes lost their connection whenever the router was restarted."
)


def judged(claim: str, text: str, share: float, language: str = "en", *, cited: bool = False) -> WordsVerdict:
    """Judge a claim by one passage, as an audit does by what is cited."""
    source = Source("f" * 64, "file:notes.md", "Notes", text)
    passage: Passage = source.passage(0, len(text), "p1")
    evidence = Evidence(passages={"p1": passage}, sources={source.sha256: source})
    checker, statistics = Checker(evidence, "Notes", language), TextStatistics()
    said = judge_by_words(claim, [Candidate(passage, share, "1")], checker, statistics, cited=cited)
    return unless_denied(claim, said, statistics, language) if said.verdict == "supported" else said


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The trial was cut short since control boxes went offline when a router was rebooted.", "supported"),
        ("The trial was not cut short when control boxes went offline.", "not_found"),
        ("The routers of the trial were painted green by pupils.", "not_found"),
    ],
)
def test_a_claim_in_other_words_is_found_by_its_meaning(claim: str, verdict: str) -> None:
    assert judged(claim, PANELS, 0.5).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The experiment had to be given up, for the boxes went offline time and again.", "near"),
        ("No control box ever lost its link when somebody switched the router off.", "not_found"),
        ("Pupils painted the houses green in summer.", "not_found"),
    ],
)
def test_what_may_say_it_in_other_words_is_near_and_confirms_nothing(claim: str, verdict: str) -> None:
    said = judged(claim, PANELS, 0.2, cited=True)
    assert said.verdict == verdict
    assert said.sentence == (PANELS if verdict == "near" else "")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("调查发现了国家重点保护鱼类。", "调查未发现国家重点保护鱼类。"),
        ("上游乡镇的污水已全部接入处理厂。", "上游三个乡镇的生活污水尚未全部接入处理厂。"),
    ],
)
def test_what_a_cited_passage_denies_it_does_not_say(claim: str, text: str) -> None:
    assert judged(claim, text, 0.8, "zh").verdict == "contradicted"


def test_what_a_cited_passage_says_stands() -> None:
    assert judged("调查发现了31种鱼类。", "调查共发现鱼类31种。", 0.8, "zh").verdict == "supported"


def test_what_a_source_contradicts_is_named_as_the_words_of_the_claim() -> None:
    text = "Key material is stored in encrypted form. Borg encrypts what it stores."
    said = judged("Borg never encrypts what it stores.", text, 0.9)
    assert said.verdict == "contradicted"
    assert said.reason == "the source says otherwise than “never encrypts what it”"
