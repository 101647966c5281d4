"""A session as linked notes: every link leads to a note and a block, and nothing in them acts."""

import io
import re
import zipfile
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt

from library import Store, sync
from library.readers import Reader
from roundtable.journal.fold.state import State
from roundtable.output.outputs import claim_folder, write_outputs
from roundtable.output.vault import vault_notes, vault_zip, write_vault
from tests.hostile.exports.report_attacks import ATTACKS, hostile
from tests.roundtable.output.test_outputs import state_of
from tests.roundtable.output.told import session

LINK = re.compile(r"\[\[([^\[\]|#]+)(?:#\^([\w-]+))?\|([^\[\]|]+)\]\]")
FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)


def checked(notes: dict[str, str]) -> int:
    """Check that links lead somewhere, properties are YAML and names are names; return how many links."""
    folder = {path.partition("/")[0] for path in notes}
    assert len(folder) == 1
    count = 0
    for path, text in notes.items():
        for name in path.removesuffix(".md").split("/"):
            assert not re.search(r'[\\/:*?"<>|#^\[\]\x00-\x1f]', name), name
            assert name
            assert not name.startswith(".")
            assert len(name.encode()) < 230
        said = yaml.safe_load(FRONT.match(text)[1])
        assert said["roundtable"]
        body = FRONT.sub("", text, count=1)
        for target, block, _shown in LINK.findall(body):
            count += 1
            assert f"{target}.md" in notes, target
            if block:
                assert re.search(rf"^\^{block}$", notes[f"{target}.md"], re.MULTILINE), (target, block)
        rest = LINK.sub("", body)
        assert "[[" not in re.sub(r"\\.", "", rest)
        assert "](#" not in re.sub(r"\\.", "", rest)
    return count


def test_a_renamed_session_names_its_folder_and_is_cut_between_words():
    [folder] = {path.partition("/")[0] for path in vault_notes(state_of(session()), "0f4b8028aa", "Leaves")}
    assert folder == "Leaves 0f4b8028"
    long = "How do I restore files from a backup when the repository is damaged"
    [folder] = {path.partition("/")[0] for path in vault_notes(state_of(session()), "0f4b8028aa", long)}
    assert folder == "How do I restore files from a backup when the repository is 0f4b8028"


def test_no_folder_of_notes_turns_its_own_name_round():
    name = "\x1b[31mLeaves\u202egnp.exe\u200b\x1b]0;title\x07"
    [folder] = {path.partition("/")[0] for path in vault_notes(state_of(session()), "0f4b8028aa", name)}
    assert folder == "Leavesgnp.exe 0f4b8028"


def test_a_session_is_a_folder_of_linked_notes():
    notes = vault_notes(state_of(session()), "0f4b8028aa")
    folder = "Tea 0f4b8028"
    assert list(notes) == [
        f"{folder}/Tea.md", f"{folder}/Report.md",
        f"{folder}/Map/2 Leaves.md", f"{folder}/Map/3 Green tea.md",
        f"{folder}/Sources/1 Tea, a b drink b.md",
    ]  # fmt: skip
    assert checked(notes) >= 8
    assert f"[[{folder}/Sources/1 Tea, a b drink b#^p1|1]]" in notes[f"{folder}/Report.md"]
    assert f"- [[{folder}/Map/2 Leaves|Leaves]]" in notes[f"{folder}/Tea.md"]
    assert f"↑ [[{folder}/Map/2 Leaves|Leaves]]" in notes[f"{folder}/Map/3 Green tea.md"]
    source = notes[f"{folder}/Sources/1 Tea, a b drink b.md"]
    assert "> It is made from leaves of Camellia sinensis.\n\n^p2\n" in source
    assert yaml.safe_load(FRONT.match(source)[1])["url"] == "https://example.org/tea?a=1"


