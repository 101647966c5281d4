"""How well a phrase reads as a title of some texts: what they share, are headed with, and what is a word.

Phrases come from statistics that know neither grammar nor code. Told from the texts themselves: whether most
of them hold a phrase, whether its word is used as a verb ("to prevent", "enter the …"), whether it is written
like an identifier (`TarInfo`, `getsets`).
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from library.text import STOP_WORDS, fold, heading, reads_as_name, sentences, word_vectors
from models import Statistics

_UNDERLINED = re.compile(r"^([^\n]{3,80})\n([=*~^\"-])\2{3,}$", re.MULTILINE)
_MARKED = re.compile(r"^#{1,6}[ \t]+([^\n]{3,80})$", re.MULTILINE)
_RUN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*(?:[ \n][^\W\d_]+(?:-[^\W\d_]+)*)*")
"""Words with single blanks between them: what a phrase can be a part of."""
_CODE_LINE = re.compile(
    r"^[ \t]*(?:>>>|\.\.\. ).*$|^[ \t]{2,}(?=\S)[^\n]*(?:\w\(| = |==)[^\n]*$", re.MULTILINE
)
_TOKEN = re.compile(r"\w+(?:[’']\w+)?|[^\w\s]")
_CODE_AROUND = frozenset("_()=.`[]{}<>/\\")
_IDENTIFIER = re.compile(r"[a-z][A-Z]|_|^[A-Z][A-Z0-9]{6,}$|[A-Z]{2}[a-z]{2}")
"""Capitals inside a word (`TarInfo`), or nothing but many of them."""
_VERB_BEFORE = frozenset((
    "to", "will", "would", "can", "could", "should", "must", "may", "might", "shall", "not", "cannot",
    "don't", "doesn't", "didn't", "won't", "can't", "let", "we", "you", "they", "i", "it", "he", "she",
    "which", "who",
))  # fmt: skip
_ARTICLES = frozenset(
    ("a", "an", "the", "this", "that", "these", "those", "its", "their", "his", "her", "any")
)
_DEGREES = frozenset(("most", "more", "least", "less", "very", "so", "as", "too"))
_PREPOSITIONS = frozenset((
    "unlike", "like", "within", "without", "upon", "via", "per", "plus", "except", "including", "using",
    "than", "despite", "among", "versus", "given", "regarding", "concerning", "providing", "whose",
))  # fmt: skip
"""Stand at the edge of no title."""
_COUNTS = frozenset((
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "first", "second", "third",
    "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "last", "next", "several", "many",
    "other",
))  # fmt: skip
"""Tell how many or which, and not what; a name may begin so ("First Avenue")."""
_HALVED, _RUNS = 12.0, 0.8
"""The rank at which a phrase is worth half of the first, and what the first run is worth."""
_TELLING = 5.0
"""The mean weight of words from which on they tell enough."""
_MOST = 0.6
"""The share of the texts that must hold a single word for it to be as good as a phrase."""
_SEVERAL = 3
"""How many texts that must be."""
_COMMON, _SINGLE = 0.5, 0.12
"""What a single word that most texts hold is worth, and any other, beside a phrase."""
_VERB, _UNKNOWN, _CODE, _OPEN = 0.15, 0.35, 0.3, 0.4
"""What a verb, a small word that nobody knows, an identifier and a word that waits for another are worth."""
_PART, _LONGER_PART = 0.4, 0.6
"""What a word and a phrase are worth that stand in a title beside them or above."""
_WAITS = 0.6
"""The share of a word's places at which another follows from which on it is no end of a title."""
_SHARED = 0.25
"""The share of the texts that must hold a run of words for it to be a phrase of theirs."""
_LONGEST = 3


def prose(text: str) -> str:
    """Return a text without its lines of code; the text when it is nothing else."""
    return _CODE_LINE.sub("", text).strip() or text


