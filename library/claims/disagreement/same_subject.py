"""May two claims be about one subject: names that they share, and what the pages they stand on are about."""

import re
from functools import lru_cache

from library.claims.claims import Claim, content
from library.claims.disagreement.compared_sources import ComparedSources
from library.claims.naming.numbered_names import numbered_names, of_other_numbers
from library.claims.scope import bare, definite, goes_on, is_open, mentioned, scope, subject, teller
from library.text import tokenize as analysis

_ALIKE_AROUND = 2
"""Names around two claims that both share, when their titles share none."""
_SHARED, _SHARED_DENIED = 2, 5
"""Words that two clauses share, or two sentences of which one denies, so that they tell what they are on."""
_TELLING = 7.0
"""Weight of such words together."""
_SITE = re.compile(r"\s[|·–—-]\s\S+\.[a-z]{2,6}\s*$")
"""The site that a title names last: sources of one site need not be about one thing."""
_INSTALMENT = re.compile(r"\b([^\W\d_]{2,40}) (?:\d{1,2}|[IVX]{1,4})(?![\w.])")
"""A word with the number that follows it: `trailer 2`."""


def same_subject(a: Claim, b: Claim, among: ComparedSources) -> bool:
    """Tell whether two claims may be about one subject.

    They do not each name what the other does not, or speak of what their own page alone is about; and share a
    name, in the sentences or around them.
    What all sources are about is a shared name only where both sentences say it.
    """
    if a.names and b.names and a.names - b.around and b.names - a.around:
        return False
    if any(_goes_on_from_nowhere(one) and other.names - one.around for one, other in ((a, b), (b, a))):
        return False
    if _own_subject(a, b) and _own_subject(b, a):
        return False
    if _other_instalment(a, b) or _other_instalment(b, a) or _of_other_options(a, b):
        return False
    if of_other_numbers(a.sentence, b.sentence) or _named_for(a, b) or _named_for(b, a):
        return False
    if a.wide or b.wide:
        return len(content(a.passage.title).keys() & content(b.passage.title + b.passage.text).keys()) >= 2
    if numbered_names(a.sentence) & numbered_names(b.sentence) or _tell_themselves(a, b, among):
        return True
    titles = title_words(a.passage.title), title_words(b.passage.title)
    named = (a.names & b.names) - teller(a.sentence)
    for one, title in ((a, titles[1]), (b, titles[0])):
        if one.names and one.names <= title:  # `The museum of Brenn had …`, and a page on that museum
            named |= one.names
    if named & (titles[0] | titles[1]) or (named and not definite(a.sentence) & definite(b.sentence)):
        return True
    # `The film` and `the flood` are what their pages are about: something of that must be the same, beside
    # who tells of it (`Metacritic`).
    alike = (a.around & b.around) - among.common - named
    both = alike & titles[0] & titles[1]
    if bare(a.sentence) & bare(b.sentence) and 2 * len(titles[0] & titles[1]) < min(map(len, titles)):
        both = frozenset()
    enough = bool(both) or (len(alike) >= _ALIKE_AROUND and bool(alike & (titles[0] | titles[1])))
    return enough and bool(named or not (a.names and b.names))


def _tell_themselves(a: Claim, b: Claim, among: ComparedSources) -> bool:
    """Tell whether two sentences say themselves what they are on, in words that few of the sources have.

    `The panic threshold is 600 s`: no name is needed there. `The film earned` leaves it to its page, and of
    two pages that differ by a name alone (`ntploggps`, `ntplogtemp`) each is on its own thing.
    """
    if goes_on(a.sentence) or goes_on(b.sentence) or bare(a.sentence) & bare(b.sentence):
        return False
    if _one_of_a_row(a.passage.title, b.passage.title):
        return False
    near = (a.about, b.about) if a.kind == "negation" else (a.near, b.near)
    # `According to the survey …`: who tells it is not what it is on.
    if a.names & b.names & teller(a.sentence):
        return False
    shared = near[0].keys() & near[1].keys() - among.common - scope(a.sentence) - scope(b.sentence)
    if len(shared) < (_SHARED_DENIED if a.kind == "negation" else _SHARED):
        return False
    return among.rare(shared) and sum(map(among.statistics.weight, shared)) >= _TELLING


def _one_of_a_row(one: str, other: str) -> bool:
    """Tell whether two titles have most words in common, and each a word of its own."""
    mine, theirs = title_words(one), title_words(other)
    both = len(mine & theirs)
    if both < _SHARED or not mine - theirs or not theirs - mine:
        return False
    return both * 2 >= max(len(mine), len(theirs))


def _of_other_options(a: Claim, b: Claim) -> bool:
    """Tell whether two claims stand under two options: `The default is …` says of each something else."""
    return bool(a.defines and b.defines) and a.defines != b.defines


def _goes_on_from_nowhere(claim: Claim) -> bool:
    """Tell whether a sentence begins its passage with a pronoun: what that stands for is not known."""
    return is_open(claim.sentence) and claim.passage.text.lstrip().startswith(claim.sentence[:20])


def _own_subject(one: Claim, other: Claim) -> bool:
    """Tell whether a sentence is on what its page is about, and the other sentence and page are not.

    `The orchard of …` and `The tannery of …` are two things, whatever else their pages share.
    """
    own, text = one.passage.title, f"{other.sentence} {other.passage.title}"
    return any(mentioned(word, own) and not mentioned(word, text) for word in subject(one.sentence))


def _named_for(one: Claim, other: Claim) -> bool:
    """Tell whether a sentence names what its page is named for, and the other passage knows nothing of it."""
    return bool(one.names & title_words(one.passage.title) - other.around - other.about.keys())


def _other_instalment(one: Claim, other: Claim) -> bool:
    """Tell whether a page's title numbers what the sentences are on, and the other source names it without.

    What a page on `Trailer 2` tells of is not `the trailer` of another page, nor is the album of a page on
    `Culture 2` the one that another sentence calls `Culture`.
    """
    title = _SITE.sub("", one.passage.title).rstrip()
    for match in _INSTALMENT.finditer(title):
        word = match[1].casefold()
        # A number at the end of a title may be a file's: `Notes 2`.
        inside = match.end() < len(title)
        text = f"{other.passage.title} {other.sentence if inside else ''}"
        numbered = {number[1].casefold() for number in _INSTALMENT.finditer(text)}
        said = _words(one.sentence) | _words(other.sentence)
        if word in said and word in _words(text) and word not in numbered:
            return True
    return False


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    return frozenset(analysis.SURFACE.findall(text.casefold()))


@lru_cache(maxsize=4_096)
def title_words(title: str) -> frozenset[str]:
    """Return the roots of a title's content words, the site that it names left out."""
    return frozenset(content(_SITE.sub("", title)))
