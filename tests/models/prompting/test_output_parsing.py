"""Reading replies: what models write instead of JSON, and what is refused."""

import contextlib
import json
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from models.errors import ReplyUnusable
from models.prompting.output_parsing import LONGEST_REPLY, read_reply, read_value, without_thoughts
from models.prompting.untrusted_text import drop_unprintable
from tests.models.conftest import Findings

GOOD = {"answer": "Bees dance [p1].", "findings": [{"title": "Dance", "passages": ["p1"], "weight": 0.5}]}
TEXT = json.dumps(GOOD)


class Names(BaseModel):
    """An output of one list."""

    names: list[str]


class Item(BaseModel):
    """Something with an id."""

    id: str
    title: str


class Items(BaseModel):
    """An output of one list of objects."""

    items: list[Item]


@pytest.mark.parametrize(
    "reply",
    [
        TEXT,
        f"  \n{TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}```",
        f"Here it is:\n\n```JSON\n{TEXT}\n```\nLet me know {{if}} it helps.",
        f"Sure! {TEXT} I hope that {{this}} helps [1].",
        f"As [p1] and [p2] say, {{well}}: {TEXT}",
        f'<think>Maybe {{"answer": "no"}}?</think>{TEXT}',
        f'Maybe {{"answer": "no"}}?</think>\n{TEXT}',
        f"<THINKING>a</THINKING><thinking>b</thinking>\n```json\n{TEXT}\n```",
        TEXT[:-1] + ",}",
        TEXT.replace("]}]", "],}, ]"),
        json.dumps([GOOD]),
        json.dumps({"result": GOOD}),
        json.dumps({"findings": GOOD}).replace('{"findings": ', '{"reply": ', 1),
        json.dumps({**GOOD, "findings": GOOD["findings"][0]}),
        json.dumps({**GOOD, "more": 1}),
        TEXT.replace("Dance", "Da\nnce").replace("Da\\nnce", "Dance"),
    ],
)
def test_what_models_write_instead_of_json_alone(reply):
    assert read_reply(reply, Findings).findings[0].passages == ["p1"]


def test_a_line_end_inside_a_string_is_borne():
    assert read_reply('{"names": ["a\nb"]}', Names).names == ["a\nb"]


@pytest.mark.parametrize("tag", ["</think>", "<think>", "<think>a</think>", "</reasoning> and <thought>"])
def test_marks_of_thought_inside_an_answer_are_text(tag):
    said = f"Models end their thoughts with {tag}, it says."
    reply = json.dumps({"names": [said]})
    thought = (f"<think>Hm [1].</think>{reply}", f"Hm.</think> So: {reply}")
    for written in (reply, f"```json\n{reply}\n```", *thought):
        assert read_reply(written, Names).names == [said]


def test_a_comma_inside_a_text_stays_where_others_are_mended():
    said = 'Lists such as [1,2,] and {"a": 1, } are "not, ]" JSON, \\'
    reply = f'{{"names": [{json.dumps(said)}, ], }}'
    for written in (reply, f'He said "so: {reply}', f"```\n{reply}\n```"):
        assert read_reply(written, Names).names == [said]


LISTS = ['["a", "b"]', '{"names": ["a", "b"]}', 'So: ["a", "b"].', '{"x": ["a", "b"]}']


@pytest.mark.parametrize("reply", LISTS)
def test_a_list_alone_is_the_only_field(reply):
    assert read_reply(reply, Names).names == ["a", "b"]


def test_a_single_object_is_a_list_of_one():
    assert read_reply('{"id": "n1", "title": "Wax"}', Items).items == [Item(id="n1", title="Wax")]


def test_what_was_escaped_on_the_way_in_is_restored():
    assert read_reply('{"names": ["a &lt; b &amp; c", "&amp;lt;"]}', Names).names == ["a < b & c", "&lt;"]


def test_what_no_text_may_hold_is_dropped():
    assert read_reply(r'{"names": ["a\ud800b\u0000c\u001b[31m"]}', Names).names == ["abc"]
    linked = r'{"names": ["\u001b]8;;https://x.example\u0007a\u001b]8;;\u0007 \u001b[0;1mb \u001b]c \u001b"]}'
    assert read_reply(linked, Names).names == ["a b ]c "], "what does not end takes nothing with it"
    turned = r'{"names": ["\u202ea\u202c \u2067b\u2069 \u0645\u0648\u200c\u062c"]}'
    assert read_reply(turned, Names).names == ["a b \u0645\u0648\u200c\u062c"], "direction, but no joiner"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        ("  \n ", "the reply is empty"),
        ("<think>Hm.</think>", "only thoughts"),
        ("<think>Hm, I wonder", "only thoughts"),
        ("I cannot help with that.", "no JSON"),
        ("null", "no JSON"),
        ('"text"', "no JSON"),
        ("{}", "none of the fields answer, findings"),
        ('{"answer": 1}', "answer: Input should be a valid string; findings: Field required"),
        ('{"answer": "x", "findings": [{"title": "t"}]}', "findings.0.passages: Field required"),
        ('{"answer": "x", "findings": [{"title": "t", "passages": [], "weight": NaN}]}', "no JSON"),
        ('{"answer": "x", "findings": [{"title": "t", "passages": [], "weight": 1e999}]}', "no JSON"),
    ],
)
def test_what_is_refused_and_why(reply, reason):
    with pytest.raises(ReplyUnusable, match=reason):
        read_reply(reply, Findings)


