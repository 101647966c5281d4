"""What a sentence holds for, as far as that can be told without a parser: subject, place, what narrows it.

Two sentences with the same words may speak of different things: a final and a semi-final, a part and the
whole, the plan and the outcome. What is read here tells them apart; what cannot be read is left open.
"""

import re
from functools import lru_cache

from library.claims.word_forms import irregular_verbs
from library.text import tokenize as analysis
from library.text.multilingual.stop_words import STOP_WORDS
from library.text.quantities.months import ENGLISH_MONTHS, WEEKDAYS
from library.text.quantities.number_words import ORDINALS, SMALL
from library.text.quantities.quantity_data import table

_WORDS = table("scope")["en"]
_QUALIFIERS = frozenset(_WORDS["stages"])
_NOT_A_STAGE = re.compile(
    r"\bfinal (?=cost|price|figure|toll|count|number|total|bill|result)"
    r"|\b(?:at|in) (?:the )?(?:least|most|all)\b|\b(?:each|every) other\b|\bthe other hand\b"
    r"|\b(?:first|last) (?=held|opened|built)"
    r"|\blast (?=year|month|week|night|season|winter|spring|summer|autumn)",
    re.IGNORECASE,
)
_RATE = re.compile(rf"\b(?:a|per|each|every)\s({'|'.join(_WORDS['rates'])})\b(?:\s([a-z]+))?")
_EVERY = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
} | {"annually": "year", "nightly": "night"}
"""Rates in one word."""
_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_VERB = re.compile(
    rf"(?<!the )(?<!final )(?<!total )(?<!its )(?<!a )\b(?:{'|'.join(_WORDS['finite'])}|[a-z]{{3,}}ed)\b"
)
_LEADING = re.compile(
    r"^(?:In|At|On|By|During|Among|Within|For|With|Under|Before|After|From|Near|Outside|Across|Of|Between|"
    r"According to)\s"
    r"(?P<scope>[^,.;]{1,60}?)(?=,|\s(?:the|a|an|its|their|his|her|some|about|more|over|only|it|they|one|you|we|he|she|there)\s"
    r"|\s[\d$€£]"
    r"|\s[A-Z][\w’'-]+\s(?:is|was|had|has|were|are|did)\b)"
)
_TIME = re.compile(
    rf"\b(?:\d+(?:st|nd|rd|th)?|{'|'.join((*ENGLISH_MONTHS, *WEEKDAYS, *SMALL))}|"
    r"(?:year|month|week|day|hour|minute)s?|all|total|fact|addition|time|late|early|mid|end|start|beginning|least|most|average)\b",
    re.IGNORECASE,
)
_RECURRING = re.compile(
    rf"\b(?:(?P<named>{'|'.join(word.capitalize() for word in (*ENGLISH_MONTHS, *WEEKDAYS))})s?"
    r"|(?P<part>[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter|[Mm]orning|[Nn]oon|[Aa]fternoon|[Ee]vening|[Nn]ight"
    r"|[Ww]eekday|[Ww]eekend|[Hh]oliday|[Dd]aily|[Aa]ll day|[Aa]ll year)s?"
    r"|(?P<link>[Dd]uring|[Ww]hile|[Ww]hen|[Ww]henever|[Uu]ntil|[Aa]fter|[Bb]efore|[Oo]nce|[Aa]t first))\b"
)
"""When something is so, again and again or up to some time: what holds then may not hold else."""
_PLACE = re.compile(
    r"\b(?:in|at|near|across|from|outside|of|for)\s(?:the\s)?(?P<name>[A-Z][\w’'-]+(?:\s[A-Z][\w’'-]+)*)"
)
_CASE = re.compile(r"(?:If|Unless|In case|Provided|Otherwise|Else)\b(?P<case>[^,.;]*)", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"\b({'|'.join(_WORDS['numbered'])})\s(\d{{1,3}}|[IVX]{{1,4}}|[A-D])\b(?![.,]\d)", re.IGNORECASE
)
_SINCE = re.compile(
    r"^(?:In|On|By|Since|Until|From|Around)\s(?:(?:early|late|mid|about|the)[\s-])*(?:\d{1,2}\s)?(?:[A-Z][a-z]+\s)?"
    r"(?:\d{1,2}(?:st|nd|rd|th)?,?\s)?\d{4}s?,?\s"
    r"|^(?:Last|This)\s(?:year|month|week|season|winter|spring|summer|autumn),?\s"
)
_WITH_FIGURE = re.compile(r"(?:With|At) [^,.;\d]{0,40}\d")
"""What has a figure is measured, and narrows nothing: `With a depth of 118 metres, the lake …`."""
_TELLER = re.compile(r"(?:According to|On) (?P<who>[^,]{1,60}),")
_BRACKET = re.compile(r"\s\([^()]{0,80}\)\s?")
_ADVERB = re.compile(
    r"^(?:\d{1,2}[.)]\s)?(?:[A-Z][a-z]{2,20}ly|Thus|However|Therefore|Also|Then|Hence|So|Still|Instead)(?:,\s|\s)"
)
_USUAL = re.compile(r"^(?:By default|As a rule|In general|Out of the box),?\s")
"""What tells that a sentence holds unless somebody sets it otherwise: it narrows nothing."""
_PARTICIPLES = "|".join(forms[-1].capitalize() for forms in irregular_verbs().values())
_ASIDE = re.compile(
    rf"^(?:(?:[A-Z][a-z]{{2,20}}ed|{_PARTICIPLES})\s(?:in|on|by|at|as|from)|When|While|Although|Since|As|"
    r"Due\sto|Thanks\sto|Because\sof|Despite)\b[^,.;]{1,90},\s"
)
"""What a sentence begins with and is not on: `Opened in 1871, the line …`, `When it came out, the set …`."""
_LEAD = re.compile(
    r"(?:(?:With|At)\s(?:[^,;:]|,(?=\d)){0,60}?\d(?:[^,;:]|,(?=\d)){0,60}?(?:,\s|\s(?=(?:the|its|a|an)\s))"
    rf"|(?:[A-Z][a-z]{{2,20}}ed|{_PARTICIPLES})\s(?:in|on|by|at|as|from|for|with)\s(?:[^,;:]|,(?=\s?\d)){{0,90}},\s)"
)
"""A phrase with a figure that stands before what it is on."""
_MEASURES = frozenset(_WORDS["measures"])
"""Nouns that name what is measured, not what has it."""
_DEFINITE = re.compile(rf"\b(?:[Tt]he|[Tt]his) (?!(?:{'|'.join(ORDINALS)})\b)([a-z]{{3,}})\b(?! of\b)")
_BARE = re.compile(r"\b(?:[Tt]he|[Tt]his) ([a-z]{3,})\b(?![-’'])(?: ([\w’'-]+))?")
_FINITE = frozenset(_WORDS["finite"])
_BINDS = frozenset(("of", "along", "at", "between", "from", "in", "near", "on", "over", "to", "with"))
"""What goes on behind a noun to say which one: `the path along the river`."""
_PRONOUN = re.compile(r"(?:It|Its|They|Their|He|She|His|Her|This|These|Those)\b")
_OWNED = re.compile(r"(?:Its|Their|His|Her)\b")
_ALONE = re.compile(r"(?:it|they|he|she)\b", re.IGNORECASE)
_DETERMINERS = frozenset(_WORDS["determiners"])
_PRONOUNS = frozenset(_WORDS["pronouns"])
_TELLS = re.compile(rf"\b(?:{'|'.join(_WORDS['tells'])})\b")
_LEAST_BEGINNING, _LONGEST_ENDING = 5, 4
"""Signs of words that begin alike, and by how many one may be longer."""
_WIDE_TELLS = re.compile(r"^.*?(?:公布|统计|报告|估计|显示|称|表示|认为|认定|指出)的?[，：,:]?")
_WIDE_LEAD = re.compile(r"^(?:其中|而|但|共|约|当时|目前|据悉|\d{4}年的?|\d{1,2}月的?|\d{1,2}日|[，,、])+")
_WIDE_FILL = re.compile(
    r"(?:约|近|超过|逾|达到|达|为|是|共计|合计|总计|共|了|有|仅|至少|不到|[\s，,：:]){1,40}$"
)
_WIDE_QUALIFIERS = re.compile(
    r"其中|平均|日均|人均|年均|月均|最高|最低|最大|最小|首次|第[一二三四五]|计划|预计|最后|原计划|上半年|下半年|每年|每月|每天|每周"
)


