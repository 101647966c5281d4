"""What went wrong with one request, and what helps: pure classing of whatever a client raises.

Clients of three providers, their HTTP libraries and AutoGen itself raise several dozen kinds of errors. What
matters of them is only what to do next, so they are told apart by what they carry (a status, a cause), not by
their types: no client library need be imported to class its errors.
"""

import json
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from models.client.http_semantics import retry_after
from models.prompting.untrusted_text import drop_hidden
from models.secrets import MASK, mask_secrets

Way = Literal["retry", "plainer", "shorten", "refused", "rejected", "final"]
"""What helps.

retry: the same again, later. plainer: ask for less (see `Fault.culprit`). shorten: a shorter prompt. refused:
nothing, the content is not wanted. rejected: nobody knows; plainer may. final: a person must mend it.
"""
Culprit = Literal["format", "limit", "temperature"]
About = Literal["server", "key", "model", "request"]

_LONGEST_QUOTE = 240
_NO_ADDRESS = {"UnsupportedProtocol", "InvalidURL", "LocalProtocolError"}
_BROKEN_OFF = {"APIConnectionError", "ConnectError", "NetworkError", "RemoteProtocolError", "ReadError"}
"""Types told by name: httpx, httpx2 and the providers' clients each have their own."""
_CONTEXT = re.compile(
    r"context.{0,20}(length|window|size)|maximum.{0,20}tokens|too many tokens|prompt is too long|too long for"
    r"|exceeds.{0,30}(context|limit of \d+ tokens)|reduce the length",
    re.IGNORECASE,
)
_WINDOW = re.compile(
    r"(?:context (?:length|window|size)|maximum|limit)\D{0,40}?(\d{3,8})(?!\d)", re.IGNORECASE
)
_NO_CREDIT = re.compile(
    r"insufficient_quota|billing|exceeded your current quota|credit balance|out of credits", re.IGNORECASE
)
_NO_CONTENT = re.compile(
    r"content.?(filter|policy|management)|safety|moderation|flagged|usage polic", re.IGNORECASE
)
_NO_MODEL = re.compile(
    r"model.{0,80}(not found|not exist|unknown|no such|not available|not loaded)|model_not_found",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"max_(completion_)?tokens", re.IGNORECASE)