def test_a_session_without_a_report_has_a_map_all_the_same():
    early = [r for r in session() if r.event.kind not in {"report_written", "session_ended"}]
    notes = vault_notes(state_of(early), "0f4b8028")
    assert "Tea 0f4b8028/Report.md" not in notes
    assert checked(notes) > 3


@pytest.fixture
def attacked() -> State:
    wicked = "../../../etc/x]] [[a|b]] %%hidden%% <% tp.system.prompt() %> #tag `= dv.view('x')` `$= app` |#^"
    state = state_of(session(topic=wicked, answer=f"{wicked} [p1] ⟦p2⟧ ![[secret]]"))
    report, evidence = hostile()
    section = report.sections[0].model_copy(update={"heading": wicked})
    state.report = report.model_copy(update={"sections": [section, *report.sections], "title": wicked})
    state.gathered.evidence = evidence
    return state


def test_what_strangers_wrote_makes_no_link_and_nothing_is_carried_out(attacked: State):
    notes = vault_notes(attacked, "0f4b8028")
    checked(notes)
    parser = MarkdownIt("commonmark")
    for text in notes.values():
        body = FRONT.sub("", text, count=1)
        assert not re.search(r"<%|%%|(?<!`)`+[ \t]*\$?=|(?<=\s)#\w", body)
        for token in parser.parse(LINK.sub("", body)):
            assert token.type != "html_block", token
            for inner in token.children or ():
                assert inner.type not in {"html_inline", "image"}, (inner, text)
                if inner.type == "link_open":  # of the bibliography
                    assert str(inner.attrs["href"]).lower().startswith(("http://", "https://"))
    assert all(len(attack) for attack in ATTACKS)


def test_written_again_old_notes_go_and_those_of_others_stay(tmp_path: Path):
    state = state_of(session())
    first = write_vault(state, "0f4b8028", tmp_path / "vault")
    folder = first[0].parent
    own, old = folder / "My own.md", folder / "Map" / "9 Gone.md"
    own.write_text("mine")
    old.write_text((folder / "Map" / "2 Leaves.md").read_text())
    assert write_vault(state, "0f4b8028", tmp_path / "vault") == first
    assert own.exists()
    assert not old.exists()
    with zipfile.ZipFile(io.BytesIO(vault_zip(state, "0f4b8028"))) as packed:
        assert {tmp_path / "vault" / name for name in packed.namelist()} == set(first)


def test_a_vault_that_is_searched_leaves_out_what_this_program_wrote_and_counts_it(tmp_path: Path):
    vault, state = tmp_path / "vault", state_of(session())
    written = write_vault(state, "0f4b8028", vault)
    write_outputs(state, claim_folder(vault / "out", "0f4b8028"))
    (vault / "Mine.md").write_text("---\ntags: [tea]\n---\nTea keeps for a year in a closed tin.")
    (vault / "Prose.md").write_text("A line\nroundtable: of words, which no front matter holds.")
    moved = vault / "Moved.md"  # and its front matter sorted, as an editor may
    moved.write_text(written[1].read_text().replace("---\n", "---\naliases: [x]\n", 1).replace("\n", "\r\n"))

    with Store(tmp_path / "library.sqlite") as store, Reader() as reader:

        def names(path: Path = vault, *, own: bool | None = None) -> tuple[set[str], list[str]]:
            held, report = sync(store, "vault", [path], reader, own_notes=own)
            return {Path(known).name for known in store.files(held)}, [w.reason for w in report.warnings]

        read, told = names()
        assert read == {"Mine.md", "Prose.md"}
        [line] = [each for each in told if "own sessions" in each]
        notes = len(written) + len(["Moved.md", "mindmap.md", "report.md", "transcript.md"])
        assert f"{notes} files are of Roundtable's own sessions (--own-notes reads them): " in line
        assert len(names(own=True)[0]) == 2 + notes
        assert len(names()[0]) == 2 + notes  # what was said holds
        assert names(own=False)[0] == read
        assert names(moved)[0] == {"Moved.md"}  # named by itself it is wanted
