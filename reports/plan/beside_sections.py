"""What a section's writer is offered beside the passages that its plan names: what nobody cited and fits it.

An outline names what answers rest on; most of what a session read nobody cites, and some of that holds the
very command, the form of a setting or the warning that the section needs. So each section gets the passages
nearest to it, whole, as far as there is room: those that go on from its own on their pages, that show how
a command is typed which the section only names, and those nearest by its heading, by what was said of its
passages, and by these themselves (fused by reciprocal ranks: Cormack, Clarke and Büttcher, 2009).
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from library import Evidence, Passage, TextFrequencies, TextStatistics
from library.passages import blocks, only_lists, tells_of_release
from library.search import reciprocal_ranks
from library.text import code_spans, one_line
from models import Statistics, estimate
from reports.brief import Brief
from reports.tasks.prompt_texts import cited_by

_EACH = 4
"""Passages that one section is offered at most."""
_RANKED = 12
"""Places of a reading that count."""
_FITS, _OF_OWN, _NEAR = 0.5, 0.2, 0.05
"""How near what is offered must be, as a share of what is nearest, of the nearest of the section's own, and
at least: cosines."""
_DEPTH = 10
"""What is added to a rank before ranks are fused."""
_ALONGSIDE, _TYPED = 1 / 8, 3 / 10
"""What counts, beside a place among the ranks (the first one: 1/11), that a passage goes on from one of the
section's on its page; and that it shows how a command is typed which is only named there, or that one of the
section's ends in a colon before it."""
_LEAST = 20
"""Tokens below which a passage without code is a heading or a rest."""
_NEXT = 4
"""Characters of white space between passages that go on from each other."""
_PROMPT = re.compile(
    r"^\s{0,8}(?:[$#>]\s{1,4})?(?P<command>[A-Za-z_][\w.-]{1,40}(?: [a-z][\w-]{1,30}){0,2})(?=\s+-)",
    re.MULTILINE,
)
"""A command with an option; what stands between, as in `git stash list -p`, belongs to its name."""
_WORD = re.compile(r"[A-Za-z_][\w.-]{1,40}")

Section = tuple[str, Sequence[str]]
"""What a section tells (its heading and purpose), and the ids of its passages."""


def beside_sections(
    sections: Sequence[Section], brief: Brief, evidence: Evidence, passed: Collection[str], tokens: int
) -> list[list[str]]:
    """Return for each section the ids of passages that it is offered beside its own, best first.

    Args:
        sections: As planned.
        brief: What was asked, and answered.
        evidence: All that was admitted.
        passed: Ids that are not offered: the plan set them aside.
        tokens: For all of them together.
    """
    known = evidence.passages
    held = {i for _told, ids in sections for i in ids}
    words = [one_line(known[i].text) for i in held if i in known]
    others = [
        i
        for i, p in known.items()
        if i not in held and i not in passed and _tells(p, brief.topic) and not _within(p, words)
    ]
    if not others:
        return [[] for _ in sections]
    statistics = TextStatistics(TextFrequencies([p.text for p in known.values()]))
    texts = [known[i].text for i in others]
    said = cited_by([*(answer for _question, answer in brief.given), *brief.facts])
    shown = {command for i in held if i in known for command in _typed(known[i].text)}
    claims = [
        " ".join(dict.fromkeys(claim for i in ids for claim in said.get(i, ()))) for _told, ids in sections
    ]
    named = [
        Counter(word.rstrip(".-") for word in _WORD.findall(f"{told} {own}"))
        for (told, _ids), own in zip(sections, claims, strict=True)
    ]
    worth: list[_Offer] = []
    for n, (told, ids) in enumerate(sections):
        own = [known[i] for i in ids if i in known]
        readings = (told, claims[n], " ".join(p.text for p in own))
        near = _fused(readings, texts, [p.text for p in own], statistics)
        for k, i in enumerate(others):
            score = near.get(k, 0.0)
            if score and any(_go_on(p, known[i]) and _announces(p) for p in own):
                score += _TYPED
            elif score and any(_go_on(p, known[i]) or _go_on(known[i], p) for p in own):
                score += _ALONGSIDE
            if score:
                worth.append(_Offer(-round(score, 6), n, i, typed=False))
            new = _typed(known[i].text) - shown
            most = {command: max(_named(command, each) for each in named) for command in new}
            shares = [_named(command, named[n]) / most[command] for command in new if most[command]]
            if any(shares):
                worth.append(_Offer(-round(score + _TYPED * max(shares), 6), n, i, typed=True))
    return _dealt(sorted(worth), len(sections), evidence, tokens)


def _fused(
    readings: Sequence[str], texts: Sequence[str], own: Sequence[str], statistics: Statistics
) -> dict[int, float]:
    """Return what the best of some texts are worth by some readings of a section together, by their places.

    Args:
        readings: What the section tells, in several ways.
        texts: What may be offered.
        own: The section's passages: what is far farther from a reading than they are is a stranger.
        statistics: Weighs words.
    """
    ranked = []
    for reading in readings:
        near, fits = statistics.relevance(reading, texts), statistics.relevance(reading, own)
        order = sorted(range(len(near)), key=lambda k: (-round(near[k], 6), k))[:_RANKED]
        least = max(_FITS * max(near, default=0.0), _OF_OWN * max(fits, default=0.0), _NEAR)
        ranked.append([k for k in order if near[k] >= least])
    return reciprocal_ranks(ranked, depth=_DEPTH)


class _Offer(NamedTuple):
    """A passage for a section."""

    worth: float
    """The less, the better."""
    section: int
    passage: str
    typed: bool
    """Whether it is worth that only as long as no other shows the commands that it shows."""


def _dealt(offers: Sequence[_Offer], count: int, evidence: Evidence, tokens: int) -> list[list[str]]:
    """Return each section's, the best of all first; a text goes to one section, as long as there is room."""
    found: list[list[str]] = [[] for _ in range(count)]
    given, shown, left = set[str](), set[str](), tokens
    for offer in offers:
        passage = evidence.passages[offer.passage]
        size, commands = estimate(passage.text), _typed(passage.text)
        if len(found[offer.section]) >= _EACH or one_line(passage.text) in given or size > left:
            continue
        if offer.typed and commands <= shown:
            continue
        found[offer.section].append(offer.passage)
        given.add(one_line(passage.text))
        shown |= commands
        left -= size
    return found


def _tells(passage: Passage, topic: str) -> bool:
    """Tell whether a passage says something itself."""
    short = estimate(passage.text) < _LEAST and not any(b.form == "code" for b in blocks(passage.text))
    return not short and not only_lists(passage.text) and not tells_of_release(passage.title, topic)


def _within(passage: Passage, texts: Sequence[str]) -> bool:
    own = one_line(passage.text)
    return any(own in text for text in texts)


def _go_on(one: Passage, other: Passage) -> bool:
    """Tell whether a passage follows another one on its page."""
    return one.sha256 == other.sha256 and 0 <= other.start - one.end < _NEXT


def _announces(passage: Passage) -> bool:
    return passage.text.rstrip().endswith((":", "："))


def _named(command: str, words: Counter[str]) -> int:
    """Return how often a command is named: as often as the rarest of its words."""
    return min(words[word] for word in command.split())


def _typed(text: str) -> set[str]:
    """Return the commands that a text shows with an option, in its code and between its words."""
    code = [text[b.start : b.end] for b in blocks(text) if b.form == "code"]
    code += [piece for piece, is_code in code_spans(text) if is_code and "\n" not in piece]
    return {found["command"] for part in code for found in _PROMPT.finditer(part)}
