"""Whatever a folder holds, reading it ends, what is left out is named, and the rest is indexed."""

import gzip
import os
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from library.errors import LibraryError, ReadError
from library.readers.file_bytes import file_bytes
from library.readers.reader import Reader
from library.store.store import Store
from library.store.sync import sync


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    (root / "deep").mkdir(parents=True)
    (root / "good.md").write_text("Whales sing in the deep.")
    (root / "deep" / "seal.md").write_text("Seals bark on the beach.")
    return root


@pytest.fixture
def bring(tmp_path):
    with Store(tmp_path / "home" / "library.sqlite") as store, Reader() as reader:

        def run(*paths, **more):
            held, report = sync(store, "c", paths, reader, **more)
            names = sorted(os.path.relpath(path, paths[0]) for path in store.files(held))
            return names, report

        run.store = store
        yield run


def left_out(report):
    for unread in report.warnings:
        assert "\n" not in unread.reason
        unread.reason.encode()
    return {Path(unread.path).name: unread.reason for unread in report.warnings}


def test_links_in_circles_and_folders_that_link_to_each_other_are_walked_once(bring, folder):
    (folder / "deep" / "up").symlink_to(folder)
    (folder / "self.md").symlink_to("self.md")
    (folder / "here").symlink_to("there")
    (folder / "there").symlink_to("here")
    rooms = [folder / f"room{n}" for n in range(11)]
    for room in rooms:
        room.mkdir()
        (room / "own.md").write_text(f"A text of {room.name}, unlike others.")
    for room in rooms:
        for other in rooms:
            (room / f"to-{other.name}").symlink_to(other)
    names, report = bring(folder)
    assert names == sorted(["good.md", "deep/seal.md", *(f"room{n}/own.md" for n in range(11))])
    assert list(left_out(report)) == ["self.md"]


def test_a_chain_of_links_that_doubles_is_walked_once(bring, folder):
    below = folder / "deep"
    for n in range(40):  # each holds two links to the next: 2**40 ways to its end
        room = folder / f"n{n}"
        room.mkdir()
        for way in ("a", "b"):
            (room / way).symlink_to(below)
        below = room
    assert bring(folder)[0] == ["deep/seal.md", "good.md"]


def test_a_link_leads_out_of_its_folder_only_when_that_is_said(bring, folder, tmp_path):
    (tmp_path / "diary").mkdir()
    (tmp_path / "diary" / "private.md").write_text("Dear diary.")
    (folder / "away").symlink_to(tmp_path / "diary")
    (folder / "one.md").symlink_to(tmp_path / "diary" / "private.md")
    (folder / "again.md").symlink_to("good.md")  # within: it is read already
    names, report = bring(folder)
    assert names == ["deep/seal.md", "good.md"]
    reasons = left_out(report)
    assert list(reasons) == [folder.name]
    assert "2 links lead out of the folder (--follow-links): away, one.md" in reasons[folder.name]
    names, report = bring(folder, follow_links=True)
    assert len(names) == 3  # and the diary once, though two lead there
    assert not report.warnings
    assert len(bring(folder)[0]) == 3  # what was said holds until it is said otherwise
    assert bring(folder, follow_links=False)[0] == ["deep/seal.md", "good.md"]


def test_links_that_lead_nowhere_are_told_in_one_line_and_those_of_pages_not_at_all(bring, folder):
    (folder / "gone.md").symlink_to("nothing.md")
    assert left_out(bring(folder)[1]) == {"gone.md": f"{folder / 'gone.md'}: it is a link that leads nowhere"}
    for n in range(5):
        (folder / f"lost{n}.md").symlink_to(f"nothing{n}.md")
        (folder / f"jquery{n}.js").symlink_to(f"/nowhere/jquery{n}.js")
    (folder / "page.html").write_text(
        "<title>Otters</title><p>Otters float on their backs and hold hands.</p>"
    )
    reasons = left_out(bring(folder)[1])
    told = "6 links lead nowhere: gone.md, lost0.md, lost1.md, …"
    assert reasons == {folder.name: f"{folder}: {told}"}


def test_a_link_in_the_folder_to_what_has_no_such_ending_is_read(bring, folder):
    (folder / "latest.7f3a").write_text("Otters float on their backs.")
    (folder / "latest.md").symlink_to("latest.7f3a")
    assert bring(folder)[0] == ["deep/seal.md", "good.md", "latest.md"]


