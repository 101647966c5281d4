"""Plans, uploads, forks and words under way in the session manager, without a browser."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from library.text.similarity.tfidf import TextStatistics
from models import Reply, ScriptedModel, Task
from models.prompting.partial_json import present_watcher
from models.task import OutputT
from roundtable.config.errors import InputError
from roundtable.session.factory import Runtime
from roundtable.session.planning.plan_editing import PlanEdit
from roundtable.web.files.uploads import keep_upload, plain_name
from roundtable.web.hosting.session_commands import perform
from roundtable.web.hosting.session_manager import NotRunning
from roundtable.web.schemas import NewSession
from roundtable.web.serializers import plan_values
from tests.web.hosting.test_session_manager import ended, order
from tests.web.hosting.watched import WatchedManager


@pytest.fixture
def around(tmp_path: Path) -> Runtime:
    return Runtime(home=tmp_path / "hall", environment={})


OLD = "How old are they?"


async def planned(manager: WatchedManager, wanted: NewSession) -> str:
    identity = await manager.begin(wanted.model_copy(update={"plan": True}))
    async with asyncio.timeout(300):
        while identity in manager.running_here():
            await manager.news(identity, 0.2)
    return identity


async def test_a_plan_is_changed_and_begun_also_after_a_restart(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await planned(manager, order(documents))
    assert manager.row(identity).state == "stopped"
    before = plan_values(await manager.state(identity))
    await manager.close()
    manager = WatchedManager(around)
    plan = plan_values(await manager.state(identity))
    assert plan == before
    assert [len(plan["experts"]), plan["turns"], plan["requests"]] == [3, 5, 0]
    first, second, _ = plan["experts"]
    wanted = PlanEdit.model_validate({
        "turns": 4,
        "experts": [
            {"slug": first["slug"], "name": "Sewer engineer", "focus": "pipes", "question": OLD},
            {"slug": second["slug"], "name": second["name"], "focus": second["focus"], "question": ""},
            {"name": "Insurer", "focus": "insurance", "question": "What does insurance pay for?"},
        ],
    })  # fmt: skip
    await manager.begin_planned(identity, wanted)
    events = await ended(manager, identity)
    state = await manager.state(identity)
    assert [p.name for p in state.panel] == ["Sewer engineer", second["name"], "Insurer"]
    assert state.kept == {first["slug"], "insurer"}, "whom a person wrote the moderator does not replace"
    asked = [q.text for q in state.agenda.questions.values()]
    assert OLD in asked
    assert "What does insurance pay for?" in asked
    assert [turn.n for turn in state.turns] == [1, 2, 3, 4], "for as many turns as the plan says"
    assert sum(recorded.event.kind == "plan_changed" for recorded in events) == 1
    with pytest.raises(InputError, match="it has begun"):
        await manager.begin_planned(identity, wanted)
    await manager.close()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"experts": [{"slug": "nobody", "name": "x"}]}, "no expert 'nobody'"),
        ({"experts": [{"name": "x"}], "search": ["web"]}, "offline"),
    ],
)
async def test_a_plan_that_cannot_be_is_refused_and_stays_as_it_was(
    around: Runtime, documents: Path, change: dict[str, object], told: str
) -> None:
    manager = WatchedManager(around)
    identity = await planned(manager, order(documents))
    before = plan_values(await manager.state(identity))
    with pytest.raises(InputError, match=told):
        await manager.begin_planned(identity, PlanEdit.model_validate(change))
    assert plan_values(await manager.state(identity)) == before
    await manager.close()


async def test_a_fork_begins_as_the_other_did(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await manager.begin(order(documents))
    await ended(manager, identity)
    new = await manager.fork(identity, 2)
    assert manager.row(new).turns == 2
    assert [t.text for t in (await manager.state(new)).turns] == [
        t.text for t in (await manager.state(identity)).turns[:2]
    ]
    await perform(manager, new, "go_on", {})
    await ended(manager, new)
    with pytest.raises(InputError, match="no turn 99"):
        await manager.fork(identity, 99)
    await manager.close()


async def test_two_people_at_once_do_not_lock_each_other_out(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await planned(manager, order(documents))
    titles = [f"Branch {n}" for n in range(5)]
    await asyncio.gather(
        *(perform(manager, identity, "map_add", {"parent": "n0", "title": title}) for title in titles)
    )
    tree = (await manager.state(identity)).map
    assert {tree.title(node) for node in tree.children(tree.root)} >= set(titles)
    await manager.close()


class Typist(ScriptedModel):
    """Says its answers as a model does that streams."""

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        reply = await super().ask(task)
        watcher = present_watcher()
        if watcher is not None and task.name == "respond":
            for part in ('{"thought": "', '{"thought": "x", "answer": "Rain \\u001b[31m', "<b>"):
                watcher(part)
                await asyncio.sleep(0.08)
        return reply


async def test_what_is_being_written_is_told_and_is_gone_with_the_turn(
    around: Runtime, documents: Path
) -> None:
    model = Typist(otherwise=TextStatistics())
    manager = WatchedManager(Runtime(home=around.home, environment={}, model=model))
    identity = await manager.begin(order(documents, turns=3))
    seen: list[dict[str, str]] = []
    async with asyncio.timeout(300):
        while manager.row(identity).state != "ended" or identity in manager.running_here():
            await manager.news(identity, 0.2)
            seen.append(manager.writing(identity))
    said = {text for writing in seen for text in writing.values()}
    assert "Rain \x1b[31m" in said
    assert manager.writing(identity) == {}
    assert all("Rain \x1b" not in text for _, _, text in manager.texts(identity, 0))
    await manager.close()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("paper.pdf", "paper.pdf"), ("../../etc/passwd", "passwd"), ("..\\..\\a.md", "a.md"), ("", "file"),
        ("...", "file"), ("a\x00b\n.md", "a_b_.md"), ("x" * 300 + ".md", "x" * 80 + ".md"),
        ("论文 1.pdf", "论文 1.pdf"),
    ],
)  # fmt: skip
def test_a_file_is_kept_under_a_plain_name(given: str, kept: str) -> None:
    assert plain_name(given) == kept


async def pieces(*data: bytes) -> AsyncIterator[bytes]:
    for piece in data:
        yield piece


async def test_a_file_that_is_too_large_or_empty_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundtable.web.files.uploads.MOST_UPLOADED", 10)
    for data, told in (([b"x" * 8, b"y" * 8], "too large"), ([], "empty")):
        with pytest.raises(InputError, match=told):
            await keep_upload(tmp_path / "up", "a.md", pieces(*data))
    assert list((tmp_path / "up").iterdir()) == []
    path = await keep_upload(tmp_path / "up", "a.md", pieces(b"ab", b"cd"))
    assert path.read_bytes() == b"abcd"
    assert path.parent.stat().st_mode & 0o077 == 0


async def test_a_plan_that_is_begun_twice_begins_once(around: Runtime, documents: Path) -> None:
    manager = WatchedManager(around)
    identity = await planned(manager, order(documents))
    experts = [
        {"slug": e["slug"], "name": e["name"]} for e in plan_values(await manager.state(identity))["experts"]
    ]
    wanted = PlanEdit.model_validate({"experts": experts})
    begun = await asyncio.gather(
        *(manager.begin_planned(identity, wanted) for _ in range(2)), return_exceptions=True
    )
    assert sum(outcome is None for outcome in begun) >= 1
    assert all(outcome is None or isinstance(outcome, NotRunning | InputError) for outcome in begun)
    await ended(manager, identity)
    await manager.close()
