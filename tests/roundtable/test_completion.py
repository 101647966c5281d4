"""The shell completes commands and flags, once it was asked to."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from roundtable.__main__ import run


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_and_flags(home: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["--install-completion=bash"]) == 0
    file = home / ".local" / "share" / "bash-completion" / "completions" / "roundtable"
    assert str(file) in capsys.readouterr().out

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


def test_an_unknown_shell_is_one_line(capsys: pytest.CaptureFixture[str]):
    assert run(["--install-completion=tcsh"]) == 2
    assert "name one, as in --install-completion=bash (bash, fish, zsh)" in capsys.readouterr().err
