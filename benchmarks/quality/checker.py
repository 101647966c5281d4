"""How well do the checker's rules tell true claims from false ones?

    python benchmarks/quality/checker.py FOLDER ... [--claims N] [--seed N] [--show KIND]

A FOLDER is either `pages/*.md` with `gold/*.json` (`statements`: `sentences`, `urls`), or any documents that
the readers know. Claims are sentences with the passage that they stand in. Each is looked at as it is and
written in other words (`benchmarks/inputs/paraphrase.py`): what is refused of these are false alarms. Then
each is made false in one way at a time, half of them after they were written in other words: what is refused
of these was found. `detail` is beyond rules by design: it is a judge's work.
"""

import argparse
import hashlib
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.inputs.falsify import FALSE, Claim, Edit, named, swapped_for
from benchmarks.inputs.paraphrase import TRUE
from library import Evidence, Passage, Source, detect
from library.passages import cut
from library.readers import Reader
from library.text import sentences
from reports import Checker, Sentence

FIGURES = ("number", "scale", "sign", "unit", "currency", "date", "bound")
"""Kinds of falsehood in figures, dates and units."""
WORDS = ("name", "denied", "roles")
"""Kinds of falsehood in names, negations and who did what."""
_DOCUMENTS = {".html", ".htm", ".md", ".txt", ".rst"}
_SHORTEST, _LONGEST = 6, 45
"""Words of a claim."""
_READ = 400
"""Documents of a folder that are read, chosen by chance."""

Results = dict[str, list[tuple[Claim, Sentence]]]


def claims_of(folder: Path, dice: random.Random) -> tuple[list[Claim], dict[str, Evidence]]:
    """Return the true sentences of a folder, in chance order, and the evidence of each topic."""
    found, evidence = _statements(folder) if (folder / "gold").is_dir() else _documents(folder, dice)
    return dice.sample(found, len(found)), evidence


def _statements(data: Path) -> tuple[list[Claim], dict[str, Evidence]]:
    pages = dict(_pages(data / "pages"))
    found: list[Claim] = []
    evidence: dict[str, Evidence] = {}
    for file in sorted((data / "gold").glob("*.json")):
        gold = json.loads(file.read_text(encoding="utf-8"))
        topic = gold["topic"]
        urls = sorted({url for statement in gold["statements"] for url in statement["urls"]})
        mine = _numbered([p for url in urls for p in pages.get(url, ([], None))[0]])
        evidence[topic] = Evidence({p.id: p for p in mine}, {s.sha256: s for _p, s in pages.values()})
        for statement in gold["statements"]:
            for text in statement["sentences"]:
                home = next((p for p in mine if text in p.text and p.url in statement["urls"]), None)
                if home is not None and len(text.split()) >= _SHORTEST:
                    found.append(Claim(text, home, topic))
    return found, evidence


def _pages(folder: Path) -> Iterator[tuple[str, tuple[list[Passage], Source]]]:
    for file in sorted(folder.glob("*.md")):
        _, front, body = file.read_text(encoding="utf-8").split("---\n", 2)
        url, title = (re.findall(rf'^{name}: "(.*)"$', front, re.MULTILINE)[0] for name in ("url", "title"))
        source = Source(hashlib.sha256(body.encode()).hexdigest(), url, title, body)
        pieces = re.finditer(r"\S[^\n]*(?:\n(?!\s*\n)[^\n]+)*", body)
        yield url, ([Passage(source.sha256, m.start(), m.end(), m[0], url, title) for m in pieces], source)


