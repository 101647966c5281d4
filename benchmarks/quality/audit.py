"""Does an audit find what was planted in a manuscript, and leave the rest alone?

    python -m benchmarks.quality.audit FOLDER ... [--topics N] [--claims N] [--seed N] [--offline] [--show]

A FOLDER is either `pages/*.md` with `gold/*.json`, or any documents that the readers know. Manuscripts are
made of their sentences (`benchmarks/inputs/manuscripts.py`), with references that exist, references that do
not, wrong years, wrong DOIs, retracted works, citations moved to another page, sentences made false, and
sentences on something else. Each is audited with the embedded model against all pages as a collection, and,
but with `--offline`, against a catalogue on this machine that answers as Crossref does.
"""

import argparse
import asyncio
import json
import random
import re
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from benchmarks.inputs.falsify import Claim
from benchmarks.inputs.manuscripts import FAULTS, NOWHERE, Made, Page, made_of
from benchmarks.quality.checker import claims_of
from library import LibrarySettings, open_library
from library.readers import Reader
from reports import Audit, Auditor, manuscript

_FEWEST = 12
"""Sentences of a topic that make a manuscript."""


class Catalogue:
    """Works as Crossref registers them, served on this machine."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.works = {page.doi: page for page in pages}
        self.retracted: set[str] = set()

    def answer(self, path: str) -> dict[str, Any] | None:
        """Answer a request; None for what there is none of."""
        parts = urlsplit(path)
        if parts.path == "/works":
            wanted = set(parse_qs(parts.query)["query.bibliographic"][0].casefold().split())
            scored = [
                (len(wanted & {w.strip(".,“”") for w in page.title.casefold().split()}), doi)
                for doi, page in self.works.items()
            ]
            best = sorted(scored, reverse=True)[:5]
            return {"status": "ok", "message": {"items": [self._work(doi) for _, doi in best]}}
        doi = unquote(parts.path.removeprefix("/works/"))
        return {"status": "ok", "message": self._work(doi)} if doi in self.works else None

    def _work(self, doi: str) -> dict[str, Any]:
        return self.works[doi].registered(retracted=doi in self.retracted)


@contextmanager
def served(catalogue: Catalogue) -> Iterator[str]:
    """Serve a catalogue; give its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = catalogue.answer(self.path)
            data = json.dumps(found or {"status": "not found"}).encode()
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def material(folder: Path, dice: random.Random) -> tuple[dict[str, list[Claim]], dict[str, Page]]:
    """Return the true sentences of each topic, and the pages by url."""
    claims, evidence = claims_of(folder, dice)
    pages: dict[str, Page] = {}
    by_text: dict[str, Page] = {}
    for topic, held in evidence.items():
        for one in held.passages.values():
            url = one.url if one.url.startswith("http") else _address(one.url, folder)
            text = held.sources[one.sha256].text  # several addresses of one text are one source
            pages.setdefault(one.url, by_text.setdefault(text, Page(url, one.title, text, topic)))
    by_topic: dict[str, list[Claim]] = {}
    for claim in claims:
        by_topic.setdefault(claim.topic, []).append(claim)
    return by_topic, pages


def _address(url: str, folder: Path) -> str:
    """Return an address for a file: pages of two folders may have one name (`index.html`)."""
    path = Path(unquote(urlsplit(url).path))
    inside = path.relative_to(folder.resolve()) if path.is_relative_to(folder.resolve()) else Path(path.name)
    return f"https://manual.example.org/{quote(inside.as_posix())}"


async def audited(made: Sequence[Made], pages: Sequence[Page], address: str, home: Path) -> list[Audit]:
    """Audit manuscripts against all pages as one collection, and a catalogue where there is an address."""
    documents = home / "documents"
    documents.mkdir()
    for n, page in enumerate(pages):
        (documents / f"{n:05d}.md").write_text(page.markdown(), encoding="utf-8")
    settings = LibrarySettings.model_validate(
        {
            "fetch": {"allow": [urlsplit(address).netloc], "pause": 0.0} if address else {},
            "search": {"addresses": dict.fromkeys(("crossref", "openalex", "doi"), address)}
            if address
            else {},
        }
    )
    found: list[Audit] = []
    async with await open_library(
        settings, [str(documents)], [], offline=not address, home=home, environment={}
    ) as library:
        with Reader() as reader:
            for n, one in enumerate(made):
                path = home / f"manuscript-{n}.md"
                path.write_text(one.text.replace(NOWHERE, address or NOWHERE), encoding="utf-8")
                auditor = Auditor(manuscript(reader.read_file(path)), library, None)
                async for _ in auditor.steps():
                    pass
                found.append(auditor.audit(file=path.name, checked_at="", model="embedded"))
    return found


