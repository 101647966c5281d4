"""Excerpts: of a text what tells most about something, in so many tokens, word for word."""

import re

from hypothesis import given
from hypothesis import strategies as st

from library.passages.excerpts.excerpting import (
    ARGUED,
    LISTED,
    WHOLE,
    beginning,
    excerpts,
    resting_line,
    short_title,
    whole_or_around,
)
from models.prompting.token_estimate import estimate

COUNTED = re.compile(r"(?:\(\d+ of \d+ items left out\)(?:, )?)+")
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


def test_a_line_shows_the_part_of_a_long_sentence_that_was_looked_for() -> None:
    long = "After all this, when the server has read its files, `rndc signing -list` says what is left to do."
    text = f"The zone is read. {long}"
    assert resting_line(text, ["When is a zone read?"], 60).startswith("The zone is read")
    line = resting_line(text, ["what is left: rndc signing"], 50)
    assert line.startswith("… ")
    assert "`rndc signing -list` says" in line
    assert len(line) <= 50
    assert resting_line(text, ["after all this the server"], 60).startswith("… After all this")


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


def test_sentences_that_follow_each_other_without_a_space_are_shown_so() -> None:
    assert excerpts(["雨停了。天晴了。"], "天", 50) == ["雨停了。天晴了。"]


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
    parts = [part.strip() for part in told.split("…")]
    assert all(part in text or COUNTED.fullmatch(part) for part in parts)


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


CHECKS = [
    "The crane's hook has no crack and its latch closes",
    "Each sling bears a tag with the load that it may carry",
    "The outriggers stand on boards and not on bare earth",
    "Nobody stands between the load and the quay",
    "The wind at the mast stays below force six",
    "Signals were agreed upon, and one person alone gives them",
    "The way of the load is free of wires, also where it turns",
    "The brake holds the load a hand above the ground",
    "Lamps are lit before dusk, and the load can be seen from the cabin",
    "The log names who lifted what, and when the next look is due",
    "The harbour master knows of every load above nine tonnes",
    "A second brake is tried once a week, without a load",
    "Ropes with six broken wires in one lay are thrown away",
]
CHECKLIST = (
    "## Before a lift\n\nA lift begins with a walk around the crane. These are looked at in turn:\n\n"
    + "\n".join(f"{n}. {each}, as the yard's rules of 1994 want it." for n, each in enumerate(CHECKS, 1))
    + "\n\nWho finds a fault hangs a red board on the cabin's door and calls the foreman."
)


def test_a_list_is_shown_whole_to_whoever_argues_with_it() -> None:
    assert 1.25 * ARGUED < estimate(CHECKLIST) < LISTED
    assert whole_or_around(CHECKLIST, ["force six"], ARGUED) == CHECKLIST
    long = f"{CHECKLIST}\n\n" + "The quay was paved with basalt and has been mended since. " * 40
    shown = whole_or_around(long, ["force six"], ARGUED)
    assert CHECKLIST[CHECKLIST.index("These are looked at") : CHECKLIST.index("Who finds")].strip() in shown
    assert estimate(shown) < LISTED + ARGUED


def test_a_longer_list_is_cut_between_items_with_its_lead_in_and_the_count_of_what_is_left_out() -> None:
    shown = whole_or_around(CHECKLIST, ["The wind must stay below force six at the mast."], 60)
    assert "These are looked at in turn:" in shown
    assert "5. The wind at the mast stays below force six, as the yard's rules of 1994 want it." in shown
    left = sum(int(n) for n in re.findall(r"\((\d+) of 13 items left out\)", shown))
    kept = [each for each in CHECKS if f". {each}, as the yard's rules of 1994 want it." in shown]
    assert left == len(CHECKS) - len(kept)
    assert all(each in kept or each not in shown for each in CHECKS)


def test_an_item_comes_with_the_item_that_it_stands_in_and_a_row_with_its_heads() -> None:
    inner = "\n".join(f"    - part {n} is made of oak and of brass" for n in range(30))
    nested = f"The mill has these:\n\n- the wheel, rebuilt\n- the sluice, of 1840\n{inner}\n- a loft"
    shown = whole_or_around(nested, ["part 17"], 50)
    assert "- the sluice, of 1840" in shown
    assert "The mill has these:" in shown
    rows = "\n".join(f"Quay {n} | {n * 3} m | {1900 + n}" for n in range(60))
    table = f"Quays of the port.\n\nQuay | Depth | Built\n{rows}"
    shown = whole_or_around(table, ["Quay 41 was built in 1941"], 50)
    assert "Quay | Depth | Built" in shown
    assert "Quay 41 | 123 m | 1941" in shown
    assert re.search(r"\(\d+ of 60 items left out\)", shown)


def test_a_chinese_list_of_thirteen_items_is_not_torn() -> None:
    check = "确认起重机的钢丝绳没有断丝并且制动器能够可靠地停住重物"
    items = "\n".join(f"{n}. 第{n}项检查：{check}" for n in range(1, 14))
    listed = f"起吊以前依次检查下列各项：\n\n{items}"
    assert estimate(listed) > 1.5 * 1.25 * ARGUED
    assert whole_or_around(listed, ["制动器"], ARGUED) == listed


def test_what_leads_to_a_quotation_is_not_shown_without_it_nor_that_without_it() -> None:
    filler = " ".join(f"The council met in room {n} of the old town hall that year." for n in range(60))
    led = "The ferryman added that:"
    text = f"{filler} {led}\n\nNobody had ever paid him for the night crossings. {filler}"
    for asked in ("What did the ferryman add?", "Who paid for night crossings?"):
        shown = whole_or_around(text, [asked], 60)
        assert led in shown
        assert "Nobody had ever paid him for the night crossings." in shown
        assert shown.index(led) < shown.index("Nobody had")