def _documents(folder: Path, dice: random.Random) -> tuple[list[Claim], dict[str, Evidence]]:
    files = sorted(file for file in folder.rglob("*") if file.suffix.casefold() in _DOCUMENTS)
    with Reader() as reader:
        sources = [reader.read_file(file) for file in dice.sample(files, min(len(files), _READ))]
    topics: dict[str, list[Passage]] = {}
    for source in sources:
        topics.setdefault(detect(source.text), []).extend(cut(source))
    found: list[Claim] = []
    evidence: dict[str, Evidence] = {}
    for language, passages in topics.items():
        mine = _numbered(passages)
        evidence[language] = Evidence({p.id: p for p in mine}, {s.sha256: s for s in sources})
        for passage in mine:
            for start, end in sentences(passage.text):
                text = " ".join(passage.text[start:end].split())
                plain = re.fullmatch(r"[A-Z][^|`{}<>\\=_]+\.", text)
                if plain and _SHORTEST <= len(text.split()) <= _LONGEST:
                    found.append(Claim(text, passage, language))
    return found, evidence


def _numbered(passages: Sequence[Passage]) -> list[Passage]:
    return [
        Passage(p.sha256, p.start, p.end, p.text, p.url, p.title, id=f"p{n}")
        for n, p in enumerate(passages, 1)
    ]


def measure(folder: Path, claims: int, seed: int) -> Results:
    """Return, for each kind of true and false claim, the claims with what the rules say of them."""
    dice = random.Random(seed)
    found, evidence = claims_of(folder, dice)
    checkers = {topic: Checker(held, topic, detect(_some(held))) for topic, held in evidence.items()}
    false: Mapping[str, Edit] = FALSE | {"name": swapped_for(named(found))}
    results: Results = {}

    def judge(kind: str, claim: Claim) -> None:
        text = re.sub(r'["“”`]', "’", claim.text)
        sentence = Sentence(text=text, citations=[claim.passage.id])
        results.setdefault(kind, []).append((claim, checkers[claim.topic].sentence(sentence)))

    for claim in found[:claims]:
        judge("copied", claim)
    for kind, edit in {**TRUE, **false}.items():
        # Each kind is looked for in all claims: few have an amount of money.
        made = 0
        for claim in found:
            base = claim
            if kind in false and dice.random() < 0.5:
                for other in dice.sample(sorted(TRUE), len(TRUE)):
                    base = (TRUE[other](base, dice) if other != "rounded" else None) or base
            if made < claims and (new := edit(base, dice)) is not None:
                judge(kind, new)
                made += 1
    return results


def _some(evidence: Evidence) -> str:
    return " ".join(p.text for p in list(evidence.passages.values())[:20])


def shares(results: Results) -> dict[str, tuple[int, int]]:
    """Return of true claims, of false ones in figures and in words, and of each kind: (refused, all)."""
    kinds = {kind: (sum(_refused(s) for _c, s in found), len(found)) for kind, found in results.items()}
    groups = {"true": ("copied", *TRUE), "false figures": FIGURES, "false words": WORDS}
    pooled = {
        name: tuple(map(sum, zip(*(kinds[k] for k in group if k in kinds), strict=True)))
        for name, group in groups.items()
    }
    return {**pooled, **kinds}  # type: ignore[dict-item]


def _refused(sentence: Sentence) -> bool:
    return sentence.support == "unsupported"


def main() -> None:
    """Measure and print."""
    cli = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    cli.add_argument("folders", type=Path, nargs="+")
    cli.add_argument("--claims", type=int, default=600, help="claims of each kind, at most")
    cli.add_argument("--seed", type=int, default=0)
    cli.add_argument("--show", default="", help="print the claims of this kind on which the rules went wrong")
    options = cli.parse_args()
    for folder in options.folders:
        results = measure(folder, options.claims, options.seed)
        print(f"== {folder.name}")
        for kind, (refused, whole) in shares(results).items():
            print(f"{kind:<14} {whole:5d} claims  refused {refused / max(whole, 1):6.1%}")
        true = options.show in ("copied", *TRUE)
        for claim, sentence in results.get(options.show, []):
            if _refused(sentence) == true:
                print(f"   {sentence.reason} | {sentence.text} || {claim.passage.text[:400]!r}")


if __name__ == "__main__":
    main()
