"""Signing in by OpenID Connect as people do it: a settings file, `roundtable serve`, a browser, `doctor`."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.command_process import Command, run_command
from tests.oidc_provider import CLIENT, SECRET, Provider
from tests.web.conftest import IN_A_BROWSER, environment
from tests.web.looking import OUTPUT, accessible

pytestmark = [pytest.mark.loopback]


@pytest.fixture
def issuer() -> Iterator[Provider]:
    """One on a host of another name than the server's: another site, as browsers see it."""
    provider = Provider(host="localhost", page=True)
    yield provider
    provider.close()


def settings(folder: Path, issuer: Provider, more: str = "") -> Path:
    file = folder / "server.toml"
    file.write_text(
        f'[serve.oidc]\nissuer = "{issuer.issuer}"\nclient_id = "{CLIENT}"\nclient_secret = "TEAM_SECRET"\n'
        f'name = "the team"\nallow = ["@example.org"]\n{more}',
        encoding="utf-8",
    )
    return file


def command(home: Path, *words: str | Path, secret: str = SECRET) -> subprocess.CompletedProcess[str]:
    return run_command(*words, env=environment(home) | {"TEAM_SECRET": secret})


@pytest.fixture
def server(tmp_path: Path, issuer: Provider) -> Iterator[str]:
    """The address of a server that was begun by hand, without a single account."""
    file = settings(tmp_path, issuer)
    own = environment(tmp_path / "home") | {"TEAM_SECRET": SECRET}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = Command("serve", "--port", "0", "--config", file, env=own, **pipes)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert "accounts invite NAME" in process.stdout.readline()
    assert f"sends browsers back to {address}sign-in/back" in process.stdout.readline()
    yield address
    process.kill()
    process.wait()
    process.stdout.close()


def chromium(test: Any) -> Any:
    for mark in IN_A_BROWSER:
        test = mark(test)
    return test


@chromium
def test_a_person_signs_in_and_out_in_a_browser(page: Any, server: str, issuer: Provider) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    page.goto(f"{server}#/session/5e551011")
    button = page.get_by_role("link", name="Sign in with the team")
    expect(button).to_be_visible()
    accessible(page)
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / "page-sign-in.png")
    button.click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    assert urlsplit(page.url).hostname == "localhost"
    page.get_by_role("link", name="It is me").click()
    expect(page.get_by_text("There is no such session")).to_be_visible(timeout=180_000)
    assert page.url == f"{server}#/session/5e551011", "one comes to where the link led"
    page.get_by_role("link", name="All sessions").click()
    expect(page.locator("header")).to_contain_text("Ada Lovelace")
    page.reload()
    expect(page.locator("header")).to_contain_text("Ada Lovelace")
    names = {cookie["name"]: cookie for cookie in page.context.cookies(server)}
    assert [(one["httpOnly"], one["sameSite"]) for one in names.values()] == [(True, "Strict")]

    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("This browser is not signed in")).to_be_visible()
    issuer.person = {"sub": "2", "email": "eve@elsewhere.example", "email_verified": True}
    page.get_by_role("link", name="Sign in with the team").click()
    page.get_by_role("link", name="It is me").click()
    expect(page.get_by_role("alert")).to_contain_text("eve@elsewhere.example may not sign in here")
    accessible(page)
    page.screenshot(path=OUTPUT / "page-sign-in-refused.png")
    page.go_back()
    page.goto(server)
    expect(page.get_by_text("This browser is not signed in")).to_be_visible()
    assert [told for told in page.errors if "the server responded with a status" not in told] == []


def test_doctor_asks_the_issuer(tmp_path: Path, issuer: Provider) -> None:
    file, home = settings(tmp_path, issuer), tmp_path / "home"
    told = command(home, "doctor", "--config", file)
    line = f"{issuer.issuer} answers, with 1 key; people go to {issuer.issuer}/authorize"
    assert f"sign-in     {line}" in told.stdout
    assert SECRET not in told.stdout + told.stderr
    told = command(home, "doctor", "--config", file, secret="another")
    assert "does not take this server's client_id and client_secret (invalid_client)" in told.stdout
    assert told.returncode == 1
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text(file.read_text().replace(issuer.issuer, f"{issuer.issuer}/taem"))
    told = command(home, "doctor", "--config", elsewhere)
    assert "(status 404): whoever runs the server looks at serve.oidc.issuer" in told.stdout
    issuer.away = True
    told = command(home, "doctor", "--config", file)
    assert "cannot be reached (status 503)" in told.stdout
    assert told.returncode == 1
    told = command(home, "doctor", "--config", file, "--offline")
    assert "is not asked: offline" in told.stdout


@pytest.mark.parametrize(("more", "flags", "said"), [
    ("", [], "client_secret names an environment variable that is not set"),
    ("hours = 0\n", [], "serve.oidc.hours"),
    ("alow = []\n", [], "did you mean serve.oidc.allow?"),
    ("[agents]\nexperts = 4\n", [], "a server takes [serve] from there, and not agents"),
    ("", ["--url", "http://team.example.org"], "needs https"),
])  # fmt: skip
def test_what_cannot_be_is_told_before_it_begins(
    tmp_path: Path, issuer: Provider, more: str, flags: list[str], said: str
) -> None:
    file, secret = settings(tmp_path, issuer, more), SECRET if more or flags else ""
    told = command(tmp_path / "home", "serve", "--port", "0", "--config", file, *flags, secret=secret)
    assert told.returncode == 2, told.stdout + told.stderr
    assert said in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_what_is_set_for_a_server_is_in_no_session(tmp_path: Path, issuer: Provider) -> None:
    home, file, out = tmp_path / "home", settings(tmp_path, issuer), tmp_path / "out"
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "tea.md").write_text("# Tea\n\nTea is drunk in the afternoon in many places.\n")
    told = command(
        home, "run", "When is tea drunk?", "--docs", tmp_path / "notes", "--offline", "--config", file,
        "--model", "embedded", "--turns", "1", "--out", out,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    kept = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert os.fsencode(issuer.issuer) not in kept
