"""Starting and ending the server."""

import asyncio
import contextlib
import logging
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import uvicorn

from roundtable.config.errors import InputError
from roundtable.config.home import journal_place
from roundtable.config.serve_settings import OidcSettings
from roundtable.journal.storage.queue.queue_opening import session_queue
from roundtable.session.factory import Runtime
from roundtable.web.access.keys import Keys
from roundtable.web.access.served_address import ServedAddress
from roundtable.web.app import Mounted, application
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.prompt_connection import PromptConnection, connections_served, files_granted
from roundtable.web.sign_in.openid import OpenIdSignIn
from roundtable.web.sign_in.sign_in_opening import open_sign_in

PORT = 8420
"""Where the server is unless a port is named; when it is taken, any other."""
PATIENCE = 1.2
"""Seconds from Ctrl-C to the end of the process, whatever hangs: what was committed is in the journal."""
MOST_CONNECTIONS = 400
"""At a time; who comes then is told to come later. Each holds a file open, and systems give about 1,000."""
_FILES = 4_096
"""Open files that the system is asked for."""
_AT_ONCE, _WAITING = 64, 2_048
"""Connections that are taken in before what the last ones asked is looked at, or a crowd that comes while the
server is busy would be turned away to the last one; and how many wait meanwhile."""
_URL = re.compile(r"https?://[A-Za-z0-9.-]{1,200}(?::[0-9]{1,5})?/?")
LOCAL = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Serving:
    """How the server is to be had."""

    host: str = "127.0.0.1"
    port: int | None = None
    names: tuple[str, ...] = ()
    """Further host names by which it is reached."""
    token: str = ""
    certificate: Path | None = None
    key: Path | None = None
    unprotected: bool = False
    """Go on a network with neither a token nor TLS."""
    url: str = ""
    """Where browsers find it, when a proxy stands before it: `https://team.example.org`; empty: itself."""
    workers: bool = False
    """Sessions are put into the queue, for workers."""
    with_accounts: bool = False
    """There are accounts; found out when the server begins."""
    oidc: OidcSettings = field(default_factory=OidcSettings)
    """Who vouches for people by OpenID Connect, beside invitations."""


def check(serving: Serving) -> None:
    """Refuse what would be unsafe, before anything is opened. Raises InputError."""
    if (serving.certificate is None) != (serving.key is None):
        raise InputError("TLS needs both --tls-certificate and --tls-key")
    for path in (serving.certificate, serving.key):
        if path is not None and not path.is_file():
            raise InputError(f"{path}: there is no such file")
    if serving.url and not (_URL.fullmatch(serving.url) and _has_port(serving.url)):
        raise InputError(f"--url {serving.url}: give where browsers find it, as in https://team.example.org")
    if serving.token and len(serving.token) < 16:
        raise InputError("--token is too short: give 16 characters or more")
    protected = serving.token or serving.certificate or serving.unprotected
    if serving.host not in LOCAL and not protected:
        raise InputError(
            f"--host {serving.host} opens the server to others: add --token TOKEN or --tls-certificate and "
            "--tls-key, or say --unprotected when the network is yours alone"
        )


def _has_port(url: str) -> bool:
    """Tell whether the port that an address names, if any, is one."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def bind(serving: Serving) -> socket.socket:
    """Return the listening socket. Raises InputError when the port or the address cannot be had."""
    for port in [serving.port] if serving.port is not None else [PORT, 0]:
        family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((serving.host, port))
            listening.listen(100)  # who follows the link at once waits, and is not refused
        except OSError as failure:
            listening.close()
            trouble = failure.strerror or str(failure)
        else:
            return listening
    where = f"{serving.host}:{serving.port or PORT}"
    raise InputError(f"cannot listen on {where}: {trouble}; choose another --port")


def place_of(serving: Serving, port: int) -> ServedAddress:
    """Return the server's place as browsers name it."""
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    if serving.url:
        parts = urlsplit(serving.url)
        tls = parts.scheme == "https"
        return ServedAddress(
            port=parts.port or (443 if tls else 80), names=(str(parts.hostname),), tls=tls,
            token=serving.token, inside=tuple(f"{name}:{port}" for name in {"127.0.0.1", "localhost", host}),
        )  # fmt: skip
    return ServedAddress(
        port=port,
        names=tuple(dict.fromkeys(["127.0.0.1", "localhost", "[::1]", host, *serving.names])),
        any_address=serving.host in {"0.0.0.0", "::"},  # noqa: S104 - only recognised here  # nosec B104
        tls=serving.certificate is not None,
        token=serving.token,
    )


