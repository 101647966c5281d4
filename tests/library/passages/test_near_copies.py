"""What says the same in several formats is one text; what differs in a figure or a “not” is not."""

import pytest

from library.passages import copies, holders, parted, untold

PAGE = """### Keeping a copy

Before you begin, stop the mail server, for it writes all the time.

- Copy the folder with `tar -cf copy.tar ./post` to another disk.
- Keep three copies (see Section 4.2, “Where to keep them”).
"""
PDF = """4.1.1 Keeping a copy Before you begin, stop the mail server, for it
writes all the time.

Handbook of the Post 17 / 90

• Copy the folder with ”tar -cf copy.tar ./post” to another disk.

• Keep three copies (see Section 4.2).
"""
TEXT = """4.1.1. Keeping a copy

    Before you begin, stop the mail ser-
    ver, for it writes all the time.

      * Copy the folder with "tar -cf copy.tar ./post" to another
        disk.

      * Keep three copies (see Section 4.2, "Where to keep them").

4.1.2.
"""
TITLE = "Handbook of the Post"


def same(one: str, other: str) -> bool:
    return copies([one, other], [TITLE, TITLE]) == [[0, 1]]


def test_one_text_in_three_formats_is_one() -> None:
    page = PAGE.replace("`tar -cf copy.tar ./post`", '"tar -cf copy.tar ./post"')
    assert copies([page, PDF], [TITLE, TITLE]) == copies([page, TEXT], [TITLE, TITLE]) == [[0, 1]]


def test_a_text_in_chinese_is_one_in_whatever_lines_it_stands() -> None:
    page = (
        "### 个人备份\n\n对于桌面系统来说，只需要保护“个人”数据和关键数据（参见第 10.2 节 “备份和恢复”），"
        "因为系统每年都会重新安装一次。没有理由备份整个系统。"
    )
    text = (
        '10.2.3. 个人备份\n\n    对于桌面系统来说，只需要保护"个人"数据和关键\n    数据（参见第 10.2 节 “'
        '备份\n    和恢复”），因为系统每年都会重\n    新安装一次。没有理由备份整个系统。'
    )
    assert same(page, text)


BASE = "Before the upgrade to version 15.3 stop the server with `pg_ctl stop -m fast` and wait 20 seconds."


@pytest.mark.parametrize(
    "other",
    [
        BASE.replace("15.3", "15.2"),
        BASE.replace("20", "200"),
        BASE.replace("-m fast", "-m smart"),
        BASE.replace("-m", "-M"),
        BASE.replace("stop the", "do not stop the"),
        BASE.replace("and wait", "and do not wait"),
        BASE.replace("Before", "Not before"),
        BASE.replace("stop -m fast`", "stop` -m fast --no-wait"),
        BASE.removesuffix(".") + " at least.",
        BASE.replace("upgrade", "downgrade"),
        BASE.replace("stop -m", "./stop -m"),
        BASE.replace("15.3", ".3"),
    ],
)
def test_what_differs_in_one_word_figure_or_sign_is_not_the_same(other: str) -> None:
    for one, two in ((BASE, other), (other, BASE)):
        assert copies([one, two]) == [[0], [1]]
        assert holders([one, two]) == [[], []]
        assert untold(one, [two])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("psql shop < copy.sql\npsql shop -c 'ANALYZE'", "psql shop > copy.sql\npsql shop -c 'ANALYZE'"),
        ("```\ncd /tmp/scratch\nrm -r everything\n```", "```\nrm -r everything\ncd /tmp/scratch\n```"),
        ("## Linux\n\nRun the installer and wait.", "## Windows\n\nRun the installer and wait."),
        ("15.2.1 Fixes the order of rows in a merge.", "15.2.2 Fixes the order of rows in a merge."),
        ("All pages are flushed to the disk first.", "Not\nall pages are flushed to the disk first."),
        ("Passed on the machines 12 / 90", "Passed on the machines 13 / 90"),
    ],
)
def test_neither_direction_nor_order_nor_heading_nor_number_is_folded_away(one: str, other: str) -> None:
    assert holders([one, other]) == [[], []]


def test_what_stands_in_another_is_held_by_it_and_of_the_rest_only_that_is_left() -> None:
    longer = f"{BASE} Then copy the data directory to the new machine. Start the server there."
    assert holders([BASE, longer]) == [[1], []]
    more = f"{longer}\n\n```\n$ pg_ctl start\n```\n\nLook at the log when it has started."
    left = untold(more, [longer])
    assert [more[a:b] for a, b in left] == ["$ pg_ctl start", "Look at the log when it has started."]
    assert parted(more, left[:1]).endswith("```\n$ pg_ctl start\n``` …")
    assert "Before the upgrade" not in parted(more, left)


def test_what_is_short_is_the_same_only_sign_by_sign() -> None:
    assert copies(["Stop it.", "Stop  it.", "Stop it. Now."]) == [[0, 1], [2]]


OPTION = """{number}

Include Shelf Option

Lend from named shelves alone.

Shelves that are not named stay closed until the next day. What lies on them can be taken back with the \
command shelf-open, and it is not lent to anybody before that. A shelf may be named more than once, \
and those that nobody names are counted on Monday.

```
example: {example}
```

{after}"""


@pytest.mark.parametrize(("number", "after"), [("7.3", "7.4"), ("12", "12.1.4"), ("4.", "")])
def test_the_number_of_a_section_in_a_line_of_its_own_is_no_part_of_a_text(number: str, after: str) -> None:
    one = OPTION.format(number="1.2", after="1.3", example="--shelf-include=maps")
    other = OPTION.format(number=number, after=after, example="--shelf-include=maps")
    assert same(one, other)


@pytest.mark.parametrize("figure", ["9.2", "13"])
def test_a_figure_in_a_line_of_its_own_is_one_where_something_leads_to_it(figure: str) -> None:
    told = "Each shelf is numbered when it is built. The newest of all shelves here is number:\n\n{}"
    assert copies([told.format("9.1"), told.format(figure)]) == [[0], [1]]


def test_a_section_of_two_references_under_two_headings_is_one_text() -> None:
    one = OPTION.format(number="7", after="", example="--shelf-include=maps")
    other = one.replace("Include Shelf Option", "Shelf by name")
    assert same(one, other)
    bare = one.partition("\n\n")[2].partition("\n\n")[2]
    assert holders([one, bare]) == [[], [0]], "a heading where the other text has none is left to tell"
    above = f"6\n\nLending\n\nWhat this part says holds for lending.\n\n{one.replace('7', '6.1')}"
    assert holders([one, above])[0] == [1]


def test_of_what_differs_in_a_few_words_these_are_left() -> None:
    one = OPTION.format(number="7", after="", example="--shelf-include=maps")
    other = OPTION.format(number="7", after="", example="shelf-include=maps")
    assert copies([one, other]) == [[0], [1]]
    assert [one[a:b] for a, b in untold(one, [other])] == ["example: --shelf-include=maps"]
    denied = one.replace("it is not lent", "it is lent")
    assert any("it is lent" in denied[a:b] for a, b in untold(denied, [one]))
