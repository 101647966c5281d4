"""How well do the checker's rules see planted errors?

    python benchmarks/checker.py DATA [--pairs N] [--seed N] [--show KIND]

DATA holds `pages/*.md` (front matter with `url`, `title`) and `gold/*.json` (`statements`: `sentences`,
`urls`). True sentences are taken with the paragraph that holds them, and changed in one way each; printed
is the share of each kind that the rules call unsupported. For `untouched` and `rewritten` (the same
figures written otherwise) that share is false alarms. `negated` and `detail` are beyond rules by design:
they are a judge's work.
"""

import argparse
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from library import Evidence, Passage, Source
from library.claims import names
from library.text import dates
from reports import Checker, Sentence

_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_DATE = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(_MONTHS)})\b|\b({'|'.join(_MONTHS)}) (\d{{1,2}})\b")
_YEAR = re.compile(r"(?<![\d.,–-])(19\d\d|20[0-2]\d)(?![\d.,]?\d|s)")
_NUMBER = re.compile(r"(?<![\w.,–/-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w/–-]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*(?=[ ,.;])")
_AUXILIARY = re.compile(r"\b(?:was|were|is|are|has|have|had|will|would|could|can)\b")
_DETAILS = (
    "after a long dispute with the authorities", "in front of a large crowd", "despite several warnings",
    "because of bad weather", "which surprised most observers", "with the help of local volunteers",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A sentence with the passage it was said to stand in."""

    text: str
    passage: Passage
    topic: str


def cases(data: Path) -> tuple[list[Case], dict[str, Evidence], dict[str, list[Passage]]]:
    """Return the true sentences, each topic's evidence, and each topic's passages."""
    pages = dict(_pages(data / "pages"))
    found: list[Case] = []
    evidences: dict[str, Evidence] = {}
    passages: dict[str, list[Passage]] = {}
    for file in sorted((data / "gold").glob("*.json")):
        gold = json.loads(file.read_text(encoding="utf-8"))
        topic = gold["topic"]
        urls = sorted({url for statement in gold["statements"] for url in statement["urls"]})
        mine = [p for url in urls for p in pages.get(url, ([], None))[0]]
        named = [
            Passage(p.sha256, p.start, p.end, p.text, p.url, p.title, id=f"p{n}")
            for n, p in enumerate(mine, 1)
        ]
        passages[topic] = named
        sources = {source.sha256: source for _p, source in pages.values() if source is not None}
        evidences[topic] = Evidence({p.id: p for p in named}, sources)
        for statement in gold["statements"]:
            for text in statement["sentences"]:
                home = next((p for p in named if text in p.text and p.url in statement["urls"]), None)
                if home is not None and len(text.split()) >= 6:
                    found.append(Case(text, home, topic))
    return found, evidences, passages


def _pages(folder: Path) -> Iterator[tuple[str, tuple[list[Passage], Source]]]:
    for file in sorted(folder.glob("*.md")):
        _, front, body = file.read_text(encoding="utf-8").split("---\n", 2)
        url, title = (re.findall(rf'^{name}: "(.*)"$', front, re.MULTILINE)[0] for name in ("url", "title"))
        source = Source(hashlib.sha256(body.encode()).hexdigest(), url, title, body)
        pieces = re.finditer(r"\S[^\n]*(?:\n(?!\s*\n)[^\n]+)*", body)
        yield url, ([Passage(source.sha256, m.start(), m.end(), m[0], url, title) for m in pieces], source)


Edit = Callable[[Case, random.Random], Case | None]


def number(case: Case, dice: random.Random) -> Case | None:
    """Change one number that is no date."""
    blanked = dates(case.text)[1]
    spots = [
        m
        for m in _NUMBER.finditer(case.text)
        if blanked[m.start() : m.end()] == m[0] and not _YEAR.match(m[0])
    ]
    if not spots:
        return None
    spot = dice.choice(spots)
    digits = [i for i, c in enumerate(spot[0]) if c.isdigit()]
    at = dice.choice(digits)
    new = dice.choice([c for c in "123456789" if c != spot[0][at]])
    return _with(case, spot.start() + at, spot.start() + at + 1, new)


def date(case: Case, dice: random.Random) -> Case | None:
    """Change a day, a month or a year."""
    spots: list[tuple[int, int, str]] = []
    for m in _DATE.finditer(case.text):
        day, month = (1, 2) if m[1] else (4, 3)
        spots.append(
            (m.start(day), m.end(day), str(dice.choice([d for d in range(1, 29) if str(d) != m[day]])))
        )
        spots.append(
            (m.start(month), m.end(month), dice.choice([name for name in _MONTHS if name != m[month]]))
        )
    shifts = [-9, -4, -3, -2, -1, 1, 2, 3]
    spots += [(m.start(), m.end(), str(int(m[0]) + dice.choice(shifts))) for m in _YEAR.finditer(case.text)]
    return _with(case, *dice.choice(spots)) if spots else None


def name_from(pool: dict[str, list[str]]) -> Edit:
    """Return the edit that puts a name of another topic in the place of a name."""

    def name(case: Case, dice: random.Random) -> Case | None:
        spots = [m for m in _NAME.finditer(case.text) if m[0] not in _MONTHS and names(f"x {m[0]}")]
        others = [other for topic, found in sorted(pool.items()) if topic != case.topic for other in found]
        spot = dice.choice(spots) if spots else None
        return _with(case, spot.start(), spot.end(), dice.choice(others)) if spot else None

    return name


def negated(case: Case, dice: random.Random) -> Case | None:
    """Say the contrary."""
    spots = list(_AUXILIARY.finditer(case.text))
    spot = dice.choice(spots) if spots else None
    return _with(case, spot.end(), spot.end(), " not") if spot else None


def detail(case: Case, dice: random.Random) -> Case | None:
    """Add a detail without a name or number."""
    end = len(case.text.rstrip('.!”"'))
    return _with(case, end, end, f", {dice.choice(_DETAILS)}")


def moved_from(passages: dict[str, list[Passage]]) -> Edit:
    """Return the edit that cites another passage of the topic, which does not hold the sentence."""

    def moved(case: Case, dice: random.Random) -> Case | None:
        others = [p for p in passages[case.topic] if case.text not in p.text]
        return Case(case.text, dice.choice(others), case.topic) if others else None

    return moved


def rewritten(case: Case, dice: random.Random) -> Case | None:
    """Write the same figures otherwise: thousands without commas, dates turned round, words as digits."""
    del dice
    text = re.sub(rf"\b(\d{{1,2}}) ({'|'.join(_MONTHS)})\b", r"\2 \1", case.text)
    if text == case.text:
        text = re.sub(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}})\b(?!,? \d)", r"\2 \1", case.text)
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    words = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
    text = re.sub(rf" ({'|'.join(words)}) ", lambda m: f" {words.index(m[1]) + 2} ", text)
    return Case(text, case.passage, case.topic) if text != case.text else None


def untouched(case: Case, dice: random.Random) -> Case | None:
    """Change nothing."""
    del dice
    return case


def _with(case: Case, start: int, end: int, new: str) -> Case:
    return Case(case.text[:start] + new + case.text[end:], case.passage, case.topic)


def measure(data: Path, pairs: int, seed: int) -> dict[str, list[tuple[Case, Sentence]]]:
    """Return, for each kind of edit, the edited cases with what the rules say of them."""
    found, evidences, passages = cases(data)
    checkers = {topic: Checker(evidence, topic) for topic, evidence in evidences.items()}
    pool: dict[str, list[str]] = {}
    for case in found:
        found_names = (m[0] for m in _NAME.finditer(case.text))
        pool.setdefault(case.topic, []).extend(name for name in found_names if name not in _MONTHS)
    edits: dict[str, Edit] = {
        "number": number, "date": date, "name": name_from(pool), "moved": moved_from(passages),
        "negated": negated, "detail": detail, "untouched": untouched, "rewritten": rewritten,
    }  # fmt: skip
    results: dict[str, list[tuple[Case, Sentence]]] = {}
    for kind, edit in edits.items():
        dice = random.Random(f"{seed} {kind}")
        order = dice.sample(found, len(found))
        made = (new for case in order if (new := edit(case, dice)) is not None)
        results[kind] = []
        for case in made:
            if len(results[kind]) == pairs:
                break
            sentence = Sentence(text=case.text.replace('"', "’"), citations=[case.passage.id])
            results[kind].append((case, checkers[case.topic].sentence(sentence)))
    return results


def main() -> None:
    """Measure and print."""
    cli = argparse.ArgumentParser(description="How well do the checker's rules see planted errors?")
    cli.add_argument("data", type=Path)
    cli.add_argument("--pairs", type=int, default=200, help="pairs of each kind")
    cli.add_argument("--seed", type=int, default=0)
    cli.add_argument("--show", default="", help="print the cases of this kind on which the rules went wrong")
    options = cli.parse_args()
    for kind, results in measure(options.data, options.pairs, options.seed).items():
        seen = sum(sentence.support == "unsupported" for _case, sentence in results)
        print(f"{kind:<10} {len(results):4d} pairs  called unsupported {seen / max(len(results), 1):6.1%}")
        if kind == options.show:
            wrong = kind not in ("untouched", "rewritten")
            for case, sentence in results:
                if (sentence.support == "unsupported") != wrong:
                    print(f"   {sentence.reason} | {sentence.text} || {case.passage.text[:300]}")


if __name__ == "__main__":
    main()
