"""Audits, comparisons and extracted fields in the home folder: the page lists the command line's, too."""

import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reports import Audit, Comparison
from roundtable.config.errors import OutputError
from roundtable.output.audit_files import kept_audit, write_audit
from roundtable.output.comparison_output import FIELD_FILES, FILES, write_comparison
from roundtable.output.outputs import write_whole

KEPT = "kept.json"
"""What the page's list and view of one are made of, in its folder."""
FIELDS = "fields"
"""In what is kept of a table, beside its own values: it is of named fields of documents."""


def list_audit(home: Path, audit: Audit, text: str) -> None:
    """Keep an audit with its files where the page lists audits. Raises OutputError."""
    folder = _made(home / "audits")
    write_audit(audit, text, folder)
    _keep(folder, kept_audit(audit, text))


def list_comparison(home: Path, comparison: Comparison, *, fields: bool = False) -> None:
    """Keep a comparison, or a table of named fields, where the page lists comparisons. Raises OutputError."""
    folder = _made(home / "comparisons")
    kept = {**comparison.model_dump(mode="json"), FIELDS: fields}
    write_comparison(comparison, folder, files_of(kept))
    _keep(folder, kept)


def table_of(kept: Mapping[str, Any]) -> Comparison:
    """Return the table that was kept."""
    return Comparison.model_validate({name: value for name, value in kept.items() if name != FIELDS})


def files_of(kept: Mapping[str, Any]) -> Sequence[str]:
    """Return the names of a kept table's files."""
    return FIELD_FILES if kept.get(FIELDS) else FILES


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
