"""DeepResearch Bench: the JSON line that its scripts read, with numbered references."""

import json

from library import Evidence, shown_address
from reports.cite.source_names import source_name
from reports.cite.source_numbering import bibliography
from reports.document import Report
from reports.plan.layout import paragraphs
from reports.report_phrases import phrases_for
from reports.visible_text import plain, web_address


def report_drb(report: Report, evidence: Evidence, number: int | str = 1) -> str:
    """Return the report as one line: `id`, `prompt` (the topic as asked), `article`."""
    sources, words = bibliography(report, evidence), phrases_for(report.language)
    parts = [f"# {plain(report.title)}"]
    for section in report.sections:
        parts.append(f"{'#' * (section.level + 1)} {plain(section.heading)}")
        for group in paragraphs(section.sentences):
            told = []
            for sentence in group:
                marks = "".join(
                    f"[{entry.number}]" for entry, _passages in sources.grouped(sentence.citations)
                )
                told.append(f"{plain(sentence.text)}{marks}")
            parts.append(" ".join(told))
    references = []
    for entry in sources.entries:
        address = web_address(entry.source.url) or plain(shown_address(entry.source.url))
        name = source_name(entry.source.title, entry.source.url, entry.source.text)
        references.append(f"[{entry.number}] {name}. {address}")
    parts += [f"## {words.bibliography}", "\n".join(references)] if references else []
    line = {"id": number, "prompt": plain(report.topic), "article": "\n\n".join(parts)}
    return json.dumps(line, ensure_ascii=False) + "\n"
