"""For MkDocs: files of the repository's top are pages too, and links lead to pages or are shown as words."""

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
ADDED = {"README.md": "index.md", "SECURITY.md": "SECURITY.md", "CHANGELOG.md": "CHANGELOG.md"}
_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
_PICTURE = re.compile(r"(!\[[^\]\n]*\]\()docs/")


def on_files(files: Files, config: Any) -> Files:
    """Add the files of the top, and list the decisions after the pages that the settings name."""
    for name, page in ADDED.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    config.nav.append({"Decisions": [f"decisions/{path.name}" for path in decisions]})
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:  # noqa: ARG001
    """Turn links as they are in the repository into links of the site."""
    source = page.file.src_uri
    here = "" if source in ADDED.values() else dirname(join("docs", source))
    pages = {page.src_uri for page in files.documentation_pages()}

    def link(found: re.Match[str]) -> str:
        target = normpath(join(here, found[2]))
        uri = ADDED.get(target) or target.removeprefix("docs/")
        if uri not in pages:
            return found[1]  # a file of the repository that is no page
        return f"[{found[1]}]({relpath(uri, dirname(source) or '.')}{found[3] or ''})"

    return _PICTURE.sub(r"\1", _LINK.sub(link, markdown))
