"""Which language a text is in: by its script, and for Latin and Cyrillic letters by its commonest words."""

import re
from collections import Counter
from functools import lru_cache

from library.text.multilingual.scripts import HAN, HANGUL, KANA

_SAMPLE = 4000
_KNOWN = 500
"""Samples whose language is kept: the same texts are held against one question after another."""
_SCRIPTS = (
    ("ja", re.compile(f"[{KANA}]")),
    ("ko", re.compile(f"[{HANGUL}]")),
    ("zh", re.compile(f"[{HAN}]")),
    ("ar", re.compile("[\u0620-\u064a]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("el", re.compile("[\u0391-\u03c9]")),
    ("hi", re.compile("[\u0904-\u0939]")),
    ("th", re.compile("[\u0e01-\u0e2e]")),
)
_ASIAN = frozenset(("zh", "ja", "ko"))
"""Whose letters say about as much as three Latin ones."""
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_WORD = re.compile(r"[^\W\d_]+")

_COMMON = {
    "en": "the of and to in is that for was on with as it by from at are this an be were which not has have "
    "how what why when where who does do did can should will their they there between during",
    "de": "der die und das ist nicht mit von den dem des ein eine für auf im sich auch als wird werden wie "
    "warum ich kann man meine meiner zum zur bei nach oder über unter",
    "fr": "le la les et des une est dans pour que qui sur avec pas au aux du ce cette sont il elle un par "
    "comment pourquoi quel quelle je mes mon",
    "es": "el la los las de que y en un una por con para del se es no como más su al lo fue "
    "cómo qué cuál dónde cuándo quién mis puedo",
    "it": "il lo la gli di che e è un una per con del della dei nel sono non si come anche alla "
    "perché dove quale posso",
    "pt": "o a os as de que e em um uma por com para do da não se no na mais como foi dos das",
    "nl": "de het een van en in is dat niet zijn op met voor die er aan ook naar wordt bij",
    "sv": "och att det som en är av för på med den till inte har ett om var",
    "da": "og at det er en af til på med for den ikke som der har et var fra",
    "pl": "w i na z się do nie jest że to o jak za po od dla przez który",
    "cs": "a v se na je že s z do to i o pro jako by jsou nebo",
    "tr": "ve bir bu da de için ile olarak olan çok daha ne gibi sonra kadar",
    "id": "yang dan di dengan untuk dari pada ini dalam itu tidak ke adalah oleh",
    "vi": "và của là các được trong cho một có không với những này đã",
    "ru": "и в не на что с по как это из за от для он она был его",
    "uk": "і в не на що з та як це до за від для він вона був його",
}
_CYRILLIC_LANGUAGES = frozenset(("ru", "uk"))
_LANGUAGES_OF: dict[str, list[str]] = {}
for _language, _words in _COMMON.items():
    for _word in _words.split():
        _LANGUAGES_OF.setdefault(_word, []).append(_language)


def detect(text: str) -> str:
    """Return the ISO 639-1 code of the language that most of a text is in; "en" when unsure.

    Only the first 4,000 characters are looked at. Japanese is told from Chinese by its kana: one in twenty
    of the characters is enough, since Japanese text always carries some.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return _by_words(sample)
    counts = _by_script(sample)
    # A Chinese character says about as much as three Latin letters.
    letters = max(len(_LATIN.findall(sample)), len(_CYRILLIC.findall(sample)))
    script = max(counts, key=lambda language: counts[language])
    weight = 3 if script in _ASIAN else 1
    if counts[script] * weight > letters:
        return script
    return _by_words(sample)


def topic_language(topic: str, otherwise: str = "en") -> str:
    """Return the language to speak of a topic in: its own on clear evidence, else `otherwise`.

    A script of its own is clear, also one that joins foreign words: "Python 的 import 怎样找到 modules？". Of
    Latin and Cyrillic letters, names are no evidence: "Los Angeles wildfires", "Notre Dame de Paris fire" and
    "Die Hard" are English topics. So two different function words of a language are needed that English has
    not, written small or first before a small word, and more of them than English ones; or one, and an accent
    that English has not.
    """
    sample = topic[:_SAMPLE]
    script = detect(sample)
    if script not in _COMMON or script in _CYRILLIC_LANGUAGES:
        return script
    words = [match[0] for match in _WORD.finditer(sample)]
    # In their order: of two languages that fit as well, the same in every process.
    small = dict.fromkeys(
        word.lower()
        for word, following in zip(words, [*words[1:], ""], strict=False)
        if word.islower() or (word is words[0] and following.islower())
    )
    english = {word for word in small if "en" in _LANGUAGES_OF.get(word, ())}
    asian = {language: n for language, n in _by_script(sample).items() if language in _ASIAN}
    joining = max(asian, key=lambda language: asian[language])
    if not english and asian[joining] >= max(3, sum(bool(_LATIN.search(word)) for word in words)):
        return joining
    accented = any(not word.isascii() for word in words)
    found = Counter(
        language
        for word in small
        if word not in english
        for language in _LANGUAGES_OF.get(word, ())
        if language != "en"
    )
    if not found:
        return otherwise
    # Of two that have as many of the words, the one that the words as a whole speak for.
    best = max(found, key=lambda language: (found[language], language == script))
    enough = found[best] >= (1 if accented and not english else 2)
    return best if enough and found[best] > len(english) else otherwise


def _by_script(sample: str) -> dict[str, int]:
    """Count the letters of each script by the language it is of; Chinese ones beside kana are Japanese."""
    counts = {language: len(pattern.findall(sample)) for language, pattern in _SCRIPTS}
    if counts["ja"] * 20 >= counts["zh"] and counts["ja"] > 0:
        counts["ja"] += counts["zh"]
        counts["zh"] = 0
    return counts


@lru_cache(maxsize=_KNOWN)
def _by_words(sample: str) -> str:
    found: Counter[str] = Counter()
    for word, times in Counter(_WORD.findall(sample.lower())).items():
        languages = _LANGUAGES_OF.get(word, ())
        for language in languages:
            found[language] += times * (6 // len(languages) if len(languages) <= 6 else 1)
    if not found:
        return "ru" if _CYRILLIC.search(sample) and not _LATIN.search(sample) else "en"
    best, score = max(found.items(), key=lambda item: (item[1], item[0] == "en"))
    return best if score > found["en"] or best == "en" else "en"
