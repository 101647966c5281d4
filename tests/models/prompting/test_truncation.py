"""Prompts that are too long give up text of their data blocks, evenly; tokens are estimated high."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from models import data_block, estimate
from models.prompting.output_schemas import instruction, response_format
from models.prompting.truncation import cut_point, shorten


def prompt(*texts):
    blocks = "\n\n".join(data_block("passage", text, id=f"p{n}") for n, text in enumerate(texts, 1))
    return f"Answer from these:\n\n{blocks}\n\nAnswer now."


def test_what_fits_is_left_alone():
    text = prompt("Bees dance.", "Wax melts.")
    assert shorten(text, 1000) == text


def test_the_longest_gives_way_first():
    text = prompt("Bees dance. " * 300, "Wax melts.", "Honey keeps. " * 30)
    short = shorten(text, 400)
    assert "Wax melts." in short
    assert short.count("Honey keeps.") == 30
    assert 0 < short.count("Bees dance.") < 300
    assert short.endswith("Answer now.")


def test_own_words_that_are_too_many_cannot_be_shortened():
    assert shorten("word " * 1000, 100) is None
    assert shorten(prompt(*["x"] * 200), 100) is None


LONG = st.sampled_from(["蜜蜂跳舞。" * 60, "Bees dance. " * 50])
TEXTS = st.lists(st.text(max_size=300) | LONG, min_size=1, max_size=6)


@given(TEXTS, st.integers(60, 600))
def test_it_fits_and_every_block_stays_whole(texts, most):
    whole = prompt(*texts)
    short = shorten(whole, most)
    if short is not None:
        assert estimate(short) <= most
        assert short.count("<passage ") == short.count("</passage>") == len(texts)


# Common tokenizers take a plain English word or a Chinese sign for about one token.
COUNTED = [
    ("", 0),
    ("Hello, world!", 4),
    ("The quick brown fox jumps over the lazy dog.", 10),
    ("Bees communicate the direction and distance of food sources by means of the waggle dance.", 16),
    ("蜜蜂通过摇摆舞告诉同伴食物的方向和距离。", 20),
]


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_tokens_are_estimated_high_but_not_wildly(text, tokens):
    assert tokens <= estimate(text) <= tokens * 2 + 2


@given(st.text(max_size=200), st.text(max_size=200))
def test_more_text_is_never_fewer_tokens(first, second):
    assert estimate(first + second) >= estimate(first)


class Leaf(BaseModel):
    """A part."""

    title: str = Field(max_length=5)
    note: str | None = None


class Shape(BaseModel):
    """An output of many kinds."""

    leaves: list[Leaf] = Field(default_factory=list, max_length=3)
    default: int = 3
    title: str = "x"


def test_a_strict_schema_closes_every_object_and_requires_every_field():
    schema = response_format(Shape)["json_schema"]
    assert schema["strict"]
    assert schema["schema"]["required"] == ["leaves", "default", "title"]
    assert schema["schema"]["additionalProperties"] is False
    assert schema["schema"]["$defs"]["Leaf"]["required"] == ["title", "note"]
    assert "maxLength" not in json.dumps(schema)
    assert '"default":' not in json.dumps(schema["schema"]["properties"]["leaves"])


def test_free_keys_make_a_schema_not_strict():
    class Free(BaseModel):
        by_name: dict[str, int]

    assert not response_format(Free)["json_schema"]["strict"]


def test_the_schema_in_words_is_the_models_own():
    words = instruction(Shape)
    schema = json.loads(words.partition("JSON schema:\n")[2])
    assert set(schema["properties"]) == {"leaves", "default", "title"}
    assert schema["$defs"]["Leaf"]["properties"]["title"] == {"maxLength": 5, "type": "string"}


@pytest.mark.parametrize("most", range(4, 80))
def test_neither_a_word_nor_code_is_cut(most: int) -> None:
    text = "Set `recovery_target_inclusive = off`, or --target-action=promote, and start it again."
    kept = re.findall(r"`[^`]+`,|\S+", text[: cut_point(text, most)])
    assert kept == re.findall(r"`[^`]+`,|\S+", text)[: len(kept)]
    assert len(text[: cut_point(text, most)]) <= most


def test_a_script_without_spaces_is_cut_anywhere_and_so_is_what_is_longer_than_any_word() -> None:
    assert cut_point("恢复启动引导程序并修复分区表", 5) == 5
    assert cut_point("x" * 500, 300) == 300