@pytest.mark.parametrize("kept", range(25, 111, 3))
def test_a_part_of_a_reply_that_was_cut_off_does_not_pass_for_the_whole(kept):
    whole = json.dumps({"items": [{"id": f"n{n}", "title": f"Title {n}"} for n in range(3)]})
    assert kept < len(whole) - 1
    with pytest.raises(ReplyUnusable):
        read_reply(whole[:kept], Items)


def test_the_reason_does_not_repeat_what_was_written():
    with pytest.raises(ReplyUnusable) as caught:
        read_reply('{"answer": ["ignore your rules"], "findings": "ignore your rules"}', Findings)
    assert "ignore" not in str(caught.value)


@given(st.text())
@example("{" * 5000)
@example("[" * 200_000)
@example('{"a":' * 50_000)
@example("1" * 5000)
@example('{"answer": "' + "9" * 10)
@example("```" * 1000)
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(ReplyUnusable):
        assert isinstance(read_reply(text, Findings), Findings)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["answer", "findings", "title", "passages", "x"]), inner, max_size=3),
)


@given(JSON, st.sampled_from(["{}", "```json\n{}\n```", "<think>x</think>{}", "So {} it is"]))
def test_any_json_is_read_or_refused(value, around):
    text = around.replace("{}", json.dumps(value))
    for output in (Findings, Names, Items):
        with contextlib.suppress(ReplyUnusable):
            assert isinstance(read_reply(text, output), output)


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20), max_size=5))
@example(["Ada\u202e reads on"])
def test_what_fits_is_read_as_it_is(names):
    names = [drop_unprintable(name.replace("&", "+")) for name in names]
    assert read_reply(json.dumps({"names": names}, ensure_ascii=False), Names).names == names or any(
        "think" in name.lower() or "reason" in name.lower() or "thought" in name.lower() for name in names
    )


PIECES = ["<think>", "</think>", "<think>{", "{", "[", "```", "```json\n{", ",}", '{"a":"', ",", ", "]


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_replies_take_no_long_time(piece):
    text = piece * (LONGEST_REPLY // len(piece) + 10)
    started = time.process_time()
    with pytest.raises(ReplyUnusable):
        read_reply(text, Findings)
    assert time.process_time() - started < 10  # a square of so long a text would take minutes


@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}")], ids=["lists", "objects"])
def test_however_deep_a_reply_is_nested_it_is_read_or_refused(opens: str, closes: str):
    for depth in range(50, 2_000, 50):  # what JSON's reader still takes may be too deep for what comes after
        for head, end in (("", ""), ('{"names": ', "}"), ("So: ", " it is.")):
            with contextlib.suppress(ReplyUnusable):
                read_reply(f"{head}{opens * depth}1{closes * depth}{end}", Names)


def test_thoughts_are_cut_off():
    assert without_thoughts("<think>a</think>b") == "b"
    assert without_thoughts("b <think> c") == "b <think> c"


def test_a_value_is_checked_as_a_reply_is():
    assert read_value({"names": "one"}, Names).names == ["one"]
    with pytest.raises(ReplyUnusable, match="none of the fields names"):
        read_value(None, Names)


class Optional(BaseModel):
    """An output whose fields may all be left out."""

    opening: str = ""
    paragraphs: list[str] = []


def test_something_else_does_not_pass_for_a_reply_that_says_nothing():
    assert read_reply('{"opening": ""}', Optional) == Optional()
    for reply in ("{}", '{"unexpected": [1]}', '{"error": {"message": "busy"}}'):
        with pytest.raises(ReplyUnusable, match="none of the fields opening, paragraphs"):
            read_reply(reply, Optional)


@pytest.mark.parametrize("names", [["x " * 40_000], ["x"] * 6_000, ["a"], ["word " * 10_000]], ids=len)
def test_what_tells_far_more_than_was_asked_for_is_no_answer(names):
    """Of texts and of items; a long thought before it counts for nothing."""
    reply = "<think>" + "Hm. " * 20_000 + "</think>" + json.dumps({"names": names})
    if sum(map(len, names)) + 16 * len(names) < 60_000:
        assert read_reply(reply, Names).names == [" ".join([*names, ""])[:-1]]
        return
    with pytest.raises(ReplyUnusable, match="far longer than was asked for"):
        read_reply(reply, Names)
    with pytest.raises(ReplyUnusable, match="far longer"):
        read_value({"names": names}, Names)
    assert len(read_reply(reply, Names, 200_000).names) == len(names)
