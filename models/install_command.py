"""The command that adds an optional part to this program, as it was installed here.

A program in an environment of its own is not reached by a bare `pip install`, and one that was installed
from a folder or a repository is not the one that an index has by this name.
"""

import json
import re
import shlex
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

_PROGRAM = "roundtable"
_HOUSE = Path(__file__).resolve().parents[1]


def install_command(extra: str, prefix: Path | None = None) -> str:
    """Return the command line that adds an extra, as `export`, to the program that is running.

    Args:
        extra: The extra's name, as pyproject.toml has it.
        prefix: The environment; that of this Python if None.
    """
    prefix = prefix or Path(sys.prefix)
    try:
        installed = distribution(_PROGRAM)
    except PackageNotFoundError:  # run from its folder
        return f"{_pip()} -e {_with(str(_HOUSE), extra)}"
    source, editable = _source(installed)
    # Tools install anew, and forget the extras that are not named again.
    if (kept := prefix / "uv-receipt.toml").exists():
        needs = tomllib.loads(kept.read_text(encoding="utf-8")).get("tool", {}).get("requirements", [])
        had = [one for need in needs if need["name"] == _PROGRAM for one in need.get("extras", [])]
        return f"uv tool install {editable}{_with(source, *had, extra)}"
    if (kept := prefix / "pipx_metadata.json").exists():
        spec = json.loads(kept.read_text(encoding="utf-8"))["main_package"]["package_or_url"]
        had = [one for names in re.findall(r"\[([\w.,-]+)\]", spec) for one in names.split(",")]
        return f"pipx install --force {editable}{_with(source, *had, extra)}"
    return f"{_pip()} {editable}{_with(source, extra)}"


def _with(source: str, *extras: str) -> str:
    """Return the program with extras, as what installs it takes them."""
    named = ",".join(dict.fromkeys(extras))
    return shlex.quote(f"{_PROGRAM}[{named}] @ {source}" if "://" in source else f"{source}[{named}]")


def _pip() -> str:
    python = shlex.quote(sys.executable)
    return f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"


def _source(installed: Distribution) -> tuple[str, str]:
    """Return where the program was installed from, and `-e ` where it is used in its folder.

    PEP 610: `direct_url.json` is there unless it came from an index.
    """
    told = json.loads(installed.read_text("direct_url.json") or "{}")
    address = told.get("url", "")
    if address.startswith("file:"):
        editable = "-e " if told.get("dir_info", {}).get("editable") else ""
        return unquote(urlsplit(address).path), editable
    vcs = told.get("vcs_info", {}).get("vcs")
    return (f"{vcs}+{address}" if vcs else address) or _PROGRAM, ""
