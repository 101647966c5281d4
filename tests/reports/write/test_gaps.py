"""What the sources do not say is checked against the passages that could say it."""

from library import Evidence, Passage
from library.text.similarity.tfidf import TextStatistics
from reports import Brief, Counts
from reports.write.parts.gaps import apart, checking_gaps

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


def test_points_that_mean_the_same_in_other_words_are_one_and_others_stay() -> None:
    points = ["who pays for the repair of the wall", "who paid for the wall", "which ships carried the stone"]
    assert apart(points, TextStatistics()) == [points[0], points[2]]
