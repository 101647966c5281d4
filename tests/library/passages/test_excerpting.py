"""Excerpts: of a text what tells most about something, in so many tokens, word for word."""

from hypothesis import given
from hypothesis import strategies as st

from library.passages.excerpting import WHOLE, beginning, excerpts, short_title, whole_or_around
from models.prompting.token_estimate import estimate

RIVER = (
    "# The river\n\nThe town was founded in 1204. Its mills ground corn. "
    "The flood of 1954 drowned the lower town. Nine bridges fell. "
    "The levee was raised in 1960. Bakers still sell a cake shaped like an oar."
)
BIRDS = "Terns nest on the gravel. In dry years a flood of visitors comes. The hide holds six people."


def test_what_tells_of_it_is_shown_and_what_is_left_out_is_marked() -> None:
    river, birds = excerpts([RIVER, BIRDS], "Which flood drowned the town?", 40)
    assert "The flood of 1954 drowned the lower town." in river
    assert river.startswith("… ")
    assert "oar" not in river
    assert "flood of visitors" in birds


def test_each_text_keeps_a_sentence_however_little_room_there_is() -> None:
    assert all(excerpts([RIVER, BIRDS], "levee", 1))


def test_with_room_for_all_nothing_but_the_heading_is_left_out() -> None:
    [river] = excerpts([RIVER], "flood", 1_000)
    assert river == "… " + RIVER.partition("\n\n")[2] or river == RIVER.partition("\n\n")[2]


def test_each_text_may_be_asked_for_something_of_its_own() -> None:
    one, other = excerpts([RIVER, RIVER], ["levee raised", "mills and corn"], 2)
    assert "levee" in one
    assert "mills" in other


@given(st.lists(st.text(max_size=300), max_size=5), st.text(max_size=40), st.integers(0, 200))
def test_any_text_gives_parts_of_itself(texts: list[str], about: str, tokens: int) -> None:
    found = excerpts(texts, about, tokens)
    assert len(found) == len(texts)
    for text, told in zip(texts, found, strict=True):
        assert all(part.strip() in text for part in told.split("…"))
        assert bool(told) == bool(text.strip())


def test_the_room_is_kept_beyond_each_text_s_best_sentence() -> None:
    told = excerpts([RIVER] * 3, "flood", 60)
    assert sum(map(estimate, told)) < 90


@given(st.text(max_size=4 * WHOLE), st.lists(st.text(max_size=60), max_size=3))
def test_a_short_passage_is_never_cut_and_of_a_long_one_sentences_stay_whole(
    text: str, claims: list[str]
) -> None:
    told = whole_or_around(text, claims)
    if estimate(text) <= WHOLE:
        assert told == text.strip()
    assert bool(told) == bool(text.strip())
    assert all(part.strip() in text for part in told.split("…"))


def test_what_each_claim_rests_on_stays_whatever_the_room() -> None:
    long = " ".join([RIVER] * 4 + [BIRDS])
    told = whole_or_around(long, ["Nine bridges fell.", "Six people fit into the hide."], 1)
    assert "Nine bridges fell." in told
    assert "The hide holds six people." in told
    assert "oar" not in told
    assert whole_or_around(long, [], 10).startswith("The town was founded in 1204.") or "…" in told


REPAIR = (
    "### Emergency downgrade\n\nStart from the installation disk. Put the older package there.\n\n"
    "```\n# dpkg --root /target -i foo.deb\n```\n\nThen start again."
)


def test_a_beginning_has_its_heading_and_its_commands():
    line = beginning(REPAIR, 200)
    assert line.startswith("Emergency downgrade: Start from")
    assert "# dpkg --root /target -i foo.deb Then start again." in line


def test_a_beginning_is_cut_between_words_where_there_are_any():
    assert beginning(REPAIR, 40) == "Emergency downgrade: Start from the …"
    chinese = "这座老桥在那一年的春天因为维修而关闭，p13 以后才再开放。" * 3
    assert beginning(chinese, 40) == chinese[:40] + " …"


def test_a_command_is_shown_with_the_sentence_that_says_what_it_is_for():
    long = f"{REPAIR}\n\n" + "The valley has many mills and weirs of every age and kind. " * 30
    shown = whole_or_around(long, ["dpkg --root"], 60)
    assert "Put the older package there.\n\n```\n# dpkg --root /target -i foo.deb\n```" in shown


def test_titles_of_one_work_are_told_apart_by_their_ends() -> None:
    work = "The Handbook of the Database, Second Edition: Chapter on Continuous Archiving and Recovery: "
    short = {short_title(work + end, 72) for end in ("Making a Base Backup", "Recovering to a Point in Time")}
    assert [title.partition(" … ")[2] for title in sorted(short)] == [
        "Archiving and Recovery: Making a Base Backup", "and Recovery: Recovering to a Point in Time",
    ]  # fmt: skip
    assert all(title.startswith("The Handbook of the") and len(title) <= 72 for title in short)
    assert short_title("A short title", 72) == "A short title"
    wide = short_title("安装系统时选择语言和键盘布局的详细说明：恢复启动引导程序并修复分区表" * 2, 40)
    assert len(wide) <= 40
    assert wide.endswith("修复分区表")
