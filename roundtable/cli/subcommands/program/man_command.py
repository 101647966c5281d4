"""`roundtable man`: the man page, wherever the program was installed."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from roundtable.terminal.safe_output import say, tell


@click.command("man")
@click.option("--install", is_flag=True, help="Put the page where `man roundtable` finds it.")
def command(install: bool) -> None:
    """Show the man page: every command with its flags.

    uv installs it where `man` does not look; --install puts it into your own folder of man pages.
    """
    from roundtable.cli.man_page import install_page, man_page
    from roundtable.doctor import man_finds_its_page

    if not install:
        _show(man_page())
        return
    file = install_page()
    tell(f"{file}: written; `man roundtable` shows it")
    if man_finds_its_page() is False:
        tell(f"If it does not, add to what your shell starts with: export MANPATH={file.parents[1]}:")


def _show(page: str) -> None:
    from roundtable.cli.man_page import NAME, plain_page

    man = shutil.which("man")
    if man is None:
        say(plain_page(page))
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / NAME
        file.write_text(page, encoding="utf-8")
        if sys.stdout.isatty():
            subprocess.run([man, file], check=False)  # noqa: S603 - the system's man, which pages  # nosec B603
            return
        shown = subprocess.run(  # noqa: S603 - the system's man  # nosec B603
            [man, file], capture_output=True, text=True, check=False
        )
    say(shown.stdout if shown.returncode == 0 and shown.stdout.strip() else plain_page(page))
