"""Scans and pictures, read by a model that a real server stands for."""

import asyncio
import base64
import io
from pathlib import Path
from typing import Any

import pytest
import typst
from PIL import Image

from library import LibrarySettings, open_library
from library.errors import ReadError
from library.readers import Reader
from library.readers.read_settings import ReadSettings
from models import Model, ModelSettings, ModelUnavailable, seeing_model
from roundtable.config.config import load_settings
from roundtable.config.search_places import destinations, settle_places
from roundtable.session.factory import Runtime, start_session
from tests.model_server import Asked, ModelServer

pytestmark = pytest.mark.loopback
SEEN = "## Minutes\n\nThe dike at Merrow was raised by 40 cm in May."


def scan(tmp_path: Path) -> bytes:
    """A PDF of three pages, of which the second is a picture of text and the third is white."""
    drawn = typst.compile(b"#set page(width: 8cm, height: 8cm)\nThe dike at Merrow was raised.", format="png")
    (tmp_path / "page.png").write_bytes(drawn)
    (tmp_path / "scan.typ").write_text('First page.\n#pagebreak()\n#image("page.png")\n#pagebreak()\n')
    return typst.compile(tmp_path / "scan.typ")


def shown(asked: Asked) -> list[Image.Image]:
    """The pictures that a request shows."""
    said = [m["content"] for m in asked.body["messages"] if isinstance(m["content"], list)]
    parts: list[Any] = [part for content in said for part in content]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [Image.open(io.BytesIO(base64.b64decode(url.partition("base64,")[2]))) for url in urls]


def seeing(server: ModelServer) -> Model:
    model = seeing_model(ModelSettings(vision="openai:eye", base_url=server.url), {})
    assert model is not None
    return model


async def test_a_scanned_page_is_seen_and_its_page_is_cited(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "minutes.pdf").write_bytes(scan(tmp_path))
    pictures: list[Image.Image] = []

    def reply(asked: Asked) -> dict[str, str]:
        pictures.extend(shown(asked))
        return {"text": SEEN}

    with ModelServer(reply=reply) as server:
        model = seeing(server)
        for _ in range(2):  # what was seen is kept with the document
            async with await open_library(
                LibrarySettings(), [str(tmp_path / "docs")], [], offline=True, home=tmp_path, sees=model
            ) as library:
                [place] = library.collections
                [hit, *_] = await library.search("By how much was the dike raised?", place.name, 5)
                assert hit.passage is not None
                assert "raised by 40 cm in May" in hit.passage.text
                source = library.source(hit.passage.sha256)
                assert source.page(source.text.index("Minutes")) == 2
        await model.close()
    [picture] = pictures
    assert max(picture.size) == 2000


