"""Can a sentence stand where the one before it is not quoted? More is asked of it than that it is whole.

What is no sentence by itself (the rest of one that was cut at `U.S.`, one whose quotation marks do not match)
is not quoted at all; what points back (`He vowed…`, `In 2010 it was sold`) stands only behind the sentence
that it points to.
"""

import re
from functools import lru_cache

from library.claims import names
from library.passages import leans

_BROUGHT_IN = re.compile(
    r"^(?:In|On|At|By|During|After|Before|Since|For|From|Under|With|Without|Despite|Although|Though|Because|As|"
    r"When|While|If|Once|Until|Following|According|Throughout|Within|Upon|Through|Of|To|Among|Between)\b"
)
_BACK = re.compile(
    r"\b(?:he|she|him|his|her|hers|they|them|their|theirs|it|its|these|the latter|the former|the same)\b"
)
_SUBJECT = re.compile(r",\s(?:it|he|she|they)$")
"""Who does what is told, behind what it was brought in with: no name that stands further on is meant."""
_NAMED_NEXT = re.compile(r",\s+(?:the\s+)?[A-Z]")
"""A name after the comma: `During her career, Yeoh…` points forward."""
_OPENS_BACK = re.compile(
    r"^(?:each|others|another|neither|none|all|some|most|many|several|one|two|three|few)(?: others?)? "
    r"(?:of (?:them|these|those|his|her|their|its)\b|was\b|were\b|had\b|have\b|has\b|\w+ed\b)|^others\b|"
    r"^another \w+s that\b|"
    r"^(?:one of (?:these|those)|as such|after (?:this|that)|in response[,.]|in return|in turn|to this end|"
    r"because of this|at (?:that|this) (?:time|point)|on that day|by then|until then|in (?:this|that|such) |"
    r"for (?:this|that) (?:reason|purpose)|as well as \w+ing|among them|according to (?:him|her|them)\b)|"
    # Somebody goes on talking: what was said before is what this answers to.
    r"^(?:well|ok|okay|so|now|anyway|still|again|yes|no|indeed|of course), |^(?:好|那么|总之|当然)，|"
    r"^(?:随后|之后|后来|当时|与此同时|为此|对此|如此|于是|不过|可是|并且|以上|上述|前者|后者|两者)",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"(?<!\w)(?:(?:this|these|(?:all|one|none|each) of (?:this|those)|the said) (?P<thing>[a-z]{3,40})"
    r"|(?P<sign>这一|这些|该项|上述))",
)
"""What a sentence calls so within it was named before."""
_OWN_TIME = re.compile(
    r"(?<!\w)(?:in |during |by )?this (?:year|month|week|season|spring|summer|autumn|winter|morning|evening|"
    r"century|decade)(?![\w'’]),?\s*",
    re.IGNORECASE,
)
"""When something is told, which needs no sentence before it: `This year the yield fell`."""
_OPENS_LATER = re.compile(
    r"^(?:later|subsequently|eventually|finally|afterwards?|(?:in |at |on )?the (?:same|following|next)|"
    r"the latter|the former)\b",
    re.IGNORECASE,
)
_MENTIONED = re.compile(
    r"\b(?:the|that) (?:same|following|next|previous) (?:day|year|month|week|time|date)\b|"
    r"\b(?:the|that) same (?:place|district|area|village|town|city)\b|"
    r"\bthat (?:day|night|year|month|week|morning|evening)\b(?!,? \w+ (?:was|were|had))"
)
_SPEAKER = re.compile(
    r"(?:^|[,;:—–] ?|\b(?i:that|and|but|so|as|if|when|because|what|like|think|know) )"
    r"I(?:['’](?:m|ve|d|ll))?(?= [a-z])"
    r"|\b(?:my|me|myself)\b"
)
"""Somebody speaks, and nobody says who."""
_SAID = re.compile(
    r"\b(?:he|she|they) (?:also )?(?:said|says|added|adds|told|wrote|explained|stated|continued)\b"
)
_QUOTED = re.compile(r"“[^“”\"]*[”\"]|‘[^“‘”\"]*[”\"]|\"[^”\"]*[”\"]")
_SHORT = r"v|vs|No|Nos|Gen|Sen|Rep|Gov|Lt|Col|Maj|Fr|Rev|Hon"
_CUT_BEFORE = re.compile(rf"(?:\b(?:[A-Z]\.){{2,9}}|\b(?:{_SHORT})\.)\s*$")
_CUT_AFTER = re.compile(rf"\b(?:{_SHORT}|approx|ca|St)\.$")
_CLOCK = re.compile(r"^(?:EDT|EST|CDT|CST|MDT|MST|PDT|PST|CEST|CET|GMT|UTC|BST|local time)\b")
"""What is left of `8:24 a.m. EDT` where it was cut in two."""
_EDITORS = re.compile(
    r"\[(?:citation needed|clarification needed|who\?|when\?|according to whom\?|\d{1,3}|edit|…)\]",
    re.IGNORECASE,
)


