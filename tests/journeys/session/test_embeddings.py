"""Dense vectors join in placing when a service is configured, are journalled, and are asked for once."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from library.errors import SearchError
from library.search.embeddings import Embedder, EmbeddingSettings, packed, unpacked
from mindmap import AddNode, MapIndex, MapSettings, MindMap, PassagesEmbedded, PlacePassage
from mindmap.placement.scoring import fits
from roundtable.config.config import load_settings
from roundtable.journal.storage.journal_store import Journal
from roundtable.session.factory import Runtime, resume_session, start_session
from tests.embedding_server import EmbeddingServer
from tests.journeys.session.test_embedded import play
from tests.mindmap.conftest import made_passage


def settings_with(server: EmbeddingServer | None, folder: Path):
    mindmap = {"embeddings": {"model": "small", "url": server.url}} if server else {}
    allow = {"fetch": {"allow": [server.host]}} if server else {}
    flags = {
        "docs": [str(folder)], "offline": True, "models": {"model": "embedded"}, "mindmap": mindmap,
        "library": allow,
    }  # fmt: skip
    return load_settings(flags, environment={})


@pytest.mark.loopback
async def test_a_session_asks_once_for_each_passage_and_the_journal_keeps_the_vectors(
    around: Runtime, chinese_documents: Path
) -> None:
    with EmbeddingServer() as server:
        session = await start_session("青河镇的洪水", settings_with(server, chinese_documents), around=around)
        await play(session)
        journal = Journal(around.home / "journal.db", around.clock)
        events = [e.event for e in journal.read(session.id) if isinstance(e.event, PassagesEmbedded)]
        asked = [passage for event in events for passage in event.passages]
        assert sorted(asked) == sorted(session.state.evidence.passages)
        assert sum(len(body["input"]) for body in server.asked) == len(set(asked)) == len(asked)
        assert {body["path"] for body in server.asked} == {"/v1/embeddings"}
        assert session.state.work.vectors.keys() == set(asked)
        before = len(server.asked)
        again = await resume_session(session.id, around=around)
        await play(again)
        assert len(server.asked) == before


@pytest.mark.loopback
async def test_a_service_that_fails_is_told_and_passages_are_placed_by_words(
    around: Runtime, chinese_documents: Path
) -> None:
    with EmbeddingServer(broken=True) as server:
        session = await start_session("青河镇的洪水", settings_with(server, chinese_documents), around=around)
        await play(session)
    assert session.state.status == "ended"
    assert sum("by their words alone" in warning for warning in session.state.warnings) == 1
    assert set(session.state.map.placed()) == set(session.state.evidence.passages)
    assert not session.state.work.vectors


async def test_no_service_is_asked_unless_one_is_named(around: Runtime, chinese_documents: Path) -> None:
    session = await start_session("青河镇的洪水", settings_with(None, chinese_documents), around=around)
    await play(session)
    assert not session.state.work.embedded


@pytest.mark.loopback
async def test_requests_are_batched_and_vectors_come_back_in_order() -> None:
    with EmbeddingServer() as server:
        settings = EmbeddingSettings(model="openai:text-embedding-3-small", url=server.url)
        embedder = Embedder(settings, "secret", [server.host])
        made = await embedder.embed([f"{'rain' if n % 2 else 'snow'} {n}" for n in range(200)])
        await embedder.close()
        assert [len(body["input"]) for body in server.asked] == [96, 96, 8]
        assert {body["model"] for body in server.asked} == {"text-embedding-3-small"}
        assert set(server.keys) == {"Bearer secret"}
    assert [int(np.argmax(unpacked(each))) for each in made[:4]] == [1, 0, 1, 0]


@pytest.mark.loopback
async def test_what_is_no_answer_is_an_error_that_names_the_host() -> None:
    with EmbeddingServer(broken=True) as server:
        embedder = Embedder(EmbeddingSettings(model="x", url=server.url), "", [server.host])
        with pytest.raises(SearchError, match=r"127\.0\.0\.1"):
            await embedder.embed(["rain"])
        await embedder.close()


def test_dense_vectors_decide_where_words_say_nothing() -> None:
    tree = MindMap("Floods")
    texts = {"p1": "Rivers rose quickly", "p2": "Streets were closed", "p3": "Entirely different wording"}
    passages = {name: made_passage(int(name[1:]), text, source=name) for name, text in texts.items()}
    for node, passage in (("n1", "p1"), ("n2", "p2")):
        tree.apply(AddNode(id=node, title=f"Node {node}", parent="n0"))
        tree.apply(PlacePassage(passage=passage, node=node))
    for near, wanted in (("p1", "n1"), ("p2", "n2")):
        dense = {name: packed(np.array([1.0, 0.0] if name in (near, "p3") else [0.0, 1.0])) for name in texts}
        index = MapIndex.built(tree, passages, dense)
        index.add(["p3"])
        assert fits(tree, index, ["p3"], 2)[0][0].node == wanted


def test_vectors_of_two_models_in_one_session_are_not_compared() -> None:
    tree = MindMap("Floods")
    passages = {f"p{n}": made_passage(n, f"Rivers rose {n} times", source=f"s{n}") for n in (1, 2, 3)}
    tree.apply(AddNode(id="n1", title="Rivers", parent="n0"))
    for passage in ("p1", "p2"):
        tree.apply(PlacePassage(passage=passage, node="n1"))
    dense = {"p1": packed(np.ones(2)), "p2": packed(np.ones(3)), "p3": packed(np.ones(3))}
    index = MapIndex.built(tree, passages, dense)
    index.add(["p3"])
    assert fits(tree, index, ["p3"], 2)[0][0].node == "n1"


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("length", "line"),
    [(lambda asked: 20_000, "is not a list of numbers"), (lambda asked: asked, "of several lengths")],
)
async def test_vectors_that_no_model_gives_are_refused(length: Callable[[int], int], line: str) -> None:
    with EmbeddingServer(length=length) as server:
        embedder = Embedder(EmbeddingSettings(model="x", url=server.url), "", [server.host])
        with pytest.raises(SearchError, match=line):
            await embedder.embed([f"rain {n}" for n in range(100)])
        await embedder.close()


def test_a_name_alone_will_do() -> None:
    named = MapSettings.model_validate({"embeddings": "openai:text-embedding-3-small"})
    assert named.embeddings.model == "openai:text-embedding-3-small"
