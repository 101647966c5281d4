"""`--offline` reaches nothing: watched from inside the process, and in a network that leads nowhere.

One socket is opened and closed at once: urllib3, which a library of ours brings along, binds one to `::1`
when it is imported, to see whether there is IPv6. Nothing is connected to, sent or listened for.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.town import THINGS, TOPIC, article

ROOT = Path(__file__).resolve().parents[2]
GUARD = """
import os, socket, sys

def watch(event, args):
    if event in {"socket.connect", "socket.bind", "socket.sendto"} and isinstance(args[1], tuple):
        if (event, *args[1][:2]) != ("socket.bind", "::1", 0):
            tell(f"{event} {args[1]}")
    elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        tell(f"{event} {args[0]}")

def tell(what):
    with open(os.environ["WATCHED"], "a") as file:
        file.write(what + "\\n")

sys.addaudithook(watch)
"""
"""Put where every Python process of the command runs it at its start, worker processes too."""
RUN = """
import json, sys
from roundtable.__main__ import run

for line in json.loads(sys.argv[1]):
    if run(line):
        sys.exit(f"{line} did not do its work")
    print(line, "did its work", file=sys.stderr)
"""
COMMANDS = (
    ["run", TOPIC, "--docs", "{docs}", "--offline", "--turns", "4", "--plain", "--out", "{out}"],
    ["resume", "last", "--turns", "1"],
    ["export", "last", "--report", "html", "--out", "{out}/report.html"],
    ["check", "{out}"],
)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Documents of several kinds: some are read by worker processes."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for thing in THINGS[:4]:
        (folder / f"{thing}.md").write_text(article(thing))
    paragraphs = "".join(f"<p>{part}</p>" for part in article("weir").split("\n\n"))
    link = '<img src="http://evil.example/x.png"><link rel="stylesheet" href="http://evil.example/x.css">'
    page = f"<html><head>{link}</head><body><h1>The weir</h1>{paragraphs}</body></html>"
    (folder / "weir.html").write_text(page)
    return folder


def no_route() -> list[str]:
    """Return what begins a command in a network that leads nowhere; nothing where none can be made."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return []
    alone = [unshare, "--net"] if os.geteuid() == 0 else [unshare, "--map-root-user", "--net"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        return []
    reach = "import socket; socket.create_connection(('1.1.1.1', 80), 2)"
    assert subprocess.run([*alone, sys.executable, "-c", reach], capture_output=True, check=False).returncode
    return alone


def run_all(documents: Path, tmp_path: Path, *before: str, **environment: str) -> None:
    """Run the commands one after the other in a process of their own; each must do its work."""
    home, out = tmp_path / "rt", tmp_path / "out"
    around = {**os.environ, "ROUNDTABLE_HOME": str(home), "PYTHONPATH": str(ROOT), **environment}
    lines = [[word.format(docs=documents, out=out) for word in words] for words in COMMANDS]
    done = subprocess.run(
        [*before, sys.executable, "-c", RUN, json.dumps(lines)], cwd=ROOT, env=around, capture_output=True,
        text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout[-500:], done.stderr)
    assert done.stderr.count("did its work") == len(COMMANDS)
    assert (
        "weir.html" in (out / "sources.json").read_text() or "The weir" in (out / "sources.json").read_text()
    )
    assert json.loads((out / "report.json").read_text())["sections"]


@pytest.mark.slow
def test_nothing_is_connected_to_looked_up_or_sent_nor_missed(documents: Path, tmp_path: Path) -> None:
    hooks, watched = tmp_path / "hooks", tmp_path / "watched"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(GUARD)
    path = os.pathsep.join([str(hooks), str(ROOT)])
    probe = "import socket; socket.socket(socket.AF_INET).bind(('127.0.0.1', 0))"
    around = {**os.environ, "PYTHONPATH": path, "WATCHED": str(watched)}
    subprocess.run([sys.executable, "-c", probe], env=around, check=True)
    assert watched.read_text(), "the guard sees nothing"
    watched.write_text("")
    # What Python does not see of a library in C finds no route.
    run_all(documents, tmp_path, *no_route(), PYTHONPATH=path, WATCHED=str(watched))
    assert watched.read_text() == ""
