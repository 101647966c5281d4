"""Looking at the page: what axe-core finds, and where screenshots are kept."""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
AXE = ROOT / "roundtable" / "web" / "page" / "node_modules" / "axe-core" / "axe.min.js"
OUTPUT = ROOT / "tests" / "output"


def accessible(page: Any) -> None:
    """Ask axe-core, which finds what WCAG AA forbids."""
    if not AXE.exists():
        pytest.skip("needs axe-core: npm ci --ignore-scripts in roundtable/web/page")
    # Through the debugger: the page's own policy lets no script in.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text() + "; undefined")
    # A view that is not looked at is asked about when it is.
    found = page.evaluate(
        "axe.run({exclude: ['.view[inert]']}, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})"
    )
    bad = [v for v in found["violations"] if v["impact"] in {"serious", "critical"}]
    told = [(v["id"], [n["html"][:160] + n["failureSummary"] for n in v["nodes"][:3]]) for v in bad]
    assert not bad, json.dumps(told, indent=1)
