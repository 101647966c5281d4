"""A text with what was found written into it: in Markdown, and as one self-contained page.

The text is shown as it was read, block by block; behind each claim stands a mark that leads to what was found
of it. What strangers wrote is escaped: it shows and does nothing.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import pairwise

from library.passages import Block, Form, blocks
from library.text import code_span, code_spans
from reports.audit.audit_findings import Audit, ClaimFinding, FoundPassage, ReferenceFinding
from reports.audit.phrases import AuditPhrases, audit_phrases
from reports.export.document_blocks import between
from reports.export.html import text as html_text
from reports.export.markdown import escape
from reports.visible_text import plain, web_address

MARKS = {
    "supported": "✓", "partial": "◐", "elsewhere": "◑", "contradicted": "✗", "near": "≈", "not_found": "✗",
    "unread": "?", "uncited": "·",
}  # fmt: skip
"""Behind each claim, by its verdict."""
_QUOTED = 600
"""Characters of a passage that are shown."""


@dataclass(frozen=True, slots=True)
class AnnotatedBlock:
    """A block of the text."""

    form: Form
    level: int
    """Of a heading; 0 for others."""
    number: str
    """Of a step, as it is written (`3.`); empty for others."""
    pieces: Sequence[tuple[str, ClaimFinding | None]]
    """Its text in pieces, each with the claim that it is."""


def annotated(
    text: str, claims: Sequence[ClaimFinding], references: Sequence[ReferenceFinding] = ()
) -> Iterator[AnnotatedBlock]:
    """Yield the blocks of a text, cut where its claims begin and end, and at the lines of its references."""
    waiting = sorted(claims, key=lambda claim: claim.start)
    lines = [text.rfind("\n", 0, one.start) + 1 for one in references]
    for block in _cut(blocks(text), lines):
        inside = [claim for claim in waiting if block.start <= claim.start < block.end]
        pieces: list[tuple[str, ClaimFinding | None]] = []
        at = block.start
        for claim in inside:
            end = min(claim.end, block.end)
            pieces += [(text[at : claim.start], None), (text[claim.start : end], claim)]
            at = end
        pieces.append((text[at : block.end], None))
        line = text.rfind("\n", 0, block.start) + 1
        mark = text[line : block.start]
        level = mark.count("#") if block.form == "heading" else 0
        number = mark.strip() if block.form == "step" else ""
        told = [piece for piece in pieces if piece[0].strip() or piece[1]]
        yield AnnotatedBlock(block.form, level, number, told)


def _cut(whole: Sequence[Block], places: Sequence[int]) -> Iterator[Block]:
    """Yield blocks, those that places lie in cut there: lines of a list would run into one."""
    for block in whole:
        cuts = sorted({place for place in places if block.start < place < block.end})
        for start, end in pairwise([block.start, *cuts, block.end]):
            yield replace(block, start=start, end=end)


def audit_markdown(audit: Audit, text: str) -> str:
    """Return the annotated copy as Markdown: what to look at, then the text, then all that was found."""
    words = audit_phrases(audit.language)
    parts = [f"# {escape(words.title.format(file=audit.file))}", " ".join(map(escape, words.summary(audit)))]
    parts.append(f"## {words.look}")
    faulty = [_reference_line(one, words) for one in audit.references if one.faulty]
    faulty += [f"- {escape(line)}" for line in filter(None, [words.unlisted(audit)])]
    faulty += [_claim_lines(one, words) for one in audit.claims_to_read]
    parts.append("\n\n".join(faulty) if faulty else words.nothing)
    parts.append(f"## {words.copy}")
    parts += [_block_markdown(block) for block in annotated(text, audit.claims, audit.references)]
    if audit.references:
        parts += [
            f"## {words.references}",
            *(_reference_line(one, words, anchor=True) for one in audit.references),
        ]
    parts += [f"## {words.claims}", *(_claim_lines(one, words, anchor=True) for one in audit.claims)]
    if audit.notices:
        told = "\n".join(f"- {escape(words.reason(notice))}" for notice in audit.notices)
        parts += [f"## {words.notices}", told]
    return "\n\n".join(parts) + "\n"


def _block_markdown(block: AnnotatedBlock) -> str:
    told = "".join(_piece_markdown(piece, claim) for piece, claim in block.pieces).rstrip()
    match block.form:
        case "heading":
            return f"{'#' * min(block.level + 2, 6)} {told}"
        case "step":
            return f"{block.number} {told}"
        case "point":
            return f"- {told}"
        case "code":
            return "\n".join(f"    {line}" for line in "".join(p for p, _ in block.pieces).splitlines())
        case _:
            return told


def _escaped(text: str) -> str:
    """Return text as Markdown that shows it; code stands as code, where escapes would show."""
    pieces = code_spans(text)
    return "".join(code_span(plain(part)) if code else between(part, escape(part)) for part, code in pieces)


def _piece_markdown(piece: str, claim: ClaimFinding | None) -> str:
    gap = " " if piece[:1].isspace() else ""
    told = f"{gap}{_escaped(piece)}"
    if claim is None:
        return f"{told} " if piece[-1:].isspace() else told
    mark = MARKS[claim.verdict]
    shown = f"**{told.strip()}**" if claim.faulty else told.strip()
    return f"{gap}{shown} [{mark}{claim.n}](#claim-{claim.n}) "


def _reference_line(finding: ReferenceFinding, words: AuditPhrases, *, anchor: bool = False) -> str:
    name = f'<a id="reference-{_slug(finding.key)}"></a>' if anchor else ""
    lines = [f"{name}**{_key(finding)}** {_escaped(finding.text)} — **{escape(words.reference(finding))}**"]
    lines += [f"  - {escape(words.reason(reason))}" for reason in finding.reasons]
    if finding.work is not None and finding.verdict == "found" and finding.work.title:
        lines.append(f"  - {escape(_described(finding, words))}")
    return "- " + "\n".join(lines)


def _key(finding: ReferenceFinding) -> str:
    return "↗" if finding.key.startswith("http") else escape(f"[{finding.key}]")


def _described(finding: ReferenceFinding, words: AuditPhrases) -> str:
    work = finding.work
    assert work is not None
    years = "/".join(map(str, work.years))
    doi = work.doi and f"doi:{work.doi}"
    parts = [work.title, ", ".join(work.authors[:3]), years, doi, words.told_by(work)]
    return " · ".join(part for part in parts if part)


def _claim_lines(claim: ClaimFinding, words: AuditPhrases, *, anchor: bool = False) -> str:
    name = f'<a id="claim-{claim.n}"></a>' if anchor else ""
    verdict = f"{MARKS[claim.verdict]} {words.claim(claim)}{words.judged(claim)}"
    cited = "".join(f"[{key}]" for key in claim.references if not key.startswith("http"))
    lines = [f"{name}{claim.n}\\. {_escaped(claim.text)} {escape(cited)} — **{escape(verdict)}**"]
    if claim.reason:
        lines.append(f"  - {_escaped(words.reason(claim.reason))}")
    if claim.passage is not None:
        said = f"“{_escaped(_quoted(claim.passage))}” — {escape(_whence(claim.passage, words))}"
        lines.append(f"  - {words.lead(claim)}{said}")
    if claim.against is not None:
        said = f"“{_escaped(_quoted(claim.against))}” — {escape(_whence(claim.against, words))}"
        lines.append(f"  - {words.against}{words.colon}{said}")
    return "- " + "\n".join(lines)


def _quoted(passage: FoundPassage) -> str:
    told = " ".join((passage.quote or passage.text).split())
    return told if len(told) <= _QUOTED else f"{told[:_QUOTED].rsplit(' ', 1)[0]} …"


def _whence(passage: FoundPassage, words: AuditPhrases) -> str:
    key = f"[{passage.reference}] " if passage.reference and not passage.reference.startswith("http") else ""
    page = f", {words.page.format(page=passage.page)}" if passage.page is not None else ""
    under = f", {passage.heading}" if passage.heading not in ("", passage.title) else ""
    return f"{key}{passage.title}{under}{page}"


def _slug(key: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in key)[:60]


def audit_html(audit: Audit, text: str) -> str:
    """Return the annotated copy as one HTML file: no script, nothing remote."""
    words = audit_phrases(audit.language)
    style = files("reports.audit").joinpath("audit.css").read_text(encoding="utf-8")
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    title = html_text(words.title.format(file=audit.file))
    faulty = [_reference_html(one, words) for one in audit.references if one.faulty]
    faulty += [f"<li>{html_text(line)}</li>" for line in filter(None, [words.unlisted(audit)])]
    faulty += [_claim_html(one, words) for one in audit.claims_to_read]
    look = f"<ul>{''.join(faulty)}</ul>" if faulty else f"<p>{html_text(words.nothing)}</p>"
    references = "".join(_reference_html(one, words, anchor=True) for one in audit.references)
    claims = "".join(_claim_html(one, words, anchor=True) for one in audit.claims)
    notices = "".join(f"<li>{html_text(words.reason(notice))}</li>" for notice in audit.notices)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{html_text(audit.language)}">',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta name="referrer" content="no-referrer"><title>{title}</title>',
            f"<style>{style}</style></head>",
            f'<body><main><h1 dir="auto">{title}</h1>',
            *(f'<p dir="auto">{html_text(line)}</p>' for line in words.summary(audit)),
            f'<section class="look"><h2>{html_text(words.look)}</h2>{look}</section>',
            f"<section><h2>{html_text(words.copy)}</h2>",
            *(_block_html(block, words) for block in annotated(text, audit.claims, audit.references)),
            "</section>",
            f"<section><h2>{html_text(words.references)}</h2><ul>{references}</ul></section>"
            if references
            else "",
            f"<section><h2>{html_text(words.claims)}</h2><ul>{claims}</ul></section>",
            f"<section><h2>{html_text(words.notices)}</h2><ul>{notices}</ul></section>" if notices else "",
            "</main></body></html>",
            "",
        ]
    )


def _block_html(block: AnnotatedBlock, words: AuditPhrases) -> str:
    told = "".join(_piece_html(piece, claim, words) for piece, claim in block.pieces)
    match block.form:
        case "heading":
            rank = min(block.level + 2, 6)
            return f'<h{rank} dir="auto">{told}</h{rank}>'
        case "step":
            return f'<p class="step" dir="auto">{html_text(block.number)} {told}</p>'
        case "point":
            return f'<ul><li dir="auto">{told}</li></ul>'
        case "code":
            return f"<pre>{''.join(html_lines(piece) for piece, _ in block.pieces)}</pre>"
        case _:
            return f'<p dir="auto">{told}</p>'


def html_lines(code: str) -> str:
    """Return code as HTML text, its line ends kept."""
    return "\n".join(" " * (len(line) - len(line.lstrip())) + html_text(line) for line in code.splitlines())


def _piece_html(piece: str, claim: ClaimFinding | None, words: AuditPhrases) -> str:
    before, behind = (" " if part.isspace() else "" for part in (piece[:1], piece[-1:]))
    told = f"{before}{html_text(piece)}{behind}"
    if claim is None:
        return told
    faulty = " faulty" if claim.faulty else ""
    # The tooltip says the verdict; what it rests on stands below, where it can be read at leisure.
    return (
        f'<span class="claim {claim.verdict}{faulty}" title="{html_text(words.claim(claim))}">{told}</span>'
        f'<a class="mark {claim.verdict}" href="#claim-{claim.n}">{MARKS[claim.verdict]}{claim.n}</a> '
    )


def _reference_html(finding: ReferenceFinding, words: AuditPhrases, *, anchor: bool = False) -> str:
    name = f' id="reference-{html_text(_slug(finding.key))}"' if anchor else ""
    key = "↗" if finding.key.startswith("http") else html_text(f"[{finding.key}]")
    kind = "bad" if finding.faulty else "doubt" if finding.verdict == "unchecked" else "good"
    lines = "".join(f"<p>{html_text(words.reason(reason))}</p>" for reason in finding.reasons)
    if finding.work is not None and finding.work.title:
        told = html_text(_described(finding, words))
        address = web_address(finding.work.url)
        lines += f'<p class="work">{_linked(told, address)}</p>'
    verdict = html_text(words.reference(finding))
    told = html_text(finding.text)
    return f'<li{name} dir="auto"><b>{key}</b> {told} <em class="{kind}">{verdict}</em>{lines}</li>'


def _claim_html(claim: ClaimFinding, words: AuditPhrases, *, anchor: bool = False) -> str:
    name = f' id="claim-{claim.n}"' if anchor else ""
    kind = "bad" if claim.faulty else "good" if claim.verdict == "supported" else "doubt"
    verdict = html_text(f"{MARKS[claim.verdict]} {words.claim(claim)}{words.judged(claim)}")
    lines = f"<p>{html_text(words.reason(claim.reason))}</p>" if claim.reason else ""
    against = f"{words.against}{words.colon}"
    for passage, lead in ((claim.passage, words.lead(claim)), (claim.against, against)):
        if passage is not None:
            whence = _linked(html_text(_whence(passage, words)), web_address(passage.url))
            said = html_text(f"{lead}{_quoted(passage)}")
            lines += f"<blockquote>{said}<footer>{whence}</footer></blockquote>"
    told = html_text(claim.text)
    return f'<li{name} dir="auto"><b>{claim.n}.</b> {told} <em class="{kind}">{verdict}</em>{lines}</li>'


def _linked(told: str, address: str | None) -> str:
    return f'<a href="{html_text(address)}" rel="noreferrer noopener">{told}</a>' if address else told