@lru_cache(maxsize=1_000)
def qualifiers(sentence: str) -> frozenset[str]:
    """Return what narrows a sentence: stages, statistics, sides, shares, rates."""
    plain = _NOT_A_STAGE.sub(" ", sentence.casefold()).replace("per cent", "percent")
    words = {_single(word) for word in _WORD.findall(plain)}
    found = {word for word in words if word in _QUALIFIERS or word in ORDINALS}
    # `a day pass` is no rate.
    found |= {f"a {unit}" for unit, after in _RATE.findall(plain) if not after or _ends_noun(after)}
    found |= {f"a {unit}" for word, unit in _EVERY.items() if word in words}
    found |= {f"{name} {number}".casefold() for name, number in _NUMBERED.findall(sentence)}
    return frozenset(found | set(_WIDE_QUALIFIERS.findall(sentence)))


def definite(sentence: str) -> frozenset[str]:
    """Return the nouns that a sentence takes for known (`the film`), in small letters."""
    return frozenset(_DEFINITE.findall(sentence))


def _single(word: str) -> str:
    """Return a stage in the singular and in its usual spelling, any other word as it is."""
    stage = word.replace("semifinal", "semi-final").replace("quarterfinal", "quarter-final")
    return stage.removesuffix("s") if stage.endswith("finals") else stage


