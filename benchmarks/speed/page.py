"""The page on a session of 500 turns and 2,000 nodes: how soon it is there, how soon one more node is.

    python -m benchmarks.speed.page [--turns 500] [--nodes 2000] [--chromium /usr/bin/chromium]

Needs playwright and a Chromium. The session is journalled through the real events; the server and the browser
are real. "There" is: every event folded, discussion and map drawn, one frame shown after it. One more node:
from its event's arrival in the page to the frame that shows it.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
ADDED = 15

THERE = """(last) => new Promise((done) => {
  const look = () => document.querySelector(`.session[data-last="${last}"] [role=treeitem]`)
    ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look);
  look();
})"""
ARRIVAL = """window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    this.addEventListener("events", () => { window.arrived = performance.now(); });
  }
}"""
"""Notes when news comes in, ahead of the page's own listeners."""
ADD = """async ([body, last]) => {
  const shown = new Promise((done) => {
    const look = () => document.querySelector(`.session[data-last="${last}"]`)
      ? requestAnimationFrame(() => done(performance.now() - window.arrived)) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  });
  await fetch("/api/sessions/crowd/commands", {method: "POST", body: JSON.stringify(body),
    headers: {"Content-Type": "application/json"}});
  return shown;
}"""


def look(page: Any, base: str, invitation: str, last: int) -> dict[str, float]:
    """Open the session, then add nodes to it; return what was measured, in milliseconds."""
    page.add_init_script(ARRIVAL)
    page.goto(invitation)
    page.goto("about:blank")
    page.goto(f"{base}/#/session/crowd")
    there = page.evaluate(THERE, last)
    counted = {
        "elements": page.evaluate("document.querySelectorAll('*').length"),
        "nodes drawn": page.locator("[role=treeitem]").count(),
        "turns drawn": page.locator(".turn").count(),
    }
    added = []
    for number in range(ADDED):
        body = {"command": "map_add", "parent": "n0", "title": f"One more {number}"}
        added.append(page.evaluate(ADD, [body, last + number + 1]))
    return {"there": there, "added": statistics.median(added), "slowest": max(added), **counted}


def measure(turns: int, nodes: int, chromium: str) -> dict[str, float]:
    """Serve such a session and look at it."""
    from playwright.sync_api import sync_playwright

    from roundtable.journal.clock import SystemClock
    from roundtable.journal.storage.journal_store import Journal
    from tests.web.crowd import build

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        identity = build(home, turns=turns, nodes=nodes)
        with Journal(home / "journal.db", SystemClock()) as journal:
            last = len(journal.texts(identity))
        command = [sys.executable, "-m", "roundtable", "serve", "--port", "0"]
        environment = {"ROUNDTABLE_HOME": folder, "PATH": "/usr/bin:/bin", "HOME": folder}
        with subprocess.Popen(
            command, cwd=_ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            try:
                with sync_playwright() as started:
                    browser = started.chromium.launch(executable_path=chromium, args=FLAGS)
                    page = browser.new_page(viewport={"width": 1400, "height": 900})
                    return look(page, url.partition("/?")[0], url, last)
            finally:
                server.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    given = parser.parse_args()
    if find_spec("playwright") is None or not Path(given.chromium).exists():
        print("not measured: needs playwright and Chromium")
        return
    found = measure(given.turns, given.nodes, given.chromium)
    for name, value in found.items():
        print(f"{name}: {value:.0f}" + (" ms" if name in {"there", "added", "slowest"} else ""))


if __name__ == "__main__":
    main()
