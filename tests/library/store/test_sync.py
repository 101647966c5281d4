import os
from dataclasses import fields

import pytest

from library.errors import LibraryError, ReadError
from library.readers.reader import Reader
from library.store.store import Store
from library.store.sync import check_name, derived_name, sync


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    (root / "deep").mkdir(parents=True)
    (root / "a.md").write_text("---\ntitle: Whales\nurl: https://w.example/\n---\nWhales sing in the deep.")
    (root / "deep" / "b.txt").write_text("Seals bark on the beach.")
    (root / ".hidden.md").write_text("Hidden.")
    (root / "image.png").write_bytes(b"\x89PNG\r\n")
    return root


@pytest.fixture
def bring(tmp_path):
    with Store(tmp_path / "home" / "library.sqlite") as store, Reader() as reader:
        read = []

        class Watched:
            side_by_side = 2
            reads_pictures = False
            names_unread = False
            file_bytes = reader.file_bytes
            missed = reader.missed

            def read_file_bytes(self, data, path, changed=""):
                read.append(path.name)
                return reader.read_file_bytes(data, path, changed)

        def run(*paths, name="c", **more):
            read.clear()
            held, report = sync(store, name, paths, Watched(), **more)
            return held, report

        run.store, run.read = store, read
        yield run


def counts(report):
    return (report.added, report.changed, report.removed, report.unchanged)


def test_a_folder_is_read_once_and_then_only_what_changed(bring, folder):
    assert counts(bring(folder)[1]) == (2, 0, 0, 0)
    assert bring.store.find("https://w.example/").title == "Whales"
    assert counts(bring(folder)[1]) == (0, 0, 0, 2)
    assert bring.read == []
    (folder / "a.md").write_text("Whales are mammals.")
    (folder / "deep" / "b.txt").unlink()
    (folder / "c.md").write_text("Otters float.")
    held, report = bring(folder)
    assert counts(report) == (1, 1, 1, 0)
    assert bring.store.document_frequency([held], ["seal", "sing", "otter"]) == {"otter": 1}


def test_the_sources_that_sphinx_lays_beside_its_pages_are_not_read_as_well(bring, folder):
    (folder / "_sources").mkdir()
    (folder / "_sources" / "a.rst.txt").write_text("Whales sing.")
    assert counts(bring(folder)[1]) == (3, 0, 0, 0)
    (folder / "objects.inv").write_bytes(b"# Sphinx inventory version 2")
    assert counts(bring(folder)[1]) == (0, 0, 1, 2)


def test_a_file_that_was_only_touched_is_not_read_again(bring, folder):
    bring(folder)
    os.utime(folder / "a.md", (1, 1))
    assert counts(bring(folder)[1]) == (0, 0, 0, 2)
    assert bring.read == []


def test_one_bad_file_is_a_warning(bring, folder):
    (folder / "bad.md").write_bytes(b"\x89PNG\r\n" * 20)
    held, report = bring(folder)
    assert report.added == 2
    kinds, bad = report.warnings  # the folder holds a file of a kind that is not read, too
    assert "of a kind that is not read" in kinds.reason
    assert "bad.md" in bad.reason
    assert "\n" not in bad.reason
    assert len(bring.store.files(held)) == 2


def test_a_file_that_became_unreadable_is_no_longer_found(bring, folder):
    held, _ = bring(folder)
    (folder / "a.md").write_bytes(b"\x89PNG\r\n" * 20)
    bring(folder)
    assert bring.store.document_frequency([held], ["whale", "seal"]) == {"seal": 1}


def test_nothing_readable_is_an_error_that_says_what_is_looked_for(bring, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReadError, match=r"nothing there that can be read.*\.md"):
        bring(tmp_path / "empty")
    (tmp_path / "empty" / "bad.md").write_bytes(b"")
    with pytest.raises(ReadError, match=r"bad\.md"):
        bring(tmp_path / "empty")
    assert bring.store.collections() == [], "what holds nothing is not in lists"


def test_a_missing_path_is_an_error(bring, tmp_path):
    with pytest.raises(LibraryError, match="no such file"):
        bring(tmp_path / "absent")


def test_names(tmp_path):
    check_name("papers-2024")
    for bad in ("", "a/b", "-x", "x" * 80):
        with pytest.raises(LibraryError):
            check_name(bad)
    assert derived_name(tmp_path) == derived_name(tmp_path / ".")
    check_name(derived_name(tmp_path))


def many(folder, count):
    for n in range(count):
        (folder / f"{n:04}.md").write_text(f"# Page {n}\n\nWhat page {n} says is told by nobody else.\n")