async def test_pictures_of_a_folder_are_read_unless_they_stand_beside_web_pages(tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    Image.new("RGB", (3000, 1500), "white").save(docs / "board.jpg")
    (docs / "notes.md").write_text("# Notes\n\nThe board hangs in the hall of the dike society.")
    with ModelServer(reply=lambda _: {"text": SEEN}) as server:
        model = seeing(server)
        for others in (0, 1):
            if others:
                (docs / "page.html").write_text("<p>A page with a picture beside it, of the hall.</p>")
            async with await open_library(
                LibrarySettings(), [str(docs)], [], offline=True, home=tmp_path / str(others), sees=model
            ) as library:
                hits = await library.search("Merrow dike raised", library.collections[0].name, 5)
                assert any(hit.url.endswith("board.jpg") for hit in hits) == (not others)
                assert len(library.pictures_read) == 1 - others
                assert any("1 .jpg (board.jpg)" in line for line in library.warnings) == bool(others)
        await model.close()


async def test_a_model_that_fails_and_a_bound_cost_their_files_alone(tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    for n in range(3):
        Image.new("RGB", (40 + n, 40)).save(docs / f"{n}.png")
    (docs / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    (docs / "notes.md").write_text("# Notes\n\nThe board hangs in the hall of the dike society.")
    settings = LibrarySettings(read=ReadSettings(pictures=2, workers=1))
    with ModelServer(reply=lambda _: {"text": ""}) as server:
        model = seeing(server)
        async with await open_library(
            settings, [str(docs)], [], offline=True, home=tmp_path, sees=model
        ) as library:
            told = "\n".join(library.warnings)
        await model.close()
    assert "0.png: the picture says nothing, as openai:eye sees it" in told
    assert "2.png: more than 2 pictures and pages without text" in told
    assert "broken.png: it is no readable picture" in told


async def test_a_page_that_cannot_be_seen_costs_itself_alone_and_is_tried_again(tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "minutes.pdf").write_bytes(scan(tmp_path))
    troubles = ["refusal"]
    with ModelServer(
        reply=lambda _: {"text": "The \u202edike\x00 was raised."},
        troubles=lambda *_: troubles.pop() if troubles else None,
    ) as server:
        model = seeing(server)
        for told in (["without what pages 2 show: it is a picture, and"], []):
            async with await open_library(
                LibrarySettings(), [str(docs)], [], offline=True, home=tmp_path, sees=model
            ) as library:
                [hit, *_] = await library.search("First page", library.collections[0].name, 5)
                assert hit.passage is not None
                text = library.source(hit.passage.sha256).text
                assert text.startswith("First page.")
                assert ("The dike was raised." in text) == (not told)
                assert [words for words in told if words not in library.warnings[0]] == []
                assert len(library.warnings) == len(told)
        await model.close()


async def test_figures_of_pages_with_text_are_read_where_that_is_asked_for(tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    Image.new("RGB", (300, 200), (192, 16, 48)).save(tmp_path / "chart.png")
    Image.new("RGB", (30, 30), (0, 0, 255)).save(tmp_path / "logo.png")
    (tmp_path / "paper.typ").write_text(
        'The level of the lake.\n#image("logo.png", width: 1cm)\n#pagebreak()\nIt fell, as the chart shows.\n'
        '#image("chart.png", width: 9cm)\n#pagebreak()\nThe last page.'
    )
    (docs / "paper.pdf").write_bytes(typst.compile(tmp_path / "paper.typ"))
    pictures: list[Image.Image] = []

    def reply(asked: Asked) -> dict[str, str]:
        pictures.extend(shown(asked))
        return {"text": "Level of the lake: 4.2 m in 2020, 3.6 m in 2024."}

    with ModelServer(reply=reply) as server:
        model = seeing(server)
        for figures in (False, True):
            settings = LibrarySettings(read=ReadSettings(figures=figures))
            async with await open_library(
                settings, [str(docs)], [], offline=True, home=tmp_path / str(figures), sees=model
            ) as library:
                [sha] = library.documents(library.collections[0].name).values()
                source = library.source(sha)
                assert ("Figure, as openai:eye reads it: Level of the lake: 4.2 m" in source.text) == figures
                if figures:
                    assert source.page(source.text.index("4.2 m")) == 2
        await model.close()
    [picture] = pictures
    assert picture.width / picture.height == pytest.approx(1.5, abs=0.02)
    assert picture.getpixel((picture.width // 2, picture.height // 2)) == (192, 16, 48)
    assert picture.getpixel((5, 5)) == (192, 16, 48)


@pytest.mark.parametrize(
    ("trouble", "words"),
    [("500", "fails (500)"), ("html", "does --base-url lack /v1?"), ("refusal", "refuses the content")],
)
async def test_a_model_that_fails_leaves_the_picture_out_and_says_why(
    trouble: str, words: str, tmp_path: Path
):
    docs = tmp_path / "docs"
    docs.mkdir()
    Image.new("RGB", (40, 40)).save(docs / "board.png")
    (docs / "notes.md").write_text("# Notes\n\nThe board hangs in the hall of the dike society.")
    with ModelServer(troubles=lambda *_: trouble) as server:
        model = seeing_model(ModelSettings(vision="openai:eye", base_url=server.url, retries=0), {})
        async with await open_library(
            LibrarySettings(), [str(docs)], [], offline=True, home=tmp_path, sees=model
        ) as library:
            assert server.requests
            [told] = [line for line in library.warnings if "board.png: it is a picture, and" in line]
            assert words in told
            assert await library.search("dike society", library.collections[0].name, 5)
        assert model is not None
        await model.close()


def test_without_a_model_that_sees_it_is_said_what_to_do(tmp_path: Path):
    Image.new("RGB", (40, 40)).save(tmp_path / "x.png")
    with Reader() as reader:
        with pytest.raises(ReadError, match=r"it is a picture, not text; a model that sees .*models\.vision"):
            reader.read_file(tmp_path / "x.png")
        (tmp_path / "white.pdf").write_bytes(typst.compile(b"#rect()"))
        with pytest.raises(ReadError, match=r"it holds no text \(scanned pages\? name a model that sees"):
            reader.read_file(tmp_path / "white.pdf")
    with pytest.raises(ModelUnavailable, match=r"models\.vision: openai:eye needs a key"):
        seeing_model(ModelSettings(vision="openai:eye"), {})
    with pytest.raises(ModelUnavailable, match="--offline"):
        seeing_model(ModelSettings(vision="openai:eye"), {"OPENAI_API_KEY": "k"}, loopback_only=True)


async def test_what_was_seen_is_counted_in_the_session_and_told_in_its_first_line(tmp_path: Path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "minutes.pdf").write_bytes(scan(tmp_path))
    with ModelServer(reply=lambda _: {"text": SEEN}) as server:
        chosen = {"model": "embedded", "vision": "openai:eye", "base_url": server.url}
        settings = load_settings({"docs": [str(docs)], "offline": True, "models": chosen})
        settings = settle_places(settings, tmp_path)
        said = destinations(settings, "model: embedded")
        assert said.endswith("model: embedded; pictures and pages without text are read by openai:eye")
        around = Runtime(home=tmp_path, environment={})
        session = await start_session("How high is the dike?", settings, around=around)
        try:
            [cost] = session.state.usage
            assert (cost.task, cost.usage.model, cost.usage.requests) == ("read_picture", "openai:eye", 1)
            assert cost.usage.prompt_tokens > 0
        finally:
            await session.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}
