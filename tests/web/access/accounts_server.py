"""A server with accounts in this process, and some people who ask it: with a cookie, with a token."""

import asyncio
import contextlib
import http.client
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette

from library import TextStatistics
from models import ScriptedModel
from roundtable.config.serve_settings import OidcSettings
from roundtable.journal.clock import SystemClock
from roundtable.journal.storage.journal_store import Journal
from roundtable.journal.storage.people.accounts import Account
from roundtable.protocols.beside import beside_the_page
from roundtable.session.factory import Runtime
from roundtable.web.access.keys import KeyClaim, Keys
from roundtable.web.access.served_address import ServedAddress
from roundtable.web.app import application
from roundtable.web.hosting.session_thread import SessionThread
from roundtable.web.serving import Serving, bind
from roundtable.web.sign_in.sign_in_opening import open_sign_in

PEOPLE = ("owner", "editor", "reader", "stranger", "removed")


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def told(self) -> Any:
        return json.loads(self.text)


@dataclass
class AccountsServer:
    """A server over one home folder, in a thread; what people own is changed through `journal`."""

    home: Path
    journal: Journal
    keys: Keys
    people: dict[str, Account] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    port: int = 0
    app: Starlette | None = None
    oidc: OidcSettings = field(default_factory=OidcSettings)
    """Who vouches for people."""
    environment: dict[str, str] = field(default_factory=dict)
    trouble: BaseException | None = None

    @classmethod
    def at(cls, home: Path) -> "AccountsServer":
        """Make the people; the one who is removed has been one of them."""
        journal = Journal(home / "journal.db", SystemClock())
        server = cls(home, journal, Keys(home))
        for name in PEOPLE:
            server.people[name] = journal.accounts().add(name.title())
            server.tokens[name] = journal.accounts().new_token(server.people[name])
        return server

    def start(self) -> None:
        """Serve until `end`."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(60)
        assert self.trouble is None, self.trouble

    def _run(self, ready: threading.Event) -> None:
        async def serving() -> None:
            model = ScriptedModel(otherwise=TextStatistics())
            around = Runtime(home=self.home, environment={}, model=model)
            with bind(Serving(port=0)) as listening:
                self.port = listening.getsockname()[1]
                sessions = SessionThread(around, named_documents_only=True)
                beside = beside_the_page(sessions, any_documents=False)
                place = ServedAddress(self.port, token="an operator's own token")  # noqa: S106
                page = f"http://127.0.0.1:{self.port}/"
                openid = open_sign_in(self.oidc, self.environment, self.keys, page)
                self.app = application(
                    sessions, self.keys, place, beside, with_accounts=True, openid=openid
                )
                config = uvicorn.Config(
                    self.app, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=1
                )
                self._server = uvicorn.Server(config)
                work = asyncio.create_task(self._server.serve(sockets=[listening]))
                while not self._server.started:  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
                ready.set()
                await work

        try:
            asyncio.run(serving())
        except BaseException as failure:
            self.trouble = failure
            ready.set()
            raise

    def end(self) -> None:
        """Serve no longer."""
        self._server.should_exit = True
        self._thread.join(20)
        self.journal.close()

    # How people come

    def cookie(self, name: str) -> dict[str, str]:
        """Return the headers of somebody's browser, on the page."""
        before = self.people[name]  # who was signed out since has another one, who was removed none
        account = self.journal.accounts().of_id(before.id) or before
        value = self.keys.cookie(self.port, KeyClaim(account.id, account.generation))
        return {"Cookie": f"roundtable-{self.port}={value}", "Origin": f"http://127.0.0.1:{self.port}"}

    def token(self, name: str) -> dict[str, str]:
        """Return the headers of somebody's script."""
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    def operator(self) -> dict[str, str]:
        """Return the headers of who has the server's own token."""
        return {"Authorization": f"Bearer {self.keys.bearer()}"}

    def hold(self, headers: dict[str, str], path: str, body: bytes) -> Callable[[], Answer]:
        """Send a request but for the end of its body; return what sends that, and the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        file = "/files/" in path or "/uploads/" in path
        kind = "application/octet-stream" if file else "application/json"
        connection.putrequest("POST", path)
        sent = {"Content-Type": kind, "Accept": "application/json, text/event-stream", **headers}
        for name, value in {**sent, "Content-Length": str(len(body))}.items():
            connection.putheader(name, value)
        connection.endheaders(body[:1])

        def end() -> Answer:
            with contextlib.closing(connection):
                connection.send(body[1:])
                answer = connection.getresponse()
                return Answer(answer.status, dict(answer.getheaders()), answer.read().decode())

        return end

    def ask(
        self, headers: dict[str, str], path: str, body: object = None, method: str = "", *, whole: bool = True
    ) -> Answer:
        """Send one request; bytes as they are, anything else as JSON. Not `whole`: the head alone is read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            file = "/files/" in path or "/uploads/" in path
            kind = "application/octet-stream" if file else "application/json"
            sent = {"Content-Type": kind, "Accept": "application/json, text/event-stream", **headers}
            method = method or ("GET" if body is None else "POST")
            connection.request(method, path, None if body is None else data, sent)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            if set_now := answer.headers.get_all("set-cookie"):
                told["set-cookie"] = "; ".join(set_now)
            return Answer(answer.status, told, answer.read().decode() if whole else "")
        finally:
            connection.close()
