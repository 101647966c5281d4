"""A sentence as a row of words, with where it denies: by a negation, by a word's meaning, a list or a clause.

The words are data by language, in `library/text/data/negation.toml`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from library.text import tokenize as analysis
from library.text.multilingual.scripts import CJK
from library.text.multilingual.stop_words import STOP_WORDS
from library.text.quantities.quantity_data import table

REACH = 3
"""Content words after a negation that it is taken to deny; characters of pairs in Chinese."""
SLACK = 2
"""Words that may stand between in one text more than in the other."""
_TOKEN = re.compile(
    rf"[{CJK}]|n[’']t\b|[^\W_{CJK}]+?(?=n[’']t\b)|[^\W_{CJK}]+(?:[.,:/-][^\W_{CJK}]+)*|[,;:.!?()，。；：]"
)
_TO_CLAUSE = 5
"""Words behind a negation in which a clause begins that it denies as a whole."""
_STOPS = frozenset(";:.!?。；：")
_BACK = frozenset(("which", "whom", "it", "them"))
"""Behind a negation, what stands before it: `a key, without which nothing opens`."""
CLAUSE_ENDS = frozenset(",;:.!?()，。；：")
TURNS = 10
"""Words after a negation in which a sentence may go on to say what is so."""


@dataclass(frozen=True, slots=True)
class Cues:
    """The words of a language that deny, and those that go with them."""

    says_no: frozenset[str]
    weaker: frozenset[str]
    governs: frozenset[str]
    warns: tuple[tuple[str, ...], ...]
    opens: frozenset[str]
    finite: frozenset[str]
    no_denial: tuple[tuple[str, ...], ...]
    turned: frozenset[str]
    case: frozenset[str]
    clause: frozenset[str]
    none_of: frozenset[str]
    related: frozenset[str]
    usual: tuple[str, ...]
    wide: bool
    """Cues are characters, not words."""


@lru_cache(maxsize=100)
def cues_of(language: str) -> Cues | None:
    """Return the words of a language that deny, None where they are not known."""
    words = table("negation").get(language)
    if words is None:
        return None
    split = tuple if language == "zh" else str.split
    return Cues(
        frozenset(words["says_no"]) | ({"n't", "n’t"} if language == "en" else frozenset()),
        frozenset(words["weaker"]),
        frozenset(words.get("governs", ())),
        tuple(tuple(phrase.split()) for phrase in words.get("warns", ())),
        frozenset(words.get("opens", ())),
        frozenset(words.get("finite", ())),
        tuple(tuple(split(phrase)) for phrase in words["no_denial"]),
        frozenset(words["turned"]),
        frozenset(words.get("case", ())),
        frozenset(words.get("clause", ())),
        frozenset(words.get("none_of", ())),
        frozenset(words.get("related", ())),
        tuple(words.get("usual", ())),
        wide=language == "zh",
    )


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence as a row of tokens."""

    words: tuple[str, ...]
    """As written."""
    roots: tuple[str, ...]
    """Index terms; empty for what carries no meaning of its own."""
    denies: tuple[int, ...]
    """Where a negation stands."""
    weakens: tuple[int, ...]
    """Where a word stands that denies by its meaning."""
    governs: tuple[tuple[int, int], ...]
    """Where one of those stands that may deny all that follows it, with the place behind the last of that."""
    warns: bool
    """Whether it speaks against something: `advises against`."""
    turned: tuple[int, ...]
    """Where a word stands by which it may go on to say what is so."""
    usual: bool
    """Whether it tells what is so as a rule, or by default."""
    cased: bool
    """Whether it tells what is so in one case, or from some time on."""

    @property
    def content(self) -> frozenset[str]:
        """What it is about."""
        return frozenset(root for root in self.roots if root)


@lru_cache(maxsize=2_000)
def parsed(text: str, language: str) -> ParsedSentence:
    """Return a sentence as a row of words; of a language whose denials are known."""
    cues = cues_of(language)
    assert cues is not None
    words = tuple(_TOKEN.findall(text))
    small = tuple(word.casefold() for word in words)
    free = {
        at + n for phrase in cues.no_denial for at in _phrase_at(small, phrase) for n in range(len(phrase))
    }
    if cues.wide:
        return _wide(words, cues, free)
    denies = [
        i for i, word in enumerate(small)
        if word in cues.says_no and i not in free and not _is_label(words, i)
    ]  # fmt: skip
    weakens = [
        i for i, word in enumerate(small) if word in cues.weaker or (i in free and word in cues.says_no)
    ]
    roots = tuple(word_root(word) if word not in cues.says_no else "" for word in small)
    warns = [at + len(phrase) - 1 for phrase in cues.warns for at in _phrase_at(small, phrase)]
    denying = sorted([*_places(small, cues.governs), *warns])
    governs = [(at, _governed_until(small, at, cues)) for at in denying]
    governs += [(at, _clause_end(small, at)) for at in denies if _denies_clause(small, at, cues)]
    usual, cased = any(word in cues.usual for word in small), not cues.case.isdisjoint(small)
    turned = _places(small, cues.turned)
    return ParsedSentence(
        words, roots, tuple(denies), tuple(weakens), tuple(governs), bool(warns), turned, usual, cased
    )


