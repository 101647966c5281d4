"""Made texts: pages about towns on a river and what they do against floods. The same number, the same text.

Facts are drawn from a grammar, so that no two pages say the same, passages are as long as real ones, and
searching has something to tell apart. Nothing of it is true.
"""

import random
from dataclasses import dataclass

TOPIC = "How do river towns protect themselves against floods?"

SUBJECTS = (
    "levees and dikes", "flood walls", "retention basins", "restored wetlands", "early warning sirens",
    "insurance and relief funds", "house elevation", "drainage tunnels", "land use rules",
    "evacuation drills",
    "river gauges", "reforestation upstream",
)  # fmt: skip
_TOWNS = (
    "Aldern", "Bruckau", "Corvale", "Dunmere", "Elsbeck", "Farnholt", "Gressing", "Halmford", "Isenau",
    "Jorwick", "Kestrup", "Lindmoor", "Marnau", "Norrby", "Ostheim", "Pellworth", "Quarrow", "Rothen",
    "Sandau",
    "Tilbrook",
)  # fmt: skip
_SYLLABLES = (
    "bal", "cor", "den", "fel", "gar", "hol", "kin", "lam", "mor", "nes", "pol", "ras", "sen", "tor", "wil",
)  # fmt: skip
_FACTS = (
    "{town} spent {money} million crowns on {subject} between {year} and {later}.",
    "After the flood of {year}, the council of {town} chose {subject} over a second bridge.",
    "Engineers in {town} found that {subject} lowered the crest by {share} centimetres in {later}.",
    "A survey of {count} households in {town} showed that {share} percent trusted {subject}.",
    "The river at {town} rose {share} centimetres in {hours} hours in {year}, and {subject} held.",
    "Critics in {town} say that {subject} only move the water to {other}, {hours} kilometres downstream.",
    "The river board asked {town} and {other} to share what {subject} cost, {money} million crowns.",
    "Since {later}, volunteers in {town} inspect {subject} every {hours} days during high water.",
    "Insurers lowered premiums in {town} by {share} percent once {subject} had been certified in {later}.",
    "In {other}, by contrast, {subject} failed in {year} when debris blocked the main channel.",
    "The mayor of {town} called {subject} the cheapest protection per protected house.",
    "A study of {count} floods names {subject} as the measure that most river towns regret having delayed.",
)


@dataclass(frozen=True, slots=True)
class Page:
    """One made page."""

    name: str
    title: str
    subject: str
    paragraphs: tuple[str, ...]

    @property
    def text(self) -> str:
        """The page as Markdown."""
        return f"# {self.title}\n\n" + "\n\n".join(self.paragraphs) + "\n"

    @property
    def html(self) -> str:
        """The page as a site would send it."""
        body = "".join(f"<p>{paragraph}</p>" for paragraph in self.paragraphs)
        head = f"<title>{self.title}</title><meta charset='utf-8'>"
        menu = "<nav><a href='/'>Home</a> <a href='/about'>About</a> <a href='/contact'>Contact</a></nav>"
        article = f"<article><h1>{self.title}</h1>{body}</article>"
        return f"<!doctype html><html lang='en'><head>{head}</head><body>{menu}{article}</body></html>"


def page(number: int, paragraphs: int = 8, edition: int = 0) -> Page:
    """Return the page of a number; another edition says other things about the same."""
    chance = random.Random(number + 1_000_003 * edition)
    subject = SUBJECTS[number % len(SUBJECTS)]
    town = _TOWNS[(number * 7) % len(_TOWNS)]
    name = f"page-{number}"
    title = f"{town}: {subject} against river floods"
    made = tuple(_paragraph(chance, town, subject) for _ in range(paragraphs))
    return Page(name, title, subject, made)


def _paragraph(chance: random.Random, town: str, subject: str) -> str:
    beside = chance.choice(SUBJECTS)
    spoken_of = [subject, subject, subject, beside]
    return " ".join(_fact(chance, town, chance.choice(spoken_of)) for _ in range(6))


def _fact(chance: random.Random, town: str, subject: str) -> str:
    year = chance.randint(1950, 2010)
    # Each fact is about a quarter of its own: no two contradict each other.
    quarter = "".join(chance.choice(_SYLLABLES) for _ in range(3)).capitalize()
    return chance.choice(_FACTS).format(
        town=f"{quarter} in {town}",
        other=chance.choice(_TOWNS), subject=subject, year=year, later=year + chance.randint(1,
        14),
        money=chance.randint(2, 400), share=chance.randint(5, 95), count=chance.randint(40, 900),
        hours=chance.randint(2, 60),
    )  # fmt: skip
