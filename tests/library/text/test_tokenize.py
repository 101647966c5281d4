import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.text.sentences import sentences
from library.text.tokenize import fold, stem, terms, title_terms


def test_terms_are_stems_of_folded_words_without_stop_words():
    assert terms("The Cafés' studies of Ærø and the STRASSE, straße") == [
        "cafe", "studi", "aero", "strass", "strass",
    ]  # fmt: skip


def test_numbers_stay_whole():
    assert terms("1,200 cats, 3.5 metres, 2,5 and 2023") == ["1200", "cat", "3.5", "metr", "2.5", "2023"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Will Smith and the WHO", ["will", "smith", "who"]),
        ("the US, on 3 May 2022", ["us", "3", "may", "2022"]),
        ("It may be that they will", []),
        ("The IT department of Who magazine", ["it", "depart", "who", "magazin"]),
        ("INSERT INTO t ON CONFLICT", ["insert", "into", "on", "conflict"]),
    ],
)
def test_stop_words_that_are_written_as_names_are_words(text, kept):
    assert terms(text) == (kept or ["it", "may", "be", "that", "they", "will"])


def test_a_verb_and_its_particle_meet_the_word_that_they_make():
    for verb, noun in [
        ("back up", "backup"),
        ("backing it up", ""),
        ("rolled back", "rollback"),
        ("set up", "setup"),
    ]:
        assert not noun or noun in terms(f"How do I {verb} my data")
    assert terms("backup") == ["backup"]
    assert "backup" in terms("backed-up files")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("movies", "movie"), ("viruses", "virus"), ("heroes", "hero"), ("deleting", "delete"),
        ("книги", "книга"), ("किताबें", "किताब"), ("الكتاب", "كتاب"), ("مُدَرِّس", "مدرس"),
    ],
)  # fmt: skip
def test_forms_of_a_word_meet(one, other):
    assert terms(one) == terms(other)


def test_marks_stay_with_their_letters():
    assert terms("हिन्दी में किताबें") == terms("हिन्दी किताब")
    assert all(len(pair) >= 2 for pair in terms("สวัสดีครับ"))
    assert set(terms("ครับ")) <= set(terms("สวัสดีครับ"))


def test_chinese_and_japanese_become_pairs_and_korean_words_lose_their_particles():
    assert terms("机器学习") == ["机器", "器学", "学习"]
    assert terms("猫") == ["猫"]
    assert "的发" not in terms("学习的发展")
    assert "テキ" in terms("日本語のテキスト")
    assert terms("한국어에서") == ["한국어"]
    assert terms("使用GPU加速") == ["使用", "gpu", "加速"]


def test_a_query_of_stop_words_alone_keeps_them():
    assert terms("the who") == ["the", "who"]


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("cities", "citi"),
        ("bombs", "bomb"),
        ("classes", "class"),
        ("bus", "bus"),
        ("1990s", "1990s"),
        ("is", "is"),
    ],
)
def test_stem(word, stemmed):
    assert stem(word) == stemmed


def test_the_name_of_the_site_is_no_part_of_a_title():
    assert title_terms("Suspect arrested in bombing | example.com") == ["suspect", "arrest", "bomb"]
    assert title_terms("Self-driving cars") == ["self", "drive", "car"]


@given(st.text())
def test_folding_twice_changes_nothing_more(text):
    assert fold(fold(text)) == fold(text)


def split(text):
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Smith met J. R. Jones at 3.5 degrees.", "It was late."],
        ["The U.S. Army went.", "He saw No. 5 of it.", "Then Yahoo! said yes."],
        ["“He said no.”", "Nobody asked why."],
        ["Is it?", "It is!", "Really…", "Yes."],
        ["It cost approx. ten dollars in the U.S.", "The rest was free."],
        ["It was found.[3]", "It was lost."],
        ["यह पहला वाक्य है।", "यह दूसरा है।"],
        ["هل هذا سؤال؟", "نعم، هذا جواب."],
    ],
)
def test_sentences(expected):
    assert split(" ".join(expected)) == expected


def test_chinese_sentences_need_no_space():
    assert split("他说：“好。”然后走了！真的吗？是。") == ["他说：“好。”", "然后走了！", "真的吗？", "是。"]
    assert split("系统信息：关键步骤 (分区,...) 的备忘录") == ["系统信息：关键步骤 (分区,...) 的备忘录"]
    assert split('不覆盖。"/etc" 里的文件。他说："好。"就走了。') == [
        "不覆盖。", '"/etc" 里的文件。', '他说："好。"', "就走了。",
    ]  # fmt: skip
    assert split("存储在只读系统上。[4]\n- 风险 (见 “密钥环”。)\n- 方式") == [
        "存储在只读系统上。[4]", "- 风险 (见 “密钥环”。)", "- 方式",
    ]  # fmt: skip


def test_wrapped_lines_go_on_and_headings_and_lists_do_not():
    wrapped = "A line that is wrapped by an editor at some width is\nno end of a sentence."
    text = f"# Title\n{wrapped}\n- one\n- two\n\nLast"
    assert split(text) == [
        "# Title",
        wrapped,
        "- one",
        "- two",
        "Last",
    ]


@given(st.text(alphabet="ab .!?\n\"'。A1,#-") | st.text())
def test_sentences_cover_all_that_is_no_space_and_never_overlap(text):
    spans = sentences(text)
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(text[start:end].strip() == text[start:end] for start, end in spans)
    assert all(before[1] <= after[0] for before, after in zip(spans, spans[1:], strict=False))


