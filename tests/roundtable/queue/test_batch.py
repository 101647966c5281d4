"""A batch: topics from files, sessions in processes that are killed, budgets, failures, and what is left."""

import asyncio
import csv
import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import html5lib
import pytest

from models import Budget
from roundtable.__main__ import run as main
from roundtable.batch.batch_index import BatchRow, read_index, write_index
from roundtable.batch.batch_plan import claim_batch, planned
from roundtable.batch.batch_run import BatchRun
from roundtable.batch.local_processes import LocalProcesses
from roundtable.batch.session_job import JobRunner
from roundtable.batch.topics_file import TopicRow, read_topics
from roundtable.config.config import Settings, joined, load_settings
from roundtable.config.errors import ConfigError, InputError, OutputError, SessionLocked
from roundtable.journal.clock import SystemClock
from roundtable.journal.events import Recorded, SessionStopped
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.tables.locks import hold
from roundtable.session.factory import Runtime
from roundtable.session.session import Session
from tests.command_process import Command
from tests.faults.town import THINGS, write_documents
from tests.model_server import ModelServer

TOPICS = [f"What happened to the {thing} of Asterby?" for thing in THINGS[:4]]


def flags(documents: Path, out: Path, *more: str) -> list[str | Path]:
    return ["--docs", documents, "--offline", "--turns", "3", "--out", out, "--name", "asterby", *more]


@dataclass(frozen=True)
class Ran:
    """What a command ended with, and said."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run `batch` in this process, which begins those of its sessions."""

    def command(*words: str | Path, home: Path | None = None) -> Ran:
        if home is not None:
            monkeypatch.setenv("ROUNDTABLE_HOME", str(home))
        code = main(["batch", *map(str, words)])
        return Ran(code, *capsys.readouterr())

    return command


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents", THINGS[:4])


@pytest.fixture
def topics(tmp_path: Path) -> Path:
    file = tmp_path / "topics.txt"
    file.write_text("\n\n".join(TOPICS) + "\n")
    return file


# Topics


def test_a_text_has_a_topic_a_line(topics: Path):
    assert [(row.n, row.topic) for row in read_topics(topics)] == list(enumerate(TOPICS, 1))


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x1c"])
def test_a_line_ends_where_the_file_s_does_whatever_a_topic_holds(sign: str, tmp_path: Path):
    file = tmp_path / "topics.txt"
    topic = f"What happened to the mill{sign}of Asterby?"
    file.write_text(f"{topic}\r\nAnother\r\n", encoding="utf-8")
    assert [row.topic for row in read_topics(file)] == [topic.replace(sign, " "), "Another"]
    row = BatchRow(n=1, id="", session="a1", topic=topic, status="ended", folder="001")
    write_index(tmp_path, [row])
    assert read_index(tmp_path) == {"a1": row}


def test_json_lines_and_tables_hold_settings_of_each_topic(tmp_path: Path):
    lines, table = tmp_path / "t.jsonl", tmp_path / "t.CSV"
    rows = [
        {"topic": "One, and two?", "id": 7, "docs": ["a", "b"], "turns": 4, "budget": {"tokens": 10}},
        {"topic": "第二个", "moderator.turns": 5, "settings-less": None, "offline": True},
    ]
    lines.write_text("\ufeff" + "\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    table.write_text(
        "id,topic,docs,turns,budget,moderator.turns,offline\n"
        '7,"One, and two?",a; b,4,tokens=10,,\n,第二个,,,,5,true\n'
    )
    for file in (lines, table):
        first, second = read_topics(file)
        assert (first.name, first.topic, second.name, second.topic) == ("7", "One, and two?", "", "第二个")
        settings = [load_settings(row.settings, environment={}) for row in (first, second)]
        assert settings[0].docs == ["a", "b"]
        assert (settings[0].moderator.turns, settings[1].moderator.turns) == (4, 5)
        assert settings[0].moderator.budget.tokens == 10
        assert (settings[0].offline, settings[1].offline) == (False, True)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("t.txt", "\n \n", "there is no topic in it"),
        ("t.jsonl", '{"topic": "A"}\n{"topic": ', "line 2: this is not JSON"),
        ("t.jsonl", '["A"]', "line 1: give an object"),
        ("t.jsonl", '{"topic": "half \\ud800"}', "surrogates not allowed"),
        ("t.jsonl", '{"topic": " "}', "line 1: the topic is missing"),
        ("t.jsonl", '{"topic": "A", "turn": 3}', "line 1: no setting 'turn'; did you mean turns?"),
        ("t.jsonl", '{"topic": "A", "id": 1}\n{"topic": "B", "id": "1"}', "line 2: the id '1' stands in"),
        ("t.csv", "question\nA\n", "its first line names no column `topic`"),
        ("t.csv", "topic,turns\nA,3,4\n", "line 2: there are more cells than names"),
        ("t.csv", 'topic\n"A"b\n', "line 2: this is not CSV"),
    ],
)
def test_a_file_that_is_wrong_is_told_with_its_line(name: str, text: str, told: str, tmp_path: Path):
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(InputError, match="^" + str(file)) as failure:
        read_topics(file)
    assert told in str(failure.value)


