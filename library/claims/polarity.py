"""What a sentence denies that its passages say, or says that they deny: told by the words beside a negation.

A sentence is set beside those of its passages that hold most of its words. What follows its `not` must then
be denied there too, and what they deny must be denied here. Words that deny by their meaning (`failed to`,
`unable`) count as a denial, opposites (`open`, `closed`) are not known; where nothing can be told, nothing is
said. The words are data by language, in `library/text/data/negation.toml`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, pairwise

from library.text import tokenize as analysis
from library.text.multilingual.scripts import CJK
from library.text.multilingual.stop_words import STOP_WORDS
from library.text.quantities.quantity_data import table
from library.text.sentences import sentences

ALIGNED = 0.6
"""Share (0 to 1) of a sentence's words that a passage's sentence must hold to be set beside it."""
ALIGNED_DENIED = 0.8
"""The same where the passage denies and the sentence does not: it may rest on the other half."""
_NEARLY_BEST = 0.15
"""How much less than the best another sentence may hold."""
_REACH = 3
"""Content words after a negation that it is taken to deny; characters of pairs in Chinese."""
_SLACK = 2
"""Words that may stand between in one text more than in the other."""
_TOKEN = re.compile(
    rf"[{CJK}]|n[’']t\b|[^\W_{CJK}]+?(?=n[’']t\b)|[^\W_{CJK}]+(?:[.,:/-][^\W_{CJK}]+)*|[,;:.!?()，。；：]"
)
_GOVERNED = 10
"""The same behind a word that may deny a whole list, `avoid`; no further than its clause."""
_TO_CLAUSE = 5
"""Words behind a negation in which a clause begins that it denies as a whole."""
_CLAUSE_ENDS = frozenset(",;:.!?()，。；：")
_BEFORE, _BEHIND, _FURTHEST = 2, 3, 6
"""Words before and behind a negation that are compared word by word, and behind it at most, where the first
ones carry no meaning; of Chinese signs twice as many."""
_TURNS = 10
"""Words after a negation in which a sentence may go on to say what is so."""


@dataclass(frozen=True, slots=True)
class _Cues:
    says_no: frozenset[str]
    weaker: frozenset[str]
    governs: frozenset[str]
    opens: frozenset[str]
    finite: frozenset[str]
    no_denial: tuple[tuple[str, ...], ...]
    turned: frozenset[str]
    case: frozenset[str]
    clause: frozenset[str]
    usual: tuple[str, ...]
    wide: bool
    """Cues are characters, not words."""


@cache
def _cues(language: str) -> _Cues | None:
    words = table("negation").get(language)
    if words is None:
        return None
    split = tuple if language == "zh" else str.split
    return _Cues(
        frozenset(words["says_no"]) | ({"n't", "n’t"} if language == "en" else frozenset()),
        frozenset(words["weaker"]),
        frozenset(words.get("governs", ())),
        frozenset(words.get("opens", ())),
        frozenset(words.get("finite", ())),
        tuple(tuple(split(phrase)) for phrase in words["no_denial"]),
        frozenset(words["turned"]),
        frozenset(words.get("case", ())),
        frozenset(words.get("clause", ())),
        tuple(words.get("usual", ())),
        wide=language == "zh",
    )


@dataclass(frozen=True, slots=True)
class _Sentence:
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
def _parsed(text: str, language: str) -> _Sentence:
    cues = _cues(language)
    assert cues is not None
    words = tuple(_TOKEN.findall(text))
    small = tuple(word.casefold() for word in words)
    free = {
        at + n for phrase in cues.no_denial for at in range(len(small)) for n in range(len(phrase))
        if small[at : at + len(phrase)] == phrase
    }  # fmt: skip
    if cues.wide:
        return _wide(words, cues, free)
    denies = [
        i for i, word in enumerate(small)
        if word in cues.says_no and i not in free and not _is_label(words, i)
    ]  # fmt: skip
    weakens = [
        i for i, word in enumerate(small) if word in cues.weaker or (i in free and word in cues.says_no)
    ]
    roots = tuple(_root(word) if word not in cues.says_no else "" for word in small)
    governs = [(at, _governed_until(small, at, cues)) for at in _places(small, cues.governs)]
    governs += [(at, _clause_end(small, at)) for at in denies if _denies_clause(small, at, cues)]
    usual, cased = any(word in cues.usual for word in small), not cues.case.isdisjoint(small)
    turned = _places(small, cues.turned)
    return _Sentence(words, roots, tuple(denies), tuple(weakens), tuple(governs), turned, usual, cased)


def _wide(words: tuple[str, ...], cues: _Cues, free: set[int]) -> _Sentence:
    """Return a Chinese sentence: its tokens are signs, what they mean their pairs."""
    text = "".join(words)
    cue: set[int] = set()
    for i in range(len(words)):
        length = next((n for n in (2, 1) if "".join(words[i : i + n]) in cues.says_no), 0)
        cue.update({*range(i, i + length)} - free)
    pairs = [words[i : i + 2] for i in range(len(words))]
    roots = tuple(
        "".join(p) if _is_wide(p) and cue.isdisjoint((i, i + 1)) else "" for i, p in enumerate(pairs)
    )
    denies = tuple(sorted(i for i in cue if i + 1 not in cue))
    weakens = tuple(i for i, pair in enumerate(pairs) if "".join(pair) in cues.weaker or i in free)
    places = [0, *accumulate(map(len, words))]
    turned = tuple(i for i in range(len(words)) if text.startswith(tuple(cues.turned), places[i]))
    governs = tuple(
        (i, _governed_until(words, i, cues)) for i, pair in enumerate(pairs) if "".join(pair) in cues.governs
    )
    usual, cased = (any(word in text for word in words) for words in (cues.usual, cues.case))
    return _Sentence(words, roots, denies, weakens, governs, turned, usual, cased)


def _places(words: Sequence[str], wanted: frozenset[str]) -> tuple[int, ...]:
    return tuple(i for i, word in enumerate(words) if word in wanted)


def _governed_until(words: Sequence[str], at: int, cues: _Cues) -> int:
    """Return where the clause ends that a word governs: what stands behind it, nothing there denies.

    `To avoid delays the council repaired the bridge` does not tell where its main clause begins: there
    nothing is governed.
    """
    end = _clause_end(words, at)
    if end >= len(words) - 1 and " ".join(words[:at]) in cues.opens:
        return at
    return next((i for i in range(at + 1, end) if words[i] in cues.finite), end)


def _clause_end(words: Sequence[str], at: int) -> int:
    return next((i for i in range(at + 1, len(words)) if words[i] in _CLAUSE_ENDS), len(words))


def _denies_clause(words: Sequence[str], at: int, cues: _Cues) -> bool:
    """Tell whether a negation denies a whole clause: `it is not safe to assume that …`."""
    return not cues.clause.isdisjoint(words[at + 1 : min(at + 1 + _TO_CLAUSE, _clause_end(words, at))])


def _is_label(words: Sequence[str], at: int) -> bool:
    """Tell whether a `No` numbers something: `No. 5`."""
    return words[at] in ("No", "no") and any(word[:1].isdigit() for word in words[at + 1 : at + 3])


def _is_wide(pair: Sequence[str]) -> bool:
    return len(pair) == 2 and all(re.match(f"[{CJK}]", sign) for sign in pair)


@lru_cache(maxsize=20_000)
def _root(word: str) -> str:
    if word in STOP_WORDS or not any(c.isalnum() for c in word):
        return ""
    return analysis.stem(word)


def denied_otherwise(text: str, passages: Sequence[str], language: str) -> list[str]:
    """Return what a sentence denies and its passages say, or the reverse: each with the words that follow.

    Args:
        text: A sentence without citations.
        passages: What it rests on, in the same language.
        language: ISO 639-1 code; nothing is told of languages whose negations are not known.
    """
    if _cues(language) is None:
        return []
    for start, end in sentences(text):
        said = _parsed(text[start:end], language)
        if len(said.content) < 2:
            continue
        if found := _standing(_word_by_word(said, passages, language), passages, language):
            return found[:1]
        beside = list(_beside(said, passages, language))
        found = [
            _shown(said, at)
            for at in said.denies
            if not _turns_alone(said, at, beside)
            and _only_here(said, at, beside)
            and not _denied_anywhere(_scope(said, at)[:2], passages, language)
        ]
        if not found and not said.denies and not said.weakens:
            found += _only_there(said, [other for share, other in beside if share >= ALIGNED_DENIED])
            found += _denied_whole(said, passages, language, beside)
        if found := _standing(found, passages, language):
            return found[:1]
    return []


def _standing(found: Sequence[str], passages: Sequence[str], language: str) -> list[str]:
    """Return the denials without those in Chinese that a clause of the passages makes in its own way.

    `不跳过主要版本` beside `跳过主要版本的升级不受支持`: the signs are the same, with no denial among them,
    but what they name is not to be done.
    """
    cues = _cues(language)
    if cues is None or not cues.wide:
        return list(found)
    clauses = [clause for passage in passages for clause in _WIDE_CLAUSE.split(passage)]
    kept = []
    for words in found:
        bare = next((words[n:] for n in (2, 1) if words[:n] in cues.says_no), "")
        held = (clause for clause in clauses if len(bare) >= _LEAST_BARE and bare in clause)
        if not any(words not in clause and _parsed(clause, language).denies for clause in held):
            kept.append(words)
    return kept


_WIDE_CLAUSE = re.compile(r"[，。；！？,;\n]")
_LEAST_BARE = 3
"""Signs that are denied, at least, to be known again."""


def _word_by_word(said: _Sentence, passages: Sequence[str], language: str) -> list[str]:
    """Return what a sentence denies where a passage has the same words without a negation, or the reverse.

    However many denials the sentence holds. Nothing where a passage has those words as the sentence has them,
    or denies what stands before (`If not, …`).
    """
    others = [
        _parsed(passage[start:end], language) for passage in passages for start, end in sentences(passage)
    ]
    held = [(_row(other.words), other) for other in others]
    if any(_denies_before(other, language) for other in others):
        return []
    added = [
        _shown(said, at)
        for at, denied, bare in _around(said, language)
        if any(bare in row and _weakened(other) <= _weakened(said) for row, other in held)
        and not any(denied in row for row, _ in held)
    ]
    if added:
        return added
    row = _row(said.words)
    return [
        _shown(other, at)
        for other in others
        if _weakened(said) <= _weakened(other)
        for at, _denied, bare in _around(other, language)
        if bare in row and not any(bare in theirs for theirs, _ in held)
    ]


def _weakened(sentence: _Sentence) -> frozenset[str]:
    """Return the words of a sentence that deny by their meaning."""
    return frozenset(sentence.words[at].casefold() for at in sentence.weakens)


def _around(sentence: _Sentence, language: str) -> Iterator[tuple[int, str, str]]:
    """Yield each negation's place, with the words around it as rows: with the negation, and without."""
    cues = _cues(language)
    wide = cues is not None and cues.wide
    many = 2 if wide else 1
    words = sentence.words
    for at in sentence.denies:
        first = at - 1 if wide and cues and "".join(words[at - 1 : at + 1]) in cues.says_no else at
        ahead = [word for word in words[:first] if word not in _CLAUSE_ENDS]
        before, behind = ahead[-_BEFORE * many :], list[str]()
        for word in (word for word in words[at + 1 :] if word not in _CLAUSE_ENDS):
            enough = len(behind) >= _BEHIND * many and _meaning([*before, *behind], wide=wide) >= 2 * many
            if enough or len(behind) == _FURTHEST * many:
                break
            behind.append(word)
        # Where hardly anything stands behind it, more of what stands before.
        before = ahead[-(_BEFORE * many + max(0, _BEHIND * many - len(behind))) :]
        around = (*before, *behind)
        if before and behind and len(around) > _BEHIND * many and _meaning(around, wide=wide) >= 2 * many:
            bare = ("can",) if words[at].casefold() == "cannot" else ()
            yield at, _row((*before, *words[first : at + 1], *behind)), _row((*before, *bare, *behind))


