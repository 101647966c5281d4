"""A text without claims that stand no longer, and without what counted or leaned on them."""

import re
from collections.abc import Callable, Iterable

from library.evidence import (
    citations,
    cited_claims,
    claimed,
    is_inference,
    rewrite_citations,
    strip_citations,
    without_mark,
)

_CLAUSE_BREAKS = ",;:，；：、。.!?！？"
_LEAST_LEFT, _LEAST_WORDS = 6, 3
"""Signs of Chinese or Japanese, and words in other writing, below which nothing is said."""
_COUNTED = (
    (re.compile(r"\b(?:first|firstly|one|the most|the \w{3,30}est)\b|第一|首先|其一|一是|最", re.IGNORECASE),
     r"second|secondly|other|第二|其二|其次|二是|另一"),
    (re.compile(r"\b(?:second|secondly|two|other)\b|第二|其二|其次|二是|另一", re.IGNORECASE),
     r"third|thirdly|第三|其三|再次|三是"),
    (re.compile(r"\b(?:third|thirdly|three)\b|第三|其三|再次|三是", re.IGNORECASE),
     r"fourth|fourthly|第四|其四|四是"),
)  # fmt: skip
"""What a count goes on from, and the words that go on; of what is named (`the second pump`) it is none."""
_COUNTS_ON = tuple(
    (before, re.compile(
        rf"\s{{0,3}}(?:(?:the|an?) )?(?:{words})(?: one)?(?:[,，、]\s?|(?=\s(?:is|was|are|were)\b|[是为]))",
        re.IGNORECASE,
    ))
    for before, words in _COUNTED
)  # fmt: skip
_LED_TO = re.compile(r":\s|[：—]\s?")
LEFT_OUT = "(…)"
"""Stands where a sentence or a clause went, and what follows points back to it."""
_POINTS = re.compile(
    r"(?:it|they|he|she|this|that|these|those|its|their|his|her|such|both|the latter|the former|the two|"
    r"neither|either)\b|(?:它|他|她|这|那|此|其|该|前者|后者|两者|二者)",
    re.IGNORECASE,
)
"""Begins what means nothing without what stood before it; a mere connection (`However`) does not."""
_JOINS = re.compile(
    r"(?:and|but|so|yet|or|hence|thus|therefore|nor)\b,?\s*|(?:而且|并且|但是|因此|所以|于是|而|并|且|但)",
    re.IGNORECASE,
)
_HANGS = re.compile(
    r"(?:which|who|whose|whom|where|because|since|as|if|when|while|although|though|unless|until|once|whether|"
    r"so that|after|before|than|not|rather|including|such as|except|even if|provided)\b|"
    r"(?:如果|若|当|因为|由于|虽然|尽管|即使|除非|只要|为了|包括)",
    re.IGNORECASE,
)
"""Begins a clause that says nothing without its main one."""
_OPENS = re.compile(
    r"(?:after|before|when|while|as|if|because|since|although|though|unless|until|once)\b[^,;:.]{4,200},\s|"
    r"(?:如果|若|当|因为|由于|虽然|尽管|即使|除非|只要)[^，；：。]{2,80}，",
    re.IGNORECASE,
)
"""Begins a sentence whose main clause stands behind a comma: `After the war, …`."""
_ENDED = re.compile(r"[;:；：]")
"""Ends what a sentence of its own may follow."""
_LEADS = re.compile(
    r"(?:(?:^|\W)(?:because|since|so|that|as|for|while|although|though|whereas|and|but)|因为|由于|所以|因此)[\s,，]*$",
    re.IGNORECASE,
)
"""Ends the head of a sentence that a clause of its own follows: `It had to fail, because …`."""
_REASON = re.compile(r"(?:because|since)\s+(?!of\b)(?=(?:[\w’'-]+\s){4})|(?:因为|由于)", re.IGNORECASE)
"""Begins the reason of what was said before it, a sentence of its own behind that word; `since the war,` is
none."""
_JOINED_ON = re.compile(
    r"(?:\b(?:and|but|so|yet|or|hence|thus|therefore|nor|because|since|while|although|though|whereas)"
    r"|而且|并且|但是|因此|所以|因为|由于)$",
    re.IGNORECASE,
)
"""Ends what somebody names of a sentence, and begins the clause behind it."""
_PARTING = re.compile(r"[\s,;，；、]*")
"""Stands between two clauses, on both sides of the word that joins them."""
_GOES_ON = re.compile(r"(?:and|or|nor|then)\b|而且|并且|[而并且和]", re.IGNORECASE)
"""Begins what may be half a clause: the verb may stand before it."""
_WITHIN = re.compile(r"\b(?:it|they|them|its|their)\b|[它其]")
"""Points back within a clause, so that what was cut may be what it meant."""
_MARK = 15
"""Characters within which the mark of a conclusion stands that begins there."""
_CITATION = r"\[p\d+(?:, p\d+)*\]"
_OWN_CITATIONS = re.compile(rf"^(?:[{_CLAUSE_BREAKS}\s]|{_CITATION})+")
"""Of a clause that something follows, with the signs that part the two."""
_CITED = re.compile(rf"{_CITATION}\s*")
_BETWEEN = rf"\s(?:{_CITATION}\s?){{0,9}}"
"""Between two words that follow each other, in a pattern."""
_WORDS = re.compile(r"[^\W\d_]+")
_WIDE = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")


