"""A sentence may count what it names itself; what is counted in the world needs a source."""

import pytest

from library.claims import abbreviations, full_names, missing_figures, missing_names, name_lexicon

PASSAGES = [
    "The bank bought long bonds. Rates rose, and two auditors warned of five causes. Regulators closed it.",
    "Customers withdrew money, and social media spread the news.",
]


def test_two_that_were_named_are_the_two_whatever_else_a_source_counts() -> None:
    told = "The venue is no evidence for it, since neither account links the two (inference)."
    assert missing_figures(told, ["Thousands of seats stayed empty.", "Of four cities one was chosen."]) == []
    assert missing_figures("The two cities were chosen.", ["Of four cities one was chosen."]) == ["two"]


@pytest.mark.parametrize(
    "text",
    [
        "The first two of these were the bonds and the rates.",
        "Three reasons are given: bonds, rates and the customers.",
        "Customers left for three main reasons.",
        "The account names four failings.",
        "Two of them were the bank's own, the other three were not.",
        "The second factor was the customers.",
        "It was lost to three: bonds, rates and customers.",
        "Three share the blame: the board, the firms around it, and the auditors and rule makers.",
        "Bonds and rates differ, so the two are not exchangeable.",
        "The first ground is what customers bring about; the second speaks of a bank short of value.",
        "A third letter is more serious.",
        "The third was over the customers.",
        "The money was moved into a second account.",
        "这两个原因是债券和利率。",
        "配置文件中有两种写法可选。",
        "有三个主要因素：债券、利率和客户。",
        "前两家都是银行。",
    ],
)
def test_what_a_sentence_counts_itself_needs_no_source(text: str) -> None:
    assert missing_figures(text, PASSAGES) == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Three auditors warned of it.", ["Three"]),
        ("Four regulators closed it.", ["Four"]),
        ("It was closed within three days.", ["three"]),
        ("Three causes were warned of by the auditors.", ["Three"]),
        ("Twelve reasons are given.", ["Twelve"]),
        ("There were 3 reasons and 40 customers.", ["3", "40"]),
        ("三家银行倒闭。", ["三"]),
        ("Four share the blame: the board, the firms around it, and the clerks.", ["Four"]),
        ("The three banks are closed.", ["three"]),
        ("The first is the bonds, the third are the rates.", ["third"]),
        ("It was the fourth bank to close.", ["fourth"]),
        ("A third auditor warned of it.", ["third"]),
        ("The third auditor was a customer.", ["third"]),
        ("Customers withdrew money, and the third was late.", ["third"]),
        ("It was closed after a third letter.", ["third"]),
    ],
)
def test_what_is_counted_in_the_world_does(text: str, missing: list[str]) -> None:
    assert missing_figures(text, PASSAGES) == missing


@pytest.mark.parametrize(
    ("text", "title", "missing"),
    [
        ("Chapter 4 says that bonds were bought.", "Chapter 4. Bonds", []),
        ("Chapter 6 says that bonds were bought.", "Chapter 4. Bonds", ["6"]),
        ("Chapter 4 says that bonds were bought.", "Chapter 42. Bonds", ["4"]),
        ("第 4 章说利率上升。", "第 4 章 利率", []),
        ("第 6 章说利率上升。", "第 4 章 利率", ["6"]),
        ("It lost 4 millions.", "Chapter 4. Bonds", ["4 millions"]),
    ],
)
def test_a_number_that_a_title_bears_names_the_place(text: str, title: str, missing: list[str]) -> None:
    assert missing_figures(text, PASSAGES, [title]) == missing


def test_dates_of_a_servers_log_are_dates() -> None:
    line = ['10.0.0.7 - - [27/Nov/2004:11:05:22 +0100] "GET /list" 200']
    assert missing_figures("It was asked for on 27 November 2004.", line) == []
    assert missing_figures("It was asked for on 28 November 2004.", line) == ["28 November 2004"]


def test_a_verb_that_begins_a_step_is_no_name() -> None:
    texts = ["See Copy Partitions, then Mill Road. Each partition should be copied.", "The mill stands."]
    known = name_lexicon(texts)
    assert missing_names("Copy each partition.", texts[1:], lexicon=known) == []
    assert missing_names("Road leads there.", texts[1:], lexicon=known) == ["Road"]


def test_a_name_that_shares_its_stem_with_what_is_done_is_a_name() -> None:
    texts = ["Tim Cook said so, and what Ann Mills milled was sold.", "They cooked it. The mill stands."]
    known = name_lexicon([*texts, "# Copy Partitions\n\nChecking Disks\n\nThey are copied."])
    assert missing_names("Cook resigned in spring.", ["The mayor resigned in spring."], (), known) == ["Cook"]
    assert missing_names("Mills resigned in spring.", ["The mayor resigned."], (), known) == ["Mills"]
    assert missing_names("Copy it, then check it. Checking takes long.", ["It is done."], (), known) == []