def is_open(sentence: str) -> bool:
    """Tell whether a sentence's subject is a pronoun alone, so that it may be any."""
    return bool(_ALONE.match(_without_leading(sentence)))


def bare(sentence: str) -> frozenset[str]:
    """Return the nouns that a sentence takes for known without saying which (`the film earned`)."""
    found = _BARE.findall(sentence)
    return frozenset(noun for noun, after in found if not after or _ends_noun(after))


def _ends_noun(word: str) -> bool:
    """Tell whether a word behind a noun is no part of what it names."""
    word = word.casefold()
    if word in _BINDS:
        return False
    return word in STOP_WORDS or word in _FINITE or word.endswith("ed") or word[0].isdigit()


def goes_on(sentence: str) -> bool:
    """Tell whether a sentence speaks of what the one before it spoke of: its subject is a pronoun."""
    return bool(_PRONOUN.match(sentence))


def owned(sentence: str) -> bool:
    """Tell whether a sentence begins with what belongs to the one before it: `Its berths are full`."""
    return bool(_OWNED.match(sentence))


def figure_lead(sentence: str) -> int:
    """Return where what a sentence is on begins, behind a phrase with a figure; 0 for none."""
    lead = _LEAD.match(sentence)
    return lead.end() if lead else 0


def condition(sentence: str) -> frozenset[str] | None:
    """Return the words of the case that a sentence begins with (`If it rains, …`), None for none."""
    leading = _CASE.match(sentence)
    return frozenset(analysis.terms(leading["case"])) if leading else None