def test_how_far_reading_is_gets_told(bring, folder):
    many(folder, 150)
    told = []
    _, report = bring(folder, progress=lambda done, of: told.append((done, of)))
    assert told == sorted(told), "it never goes back"
    assert {done for done, _ in told} == set(range(153)), "from the first moment, and with each file"
    assert {of for _, of in told} == {152}
    assert counts(report) == (152, 0, 0, 0)


def test_what_was_read_before_a_stop_stays_and_the_next_time_goes_on(bring, folder):
    many(folder, 150)

    def stop(done, of):
        if done == 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bring(folder, progress=stop)
    kept = len(bring.store.files(bring.store.collection("c")))
    assert kept >= 90, "but a sample of pages that was looked at ahead"
    _, report = bring(folder)
    assert counts(report) == (152 - kept, 0, 0, kept)
    assert len(bring.read) == 152 - kept


def test_what_somebody_said_of_a_collection_stays_and_headings_say_the_rest(bring, folder):
    many(folder, 3)
    (folder / "dikes.md").write_text(
        "# Dikes and sluices\n\nWhat holds back the water.\n\n## Weirs\n\nThey do not.\n"
    )
    held, _ = bring(folder)
    made = f"Documents in {folder}: "
    assert held.description.startswith(made)
    assert {"Dikes and sluices", "Weirs"} <= set(held.description.removeprefix(made).split("; "))
    (folder / "zh.md").write_text("# 堤坝与水闸\n\n挡住洪水。\n", encoding="utf-8")
    held, _ = bring(folder)
    assert "堤坝与水闸；" in held.description
    assert "; " not in held.description
    held, _ = bring(folder, description="On water")
    (folder / "more.md").write_text("# Locks\n\nThey let ships through a dike.\n")
    assert bring(folder)[0].description == "On water"
    said = "Documents in Swedish about dikes"
    assert bring(folder, description=said)[0].description == said
    (folder / "more.md").unlink()
    assert bring(folder)[0].description == said


def test_a_description_that_was_made_of_another_folder_is_made_anew(bring, folder, tmp_path):
    bring(folder)
    other = tmp_path / "other"
    other.mkdir()
    (other / "weirs.md").write_text("# Weirs\n\nThey hold back the water.\n")
    assert bring(other)[0].description == f"Documents in {other}: Weirs"


def test_texts_that_workers_cut_are_found_as_those_cut_here(folder, tmp_path, monkeypatch):
    for number in range(12):
        (folder / f"{number}.md").write_text(
            f"# Seite {number}\n\n" + "Der Deich hält. Das Wehr – 12,5 m – nicht!\n\n" * 9
        )
    (folder / "odd.txt").write_text("堤坝挡住洪水。Ångström \ud7ff \U0001f30a naïve.\n")
    rows = []
    for name, many in (("here", 1_000), ("there", 1)):
        monkeypatch.setattr("library.store.sync._MANY", many)
        with Store(tmp_path / f"{name}.sqlite") as other, Reader() as reader:
            held, _ = sync(other, "c", [folder], reader)
            postings = other.postings(held)
            rows.append([getattr(postings, field.name).tolist() for field in fields(postings)])
            cut = [other.passages(file.sha256) for file in other.files(held).values()]
            rows[-1].append([(p.start, p.end) for passages in cut for p in passages])
    assert rows[0] == rows[1]
    assert rows[0][0]


def test_a_worker_cuts_several_texts_at_a_time_and_none_that_is_too_long(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("library.store.sync._MANY", 1)
    monkeypatch.setattr("library.store.cutting.text_cutting._LONGEST", 2_000)
    for number in range(14):
        (folder / f"{number:02}.md").write_text(f"# Weir {number}\n\n" + f"Weir {number} holds. " * 5)
    (folder / "03.md").write_text("# Long\n\n" + "The dike held the water. " * 100)
    jobs = []
    with Store(tmp_path / "store.sqlite") as other, Reader() as reader:
        work = reader.work

        def counted(job, data, **options):
            jobs.append(len(options["texts"]))
            return work(job, data, **options)

        monkeypatch.setattr(reader, "work", counted)
        held, report = sync(other, "c", [folder], reader)
        assert report.added == 16
        assert sorted(jobs) == [7, 8]
        assert other.postings(held).frequencies(["weir"]) == [13]
        long = other.passages(other.files(held)[str(folder / "03.md")].sha256)
        assert long[0].text.startswith("# Long")


def test_a_worker_that_fails_costs_no_text(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("library.store.sync._MANY", 1)
    home = "library.store.cutting.text_cutting"
    monkeypatch.setattr(f"{home}._JOB", f"{home}:nothing_of_that_name")
    with Store(tmp_path / "store.sqlite") as other, Reader() as reader:
        held, report = sync(other, "c", [folder], reader)
        assert len(other.files(held)) == 2
        assert report.added == 2
        assert len(other.postings(held).ids)