@pytest.mark.parametrize(
    ("text", "passage", "missing"),
    [
        ("The four were convicted of fraud.", "Two directors were convicted of fraud.", ["four"]),
        ("Of the bridges the six have collapsed.", "Four of the bridges have collapsed.", ["six"]),
        ("The two were convicted of fraud.", "Seven directors were convicted of fraud.", ["two"]),
        ("The three were convicted of fraud.", "The directors were convicted of fraud.", ["three"]),
        ("The two were convicted of fraud.", "The directors were convicted of fraud.", []),
        ("Bonds, fees and rates differ, so the three are kept apart.", "Seven are kept apart.", []),
        ("Bonds, fees and rates differ, so the four are kept apart.", "Seven are kept apart.", ["four"]),
    ],
)
def test_a_count_of_what_was_named_is_seen_to_be_one(text: str, passage: str, missing: list[str]) -> None:
    assert missing_figures(text, [passage]) == missing


def test_a_name_is_made_whole_by_what_other_passages_always_put_before_it() -> None:
    others = ["It was Ada Merrow who built it. Later Ada Merrow left.", "Then Ann Hill and Bea Hill came."]
    passages = ["Merrow said so to Hill."]
    full = full_names([*others, *passages])
    assert missing_names("It was Ada Merrow who said so.", passages, full=full) == []
    assert missing_names("It was Ada Merrow who said so.", passages) == ["Ada"]
    assert missing_names("It was said to Ann Hill.", passages, full=full) == ["Ann"], "there are two"
    assert missing_names("It was Ada Merrow.", ["Nobody said so."], full=full) == ["Ada", "Merrow"]


def test_a_person_has_the_titles_that_other_passages_give_them() -> None:
    others = ["The plates were blocked by Prime Minister Albin Merrow.", "Foreign Minister Ana Hill agreed."]
    passages = ["Merrow showed videos. Minister Hill agreed with Merrow."]
    full = full_names([*others, *passages])
    assert missing_names("So says Prime Minister Merrow.", passages, full=full) == []
    assert missing_names("So says Prime Minister Merrow.", passages) == ["Prime"]
    assert missing_names("So says Prime Minister Hill.", passages, full=full) == ["Prime"]


def test_the_unit_of_a_figure_is_no_name() -> None:
    """However it is written: `1KB`; the figures are compared with it."""
    passages = ["The mill has an overhead of about 1KB per object."]
    assert missing_names("Each object takes 1 KB more.", passages) == []
    assert missing_names("Each object takes KB more.", passages) == ["KB"]


def test_an_abbreviation_is_what_the_documents_say_it_stands_for() -> None:
    known = abbreviations(["Changes go to the write-ahead log (WAL) first.", "It uses MVCC (see below)."])
    assert known == {"wal": frozenset({("write", "ahead", "log")})}
    passages = ["Archive the write-ahead logs before the base backup."]
    assert missing_names("Archive the WAL first.", passages, short=known) == []
    assert missing_names("Archive the WAL first.", passages) == ["WAL"]
    assert missing_names("Archive the WAL first.", ["Archive the logs."], short=known) == ["WAL"]


@pytest.mark.parametrize(
    ("text", "passage", "missing"),
    [
        ("It takes two absolute paths.", "Both olddir and newdir must be absolute paths.", []),
        ("把新旧两个系统的目录名合在一起查看。", "将旧系统挂载到别处，重新安装最小系统。", []),
        ("It takes two absolute paths.", "Each of the three directories must be absolute paths.", ["two"]),
        ("It takes two keepers.", "Both olddir and newdir must be absolute paths.", ["two"]),
        ("两个灯塔的目录。", "将旧系统挂载到别处，重新安装最小系统。", ["两"]),
    ],
)
def test_two_of_what_a_source_names_and_counts_nowhere_are_counted(
    text: str, passage: str, missing: list[str]
) -> None:
    assert missing_figures(text, [passage]) == missing


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("It goes back to a moment before 14:05.", []),
        ("It stopped before 00:47:20, after 00:46.", []),
        ("It stopped at 00:47:21.", ["00", "21"]),
        ("It stopped at 14:06.", ["14", "06"]),
    ],
)
def test_a_time_of_day_is_one_figure_which_the_question_may_give(text: str, missing: list[str]) -> None:
    passages = ["It was at 00:47:20.278871, and the one before at 00:46:04."]
    asked = "Somebody deleted it at 14:05 today. How is it brought back?"
    found = missing_figures(text, passages, asked=asked)
    assert bool(found) == bool(missing), found


@pytest.mark.parametrize(
    ("text", "passage", "missing"),
    [
        ("A split halves the price.", "By a split the price will be halved.", []),
        ("The proceeds were 1300.", "It is 2000 original cost − 1300 proceeds of the sale.", []),
        ("The gain was 1300.", "Gain: − 1300 in May.", ["1300"]),
        ("The gain was 5%.", "It was − 5% in May.", ["5"]),
    ],
)
def test_what_halves_is_no_figure_and_a_minus_between_two_numbers_no_sign(
    text: str, passage: str, missing: list[str]
) -> None:
    assert missing_figures(text, [passage]) == missing