def _wide(words: tuple[str, ...], cues: Cues, free: set[int]) -> ParsedSentence:
    """Return a Chinese sentence: its tokens are signs, what they mean their pairs."""
    text = "".join(words)
    cue: set[int] = set()
    for i in range(len(words)):
        length = next((n for n in (2, 1) if "".join(words[i : i + n]) in cues.says_no), 0)
        cue.update({*range(i, i + length)} - free)
    pairs = [words[i : i + 2] for i in range(len(words))]
    roots = tuple(
        "".join(p) if is_wide_pair(p) and cue.isdisjoint((i, i + 1)) else "" for i, p in enumerate(pairs)
    )
    denies = tuple(sorted(i for i in cue if i + 1 not in cue))
    weakens = tuple(i for i, pair in enumerate(pairs) if "".join(pair) in cues.weaker or i in free)
    places = [0, *accumulate(map(len, words))]
    turned = tuple(i for i in range(len(words)) if text.startswith(tuple(cues.turned), places[i]))
    governs = tuple(
        (i, _governed_until(words, i, cues)) for i, pair in enumerate(pairs) if "".join(pair) in cues.governs
    )
    usual, cased = (any(word in text for word in words) for words in (cues.usual, cues.case))
    return ParsedSentence(words, roots, denies, weakens, governs, False, turned, usual, cased)


def _phrase_at(words: Sequence[str], phrase: Sequence[str]) -> list[int]:
    return [at for at in range(len(words)) if tuple(words[at : at + len(phrase)]) == tuple(phrase)]


def _places(words: Sequence[str], wanted: frozenset[str]) -> tuple[int, ...]:
    return tuple(i for i, word in enumerate(words) if word in wanted)


def _governed_until(words: Sequence[str], at: int, cues: Cues) -> int:
    """Return where the clause ends that a word governs: what stands behind it, nothing there denies.

    `To avoid delays the council repaired the bridge` does not tell where its main clause begins: there
    nothing is governed.
    """
    end = _clause_end(words, at)
    if end >= len(words) - 1 and " ".join(words[:at]) in cues.opens:
        return at
    return next((i for i in range(at + 1, end) if words[i] in cues.finite), end)


def _clause_end(words: Sequence[str], at: int) -> int:
    return next((i for i in range(at + 1, len(words)) if words[i] in CLAUSE_ENDS), len(words))


def _denies_clause(words: Sequence[str], at: int, cues: Cues) -> bool:
    """Tell whether a negation denies a whole clause: `it is not safe to assume that …`.

    What is said of nothing is denied wherever it begins: `no lamps in port or elsewhere that burn oil`.
    """
    if words[at] in cues.none_of and not cues.related.isdisjoint(words[at + 1 : _clause_end(words, at)]):
        return True
    return not cues.clause.isdisjoint(words[at + 1 : min(at + 1 + _TO_CLAUSE, _clause_end(words, at))])


def _is_label(words: Sequence[str], at: int) -> bool:
    """Tell whether a `No` numbers something: `No. 5`."""
    return words[at] in ("No", "no") and any(word[:1].isdigit() for word in words[at + 1 : at + 3])


def is_wide_pair(pair: Sequence[str]) -> bool:
    """Tell whether two words are Chinese or Japanese characters."""
    return len(pair) == 2 and all(re.match(f"[{CJK}]", sign) for sign in pair)


@lru_cache(maxsize=20_000)
def word_root(word: str) -> str:
    """Return a word's index term, empty where it carries no meaning of its own."""
    if word in STOP_WORDS or not any(c.isalnum() for c in word):
        return ""
    return analysis.stem(word)


def denies_before(sentence: ParsedSentence, language: str) -> bool:
    """Tell whether a negation ends its clause: `If not, …`."""
    cues = cues_of(language)
    words = [word.casefold() for word in sentence.words]
    return cues is not None and any(
        word in cues.says_no and after in CLAUSE_ENDS for word, after in pairwise(words)
    )


def ends_clause(sentence: ParsedSentence, at: int) -> bool:
    """Tell whether a negation denies what stands before it, and nothing behind: `Owners were not: …`.

    Or `…, without which`. A comma does not end it: `It was not, however, safe.`
    """
    after = sentence.words[at + 1 : at + 2]
    return bool(after) and (after[0] in _STOPS or after[0].casefold() in _BACK)


def denied_scope(sentence: ParsedSentence, at: int, most: int = REACH) -> list[tuple[int, str]]:
    """Return what a negation denies: the content words after it, each with its distance."""
    after = [(i - at, root) for i, root in enumerate(sentence.roots) if i > at and root]
    return after[:most]


def turns(sentence: ParsedSentence, at: int) -> bool:
    """Tell whether a sentence goes on after a negation to say what is so: `not by fire but by water`."""
    return any(0 < turn - at <= TURNS for turn in sentence.turned)


def shown(sentence: ParsedSentence, at: int) -> str:
    """Return a negation with the words that follow it, up to three."""
    wide = is_wide_pair(sentence.words[at : at + 2])
    return ("" if wide else " ").join(sentence.words[at : at + (5 if wide else 4)])
