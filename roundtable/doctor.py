"""What is configured, what can be reached, and what is missing: one line for each thing looked at."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from models import install_command
from roundtable import __version__, foreign_room
from roundtable.config.config import Settings, load_settings
from roundtable.config.errors import ConfigError, JournalError
from roundtable.config.search_places import STORE
from roundtable.config.serve_settings import OidcSettings
from roundtable.journal.storage.journal_store import journal_in

Health = Literal["ok", "note", "bad"]
"""`note`: something optional is not there; `bad`: something needed does not work."""

KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OLLAMA_HOST")
EXTRAS = {
    "anthropic": ("anthropic", "Anthropic's models"),
    "ollama": ("ollama", "Ollama's models"),
    "export": ("typst", "PDF, Word, drawings as PNG"),
    "browser": ("playwright", "pages that need scripts"),
    "mcp": ("mcp", "the Model Context Protocol"),
    "compute": ("pydantic_monty", "computing"),
    "postgres": ("psycopg", "sessions in PostgreSQL"),
    "queue": ("procrastinate", "workers that take sessions from a queue"),
    "oidc": ("joserfc", "sign-in by OpenID Connect"),
    "lancedb": ("lancedb", "collections of very many documents"),
    "opensearch": ("opensearchpy", "collections in OpenSearch"),
    "otel": ("opentelemetry.sdk", "traces"),
}
"""By extra: a module that comes with it, and what it is for."""
WEB = ("duckduckgo.com", 443)
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look found."""

    health: Health
    what: str
    detail: str

    def line(self, language: str = "en") -> str:
        """Return it as a line in a language, in columns."""
        from rich.cells import set_cell_size

        from library.text import catalogue, translated

        words, detail = catalogue(language, "doctor"), " ".join(self.detail.split())
        columns = "".join(
            f"{set_cell_size(words.say(key), n)}" for key, n in ((self.health, 5), (self.what, 12))
        )
        return f"{columns}{translated(detail, language)}"


def examine(
    home: Path, environment: Mapping[str, str], *, offline: bool, config: Path | None = None
) -> Iterator[Finding]:
    """Look at everything in turn. Nothing that is found wrong keeps the rest from being looked at.

    Args:
        home: The folder with the journal and the store.
        environment: Where keys are; only whether they are set is told, never what they are.
        offline: Ask nothing that is not on this machine.
        config: A file of settings to look at, too.
    """
    yield _python()
    yield _packages()
    settings: Settings | None = None
    try:
        settings = load_settings(config=config, environment=environment)
        yield Finding("ok", "settings", str(config) if config else "defaults and environment")
        yield from (Finding("note", "settings", line) for line in settings.notices)
    except ConfigError as failure:
        yield Finding("bad", "settings", str(failure))
    for look in (_home, _journal, _store):
        yield _guarded(look, home)
    for key in KEYS:
        if environment.get(key, "").strip():
            yield Finding("ok", "key", f"{key} is set")
    if not any(environment.get(key, "").strip() for key in KEYS):
        yield Finding("note", "key", "none is set: the embedded model is used unless one is named")
    yield from _extras()
    yield from _man_page()
    if settings is not None:
        yield from _engines(settings, environment)
        yield from _indexed_elsewhere(home, settings, offline=offline or settings.offline)
        yield from asyncio.run(_reach(home, settings, environment, offline=offline or settings.offline))


def _python() -> Finding:
    shown = ".".join(map(str, sys.version_info[:3]))
    return Finding("ok", "python", f"{shown} at {sys.executable}; roundtable {__version__}")