def without_claims(
    text: str, claims: Iterable[str], sentences: Callable[[str], list[tuple[int, int]]]
) -> str:
    """Return a text without the sentences that make one of these claims, whatever they cite.

    A claim that is a clause of a longer sentence goes alone, with the mark of a conclusion, where what is
    left is still a sentence; else all of it goes. What counts on from there (`The second is …`) loses its
    count, or goes where it would say nothing without. Where what follows points back to what went (`It …`),
    a mark (`LEFT_OUT`) stands in its place: else it would point to something else.

    Args:
        text: With citations.
        claims: Sentences or clauses, with citations and marks or without.
        sentences: Finds the spans of a text's sentences (`library.text.sentences.sentences`).
    """
    gone = {claimed(claim).casefold(): claimed(claim) for claim in claims}
    if not gone:
        return text
    kept: list[str] = []
    counts = False
    missed = False
    """Whether what stood right before went, and was itself what a pronoun would point to."""
    for claim in cited_claims(text, sentences):
        whole = claimed(claim).casefold() in gone
        left = "" if whole else _without_clauses(claim, gone.values())
        counts = counts or left != claim
        if counts and left == claim:
            left = _uncounted(left, "".join(kept))
        if left and missed and _POINTS.match(left.lstrip()):
            space = left[: len(left) - len(left.lstrip())]
            left = f"{space}{LEFT_OUT} {left.lstrip()}"
        kept.append(left)
        if claim.strip():
            missed = not left and (missed or not _POINTS.match(claim.lstrip()))
    return "".join(kept).strip()


def whole_clause(words: str) -> str:
    """Return a clause of a sentence, word for word, without what joins it to its neighbours (`, …, and`)."""
    return _PARTING.sub("", _unparted(_JOINED_ON.sub("", _unparted(words))), count=1)


def _unparted(words: str) -> str:
    """Return words without what parts them from the next; looked for from behind, where it stands once."""
    return _PARTING.sub("", words[::-1], count=1)[::-1]


def told_by_itself(claim: str) -> str:
    """Return a claim as it can be told alone; '' of half a clause, which says nothing without the rest."""
    words = claimed(claim).strip()
    if _GOES_ON.match(words) or _HANGS.match(words):
        return ""
    joined = _JOINS.match(words)
    words = whole_clause(words[joined.end() :] if joined else words).rstrip(":：")
    return words if _says_much(words) else ""


def _without_clauses(sentence: str, clauses: Iterable[str]) -> str:
    """Return a sentence without some of its clauses; '' where no sentence is left."""
    for clause in clauses:
        words = clause.strip(f"{_CLAUSE_BREAKS} ")
        at = sentence.find(words) if words else -1
        if at < 0 or words == sentence.strip():
            if claimed(sentence).casefold() == claimed(clause).casefold():
                return ""  # what is left of it was taken back later
            sentence = _without_words(sentence, words)
            continue
        before = sentence[:at].rstrip()
        bare = strip_citations(before).rstrip()
        behind = sentence[at + len(words) :]
        # The mark right behind a clause is its own; further on it marks what stays.
        own = strip_citations(behind).lstrip(f"{_CLAUSE_BREAKS} ")
        behind = without_mark(behind) if own[:1] in tuple("(（") and is_inference(own[:_MARK]) else behind
        if not bare and _LEADS.search(words) and (rest := _on_its_own(behind)):
            sentence = rest
            continue
        if bare and bare[-1] not in _CLAUSE_BREAKS:  # it begins within a clause
            sentence = _without_words(sentence, words)
            continue
        sentence = _joined(bare, before, behind)
    return sentence