_FORMAT = re.compile(
    r"response_format|json_?schema|json_?object|json mode|structured|grammar|guided|output_config"
    r"|\bschema\b|\bformat\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Fault(Exception):
    """One request's failure, classed."""

    way: Way
    message: str
    """One line that says what is wrong and, where a person can do something, what."""
    wait: float | None = None
    """Seconds the server asks to wait; None when it does not say."""
    window: int | None = None
    """For `shorten`: the context window in tokens, if the server named it."""
    culprit: Culprit | None = None
    """For `plainer`: what the server does not take."""
    broken: bool = False
    """The server answered, but not with an answer (no choices, half a body, a crash)."""
    about: About = "request"
    """What is at fault."""

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Address:
    """Who was asked: what errors say of it, and what they must not."""

    model: str
    """As the user named it: `openai:gpt-5-mini`."""
    name: str
    """As the server knows it: `gpt-5-mini`."""
    server: str
    """`https://api.openai.com/v1`, without credentials."""
    key_variable: str
    """`OPENAI_API_KEY`; empty where there are no keys."""
    secrets: tuple[str, ...] = ()
    """What never appears in a message."""

    def __repr__(self) -> str:
        return f"Address({self.model} at {self.server})"

    def clean(self, text: str) -> str:
        """Return a server's words as one short line without markup, hidden characters or secrets."""
        for secret in self.secrets:
            text = text.replace(secret, MASK) if secret else text
        text = mask_secrets(text)
        line = " ".join(drop_hidden(re.sub(r"<[^>]{1,200}>", " ", text[:4000])).split())
        return line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"


def classify(error: BaseException, address: Address, *, answered: bool = False) -> Fault:
    """Say what an error of a client means and what helps.

    Args:
        error: What the client raised.
        address: Who was asked.
        answered: Whether the server answered as it should before: then the address is right.
    """
    chain = list(_chain(error))
    for link in chain:
        if isinstance(link, Fault):
            return link
    words = _words(chain[0], address)
    for link in chain:
        status = getattr(link, "status_code", None)
        if isinstance(status, int) and status > 0:
            return by_status(status, words, _headers(link), address)
    if any(isinstance(link, TimeoutError) or "Timeout" in type(link).__name__ for link in chain):
        late = f"{address.model} at {address.server} did not answer in time; overloaded?"
        return Fault("retry", late, about="server")
    unreachable = _unreachable(chain, address)
    if unreachable:
        return unreachable
    hint = "" if answered else "; is the address right? it often ends in /v1"
    return Fault(
        "retry",
        f"{address.model} at {address.server} did not answer as such a server does "
        f"({type(error).__name__}: {words}){hint}",
        broken=True,
    )


def by_status(status: int, words: str, headers: Mapping[str, str], address: Address) -> Fault:
    """Say what an HTTP status with the server's words means and what helps."""
    who, said = f"{address.model} at {address.server}", f" ({words})" if words else ""
    if status in {401, 403, 402} or _NO_CREDIT.search(words):
        return Fault("final", f"{who} {_no_entry(status, words, address)}{said}", about="key")
    if status == 404 or (status in {400, 422} and _NO_MODEL.search(words)):
        return _unknown(who, said, words, address)
    if status == 413 or (status in {400, 422, 500} and _CONTEXT.search(words) and not _LIMIT.search(words)):
        found = _WINDOW.search(words)
        window = int(found[1]) if found else None
        return Fault("shorten", f"the prompt is too long for {who}{said}", window=window)
    if status in {400, 405, 415, 422, 501}:
        return _bad_request(status, who, said, words)
    if status == 429:
        return Fault("retry", f"{who} takes no more requests for now (429){said}", wait=_wait(headers))
    if 300 <= status < 400:
        elsewhere = f"{who} sends elsewhere ({status}); name its own address with --base-url"
        return Fault("final", elsewhere, about="server")
    return Fault("retry", f"{who} fails ({status}){said}", wait=_wait(headers), broken=status == 500)


def _no_entry(status: int, words: str, address: Address) -> str:
    if status == 402 or _NO_CREDIT.search(words):
        return "has no credit left for this key; add some or name another model with --model"
    if not address.key_variable:
        return f"lets nobody in ({status})"
    return f"refuses the key ({status}); set {address.key_variable} to a key that may use it"


def _unknown(who: str, said: str, words: str, address: Address) -> Fault:
    if words and not re.search("model", words, re.IGNORECASE) and address.name not in words:
        nothing = f"{who}: nothing there takes questions (404){said}; does --base-url lack /v1?"
        return Fault("final", nothing, about="server")
    unknown = f"{who}: no model {address.name!r} there{said}; name one that it has with --model"
    return Fault("final", unknown, about="model")


def _bad_request(status: int, who: str, said: str, words: str) -> Fault:
    message = f"{who} does not take the request ({status}){said}"
    if _NO_CONTENT.search(words):
        return Fault("refused", f"{who} refuses the content of the request ({status}){said}")
    if _LIMIT.search(words):
        return Fault("plainer", message, culprit="limit")
    if re.search("temperature", words, re.IGNORECASE):
        return Fault("plainer", message, culprit="temperature")
    if _FORMAT.search(words):
        return Fault("plainer", message, culprit="format")
    return Fault("rejected", message)


def _unreachable(chain: list[BaseException], address: Address) -> Fault | None:
    """Class what went wrong before or beneath HTTP, None when nothing there did."""
    who = f"{address.model} at {address.server}"
    for link in reversed(chain):
        if isinstance(link, socket.gaierror):
            unknown = f"{who}: the server's name is unknown; check --base-url and the network"
            return Fault("retry", unknown, about="server")
        if isinstance(link, ssl.SSLError):
            insecure = f"{who}: no secure connection ({address.clean(str(link))})"
            return Fault("final", insecure, about="server")
        if isinstance(link, ConnectionRefusedError):
            nothing = f"{who}: nothing listens there; start the server, or check --base-url"
            return Fault("retry", nothing, about="server")
        if type(link).__name__ in _NO_ADDRESS:
            wrong = f"{who}: not an address that can be asked ({address.clean(str(link))})"
            return Fault("final", wrong, about="server")
    if any(isinstance(link, OSError) or type(link).__name__ in _BROKEN_OFF for link in chain):
        broken = f"{who} cannot be reached or breaks off; do server and network work?"
        return Fault("retry", broken, about="server")
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__


def _headers(error: BaseException) -> Mapping[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return {str(name).lower(): str(value) for name, value in dict(headers).items()} if headers else {}


def _wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the server asks to wait, None where it says nothing."""
    milliseconds = retry_after(headers.get("retry-after-ms", ""), 0.0)
    if milliseconds is not None:
        return milliseconds / 1000
    return retry_after(headers.get("retry-after", ""), time.time())


def _words(error: BaseException, address: Address) -> str:
    """Return what the server said of it, as one short line without secrets."""
    body: Any = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        said = inner.get("message") or inner.get("code") if isinstance(inner, dict) else inner
        code = inner.get("code") if isinstance(inner, dict) else None
        text = str(said or json.dumps(body)[:400])
        text = f"{text} [{code}]" if code and str(code) not in text else text
    else:
        text = str(getattr(error, "message", "") or getattr(error, "error", "") or error)
    return address.clean(text)
