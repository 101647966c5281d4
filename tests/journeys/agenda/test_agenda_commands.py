"""The plan and the budget on the command line."""

from dataclasses import replace
from pathlib import Path

import click
import pytest

from agents import Perspective
from roundtable.__main__ import run as run_here
from roundtable.cli.running import planning, run_session
from roundtable.config.errors import InputError
from roundtable.session.planning.plan_editing import ExpertEdit, editable, edited_panel, read_edited
from roundtable.session.planning.session_plan import Estimate, Panel, SessionPlan

PLAN = SessionPlan(
    topic="Tolvik",
    panel=(
        (Perspective(slug="builder", name="Builder", role="builds", focus="bridges"), "What did it cost?"),
        (Perspective(slug="keeper", name='Keeper of "ferries"', role="keeps", focus="ferries"), "Which ran?"),
    ),
    places=("town",),
    turns=12,
    estimate=Estimate(0, 0, 0.0),
)


def test_who_looks_at_something_else_is_told_so_everywhere() -> None:
    practitioner = Perspective(
        slug="who", name="The practitioner", role="looks for how it is done, in “Counters”", focus="Counters",
        terms=["counters", "gpc0"],
    )  # fmt: skip
    plan = replace(PLAN, panel=((practitioner, "How?"),))
    [(changed, _)] = edited_panel(plan, [ExpertEdit(slug="who", name="Ada", focus="stick tables")])
    assert changed.role == "looks for how it is done, in “stick tables”"
    assert changed.terms == ["stick tables"]
    [(same, _)] = edited_panel(plan, [ExpertEdit(slug="who", name="Ada", focus="Counters")])
    assert (same.role, same.terms) == (practitioner.role, practitioner.terms)
    [(own, _)] = edited_panel(plan, [ExpertEdit(slug="who", name="Ada", role="counts", focus="Counters")])
    assert own.role == "counts"


def run(*arguments: str) -> int:
    return run_here(list(arguments))


@pytest.fixture
def flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chinese_documents: Path) -> list[str]:
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    return [
        "--docs",
        str(chinese_documents),
        "--offline",
        "--model",
        "embedded",
        "--out",
        str(tmp_path / "out"),
    ]


def test_plan_prints_the_plan_spends_nothing_more_and_can_be_gone_on_with(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "青河镇的洪水", *flags, "--plan") == 0
    told = capsys.readouterr().out
    assert "在座：" in told
    assert "主持人" in told.partition("在座：")[0], "what is searched for the plan is told meanwhile"
    assert told.count("先问：") == 3
    assert "检索：" in told
    assert "不请求语言模型" in told
    assert not (tmp_path / "out" / "report.md").exists()
    assert run("resume", "last", "--plain") == 0
    assert (tmp_path / "out" / "report.md").exists()


def test_while_a_person_reads_the_plan_nobody_works_and_it_begins_as_they_want_it(
    flags: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    states: list[str] = []

    def begin(plan: SessionPlan, *_: object) -> Panel:
        assert run("list") == 0
        states.append(capsys.readouterr().out)
        return plan.panel[:1]

    monkeypatch.setattr(run_session, "check_terminal", lambda _: None)
    monkeypatch.setattr(run_session, "confirmed", begin)
    assert run("run", "青河镇的洪水", *flags, "--confirm", "--turns", "3", "--plain") == 0
    assert "stopped" in states[0] or "已停止" in states[0], "it is at rest: reading is no working time"
    told = capsys.readouterr().out
    assert "第 0 次" not in told
    assert "报告：" in told


def test_confirm_on_a_pipe_is_an_error_and_no_hang(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "青河镇的洪水", *flags, "--confirm") == 2
    assert "--plan" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("budget", "says"),
    [("coins=3", "there are: tokens, money"), ("tokens=many", "as in tokens=100"), ("seconds=-1", "greater")],
)
def test_a_budget_that_is_none_is_named(
    flags: list[str], budget: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("run", "x", *flags, "--budget", budget) == 2
    assert says in capsys.readouterr().err


def test_a_spent_budget_is_a_normal_end_with_a_report(flags: list[str], tmp_path: Path) -> None:
    assert run("run", "青河镇的洪水", *flags, "--budget", "searches=1", "--plain") == 0
    assert (tmp_path / "out" / "report.md").exists()


def test_the_plan_as_text_is_read_back_as_it_was() -> None:
    assert read_edited(editable(PLAN), PLAN) == PLAN.panel


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[builder", "cannot be read"),
        ("[stranger]\nname = 'x'", "no expert"),
        ("[builder]\nage = 3", "no 'age'"),
        ("[builder]\nname = ''", "name: string should have at least 1 character"),
        ("", "nobody at the table"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_with_a_reason(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_edited(text, PLAN)


def test_a_person_changes_questions_line_by_line_and_leaves_one_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    given = iter(["e", "What did the bridge cost?", "-", "Otter warden: 河里的水獭", "", "b"])
    asked: list[str] = []
    monkeypatch.setattr(click, "prompt", lambda text, **_more: asked.append(text) or next(given))
    panel = planning.confirmed(PLAN, lambda _text: None, "zh")
    assert panel is not None
    assert panel[0] == (PLAN.panel[0][0], "What did the bridge cost?")
    assert [(one.name, one.focus) for one, _ in panel[1:]] == [("Otter warden", "河里的水獭")]
    assert all("Enter" not in text for text in asked)


def test_a_plan_that_would_leave_nobody_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    given = iter(["e", "-", "-", "", "b"])
    monkeypatch.setattr(click, "prompt", lambda *_args, **_more: next(given))
    told: list[str] = []
    assert planning.confirmed(PLAN, told.append) == PLAN.panel
    assert any("nobody at the table" in line and "stays as it was" in line for line in told)


def test_a_person_may_leave_before_anything_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click, "prompt", lambda *_args, **_more: "q")
    assert planning.confirmed(PLAN, lambda _text: None) is None
