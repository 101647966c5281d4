"""`roundtable --install-completion`: the shell completes commands and flags from then on."""

import os
from pathlib import Path

import click

from roundtable.config.errors import InputError

VARIABLE = "_ROUNDTABLE_COMPLETE"
"""By which a shell asks for completions; click answers."""

_LOADERS = (
    "/usr/share/bash-completion/bash_completion",
    "/etc/bash_completion",
    "/usr/local/etc/profile.d/bash_completion.sh",
    "/opt/homebrew/etc/profile.d/bash_completion.sh",
    "/run/current-system/sw/share/bash-completion/bash_completion",
)
"""What bash needs to look for completions in that folder: the package bash-completion, on Linux and macOS."""


def _files(data: Path, config: Path) -> dict[str, Path]:
    """Return where each shell looks for completions when it needs them."""
    return {
        "bash": data / "bash-completion" / "completions" / "roundtable",
        "fish": config / "fish" / "completions" / "roundtable.fish",
        "zsh": data / "zsh" / "site-functions" / "_roundtable",
    }


def install(context: click.Context, _parameter: click.Parameter, shell: str | None) -> None:
    """Write the file for a shell, say where it is, and end. Raises InputError for an unknown shell."""
    if shell is None or context.resilient_parsing:
        return
    from click.shell_completion import get_completion_class

    from roundtable.terminal.safe_output import tell

    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    files = _files(data, Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config"))
    name = Path(os.environ.get("SHELL", "")).name if shell == "auto" else shell
    if name not in files:
        called = f"the shell is {name!r}" if name else "SHELL is not set"
        raise InputError(f"{called}: name one, as in --install-completion=bash ({', '.join(files)})")
    kind = get_completion_class(name)
    assert kind is not None
    script = kind(context.command, {}, "roundtable", VARIABLE).source_template
    values = {
        "complete_func": "_roundtable_completion", "complete_var": VARIABLE, "prog_name": "roundtable",
    }  # fmt: skip
    file = files[name]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script % values, encoding="utf-8")
    except OSError as failure:
        raise InputError(f"{file}: cannot be written: {failure.strerror}") from failure
    tell(f"{file}: written; a new {name} completes commands and flags")
    if name == "bash" and not any(Path(place).exists() for place in _LOADERS):
        tell(f"bash-completion is not found here: install it, or add to ~/.bashrc: . {file}")
    if name == "zsh":
        tell(f"If it does not, add to ~/.zshrc, before compinit: fpath+=({file.parent})")
    context.exit()
