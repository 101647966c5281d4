"""Files of all kinds to sources, and what is said of those that cannot be read."""

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from library.errors import ReadError
from library.readers.file_kinds import READABLE
from library.readers.read_settings import ReadSettings
from library.readers.reader import Reader
from library.readers.text_files.front_matter import FrontMatter, front_matter
from library.readers.text_files.plain_text import decode, seen, tidy
from library.readers.workers.parser_worker import LONGEST_REST
from library.readers.workers.worker_pool import _RESTING, Workers

WHEN = "2026-03-01T12:00:00+00:00"


@pytest.fixture(scope="module")
def reader():
    with Reader() as reader:
        yield reader


def test_markdown_with_front_matter(reader, tmp_path):
    path = tmp_path / "tides.md"
    path.write_text(
        "---\nurl: https://example.org/tides\ntitle: On tides\nauthor: [A. One, B. Two]\n"
        "date: 2024-05-06\n---\n\n"
        "# Tides\n\nThe sea rises twice a day.\r\n\r\n\r\n\r\nAnd falls.\n"
    )
    source = reader.read_file(path, WHEN)
    assert source.text == "# Tides\n\nThe sea rises twice a day.\n\nAnd falls."
    assert source.sha256 == hashlib.sha256(source.text.encode()).hexdigest()
    assert (source.url, source.title) == ("https://example.org/tides", "On tides")
    assert (source.author, source.published, source.retrieved) == ("A. One, B. Two", "2024-05-06", WHEN)
    assert source.private


def test_markdown_without_front_matter_is_titled_by_its_heading_and_then_by_its_name(reader, tmp_path):
    headed, bare = tmp_path / "a.md", tmp_path / "low water.txt"
    headed.write_text("Intro.\n\n# High water #\n\nText.")
    bare.write_text("# not a heading in plain text")
    assert reader.read_file(headed).title == "High water"
    assert reader.read_file(bare).title == "low water"
    assert reader.read_file(bare).url == bare.as_uri()


def test_a_text_is_dated_by_its_byline_but_front_matter_knows_better(reader, tmp_path):
    path = tmp_path / "mud.md"
    path.write_text("# Mud\n\n*The Courier, 16 March 1987*\n\nMen dug.\n")
    assert reader.read_file(path, WHEN).published == "1987-03-16"
    path.write_text("---\ndate: 1988\n---\n# Mud\n\n*The Courier, 16 March 1987*\n\nMen dug.\n")
    assert reader.read_file(path, WHEN).published == "1988"


def test_plain_text_is_titled_by_its_underlined_heading(reader, tmp_path):
    path = tmp_path / "backup-dump.rst"
    path.write_text("Dumping a database\n==================\n\nIt is written to a file.\n")
    assert reader.read_file(path).title == "Dumping a database"
    path.write_text("It is written to a file.\n\n----\n\nAnd read again.\n")
    assert reader.read_file(path).title == "backup-dump"


@pytest.mark.parametrize(
    "said", ["[ERROR retrieving ref link]", "null", "Error 404", "<no title>", "untitled"]
)
def test_what_a_program_wrote_where_it_found_no_title_is_none(reader, tmp_path, said):
    path = tmp_path / "reefs.md"
    path.write_text(f'---\ntitle: "{said}"\n---\n\n## Reefs of the north\n\nThey are steep.\n')
    assert reader.read_file(path).title == "Reefs of the north"
    path.write_text(f'---\ntitle: "{said}"\n---\n\nThey are steep.\n')
    assert reader.read_file(path).title == "reefs"


def test_where_a_document_is_from_is_kept_as_it_says(reader, tmp_path):
    """By that its owner looks it up, whatever it is; a report makes links of addresses of the web alone."""
    path = tmp_path / "reefs.md"
    path.write_text('---\nurl: "shelf 12, box 3"\n---\n\nThey are steep.\n')
    assert reader.read_file(path).url == "shelf 12, box 3"
    path.write_text('---\nurl: "[ERROR retrieving ref link]"\n---\n\nThey are steep.\n')
    assert reader.read_file(path).url == path.as_uri(), "the file is where it can be found"


@pytest.mark.parametrize("said", ["Error handling in old logs", "[Treatment of burns]", "None of the above"])
def test_a_title_that_people_wrote_stays(reader, tmp_path, said):
    path = tmp_path / "reefs.md"
    path.write_text(f'---\ntitle: "{said}"\n---\n\n## Reefs\n\nThey are steep.\n')
    assert reader.read_file(path).title == said


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "VBScript:x", "https://x.example/<script>"]
)
def test_a_document_is_not_from_what_a_browser_would_run(reader, tmp_path, url):
    path = tmp_path / "a.md"
    path.write_text(f"---\nurl: '{url}'\ntitle: T\n---\nText.")
    assert reader.read_file(path).url == path.as_uri()


