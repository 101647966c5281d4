"""What a browser opens of what is exported, made of hostile texts: nothing runs, nothing is fetched."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from library.evidence import Evidence
from mindmap import AddNode, MindMap, Note, PlacePassage
from mindmap.changes import AddNote
from mindmap.export import FORMATS, export_map
from reports.audit.annotate import audit_html
from reports.audit.audit_findings import Audit, ClaimFinding, FoundPassage, FoundWork, ReferenceFinding
from reports.export.forms import FORMS, export_report
from reports.export.pictures import chart_files
from roundtable.batch.batch_index import BatchRow
from roundtable.batch.summary_page import summary_page
from tests.hostile.exports.report_attacks import ATTACKS, URLS, hostile

CHROMIUM = shutil.which("chromium")
MORE = (
    "</title><svg onload=alert(1)><script>alert(1)</script>",
    "<style>@import 'https://evil.example/x.css';</style>",
    "<base href=https://evil.example/><form action=https://evil.example/><input autofocus onfocus=alert(1)>",
    "<foreignObject><iframe src=javascript:alert(1)></iframe></foreignObject>",
    "${alert(1)} {{alert(1)}} \\u003cscript>",
    "--><script>alert(1)</script><!--",
    "]]><script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>",
    "<?xml-stylesheet href='https://evil.example/x.xsl' type='text/xsl'?>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
)
"""For what maps, audits and lists are printed as."""
OPENED = {".html", ".svg", ".graphml", ".opml", ".mm", ".xml", ".json", ".md", ".txt", ".csv"}


def _map(evidence: Evidence) -> MindMap:
    tree = MindMap(MORE[0])
    for n, attack in enumerate([*ATTACKS, *MORE], 1):
        tree.apply(AddNode(id=f"n{n}", title=attack, parent="n0" if n % 3 else f"n{n - 1}"))
        note = Note(turn=n, speaker="ann", question=attack, answer=f"{attack} [p1]")
        tree.apply(AddNote(node=f"n{n}", note=note))
    for n, passage in enumerate(evidence.passages, 1):
        tree.apply(PlacePassage(passage=passage, node=f"n{n}"))
    return tree


def _audit() -> tuple[Audit, str]:
    told = [*ATTACKS, *MORE]
    text = "\n\n".join(told)
    urls = [URLS[n % len(URLS)] for n in range(len(told))]
    passages = [FoundPassage(text=t, title=t, url=u, reference=t) for t, u in zip(told, urls, strict=True)]
    references = [
        ReferenceFinding(
            key=t, text=t, verdict="differs", differs=("title",), reasons=(t,), asked=(t,),
            work=FoundWork(title=t, url=u, authors=(t,), doi=t),
        )
        for t, u in zip(told, urls, strict=True)
    ]  # fmt: skip
    claims = [
        ClaimFinding(
            n=n, text=t, start=text.index(t), end=text.index(t) + len(t), section=t, references=(t,),
            reason=t, verdict="contradicted", passage=passages[n - 1], against=passages[n - 1], judged_by=t,
        )
        for n, t in enumerate(told, 1)
    ]  # fmt: skip
    audit = Audit(
        title=MORE[0], file=MORE[1], sha256="0", language="en", checked_at=MORE[2], model=MORE[3],
        searched=tuple(told), references=tuple(references), claims=tuple(claims), dangling=tuple(told),
        notices=tuple(told),
    )  # fmt: skip
    return audit, text


def _made() -> Iterator[tuple[str, bytes]]:
    """Yield all files, each with its name."""
    report, evidence = hostile()
    tree = _map(evidence)
    for name, form in FORMATS.items():
        yield f"map-{name}{form.ending}", export_map(tree, evidence, name)
    for name in FORMS:
        made = export_report(name, report, evidence, tree, stem="report")
        yield f"report-{name}{made.suffix}", made.data
    for name, data in chart_files(report, "report", "svg").items():
        yield f"chart-{Path(name).name}", data
    yield "audit.html", audit_html(*_audit()).encode("utf-8", "replace")
    rows = [
        BatchRow(n=n, id=t, session=t, topic=t, status="ended" if n % 2 else "failed", error=t, folder=u)
        for n, (t, u) in enumerate(zip([*ATTACKS, *MORE], [*URLS, *URLS], strict=False), 1)
    ]
    yield "batch.html", summary_page(MORE[0], rows).encode("utf-8", "replace")


async def _seen(files: list[Path]) -> list[str]:
    """Open files, and return what they asked for, ran, or hold that could act."""
    from playwright.async_api import Error, async_playwright

    wrong: list[str] = []
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = await browser.new_page()
        page.on("request", lambda asked: wrong.append(asked.url))
        page.on("dialog", lambda dialog: wrong.append(f"dialog {dialog.message}"))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        for file in files:
            with contextlib.suppress(Error):  # a file that the browser would save
                await page.goto(file.as_uri())
            wrong += [f"{file.name}: {told}" for told in await page.evaluate(_LOOK)]
        await browser.close()
    own = {file.as_uri() for file in files}
    return [told for told in wrong if told not in own]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
async def test_nothing_runs_and_nothing_is_fetched_whatever_is_opened(tmp_path: Path) -> None:
    files = []
    for name, data in _made():
        files.append(tmp_path / name)
        files[-1].write_bytes(data)
    opened = [file for file in files if file.suffix in OPENED]
    wanted = {"map-html.html", "map-svg.svg", "report-html.html", "audit.html", "batch.html"}
    assert wanted <= {file.name for file in opened}
    assert await _seen(opened) == []
    bad = tmp_path / "bad.html"
    bad.write_text("<img src=x:y onerror='1'><script>throw 1</script><a href='javascript:1'>x</a>")
    assert len(await _seen([bad])) >= 4, "what would be wrong is seen"


_LOOK = """() => {
  const found = [];
  for (const each of document.querySelectorAll("*")) {
    const tag = each.localName;
    if (/^(iframe|object|embed|form|base|foreignobject)$/i.test(tag)) found.push(tag);
    for (const { name, value } of each.attributes) {
      if (/^on/i.test(name)) found.push(`${tag} ${name}`);
      const leads = each.namespaceURI !== null && /^(xlink:)?href$|^src$|^action$/i.test(name);
      const known = /^(https?:\\/\\/|#|[^:]*$)/i;
      if (leads && !known.test(value.trim())) found.push(`${tag} ${name}=${value}`);
    }
  }
  return found;
}"""
"""Whatever could act: elements, handlers, and links that lead to neither the web nor a place on the page."""
