"""`run --plan` and `run --confirm`: the plan shown, and changed by a person, before the table begins."""

import os
import sys
from collections.abc import Callable
from typing import Literal

import click

from agents import Perspective
from roundtable.config.errors import InputError
from roundtable.session.session_plan import SessionPlan, editable, plan_text, read_edited

Planning = Literal["show", "confirm"]


def check_terminal(planning: Planning | None) -> None:
    """Refuse to ask where nobody can answer. Raises InputError for `--confirm` on a pipe."""
    if planning == "confirm" and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "--confirm asks on a terminal, and this is none: use --plan to print the plan, "
            "then roundtable resume ID"
        )


def confirmed(plan: SessionPlan, say: Callable[[str], None]) -> list[tuple[Perspective, str]] | None:
    """Show the plan and let a person begin, change it, or leave; None for leaving."""
    edited = list(plan.panel)
    while True:
        say(plan_text(_with(plan, edited)))
        answer = click.prompt("Begin (b), edit (e) or leave (q)?", default="b", show_default=False)
        match answer.strip().casefold()[:1]:
            case "b" | "y":
                return edited
            case "e":
                edited = _edited(_with(plan, edited), say)
            case "q" | "n":
                return None
            case _:
                say("b begins, e edits the plan, q leaves; nothing more is spent until you begin")


def _with(plan: SessionPlan, edited: list[tuple[Perspective, str]]) -> SessionPlan:
    return SessionPlan(plan.topic, tuple(edited), plan.places, plan.turns, plan.estimate)


def _edited(plan: SessionPlan, say: Callable[[str], None]) -> list[tuple[Perspective, str]]:
    """Have the plan edited: in the person's editor, or line by line where none is named."""
    if not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
        return _line_by_line(plan)
    text = click.edit(editable(plan), extension=".toml")
    if text is None:
        return list(plan.panel)
    try:
        return read_edited(text, plan)
    except InputError as failure:
        say(f"{failure}; the plan stays as it was")
        return list(plan.panel)


def _line_by_line(plan: SessionPlan) -> list[tuple[Perspective, str]]:
    edited: list[tuple[Perspective, str]] = []
    for perspective, question in plan.panel:
        new = click.prompt(
            f"{perspective.name}, first question (Enter keeps it, - leaves the expert out)\n  {question}\n",
            default=question, show_default=False, prompt_suffix="> ",
        )  # fmt: skip
        if new.strip() != "-":
            edited.append((perspective, " ".join(new.split())))
    return edited or list(plan.panel)