@pytest.mark.parametrize("url", ["https://a.example/b?c=d#e", "doi:10.1000/182", "Town archive, box 12"])
def test_a_document_says_where_it_is_from(reader, tmp_path, url):
    path = tmp_path / "a.md"
    path.write_text(f"---\nurl: '{url}'\ntitle: T\n---\nText.")
    assert reader.read_file(path).url == url


def test_a_page_from_the_web_does_not_choose_its_url(reader):
    data = b"---\nurl: https://bank.example/\ntitle: T\n---\nText."
    source = reader.read_bytes(data, "https://example.org/t.md", "text/markdown; charset=utf-8", WHEN)
    assert (source.url, source.title, source.private) == ("https://example.org/t.md", "T", False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no front matter", FrontMatter()),
        ("---\ntitle: T\n---\nBody", FrontMatter(title="T", body_start=17)),
        ("\ufeff---\r\ntitle: T\r\n...\r\nBody", FrontMatter(title="T", body_start=21)),
        ("---\nTitle: 1984\ndate: 2020-01-02 03:04\n---\n",
         FrontMatter(title="1984", date="2020-01-02 03:04", body_start=43)),
        ("---\n---\nBody", FrontMatter()),
        ("---\nnever closed", FrontMatter()),
        ("---\n: [broken\n---\nBody", FrontMatter()),
        ("---\n- a list\n---\nBody", FrontMatter()),
        ("---\ntitle: {a: b}\nurl: null\n---\n", FrontMatter(body_start=32)),
        ("---\ntitle: !!python/object/apply:os.system ['x']\n---\n", FrontMatter(title="x", body_start=53)),
        ("--- a rule, not front matter\n---\n", FrontMatter()),
        ("---\nx: " + "[" * 15_000 + "\n---\nBody", FrontMatter()),
        ("---\n" + "- " * 7_000 + "\n---\nBody", FrontMatter()),
        ("---\n" + "? " * 7_000 + "\n---\nBody", FrontMatter()),
        ("---\nx: " + "{a: " * 3_500 + "\n---\nBody", FrontMatter()),
        ("---\ndate: 2020-99-99\n---\nBody", FrontMatter(date="2020-99-99", body_start=25)),
    ],
)  # fmt: skip
def test_front_matter_is_read_or_left_alone(text, expected):
    assert front_matter(text) == expected