def test_settings_however_deep_are_refused_in_one_line(tmp_path: Path):
    for depth in (40, 600, 900):
        nested = '{"a": ' * depth + "1" + "}" * depth
        (tmp_path / "t.jsonl").write_text(f'{{"topic": "A", "agents": {nested}}}')
        with pytest.raises(ConfigError, match="line 1: no setting agents.a$"):
            plans_of(read_topics(tmp_path / "t.jsonl"), tmp_path / "out", tmp_path)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path):
    with pytest.raises(InputError, match="cannot read .*: No such file"):
        read_topics(tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes("Überschwemmung".encode("latin-1"))
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_topics(tmp_path / "latin.txt")


# Ids and folders


def plans_of(rows: list[TopicRow], folder: Path, documents: Path, **more: Any) -> list[Any]:
    common = {"docs": [str(documents)], "offline": True, "moderator": {"turns": 2}, **more}

    def settled(own: Any) -> Settings:
        return load_settings(joined(common, own), environment={})

    return planned(rows, "n", folder, settled)


def test_ids_follow_from_batch_topic_and_settings_and_not_from_the_place_in_the_file(tmp_path: Path):
    rows = [
        TopicRow(1, "A"),
        TopicRow(2, "B"),
        TopicRow(3, "A"),
        TopicRow(4, "A", settings={"moderator": {"turns": 3}}),
    ]
    ids = [plan.job.session for plan in plans_of(rows, tmp_path, tmp_path)]
    assert len(set(ids)) == 4
    moved = [TopicRow(1, "New"), TopicRow(2, "A"), TopicRow(3, "B"), TopicRow(4, "A")]
    assert [plan.job.session for plan in plans_of(moved, tmp_path, tmp_path)][1:] == ids[:3]
    assert [plan.job.session for plan in plans_of(rows, tmp_path, tmp_path, language="de")] == ids


def test_a_row_with_a_wrong_setting_is_told_with_its_line(tmp_path: Path):
    rows = [TopicRow(1, "A", settings={"moderator": {"turns": "many"}}, place="t.csv, line 2")]
    with pytest.raises(Exception, match=r"^t.csv, line 2: turns: .*not 'many'"):
        plans_of(rows, tmp_path, tmp_path)


def test_a_sheet_with_a_column_that_would_run_a_program_begins_nothing(
    run: Callable[..., Ran], documents: Path, tmp_path: Path
):
    file, ran = tmp_path / "sent.jsonl", tmp_path / "ran"
    server = {"command": ["touch", str(ran)], "search": "s"}
    file.write_text(json.dumps({"topic": "A mill?", "search": ["x"], "mcp.x": server}))
    words = [file, *flags(documents, tmp_path / "out")]
    done = run(*words, home=tmp_path / "home")
    assert done.returncode == 2
    assert "line 1: mcp.x.command is not for rows to set" in done.stderr
    assert "--rows-may-set mcp.x" in done.stderr
    assert not ran.exists()
    assert not (tmp_path / "home" / "journal.db").exists()


def test_a_folder_keeps_its_batch_s_name_and_is_nobody_else_s(tmp_path: Path):
    folder, drawn = claim_batch(tmp_path / "b", None)
    assert claim_batch(folder, None) == (folder, drawn) == claim_batch(folder, drawn)
    with pytest.raises(OutputError, match="holds the batch"):
        claim_batch(folder, "other")
    with pytest.raises(InputError, match="--name 'a b'"):
        claim_batch(tmp_path / "c", "a b")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "index.html").touch()
    with pytest.raises(OutputError, match="something else"):
        claim_batch(tmp_path / "d", None)


# Whole batches


