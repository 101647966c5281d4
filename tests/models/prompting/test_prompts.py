"""Prompts are filled strictly; words of strangers can neither close their block nor open others."""

import re
import string
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import models
from models import DATA_RULE, PromptError, data_block, load, render
from models.prompting.prompts import inputs_hash, parse
from models.prompting.untrusted_text import KINDS, drop_hidden, escape, restore
from tests.models.conftest import Ask

NAMES = st.text(string.ascii_lowercase, min_size=1, max_size=6)
PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{}#\r"), max_size=30)


def test_a_prompt_is_filled():
    prompt = parse("# System\n\nBe {{kind}}.\n\n# User\n\n{question}\n", "x/y").fill({"question": "Why?"})
    assert prompt.system == f"Be {{kind}}.\n\n{DATA_RULE}"
    assert prompt.user == "Why?"
    assert re.fullmatch("[0-9a-f]{16}", prompt.hash)


def test_missing_and_unused_names_are_named():
    template = parse("# System\n{a}\n# User\n{b} {a}", "room/task")
    with pytest.raises(PromptError, match=r"prompt room/task: no value for \{b\}; no \{c\} for its value"):
        template.fill({"a": "1", "c": "2"})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Hello", "# System"),
        ("# System\na", "# User"),
        ("# User\na\n# System\nb", "# System"),
        ("Intro\n# System\na\n# User\nb", "first"),
        ("# System\na\n# User\nb\n# User\nc", "each once"),
        ("# System\na {\n# User\nb", "a single {"),
        ("# System\na\n# User\nb\n\n x}", "a single } in line 3"),
        ("# System\n{Upper}\n# User\nb", "a single {"),
        ("# System\n{a b}\n# User\nb", "a single {"),
    ],
)
def test_what_is_no_prompt_is_refused_with_a_reason(text, reason):
    with pytest.raises(PromptError, match=reason.replace("{", r"\{")):
        parse(text, "x")


@given(st.dictionaries(NAMES, st.text(max_size=40), min_size=1, max_size=4), PLAIN)
@example({"a": "{b} {{c}} \\1 \\g<0>", "b": "{a}"}, "$x")
def test_what_is_filled_in_is_never_scanned_again(values, between):
    assume("# " not in between)
    text = "# System\nStay.\n# User\n|" + f"|{between}|".join(f"{{{name}}}" for name in values) + "|"
    expected = "|" + f"|{between}|".join(values.values()) + "|"
    assert parse(text, "x").fill(values).user == expected


@given(st.text(max_size=60), st.text(max_size=60))
def test_different_prompts_have_different_hashes(first, second):
    assume(first != second)
    template = parse("# System\nx\n# User\n{a}", "x")
    assert template.fill({"a": first}).hash != template.fill({"a": second}).hash


def test_a_folder_of_ones_own_wins(prompts):
    assert "You answer from passages" in render(Ask(), prompts).system
    (prompts / "models").mkdir()
    (prompts / "models" / "ask.md").write_text("# System\nMine.\n# User\n{question}{passages}")
    load("models", "ask", prompts)  # the first file was read before, and stays for the process
    with pytest.raises(PromptError, match="models/nothing: .*cannot be read"):
        load("models", "nothing", prompts)


def test_a_prompt_that_is_no_text_is_refused(prompts):
    (prompts / "latin.md").write_bytes(b"# System\n\xe9\n# User\n")
    with pytest.raises(PromptError, match="not UTF-8"):
        load("models", "latin", prompts)


def test_the_hash_of_inputs_is_of_the_inputs_alone():
    assert inputs_hash(Ask()) == inputs_hash(Ask())
    assert inputs_hash(Ask()) != inputs_hash(Ask(question="Other?"))


def test_a_block():
    block = data_block("passage", "Bees & wax\n", id="p1", title='He said "no" <b>', date=None, n=3)
    assert block == '<passage id="p1" title="He said \'no\' &lt;b>" n="3">\nBees & wax\n</passage>'


@pytest.mark.parametrize("kind", ["", "Passage", "a b", "a>", "1"])
def test_a_blocks_kind_is_a_plain_name(kind):
    with pytest.raises(ValueError, match="plain name"):
        data_block(kind, "x")


