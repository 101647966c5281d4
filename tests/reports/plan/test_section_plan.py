"""What a planner of sections is offered beside what the discussion rests on."""

from library import Evidence, Passage
from library.text.similarity.tfidf import TextStatistics
from mindmap import AddNode, AddNote, MindMap, Note
from reports import Brief, Counts, GivenAnswer, ReportSettings
from reports.plan.beside_sections import beside_sections
from reports.plan.map_reader import branch
from reports.plan.outline_task import SectionOutline
from reports.plan.section_plan import planned, planning, section_from

GENERAL = "The harbour's backup is made from the archive of the harbour's log; it restores log {}."
TARGET = "A stopping place may be a time with its zone, or a named mark; the server ends when it is not met."


def test_a_passage_near_one_answer_alone_is_offered_where_many_are_near_to_all() -> None:
    texts = [GENERAL.format(n) for n in range(1, 40)] + [TARGET]
    passages = {
        f"p{n}": Passage(
            id=f"p{n}", sha256=f"{n:064d}", url=f"file:///{n}.md", title="", text=text, start=0, end=len(text)
        )
        for n, text in enumerate(texts, 1)
    }
    made = [
        GivenAnswer(question=f"What of log {n}?", answer=f"The backup restores log {n} [p{n}].")
        for n in (1, 2, 3)
    ]
    told = GivenAnswer(question="Where may restoring stop?", answer="At a stopping place that is named [p4].")
    brief = Brief(
        topic="How is the harbour's backup made from the archive of its log, and restored?",
        answers=[*made, told],
        counts=Counts(models=["openai:a-model"]),
    )
    map_, resting = MindMap(brief.topic), ["p1", "p2", "p3", "p4"]
    task = planning(brief, map_, Evidence(passages), resting, ReportSettings(), TextStatistics())
    offered = dict(task.passages)
    assert "p40" in offered
    assert len(offered) <= len(resting) + 16 + 10


def test_a_section_s_writer_is_offered_what_goes_on_from_its_passages_and_how_a_command_is_typed() -> None:
    page = [
        "The archive of the harbour is copied with `harbour-copy`. To end the copy, issue the command:",
        "```\nSELECT end_of_copy(true);\n```\n\nThen wait until the last sheet has come, for it may be late.",
        "The harbour was built in 1820 by masons from the north, who were paid by the day and lived ashore.",
    ]
    texts = {"p1": page[0], "p2": page[1], "p3": page[2]}
    texts["p4"] = "## Examples\n\nA whole copy, to a folder beside:\n\n```\n$ harbour-copy -D /srv/copy\n```"
    texts["p5"] = "Gulls nest on the roof of the harbour office in spring, and nobody drives them from there."
    passages = {}
    start = 0
    for n, (i, text) in enumerate(texts.items()):
        sha256 = "a" * 64 if n < 3 else str(n) * 64
        url = f"file:///{sha256[0]}.md"
        passages[i] = Passage(sha256, start, start + len(text), text, url, "", id=i)
        start += len(text) + 2
    answer = "The archive is copied with `harbour-copy`, then the copy is ended [p1]."
    brief = Brief(
        topic="How is the archive of the harbour copied?",
        answers=[GivenAnswer(question="How?", answer=answer)],
        counts=Counts(models=["openai:a-model"]),
    )
    copying = {"heading": "Copying the archive", "purpose": "How it is done.", "passages": ["p1"]}
    outline = SectionOutline.model_validate({"outline": [copying]})
    map_, held = MindMap(brief.topic), Evidence(passages)

    def offered(tokens: int) -> tuple[str, ...]:
        found = planned(outline, map_, held, ["p1"], TextStatistics(), brief, beside=tokens)
        assert found is not None
        return found.plans[0].chosen

    assert offered(0) == ("p1",)
    assert set(offered(90)) == {"p1", "p2", "p4"}
    assert "p4" in offered(40), "what is typed before what is near"


def test_a_command_of_several_words_between_the_words_of_a_passage_is_offered_where_it_is_named() -> None:
    texts = {
        "p1": "Whether the signing of a zone has ended is told by `harbour`. Signing takes long.",
        "p2": "The signing of a zone has ended when the harbour says so; its end is told once, to all.",
        "p3": "What is left is seen with `harbour signing -list`. It asks all keepers, one by one, and then "
        "tells how many of them are at it still.",
    }
    held = {
        i: Passage(str(n) * 64, 0, len(text), text, f"file:///{i}.md", "", id=i)
        for n, (i, text) in enumerate(texts.items())
    }
    answer = "Whether the signing of the zone has ended is told by harbour [p1]."
    brief = Brief(
        topic="How do I know that the signing has ended?",
        answers=[GivenAnswer(question="How?", answer=answer)],
        counts=Counts(models=["openai:a-model"]),
    )
    section = ("The end of signing", ["p1"])
    [found] = beside_sections([section], brief, Evidence(held), (), 80)
    assert found[0] == "p3"


def test_what_is_far_from_all_of_a_section_s_own_is_not_offered_though_nothing_else_is_left() -> None:
    own = "The queue at the gates broke down, and hundreds of places stayed empty when the ferry left."
    far = "Whoever left the chess match early is out: a draw gives half a point, a win one, and none is lent."
    held = {
        f"p{n}": Passage(str(n) * 64, 0, len(text), text, f"file:///{n}.md", "", id=f"p{n}")
        for n, text in enumerate((own, far), 1)
    }
    given = GivenAnswer(question="What broke down?", answer="The queue at the gates broke down [p1].")
    counts = Counts(models=["openai:a-model"])
    brief = Brief(topic="What of the gates must the others know?", answers=[given], counts=counts)
    section = ("The queue at the gates", ["p1"])
    assert beside_sections([section], brief, Evidence(held), (), 400) == [[]]


def test_of_what_is_said_twice_the_section_s_writer_is_shown_the_later_word_wherever_the_map_has_it() -> None:
    map_ = MindMap("Why did the wall fall?")
    map_.apply(AddNode(id="n1", title="The carts", parent=map_.root))
    last = Note(turn=4, question=map_.node(map_.root).title, answer="Six heavy carts broke the wall [p1].")
    first = Note(turn=2, question="Which carts?", answer="Heavy carts broke the wall, six or nine [p1].")
    map_.apply(AddNote(node=map_.root, note=last))
    map_.apply(AddNote(node="n1", note=first))
    passage = Passage(id="p1", sha256="1" * 64, url="file:///1.md", title="", text="Carts.", start=0, end=6)
    held = branch(map_, map_.root, Evidence({"p1": passage}))
    [carts] = section_from("Carts", "", 90, ["p1"], held).branches
    assert [note.turn for note in carts.notes] == [2, 4]
