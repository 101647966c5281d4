"""What a planner of sections is offered beside what the discussion rests on."""

from library import Evidence, Passage
from library.text.similarity.tfidf import TextStatistics
from mindmap import MindMap
from reports import Brief, Counts, GivenAnswer, ReportSettings
from reports.plan.section_plan import planning

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
