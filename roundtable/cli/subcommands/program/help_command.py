"""`roundtable help`: what `--help` shows."""

import click

from roundtable.terminal.safe_output import say


@click.command("help")
@click.argument("name", metavar="[COMMAND]", required=False)
@click.pass_context
def command(context: click.Context, name: str | None) -> None:
    """Show the commands, or the help of one."""
    above = context.parent
    assert above is not None
    assert isinstance(above.command, click.Group)
    if name is None:
        say(above.get_help())
        return
    found_name, found, _ = above.command.resolve_command(above, [name])
    assert found is not None
    say(found.get_help(found.context_class(found, info_name=found_name, parent=above)))
