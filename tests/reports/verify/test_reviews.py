"""A report written again: what was judged and edited before is neither judged nor edited again."""

from typing import Any

from library.evidence import Evidence
from library.text.similarity.tfidf import TextStatistics
from reports import Brief, Counts, Report, ReportSettings, Review, SectionText, report_json, write_report
from reports.document import Section, Sentence
from reports.verify.check import Checker, summarize
from reports.verify.kept_reviews import Reviews, sentence_key
from reports.verify.review import SentenceVerdict, Verdicts, judged
from reports.write.drafting.smooth import apply_edits
from tests.reports.conftest import make_map

BRIEF = Brief(topic="The Orrin lighthouse", counts=Counts(models=["a-model"]))
TEXTS = {
    "Tower": "The tower stands on a reef [p1]. Ships were lost there [p2]. Granite was used [p1].",
    "Light": "The last keepers left [p7]. The old lens is in a museum [p8]. A solar array helps [p7].",
    "Birds": "Fog brings birds to the lamp [p5]. Shielding saves many of them [p6].",
}
SCRIPT = {
    "write_sections": lambda task: {
        "sections": [{"n": n, "paragraphs": [TEXTS[p.heading]]} for n, p in enumerate(task.parts, 1)]
    },
    "write_answer": {"paragraph": ""},
    "judge_section": lambda task: {
        "verdicts": [
            {"n": c.n, "support": "supported" if c.n % 2 else "partial", "words": "x"} for c in task.claims
        ]
    },
    "smooth_report": lambda task: {"edits": [{"n": 2, "text": _reworded(task.sections[0].sentences[1])}]},
}


def _reworded(sentence: str) -> str:
    return f"Indeed {sentence[0].lower()}{sentence[1:]}"


class Kept:
    """What a session keeps between two reports."""

    def __init__(self) -> None:
        self.drafts: dict[str, SectionText] = {}
        self.reviews: dict[str, Review] = {}

    async def report(self, branches: list[tuple[str, list[str]]], evidence: Evidence, asker: Any) -> Report:
        return await write_report(
            BRIEF, make_map(BRIEF.topic, branches), evidence, asker, TextStatistics(),
            settings=ReportSettings(max_sections=5),
            drafts=dict(self.drafts), on_drafts=self.drafts.update,
            reviews=dict(self.reviews), on_reviews=self.reviews.update,
        )  # fmt: skip


async def test_only_what_changed_is_judged_and_edited(evidence: Evidence, scripted: Any) -> None:
    kept, tower, light = Kept(), ("Tower", ["p1", "p2"]), ("Light", ["p7", "p8"])
    asker = scripted(SCRIPT)
    first = await kept.report([tower, light], evidence, asker)
    assert len([c for task in asker.model.tasks("judge_section") for c in task.claims]) == 6
    assert [s.heading for s in asker.model.tasks("smooth_report")[0].sections] == ["Tower", "Light"]
    assert any(s.text.startswith("Indeed ships") for x in first.sections for s in x.sentences)

    asker = scripted(SCRIPT)
    same = await kept.report([tower, light], evidence, asker)
    assert report_json(same) == report_json(first)
    for name in ("write_sections", "judge_section", "smooth_report"):
        assert not asker.model.tasks(name), name

    asker = scripted(SCRIPT)
    more = await kept.report([tower, light, ("Birds", ["p5", "p6"])], evidence, asker)
    assert [p.heading for task in asker.model.tasks("write_sections") for p in task.parts] == ["Birds"]
    (judged,) = asker.model.tasks("judge_section")
    assert [claim.citations for claim in judged.claims] == [["p5"], ["p6"]]
    (smoothed,) = asker.model.tasks("smooth_report")
    assert [section.heading for section in smoothed.sections] == ["Birds"]
    told = {x.heading: x.sentences for x in more.sections}
    assert {x.heading: x.sentences for x in first.sections}.items() <= told.items(), (
        "the rest stands as it was"
    )
    assert told["Birds"][1].text.startswith("Indeed shielding")


def test_a_review_belongs_to_words_and_citations() -> None:
    reviews = Reviews()
    reviews.judged("The tower is old.", ["p1"], SentenceVerdict(n=3, support="partial", words="old"))
    same = Sentence(text="The tower is old.", citations=["p1"])
    assert reviews.verdict(7, same) == SentenceVerdict(n=7, support="partial", words="old")
    assert reviews.edit(same) is None
    reviews.edited(same, "")
    assert reviews.edit(same) == ""
    assert reviews.verdict(1, same) is not None, "a later edit does not undo it"
    for other in (
        same.model_copy(update={"citations": ["p2"]}),
        same.model_copy(update={"text": "It is old."}),
    ):
        assert reviews.verdict(1, other) is None
    assert Reviews(known=reviews.new).verdict(1, same) is not None


def test_a_conclusion_marked_as_one_is_told_apart_from_what_a_source_says() -> None:
    marked = Sentence(text="The keepers were too few (inference).", citations=["p7"])
    plain = Sentence(text="The last keepers left.", citations=["p7"])
    said = {"supported": ("inferred", "supported"), "inferred": ("inferred", "partial"),
            "partial": ("partial", "partial"), "unsupported": ("unsupported", "unsupported")}  # fmt: skip
    for support, wanted in said.items():
        assert tuple(s.support for s in judged([marked, plain], verdicts_of(support))) == wanted
    held = Section(
        heading="Light", level=1, node=None, sentences=judged([marked, plain], verdicts_of("supported"))
    )
    summary = summarize([held], Evidence())
    assert (summary.inferred, summary.supported, summary.accuracy) == (1, 1, 1.0)