@pytest.mark.parametrize(
    ("data", "declared", "text"),
    [
        ("Füße".encode(), None, "Füße"),
        (b"\xef\xbb\xbfwords", None, "words"),
        ("Füße".encode("utf-16"), None, "Füße"),
        ("Füße".encode("utf-32"), None, "Füße"),
        (b"\xfe\xff" + "洪水".encode("utf-16-be"), None, "洪水"),
        ("“Füße”".encode("cp1252"), "iso-8859-1", "“Füße”"),
        ("洪水过后，老街重建。".encode("gb18030"), "gb2312", "洪水过后，老街重建。"),
        ("Füße".encode(), "iso-8859-1", "Füße"),
        ("日本語の文章".encode("iso-2022-jp"), "iso-2022-jp", "日本語の文章"),
        (b"words", "no-such-encoding", "words"),
        ("Привет, как дела? Сегодня хорошая погода.".encode("cp1251") * 5, None,
         "Привет, как дела? Сегодня хорошая погода." * 5),
        ("洪水过后，居民重建了老街，修好了堤防。".encode("gb18030") * 5, None,
         "洪水过后，居民重建了老街，修好了堤防。" * 5),
    ],
)  # fmt: skip
def test_encodings(data, declared, text):
    assert decode(data, declared) == text


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.md", b"", "it is empty"),
        ("a.md", b" \n\t ", "it is empty"),
        ("a.md", b"---\ntitle: T\n---\n", "it is empty"),
        ("a.txt", b"\x89PNG\r\n\x1a\n....", "it is a PNG image, not text"),
        ("a.txt", b"\x7fELF\x02\x01", "it is a program, not text"),
        ("a.md", b"PK\x03\x04....", "it is a ZIP archive, not text"),
        ("a.md", bytes(range(256)) * 4, "it is a binary file, not text"),
        ("a.docx", b"\xd0\xcf\x11\xe0....", "an old Office document or an encrypted one"),
        ("a.docx", b"words", "it is no DOCX"),
        ("a.pdf", b"words", "it is no PDF"),
        ("a.pdf", bytes(range(256)) * 4, "it is no PDF, or it is damaged"),
        ("a.html", b"<html><body></body></html>", "holds no text"),
    ],
)
def test_what_cannot_be_read_is_named(reader, tmp_path, name, data, reason):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ReadError, match=reason) as error:
        reader.read_file(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_what_is_no_file_is_named(reader, tmp_path):
    with pytest.raises(ReadError, match="No such file"):
        reader.read_file(tmp_path / "missing.md")
    with pytest.raises(ReadError, match="is a folder"):
        reader.read_file(tmp_path)
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(ReadError, match="no ordinary file"):
        reader.read_file(tmp_path / "pipe.md")
    large = tmp_path / "large.md"
    large.write_bytes(b"x" * 2000)
    with (
        Reader(ReadSettings(megabytes=0.001)) as small,
        pytest.raises(ReadError, match="larger than 0.001 MB"),
    ):
        small.read_file(large)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain ascii\nwith\ttabs", "plain ascii\nwith\ttabs"),
        ("one\r\ntwo\rthree\u2028four\u2029five", "one\ntwo\nthree\nfour\n\nfive"),
        ("zero\u200bwidth \ufeffand soft\u00adhyphen", "zerowidth and softhyphen"),
        ("tag" + "".join(chr(0xE0000 + ord(c)) for c in "ignore") + "s", "tags"),
        ("bidi \u202eback\u202c and \u2066isolate\u2069", "bidi back and isolate"),
        ("a\u200db\u200cc", "abc"),
        ("escape \x1b[31mred\x07", "escape red"),
        ("\x1b[1;32mok\x1b[0m \x1b]0;title\x07done \x1b]8;;http://a\x1b\\link", "ok done link"),
        ("never \x1b]ended\nthe next line", "never ]ended\nthe next line"),
        ("variation\U000e0101 selector", "variation selector"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("family 👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧"),
        ("nbsp\u00a0stays, 中文　too", "nbsp\u00a0stays, 中文　too"),
    ],
)
def test_characters_that_nobody_sees_are_dropped(raw, shown):
    assert seen(raw) == shown
    assert seen(shown) == shown


def test_blank_lines_are_tidied():
    assert tidy("\n\n a\n \n\t\n\nb\nc \n") == "a\n\nb\nc"


