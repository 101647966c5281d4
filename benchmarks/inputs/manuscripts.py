"""Manuscripts with planted faults, made of true sentences and the pages that they stand in.

References are written in three styles, with and without a DOI. Who wrote a page, when, and under which DOI is
made up, the same for each page every time; a catalogue in Crossref's shape serves it.
"""

import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.inputs.falsify import FALSE, Claim
from benchmarks.inputs.paraphrase import TRUE

_FAMILIES = (  # noqa: SIM905
    "Abelard Brandt Castillo Dubois Eriksen Fairchild Gupta Haddad Ivanov Johansson Kowalski Lindqvist "
    "Moreau Nakamura Okafor Petrov Quinn Rosenberg Schneider Takahashi Umarov Vasquez "
    "Whitfield Xiong Yamada Zhang"
).split()
_GIVEN = "Anna Boris Clara David Elena Farid Grace Hugo Irene Jonas".split()  # noqa: SIM905
_VENUES = (
    "Review of Public Records",
    "Quarterly Notes",
    "Annals of Reported Events",
    "Documentation Letters",
)
NOWHERE = "https://nowhere.example"
"""Where invented pages are said to be; a server that knows none of them takes its place."""
FAULTS = ("invented", "year", "retracted", "doi", "moved", "falsified", "foreign")
"""Of references the first four, of claims the others: another page's citation, a changed sentence, one on
something else."""
_KINDS = tuple(kind for kind in FALSE if kind != "detail")


@dataclass(frozen=True)
class Page:
    """A source of the manuscripts."""

    url: str
    title: str
    text: str
    topic: str

    @property
    def dice(self) -> random.Random:
        """Chance, the same for the page every time, and for others with its text: that is one source."""
        return random.Random(hashlib.sha256(self._known_by.encode()).digest())

    @property
    def _known_by(self) -> str:
        return self.text or self.url

    @property
    def authors(self) -> list[tuple[str, str]]:
        """Given and family names."""
        dice = self.dice
        return [(dice.choice(_GIVEN), family) for family in dice.sample(_FAMILIES, dice.randint(1, 4))]

    @property
    def year(self) -> int:
        """Of publication."""
        return self.dice.randint(1995, 2023)

    @property
    def doi(self) -> str:
        """As it is registered."""
        return f"10.5555/{hashlib.sha256(self._known_by.encode()).hexdigest()[:10]}"

    @property
    def venue(self) -> str:
        """The journal."""
        return self.dice.choice(_VENUES)

    def markdown(self) -> str:
        """Return the page as a document of one's own, with what is known of it."""
        names = "; ".join(f"{given} {family}" for given, family in self.authors)
        head = [f'url: "{self.url}"', f"title: {self.title!r}", f'author: "{names}"', f'date: "{self.year}"']
        return "\n".join(["---", *head, "---", "", self.text])

    def registered(self, *, retracted: bool = False) -> dict[str, Any]:
        """Return the page as Crossref has a work."""
        notices = [{"DOI": f"{self.doi}.r", "type": "retraction", "label": "Retraction"}] if retracted else []
        return {
            "DOI": self.doi, "URL": f"https://doi.org/{self.doi}", "title": [self.title],
            "type": "journal-article", "container-title": [self.venue],
            "issued": {"date-parts": [[self.year]]},
            "author": [{"given": given, "family": family} for given, family in self.authors],
            **({"updated-by": notices} if notices else {}),
        }  # fmt: skip


@dataclass
class Made:
    """A manuscript, and what is wrong with it."""

    text: str
    topic: str
    references: dict[str, str] = field(default_factory=dict)
    """By key the fault that was planted; empty for none."""
    claims: dict[str, str] = field(default_factory=dict)
    """By sentence, without its citation."""
    retracted: set[str] = field(default_factory=set)
    """DOIs of works that the catalogue has as withdrawn."""


