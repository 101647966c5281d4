"""The command `roundtable`: its list of commands, each loaded when it is called."""

import os
from importlib import import_module

import click

from roundtable import __version__
from roundtable.cli.help_words import SpokenContext
from roundtable.cli.near_commands import NearGroup

COMMANDS = {
    "run": "Discuss a topic and write a report.",
    "batch": "Discuss each topic of a file, in several processes; the same again goes on.",
    "join": "Take part in the terminal: a new topic, or a session by its id.",
    "serve": "Take part in the browser: sessions, map and report on a page.",
    "worker": "Take sessions from the queue of a database, for batches and servers.",
    "mcp": "Serve sessions to another assistant by the Model Context Protocol.",
    "resume": "Go on with a session, or write its files again.",
    "watch": "Discuss a topic, and bring the report up to date by itself from then on.",
    "update": "Look a session's sources up again, and go on with what is new.",
    "list": "List the sessions, the newest first.",
    "show": "Show a session and what was said in it.",
    "export": "Write a session's files to a folder.",
    "import-map": "Start a session from an outline that you have.",
    "report": "Write a session's report again, in another style or after another outline.",
    "check": "Check a report against its sources, also those on the web.",
    "audit": "Check anybody's text: do its references exist, do they say what it claims?",
    "compare": "A table of things against questions, each cell quoted and checked.",
    "extract": "Named fields of pages and documents, each quoted and checked.",
    "rename": "Give a session another name in lists.",
    "delete": "Delete a session from the journal.",
    "fork": "Begin a new session from an earlier point of another.",
    "replay": "Show again what a session showed, from the journal alone.",
    "import": "Take in a session from a bundle.",
    "accounts": "Give people accounts at a team's server, and share sessions with them.",
    "journal": "Copy sessions to a database, or back.",
    "docs": "Name collections of documents to search.",
    "sources": "List, show and forget what sessions have read.",
    "doctor": "Say what is configured, reachable and missing.",
    "man": "Show the man page: every command with its flags.",
    "help": "Show this, or the help of a command.",
    "version": "Show the version.",
}
"""Name and what it does, in the order of the help."""
_FLOORS = {
    "discussing": "run batch join serve worker mcp resume watch import-map report",
    "sessions": "update list show export check rename delete fork replay import",
    "texts": "audit compare extract",
    "program": "accounts journal docs sources doctor man help version",
}
"""Where in `roundtable.cli.subcommands` the module `NAME_command` of each command is."""


class LazyGroup(NearGroup):
    """A group that imports a command only to run it or to show its own help."""

    context_class = SpokenContext

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        _hush()
        floor = next(floor for floor, names in _FLOORS.items() if cmd_name in names.split())
        module = f"roundtable.cli.subcommands.{floor}.{cmd_name.replace('-', '_')}_command"
        command = import_module(module).command
        assert isinstance(command, click.Command)
        command.context_class = SpokenContext
        for inner in getattr(command, "commands", {}).values():
            inner.context_class = SpokenContext
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _hush() -> None:
    """Keep libraries from logging into the conversation: what matters comes as an event or an error."""
    if not os.environ.get("ROUNDTABLE_DEBUG"):
        import logging  # a tenth of what `--help` takes

        logging.getLogger().addHandler(logging.NullHandler())


def _install_completion(context: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    if shell is not None:
        from roundtable.cli.completion import install

        install(context, parameter, shell)


@click.command(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "-V", "--version", message="roundtable %(version)s")
@click.option(
    "--install-completion", is_flag=False, flag_value="auto", metavar="[SHELL]", expose_value=False,
    is_eager=True, callback=_install_completion,
    help="Let the shell complete commands and flags: bash, zsh, fish; default: yours.",
)  # fmt: skip
def command() -> None:
    """Experts with different viewpoints discuss a topic, each searching and reading.

    A mind map keeps what was said, and a report is written in which every sentence leads to what it rests on.

    \b
    roundtable run "How does Python's with statement work?" --docs python --offline
    roundtable run "Should cities ban cars?" --model openai:gpt-5-mini
    roundtable run "What do these papers disagree on?" --docs ./papers
    """  # noqa: D301 - click's own sign, that lines stay as they are, is the character and not its name