PIECES = [
    "</passage>", "<", '<passage id="p9">', "< / PASSAGE >", "<system>", "＜/passage＞",
    ">", "&lt;", "&", "amp;", "lt;", "<|im_start|>", "[INST]", "[/INST]",
    "\n", "\r", "\u200b", "\U000e0041", "\u202e", "\x1b[31m", "\x00", "\ufe0f", "\ud800", '"', "x", " ",
]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@given(st.text() | HOSTILE, st.text() | HOSTILE)
def test_nobody_gets_out_of_a_block(text, title):
    block = data_block("passage", text, title=title)
    tags = re.findall(r"<[^\w>]{0,8}(?:passage|system)", block, re.IGNORECASE)
    assert tags == ["<passage", "</passage"]
    assert block.count("</") == 1
    assert "<|" not in block
    assert block.endswith("\n</passage>")
    first, _, _ = block.partition("\n")
    assert re.fullmatch(r'<passage title="[^"<\n]*">', first)
    hidden = r"[\u200b-\u200f\u202a-\u202e\x00-\x08\x0b-\x1f\U000e0000-\U000e01ef\ud800-\udfff＜]"
    assert not re.search(hidden, block)
    assert "[INST]" not in block
    assert "[/INST]" not in block


SEEN = st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs"], exclude_characters="＜﹤[\u2028\u2029"))


@given(SEEN | st.sampled_from(["a < b", "&lt;", "&amp;lt;", "AT&T", "&&lt;<"]))
def test_what_is_escaped_comes_back(text):
    assume(drop_hidden(text) == text)
    assert restore(escape(text)) == text


@given(st.text())
def test_dropping_what_is_hidden_is_done_once(text):
    assert drop_hidden(drop_hidden(text)) == drop_hidden(text)


def test_plain_text_is_left_alone():
    for text in ("Bees dance.\n\tThey hum: 1 > 0.", "蜜蜂跳舞，蜂蜡会融化。", "Müller – “naïve” café № 5"):
        assert escape(text) == text


def test_no_block_has_a_name_that_a_text_could_write():
    named = re.compile(r"""data_block\(\s*["']([a-z_-]+)["']""")
    rooms = ("agents", "moderator", "reports", "mindmap", "library", "roundtable")
    files = [file for room in rooms for file in (Path(models.__file__).parents[1] / room).rglob("*.py")]
    found = {kind for file in files for kind in named.findall(file.read_text(encoding="utf-8"))}
    assert "passage" in found
    assert found <= KINDS


@pytest.mark.parametrize(
    "code",
    [
        "psql shop < copy.sql", "psql shop <copy.sql", "mysql < /tmp/report.sql", "a <> b AND c <= 5",
        "git push <remote> <branch>", "cat <<EOF", "ssh://<user>@<host>/<path>",
        "ls /home/<user>/.cache", "if (i < points) { i <<= 1; }", "vector<int> x; x <- 3",
        "pgbackrest --stanza=<stanza> restore", "mail <username>, in <service>.conf of <instance>",
    ],
)  # fmt: skip
def test_code_stands_as_it_is(code):
    assert escape(code) == code


@pytest.mark.parametrize(
    "text",
    [
        "<question>", "<QUESTION>", "< passage id='p9'>", "<\npassage>", "<-passage->", "</passage", "</div>",
        "<passage", "<|im_start|>", "<<SYS>>", "<</SYS>>", "<s>", "<system>", "<system_note>", "<tool_call>",
        "<function_calls>", "<start_of_turn>user", '<function_call name="x">', "<assistant\n>", "<\\passage>",
        "<user>", "<user> @", "<user>:", "<USER>@host", "<user>@\n", "<assistant>@x",
        "<s>/x", "<user x>@x", "<question>@x",
    ],
)  # fmt: skip
def test_what_could_begin_or_end_a_block_or_a_turn_does_not(text):
    assert escape(text).startswith("&lt;")
    assert "<" not in escape(text)
    assert restore(escape(text)) == text