def entry(page: Page, style: int, *, year: int, doi: str, url: str) -> str:
    """Write a page as a reference: author and date first, Vancouver's way, or numbered with quotes."""
    names = page.authors
    initials = [f"{family}, {given[0]}." for given, family in names]
    where = f" https://doi.org/{doi}" if doi else f" {url}" if url else ""
    if style == 0:
        return f"{', '.join(initials)} ({year}). {page.title}. {page.venue}, 12(3), 101–118.{where}"
    if style == 1:
        short = ", ".join(f"{family} {given[0]}" for given, family in names)
        return f"{short}. {page.title}. {page.venue}. {year};12(3):101-18.{f' doi:{doi}' if doi else where}"
    led = " and ".join(f"{given[0]}. {family}" for given, family in names)
    return f"{led}, “{page.title},” {page.venue}, vol. 12, no. 3, pp. 101–118, {year}.{where}"


def made_of(
    topic: str, claims: Sequence[Claim], pages: dict[str, Page], foreign: Sequence[Claim], dice: random.Random
) -> Made:
    """Write a manuscript on a topic, about one reference and one claim in four with a fault.

    Args:
        topic: Its title.
        claims: True sentences with their passages, of pages on the topic.
        pages: By url.
        foreign: True sentences of other topics.
        dice: Chance.
    """
    cited = list(dict.fromkeys(claim.passage.url for claim in claims))
    made = Made("", topic)
    style = dice.randrange(3)
    keys = {url: str(n) for n, url in enumerate(cited, 1)}
    lines = []
    for url in cited:
        page, fault = pages[url], dice.choice(("invented", "year", "retracted", "doi", *[""] * 10))
        with_doi = fault in ("doi", "retracted") or dice.random() < 0.5
        year = page.year + (dice.choice([-7, -4, -3, -2, 2, 3, 5]) if fault == "year" else 0)
        doi = page.doi if fault != "doi" else f"10.5555/{dice.randrange(10**9):010d}"
        shown = page
        if fault == "invented":
            words = sorted({word for word in f"{topic} {foreign[0].topic}".split() if word.isalnum()})
            dice.shuffle(words)
            title = f"Towards an account of {' '.join(words[:5])} in {dice.choice(_VENUES).lower()}"
            shown = Page(f"{NOWHERE}/{dice.randrange(10**6)}", title, "", topic)
            doi = shown.doi
        lines.append(
            f"[{keys[url]}] {entry(shown, style, year=year, doi=doi if with_doi else '', url=shown.url)}"
        )
        made.references[keys[url]] = fault
        if fault == "retracted":
            made.retracted.add(page.doi)
    body: list[str] = []
    for claim in claims:
        told, key, fault = _told(claim, cited, pages, foreign, dice)
        if fault != "moved":
            key = claim.passage.url
        body.append(f"{told.removesuffix('.')} [{keys[key]}].")
        made.claims[told] = fault
        if len(body) % 4 == 0:
            body.append("\n\n")
    listed = "\n\n".join(lines)
    made.text = f"# {topic}\n\n{' '.join(body)}\n\n## References\n\n{listed}\n"
    return made


def _told(
    claim: Claim, cited: Sequence[str], pages: dict[str, Page], foreign: Sequence[Claim], dice: random.Random
) -> tuple[str, str, str]:
    """Return how a claim is told, the page that is cited for it, and its fault."""
    fault = dice.choice(("moved", "falsified", "foreign", *[""] * 7))
    told = claim
    if dice.random() < 0.5:
        for kind in dice.sample(sorted(TRUE), len(TRUE)):
            told = TRUE[kind](told, dice) or told
    if fault == "moved":
        others = [url for url in cited if url != claim.passage.url and not _says(pages[url], claim.text)]
        return (told.text, dice.choice(others), fault) if others else (told.text, claim.passage.url, "")
    if fault == "foreign":
        others_said = [other for other in foreign if not _says(pages[claim.passage.url], other.text)]
        if others_said:
            return (dice.choice(others_said).text, claim.passage.url, fault)
    if fault == "falsified":
        for kind in dice.sample(_KINDS, len(_KINDS)):
            if (false := FALSE[kind](told, dice)) is not None and false.text != told.text:
                return false.text, claim.passage.url, fault
        return told.text, claim.passage.url, ""
    return told.text, claim.passage.url, ""


def _says(page: Page, text: str) -> bool:
    """Tell whether a page has a sentence, by its words: pages of a manual repeat each other."""
    return f" {_words(text)} " in f" {_words(page.text)} "


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
