"""`run --plan` and `run --confirm`: the plan shown, and changed by a person, before the table begins."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import click

from library.text import translated
from roundtable.config.errors import InputError
from roundtable.session.planning.plan_editing import ExpertEdit, editable, edited_panel, read_edited
from roundtable.session.planning.session_plan import Panel, SessionPlan, plan_text
from roundtable.terminal.safe_output import ask

Planning = Literal["show", "confirm"]


def check_terminal(planning: Planning | None) -> None:
    """Refuse to ask where nobody can answer. Raises InputError for `--confirm` on a pipe."""
    if planning == "confirm" and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "--confirm asks on a terminal, and this is none: use --plan to print the plan, "
            "then roundtable resume ID"
        )


def confirmed(plan: SessionPlan, out: Callable[[str], None], language: str = "en") -> Panel | None:
    """Show the plan in a language, and let a person begin, change it, or leave; None for leaving."""

    def say(text: str) -> None:
        out(translated(text, language))

    while True:
        say(plan_text(plan))
        answer = ask(translated("Begin (b), edit (e) or leave (q)?", language), default="b")
        match answer.strip().casefold()[:1]:
            case "b" | "y":
                return plan.panel
            case "e":
                plan = replace(plan, panel=_edited(plan, say, language))
            case "q" | "n":
                return None
            case _:
                say("b begins, e edits the plan, q leaves; nothing more is spent until you begin")


def _edited(plan: SessionPlan, say: Callable[[str], None], language: str) -> Panel:
    """Have the plan edited: in the person's editor, or line by line where none is named."""
    try:
        if not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
            return edited_panel(plan, _line_by_line(plan, language))
        text = click.edit(editable(plan), extension=".toml")
        return plan.panel if text is None else read_edited(text, plan)
    except InputError as failure:
        say(f"{failure}; the plan stays as it was")
        return plan.panel


def _line_by_line(plan: SessionPlan, language: str) -> list[ExpertEdit]:
    kept: list[ExpertEdit] = []
    for perspective, question in plan.panel:
        asked = f"{perspective.name}, first question (Enter keeps it, - leaves the expert out)"
        new = ask(f"{translated(asked, language)}\n  {question}\n", default=question, suffix="> ")
        if new.strip() != "-":
            kept.append(
                ExpertEdit(slug=perspective.slug, name=perspective.name, role=perspective.role,
                           focus=perspective.focus, question=new)
            )  # fmt: skip
    another = translated("Another expert, as NAME: FOCUS (Enter for none)", language)
    while given := ask(f"{another}\n", default="", suffix="> ").strip():
        name, _, focus = given.replace("：", ":").partition(":")
        kept.append(ExpertEdit(name=name, focus=focus.strip()))
    return kept