def _meaning(words: Sequence[str], *, wide: bool) -> int:
    """Return how many words carry a meaning of their own; each sign in Chinese."""
    return len(words) if wide else sum(1 for word in words if _root(word.casefold()))


def _row(words: Sequence[str]) -> str:
    """Return words in small letters, a blank on each side of each, without marks; denials in full."""
    plain = (word.casefold().replace("’", "'") for word in words if word not in _CLAUSE_ENDS)
    full = ({"n't": "not", "cannot": "can not"}.get(word, word) for word in plain)
    return f" {' '.join(full)} "


def _beside(said: _Sentence, passages: Sequence[str], language: str) -> Iterator[tuple[float, _Sentence]]:
    """Return the sentences of passages that hold nearly as much of a sentence as the best does."""
    whole = said.content
    held: list[tuple[float, _Sentence]] = []
    for passage in passages:
        for start, end in sentences(passage):
            other = _parsed(passage[start:end], language)
            if (share := len(whole & other.content) / len(whole)) >= ALIGNED:
                held.append((share, other))
    best = max((share for share, _ in held), default=0.0)
    yield from ((share, other) for share, other in held if share >= best - _NEARLY_BEST)


def _denied_anywhere(scope: Sequence[tuple[int, str]], passages: Sequence[str], language: str) -> bool:
    """Tell whether some sentence of the passages denies a scope's first word, whatever it is about.

    As the first thing that it denies; further behind (`not necessary to set a timeout`) the second word too.
    Where it denies what stands before it (`If not, …`), nothing can be told.
    """
    wanted = [root for _distance, root in scope]
    for passage in passages:
        for start, end in sentences(passage):
            other = _parsed(passage[start:end], language)
            if _denies_before(other, language):
                return True
            for cue in other.denies:
                denied = [root for _distance, root in _scope(other, cue, _REACH + 1)]
                if wanted[:1] == denied[:1] or (len(wanted) > 1 and {*wanted} <= {*denied}):
                    return True
    return False