def _without_words(sentence: str, words: str) -> str:
    """Return a sentence with a mark in the place of words within it, citations between them or not.

    Of fewer than say anything alone nobody can tell what the rest would mean: it stays as it is.
    """
    parts = [re.escape(part) for part in words.split()]
    if len(parts) < _LEAST_WORDS or not _says_much(words):
        return sentence
    found = re.search(rf"(?<!\w){_BETWEEN.join(parts)}(?!\w)", sentence)
    return f"{sentence[: found.start()]}{LEFT_OUT}{sentence[found.end() :]}" if found else sentence


def _on_its_own(told: str) -> str:
    """Return what followed a clause at a sentence's head as a sentence; '' where it is none."""
    ended, told = _ENDED.match(told), _OWN_CITATIONS.sub("", told)
    begins = ended is not None and _OPENS.match(told) is not None
    if (reason := _REASON.match(told)) and citations(told):
        told = told[reason.end() :]  # what a source says stands though what was drawn from it goes
    if (_HANGS.match(told) and not begins) or not _says_much(strip_citations(told)):
        return ""
    joined = _JOINS.match(told)
    told = told[joined.end() :] if joined else told
    clause = re.split(f"[{_CLAUSE_BREAKS}]", told, maxsplit=1)[0]
    mark = f"{LEFT_OUT} " if _POINTS.match(told) or _WITHIN.search(clause) else ""
    return f"{mark}{told[:1].upper()}{told[1:]}"


def _joined(bare: str, before: str, behind: str) -> str:
    """Return what stands before a clause and behind it as a sentence; '' where it is none.

    Args:
        bare: What stands before it, without citations.
        before: The same with them.
        behind: What stands behind it, its stop and citations with it.
    """
    after = strip_citations(behind).strip()
    rest = after.lstrip(f"{_CLAUSE_BREAKS} ")
    if after and after[0] not in _CLAUSE_BREAKS:
        # It ends within a clause: a gap tells so, where what a source says would go with it.
        loses = strip_citations(behind) != behind and not _HANGS.match(after) and len(after) > len(bare)
        return f"{before}{' ' if before else ''}{LEFT_OUT}{behind}" if loses and _says_much(after) else ""
    if not rest:
        # What it was the end of stands, but for what only leads to it.
        stands = bare[-1:] not in (":", "：") and not _hangs_alone(bare)
        told = before.rstrip(",;:，；：、 ")
        return _own_citations_alone(told, behind) if stands and _says_much(bare) else ""
    if bare:
        mark = "" if bare[-1] in ";；" and after[0] in ";；" else f" {LEFT_OUT}"
        return f"{before}{mark}{behind}" if mark else f"{before}{behind.lstrip().lstrip(';；')}"
    return _on_its_own(behind)


def _own_citations_alone(before: str, behind: str) -> str:
    """Return what stands before a clause and its stop: where that cites, what the clause cites goes."""
    if not _ending_citations(before):
        return f"{before}{behind}"
    left = rewrite_citations(behind, lambda _ids: "")
    return f"{before}{left.lstrip(' ') if left.strip() else ''}"


def _ending_citations(text: str) -> set[str]:
    """Return the ids that a text's last citations name, where nothing stands behind them."""
    ids: set[str] = set()
    end = 0
    for cited in _CITED.finditer(text):
        ids = set(citations(cited[0])) | (ids if cited.start() == end else set())
        end = cited.end()
    return ids if end == len(text) else set()


def _hangs_alone(words: str) -> bool:
    """Tell whether what is left is one clause that hangs on another: `If the gate opens,`."""
    return bool(_HANGS.match(words.lstrip())) and not re.search("[,，;；]", words.rstrip(_CLAUSE_BREAKS))


def _says_much(words: str) -> bool:
    """Tell whether some words are enough for a sentence."""
    wide = len(_WIDE.findall(words))
    return wide >= _LEAST_LEFT or len(_WORDS.findall(words)) >= _LEAST_WORDS


def _uncounted(sentence: str, before: str) -> str:
    """Return a sentence without a count whose beginning is gone; '' where it would say nothing without."""
    for begun, counts_on in _COUNTS_ON:
        if (counted := counts_on.match(sentence)) is None or begun.search(strip_citations(before)):
            continue
        rest = sentence[counted.end() :]
        if counted[0].rstrip()[-1] not in ",，、":
            led = _LED_TO.search(rest)
            rest = rest[led.end() :] if led else ""
        space = sentence[: len(sentence) - len(sentence.lstrip())]
        return f"{space}{rest[:1].upper()}{rest[1:]}" if _says_much(strip_citations(rest)) else ""
    return sentence
