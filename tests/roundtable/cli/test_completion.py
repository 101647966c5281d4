"""The shell completes commands and flags, once it was asked to."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from roundtable.__main__ import run
from roundtable.cli.completion import _LOADERS
from roundtable.cli.man_page import man_page


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_and_flags(home: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["--install-completion=bash"]) == 0
    file = home / ".local" / "share" / "bash-completion" / "completions" / "roundtable"
    told = capsys.readouterr().out
    assert str(file) in told
    loaded = any(Path(place).exists() for place in _LOADERS)
    assert (f"add to ~/.bashrc: . {file}" in told) != loaded

    def completed(*words: str) -> list[str]:
        line = " ".join(f"'{word}'" for word in words)
        script = (
            f"source '{file}'; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
            "_roundtable_completion roundtable; printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        env = os.environ | {"PATH": path}
        done = subprocess.run(["bash", "-c", script], env=env, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert completed("roundtable", "res") == ["resume"]
    assert completed("roundtable", "run", "--not-") == ["--not-site"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_file_of_their_own(home: Path, shell: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert run(["--install-completion"]) == 0
    [written] = [file for file in home.rglob("*roundtable*") if file.is_file()]
    assert "_ROUNDTABLE_COMPLETE" in written.read_text()


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [("roundtable exp", "roundtable export "), ("roundtable run --mo", "roundtable run --model ")],
)
def test_zsh_completes_when_tab_is_pressed(home: Path, typed: str, completed: str):
    """A real shell at a terminal of its own; the prompt's last line is what the person sees."""
    assert run(["--install-completion=zsh"]) == 0
    [folder] = [file.parent for file in home.rglob("_roundtable")]
    child, terminal = pty.fork()
    if child == 0:  # pragma: no cover - the shell's own process
        os.environ.update(PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}", TERM="dumb")
        os.execlp("zsh", "zsh", "-f", "-i")
    try:
        begin = f"PS1='%% '; unsetopt PROMPT_SP ZLE_BRACKETED_PASTE 2>/dev/null; fpath+=('{folder}'); "
        os.write(terminal, f"{begin}autoload -U compinit; compinit -u -D; print be''gun\n".encode())
        assert "begun" in read_until(terminal, "begun")
        os.write(terminal, f"{typed}\t".encode())
        assert completed in read_until(terminal, completed)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def read_until(terminal: int, wanted: str, seconds: float = 300) -> str:
    """Return what a terminal showed until something stands there, without control sequences."""
    shown, end = "", time.monotonic() + seconds
    while wanted not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
            shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\x07", "", shown)
    return shown


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
def test_fish_completes_commands_and_flags(home: Path):
    assert run(["--install-completion=fish"]) == 0
    [file] = list(home.rglob("roundtable.fish"))
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(home)}

    def completed(line: str) -> list[str]:
        script = f"source '{file}'; complete -C '{line}'"
        command = ["fish", "--no-config", "-c", script]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        return [each.partition("\t")[0] for each in done.stdout.splitlines()]

    assert completed("roundtable res") == ["resume"]
    assert completed("roundtable run --not-") == ["--not-site"]


def test_an_unknown_shell_is_one_line(capsys: pytest.CaptureFixture[str]):
    assert run(["--install-completion=tcsh"]) == 2
    assert "name one, as in --install-completion=bash (bash, fish, zsh)" in capsys.readouterr().err


def test_bash_is_told_what_loads_completions_where_that_is_not_there(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("roundtable.cli.completion._LOADERS", (str(home / "none"),))
    assert run(["--install-completion=bash"]) == 0
    file = home / ".local" / "share" / "bash-completion" / "completions" / "roundtable"
    assert f"install it, or add to ~/.bashrc: . {file}" in capsys.readouterr().out
    (home / "none").write_text("")
    assert run(["--install-completion=bash"]) == 0
    assert "bashrc" not in capsys.readouterr().out


def test_the_man_page_is_shown_and_put_where_man_looks(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    assert run(["man"]) == 0
    shown = capsys.readouterr().out
    assert "roundtable export [OPTIONS] ID" in shown
    assert run(["man", "--install"]) == 0
    file = home / ".local" / "share" / "man" / "man1" / "roundtable.1"
    assert str(file) in capsys.readouterr().out
    assert file.read_text() == man_page()
    if shutil.which("man"):
        found = subprocess.run(
            ["man", "-w", "roundtable"], env=os.environ | {"MANPATH": str(file.parents[1])},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert found.stdout.strip() == str(file)
        capsys.readouterr()
        monkeypatch.setenv("MANPATH", str(home / "none"))
        run(["doctor"])
        assert f"export MANPATH={file.parents[1]}:" in capsys.readouterr().out
    # Without `man` it is plain text.
    monkeypatch.setenv("PATH", str(home))
    assert run(["man"]) == 0
    plain = capsys.readouterr().out
    assert "roundtable export [OPTIONS] ID" in plain
    assert "\\f" not in plain
    assert not [line for line in plain.splitlines() if line.startswith(".")]
