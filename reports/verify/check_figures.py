"""Do a report's tables and charts hold what the passages say that they name? Without a model; pure."""

import re
from collections.abc import Iterator

from library import Evidence
from library.claims import missing_figures
from reports.document import Report, Table
from reports.tables.charts import refusal
from reports.visible_text import host, plain


def faults_in_figures(report: Report, evidence: Evidence) -> list[tuple[str, str]]:
    """Return (heading, what is wrong) for each table and chart with something that no passage holds."""
    found = []
    for section in report.sections:
        for table in section.tables:
            found += [(section.heading, f"{table.title}: {fault}") for fault in _faults(table, evidence)]
        for chart in section.charts:
            if (fault := refusal(chart, evidence)) is not None:
                found.append((section.heading, f"{chart.title}: {fault}"))
    return found


def _faults(table: Table, evidence: Evidence) -> Iterator[str]:
    for row in table.rows:
        ids = [i for cell in row for i in cell.citations]
        if unknown := [i for i in ids if i not in evidence.passages]:
            yield f"cites what the session does not hold: {', '.join(unknown)}"
            continue
        passages = [evidence.passages[i] for i in ids]
        around = [part for p in passages for part in (p.title, p.published or "", host(p.url)) if part]
        texts = [p.text for p in passages]
        whole = " ".join(" ".join(texts).split())
        told = [plain(cell.text).strip("“”") for cell in row]
        # What stands there as it is needs no reading.
        missing = [
            f for words in told if not _stands(words, whole) for f in missing_figures(words, texts, around)
        ]
        if missing:
            yield f"not in the passages: {', '.join(missing)}"


def _stands(words: str, text: str) -> bool:
    """Tell whether words stand in a text as they are, and no figure goes on where they end."""
    bounds = (r"(?<![\d.,])", r"(?![.,]?\d)")
    return bool(words) and re.search(bounds[0] + re.escape(words) + bounds[1], text) is not None