@lru_cache(maxsize=4_096)
def in_first_person(text: str) -> bool:
    """Tell whether somebody speaks of themselves, outside of what is quoted."""
    return bool(_SPEAKER.search(_QUOTED.sub(" ", text)))


@lru_cache(maxsize=4_096)  # what may be quoted is looked at for the plan, and for the report
def points_back(text: str, *, speaker_known: bool = False) -> bool:
    """Tell whether a sentence means nothing without the one before it.

    Args:
        text: The sentence.
        speaker_known: It is plain who says “I” in it: whoever keeps the notes.
    """
    if leans(text) or _OPENS_BACK.match(text):
        return True
    told = _QUOTED.sub(" ", text)
    said = _SAID.search(told)
    if not speaker_known and in_first_person(text):
        return True
    return said is not None and not names(f"x {told[: said.start()]}")


@lru_cache(maxsize=4_096)
def looks_back(text: str) -> bool:
    """Tell whether a sentence only hints at what stood before it: `In 1999 she…`, `Later…`.

    It may stand where what it is about is plain, but not at the head of a paragraph.
    """
    if _OPENS_LATER.match(text) or _MENTIONED.search(text):
        return True
    if not _BROUGHT_IN.match(text):
        return False
    back = _BACK.search(text)
    if back is None or names(f"x {text[: back.start()]}"):
        return False
    return bool(_SUBJECT.search(text[: back.end()])) or _NAMED_NEXT.search(text, back.end()) is None


_THERE_IS = re.compile(r"^There (?:is|are|was|were|has been|have been)\s", re.IGNORECASE)
"""Says that something is, and points to nothing."""


def takes_up(text: str) -> bool:
    """Tell whether a sentence speaks of what another has named: `It…`, `It was denied, so this point…`."""
    text = _THERE_IS.sub("", _OWN_TIME.sub("", text))
    text = text[:1].upper() + text[1:]
    if points_back(text) or looks_back(text):
        return True
    told = _QUOTED.sub(" ", text)
    named = (found for found in _THIS.finditer(told) if found["thing"] or found["sign"])
    # `The court heard two appeals; these appeals…` names what it speaks of itself.
    return any(
        found["sign"] or found["thing"].lower() not in told[: found.start()].lower() for found in named
    )


@lru_cache(maxsize=4_096)
def whole(before: str, text: str) -> bool:
    """Tell whether a sentence is one: not the rest of another, no editors' marks, quotation marks in pairs.

    Args:
        before: What stands before it in its passage.
        text: The sentence.
    """
    return not (
        _CLOCK.match(text)
        or _CUT_BEFORE.search(before)
        or _CUT_AFTER.search(text)
        or _EDITORS.search(text)
        or not _paired(text)
    )


def _paired(text: str) -> bool:
    """Tell whether straight quotation marks open and close in turn."""
    opens = True
    for i, sign in enumerate(text):
        if sign != '"':
            continue
        if opens and i and not (text[i - 1].isspace() or text[i - 1] in "([—–-/'‘“:"):
            return False
        if not opens and text[i - 1].isspace():
            return False
        opens = not opens
    return True
