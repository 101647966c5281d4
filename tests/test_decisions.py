"""Decisions are known by their numbers: each is one decision, and links between documents lead somewhere."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def test_each_decision_has_a_number_of_its_own() -> None:
    numbers = sorted(int(path.name[:4]) for path in (DOCS / "decisions").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))


def test_links_between_documents_lead_somewhere() -> None:
    for path in [*DOCS.rglob("*.md"), ROOT / "README.md"]:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), (path.name, target)
