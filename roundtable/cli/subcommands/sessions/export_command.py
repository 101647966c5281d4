"""`roundtable export ID`: a session's files, its report in another form, or its outline.

All of it comes from the journal and the store alone.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from roundtable.cli.near_commands import NearChoice
from roundtable.cli.options import out_options
from roundtable.terminal.safe_output import say, tell, write_file_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from roundtable.journal.events import Recorded
    from roundtable.journal.fold.state import State

FORMS = ("md", "html", "pdf", "docx", "json", "tex", "drb", "csl", "bib", "ris")
"""Those of `reports.FORMS`, named here so that help and wrong input load no report."""


@click.command("export")
@click.argument("session", metavar="ID")
@click.option(
    "--report", "forms", type=NearChoice(FORMS), multiple=True, metavar="FORM",
    help="The report alone, as md, html, pdf, docx, json, tex or drb (DeepResearch Bench); "
    "or its bibliography, as csl, bib or ris. Repeatable.",
)  # fmt: skip
@click.option(
    "--outline", is_flag=True, help="The report's outline, to be edited for `roundtable report --outline`."
)
@click.option(
    "--map", "maps", multiple=True, metavar="FORMAT",
    help="The mind map alone, as json, node-link, graphml, mermaid, md, opml, mm, dot, csv, svg, png or "
    "html. Repeatable.",
)  # fmt: skip
@click.option(
    "--name", metavar="NAME",
    help="With --report, --outline or --map: what the file is called, without its ending.",
)  # fmt: skip
@click.option(
    "--bundle", type=click.Path(path_type=Path), metavar="FILE",
    help="The whole session as one file, for `roundtable import` on another machine.",
)  # fmt: skip
@click.option(
    "--vault", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
    help="Linked notes for Obsidian, in a folder of their own there: the report, each branch, each source.",
)  # fmt: skip
@click.option("--zotero", is_flag=True, help="The sources, into the collection selected in Zotero here.")
@out_options
def command(
    session: str, out: Path | None, bundle: Path | None, vault: Path | None, **flags: Any
) -> None:
    """Write the files of session ID to a folder, as it stands. ID may be shortened, or `last`.

    With --report, --outline or --map it is one file: in the folder that --out names, or, when --out has an
    ending (report.pdf), under that very name. `--out -` prints it.
    """
    from roundtable.cli.journals import open_journal
    from roundtable.config.config import home
    from roundtable.journal.replay import replayed
    from roundtable.output.outputs import write_outputs

    force = flags["force"]
    alone = _alone(out, forms=flags["forms"], outline=flags["outline"], maps=flags["maps"])
    called = _called(flags["name"], alone=alone)
    with open_journal() as journal:
        identity = journal.find(session)
        events, name = journal.read(identity), journal.session(identity).topic
    if bundle is not None:
        _write_bundle(identity, events, bundle, name)
        return
    with replayed(events, home()) as state:
        if vault is not None:
            from roundtable.output.vault import write_vault

            say(str(write_vault(state, identity, vault.expanduser().absolute(), name)[0].parent))
            return
        if flags["zotero"]:
            _to_zotero(state)
            return
        if alone:
            _files(state, identity, out, called, flags)
            return
        for path in write_outputs(state, _folder(state, identity, out, force=force)):
            say(str(path))


def _to_zotero(state: "State") -> None:
    """Have Zotero take the sources that the report cites."""
    from library.references import send_to_zotero
    from roundtable.cli.subcommands.program.docs_command import zotero_address
    from roundtable.output.clean import counted
    from roundtable.output.exports import report_as

    taken = send_to_zotero(report_as("ris", state).data, **zotero_address())
    tell(f"Zotero took {counted(taken, 'source')} into the collection that is selected there")


def _called(name: str | None, *, alone: bool) -> str | None:
    """Return the name that a file is to have. Raises InputError for one that is none."""
    from roundtable.config.errors import InputError

    if name is not None and not alone:
        raise InputError("--name is for one file: add --report FORM, --outline or --map FORMAT")
    if name is not None and (not name.strip() or Path(name).name != name or name.startswith(".")):
        raise InputError(f"--name {name!r}: give a name without a path; --out says which folder")
    return name


def _alone(out: Path | None, *, forms: "Sequence[str]", outline: bool, maps: "Sequence[str]") -> bool:
    """Tell whether files by themselves are asked for. Raises InputError where they cannot be had together."""
    from roundtable.config.errors import InputError

    if bool(forms) + outline + bool(maps) > 1:
        raise InputError("--report, --outline and --map are files of their own: ask for one at a time")
    if len(set(forms)) > 1 and _is_one_file(out):
        raise InputError("several reports cannot be one file: name one --report, or a folder for --out")
    if maps:
        from mindmap import file_name

        several = len({file_name(each) for each in maps}) > 1  # a wrong name is told here, before all else
        if several and _is_one_file(out):
            raise InputError("several maps cannot be one file: name one --map, or a folder for --out")
    return bool(forms or outline or maps)


def _files(
    state: "State", identity: str, out: Path | None, called: str | None, flags: "Mapping[str, Any]"
) -> None:
    """Write the outline, the report in each form, or the map in each format."""
    from mindmap import export_map, file_name
    from roundtable.output.exports import outline_of

    force = flags["force"]
    if flags["outline"]:
        _put(state, identity, outline_of(state).encode(), f"{called or 'outline'}.md", out, force=force)
    for form in dict.fromkeys(flags["forms"]):
        _one_form(state, identity, form, out, called, force=force)
    for each in flags["maps"]:
        data = export_map(state.map, state.evidence, each)
        name = f"{called}{Path(file_name(each)).suffix}" if called else file_name(each)
        _put(state, identity, data, name, out, force=force)


def _is_one_file(out: Path | None) -> bool:
    """Tell whether --out names a file, or standard output, and no folder."""
    return out is not None and (str(out) == "-" or bool(out.suffix and not out.is_dir()))


def _one_form(
    state: "State", identity: str, form: str, out: Path | None, called: str | None, *, force: bool
) -> None:
    """Write the report in a form."""
    from roundtable.output.exports import report_as

    named = out is not None and out.suffix and not out.is_dir()
    stem = None if str(out) == "-" else out.stem if named and out is not None else called or "report"
    made = report_as(form, state, stem)
    for warning in made.warnings:
        tell(f"roundtable: {warning}", error=True)
    file = f"{called or 'report'}{made.suffix}"
    _put(state, identity, made.data, file, out, force=force, beside=made.beside)


def _put(
    state: "State",
    identity: str,
    data: bytes,
    name: str,
    out: Path | None,
    *,
    force: bool,
    beside: "Mapping[str, bytes] | None" = None,
) -> None:
    """Print a file, or write it, with what lies beside it, under the name or into the folder of --out."""
    from roundtable.output.outputs import write_file

    if out is not None and str(out) == "-":
        write_file_out(data)
        return
    if out is not None and out.suffix and not out.is_dir():
        path = out
    else:
        path = _beside_others(state, identity, out, [name, *(beside or {})], force=force)
    say(str(write_file(path, data)))
    for other, picture in (beside or {}).items():
        say(str(write_file(path.with_name(other), picture)))


def _beside_others(
    state: "State", identity: str, out: Path | None, names: "Sequence[str]", *, force: bool
) -> Path:
    """Return where files by themselves go: also into another session's folder, for no other file."""
    from roundtable.output.outputs import default_folder

    folder = (out or default_folder(state.topic, identity)).expanduser().absolute()
    if not folder.is_dir() or any((folder / name).exists() for name in names):
        _folder(state, identity, folder, force=force)
    return folder / names[0]


def _folder(state: "State", identity: str, out: Path | None, *, force: bool) -> Path:
    from roundtable.output.outputs import claim_folder, default_folder

    return claim_folder(out or default_folder(state.topic, identity), identity, force=force)


def _write_bundle(identity: str, events: "list[Recorded]", file: Path, name: str) -> None:
    """Write the bundle, and say what is in it that is nobody else's business."""
    from roundtable.config.config import home
    from roundtable.journal.sessions.bundle import write_bundle

    private = write_bundle(identity, events, home(), file, name)
    say(str(file))
    if private:
        tell(f"roundtable: it holds the texts of {len(private)} documents of your own", error=True)