def test_the_same_file_gives_the_same_source(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(
        "<html><body><article><p>A sentence about harbours and their walls, long enough.</p></article>"
    )
    with Reader() as one, Reader() as two:
        assert one.read_file(path, WHEN) == two.read_file(path, WHEN)


async def test_files_are_read_side_by_side_without_holding_up_the_loop(reader, tmp_path):
    paths = []
    for n in range(6):
        paths.append(tmp_path / f"{n}.html")
        paths[-1].write_text(
            f"<html><body><article><p>Sentence {n} about harbours and walls of stone.</p></article>"
        )
    sources = await asyncio.gather(*(reader.read_file_async(path) for path in paths))
    assert [f"Sentence {n} " in source.text for n, source in enumerate(sources)] == [True] * 6


def read_a_page(workers: Workers, words: int = 20) -> str:
    return workers.perform("html", b"<p>" + b"word " * words, largest=10_000_000, latest="2026-01-01")["text"]


def test_a_worker_that_dies_while_idle_is_replaced():
    with Workers(count=1, seconds=20) as workers:
        assert read_a_page(workers)
        process = workers._idle[0]._process
        os.kill(process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert read_a_page(workers)


def test_a_worker_that_dies_at_work_costs_its_file_alone():
    with Workers(count=1, seconds=20) as workers:
        assert read_a_page(workers)
        process = workers._idle[0]._process
        os.kill(process.pid, signal.SIGSTOP)  # so that it is at work, but not done, when it is killed
        killer = threading.Timer(0.05, os.kill, (process.pid, signal.SIGKILL))
        killer.start()
        with pytest.raises(ReadError, match=r"crashes its worker .* \(read\.worker_megabytes\)"):
            read_a_page(workers)
        killer.join()
        assert read_a_page(workers)


def test_a_worker_that_has_done_much_is_replaced():
    with Workers(count=1, seconds=20) as workers:
        read_a_page(workers)
        first = workers._idle[0]
        first._jobs = 10_000
        read_a_page(workers)
        assert workers._idle == []
        assert not first.is_ready
        read_a_page(workers)


def process_of(workers: Workers) -> int:
    read_a_page(workers)
    return workers._idle[0]._process.pid


def test_workers_rest_between_two_libraries_of_a_program():
    with Workers(count=1, megabytes=1_003) as workers:
        first = process_of(workers)
    with Workers(count=1, megabytes=1_003) as later, Workers(count=1, megabytes=1_003) as beside:
        assert process_of(later) == first
        assert process_of(beside) != first
    with Workers(count=1, megabytes=1_004) as other:
        assert process_of(other) != first


def test_a_worker_that_rested_for_long_is_given_no_more_jobs():
    with Workers(count=1, megabytes=1_005) as workers:
        first = process_of(workers)
        workers._idle[0]._rests_since -= LONGEST_REST
    with Workers(count=1, megabytes=1_005) as workers:
        assert process_of(workers) != first


def test_a_worker_in_which_a_parser_failed_or_that_did_much_does_not_rest():
    with Workers(count=1, megabytes=1_007) as workers:
        first = process_of(workers)
        with pytest.raises(ReadError, match="the parser failed on it"):
            workers.perform("html", b"<p>words", largest="many", latest="2026-01-01")
        second = process_of(workers)
        workers._idle[0]._jobs = 100
    with Workers(count=1, megabytes=1_007) as workers:
        assert len({first, second, process_of(workers)}) == 3


def test_a_child_of_a_fork_takes_none_of_its_parent_s_workers():
    with Workers(count=1, megabytes=1_008) as workers:
        process_of(workers)
    child = os.fork()
    if child == 0:
        os._exit(len(_RESTING._workers))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert _RESTING._workers


def test_two_workers_rest_and_no_more():
    many = [Workers(count=1, megabytes=1_006) for _ in range(4)]
    processes = [process_of(workers) for workers in many]
    for workers in many:
        workers.close()
    assert [Path(f"/proc/{pid}").exists() for pid in processes] == [False, False, True, True]


def test_a_worker_without_a_job_ends_by_itself():
    program = (
        "import library.readers.workers.parser_worker as w; "
        "w.LONGEST_REST, w._GRACE = 1, 0; w.main('.', 1000)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        assert process.wait(timeout=300) == -signal.SIGALRM


def test_ctrl_c_in_the_terminal_does_not_reach_workers():
    with Workers(count=1) as workers:
        read_a_page(workers)
        assert os.getpgid(workers._idle[0]._process.pid) != os.getpgid(0)


def test_a_worker_that_takes_too_long_is_ended():
    with Workers(count=1, megabytes=1_001, seconds=0.02) as workers:  # a new one: it has much to import
        before = time.monotonic()
        with pytest.raises(ReadError, match=r"longer than 0\.02 s \(read\.worker_seconds\)"):
            read_a_page(workers)
        assert time.monotonic() - before < 5


def test_a_worker_may_only_use_so_much_memory():
    data = b"<html><body>" + b"<p>a</p>" * 600_000
    with (
        Workers(count=1, megabytes=300, seconds=20) as workers,
        pytest.raises(ReadError, match="memory|crashed|markup"),
    ):
        workers.perform("html", data, largest=10_000_000, latest="2026-01-01")


def test_a_worker_that_grew_is_not_kept():
    with Workers(count=1, megabytes=1_003, seconds=200.0) as workers:
        read_a_page(workers)
        [kept] = workers._idle
        workers.perform("html", b"<p>a b</p>" * 520_000, largest=10_000_000, latest="2026-01-01")
        assert not workers._idle
        assert not kept.is_ready, "it held hundreds of MB, and would go on holding them"


def test_workers_know_no_keys(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "planted-key")
    with Workers(count=1, megabytes=1_002) as workers:
        read_a_page(workers)
        pid = workers._idle[0]._process.pid
        with open(f"/proc/{pid}/environ", "rb") as environment:
            assert b"planted-key" not in environment.read()


def test_every_readable_ending_is_read(reader, tmp_path):
    for ending, kind in READABLE.items():
        if kind in ("markdown", "text"):
            path = tmp_path / f"x{ending}"
            path.write_text("Some words.")
            assert reader.read_file(path).text == "Some words."


@pytest.mark.parametrize("stem", ["cc6321c72e63", "20230310112233", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"])
def test_a_file_that_a_program_named_is_called_by_how_it_begins(reader, tmp_path, stem):
    path = tmp_path / f"{stem}.md"
    path.write_text("The reefs of the north are steep, and no keeper has lived there since the flood.")
    assert reader.read_file(path).title == "The reefs of the north are steep, and no keeper has lived …"
    assert reader.read_file(path).title != stem