class TitleQuality:
    """The words of a node's texts, and of those beside it, as far as its title wants them."""

    def __init__(
        self,
        texts: Sequence[str],
        against: Sequence[str],
        near: Sequence[str],
        statistics: Statistics,
    ) -> None:
        """Take a node's texts, those of nodes beside it, and titles beside and above it."""
        self._near = [set(statistics.terms(title)) for title in near]
        self._statistics = statistics
        self._texts = texts
        self._held = [frozenset(statistics.terms(text)) for text in texts]
        self._others = [frozenset(statistics.terms(text)) for text in against]
        self._verbs: Counter[str] = Counter()
        self._nouns: Counter[str] = Counter()
        self._times: Counter[tuple[str, ...]] = Counter()
        self._led: Counter[tuple[str, ...]] = Counter()
        self._continued: Counter[tuple[str, ...]] = Counter()
        for text in (*texts, *against):
            for start, end in sentences(text):
                found = [(fold(match[0]), match[0].isalnum()) for match in _TOKEN.finditer(text, start, end)]
                self._use([("", False), *found, *[("", False)] * 3])

    def _use(self, found: Sequence[tuple[str, bool]]) -> None:
        """Count for the words of a sentence whether they are verbs or nouns, and what stands around them."""
        for at in range(1, len(found) - 3):
            (before, leads), (word, is_word), (after, follows), (last, goes_on) = found[at - 1 : at + 3]
            if not is_word:
                continue
            verb = before in _VERB_BEFORE or (after in _ARTICLES and before not in _ARTICLES)
            opens = at == 1 and follows and after not in STOP_WORDS
            self._verbs[word] += 2 * verb + opens
            self._nouns[word] += 2 * (before in _ARTICLES or after == "of")
            led = (leads and before not in STOP_WORDS) or before in _DEGREES
            stand = (((word,), follows, after, last), ((word, after), goes_on, last, found[at + 3][0]))
            for key, continues, behind, then in stand:
                self._times[key] += 1
                self._led[key] += led
                # “Capable of loading” is not finished without what is done.
                waits = behind not in STOP_WORDS or behind in _ARTICLES
                self._continued[key] += continues and (waits or (behind == "of" and then.endswith("ing")))

    def headings(self) -> list[str]:
        """Return what stands as a heading in the texts, as far as it reads as a title, in order."""
        lines = [
            match[1].strip()
            for text in self._texts
            for pattern in (_UNDERLINED, _MARKED)
            for match in pattern.finditer(text)
        ]
        return list(dict.fromkeys(
            line for line in lines if heading(line) and " " in line and not _CODE_AROUND & set(line)
        ))  # fmt: skip

    def runs(self) -> list[str]:
        """Return runs of two or three words that several of the texts hold, those of most texts first."""
        counted: Counter[tuple[str, ...]] = Counter()
        forms: dict[tuple[str, ...], Counter[str]] = {}
        for text in self._texts:
            own: set[tuple[str, ...]] = set()
            for match in _RUN.finditer(text):
                around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
                if _CODE_AROUND & set(around.rstrip(".")):
                    continue
                words = match[0].split()
                stops = [fold(word) in STOP_WORDS or len(word) < 3 for word in words]
                for length in range(2, _LONGEST + 1):
                    for at in range(len(words) - length + 1):
                        if any(stops[at : at + length]):
                            continue
                        run = words[at : at + length]
                        key = tuple(term for word in run for term in self._statistics.terms(word))
                        if len(key) < length:
                            continue
                        own.add(key)
                        forms.setdefault(key, Counter())[" ".join(run)] += 1
            counted.update(own)
        fewest = max(2.0, _SHARED * len(self._texts))
        common = sorted(
            (key for key, count in counted.items() if count >= fewest), key=lambda key: (-counted[key], key)
        )
        return [min(forms[key], key=lambda form: (-forms[key][form], form)) for key in common]

    def fitting(self, phrase: str) -> float:
        """Return how well a phrase reads as a title of the texts, apart from how distinctive it is."""
        terms = set(self._statistics.terms(phrase))
        if not terms:
            return 0.0
        count = sum(terms <= held for held in self._held)
        share = count / max(1, len(self._held))
        worth = 0.25 + share
        rare = sum(map(self._statistics.weight, terms)) / len(terms)
        worth *= min(1.0, rare / _TELLING)
        if self._others:
            there = sum(terms <= other for other in self._others) / len(self._others)
            worth *= min(1.5, (share + 0.1) / (there + 0.1)) ** 0.5
        words = phrase.split()
        if len(words) == 1:
            worth *= _COMMON if share >= _MOST and count >= _SEVERAL else _SINGLE
            worth *= 1.0 if self._is_noun(fold(words[0])) else _OPEN
        if any(terms < title for title in self._near):
            worth *= _PART if len(words) == 1 else _LONGER_PART
        return worth * self._shape(words)

    def _shape(self, words: Sequence[str]) -> float:
        """Return how much a phrase is written like a title: no code, no verb, nothing that waits for more."""
        folded = tuple(map(fold, words))
        factor = math.prod(map(self._written, words, folded))
        repeated = len(set(folded)) < len(folded)
        verb = self._is_verb(folded[0], alone=len(words) == 1)
        torn = bool({folded[0], folded[-1]} & _PREPOSITIONS)
        factor *= _VERB ** (repeated + verb + torn)
        ends = len(words) > 1 and self._ends_badly(folded)
        waits = self._waits(self._continued, folded[-2:]) or self._waits(self._led, folded[:2])
        return factor * _OPEN ** (ends + waits + (words[0] in _COUNTS))

    def _written(self, word: str, folded: str) -> float:
        """Return what a word is worth by how it is written: like code, SHOUTED, never seen."""
        known = word_vectors().word(folded) is not None or not word.isascii()
        if word.isupper() and len(word) > 3 and self._stands(rf"\b{re.escape(folded)}\b"):
            return _UNKNOWN
        if _IDENTIFIER.search(word) and not known:
            return _CODE
        return 1.0 if known or "-" in word or self._is_name(word) else _UNKNOWN

    def _stands(self, pattern: str) -> bool:
        return any(re.search(pattern, text) for text in self._texts)

    def _is_name(self, word: str) -> bool:
        """Return whether the texts write a word with a capital, also where no sentence begins."""
        return word[:1].isupper() and self._stands(rf"[a-z,] {re.escape(word)}\b")

    def _ends_badly(self, words: Sequence[str]) -> bool:
        """Return whether a phrase ends in a verb: "type matches", "object providing"."""
        last = words[-1]
        if last.endswith("ing"):
            return len(last) > 5 and not self._is_noun(last)
        return self._verbs[last] > self._nouns[last] and _inflects(last)

    def is_cut_off(self, phrase: str) -> bool:
        """Return whether another word follows wherever two words stand: "certain sensitive" (accesses)."""
        last = tuple(map(fold, phrase.split()))[-2:]
        return len(last) > 1 and 0 < self._times[last] == self._continued[last]

    def is_lone_verb(self, phrase: str) -> bool:
        """Return whether a phrase is one word that names nothing, a form of a verb: "Happened"."""
        words = phrase.split()
        if len(words) != 1 or self._is_name(words[0]):
            return False
        word = fold(words[0])
        return self._is_verb(word, alone=True) or _is_past(word)

    def _waits(self, counted: Mapping[tuple[str, ...], int], key: tuple[str, ...]) -> bool:
        """Return whether another word mostly stands on that side: "abstract base" (class)."""
        return (counted[key] + 0.5) / (self._times[key] + 1.0) > _WAITS

    def _is_noun(self, word: str) -> bool:
        """Return whether a word stands behind an article somewhere, or before "of"."""
        return bool(word[:1].isdigit() or self._nouns[word] or self._nouns[word.removesuffix("s")])

    def _is_verb(self, word: str, *, alone: bool) -> bool:
        """Return whether a word is a verb in these texts: "to prevent", "enables postponed evaluation"."""
        if self._verbs[word] > self._nouns[word]:
            return _inflects(word, "ing")
        return not alone and word.endswith("s") and not word.endswith("ss") and _inflects(word[:-1])