def test_a_word_like_an_abbreviation_ends_a_sentence():
    assert split("The answer was no. See fig. 3 for it.") == ["The answer was no.", "See fig. 3 for it."]


def test_a_long_run_of_blanks_is_gone_through_once():
    # Tried at each of its blanks, this would take minutes.
    assert sentences("One. " + " " * 500_000 + "Two.") == [(0, 4), (500_005, 500_009)]
    assert sentences("One.\n" + " \t" * 250_000 + "\n\nTwo.") == [(0, 4), (500_007, 500_011)]


def test_what_ends_in_a_bracket_within_a_sentence_goes_on_where_nothing_has_capitals():
    one, other = "系统安装信息：关键步骤 (分区,...) 的纯文本备忘录。", "其他"
    text = one + other
    assert [text[a:b] for a, b in sentences(text)] == [one, other]
    english = "It was sold (see the list, etc.) The rest was kept."
    assert len(sentences(english)) == 2


def test_a_name_of_the_dns_in_a_record_and_code_within_a_line_end_no_sentence():
    record = "The zone has example.com. 3600 IN SOA ns1.example.com. MX 10 in it."
    assert split(f"{record} It waits.") == [record, "It waits."]
    assert split("It answers for example.com. DNSSEC is on.") == [
        "It answers for example.com.",
        "DNSSEC is on.",
    ]
    code = "Type `rndc reload example.com. Main` and `a! B` to see it."
    assert split(f"{code} It waits.") == [code, "It waits."]
    assert split("It is called `one'. It has `two'. Good.") == [
        "It is called `one'.",
        "It has `two'.",
        "Good.",
    ]


def test_a_sentence_may_begin_with_a_command_in_small_letters():
    told = "See `kit gc` here. All is removed. kit gc removes it. pg_ctl ends them. kit push --all sends it."
    assert [told[a:b] for a, b in sentences(told)] == [
        "See `kit gc` here.", "All is removed.", "kit gc removes it.", "pg_ctl ends them.",
        "kit push --all sends it.",
    ]  # fmt: skip
    goes_on = ["Run SET TABLE … TO NEW of it.", "It holds approx. two-thirds.", "Ask the dept. co-owners."]
    for whole in (*goes_on, "By x. y"):
        assert sentences(whole) == [(0, len(whole))], whole


def test_dots_that_stand_for_a_part_of_a_command_end_no_sentence():
    assert split("One simple answer is to use SELECT ... FOR SHARE in it. It waits.") == [
        "One simple answer is to use SELECT ... FOR SHARE in it.", "It waits.",
    ]  # fmt: skip
    assert split("He waited ... Nobody came.") == ["He waited ...", "Nobody came."]


def test_a_unit_behind_a_figure_ends_a_sentence_and_a_title_before_a_name_does_not():
    text = "The mean error is 0.412 ms. The kernel fixes the rate. Asked by Ms. Orr, 12 ft. Hale said so."
    assert [text[a:b] for a, b in sentences(text)] == [
        "The mean error is 0.412 ms.",
        "The kernel fixes the rate.",
        "Asked by Ms. Orr, 12 ft. Hale said so.",
    ]


@pytest.mark.parametrize("width", [60, 100, 120, 130, 160, 220])
def test_a_paragraph_has_the_same_sentences_however_wide_it_is_wrapped(width: int) -> None:
    told = (
        "The committee compared three towns that the same flood had hit, and held that Asterby recovered "
        "faster because money for rebuilding came early. Residents of Northgate and of Mill Lane, who had "
        "lost most, took part in the discussion of the plans that Harlan and Sons had drawn for the Board "
        "of Works in 2019. The dyke was moved back by 120 metres to leave the River Orne room for water."
    )
    wrapped = textwrap.fill(told, width, break_on_hyphens=False)
    cut = [" ".join(wrapped[start:end].split()) for start, end in sentences(wrapped)]
    assert cut == [told[start:end] for start, end in sentences(told)]


def test_lines_that_are_paragraphs_stay_sentences_of_their_own() -> None:
    lines = [
        f"A first point that goes on for {'quite ' * 20}a while without a full stop at its end",
        f"Another point, which is {'much ' * 18}shorter, and no line of a paragraph",
        f"The longest of these points, {'far ' * 40}wider than its neighbours, as no wrapped line would be",
    ]
    text = "\n".join(lines)
    assert [text[start:end] for start, end in sentences(text)] == lines


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The crowd shouted “Shame! Shame!” as he left. He did not turn.", 2),
        ('They chanted "Out! Out now!" at the gates. "Why? Nobody said," a clerk told us.', 2),
        ("Is it “safe? Or not? Who knows,” she asked.", 1),
        ("He was asked whether “it pays! It does!” Then he sat down.", 3),
        ("“Get out!” He left. What now? Nobody knew.", 4),
        ('It blamed nobody: "He sat there. He never rose", she said. Then she left.', 2),
        ("“It is late. We go,” he said. “He sat there. He rose.” Then she left.", 4),
        ('A pipe of 5" is old. A wall of 6" is thick. It holds.', 3),
        ("Who came? The baker. Who stayed? Nobody, “as ever” he said.", 4),
    ],
)
def test_a_part_of_what_a_sentence_quotes_is_no_sentence(text: str, count: int) -> None:
    assert len(sentences(text)) == count