def _denies_before(sentence: _Sentence, language: str) -> bool:
    """Tell whether a negation ends its clause: `If not, …`."""
    cues = _cues(language)
    words = [word.casefold() for word in sentence.words]
    return cues is not None and any(
        word in cues.says_no and after in _CLAUSE_ENDS for word, after in pairwise(words)
    )


def _scope(sentence: _Sentence, at: int, most: int = _REACH) -> list[tuple[int, str]]:
    """Return what a negation denies: the content words after it, each with its distance."""
    after = [(i - at, root) for i, root in enumerate(sentence.roots) if i > at and root]
    return after[:most]


def _turns(sentence: _Sentence, at: int) -> bool:
    """Tell whether a sentence goes on after a negation to say what is so: `not by fire but by water`."""
    return any(0 < turn - at <= _TURNS for turn in sentence.turned)


def _turns_alone(said: _Sentence, at: int, beside: Sequence[tuple[float, _Sentence]]) -> bool:
    """Tell whether a sentence turns behind a negation, and what says nearly all of it does not turn so.

    `not started before this` is no turn where the source has `started before this`.
    """
    held = [{word.casefold() for word in other.words} for share, other in beside if share >= ALIGNED_DENIED]
    turns = [said.words[turn].casefold() for turn in said.turned if 0 < turn - at <= _TURNS]
    return any(not held or any(word not in words for words in held) for word in turns)