def test_a_named_path_may_itself_be_a_link(bring, folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    names, report = bring(tmp_path / "link")
    assert len(names) == 2
    assert not report.warnings


def test_what_is_no_ordinary_file_is_named_and_never_waited_for(bring, folder):
    os.mkfifo(folder / "pipe.md")
    (folder / "zero.md").symlink_to("/dev/zero")
    (folder / "tty.txt").symlink_to("/dev/tty")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(folder)  # a socket's path may be no longer than 108 bytes
        try:
            listening.bind("socket.md")
        finally:
            os.chdir(here)
        names, report = bring(folder, follow_links=True)
    assert names == ["deep/seal.md", "good.md"]
    assert set(left_out(report)) == {"pipe.md", "zero.md", "tty.txt", "socket.md"}


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(folder, monkeypatch):
    os.mkfifo(folder / "pipe.md")
    monkeypatch.setattr(Path, "is_file", lambda _: True)  # it was a file when it was looked at
    with Reader() as reader, pytest.raises(ReadError, match=r"pipe\.md: it is no ordinary file"):
        reader.read_file(folder / "pipe.md")


def test_a_sparse_file_of_60_gigabytes_costs_no_memory(bring, folder):
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(60_000_000_000)
    names, report = bring(folder)
    assert names == ["deep/seal.md", "good.md"]
    assert "larger than 50 MB" in left_out(report)["huge.txt"]


def test_a_file_that_says_no_size_ends_at_the_bound():
    path = Path("/proc/self/maps")  # ordinary, of no size, and longer than that
    assert path.stat().st_size == 0
    with pytest.raises(ReadError, match=r"larger than 0\.0001 MB"):
        file_bytes(path, 0.0001)


def test_names_that_are_not_utf8_are_read_and_shown(bring, folder):
    bad = os.path.join(os.fsencode(folder), b"caf\xe9.md")
    Path(os.fsdecode(bad)).write_bytes(b"Coffee is grown in the hills.")
    inside = Path(os.fsdecode(os.path.join(os.fsencode(folder), b"\xff\xfe")))
    inside.mkdir()
    (inside / "tea.md").write_text("Tea is grown there too.")
    (inside / "bad.md").write_bytes(b"\x89PNG")
    names, report = bring(folder)
    assert names == ["\\xff\\xfe/tea.md", "caf\\xe9.md", "deep/seal.md", "good.md"]
    assert "\\xff\\xfe/bad.md" in left_out(report)["bad.md"]
    assert bring(folder)[1].unchanged == 4
    with pytest.raises(LibraryError, match="is not UTF-8"):
        bring(inside)


def test_a_folder_that_may_not_be_listed_is_named(bring, folder):
    if os.geteuid() == 0:
        pytest.skip("nothing is closed to this user")
    (folder / "deep").chmod(0)
    try:
        names, report = bring(folder)
    finally:
        (folder / "deep").chmod(stat.S_IRWXU)
    assert names == ["good.md"]
    assert "Permission denied" in left_out(report)["deep"]


def test_a_folder_deeper_than_calls_may_be_is_walked(bring, folder):
    opened = os.open(folder, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=opened)
        inner = os.open("d", os.O_RDONLY, dir_fd=opened)
        os.close(opened)
        opened = inner
    os.close(opened)
    try:
        assert bring(folder)[0] == ["deep/seal.md", "good.md"]
    finally:
        subprocess.run(["rm", "-rf", folder / "d"], check=True)  # deeper than pytest itself can clear away


@pytest.mark.parametrize("when", [-(10**10), 10**11])
def test_a_time_of_change_that_no_calendar_has(bring, folder, when):
    os.utime(folder / "good.md", (when, when))
    assert len(bring(folder)[0]) == 2
    assert bring(folder)[1].unchanged == 2


def test_a_path_that_leads_to_itself_is_one_line(bring, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(LibraryError, match=r"loop: ") as error:
        bring(tmp_path / "loop")
    assert "\n" not in str(error.value)


def test_texts_whose_names_have_no_ending_are_read_packed_ones_too(folder, bring):
    (folder / "README").write_text("Seals bark on the beach, and sleep on it.")
    (folder / "NEWS.gz").write_bytes(gzip.compress(b"Version 2 counts whales by their song, too."))
    (folder / "Makefile").write_text("# Counts whales.\nall:\n\tcount --whales\n")
    (folder / "count").write_text("#!/usr/bin/env -S python3.11\n# Counts the seals on a beach.\nprint(1)")
    (folder / "page").write_text("<!doctype html><title>W</title><p>Whales breathe air, as seals do.</p>")
    # What is none, or is no file, is counted as before; a bomb costs no more than what is looked at.
    (folder / "core").write_bytes(b"\x7fELF\0\0\0")
    (folder / "id_rsa").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n")
    (folder / "packed.gz").write_bytes(gzip.compress(b"\0" * 60_000_000))
    (folder / "long.gz").write_bytes(gzip.compress(b"x" * 60_000_000))
    (folder / "nowhere").symlink_to("gone")
    os.mkfifo(folder / "pipe")
    names, report = bring(folder)
    assert names == ["Makefile", "NEWS.gz", "README", "count", "deep/seal.md", "good.md", "page"]
    with Reader() as reader:
        program, listing = reader.read_file(folder / "count").text, reader.read_file(folder / "Makefile").text
        assert reader.read_file(folder / "NEWS.gz").title == "NEWS"
        assert "<p>" not in reader.read_file(folder / "page").text
    assert "\n\nCounts the seals on a beach.\n\n```python\nprint" in program
    assert "```makefile" in listing
    told = left_out(report)
    assert "it is larger than" in told["long.gz"]
    assert "not read: 3 without an ending (core, id_rsa, pipe), 1 .gz (packed.gz)" in told["docs"]


def test_a_text_that_is_packed_by_itself_is_read(folder, bring):
    (folder / "seals.txt.gz").write_bytes(gzip.compress(b"Seals bark on the beach, and sleep on it."))
    (folder / "cut.md.gz").write_bytes(gzip.compress(b"Whales sing in the deep." * 9)[:-9])
    (folder / "long.txt.gz").write_bytes(gzip.compress(b"\0" * 60_000_000))
    (folder / "more.tar.gz").write_bytes(gzip.compress(b"whatever"))
    names, report = bring(folder)
    assert names == ["deep/seal.md", "good.md", "seals.txt.gz"]
    told = left_out(report)
    assert "it is packed and cannot be unpacked" in told["cut.md.gz"]
    assert "it is larger than" in told["long.txt.gz"]
    assert "more.tar.gz" in told["docs"]