def told_once(home: Path) -> dict[str, list[str]]:
    """Return each session's turns; fail where one was begun twice, has a turn twice, or has not ended."""
    with Journal(home / "journal.db", SystemClock()) as journal:
        turns = {}
        for row in journal.sessions():
            kinds = [recorded.event.kind for recorded in journal.read(row.id)]
            assert row.state == "ended"
            assert kinds.count("session_started") == kinds.count("report_written") == 1
            said = [r.event for r in journal.read(row.id) if r.event.kind == "turn_taken"]
            numbers = [event.turn.n for event in said]  # type: ignore[attr-defined]
            assert numbers == list(range(1, len(numbers) + 1))
            turns[row.id] = [event.turn.text for event in said]  # type: ignore[attr-defined]
        return turns


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_killed_in_the_middle_and_run_again_it_ends_as_if_nothing_had_been(
    run: Callable[..., Ran], documents: Path, topics: Path, tmp_path: Path
):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    homes = tmp_path / "home-whole", tmp_path / "home-cut"
    done = run(topics, *flags(documents, whole, "--processes", "1"), home=homes[0])
    assert done.returncode == 0, done.stderr
    assert "[4/4] ended: " in done.stdout

    words = ["batch", topics, *flags(documents, cut, "--processes", "2", "--sessions", "2", "--json")]
    environment = {**os.environ, "ROUNDTABLE_HOME": str(homes[1]), "PYTHONUNBUFFERED": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Command(*words, env=environment, **pipes) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["status"] == "ended":
                process.kill()
                break
        process.wait(300)
    ended = [row.session for row in read_index(cut).values() if row.status == "ended"]
    with Journal(homes[1] / "journal.db", SystemClock()) as journal:
        before = {row.id: journal.read(row.id) for row in journal.sessions()}
    assert len(ended) < len(TOPICS)

    again = run(topics, *flags(documents, cut, "--processes", "1"), home=homes[1])
    assert again.returncode == 0, again.stderr
    assert told_once(homes[1]) == told_once(homes[0])
    with Journal(homes[1] / "journal.db", SystemClock()) as journal:
        for session, events in before.items():
            assert journal.read(session)[: len(events)] == events
    folders = sorted(path.name for path in whole.iterdir() if path.is_dir())
    assert len(folders) == len(TOPICS)
    assert folders == sorted(path.name for path in cut.iterdir() if path.is_dir())
    for folder in folders:
        for name in ("report.md", "report.html", "mindmap.json", "sources.json"):
            assert (cut / folder / name).read_text() == (whole / folder / name).read_text(), (folder, name)

    third = run(topics, *flags(documents, cut, "--json"), home=homes[1])
    assert (third.returncode, third.stdout) == (0, "")
    assert "4 topics, 4 of them ended before" in third.stderr
    assert told_once(homes[1]) == told_once(homes[0])

    rows = [json.loads(line) for line in (cut / "batch.jsonl").read_text().splitlines()]
    assert [row["topic"] for row in rows] == TOPICS
    assert all(row["sentences"] > 0 and row["cited"] > 0 and row["sources"] > 0 for row in rows)
    with (cut / "batch.csv").open(newline="") as file:
        assert [row["session"] for row in csv.DictReader(file)] == [row["session"] for row in rows]
    page = html5lib.parse((cut / "index.html").read_text(), namespaceHTMLElements=False)
    links = [link.get("href") for link in page.iter("a")]
    assert len([link for link in links if (cut / link).exists()]) == len(links) == 2 + len(TOPICS)


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
async def test_a_process_that_is_killed_costs_its_sessions_a_resume(documents: Path, tmp_path: Path):
    rows = [TopicRow(n, topic) for n, topic in enumerate(TOPICS[:3], 1)]
    folder, _ = claim_batch(tmp_path / "b", "n")
    plans = plans_of(rows, folder, documents)
    engine, killed = LocalProcesses(1, 3), 0
    home = Path(os.environ["ROUNDTABLE_HOME"])
    with Journal(home / "journal.db", SystemClock()) as journal:
        work = BatchRun(folder, "n", plans, engine, journal, pause=0.1)
        changes = []
        async for row in work.run():
            changes.append((row.session, row.status, row.attempts))
            if row.status == "running" and not killed:
                while not any(len(journal.read(one.id)) > 20 for one in journal.sessions()):  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
                [process] = engine._processes
                os.kill(process._process.pid, signal.SIGKILL)
                killed += 1
        await engine.close()
    assert killed == 1
    assert [row.status for row in work.rows.values()] == ["ended"] * 3
    assert max(attempts for _, _, attempts in changes) == 2
    assert len(told_once(home)) == 3


def dead_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
@pytest.mark.loopback
def test_topics_that_fail_are_tried_again_named_and_counted(
    run: Callable[..., Ran], documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("ROUNDTABLE_MODELS__RETRIES", "0")
    file, out = tmp_path / "t.jsonl", tmp_path / "b"
    dead = {"model": "openai:gpt-5-mini", "base_url": f"http://127.0.0.1:{dead_port()}/v1"}
    file.write_text(
        "\n".join(json.dumps(row) for row in [{"topic": TOPICS[0]}, {"topic": TOPICS[1], **dead}])
    )
    own = ("--model", "embedded", "--rows-may-set", "models")
    words = flags(documents, out, *own, "--retries", "1", "--processes", "1")
    done = run(file, *words)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"roundtable: {TOPICS[1]}: " in done.stderr
    good, bad = read_index(out).values()
    assert (good.status, good.attempts, good.error) == ("ended", 1, None)
    assert (bad.status, bad.attempts) == ("failed", 2)
    assert bad.error
    with ModelServer() as server:  # the same command on a server that is there: what failed is tried anew
        file.write_text(file.read_text().replace(dead["base_url"], server.url))
        done = run(file, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 topics, 1 of them ended before" in done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
@pytest.mark.loopback
def test_what_all_may_spend_is_held_and_the_rest_is_left(
    run: Callable[..., Ran], documents: Path, topics: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    out = tmp_path / "b"
    with ModelServer() as server:
        model = ("--model", "openai:test-model", "--base-url", server.url)
        words = [topics, *flags(documents, out, *model, "--processes", "1", "--sessions", "2")]
        done = run(*words, "--total", "requests=20")
        assert done.returncode == 3, done.stdout + done.stderr
        assert "the batch's budget of requests is spent" in done.stdout
        rows = list(read_index(out).values())
        begun = [row for row in rows if row.status == "ended"]
        assert 0 < len(begun) < len(rows)
        assert 20 <= sum(row.requests for row in rows) < 60
        done = run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {row.status for row in read_index(out).values()} == {"ended"}


async def test_what_is_left_of_the_batch_s_budget_bounds_each_session(documents: Path, tmp_path: Path):
    folder, _ = claim_batch(tmp_path / "b", "n")
    plans = plans_of(
        [TopicRow(1, "A"), TopicRow(2, "B", settings={"moderator": {"budget": {"tokens": 5}}})],
        folder,
        documents,
    )
    jobs = []

    class Asked:
        room = 1

        async def run(self, job: Any, told: Any) -> Any:
            jobs.append(job)
            from roundtable.batch.session_job import JobResult

            return JobResult(session=job.session, status="ended", figures={"tokens": 60, "cost": 0.5})

        async def withdraw(self) -> None:
            pass

        async def stop(self) -> None:
            pass

        async def close(self) -> None:
            pass

    with Journal(tmp_path / "journal.db", SystemClock()) as journal:
        work = BatchRun(folder, "n", plans, Asked(), journal, budget=Budget(tokens=100, money=2.0, reserve=0))
        assert [row.status async for row in work.run()] == ["running", "ended"] * 2
    budgets = [job.settings["moderator"]["budget"] for job in jobs]
    assert [(budget["tokens"], budget["money"]) for budget in budgets] == [(100, 2.0), (5, 1.5)]


async def test_when_topic_after_topic_fails_nothing_more_is_begun(documents: Path, tmp_path: Path):
    folder, _ = claim_batch(tmp_path / "b", "n")
    plans = plans_of([TopicRow(n, f"Topic {n}") for n in range(1, 21)], folder, documents)

    class Failing:
        room, withdrawn = 2, False

        async def run(self, job: Any, told: Any) -> Any:
            from roundtable.batch.session_job import JobResult

            return JobResult(session=job.session, status="stopped", error="no such model", again=True)

        async def withdraw(self) -> None:
            self.withdrawn = True

        async def stop(self) -> None:
            pass

        async def close(self) -> None:
            pass

    with Journal(tmp_path / "journal.db", SystemClock()) as journal:
        engine = Failing()
        work = BatchRun(folder, "n", plans, engine, journal, retries=1, pause=0.0)
        changes = [row async for row in work.run()]
    assert engine.withdrawn
    states = [row.status for row in work.rows.values()]
    assert 5 <= states.count("failed") <= 6
    assert states.count("waiting") >= 14
    assert "in a row failed, the last one because no such model" in (work.ending or "")
    assert max(row.attempts for row in changes) == 2


def test_the_files_of_who_took_a_session_over_are_left_to_that(
    documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    around = Runtime()
    folder, _ = claim_batch(tmp_path / "b", "n")
    [plan] = plans_of([TopicRow(1, TOPICS[0])], folder, documents)
    report = Path(plan.job.folder) / "report.md"

    async def stood_still(session: Session, _turns: int | None = None) -> AsyncGenerator[Recorded]:
        report.parent.mkdir(exist_ok=True)
        with around.journal() as journal:  # another process went on meanwhile, and wrote its files
            journal.append(session.id, [SessionStopped(reason="said elsewhere")])
        report.write_text("Theirs.")
        raise SessionLocked("the session was taken over by another process")
        yield

    monkeypatch.setattr(Session, "run", stood_still)
    result = asyncio.run(JobRunner(around).run(plan.job))
    assert result.locked
    assert "gone on with by another process" in caplog.text
    assert report.read_text() == "Theirs."
    assert not (report.parent / "usage.json").exists()
    report = tmp_path / "own" / "report.md"
    words = ["run", TOPICS[0], "--docs", documents, "--offline", "--model", "embedded"]
    assert main([*map(str, words), "--out", str(report.parent)]) == 2
    assert report.read_text() == "Theirs."
    assert not (report.parent / "usage.json").exists()


def test_two_at_once_on_one_folder_are_refused(
    run: Callable[..., Ran], documents: Path, topics: Path, tmp_path: Path
):
    folder, name = claim_batch(tmp_path / "b", "asterby")
    with (
        hold(folder / ".lock", "batch"),
        pytest.raises(SessionLocked),
        hold(folder / ".lock", f"batch {name}"),
    ):
        pass
    with hold(folder / ".lock", "batch"):
        done = run(topics, *flags(documents, folder, "--model", "embedded"))
    assert done.returncode == 2
    assert f"batch asterby is being run by process {os.getpid()}" in done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_ctrl_c_begins_nothing_more_and_the_same_again_goes_on(
    run: Callable[..., Ran], documents: Path, topics: Path, tmp_path: Path
):
    out = tmp_path / "b"
    words = ["batch", topics, *flags(documents, out, "--model", "embedded", "--processes", "1", "--json")]
    with Command(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["status"] == "running"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert process.returncode == 3, said
    assert "it was stopped; 3 topics left: the same command again goes on." in said
    assert [row.status for row in read_index(out).values()].count("ended") == 1
    assert run(topics, *flags(documents, out, "--model", "embedded")).returncode == 0


def test_reports_are_written_as_benchmarks_read_them(
    tmp_path: Path, documents: Path, run: Callable[..., Ran]
):
    (tmp_path / "t.jsonl").write_text(json.dumps({"topic": TOPICS[0], "id": "q7"}) + "\n")
    out = tmp_path / "out"
    words = flags(documents, out, "--format", "drb", "--format", "scholarqa", "--format", "freshwiki")
    ran = run(tmp_path / "t.jsonl", *words, home=tmp_path / "home")
    assert ran.returncode == 0, ran
    [article] = [json.loads(line) for line in (out / "drb.jsonl").read_text().splitlines()]
    assert (article["id"], article["prompt"]) == ("q7", TOPICS[0])
    [report] = out.glob("*/report.md")
    assert article["article"] == report.read_text()

    [answer] = json.loads((out / "scholarqa.json").read_text())
    told = json.loads(report.with_suffix(".json").read_text())
    texts = {p["id"]: p["text"] for s in json.loads(report.with_name("sources.json").read_text())["sources"]
             for p in s["passages"]}  # fmt: skip
    sentences = [each for section in told["sections"] for each in section["sentences"]]
    assert sentences
    for each in sentences:
        behind = answer["output"].partition(each["text"])[2]
        first = re.match(r" \[(\d+)\]", behind)
        assert first is not None
        assert answer["ctxs"][int(first[1])]["text"] == texts[each["citations"][0]]

    [text] = (out / "freshwiki").glob("*/storm_gen_article_polished.txt")
    held = json.loads(text.with_name("url_to_info.json").read_text())
    numbers = set(map(int, re.findall(r"\[(\d+)\]", text.read_text())))
    assert numbers == set(held["url_to_unified_index"].values())
    assert text.read_text().startswith(f"# {told['sections'][0]['heading']}\n\n")
