"""What runs inside a worker process: parsers of everything but plain text, fenced in.

Started by `worker_pool.py` as `python -I -c …`, with an environment that holds no keys. Jobs come on standard
input and replies go to standard output, each a JSON header of a stated length, then bytes. Nothing is
unpickled on either side. A worker may only use so much memory and write no files, and it is
ended by an alarm when a job runs over its time, or none comes for long, even when the program that started it
is gone.
"""

import contextlib
import json
import os
import resource
import signal
import struct
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, Any

HEADER = struct.Struct(">II")
"""Bytes of the JSON header, bytes of the data after it."""
LONGEST_REST = 120
"""Seconds after which a worker without a job is given no more, and ends soon."""
OWN = "own"
"""The kind of a job that names its own function, as floors above have it: no file is parsed."""
_GRACE = 30
"""Seconds between the two, so that none ends with a job on its way."""
_LARGE = 250_000_000
"""Bytes of memory after which a worker is not used again: it keeps what it grew to. Large pages take half."""


def main(root: str, megabytes: int) -> None:
    """Do jobs until there are no more."""
    sys.path.insert(0, root)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a parser prints must not get into the replies
    jobs = sys.stdin.buffer
    fence(megabytes)
    signal.alarm(LONGEST_REST + _GRACE)
    while (job := receive(jobs)) is not None:
        header, data = job
        signal.alarm(int(header["seconds"]) + 2)
        reply = perform(header, data) | ({"grown": True} if _held() > _LARGE else {})
        signal.alarm(LONGEST_REST + _GRACE)
        send(replies, reply, b"")


def _held() -> int:
    """Return the most bytes of memory that this process has held.

    On Linux of this program alone: what `getrusage` tells begins with what the process that started it held.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def fence(megabytes: int) -> None:
    """Bound this process: memory, no new files, no core dumps."""
    memory = megabytes * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def perform(header: dict[str, Any], data: bytes) -> dict[str, Any]:
    """Do one job; whatever goes wrong with it becomes its reply, `broken` where nobody foresaw it."""
    from library.errors import ReadError

    try:
        return {"read": _read(header, data)}
    except ReadError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "reading it takes more memory than it may (read.worker_megabytes)", "broken": True}
    except RecursionError:
        return {"error": "it is nested too deeply", "broken": True}
    except Exception as error:  # noqa: BLE001 - a stranger's file may break a parser in any way
        said = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
        return {"error": f"the parser failed on it ({said})", "broken": True}


_READERS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "html": ("html.html_reader", "read_html", ("charset", "largest", "latest", "links")),
    "page links": ("site.page_links", "read_links", ("charset", "url", "largest")),
    "sitemap": ("site.page_links", "read_sitemap", ("largest",)),
    "pdf": ("pdf.pdf_reader", "read_pdf", ("most_pages", "largest", "seen_pages", "seen_figures")),
    "pdf pages": ("pictures.picture_reader", "draw_pages", ("pages",)),
    "pdf figures": ("pictures.picture_reader", "draw_figures", ("figures",)),
    "picture": ("pictures.picture_reader", "read_picture", ()),
    "docx": ("office.docx_reader", "read_docx", ("largest", "links")),
    "table": ("office.sheet_reader", "read_delimited", ("charset", "largest")),
    "sheets": ("office.sheet_reader", "read_workbook", ("largest",)),
    "slides": ("office.slides_reader", "read_slides", ("largest",)),
    "odt": ("office.odt_reader", "read_odt", ("largest",)),
    "epub": ("office.epub_reader", "read_epub", ("largest", "largest_page")),
    "mail": ("office.mail_reader", "read_mail", ("largest_page",)),
    "notebook": ("office.notebook_reader", "read_notebook", ("largest",)),
    "code": ("text_files.source_code", "read_program", ("language",)),
    "man": ("man_pages.man_reader", "read_man", ("charset", "largest")),
    "subtitles": ("text_files.subtitles", "read_subtitles", ("charset", "largest")),
}
"""For each kind of file its module, its function, and what it takes after the data (else None)."""


def _read(header: dict[str, Any], data: bytes) -> dict[str, Any]:
    if header["kind"] == OWN:
        module, _, function = header["job"].partition(":")
        made: dict[str, Any] = getattr(import_module(module), function)(data, **header["options"])
        return made
    module, function, names = _READERS[header["kind"]]
    read = getattr(import_module(f"library.readers.{module}"), function)
    found: dict[str, Any] = read(data, *(header.get(name) for name in names))
    return found


def send(stream: IO[bytes], header: dict[str, Any], data: bytes) -> None:
    """Write one message."""
    written = json.dumps(header).encode()
    stream.write(HEADER.pack(len(written), len(data)) + written + data)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Read one message; None at the end of the stream, also when it ends in the middle of one."""
    start = stream.read(HEADER.size)
    if len(start) < HEADER.size:
        return None
    header_size, data_size = HEADER.unpack(start)
    header, data = stream.read(header_size), stream.read(data_size)
    if len(header) < header_size or len(data) < data_size:
        return None
    return json.loads(header), data
