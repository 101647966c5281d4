"""What is repaired, edited and offered as untold at the same time does not collide."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from library.evidence import Evidence
from mindmap.tree import MindMap
from models import estimate
from reports.brief import Brief, Counts
from reports.document import Section, Sentence
from reports.settings import ReportSettings
from reports.verify.check import Checker
from reports.verify.kept_reviews import Reviews
from reports.verify.review import Repairs, Verdicts
from reports.write.drafting.smooth import apply_edits
from reports.write.drafting.verify_and_repair import Repairer
from reports.write.parts.left_out import Additions, telling_left_out
from tests.reports.conftest import make_evidence
from tests.reports.extract.test_answer import QUESTION, SCRIPT, in_sections, written

OPTIONS = {
    "https://manual.example/agents": (
        "The manual",
        None,
        [
            "The check is done with parental agents, which BIND asks in turn; all of them must answer.",
            "It has parental-agents. It is less than 90% of the minimum of P5D (5 days).",
            "There are three files with names like Kone.+1+10.key, Kone.+1+10.private, and Kone.+1+10.state.",
        ],
    ),
}


@pytest.mark.parametrize(
    ("text", "passage", "support"),
    [
        ("It asks `parental-agents` in turn.", "p1", "unchecked"),
        ("It asks `parental-agent` in turn.", "p1", "unsupported"),
        ("It asks `asked-agents` in turn.", "p1", "unsupported"),
        ("It must be less than 90% of the smaller of the two periods.", "p2", "unchecked"),
        ("Two periods are at least as long.", "p1", "unsupported"),
        ("Two of the same name end in `.private` and `.state`.", "p3", "unchecked"),
        ("Two files hold the keys, among them one that ends in `.key`.", "p3", "unsupported"),
        ("One ends in `.priv`.", "p3", "unsupported"),
        ("One ends in `.keys`.", "p3", "unsupported"),
    ],
)
def test_what_is_typed_may_be_told_by_its_ending_or_its_words(text: str, passage: str, support: str) -> None:
    checked = Checker(make_evidence(OPTIONS), "How are the agents asked?").sentence(
        Sentence(text=text, citations=[passage])
    )
    assert checked.support == support, checked.reason


KEYS = {
    "https://manual.example/keys": (
        "The manual",
        None,
        [
            "A zone is signed with a KSK and a ZSK; the KSK signs only the DNSKEY set.",
            "KSKs are kept in the key directory. It is set in four places.",
            "First stop the server. Then edit the file. Last, start it again in three steps.",
            "The program keeps its state only in the key directory.",
        ],
    ),
}


@pytest.mark.parametrize(
    ("text", "passage", "support"),
    [
        ("All ZSKs and KSKs are rolled.", "p1", "unchecked"),
        ("The KSK's state is kept.", "p2", "unchecked"),
        ("All RRSIGs are rolled.", "p1", "unsupported"),
        ("All ZSKs are kept there.", "p2", "unsupported"),
        ("Three things are done:", "p1", "unchecked"),
        ("三件事要做：", "p1", "unchecked"),
        ("Three places are set:", "p2", "unsupported"),
        ("It is done in 3 hours:", "p1", "unsupported"),
        ("The program keeps its state nowhere else than in the key directory.", "p4", "unchecked"),
        ("The program keeps its state nowhere in the key directory.", "p4", "unsupported"),
    ],
)
def test_several_of_a_short_form_counts_that_lead_and_nowhere_else(
    text: str, passage: str, support: str
) -> None:
    checked = Checker(make_evidence(KEYS), "How are keys kept?").sentence(
        Sentence(text=text, citations=[passage])
    )
    assert checked.support == support, checked.reason


async def test_a_sentence_that_names_what_another_passage_of_its_section_says_may_cite_that_when_it_is_mended(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    told = ["The worst wreck drowned 112 emigrants while the tower stood 44 m high [p2]. It was built [p1]."]
    asker = scripted({**SCRIPT, "write_sections": in_sections(*told), "plan_sections": PLANNED})
    await written(tree, evidence, asker)
    parts = [part for task in asker.model.tasks("repair_sentences") for part in task.refused]
    [part] = [part for part in parts if "44 m" in part.sentence]
    assert part.reason == "not in the passages: 44"
    assert [p.id for p in part.passages] == ["p2", "p1"]


async def test_what_a_refused_sentence_may_cite_beside_is_not_looked_for_in_the_event_loop(
    tree: MindMap, evidence: Evidence, scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, threads = Checker.lost, []

    def lost(checker: Checker, text: str, ids: Sequence[str]) -> list[str]:
        if "44 m" in text:
            threads.append(threading.current_thread())
        return whole(checker, text, ids)

    monkeypatch.setattr(Checker, "lost", lost)
    told = ["The worst wreck drowned 112 emigrants while the tower stood 44 m high [p2]. It was built [p1]."]
    asker = scripted({**SCRIPT, "write_sections": in_sections(*told), "plan_sections": PLANNED})
    await written(tree, evidence, asker)
    assert threads
    assert threading.current_thread() not in threads


PLANNED = {
    "outline": [{"heading": "The dangers of the reef", "purpose": "", "words": 90, "passages": ["p2", "p1"]}],
    "aside": [{"passages": ["p3", "p4"], "reason": "beside it"}],
}


@pytest.mark.parametrize("mends", [True, False])
async def test_what_a_sentence_tells_that_waits_for_repair_is_offered_as_untold_only_when_it_has_gone(
    tree: MindMap, evidence: Evidence, scripted: Any, mends: bool
) -> None:
    told = ["The worst wreck drowned 112 emigrants [p2]. It was built in 1872 [p1]."]
    mended = "It was built in 1871 [p1]." if mends else ""
    asker = scripted({
        **SCRIPT,
        "plan_sections": PLANNED,
        "write_sections": in_sections(*told),
        "repair_sentences": {"sentences": [{"n": n, "text": mended} for n in (1, 2)]},
        "tell_left_out": {"add": [{"after": 1, "text": "It cost 62,000 pounds [p1]."}]},
    })  # fmt: skip
    report = await written(tree, evidence, asker)
    offered = [[p.id for p in task.passages] for task in asker.model.tasks("tell_left_out")]
    assert offered == ([] if mends else [["p1"]])
    [section] = [s for s in report.sections if s.heading == "The dangers of the reef"]
    added = "It was built in 1871." if mends else "It cost 62,000 pounds."
    assert [s.text for s in section.sentences] == ["The worst wreck drowned 112 emigrants.", added]
    assert "p1" not in [one.passage for one in report.left_out]


def test_words_that_a_judge_refused_are_not_saved_by_an_edit_that_joins_them_to_another_sentence(
    evidence: Evidence,
) -> None:
    refused = {"support": "unsupported", "reason": "the judge: the other weak point"}
    weak = Sentence(text="Masons are the other weak point.", citations=["p3"], **refused)
    stays = Sentence(text="Masons could work four hours a day.", citations=["p3"], support="supported")
    section = Section(heading="Reef", level=1, node=None, sentences=[weak, stays])
    checker = Checker(evidence, "Why was the lighthouse built?", "en")

    joined = {1: "", 2: "Masons are the other weak point: they could work four hours a day [p3]."}
    reviews = Reviews()
    [left] = apply_edits([section], joined, checker, reviews)
    assert left.sentences == [weak, stays], "it waits for its repair"
    assert any("point" in review.edit_refused for review in reviews.new.values())

    [left] = apply_edits([section], {1: "", 2: "Masons worked four hours a day [p3]."}, checker, Reviews())
    assert [s.text for s in left.sentences] == ["Masons worked four hours a day."], "it need not be repaired"

    alone = section.model_copy(update={"sentences": [weak, stays.model_copy(update={"citations": ["p4"]})]})
    [left] = apply_edits([alone], {1: ""}, checker, Reviews())
    assert left.sentences[0] == weak, "nothing else tells what it cites"


@pytest.mark.parametrize(
    ("text", "support"),
    [
        ("Masons worked four hours a day.", "supported"),
        ("Masons gladly worked for four hours a day.", "partial"),
        ("Masons worked four hours a day (inference).", "partial"),
    ],
)
def test_what_an_edit_rids_of_all_that_was_refused_is_not_sent_to_be_repaired(
    evidence: Evidence, text: str, support: str
) -> None:
    in_part = {"support": "partial", "reason": "the judge: gladly"}
    told = [Sentence(text="Masons gladly worked for four hours a day.", citations=["p3"], **in_part)]
    section = Section(heading="Reef", level=1, node=None, sentences=told)
    checker = Checker(evidence, "Why was the lighthouse built?", "en")
    [left] = apply_edits([section], {1: f"{text} [p3]"}, checker, Reviews())
    assert [(s.text, s.support) for s in left.sentences] == [(text, support)]


def test_an_edit_may_name_what_the_report_is_about_with_its_year(evidence: Evidence) -> None:
    told = [Sentence(text="It was the first to be lit by oil.", citations=["p4"], support="supported")]
    section = Section(heading="Oil", level=1, node=None, sentences=told)
    checker = Checker(evidence, "Who paid for the 1871 lighthouse?", "en")
    for year, taken in (("1871", True), ("1872", False)):
        text = f"The {year} lighthouse was the first to be lit by oil."
        [left] = apply_edits([section], {1: f"{text} [p4]"}, checker, Reviews())
        assert [s.text for s in left.sentences] == [text if taken else told[0].text]


def test_a_sentence_that_stays_after_all_is_not_told_in_another_too(evidence: Evidence) -> None:
    told = [
        Sentence(text="Ada Merrow kept a diary.", citations=["p4"], support="supported"),
        Sentence(text="The blocks came by sea.", citations=["p4"], support="supported"),
        Sentence(text="These blocks were of granite.", citations=["p4"], support="supported"),
    ]
    section = Section(heading="Reef", level=1, node=None, sentences=told)
    checker = Checker(evidence, "Why was the lighthouse built?", "en")
    joined = {1: "Ada Merrow kept a diary, and the blocks came by sea [p4].", 2: ""}
    reviews = Reviews()
    [left] = apply_edits([section], joined, checker, reviews)
    assert left.sentences == told, "what takes up the second keeps it"
    assert any("stays: 2" in review.edit_refused for review in reviews.new.values())
    alone = section.model_copy(update={"sentences": told[:2]})
    [left] = apply_edits([alone], joined, checker, Reviews())
    assert [s.text for s in left.sentences] == ["Ada Merrow kept a diary, and the blocks came by sea."]


def test_what_goes_and_what_is_told_otherwise_for_it_go_together_or_not_at_all(evidence: Evidence) -> None:
    told = [
        Sentence(text="The rock lies low.", citations=[], support="unchecked"),
        Sentence(text="The tide left no more.", citations=["p3"], support="supported"),
        Sentence(text="Masons could hew for four hours a day.", citations=["p3"], support="supported"),
    ]
    section = Section(heading="Reef", level=1, node=None, sentences=told)
    checker = Checker(evidence, "Why was the lighthouse built?", "en")
    wanted = {1: "", 2: "The tide of 1999 left them no more than four hours [p3]."}
    reviews = Reviews()
    [left] = apply_edits([section], wanted, checker, reviews)
    assert left.sentences == told
    [left] = apply_edits([section], {1: "", 2: "The tide covered the reef [p3]."}, checker, Reviews())
    assert [s.text for s in left.sentences] == ["The tide covered the reef.", told[2].text]
    begun = [s.model_copy(update={"paragraph": n == 0}) for n, s in enumerate(told)]
    again = section.model_copy(update={"sentences": begun})
    [left] = apply_edits([again], {1: "", 2: "The tide covered the reef [p3]."}, checker, Reviews())
    assert [s.paragraph for s in left.sentences] == [True, False], "what follows begins the paragraph"


FERRY = {
    "https://port.example/a": (
        "The port",
        None,
        ["At the gates of the pier the queue broke down, and hundreds of places stayed empty at eight."],
    ),
    "https://port.example/b": ("Boats", None, ["The Sea Heron left at nine, with Ines Dahl aboard."]),
    "https://port.example/c": ("Tides", None, ["The tide in the harbour turns twice a day."]),
}
FERRY_TOPIC = "Why did the boarding of the 2019 Sea Heron ferry break down?"


def test_a_repair_may_cite_what_the_writer_was_shown_wherever_the_refused_words_stand() -> None:
    evidence = make_evidence(FERRY)
    mender = Repairer(FERRY_TOPIC, "en", evidence, ReportSettings(), Reviews())
    text = "Before the Sea Heron sailed in 2019 with Ines Dahl, the queue at the gates broke down."
    said = Section(heading="In brief", level=1, node=None, sentences=[Sentence(text=text, citations=["p1"])])
    [checked] = mender.checked([said])
    assert checked.sentences[0].reason == "not in the passages: Ines, Dahl", "the topic gives the rest"
    alone = mender.repairing([checked]).tasks[0].refused[0]
    assert [p.id for p in alone.passages] == ["p1"]
    request = mender.repairing([checked], shown_to=["p3", "p2", "p1"])
    assert [p.id for p in request.tasks[0].refused[0].passages] == ["p1", "p2"], "the tides say none of it"
    reply = Repairs.model_validate({"sentences": [{"n": 1, "text": f"{text} [p1][p2]"}]})
    [mended] = request.read([reply])
    assert (mended.sentences[0].citations, mended.sentences[0].support) == (["p1", "p2"], "unchecked")


@pytest.mark.parametrize(
    ("behind", "seen"), [("Another says that the tide turned.", True), ("The tide turned at noon.", False)]
)
def test_who_mends_a_sentence_sees_the_next_one_where_that_takes_it_up(behind: str, seen: bool) -> None:
    mender = Repairer(FERRY_TOPIC, "en", make_evidence(FERRY), ReportSettings(), Reviews())
    refused = Sentence(text="Word is scarce: one page names the queue.", citations=["p1"], support="partial")
    after = Sentence(text=behind, citations=["p3"], support="supported")
    section = Section(heading="Quay", level=1, node=None, sentences=[refused, after])
    [task] = mender.repairing([section]).tasks
    assert (behind in task.fields()["sentences"]) is seen


def test_a_judge_is_sent_no_more_sentences_at_once_than_a_prompt_holds() -> None:
    long = "It crossed the bay at dawn with mail and hens. " * 8
    texts = [f"The ferry of {n} had {n + 5} seats. {long}" for n in range(100)]
    pages = {f"https://port.example/{n}": (f"Year {n}", None, [text]) for n, text in enumerate(texts)}
    told = [Sentence(text=text[:-len(long)].strip(), citations=[f"p{n}"]) for n, text in enumerate(texts, 1)]
    section = Section(heading="Seats", level=1, node=None, sentences=told)
    mender = Repairer(FERRY_TOPIC, "en", make_evidence(pages), ReportSettings(), Reviews())
    request = mender.judging([section])
    assert len(request.tasks) > 1
    each = [task.fields() for task in request.tasks]
    assert all(estimate(fields["sentences"] + fields["passages"]) <= 9_000 for fields in each)
    assert [c.n for task in request.tasks for c in task.claims] == list(range(1, 101)), "each once"
    replies = [
        Verdicts.model_validate({"verdicts": [{"n": c.n, "support": "supported"} for c in task.claims]})
        for task in request.tasks
    ]
    [judged] = request.read(replies)
    assert {s.support for s in judged.sentences} == {"supported"}


@pytest.mark.parametrize(
    ("reply", "behind", "left"),
    [
        ([{"n": 1, "text": ""}], "The tide turns twice a day.", 2),
        ([{"n": 1, "text": ""}], "It turns twice a day.", 3),  # which would speak of nothing
        ([{"n": 1, "text": ""}], "", 2),  # nothing else tells of p3
        ([], "The tide turns twice a day.", 3),
    ],
)
def test_what_is_given_up_in_part_supported_goes_where_others_tell_what_it_rests_on(
    reply: list[dict[str, Any]], behind: str, left: int
) -> None:
    mender = Repairer(FERRY_TOPIC, "en", make_evidence(FERRY), ReportSettings(), Reviews())
    doubtful = Sentence(text="The tide hemmed the harbour in.", citations=["p3"], support="partial")
    told = [doubtful, *([Sentence(text=behind, citations=["p3"])] if behind else [])]
    sure = Sentence(text="At the gates of the pier the queue broke down.", citations=["p1"])
    section = Section(heading="Quay", level=1, node=None, sentences=[*told, sure])
    mended = mender.repairing([section]).read([Repairs.model_validate({"sentences": reply})])
    assert len(mender.standing(mended).sections[0].sentences) == left


@pytest.mark.parametrize(
    ("topic", "text", "support"),
    [
        (FERRY_TOPIC, "In 2019 the queue at the gates of the pier broke down.", "unchecked"),
        (FERRY_TOPIC, "In 2018 the queue at the gates of the pier broke down.", "unsupported"),
        ("Why did the ferry stop in 2019?", "In 2019 the queue at the gates broke down.", "unchecked"),
        ("Did 1900 people wait at the pier?", "In 1900 the queue at the gates broke down.", "unsupported"),
    ],
)
def test_the_year_that_the_topic_is_called_by_is_given_and_a_number_that_it_asks_about_is_not(
    topic: str, text: str, support: str
) -> None:
    checked = Checker(make_evidence(FERRY), topic).sentence(Sentence(text=text, citations=["p1"]))
    assert checked.support == support, checked.reason


async def test_who_judges_and_who_mends_sentences_is_shown_what_the_report_is_about(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    told = ["The worst wreck drowned 113 emigrants [p2]."]
    asker = scripted({**SCRIPT, "write_sections": in_sections(*told)})
    await written(tree, evidence, asker)
    for name in ("judge_section", "repair_sentences"):
        assert f"<topic>\n{QUESTION}\n</topic>" in asker.model.tasks(name)[0].fields()["topic"]


def test_a_command_that_no_passage_has_is_offered_for_repair() -> None:
    page = ("The manual", None, ["Sums are made with `md5sum foo bar >baz.md5`."])
    evidence = make_evidence({"https://manual.example/sums": page})
    mender = Repairer("How are sums made?", "en", evidence, ReportSettings(), Reviews())
    step = Sentence(text="Make the sums:", citations=["p1"], form="step", step=1, support="supported")
    code = Sentence(text="md5sum <file> ><list>.md5", citations=["p1"], form="code")
    [section] = mender.checked([Section(heading="Sums", level=1, node=None, sentences=[step, code])])
    errand = mender.repairing([section])
    [task] = errand.tasks
    assert "```\nmd5sum <file> ><list>.md5\n``` [p1]" in task.refused[0].sentence
    reply = Repairs.model_validate(
        {"sentences": [{"n": 1, "text": "```\nmd5sum <file> <other> ><list>.md5\n``` [p1]"}]}
    )
    [mended] = errand.read([reply])
    assert mended.sentences[1].text == "md5sum <file> <other> ><list>.md5"
    assert mended.sentences[1].form == "code"
    assert mended.sentences[1].support == "unchecked", "a judge reads it"
    words = Repairs.model_validate(
        {"sentences": [{"n": 1, "text": "`md5sum <file> <other> ><list>.md5` makes them. [p1]"}]}
    )
    [told] = errand.read([words])
    assert (told.sentences[1].form, told.sentences[1].support) == ("prose", "unchecked")
    assert mender.standing([mended]).sections[0].sentences == mended.sentences


def test_what_is_added_may_rest_beside_on_what_the_report_cites(evidence: Evidence) -> None:
    told = [Sentence(text="The worst wreck drowned 112 emigrants.", citations=["p2"], support="supported")]
    section = Section(heading="Reef", level=1, node=None, sentences=told)
    request = telling_left_out(["p1"], [section], Brief(topic="t", counts=Counts(models=["m"])), evidence)
    texts = ["It was also dear [p1][p2].", "It was bold [p2].", "It was high [p1][p4]."]
    found = request.read([Additions.model_validate({"add": [{"after": 1, "text": text} for text in texts]})])
    assert [s.citations for s in found.added.sentences] == [["p1", "p2"], ["p1"]]


async def test_a_sentence_given_up_because_others_tell_it_is_not_said_to_be_unsupported(
    evidence: Evidence,
) -> None:
    def section(*sentences: Sentence) -> list[Section]:
        return [Section(heading="Tower", level=1, node=None, sentences=list(sentences))]

    whole = Sentence(text="The tower is 44 m high.", citations=["p1"], support="supported")
    doubled = Sentence(text="The tower is pretty high.", citations=["p1"], support="partial", reason="so")
    wrong = Sentence(text="The tower is 99 m high.", citations=["p1"], support="unsupported", reason="99")
    repairer = Repairer("Tower", "en", evidence, ReportSettings(), Reviews())
    request = repairer.repairing(section(whole, doubled, wrong))
    nothing_said = Repairs(sentences=[{"n": 1, "text": ""}, {"n": 2, "text": ""}])
    stands = repairer.standing(request.read([nothing_said]))
    assert [s.text for s in stands.sections[0].sentences] == [whole.text]
    assert (stands.uncited, stands.unsupported, stands.told) == (0, 1, 1)
