"""`roundtable mcp`: sessions for another assistant, over standard input and output."""

import click

from models import install_command
from roundtable.config.errors import InputError


@click.command("mcp")
@click.option(
    "--any-docs", is_flag=True,
    help="Any folder of this machine may be searched, not only collections named with `roundtable docs add`.",
)  # fmt: skip
def command(*, any_docs: bool) -> None:
    """Serve one assistant by the Model Context Protocol, on standard input and output.

    It is started by the assistant, for instance with {"command": "roundtable", "args": ["mcp"]} in its
    configuration. Sessions that run when it leaves go on in a process of their own. `roundtable serve` speaks
    the same protocol over HTTP, at /mcp.
    """
    from roundtable.protocols.beside import has_mcp

    if not has_mcp():
        raise InputError(f"the Model Context Protocol needs an extra: {install_command('mcp')}")
    from roundtable.protocols.stdio_host import host

    host(any_documents=any_docs)