def _packages() -> Finding:
    if problem := foreign_room():
        return Finding("bad", "packages", problem)
    try:
        wanted = requires("roundtable") or []
    except PackageNotFoundError:
        return Finding("note", "packages", "run from a folder without being installed: not looked at")
    missing = []
    for requirement in wanted:
        name = _name(requirement)
        if "extra ==" in requirement:
            continue
        try:
            version(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("bad", "packages", f"not installed: {', '.join(missing)}; install roundtable again")
    return Finding("ok", "packages", "all there")


def _name(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    return match[0] if match else requirement


def _guarded(look: Callable[[Path], Finding], home: Path) -> Finding:
    from library import LibraryError

    try:
        return look(home)
    except (JournalError, LibraryError, OSError) as failure:
        return Finding("bad", look.__name__.strip("_"), str(failure))


def _home(home: Path) -> Finding:
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=home):
        pass
    return Finding("ok", "home", f"{home} can be written to")


def _journal(home: Path) -> Finding:
    from roundtable.journal.clock import SystemClock
    from roundtable.output.clean import counted

    with journal_in(home, SystemClock()) as journal:
        problem = journal.check()
        count = len(journal.sessions())
        where = f"{journal.place}: " if journal.is_shared else ""
        queued = journal.queued()
        lengths = queued.lengths() if queued else None
    if problem:
        return Finding("bad", "journal", f"{journal.place} is damaged: {problem}")
    told = f"{where}{counted(count, 'session')}"
    if lengths and (lengths.workers or lengths.waiting):
        told += f"; queue: {lengths.waiting:,} waiting, {counted(lengths.workers, 'worker')}"
    return Finding("ok", "journal", told)


def _store(home: Path) -> Finding:
    from library.store import check_store
    from roundtable.session.document_collections import document_collections

    if problem := check_store(home / STORE):
        return Finding("bad", "store", f"{home / STORE} is damaged ({problem}): use doctor --repair")
    names = [one.label for one in document_collections(home) if one.paths]
    return Finding("ok", "store", f"collections: {', '.join(names)}" if names else "no collections yet")


def _extras() -> Iterator[Finding]:
    missing = []
    for extra, (module, what) in EXTRAS.items():
        if _is_there(module):
            yield Finding("ok", "extra", f"{extra} is installed ({what})")
        else:
            missing.append(extra)
            yield Finding("note", "extra", f"{extra} is not installed ({what})")
    if missing:
        yield Finding("note", "extra", f"to install them: {install_command(','.join(missing))}")


def man_finds_its_page() -> bool | None:
    """Tell whether `man roundtable` finds a page; None where there is no `man`."""
    man = shutil.which("man")
    if man is None:
        return None
    try:
        found = subprocess.run(  # noqa: S603 - the system's man  # nosec B603
            [man, "-w", "roundtable"], capture_output=True, check=False, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        return None
    return found.returncode == 0


def _man_page() -> Iterator[Finding]:
    """Say where the man page is not found; nothing where there is no `man`."""
    if man_finds_its_page() is not False:
        return
    pages = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "man"
    if (pages / "man1" / "roundtable.1").exists():  # `man --install` put it there
        told = f"man does not look there: add to what your shell starts with: export MANPATH={pages}:"
    else:
        told = "man does not find its page: `roundtable man --install` puts it there"
    yield Finding("note", "man", told)


def _engines(settings: Settings, environment: Mapping[str, str]) -> Iterator[Finding]:
    """Say which engines have a key, and in which order the web is searched."""
    from library.search import KEYED, KEYLESS, engine, engines_in_use

    order = engines_in_use(settings.library.search, environment)
    for name in KEYED:
        variable = engine(name).key
        if environment.get(variable, "").strip():
            if name in order:
                yield Finding("ok", "key", f"{variable} is set")
            else:
                yield Finding("ok", "key", f"{variable} is set; library.search.web_order leaves it out")
    address = settings.library.search.addresses.get("searxng")
    if address:
        yield Finding("ok", "search", f"searxng is asked at {address}")
    if not order:
        none = "the web cannot be searched: no engine of library.search.web_order has a key"
        yield Finding("note", "search", none)
        return
    first, *rest = (f"{name} (no key)" if name == KEYLESS else name for name in order)
    together = settings.library.search.web_together
    if not rest:
        told = f"the web is asked of {first}"
    elif together == 1:
        told = f"the web is asked of {first} first; {', '.join(rest)} when that fails or finds nothing"
    else:
        told = f"the web is asked of {first} first, {together} at a time: {', '.join(rest)} follow"
    yield Finding("ok", "search", told)


def _indexed_elsewhere(home: Path, settings: Settings, *, offline: bool) -> Iterator[Finding]:
    """Say of each collection that an engine indexes what the engine holds of it."""
    from library import LibraryError
    from roundtable.session.indexed_collections import held_by_engines

    try:
        for name, told, fault in held_by_engines(home, settings, offline=offline):
            yield Finding("bad" if fault else "ok", "store", f"{name}: {fault or told}")
    except LibraryError as failure:
        yield Finding("bad", "store", str(failure))


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # nor what it is in
        return False


async def _reach(
    home: Path, settings: Settings, environment: Mapping[str, str], *, offline: bool
) -> list[Finding]:
    found = await _reach_models(settings, environment, offline=offline)
    found += await _reach_embeddings(settings, environment, offline=offline)
    for name in settings.mcp:
        found.append(await _reach_server(name, home, settings, environment, offline=offline))
    if settings.serve.oidc.issuer:
        found.append(await _reach_issuer(settings.serve.oidc, environment, offline=offline))
    if offline:
        return [*found, Finding("note", "web", "not asked: offline")]
    return [*found, await _reach_web()]


async def _reach_models(
    settings: Settings, environment: Mapping[str, str], *, offline: bool
) -> list[Finding]:
    """Ask each configured model one tiny thing."""
    from library import TextStatistics
    from models import ModelError, choose_model

    try:
        models = choose_model(settings.models, environment, TextStatistics(), loopback_only=offline)
    except ModelError as failure:
        return [Finding("bad", "model", str(failure))]
    found = [Finding("ok", "model", models.line)]
    try:
        for model in models.language_models:
            probe = await model.probe()
            found.append(Finding("bad" if probe.fault else "ok", "model", probe.line))
    finally:
        await models.close()
    return found


async def _reach_embeddings(
    settings: Settings, environment: Mapping[str, str], *, offline: bool
) -> list[Finding]:
    """Ask the service that makes vectors of passages for one; nothing where none is configured."""
    from library import LibraryError
    from library.index_engines import TextVectors
    from library.search import key_of

    wanted = settings.library.embeddings
    if not wanted.model:
        return []
    try:
        vectors = TextVectors(wanted, key_of(wanted, environment), settings.library.fetch.allow)
        if offline and not vectors.here:
            return [Finding("note", "vectors", f"{vectors.host} is not asked: offline")]
        try:
            found = await vectors.of_query("Does it answer?")
        finally:
            await vectors.close()
    except LibraryError as failure:
        return [Finding("bad", "vectors", str(failure))]
    return [Finding("ok", "vectors", f"{vectors.host} answers: {wanted.model}, {len(found):,} dimensions")]


async def _reach_server(
    name: str, home: Path, settings: Settings, environment: Mapping[str, str], *, offline: bool
) -> Finding:
    """Ask a server of tools what it offers."""
    from library import LibraryError, open_library

    if offline and not settings.mcp[name].local:
        return Finding("note", "mcp", f"{name} is not asked: offline, and it is not said to be local")
    try:
        async with await open_library(
            settings.library, [], [name], offline=offline, home=home, environment=environment,
            servers=settings.mcp,
        ) as library:  # fmt: skip
            return Finding("ok", "mcp", await library.examine(name))
    except LibraryError as failure:
        return Finding("bad", "mcp", str(failure))


async def _reach_issuer(oidc: OidcSettings, environment: Mapping[str, str], *, offline: bool) -> Finding:
    """Ask who vouches for people what it says of itself, for its keys, and whether it knows this server."""
    from roundtable.config.errors import RoundtableError
    from roundtable.output.clean import counted
    from roundtable.web.sign_in.issuer_requests import Issuer
    from roundtable.web.sign_in.sign_in_opening import check_installed

    if offline:
        return Finding("note", "sign-in", f"{oidc.issuer} is not asked: offline")
    try:
        check_installed()
        issuer = Issuer(oidc, environment)
        about, keys = await issuer.about(), await issuer.keys()
        await issuer.check_client("http://localhost/sign-in/back")
    except RoundtableError as failure:
        return Finding("bad", "sign-in", str(failure))
    count, where = counted(len(keys.keys), "key"), about.authorization
    return Finding("ok", "sign-in", f"{oidc.issuer} answers, with {count}; people go to {where}")


async def _reach_web() -> Finding:
    host, port = WEB
    try:
        async with asyncio.timeout(_PATIENCE):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError) as failure:
        reason = str(failure) or "no answer"
        return Finding("note", "web", f"{host} cannot be reached ({reason}): search documents with --docs")
    writer.close()
    return Finding("ok", "web", f"{host} can be reached")


def healthy(findings: list[Finding]) -> bool:
    """Whether nothing needed is broken."""
    return all(finding.health != "bad" for finding in findings)