@lru_cache(maxsize=1_000)
def subject(sentence: str) -> frozenset[str]:
    """Return the words of a sentence's subject up to its head noun, folded; none where it cannot be told.

    None for a pronoun, for what names a measure, and for who only tells: `the county puts the losses at …`.
    """
    rest = _without_leading(sentence)
    verb = _VERB.search(rest)
    if verb is None or not 0 < verb.start() <= 90 or _TELLS.match(rest, verb.start()):
        return frozenset()
    noun = re.split(r"\s(?:of|in|at|on|for|from|with|to|by|that|which|who)\s|,", rest[: verb.start()])[0]
    words = [word.casefold() for word in _WORD.findall(noun)]
    if not words or words[-1] in _PRONOUNS or words[-1] in _MEASURES or words[0] in _MEASURES:
        return frozenset()
    return frozenset(_folded(word) for word in words if word not in _DETERMINERS)


def scope(sentence: str) -> frozenset[str]:
    """Return the words of a leading phrase that says where or among whom a sentence holds; no times."""
    leading = _LEADING.match(_SINCE.sub("", _USUAL.sub("", sentence)))
    if leading is None or _WITH_FIGURE.match(sentence):
        return frozenset()
    return frozenset(analysis.terms(_TIME.sub(" ", leading["scope"])))


def recurring_times(sentence: str) -> frozenset[str]:
    """Return what says when a sentence holds, in small letters: `monday`, `may`, `winter`, `during`, `until`.

    Days, months, seasons and parts of a day in the singular, and the words that lead to another time.
    """
    found = (match["named"] or match["part"] or match["link"] for match in _RECURRING.finditer(sentence))
    return frozenset(word.casefold() for word in found)


def teller(sentence: str) -> frozenset[str]:
    """Return the words of who tells it, where a sentence begins with that: `According to the survey, …`."""
    leading = _TELLER.match(sentence)
    return frozenset(analysis.terms(leading["who"])) if leading else frozenset()


def places(sentence: str) -> frozenset[str]:
    """Return the names that a sentence gives behind a preposition of place, folded."""
    return frozenset(
        term for match in _PLACE.finditer(sentence) for term in analysis.terms(_TIME.sub(" ", match["name"]))
    )


def mentioned(word: str, text: str) -> bool:
    """Tell whether a text has a word, in any of its forms: `dizzy` is one of `dizziness`."""
    words = _words(text)
    if not {word, analysis.stem(word)}.isdisjoint(words):
        return True
    return len(word) >= _LEAST_BEGINNING and any(_one_word(word, other) for other in words)


def _one_word(word: str, other: str) -> bool:
    """Tell whether two words begin alike, to the last sign but one of the shorter: `baker`, `bakery`."""
    least = max(_LEAST_BEGINNING - 1, min(len(word), len(other)) - 1)
    return word[:least] == other[:least] and abs(len(word) - len(other)) <= _LONGEST_ENDING


@lru_cache(maxsize=1_000)
def _words(text: str) -> frozenset[str]:
    words = {word.casefold() for word in _WORD.findall(text)}
    return frozenset({_folded(word) for word in words} | {analysis.stem(word) for word in words})


def _folded(word: str) -> str:
    return _single(word).removesuffix("’s").removesuffix("'s").rstrip("s") or word


def _without_leading(sentence: str) -> str:
    rest = _ASIDE.sub("", _SINCE.sub("", _ADVERB.sub("", _USUAL.sub("", _BRACKET.sub(" ", sentence)))))
    leading = _LEADING.match(rest)
    return rest[leading.end() :].lstrip(", ") if leading else rest


def before_shared(clause: str, pairs: frozenset[str]) -> str:
    """Return what stands in a Chinese clause before the first shared pair of characters: its subject.

    Times, and who tells it, are left out; empty where nothing stands there.
    """
    clause = _WIDE_LEAD.sub("", _WIDE_TELLS.sub("", clause))
    first = next((i for i in range(len(clause)) if clause[i : i + 2] in pairs), 0)
    return _WIDE_LEAD.sub("", clause[:first]).rstrip("的")


def counted(clause: str, value: str) -> str:
    """Return the two characters before a value in a Chinese clause, what it counts; empty for none."""
    before = _WIDE_FILL.sub("", clause.partition(value)[0])
    return before[-2:] if len(before) >= 2 and not before[-1].isdigit() else ""