def _is_past(word: str) -> bool:
    """Return whether a word is known as the past form of a verb: "happened" beside "happen", "happening"."""
    table, stem = word_vectors(), word.removesuffix("ed")
    known = any(table.word(base) is not None for base in (stem, f"{stem}e"))
    return stem != word and len(stem) > 2 and known and table.word(f"{stem}ing") is not None


def _inflects(word: str, *endings: str) -> bool:
    """Return whether a word is known with the endings of a verb."""
    table = word_vectors()
    stem = word.removesuffix("s") if not word.endswith("ss") else word
    stems = {stem, stem.removesuffix("e")}
    return any(
        all(table.word(each + ending) is not None for ending in endings or ("ing", "ed")) for each in stems
    )


def best(wording: TitleQuality, distinctive: Sequence[str]) -> list[str]:
    """Return headings, phrases and runs of the texts that read as titles, the best first; then others."""
    base: dict[str, float] = {}
    for rank, phrase in enumerate(distinctive):
        base.setdefault(phrase, 1.0 / (1.0 + rank / _HALVED))
    for rank, phrase in enumerate(wording.runs()):
        base.setdefault(phrase, _RUNS / (1.0 + rank / _HALVED))
    headings = wording.headings()
    base |= dict.fromkeys(headings, 1.0)
    scored = {phrase: worth * wording.fitting(phrase) for phrase, worth in base.items()}
    names = {
        phrase
        for phrase in scored
        if phrase in headings or (reads_as_name(phrase) and not wording.is_cut_off(phrase))
    }
    return sorted(scored, key=lambda phrase: (phrase not in names, -scored[phrase], phrase))
