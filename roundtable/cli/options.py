"""Flags that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from roundtable.cli.near_commands import NearChoice

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

BUDGETS = {"tokens": int, "money": float, "requests": int, "searches": int, "pages": int, "seconds": float}
"""What `--budget` takes, and what each is measured in; `money` is US dollars."""


def read_budget(
    _context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]
) -> dict[str, float]:
    """Read `--budget NAME=LIMIT`, repeated or joined by commas."""
    limits: dict[str, float] = {}
    for item in (part for text in given for part in text.split(",") if part):
        name, _, value = item.partition("=")
        name = "money" if name == "cost" else name  # what the flag called it before
        if name not in BUDGETS:
            raise click.BadParameter(f"{name!r} is no budget; there are: {', '.join(BUDGETS)}")
        try:
            limits[name] = BUDGETS[name](value)
        except ValueError:
            raise click.BadParameter(f"{item!r}: give a number, as in {name}=100") from None
    return limits


def budget_option(command: CommandT) -> CommandT:
    """Add the flag that limits what a session may spend."""
    option = click.option(
        "--budget", multiple=True, metavar="NAME=LIMIT", callback=read_budget,
        help="Spend no more than: tokens=, money= (US dollars), requests=, searches=, pages=, seconds=. "
        "Repeatable.",
    )  # fmt: skip
    return option(command)


def model_options(command: CommandT) -> CommandT:
    """Add the flags that choose models."""
    for option in reversed(
        [
            click.option(
                "--model",
                metavar="MODEL",
                help="embedded | openai:NAME | anthropic:NAME | ollama:NAME. Default: a configured key's "
                "model, else embedded, which needs no key and quotes.",
            ),
            click.option(
                "--base-url", metavar="URL", help="Address of any OpenAI-compatible or Ollama server."
            ),
            click.option(
                "--cache/--no-cache",
                default=None,
                help="Keep a model's replies, and use those kept from earlier sessions; or use nothing kept: "
                "no replies, searches or pages. Default: replies at a temperature of 0 alone.",
            ),
        ]
    ):
        command = option(command)
    return command


def depth_option(command: CommandT) -> CommandT:
    """Add the flag that says how deep a session goes."""
    option = click.option(
        "--depth", type=NearChoice(["quick", "standard", "deep"]),
        help="How much a model is shown, and how far the session goes. Default: standard.",
    )  # fmt: skip
    return option(command)


def docs_option(command: CommandT) -> CommandT:
    """Add the flag that names documents to search."""
    option = click.option(
        "--docs", multiple=True, metavar="PATH_OR_NAME",
        help="Search a folder, a file, or a named collection (`python` is always there); `sessions`: what "
        "earlier sessions read, `session:ID`: what one did. Repeatable.",
    )  # fmt: skip
    return option(command)


def verbose_option(command: CommandT) -> CommandT:
    """Add `--verbose`."""
    return click.option(
        "-v", "--verbose", is_flag=True, help="Name each file of a folder whose kind is not read."
    )(command)


def search_options(command: CommandT) -> CommandT:
    """Add the flags that say where outside is searched, and what may be used of it."""
    for option in reversed(
        [
            click.option(
                "--search", multiple=True, metavar="PLACE",
                help="Search outside: web, wikipedia, arxiv, … Repeatable. Default: web without --docs, "
                "nothing with it.",
            ),
            click.option("--web", is_flag=True, help="Search the web too, beside --docs; as --search web."),
            click.option(
                "--offline", is_flag=True, help="Open no internet socket, except to a model on this machine."
            ),
            click.option(
                "--site", multiple=True, metavar="HOST[/PATH]",
                help="Use pages of this site alone (its subdomains too). Repeatable.",
            ),
            click.option(
                "--not-site", multiple=True, metavar="HOST[/PATH]",
                help="Use nothing of this site. Repeatable.",
            ),
            click.option("--since", metavar="DATE", help="Use what was published since 2024, 2024-05, …"),
            click.option("--until", metavar="DATE", help="Use what was published until then."),
            click.option(
                "--kind", multiple=True, type=NearChoice(["paper", "news", "encyclopedia", "docs", "code"]),
                help="Use sources of this kind alone. Repeatable.",
            ),
        ]
    ):  # fmt: skip
        command = option(command)
    return command


STYLES = ("article", "brief", "outline", "faq")
"""Those of `reports.settings.Style`, named here so that help loads no report."""


def report_options(command: CommandT) -> CommandT:
    """Add the flags that say what the report should be like."""
    for option in reversed(
        [
            click.option("--style", type=NearChoice(STYLES), help="Of the report. Default: article."),
            click.option("--words", type=int, metavar="N", help="Of the report, for a model that writes."),
        ]
    ):
        command = option(command)
    return command


def expert_options(command: CommandT) -> CommandT:
    """Add the flags that bring AutoGen agents to the table."""
    for option in reversed(
        [
            click.option(
                "--expert", "invited", multiple=True, metavar='"NAME: FOCUS @ MODEL"|FILE.json',
                help="Seat an expert of your own choice, with a model of its own if you like (`at URL` may "
                "follow it); or an AutoGen agent, by its configuration as dump_component() gives it. "
                "Repeatable.",
            ),
            click.option(
                "--allow-provider", multiple=True, metavar="NAME",
                help="With --expert: load components of this class or package, too; this runs its code. "
                "Or the address of a server that the file may name.",
            ),
        ]
    ):  # fmt: skip
        command = option(command)
    return command


def view_options(command: CommandT) -> CommandT:
    """Add the flags that say how a session is shown."""
    for option in reversed(
        [
            click.option(
                "--json", "as_json", is_flag=True, help="Events as JSON lines on stdout, words on stderr."
            ),
            click.option(
                "--plain", is_flag=True, help="Plain lines, also on a terminal (NO_COLOR is honoured too)."
            ),
        ]
    ):
        command = option(command)
    return command


def out_options(command: CommandT) -> CommandT:
    """Add the flags that say where results are written."""
    folder = click.Path(file_okay=True, path_type=Path)
    for option in reversed(
        [
            click.option("--out", type=folder, metavar="DIR", help="Folder for the results."),
            click.option("--force", is_flag=True, help="Write also over another session's files."),
        ]
    ):
        command = option(command)
    return command


def session_options(command: CommandT) -> CommandT:
    """Add all flags that are settings of a session: what `run` and `batch` have in common."""
    for option in reversed(
        [
            docs_option,
            search_options,
            click.option(
                "--follow-links", is_flag=True, help="With --docs: follow links that lead out of a folder."
            ),
            click.option(
                "--own-notes", is_flag=True,
                help="With --docs: read also reports and notes that Roundtable wrote into a folder.",
            ),
            verbose_option,
            model_options,
            depth_option,
            report_options,
            click.option(
                "--experts", type=int, metavar="N", help="Experts at the table, 1 to 8. Default: 3."
            ),
            expert_options,
            click.option(
                "--turns", type=int, metavar="N", help="Turns after which the table closes. Default: 12."
            ),
            click.option(
                "--language", metavar="CODE",
                help="Language of the discussion: en, zh, … Default: the topic's.",
            ),
            budget_option,
        ]
    ):  # fmt: skip
        command = option(command)
    return command


def settings_options(command: CommandT) -> CommandT:
    """Add the flags that name settings kept elsewhere."""
    for option in reversed(
        [
            click.option(
                "--config", type=click.Path(path_type=Path), metavar="FILE.toml", help="A file of settings."
            ),
            click.option(
                "--preset", metavar="NAME", help="Settings that come with the program: embedded, ollama, …"
            ),
        ]
    ):
        command = option(command)
    return command