def invitation(place: ServedAddress, serving: Serving, keys: Keys, account: str = "") -> str:
    """Return a url that lets one person in, as an account where there are some."""
    return f"{page_address(place, serving)}?token={keys.invite(account)}"


def page_address(place: ServedAddress, serving: Serving) -> str:
    """Return where browsers find the page."""
    if serving.url:
        # As browsers write it: they ask for names in small letters, and leave the usual port out.
        parts = urlsplit(serving.url.lower())
        usual = 443 if parts.scheme == "https" else 80
        port = f":{parts.port}" if parts.port not in {None, usual} else ""
        return f"{parts.scheme}://{parts.hostname}{port}/"
    host = serving.names[0] if serving.names else serving.host
    host = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - only recognised here  # nosec B104
    shown = f"[{host}]" if ":" in host else host
    return f"{place.scheme}://{shown}:{place.port}/"


Beside = Callable[[SessionThread], Sequence[Mounted]]
"""Makes what is served beside the page, once the sessions are there."""


def serve(
    serving: Serving,
    around: Runtime,
    say: Callable[[str], None],
    identity: str | None,
    beside: Beside = lambda _: (),
) -> None:
    """Serve until Ctrl-C.

    Args:
        serving: How the server is to be had.
        around: What its sessions run in.
        say: Shows a line to whoever started it, at once.
        identity: A session to go on with at once, when it has not ended.
        beside: What else is served at the same address, behind the same guard.
    """
    check(serving)
    keys = Keys(around.together)
    with contextlib.closing(bind(serving)) as listening:
        place = place_of(serving, listening.getsockname()[1])
        hash_part = f"#/session/{identity}" if identity else ""
        with around.journal() as journal:
            with_accounts = journal.accounts().are_on() or bool(serving.oidc.issuer)
        page = page_address(place, serving)
        openid = open_sign_in(serving.oidc, around.environment, keys, page)
        if with_accounts:
            say(page + hash_part)
            say("Each signs in by their own link, from `roundtable accounts invite NAME`. Ctrl-C ends it")
            if openid is not None:
                say(f"Or through {serving.oidc.issuer}, which sends browsers back to {openid.back}")
        else:
            say(invitation(place, serving, keys) + hash_part)
            say("The link works once; then the browser is known. Ctrl-C ends it, sessions can be resumed")
        serving = replace(serving, with_accounts=with_accounts)
        asyncio.run(_serve(serving, around, keys, place, listening, identity, beside, openid))
    _leave()


def _leave() -> None:
    """End the process. What Python takes down on its own way out may last seconds, and nothing needs it."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(0)


async def _serve(
    serving: Serving,
    around: Runtime,
    keys: Keys,
    place: ServedAddress,
    listening: socket.socket,
    identity: str | None,
    beside: Beside,
    openid: OpenIdSignIn | None,
) -> None:
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it warns of each one that is turned away
    if serving.workers:
        async with session_queue(journal_place(around.home, around.environment)):
            pass  # else the thread of sessions could not say what is wrong
    sessions = SessionThread(
        around, named_documents_only=serving.host not in LOCAL or serving.with_accounts,
        hand_over=serving.workers,
    )  # fmt: skip
    config = uvicorn.Config(
        application(
            sessions, keys, place, beside(sessions), with_accounts=serving.with_accounts, openid=openid
        ),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        http=PromptConnection,
        limit_concurrency=connections_served(MOST_CONNECTIONS, files_granted(_FILES)),
        backlog=_AT_ONCE,
        timeout_graceful_shutdown=1,
        ssl_certfile=serving.certificate,
        ssl_keyfile=serving.key,
    )
    server = _Server(config, sessions)
    if identity and sessions.row(identity).state == "stopped":
        await sessions.below(sessions.manager.resume(identity))
    await server.serve(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends its streams when it is told to end: a browser keeps one open for as long as its page is."""

    def __init__(self, config: uvicorn.Config, sessions: SessionThread) -> None:
        super().__init__(config)
        self._sessions = sessions

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take in connections, few at once, while many may wait."""
        await super().startup(sockets)
        for listening in sockets or []:
            listening.listen(_WAITING)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Listen to Ctrl-C also while a session keeps the loop busy; a second one leaves at once."""
        loop = asyncio.get_running_loop()

        def end(_number: int, _frame: FrameType | None) -> None:
            self._end(loop)

        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, end) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        if self.should_exit:
            os._exit(130)
        self.should_exit = True
        loop.call_soon_threadsafe(self._sessions.let_go)
        last = threading.Timer(PATIENCE, os._exit, (0,))
        last.daemon = True
        last.start()
