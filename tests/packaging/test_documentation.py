"""What the documentation says can be typed is typed: commands with flags that exist, examples that run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urldefrag

import click
import html5lib
import pytest

from roundtable.cli.group import command
from tests.command_process import run_command

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "skills" / "roundtable" / "SKILL.md",
]
_FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"^(?: {4}[^\n]*\n?)+", re.MULTILINE)


def typed(page: Path) -> list[list[str]]:
    """Return what a page has people type after `roundtable`, as arguments."""
    text = page.read_text(encoding="utf-8")
    blocks = [found[1] for found in _FENCED.finditer(text)]
    blocks += [found[0] for found in _INDENTED.finditer(_FENCED.sub("", text))]
    lines = (line.strip().removeprefix("$ ") for block in blocks for line in block.split("\n"))
    return [
        shlex.split(re.sub(r"\s{2,}#.*|\s#\s.*", "", line))[1:]
        for line in lines
        if re.match(r"roundtable (?!\||\[)[a-z-]", line)
    ]


def test_every_command_that_is_written_down_exists_with_its_flags():
    count = 0
    for page in PAGES:
        for arguments in typed(page):
            count += 1
            called = command
            context = click.Context(command, info_name="roundtable")
            rest = arguments
            while isinstance(called, click.Group) and rest and not rest[0].startswith("-"):
                found = called.get_command(context, rest[0])
                assert found is not None, (page.name, arguments)
                context = click.Context(found, context, info_name=rest[0])
                called, rest = found, rest[1:]
            known = {name for each in called.params for name in (*each.opts, *each.secondary_opts)} | {
                "--help"
            }
            flags = {part.partition("=")[0] for part in rest if part.startswith("--")}
            assert flags <= known, (page.name, arguments, flags - known)
    assert count > 50


@pytest.mark.slow
def test_the_readme_s_first_commands_run_in_their_order(
    tmp_path: Path, python_indexed: Callable[[Path], Path]
):
    first = ["run", "How does Python's with statement work?", "--docs", "python", "--offline"]
    assert first in typed(ROOT / "README.md")
    after = [a for a in typed(ROOT / "README.md") if a[:1] and a[0] in
             {"list", "show", "replay", "fork", "rename", "export", "check", "report", "import"}]  # fmt: skip
    assert len(after) > 10
    environment = {k: v for k, v in os.environ.items() if not k.endswith(("_KEY", "_URL"))}
    # `test_installing` reads the documentation anew.
    environment |= {"ROUNDTABLE_HOME": str(python_indexed(tmp_path / "home")), "HOME": str(tmp_path)}
    environment |= {"ROUNDTABLE_MODERATOR__TURNS": "7", "ROUNDTABLE_MODELS__MODEL": "embedded"}
    environment["PYTHONPATH"] = str(ROOT)
    for arguments in [first, *after]:
        if {"--online", "import", "S.zip"} & set(arguments) or "ID" in arguments or "--style" in arguments:
            continue  # of the web, of files that are not here, or as long as a run
        given = [tmp_path / "Vault" if part == "~/Vault" else part for part in arguments]
        given = [tmp_path / "DIR" if part == "DIR" else part for part in given]
        if "--zotero" in given or "ZOTERO" in given:
            continue  # it does not run here
        done = run_command(*given, cwd=tmp_path, env=environment, timeout=300)
        assert done.returncode == 0, (given, done.stdout[-500:], done.stderr)


@pytest.mark.slow
def test_the_readme_s_python_runs(tmp_path: Path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [program] = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "rain.md").write_text(
        "# Rain\n\nCities flood because asphalt holds no rain.\n" * 3
    )
    body = "\n".join(f"    {line}" for line in program.split("\n"))
    script = tmp_path / "example.py"
    script.write_text(
        f"import asyncio\n\nasync def main():\n{body}\n    print(report.title)\n\nasyncio.run(main())\n"
    )
    environment = {k: v for k, v in os.environ.items() if not k.endswith(("_KEY", "_URL"))}
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
        env={**environment, "ROUNDTABLE_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\d+ session_ended$", done.stdout, re.MULTILINE)
    assert done.stdout.splitlines()[-1].startswith("Why do cities flood")


def test_the_man_page_is_as_the_help_texts_are_and_roff_reads_it():
    page = ROOT / "docs" / "man" / "roundtable.1"
    subprocess.run([sys.executable, ROOT / ".ci" / "man_page.py", "--check"], cwd=ROOT, check=True,
                   env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip
    reader = ["mandoc", "-Tlint", "-Wwarning"] if shutil.which("mandoc") else ["man", "--warnings", "-l"]
    if shutil.which(reader[0]) is None:
        pytest.skip("neither mandoc nor man is installed")
    read = subprocess.run([*reader, page], capture_output=True, text=True, check=False,
                          env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})  # fmt: skip
    assert read.returncode == 0
    assert not read.stderr, read.stderr
    if reader[0] == "man":
        assert "roundtable export [OPTIONS] ID" in read.stdout
        assert "--vault FOLDER" in read.stdout


@pytest.mark.slow
def test_the_documentation_is_a_site_whose_links_lead_somewhere(tmp_path: Path):
    pytest.importorskip("mkdocs")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 20
    count = 0
    for page in pages:
        tree = html5lib.parse(page.read_text(encoding="utf-8"), namespaceHTMLElements=False)
        named = [
            element.get("href") or element.get("src")
            for element in tree.iter()
            if element.tag in ("a", "img")
        ]
        for target in filter(None, named):
            path, _anchor = urldefrag(unquote(target))
            if path.startswith(("http:", "https:", "mailto:", "javascript:")) or not path:
                continue
            count += 1
            base = tmp_path / "site" if path.startswith("/") else page.parent
            found = (base / path.lstrip("/")).resolve()
            assert found.exists(), (page.name, target)
    assert count > 300
