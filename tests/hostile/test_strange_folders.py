"""Folders that a stranger made, named where one of the program's own is meant: pipes, devices, claims."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from roundtable.batch.batch_index import INDEX, read_index
from roundtable.batch.batch_plan import BATCH_MARKER, claim_batch
from roundtable.config.errors import InputError, OutputError
from roundtable.output.outputs import MARKER, claim_folder
from roundtable.output.saved_report import read_saved
from roundtable.output.vault import vault_notes, write_vault
from tests.roundtable.output.test_outputs import state_of
from tests.roundtable.output.told import session

PLACES = ("pipe", "link to a pipe", "link to a device")


def put(there: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if there == "link to a device":
        path.symlink_to("/dev/zero")  # it never ends
        return
    pipe = path if there == "pipe" else path.parent / "elsewhere"
    os.mkfifo(pipe)  # nobody ever writes into it
    if pipe != path:
        path.symlink_to(pipe)


def checked(folder: Path) -> None:
    with pytest.raises(InputError, match=r"report\.json: it is no ordinary file; name a session"):
        read_saved(folder, folder)


def written_to(folder: Path) -> None:
    with pytest.raises(OutputError, match=r"holds the files of somebody else \(\.roundtable is there\)"):
        claim_folder(folder, "ab12")
    claim_folder(folder, "ab12", force=True)
    assert (folder / MARKER).read_text(encoding="utf-8") == "ab12\n"


def taken_for_a_batch(folder: Path) -> None:
    with pytest.raises(OutputError, match="holds the batch ''"):
        claim_batch(folder, None)


def told_of(folder: Path) -> None:
    assert read_index(folder) == {}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("there", PLACES)
@pytest.mark.parametrize(
    ("name", "met"),
    [("report.json", checked), (MARKER, written_to), (BATCH_MARKER, taken_for_a_batch), (INDEX, told_of)],
)
def test_what_is_no_ordinary_file_is_neither_waited_for_nor_read_for_ever(
    there: str, name: str, met: Callable[[Path], None], tmp_path: Path
) -> None:
    put(there, tmp_path / "theirs" / name)
    met(tmp_path / "theirs")


@pytest.mark.timeout(20)
def test_a_note_that_is_a_pipe_is_left_where_it_is(tmp_path: Path) -> None:
    state = state_of(session())
    own = tmp_path / next(iter(vault_notes(state, "ab12"))).partition("/")[0]
    put("pipe", own / "Map" / "Theirs.md")
    written = write_vault(state, "ab12", tmp_path)
    assert written
    assert (own / "Map" / "Theirs.md").is_fifo()


def test_a_marker_that_is_empty_is_somebody_elses(tmp_path: Path) -> None:
    (tmp_path / MARKER).touch()
    with pytest.raises(OutputError, match="somebody else"):
        claim_folder(tmp_path, "ab12")


def test_a_few_words_claim_no_more_room_together_than_one_text_may_have(tmp_path: Path) -> None:
    def text(n: int) -> dict[str, object]:
        end = 30_000_000
        passage = {"id": f"p{n}", "start": end - 2, "end": end, "text": "it"}
        return {"sha256": f"{n:064d}", "url": "", "title": "", "passages": [passage]}

    report = {"title": "T", "topic": "T", "sections": []}
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    held = tmp_path / "sources.json"
    held.write_text(json.dumps({"sources": [text(1)]}), encoding="utf-8")
    assert len(read_saved(tmp_path, tmp_path)[1].sources) == 1
    held.write_text(json.dumps({"sources": [text(n) for n in range(1, 200)]}), encoding="utf-8")
    with pytest.raises(InputError, match="so long together"):
        read_saved(tmp_path, tmp_path)


def test_passages_that_overlap_are_laid_where_they_stand(tmp_path: Path) -> None:
    words = "Dikes break after three days."
    spans = [(16, 29), (0, 11), (6, 22), (8, 10)]
    passages = [
        {"id": f"p{n}", "start": start + 3, "end": end + 3, "text": words[start:end]}
        for n, (start, end) in enumerate(spans)
    ]
    source = {"sha256": "a" * 64, "url": "", "title": "", "passages": passages}
    report = {"title": "T", "topic": "T", "sections": []}
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    (tmp_path / "sources.json").write_text(json.dumps({"sources": [source]}), encoding="utf-8")
    evidence = read_saved(tmp_path, tmp_path)[1]
    assert evidence.sources["a" * 64].text == f"   {words}"
