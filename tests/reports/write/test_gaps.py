"""What the sources do not say is checked against the passages that could say it."""

from library import Evidence, Passage
from library.text.similarity.tfidf import TextStatistics
from reports import Brief, Counts, GivenAnswer, ReportSettings
from reports.document import Section, Sentence
from reports.plan.map_reader import Branch
from reports.plan.outline import ReportPlan
from reports.report_phrases import phrases_for
from reports.write.drafting.section_drafting import SectionDrafting
from reports.write.parts.gaps import CheckedGaps, apart, beside, checking_gaps, nearest_told

COMMON = "The base backup of the harbour's tables is copied; the log is replayed onto the backup, by step {}."
LIST = (
    "The only files that are not copied are:\n\n- the lock of the server and its options\n"
    "- what is left of sorting and joining, wherever it lies\n"
    "- unlogged relations, but for the fork from which an empty one is made anew\n"
    "- the folder of slots, which each server has for itself\n- links that lead out of the folder"
)


def test_what_single_words_of_a_gap_single_out_is_shown_to_whoever_checks_it() -> None:
    texts = [COMMON.format(n) for n in range(1, 30)] + [LIST]
    passages = {
        f"p{n}": Passage(
            id=f"p{n}", sha256=f"{n:064d}", url=f"file:///{n}.md", title="", text=text, start=0, end=len(text)
        )
        for n, text in enumerate(texts, 1)
    }
    brief = Brief(
        topic="How is the harbour's database backed up?",
        gaps=["No passage found on unlogged tables in base backups or the replay of the log"],
        counts=Counts(models=["openai:a-model"]),
    )
    [task] = checking_gaps(brief, Evidence(passages), TextStatistics(), 2_000).tasks
    assert "p30" in {passage.id for passage in task.passages}


def test_what_a_title_alone_tells_is_shown_to_whoever_checks_gaps() -> None:
    titles = [*("The harbour's tables" for _ in range(1, 30)), "Auditors charge two pilots with negligence"]
    passages = {
        f"p{n}": Passage(
            id=f"p{n}", sha256=f"{n:064d}", url=f"file:///{n}.md", title=title,
            text="It rained for the whole of June." if n == 30 else COMMON.format(n), start=0, end=30,
        )
        for n, title in enumerate(titles, 1)
    }  # fmt: skip
    brief = Brief(
        topic="Why did the ferry hit the wall?",
        gaps=["which charge was brought after the backup of the harbour's tables"],
        counts=Counts(models=["openai:a-model"]),
    )
    [task] = checking_gaps(brief, Evidence(passages), TextStatistics(), 2_000).tasks
    assert task.near["p30"] == [1]
    assert "Auditors charge two pilots" in task.fields()["passages"]


ASKED = [
    "who warned the harbour office about the crane before June, what they said, and how the office responded",
    "what the harbour office's own people said about the crane, and what happened to them",
    "whether the crane, or the office's other machines, were looked at by anybody from outside",
]


def test_points_that_a_model_has_told_apart_all_stay_but_for_what_it_says_twice() -> None:
    counts = Counts(models=["openai:a-model"])
    brief = Brief(topic="Was the harbour office warned?", gaps=ASKED, counts=counts)
    asking = checking_gaps(brief, Evidence({}), TextStatistics(), 2_000)
    said = asking.read([CheckedGaps(gaps=[*ASKED, f"{ASKED[1]}."])])
    assert said.unsaid == ASKED


def test_a_point_of_which_the_opening_tells_one_half_stays() -> None:
    told = ["who was to blame for the chaos at the harbour's gates"]
    more = f"{told[0]}, and how the port office, the police or the sailors explained it"
    assert beside([more, told[0]], told, TextStatistics()) == [more]


def test_what_answers_a_point_is_told_to_whoever_writes_of_its_passage() -> None:
    page = Passage(
        id="p1", sha256="1" * 64, url="file:///1.md", title="Office seeks a buyer for the crane",
        text="It rained in May.", start=0, end=16,
    )  # fmt: skip
    counts = Counts(models=["openai:a-model"])
    brief = Brief(topic="Was it sold?", gaps=["whether a buyer was sought"], counts=counts)
    evidence = Evidence({"p1": page})
    asking = checking_gaps(brief, evidence, TextStatistics(), 2_000)
    says = "A headline says that the office sought a buyer [p9]."
    reply = {"gaps": [], "answered": [{"n": 1, "passages": ["p1", "p9"], "says": says}]}
    gaps = asking.read([CheckedGaps.model_validate(reply)])
    told = "A headline says that the office sought a buyer. [p1]"
    assert gaps.found == [("whether a buyer was sought", told)]
    drafting = SectionDrafting(
        brief, evidence, TextStatistics(), ReportSettings(), phrases_for("en"), found=gaps.found
    )
    plan = ReportPlan("Sale", (Branch("n1", "Sale", (), ("p1",)),), "n1", words=50)
    [material] = drafting.materials(plan, [])
    assert material.notes == gaps.found


def test_the_sentence_of_a_section_that_comes_nearest_to_a_gap_is_shown_with_it() -> None:
    texts = ["The motion was carried by 347 votes to 238.", "The harbour froze in March."]
    told = [Sentence(text=text, citations=[f"p{n}"]) for n, text in enumerate(texts, 1)]
    section = Section(heading="Vote", level=1, node=None, sentences=told)
    points = ["how the votes on the motion fell", "who won the motion's votes"]
    assert nearest_told(points, [section], TextStatistics()) == [f"{texts[0]} [p1]"]
    assert nearest_told(points, [], TextStatistics()) == []


def test_a_point_in_nearly_the_same_words_is_checked_once() -> None:
    points = ["who paid for the wall of the harbour", "who paid for the harbour's wall", "which ships came"]
    assert apart(points, TextStatistics()) == [points[0], points[2]]


def test_whoever_checks_gaps_sees_what_answers_cite_beside_each_and_no_table_of_contents() -> None:
    contents = "\n".join(f"- Statement that sets the sequences, part {n}" for n in range(1, 30))
    texts = [contents, *(COMMON.format(n) for n in range(1, 30)), "SELECT setval('counter', 41) sets it."]
    passages = {
        f"p{n}": Passage(
            id=f"p{n}", sha256=f"{n:064d}", url=f"file:///{n}.md", title="", text=text, start=0, end=len(text)
        )
        for n, text in enumerate(texts, 1)
    }
    answer = "The backup is copied by step 3 [p4]. Each of the sequences is set anew with `setval` [p31]."
    brief = Brief(
        topic="How is the harbour's database backed up?",
        gaps=["the statement that sets the sequences of the harbour's tables"],
        answers=[GivenAnswer(question="How is it moved?", answer=answer)],
        counts=Counts(models=["openai:a-model"]),
    )
    [task] = checking_gaps(brief, Evidence(passages), TextStatistics(), 2_000).tasks
    assert task.near["p31"] == [1]
    assert "p1" not in task.near
    assert "- Each of the sequences is set anew with `setval`. [p31]" in task.fields()["passages"]
