"""`roundtable serve [ID]`: sessions in the browser."""

from functools import partial
from pathlib import Path

import click

from roundtable.terminal.safe_output import say, tell


@click.command("serve")
@click.argument("session", metavar="[ID]", required=False)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Listen here.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Default: 8420, or any free one.")
@click.option(
    "--name", "names", multiple=True, metavar="HOST",
    help="A further host name by which the server is reached. Repeatable.",
)  # fmt: skip
@click.option(
    "--token", default="", envvar="ROUNDTABLE_TOKEN", metavar="TOKEN",
    help="A token that signs in, also more than once (or the variable ROUNDTABLE_TOKEN).",
)  # fmt: skip
@click.option(
    "--url", default="", metavar="URL",
    help="Where browsers find the server, when a proxy stands before it: https://team.example.org.",
)  # fmt: skip
@click.option("--tls-certificate", type=click.Path(path_type=Path), metavar="FILE", help="Speak https.")
@click.option("--tls-key", type=click.Path(path_type=Path), metavar="FILE", help="The certificate's key.")
@click.option(
    "--workers", is_flag=True,
    help="Let `roundtable worker` run sessions, from the queue of the database; this server shows them.",
)  # fmt: skip
@click.option(
    "--config", type=click.Path(path_type=Path), metavar="FILE",
    help="A file with the server's own settings: [serve.oidc], by whom people sign in.",
)  # fmt: skip
@click.option("--unprotected", is_flag=True, help="Listen on a network with neither a token nor TLS.")
@click.option(
    "--any-docs", is_flag=True,
    help="Other programs (MCP, chat completions) may have any folder searched, not only named collections.",
)  # fmt: skip
@click.option("--invite", is_flag=True, help="Print a link that lets one more person in, and end.")
@click.option("--bearer", is_flag=True, help="Print the token for scripts, and end.")
def command(
    session: str | None,
    host: str,
    port: int | None,
    names: tuple[str, ...],
    token: str,
    url: str,
    tls_certificate: Path | None,
    tls_key: Path | None,
    workers: bool,
    config: Path | None,
    unprotected: bool,
    any_docs: bool,
    invite: bool,
    bearer: bool,
) -> None:
    """Serve the page on which sessions are begun, watched and steered; with ID, go on with that session.

    The link printed first works once and signs the browser in. Closing the page stops no session; Ctrl-C ends
    the server, and every session can be resumed. Scripts send `Authorization: Bearer TOKEN` (see --bearer);
    so do other assistants, which find the Model Context Protocol at /mcp (with the extra roundtable[mcp]).
    """
    from roundtable.cli.journals import open_journal
    from roundtable.config.config import server_settings
    from roundtable.config.errors import InputError
    from roundtable.protocols.beside import beside_the_page
    from roundtable.session.factory import Runtime
    from roundtable.web.access.keys import Keys
    from roundtable.web.access.listening_server import lets_in
    from roundtable.web.serving import PORT, Serving, check, invitation, place_of, serve

    serving = Serving(
        host, port, names, token, tls_certificate, tls_key, unprotected, url, workers,
        oidc=server_settings(config).oidc,
    )  # fmt: skip
    around = Runtime(untold=partial(tell, error=True))
    if bearer:
        say(Keys(around.together).bearer())
        return
    if invite:
        check(serving)
        with open_journal() as journal:
            if journal.accounts().are_on():
                raise InputError("here each has an account: `roundtable accounts invite NAME` prints a link")
        place, keys = place_of(serving, port or PORT), Keys(around.together)
        # Behind a proxy it may stand on another machine, so it cannot be asked.
        there = True if url else lets_in(host, port or PORT, place, keys)
        here = f"{host}:{port or PORT}"
        if there is False:
            raise InputError(
                f"the server at {here} does not take a link from this home folder: give the --port of yours, "
                "or the ROUNDTABLE_HOME of that server"
            )
        say(invitation(place, serving, keys))
        if there is None:
            tell(f"no server answers at {here} now: give --invite the --port of yours as well", error=True)
        return
    identity = None
    if session is not None:
        with open_journal() as journal:
            identity = journal.find(session)

    serve(serving, around, tell, identity, lambda sessions: beside_the_page(sessions, any_documents=any_docs))
