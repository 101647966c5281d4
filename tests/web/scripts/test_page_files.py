"""The page's files: pinned, licensed, small, and with nothing in them that the policy forbids."""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[3] / "roundtable" / "web" / "static"
PAGE = STATIC.parent / "page"
OWN = sorted(path for path in STATIC.rglob("*.js") if path.name != "vendor.js")


def test_what_is_vendored_is_what_was_built() -> None:
    for line in (STATIC / "vendor.sha256").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == digest, name
    licences = (STATIC / "vendor.LICENSES.txt").read_text()
    packages = json.loads((PAGE / "package.json").read_text())["dependencies"]
    for name, version in packages.items():
        assert f"{name} {version}\n" in licences
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), "pinned exactly"
    locked = json.loads((PAGE / "package-lock.json").read_text())["packages"]
    assert all("integrity" in entry for name, entry in locked.items() if name)


@pytest.mark.skipif(
    shutil.which("node") is None or not (PAGE / "node_modules").exists(),
    reason="needs the page's tools: npm ci --ignore-scripts in roundtable/web/page",
)
def test_the_bundle_is_built_from_its_sources_byte_for_byte(tmp_path: Path) -> None:
    [tool] = (PAGE / "node_modules" / "@esbuild").glob("*/bin/esbuild")
    built = tmp_path / "vendor.js"
    script = (PAGE / "build.sh").read_text()
    flags = re.findall(
        r"--(?!check|ignore|no-|silent|outfile)[\w-]+(?:=[\w.]+)?", script.partition("esbuild vendor.js")[2]
    )
    assert "--bundle" in flags
    subprocess.run(
        [tool, "vendor.js", *dict.fromkeys(flags), f"--outfile={built}"], cwd=PAGE, check=True, timeout=300
    )
    assert built.read_bytes() == (STATIC / "vendor.js").read_bytes()


def test_the_whole_page_is_under_80_kilobytes() -> None:
    """It was 72 before a session could be begun on the page with all that a run can be given.

    What came with it: documents that are dragged in and collections, a budget, a plan, and what
    leaves this machine. A kilobyte more leads to audits and comparisons, which are fetched when they are
    looked at; another sets quotations as they stand in their source: lists in lists, terms, what is left out.
    Two more came with sites as collections and with sources that have one number on the page and in files.
    The table's view, the plan, the passage under the pointer and what the menu of exports holds come later.
    """
    sent = [path for path in STATIC.iterdir() if path.suffix in {".js", ".css", ".html", ".svg"}]
    assert sum(len(gzip.compress(path.read_bytes())) for path in sent) < 80_000


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_texts_never_become_markup(path: Path) -> None:
    forbidden = r"(inner|outer|Adjacent|Inner)HTML|document\.write|\beval\(|new Function|srcdoc"
    assert not re.search(forbidden, path.read_text())


@pytest.mark.parametrize("name", ["index.html", "join.html"])
def test_pages_hold_no_script_or_style_of_their_own(name: str) -> None:
    text = (STATIC / name).read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|https?://", text)
