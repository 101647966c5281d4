"""A document's byline is told by its place and its form; what is text stays text."""

import pytest

from library.passages.quote_filter import quotable
from library.passages.statements import statements
from library.text.byline import byline
from library.text.sentences import sentences


@pytest.mark.parametrize(
    ("text", "words", "published"),
    [
        ("# Mud\n\n*The Courier, Monday 16 March 1987. By our staff.*\n\nMen dug.",
         "The Courier, Monday 16 March 1987. By our staff.", "1987-03-16"),
        ("# Mud\n_A companion, 3rd edition, 2004._\nMen dug.", "A companion, 3rd edition, 2004.", "2004"),
        ("# Mud\n\n*Review, vol. 44, April 1989.*", "Review, vol. 44, April 1989.", "1989-04"),
        ("# Mud\n\n**Version 15.3** (26-Nov-2019)\n", "Version 15.3 (26-Nov-2019)", "2019-11-26"),
        ("# Mud\n\n*Seen in* The Lantern, *summer 2022. By Hale.*",
         "Seen in The Lantern, summer 2022. By Hale.", "2022"),
        ("Mud\n===\n\nBy Jane Hale, 16 March 1987\n\nMen dug.", "By Jane Hale, 16 March 1987", "1987-03-16"),
        ("Mud below\nPublished on 4 May 2020 by the BBC\n\nMen dug.", "Published on 4 May 2020 by the BBC",
         "2020-05-04"),
        ("# 大坝\n\n2019年5月3日 记者 王伟\n\n村民挖泥。", "2019年5月3日 记者 王伟", "2019-05-03"),
        ("# Damm\n\nVon Hans Müller, 3. Mai 2019\n\nSie gruben.",
         "Von Hans Müller, 3. Mai 2019", "2019-05-03"),
        # The day that is told first, before one that is told later, and before a month or a year.
        ("# Mud\n\n*Hale, 2 December 2003. Printed in 2013.*", "Hale, 2 December 2003. Printed in 2013.",
         "2003-12-02"),
    ],
)  # fmt: skip
def test_the_line_below_a_title_that_says_whose_it_is_and_when(text: str, words: str, published: str) -> None:
    found = byline(text)
    assert found is not None
    assert (found.words, found.published) == (words, published)
    assert text[found.start : found.end].replace("*", "").strip("_") == words


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Mud",
        "# Mud\n\nOn 16 March 1987 the dam failed.\n",
        "# Mud\n\nOn 16 March 1987 dirty water was seen below the dam, and\nnobody came.\n",
        "# Mud\n\nAm 3. Mai 2019 brach der Damm und riss\ndas Dorf mit.\n",
        "# Mud\n\n*In 2004 I bought a house, and this is its story.*\n",
        "# Mud\n\n- 2024-05-03 a list\n- 2024-05-04 goes on",
        "# Changes\n\n## 1.2 (2024-05-03)\n",
        "Changes\n=======\n\n4.8.0 - 2022-07-11\n------------------\n",
        "# Diary\n\n3/4/2022\n",  # the third of April, or the fourth of March
        "2024-05-03 10:00 anna: hello\n2024-05-03 10:01 bob: hello\n",
        f"# Mud\n\n*{'word ' * 60}2004*",
        f"{'word ' * 60}\n\n*Hale, 2004*",
    ],
)
def test_what_is_text_is_no_byline(text: str) -> None:
    assert byline(text) is None


def test_what_is_dated_after_it_was_read_is_not_when_it_was_published() -> None:
    text = "# Mud\n\n*The Courier, 16 March 2087*\n"
    assert byline(text, "2026-11-29") is None
    assert byline(text, "2087-03-16") is not None


def test_a_byline_is_never_quoted() -> None:
    text = (
        "# The mud\n\n*Companion to the Northern Counties, 3rd edition, Merrow Press, 2004.*\n\n"
        "The dam failed in one night, and the mud came down the valley."
    )
    assert [told.words for told in quotable(text, sentences)] == [
        "The dam failed in one night, and the mud came down the valley."
    ]
    assert [told.words for told in statements(text, sentences)] == [
        "The dam failed in one night, and the mud came down the valley."
    ]
