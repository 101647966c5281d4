"""What can be taken away from a session: its files, the map and the report in every format."""

from dataclasses import dataclass
from importlib.util import find_spec

from mindmap import MapError
from mindmap.export import FORMATS, export_map
from reports import FORMS, ExportUnavailable, export_report
from roundtable.config.errors import InputError
from roundtable.journal.fold.state import State
from roundtable.output.outputs import FILES, output_texts, slug
from roundtable.output.vault import vault_zip

_NEEDS = {"report/pdf": "typst", "report/docx": "docx", "map/png": "typst"}
"""What comes with the extra `export`, by what cannot be made without it."""


NOTES = "notes.zip"
"""The session as linked notes."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file to be saved."""

    name: str
    data: bytes


def offered() -> dict[str, list[str]]:
    """Return what can be asked for: files by name, formats of the map, forms of the report."""
    return {"files": [*FILES, NOTES], "map": list(FORMATS), "report": list(FORMS)}


def unavailable() -> list[str]:
    """Return those of what is offered, as `report/pdf`, that need what is not installed."""
    return [name for name, package in _NEEDS.items() if find_spec(package) is None]


def download(state: State, session_id: str, kind: str, name: str) -> Download:
    """Return one file. Raises InputError: there is none such (yet), or it needs what is not installed."""
    named = slug(state.topic)
    if (kind, name) == ("files", NOTES):
        return Download(f"{named}-{NOTES}", vault_zip(state, session_id))
    if kind == "files" and name in FILES:
        text = output_texts(state)[name]
        if text is None:
            raise InputError("there is no report yet")
        return Download(f"{named}-{name}", text.encode("utf-8", errors="replace"))
    if kind == "map" and name in FORMATS:
        try:
            return Download(f"{named}-map{FORMATS[name].ending}", export_map(state.map, state.evidence, name))
        except MapError as failure:
            raise InputError(str(failure)) from failure
    if kind == "report" and name in FORMS:
        if state.report is None:
            raise InputError("there is no report yet")
        try:
            made = export_report(name, state.report, state.evidence, state.map)
        except ExportUnavailable as failure:
            raise InputError(str(failure)) from failure
        return Download(f"{named}{made.suffix}", made.data)
    raise InputError(f"there is no {kind}/{name} to download")