def count(made: Sequence[Made], audits: Sequence[Audit], *, show: bool) -> dict[str, Counter[str]]:
    """Count by fault, and for what has none, how many are called faulty and how many there are."""
    counts: dict[str, Counter[str]] = {}
    for one, audit in zip(made, audits, strict=True):
        invented = {key for key, fault in one.references.items() if fault == "invented"}
        # What was planted and never read counts as not found.
        read = {reference.key for reference in audit.references}
        for key, fault in one.references.items():
            if fault and key not in read:
                _tally(counts, fault, faulty=False)
        for reference in audit.references:
            fault = one.references.get(reference.key, "")
            _tally(counts, fault or "references left alone", faulty=reference.faulty)
            if show and reference.faulty != bool(fault):
                print(f"  {fault or 'none'}: {reference.verdict} {reference.reasons} | {reference.text}")
        told = {_bare(text): fault for text, fault in one.claims.items()}
        said = {_bare(claim.text) for claim in audit.claims}
        for text, fault in told.items():
            if fault and text not in said:
                _tally(counts, fault, faulty=False)
                if show:
                    print(f"  {fault}: never read | {text}")
        for claim in audit.claims:
            if _bare(claim.text) not in told or invented & set(claim.references):
                continue
            fault = told[_bare(claim.text)]
            _tally(counts, fault or "claims left alone", faulty=claim.faulty)
            if show and claim.faulty != bool(fault):
                cited = ", ".join(claim.references) + ("" if claim.read else ", not read whole")
                print(f"  {fault or 'none'}: {claim.verdict} ({claim.reason}) | {claim.text} [{cited}]")
    return counts


def _bare(text: str) -> str:
    """Return a sentence as it is compared: its citation stands before the stop, its links are no words."""
    return " ".join(re.sub(r"https?://\S+", "", text).split()).rstrip(". ")


def _tally(counts: dict[str, Counter[str]], kind: str, *, faulty: bool) -> None:
    counts.setdefault(kind, Counter()).update({"all": 1, "faulty": int(faulty)})


def measure(folder: Path, options: argparse.Namespace) -> dict[str, Counter[str]]:
    """Make manuscripts of a folder, audit them and count."""
    dice = random.Random(options.seed)
    by_topic, by_url = material(folder, dice)
    topics = [topic for topic, claims in by_topic.items() if len(claims) >= _FEWEST]
    if len(topics) < 2:  # documents have no topics: manuscripts are made of some pages each
        by_topic = _by_pages(next(iter(by_topic.values())), dice)
        topics = list(by_topic)
    chosen = dice.sample(topics, min(options.topics, len(topics)))
    made = []
    for topic in chosen:
        foreign = [claim for other in topics if other != topic for claim in by_topic[other][:3]]
        some = by_topic[topic][: options.claims]
        made.append(made_of(topic, some, by_url, dice.sample(foreign, min(9, len(foreign))), dice))
    pages = list({page.url: page for page in by_url.values()}.values())
    with tempfile.TemporaryDirectory() as folder_:
        if options.offline:
            audits = asyncio.run(audited(made, pages, "", Path(folder_)))
        else:
            catalogue = Catalogue(pages)
            catalogue.retracted = set().union(*(one.retracted for one in made))
            with served(catalogue) as address:
                audits = asyncio.run(audited(made, pages, address, Path(folder_)))
    return count(made, audits, show=options.show)


def _by_pages(claims: Sequence[Claim], dice: random.Random) -> dict[str, list[Claim]]:
    """Put sentences of ten pages each together."""
    urls = list(dict.fromkeys(claim.passage.url for claim in claims))
    dice.shuffle(urls)
    groups: dict[str, list[Claim]] = {}
    for n in range(0, len(urls), 10):
        some = set(urls[n : n + 10])
        group = [claim for claim in claims if claim.passage.url in some]
        if len(group) >= _FEWEST:
            groups[f"Notes on {group[0].passage.title}"] = group
    return groups


def main() -> None:
    """Measure and print."""
    cli = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    cli.add_argument("folders", type=Path, nargs="+")
    cli.add_argument("--topics", type=int, default=10)
    cli.add_argument("--claims", type=int, default=40)
    cli.add_argument("--seed", type=int, default=0)
    cli.add_argument("--offline", action="store_true", help="ask no catalogue: the collection alone")
    cli.add_argument("--show", action="store_true", help="print what went wrong")
    options = cli.parse_args()
    for folder in options.folders:
        counts = measure(folder, options)
        print(f"== {folder.name}")
        for kind in ("references left alone", "claims left alone", *FAULTS):
            if kind in counts:
                told, every = counts[kind]["faulty"], counts[kind]["all"]
                print(f"{kind:<22} {every:5d}  called faulty {told / every:6.1%}")
        groups = {"planted in references": FAULTS[:4], "planted in claims": FAULTS[4:]}
        for name, kinds in groups.items():
            sums = sum((counts.get(kind, Counter()) for kind in kinds), Counter[str]())
            print(f"{name:<22} {sums['all']:5d}  found {sums['faulty'] / max(sums['all'], 1):6.1%}")


if __name__ == "__main__":
    main()
