"""How long the opening may be, and what becomes of what it has no room for.

Who reads nothing else reads this: 120 to 200 words, and some more where the steps of a way are asked for,
which stand behind the answer. A writer that wrote more is asked once to shorten it. What is still far too
much, the last first, since it stands in the order of its weight, goes to the sections: nothing that decides
here knows what answers, so that a third more is better than a part of the answer less.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from library import is_inference
from library.passages import word_count
from library.text import asks_how
from models import Statistics
from reports.cite.lead_ins import led_to, left_out
from reports.document import Section, Sentence
from reports.extract.sentence_context import takes_up
from reports.plan.layout import LITTLE_MORE, said_by, says_no_more
from reports.settings import ReportSettings
from reports.tasks.prompt_texts import told_length

_WORDS = {"article": (120, 200), "faq": (120, 200), "outline": (100, 180), "brief": (60, 120)}
_STEPS = 60
"""Words that an answer may have beyond those where it is asked how something is done."""
_PREPARES = re.compile(
    r"\bwhat (?:must|should|shall|can|do) (?:i|we|you|one)\b.{0,20}\b(?:do|prepare|set up|take)\b|"
    r"\b(?:which|what) way (?:do|should|must|can) (?:i|we|you|one)\b|(?:做|准备)(?:什么|些什么|哪些)",
    re.IGNORECASE,
)
"""Asks for what has to be done, without asking how."""
_WARNS = re.compile(
    r"\b(?:must not|do not|don[’']t|never|may not|beware|make sure|(?:way|going|roll(?:s|ed)?) back)\b"
    r"|\b(?:if|once|after) (?:\w+ ){1,4}(?:fails?|failed|failure|breaks?|goes wrong)\b|^(?:Write nothing|No )"
    r"|不要|不得|切勿|不可|不能|务必|失败|出错|损坏[后之时]|恢复",
    re.IGNORECASE,
)
"""Says what must not be done, or what to do when something has failed."""
_LONGEST, _FAR_TOO_LONG = 1.1, 1.33
"""How much longer than asked for an answer may be before it is sent back, and before anything has to leave
it: what a reader misses there weighs more than some words."""
_FULL = 0.85
"""Share of its length from which on who adds to an answer is told how long it is."""


def words_asked(settings: ReportSettings, topic: str, *, adds: bool = False) -> tuple[int, int]:
    """Return how many words an answer has at least and at most, by its report's style and what was asked.

    `adds`: it is written again with what it lacked, for which there is some room more.
    """
    least, most = _WORDS[settings.style]
    most += _STEPS if _asks_for_steps(topic) else 0
    return least, round(_LONGEST * most) if adds else most


def _asks_for_steps(topic: str) -> bool:
    return asks_how(topic) or _PREPARES.search(topic) is not None


def length_of(sentences: Sequence[Sentence]) -> float:
    """Return the words of an answer, but of code."""
    return sum(word_count(s.text) for s in sentences if s.form != "code")


def too_long(
    answer: Section, topic: str, language: str, settings: ReportSettings, *, adds: bool = False
) -> list[str]:
    """Return what must be said to the writer of an answer that is much longer than asked for, if it is.

    `adds`: it lacks something, too.
    """
    words, most = length_of(answer.sentences), words_asked(settings, topic, adds=adds)[1]
    if words <= words_asked(settings, topic, adds=True)[1]:
        return []
    steps = ", steps included" if any(s.form == "step" for s in answer.sentences) else ""
    said = f"It has {told_length(round(words), language)}{steps}; {told_length(most, language)} are the most."
    said += " What weighs least goes: the sections tell it."
    if steps and _asks_for_steps(topic):
        said += " Steps are kept, each as short as it can be."
    return [said]


def nearly_full(answer: Section, topic: str, language: str, settings: ReportSettings) -> list[str]:
    """Return what must be said to whoever adds to an answer that has little room left, if it has.

    What it is too long by would leave it, and that may be what was asked for most.
    """
    words, most = length_of(answer.sentences), words_asked(settings, topic, adds=True)[1]
    if words < _FULL * words_asked(settings, topic)[1] or too_long(answer, topic, language, settings):
        return []
    said = f"It has {told_length(round(words), language)}; {told_length(most, language)} are the most"
    said += ": what comes in takes the place of what weighs least"
    return [f"{said}, a whole point rather than a reason, a condition or who says what."]


def fitted(
    answer: Section,
    sections: Sequence[Section],
    topic: str,
    parts: Sequence[str],
    settings: ReportSettings,
    statistics: Statistics,
) -> tuple[Section, list[Section]]:
    """Return the answer within its length, and the sections with what had to leave it.

    The first sentence stays, and of each part of the question the one that answers it best; where it is asked
    how something is done, all steps stay. A conclusion goes after all that is none: it tells what the others
    come to. A sentence goes with those that take up what it names, steps with all others of their list; what
    goes keeps its order.

    Args:
        answer: As it may stand; one that is not far too long stays as it is.
        sections: As they may stand; without any the answer stays as it is.
        topic: What was asked.
        parts: Of what was asked; empty for one thing.
        settings: The style of the report.
        statistics: Compares texts.
    """
    least, most = words_asked(settings, topic)
    told, found = answer.sentences, list(sections)
    if length_of(told) <= _FAR_TOO_LONG * most or not any(section.sentences for section in found):
        return answer, found
    stay = {0, *_answering_best(told, [topic, *parts], statistics)}
    gone, left, moved = set[int](), list(told), list[range]()
    last_first = list(reversed(_units(told)))
    for unit in sorted(last_first, key=lambda unit: _weighs(told, unit)):
        length = length_of(left)
        if length <= _LONGEST * most:
            break
        if _asks_for_steps(topic) and any(told[n].form == "step" for n in unit):
            continue
        leads = led_to(told, unit[0]) and not any(told[n].form == "step" for n in unit)
        if stay.intersection(unit) or leads:
            continue
        without = left_out(told, gone.union(unit))
        if least <= length_of(without) < length:
            gone, left = gone.union(unit), without
            moved.append(unit)
    for unit in sorted(moved, key=lambda unit: unit.start):
        found = _taken_over([told[n] for n in unit], found, statistics)
    return answer.model_copy(update={"sentences": left}), found


def _weighs(sentences: Sequence[Sentence], unit: range) -> tuple[bool, bool]:
    """Return what makes sentences leave later: that they warn, or tell of a way back; then conclusions."""
    texts = [sentences[n].text for n in unit]
    return any(map(_WARNS.search, texts)), any(map(is_inference, texts))


def _units(sentences: Sequence[Sentence]) -> list[range]:
    """Return places of sentences that go together.

    Code with its step, what takes up what stood before, all steps of a list with what leads to them.
    """
    first, in_steps = list[int](), False
    for n, sentence in enumerate(sentences):
        if sentence.form == "step":
            goes_on, in_steps = in_steps or (n > 0 and bool(led_to(sentences, n - 1))), True
        elif sentence.form == "code" or (in_steps and sentence.form == "prose" and not sentence.paragraph):
            goes_on = True
        else:
            goes_on, in_steps = takes_up(sentence.text), False
        if n == 0 or not goes_on:
            first.append(n)
    return [range(a, b) for a, b in pairwise([*first, len(sentences)])]


def _answering_best(sentences: Sequence[Sentence], asked: Sequence[str], statistics: Statistics) -> list[int]:
    """Return the place of the sentence that fits each of what was asked best, where one fits at all."""
    texts = [sentence.text for sentence in sentences]
    found = []
    for part in asked:
        fits = [round(fit, 6) for fit in statistics.relevance(part, texts)]
        if fits and max(fits) > 0:
            found.append(fits.index(max(fits)))
    return found


def _is_told(sentence: Sentence, sections: Sequence[Section]) -> bool:
    """Tell whether sections say what a sentence says, in one sentence or in several on the same passages."""
    held = [s for section in sections for s in section.sentences]
    own = set(sentence.citations)
    each = said_by(s for s in held if own.intersection(s.citations))
    whole = set[str]().union(*(ids for ids, _ in each)), set[str]().union(*(words for _, words in each))
    return says_no_more(sentence, said_by(held), LITTLE_MORE) or says_no_more(sentence, [whole], LITTLE_MORE)


def _taken_over(unit: Sequence[Sentence], sections: list[Section], statistics: Statistics) -> list[Section]:
    """Return the sections with sentences that none of them says, at the end of the one nearest to them."""
    if all(_is_told(sentence, sections) for sentence in unit):
        return sections
    cited = {i for sentence in unit for i in sentence.citations}
    texts = [" ".join([section.heading, *(s.text for s in section.sentences)]) for section in sections]
    near = [round(fit, 6) for fit in statistics.relevance(" ".join(s.text for s in unit), texts)]
    shared = [len(cited & {i for s in section.sentences for i in s.citations}) for section in sections]
    best = max(range(len(sections)), key=lambda n: (bool(sections[n].sentences), shared[n], near[n], -n))
    steps = sum(sentence.form == "step" for sentence in unit) > 1
    moved = [
        sentence.model_copy(update={"paragraph": n == 0 or (steps and sentence.paragraph)})
        if steps or sentence.form == "code"
        else sentence.model_copy(update={"paragraph": n == 0, "form": "prose", "step": 0})
        for n, sentence in enumerate(unit)
    ]
    own = sections[best]
    at = _behind(own.sentences, cited)
    grown = own.model_copy(update={"sentences": [*own.sentences[:at], *moved, *own.sentences[at:]]})
    return [*sections[:best], grown, *sections[best + 1 :]]


def _behind(sentences: Sequence[Sentence], cited: set[str]) -> int:
    """Return the place for a paragraph that comes in: behind the last one that shares what it cites.

    Not between a list or code and what leads to it, nor behind a last sentence that leads to a table.
    """
    ends = [n for n in range(1, len(sentences)) if sentences[n].paragraph and sentences[n].form == "prose"]
    ends = [n for n in ends if not led_to(sentences, n - 1)]
    near = [n for n in ends if cited.intersection(sentences[n - 1].citations)]
    last = len(sentences)
    leads = bool(sentences) and sentences[-1].text.rstrip().endswith((":", "："))
    return near[-1] if near else ends[-1] if leads and ends else 0 if leads else last
