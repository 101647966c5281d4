"""Audits and comparisons in the home folder, so that the page lists those of the command line, too."""

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports import Audit, Comparison
from roundtable.config.errors import OutputError
from roundtable.output.audit_files import kept_audit, write_audit
from roundtable.output.comparison_output import write_comparison
from roundtable.output.outputs import write_whole

KEPT = "kept.json"
"""What the page's list and view of one are made of, in its folder."""


def list_audit(home: Path, audit: Audit, text: str) -> None:
    """Keep an audit with its files where the page lists audits. Raises OutputError."""
    folder = _made(home / "audits")
    write_audit(audit, text, folder)
    _keep(folder, kept_audit(audit, text))


def list_comparison(home: Path, comparison: Comparison) -> None:
    """Keep a comparison with its files where the page lists comparisons. Raises OutputError."""
    folder = _made(home / "comparisons")
    write_comparison(comparison, folder)
    _keep(folder, comparison.model_dump(mode="json"))


def _made(kind: Path) -> Path:
    folder = kind / secrets.token_hex(4)
    try:
        folder.mkdir(parents=True, mode=0o700)
    except OSError as failure:
        raise OutputError(f"cannot write to {kind}: {failure.strerror or failure}") from failure
    return folder


def _keep(folder: Path, kept: Mapping[str, Any]) -> None:
    try:
        write_whole(folder / KEPT, json.dumps(kept, ensure_ascii=False))
    except OSError as failure:
        raise OutputError(f"cannot write to {folder}: {failure.strerror or failure}") from failure
