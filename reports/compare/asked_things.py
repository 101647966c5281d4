"""Does a topic ask to set things side by side: `A or B?`, `A vs B vs C`, `the difference between A and B`.

What is read is a guess by form: who uses it asks the sources whether they name the things at all.
"""

import re

from library.text import STOP_WORDS, is_cjk
from library.text import words as words_of

_MOST_WORDS = 4
"""Words of a thing's name where nothing but `or` tells where it begins and ends."""
_MOST = 6
"""Things that are set side by side."""
_READ = 500
"""Characters of a topic that are read: one that goes on for longer has said by then what it compares."""
_VERSUS = re.compile(r"\s(?:vs?\.?|versus)\s", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\b(?:differences?|choos\w+|choice|comparison|decid\w+)\s(?:is\s|are\s)?between\s(?P<list>.+)"
    r"|\bcompar(?:e|es|ing|ison\sof)\s(?P<compared>.+)",
    re.IGNORECASE,
)
_AGAINST = re.compile(r"\s(?P<how>with|to|against)\s", re.IGNORECASE)
_JOINED = re.compile(r",?\s(?:and|or|with|to|against)\s|,\s", re.IGNORECASE)
_OR = re.compile(r",?\sor\s", re.IGNORECASE)
_APART = re.compile(r"[?:;]|,(?!\s)")
"""What parts the things that `or` joins from what stands before them."""
_STOPS = re.compile(r"[?,:;]")
_OPENS = re.compile(
    r"^.*\b(?:use|uses|using|choose|prefer|take|buy|pick|get|learn|need|install|run|is|are|be|was|were|than|better|"
    r"cheaper|faster|safer|should|of|between|with|for|a|an|the|what|which|who|whether|either)\s",
    re.IGNORECASE,
)
"""What stands before the first of things that `or` joins."""
_ENDS = re.compile(
    r"\s(?:for|in|on|at|when|if|as|to|by|with|from|under|better|best|the\sbetter|cheaper|faster|regarding|considering)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_NO_NAME = re.compile(r"(?:to|that|those)\s", re.IGNORECASE)
"""What no thing's name begins with: `to copy`, `that of Paris`."""
_ARTICLE = re.compile(r"^(?:a|an|the|either|both)\s", re.IGNORECASE)
_ASKS = re.compile(r"which|what", re.IGNORECASE)
_ENDS_IN_ARTICLE = re.compile(r"\b(?:a|an|the)\s$", re.IGNORECASE)
_BY = re.compile(
    r"\b(?:in\sterms\sof|with\sregard\sto|with\srespect\sto|regarding|compared\sby|judged\sby|as\sto)\s(?P<by>[^?.]+)",
    re.IGNORECASE,
)
_WIDE = re.compile(
    r"(?:比较|对比|比较一下)?(?P<one>[^，。？?、的]{1,20}?)(?:还是|和|与|跟|对比)(?P<other>[^，。？?、的]{1,20}?)"
    r"(?=哪|的(?:区别|差别|不同|异同|比较)|有什么(?:区别|不同)|，|？|[?]|$)"
)
_WIDE_OPENS = re.compile(r"^.*(?:应该|应当|该|选择|选用|使用|选|用|是)")
_WIDE_ASKS = re.compile(r"还是|哪|区别|差别|不同|异同|比较|对比")


def things_to_compare(topic: str) -> list[str]:
    """Return the things that a topic asks to set side by side, two to six; none where it does not."""
    text = " ".join(_beginning(topic).split()).rstrip(" ?？.!")
    if any(map(is_cjk, text)):
        return _wide_things(text)
    asked = _BY.sub("", text).rstrip(" ,")
    if _VERSUS.search(asked):
        parts = _VERSUS.split(asked)
        parts = [parts[0].rpartition(":")[2], *parts[1:-1], re.split(r"[:,;]", parts[-1])[0]]
        return _things([*parts[:-1], _ENDS.sub("", parts[-1])], most=2 * _MOST_WORDS)
    if named := _BETWEEN.search(asked):
        listed = re.split(r"[:;]", named["list"] or named["compared"])[0]
        against = _compared(listed) if named["compared"] else None
        return _things(against or _JOINED.split(_ENDS.sub("", listed)), most=2 * _MOST_WORDS)
    if topic.rstrip().endswith("?") and (joined := _OR.search(asked)):
        before = _APART.split(asked[: joined.start()])[-1].split(", ")
        # `Which is better, A or B`: what stands before the comma is no thing.
        if len(before) > 1 and _ASKS.match(before[0]):
            del before[0]
        last = _ARTICLE.sub("", _ENDS.sub("", _STOPS.split(asked[joined.end() :])[0]))
        things = [*(_begun(part, len(last.split())) for part in before), last]
        # `Use it to copy or move files`: what is joined are deeds.
        return [] if any(" to " in f" {thing} " for thing in things) else _things(things, most=_MOST_WORDS)
    return []


def asked_respects(topic: str) -> list[str]:
    """Return in which respects a topic asks to compare, as far as it says (`in terms of price and size`)."""
    named = _BY.search(topic)
    if named is None:
        return []
    parts = (_ARTICLE.sub("", part.strip()) for part in _JOINED.split(named["by"].rstrip(" ?")))
    return [part for part in parts if part]


def _beginning(topic: str) -> str:
    """Return as much of a topic as is read, without a word that is cut."""
    return topic if len(topic) <= _READ else topic[:_READ].rpartition(" ")[0] or topic[:_READ]


def _compared(listed: str) -> list[str] | None:
    """Return what `compare A with B` names; None where something else joins the things."""
    against = _AGAINST.search(listed)
    if against is None or _JOINED.search(listed[: against.start()]):
        return None
    one, other = listed[: against.start()], listed[against.end() :]
    if against["how"].casefold() == "to" and _AGAINST.search(other):
        return [
            listed
        ]  # `trips to Rome with trips to Paris`, `A to B with examples`: nothing tells which joins
    # `Rents in Rome with rents in Paris`: what would be cut off tells the one from the other.
    return [one, *_JOINED.split(other if _ENDS.search(one) else _ENDS.sub("", other))]


def _begun(part: str, count: int) -> str:
    """Return the thing that a part ends with: behind an article, or as many words as the last."""
    opened = _OPENS.match(f"{part} ")
    rest = part[opened.end() :] if opened else part
    words = rest.split()
    told = opened is not None and _ENDS_IN_ARTICLE.search(opened[0]) is not None
    return " ".join(words if told and len(words) <= count + 1 else words[-max(1, count) :])


def _things(parts: list[str], most: int) -> list[str]:
    found = list(dict.fromkeys(thing for part in parts if (thing := _ARTICLE.sub("", part.strip(" ,\"“”'")))))
    if not 2 <= len(found) <= _MOST or any(not _names(thing, most) for thing in found):
        return []
    return found


def _names(thing: str, most: int) -> bool:
    """Tell whether words may name a thing: few, and one at least that says something."""
    if _NO_NAME.match(thing):
        return False
    said = words_of(thing)
    return 0 < len(said) <= most and any(word not in STOP_WORDS and not word.isdigit() for word in said)


def _wide_things(text: str) -> list[str]:
    found = _WIDE.search(text) if _WIDE_ASKS.search(text) else None
    if found is None:
        return []
    pair = [_WIDE_OPENS.sub("", found["one"]).strip(), found["other"].strip()]
    return pair if all(pair) and pair[0] != pair[1] else []