def _only_here(said: _Sentence, at: int, beside: Sequence[tuple[float, _Sentence]]) -> bool:
    """Tell whether what a sentence denies stands in its passages, and is denied in none of them."""
    scope = _scope(said, at)
    known = False
    for _share, other in beside:
        if other.usual and not said.usual:
            return False
        if any(_turns(other, cue) for cue in other.denies):
            return False
        for distance, root in scope:
            for place in (i for i, theirs in enumerate(other.roots) if theirs == root):
                known = True
                if any(0 < place - cue <= distance + _SLACK + 1 for cue in other.denies):
                    return False
                if any(abs(place - cue) <= distance + _SLACK for cue in other.weakens):
                    return False
                if any(
                    cue < place < end and place - cue <= distance + _GOVERNED for cue, end in other.governs
                ):
                    return False
    # The first word must be there: an opposite may stand in its place. It may be denied from behind (“without
    # a lamp”: “if the lamp is not lit”).
    first = scope[0][1] if scope else ""
    held = [other for _share, other in beside if first in other.content]
    behind = any(
        0 < cue - place <= _SLACK + 1
        for other in held
        for cue in other.denies
        for place, root in enumerate(other.roots)
        if root == first
    )
    return known and bool(held) and not behind


def _only_there(said: _Sentence, beside: Sequence[_Sentence]) -> list[str]:
    """Return what every passage's sentence denies and the sentence says without a denial."""
    found: list[str] = []
    for other in beside:
        denied = [
            _shown(other, at)
            for at in other.denies
            if not _turns(other, at) and _stands_in(_scope(other, at)[:2], said)
        ]
        if not denied:
            return []
        found += denied
    return found


