"""What an audit leaves behind: `audit.json`, and the annotated copy in Markdown and as a page."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from reports import Audit, annotated, audit_html, audit_markdown
from roundtable.config.errors import OutputError
from roundtable.output.outputs import slug, write_whole

FILES = ("audit.json", "annotated.md", "annotated.html")


def default_folder(file: str) -> Path:
    """Return where an audit's files go when nobody says: `roundtable-out/audit-NAME`, from here."""
    return Path.cwd() / "roundtable-out" / f"audit-{slug(Path(file).stem)}"


def audit_values(audit: Audit) -> dict[str, Any]:
    """Return what was found as plain values: `audit.json`."""
    return {
        "format": 1,
        "sound": audit.sound,
        "counts": {**audit.counts(), "faulty": audit.faulty, "to_read": audit.to_read},
        **audit.model_dump(mode="json", exclude={"references", "claims"}),
        "references": [{**one.model_dump(mode="json"), "faulty": one.faulty} for one in audit.references],
        "claims": [
            {**one.model_dump(mode="json"), "faulty": one.faulty, "to_read": one.to_read}
            for one in audit.claims
        ],
    }


def rendered(audit: Audit, text: str) -> dict[str, str]:
    """Return the files' contents by their names."""
    return {
        "audit.json": json.dumps(audit_values(audit), ensure_ascii=False, indent=1) + "\n",
        "annotated.md": audit_markdown(audit, text),
        "annotated.html": audit_html(audit, text),
    }


@contextmanager
def results_folder(folder: Path, files: Sequence[str] = FILES, *, force: bool) -> Iterator[Path]:
    """Make the folder, or refuse before anything is spent; give it, absolute.

    What was made for it goes again when nothing was written there.

    Raises:
        OutputError: it cannot be written to, or holds files of these names.
    """
    folder = folder.expanduser().absolute()
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as failure:
            raise OutputError(
                f"cannot write to {folder}: {failure.strerror or failure}; choose another --out"
            ) from failure
        if not force and (there := [name for name in files if (folder / name).exists()]):
            raise OutputError(
                f"{folder} holds results of before ({there[0]}): choose another --out, or add --force"
            )
        yield folder
    finally:
        with suppress(OSError):  # something is in it
            for each in made:
                each.rmdir()


def kept_audit(audit: Audit, text: str) -> dict[str, Any]:
    """Return what the page shows an audit from: what was found, and the text in blocks.

    Each block is in pieces with the number of the claim that a piece is; 0: none.
    """
    blocks = [
        {
            "form": block.form,
            "level": block.level,
            "number": block.number,
            "pieces": [[piece, claim.n if claim is not None else 0] for piece, claim in block.pieces],
        }
        for block in annotated(text, audit.claims, audit.references)
    ]
    return {"audit": audit.model_dump(mode="json"), "blocks": blocks}


def write_audit(audit: Audit, text: str, folder: Path) -> None:
    """Write an audit's files. Raises OutputError."""
    for name, content in rendered(audit, text).items():
        try:
            write_whole(folder / name, content)
        except OSError as failure:
            message = f"cannot write {folder / name}: {failure.strerror or failure}; choose another --out"
            raise OutputError(message) from failure