def verdicts_of(support: str) -> Verdicts:
    return Verdicts(verdicts=[SentenceVerdict(n=n, support=support) for n in (1, 2)])  # type: ignore[arg-type]


def edited(
    evidence: Evidence, told: list[tuple[str, list[str]]], edits: dict[int, str], language: str = "en"
) -> tuple[list[str], list[str]]:
    """Return what became of some sentences, and why edits were refused, in the order of the sentences."""
    sentences = [Sentence(text=text, citations=ids) for text, ids in told]
    section = Section(heading="Light", level=1, node=None, sentences=sentences)
    reviews = Reviews()
    [left] = apply_edits([section], edits, Checker(evidence, BRIEF.topic, language), reviews)
    why = [reviews.new.get(sentence_key(s.text, s.citations), Review()).edit_refused for s in sentences]
    return [s.text for s in left.sentences], why


def test_an_editor_leaves_out_a_step_or_code_only_where_another_sentence_of_the_sections_says_it(
    evidence: Evidence,
) -> None:
    said = [
        Sentence(text="dpkg --root /target -i foo.deb", citations=["p7"], form="code"),
        Sentence(text="Mount the disk and install the package.", citations=["p7"], form="step"),
        Sentence(text="dpkg -i foo.deb", citations=["p7"], form="code"),
        Sentence(text="dpkg -i foo.deb", citations=["p7"], form="code"),
    ]
    opening = Section(heading="In brief", level=1, node=None, sentences=said)
    section = opening.model_copy(update={"heading": "Repair"})
    reviews = Reviews()
    edits = {1: "", 2: "", 3: "Type dpkg.", 4: ""}
    [left] = apply_edits([section], edits, Checker(evidence, BRIEF.topic, "en"), reviews, opening)
    assert left.sentences == said[:3]


def test_an_edit_may_take_in_the_words_of_a_sentence_that_goes(evidence: Evidence) -> None:
    told = [
        ("So the tower needs nobody to stay (inference).", ["p7", "p8"]),
        ("The lamp became automatic, and a solar array feeds it.", ["p7"]),
    ]
    merged = "So the tower, whose automatic lamp a solar array feeds, needs nobody to stay (inference)."
    text, why = edited(evidence, told, {1: f"{merged} [p7][p8]", 2: ""})
    assert (text, why) == ([merged], ["", ""])


def test_words_are_counted_by_pairs_where_writing_has_no_blanks(evidence: Evidence) -> None:
    told = [("灯塔的管理员都离开了。", ["p7"])]
    better = "因此灯塔的管理员后来都离开了。"
    assert edited(evidence, told, {1: f"{better} [p7]"}, "zh") == ([better], [""])
    longer = "灯塔的管理员都离开了，因为工资太低，而且岛上没有学校。"
    kept, [why] = edited(evidence, told, {1: f"{longer} [p7]"}, "zh")
    assert kept == [told[0][0]]
    assert why.startswith("it brings words of its own: ")


def test_the_journal_says_why_an_edit_was_refused(evidence: Evidence) -> None:
    told = [("The last keepers left in 1994.", ["p7"]), ("The lens is in the museum.", ["p8"])]
    same = [text for text, _ids in told]
    for edits, reasons in (
        ({1: "The last keepers left in 1995. [p7]"}, ["figures differ: 1995", ""]),
        ({1: "The last keepers left. [p7]"}, ["figures differ: 1994", ""]),
        ({1: "The last keepers left in 1994. [p8]"},
         ["its citations are not those of the sentences that it is made of", ""]),
        ({2: ""}, ["", "left out, it would leave a passage untold"]),
        ({1: "The last keepers left in 1994, the lens in 1995. [p7][p8]", 2: ""},
         ["figures differ: 1995", "left out, it would leave a passage untold"]),
    ):  # fmt: skip
        assert edited(evidence, told, edits) == (same, reasons)


def test_sentences_are_joined_as_a_whole_or_not_at_all(evidence: Evidence) -> None:
    told = [
        ("The keepers left, as the log of the year says.", []),
        ("The log says more.", ["p7"]),
        ("The lens is in a museum on the shore.", []),
        ("It can be seen there.", ["p8"]),
    ]
    joined = "The keepers left, as the log of the year says, and the log says more."
    another = "The lens is in a museum on the shore since 1995, and it can be seen there."
    text, why = edited(evidence, told, {1: "", 2: f"{joined} [p7]", 3: "", 4: f"{another} [p8]"})
    assert text == [joined, told[2][0], told[3][0]], "one pair is joined whatever becomes of the other"
    assert why == ["", "", "what was to take it in was refused", "figures differ: 1995"]


def test_no_edit_takes_away_what_the_sentence_behind_or_the_heading_speaks_of(evidence: Evidence) -> None:
    told = [
        ("The keepers left, as the log of the year says.", ["p7"]),
        ("The council had sold the lamp, so this log was burned.", ["p7"]),
        ("The lens is in a museum on the shore.", ["p7"]),
    ]
    text, why = edited(evidence, told, {1: "", 3: ""})
    assert text == [told[0][0], told[1][0]]
    assert why == ["its heading, or the sentence behind it, speaks of what it names", "", ""]