def _denied_whole(
    said: _Sentence, passages: Sequence[str], language: str, beside: Sequence[tuple[float, _Sentence]]
) -> list[str]:
    """Return what a short sentence of the passages denies of which a sentence has all words.

    `It does not run in winter` denies `The ferry runs in winter every day`, though it holds but half of it.
    Nothing where a sentence of the passages says most of it without a denial, or what they say beside the
    denial does; nor where one tells what is so as a rule, in one case, or from some time on.
    """
    if said.turned or said.cased or any(not other.denies for _share, other in beside):
        return []
    every = [
        _parsed(passage[start:end], language) for passage in passages for start, end in sentences(passage)
    ]
    told = frozenset[str]().union(*(other.content for other in every if not other.denies))
    if len(told & said.content) >= ALIGNED * len(said.content):
        return []
    found: list[str] = []
    for other in every:
        if len(other.denies) != 1 or other.weakens or other.usual or other.turned or other.cased:
            continue
        [at] = other.denies
        behind = {root for root in other.roots[at:] if root}
        held = other.content <= said.content and 2 * len(other.content) >= len(said.content)
        if len(other.content) >= 2 and held and len(behind) >= 2:
            found.append(_shown(other, at))
    return found


def _stands_in(scope: Sequence[tuple[int, str]], said: _Sentence) -> bool:
    """Tell whether the words of a scope stand in a sentence as near to each other."""
    if len(scope) < 2:
        return bool(scope) and scope[0][1] in said.content
    (near, one), (far, other) = scope
    places = [i for i, root in enumerate(said.roots) if root == one]
    return any(other in said.roots[i + 1 : i + far - near + _SLACK + 1] for i in places)


def denies_what_is_said(text: str, sentence: str, language: str) -> bool:
    """Tell whether a sentence of a source denies, word for word, what a text says without a denial.

    However little else they share: `won't free disk space` says nothing of what frees it.
    A sentence that says what is so, too (`not by fire but by water`), is left out.
    """
    if (cues := _cues(language)) is None or (said := _parsed(text, language)).denies or said.weakens:
        return False
    other = _parsed(sentence, language)
    length, slack = (4, 0) if cues.wide else (2, _SLACK)
    scopes = [_scope(other, at, length) for at in other.denies if not _turns(other, at)]
    denied = [[root for _, root in scope] for scope in scopes if len(scope) == length]
    return any(_times(said, s, slack) and _times(other, s, slack) <= denied.count(s) for s in denied)


def _times(sentence: _Sentence, scope: list[str], slack: int) -> int:
    """Return how often content words stand in a sentence, in order and near to each other."""
    roots, (first, *rest) = [root for root in sentence.roots if root], scope
    after = [roots[n + 1 : n + len(scope) + slack] for n, root in enumerate(roots) if root == first]
    return sum([root for root in some if root in rest][: len(rest)] == rest for some in after)


def _shown(sentence: _Sentence, at: int) -> str:
    """Return a negation with the words that follow it, up to three."""
    wide = _is_wide(sentence.words[at : at + 2])
    return ("" if wide else " ").join(sentence.words[at : at + (5 if wide else 4)])
