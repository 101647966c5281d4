"""Run the benchmarks and write what they measured to docs/performance.md.

    python -m benchmarks [PART ...]      all of them, or: start, session, growth, documents, many, server,
                                         page, mindmap, exports, journals, placement, checker, evidence;
                                         cluster is measured only when it is named
    python -m benchmarks --render        write the page again from the figures that there are

The figures are kept in docs/performance.json, a part at a time. `placement`, `checker` and `evidence` need
the FreshWiki data set, in the folder that ROUNDTABLE_FRESHWIKI names; `start` installs the program afresh,
which needs the network. `cluster` needs PostgreSQL and Ray, and takes half an hour.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.performance import FROM, TABLES, draw, rendered

_ROOT = Path(__file__).resolve().parent.parent
_PAGE = _ROOT / "docs" / "performance.md"
_FIGURES = _ROOT / "docs" / "performance.json"
_IMAGES = _ROOT / "docs" / "images"
_MEASURED = (*(TABLES.keys() - FROM.keys()), "mindmap")
"""Parts that write their figures to a file."""
_WITH_DATA = ("placement", "checker", "evidence")
_NAMED = ("cluster",)
"""Parts that take long, and need servers: measured only when they are named."""
FLOORS = {
    **dict.fromkeys(("start", "session", "growth", "documents"), "speed"),
    **dict.fromkeys(("many", "server", *_NAMED), "load"),
    **dict.fromkeys(("page", "mindmap", "exports", "journals"), "speed"),
    **dict.fromkeys(_WITH_DATA, "quality"),
}
"""The folder in which each part stands, in the order in which they are measured."""


def command(part: str, data: str, figures: Path) -> list[str]:
    """Return the command that measures a part."""
    line = [sys.executable, "-m", f"benchmarks.{FLOORS[part]}.{part}"]
    if part in _WITH_DATA:
        line.append(data)
    if part == "start":
        line.append("--install")
    if part == "documents" and data:
        line += ["--folder", str(Path(data) / "pages")]
    return [*line, "--json", str(figures)] if part in _MEASURED else line


def measure(part: str, data: str) -> Any:
    """Measure a part; return its figures, None for one that only prints."""
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        subprocess.run(command(part, data, figures), cwd=_ROOT, check=True)
        return json.loads(figures.read_text()) if figures.exists() else None


def write(figures: Mapping[str, Any]) -> None:
    """Write the figures, the page's tables and the plots."""
    _FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    _PAGE.write_text(rendered(_PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")
    draw(figures, _IMAGES)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[[], *FLOORS], metavar="PART")
    parser.add_argument("--render", action="store_true", help="measure nothing")
    given = parser.parse_args()
    data = os.environ.get("ROUNDTABLE_FRESHWIKI", "")
    figures = json.loads(_FIGURES.read_text(encoding="utf-8")) if _FIGURES.exists() else {}
    for part in [] if given.render else given.parts or [part for part in FLOORS if part not in _NAMED]:
        if part in _WITH_DATA and not data:
            print(f"== {part}: left out, ROUNDTABLE_FRESHWIKI names no folder", flush=True)
            continue
        print(f"== {part}", flush=True)
        found = measure(part, data)
        if found is not None:
            figures[part] = found
            write(figures)
    write(figures)


if __name__ == "__main__":
    main()
