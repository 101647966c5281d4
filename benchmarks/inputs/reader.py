"""A deterministic reader in the model's seat: each reply is made of what the request shows, and nothing else.

It picks the sentences that fit what is asked by the words they share, writes what it is shown, and judges by
overlap. So what a request leaves out can never come into the report, and what is measured is the program:
which evidence it put before the model, and what became of it. It has no skill of its own; a task that it does
not know is filled by its schema (`tests.model_answers`).
"""

import html
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from library.text import STOP_WORDS, sentences, terms
from tests.model_answers import PIECES, Filler
from tests.model_server import Asked

_BODY = r"([^<\n]*(?:(?:\n(?!</)|<(?!/))[^<\n]*)*)"
_BLOCK = re.compile(rf"<passage\b([^<>]*)>\n{_BODY}\n</passage>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_NUMBERED = re.compile(r'^Section n="(\d+)":', re.MULTILINE)
_REFUSED = re.compile(r'^Sentence n="(\d+)":', re.MULTILINE)
_JUDGED = re.compile(r"^\s*(\d+)[.):]\s*(.+)$", re.MULTILINE)
_WORDS = re.compile(r"about (\d+) words")
_CITED = re.compile(r"\[(p\d+)\]")
_THING = re.compile(r"^\[([pt]\d+)\] (.+)", re.MULTILINE)
_MAPPED = re.compile(r"^ *- (n\d+): (.+)", re.MULTILINE)
_NODE = re.compile(r"^(n\d+), ", re.MULTILINE)
_ANSWERED, _NOTED, _ENOUGH, _WORDY = 8, 4, 4, 40


class Shown:
    """What one request shows."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.passages: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        title = ""
        for attributes, body in _BLOCK.findall(text):
            named = dict(_ATTRIBUTE.findall(attributes))
            title = html.unescape(named.get("title") or named.get("source") or title)
            for identity in re.findall(r"p\d+", named.get("id", "")):
                self.passages[identity] = html.unescape(body)
                self.titles[identity] = title
        self.sentences = [
            (identity, sentence)
            for identity, body in self.passages.items()
            for sentence in _whole(body)
        ]
        held = [set(terms(sentence)) for _identity, sentence in self.sentences]
        counted = Counter(term for each in held for term in each)
        self._weight = {t: math.log(1 + len(held) / n) for t, n in counted.items()}
        self._terms = held

    def block(self, kind: str) -> str:
        """Return what the blocks of a kind hold, an empty text when there is none."""
        found = re.findall(rf"<{kind}\b[^<>]*>\n{_BODY}\n</{kind}>", self.text)
        return html.unescape("\n".join(found))

    def best(self, about: str, most: int, beside: Iterable[str] = ()) -> list[tuple[str, str]]:
        """Return the sentences that share most with something, none twice, each with the ids that hold it.

        Args:
            about: What they are chosen for.
            most: At most so many.
            beside: Texts whose sentences are not taken again.
        """
        wanted = set(terms(about))
        told = " ".join(beside)
        homes: dict[str, list[str]] = {}
        scores: dict[str, float] = {}
        for (identity, sentence), held in zip(self.sentences, self._terms, strict=True):
            if sentence in told:
                continue
            homes.setdefault(sentence, []).append(identity)
            shared = sum(self._weight[t] for t in held & wanted)
            scores[sentence] = shared / math.sqrt(4 + len(held))
        chosen = sorted(scores, key=lambda s: (-scores[s], s))[:most]
        fitting = [sentence for sentence in chosen if scores[sentence]]
        return [(sentence, "".join(f"[{i}]" for i in homes[sentence][:3])) for sentence in fitting]


def _whole(body: str) -> list[str]:
    """Return the sentences of a passage that are shown whole."""
    found = [" ".join(body[a:b].split()) for a, b in sentences(body)]
    return [s for s in found if "…" not in s and len(s) > _WORDY and not s.startswith("#")]


def _said(chosen: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{sentence} {cited}" for sentence, cited in chosen)


def _content(text: str) -> list[str]:
    words = re.findall(r"[^\W_]{3,}", text)
    return [w for w in dict.fromkeys(words) if w.lower() not in STOP_WORDS]


def _move(shown: Shown) -> dict[str, Any]:
    """Search once more where little fits; else answer with what fits best, and note the next."""
    question, expert = shown.block("question"), shown.block("you")
    about = f"{question} {shown.block('topic')}"
    fitting = shown.best(about, _ANSWERED + _NOTED, [shown.block("discussion")])
    left = re.search(r"Rounds of acting left: (\d+)", shown.text)
    acts = bool(left and int(left[1])) and len(fitting) < _ENOUGH and "<rounds" not in shown.text
    query = " ".join([*_content(question), *_content(expert)[:4]])
    action = {"kind": "search", "query": query, "where": [], "url": "", "code": "", "passages": []}
    notes = [
        {"kind": "fact", "text": sentence, "passages": _CITED.findall(cited)}
        for sentence, cited in fitting[_ANSWERED:]
    ]
    return {
        "thought": "", "actions": [action] if acts else [], "notes": notes, "drop": [], "ask": [], "more": 0,
        "answer": "" if acts else _said(fitting[:_ANSWERED]) or "The passages do not say.",
    }  # fmt: skip


def _panel(shown: Shown) -> dict[str, Any]:
    """Seat an expert for each of the sources that come first, with what its first sentence speaks of."""
    wanted = re.search(r"Choose (\d+) experts", shown.text)
    titles = list(dict.fromkeys(shown.titles.values()))
    experts = []
    for n in range(int(wanted[1]) if wanted else 3):
        title = titles[n % len(titles)] if titles else shown.block("topic")
        first = next((s for i, s in shown.sentences if shown.titles[i] == title), title)
        about = _content(first)[:6] or _content(title)
        experts.append({
            "name": f"Reader of {' '.join(_content(title)[:4]) or n + 1}", "role": f"reads on {title}",
            "focus": " ".join(about), "terms": about,
            "question": f"{shown.block('topic').rstrip('?')}: what of {', '.join(about[:4])}?",
        })  # fmt: skip
    return {"experts": experts}


def _question(shown: Shown) -> dict[str, Any]:
    """Ask of what is shown and shares least with what was asked."""
    asked = f"{shown.block('asked')} {shown.block('discussion')}"
    known = set(terms(asked))
    held = [(set(terms(sentence)), sentence) for _identity, sentence in shown.sentences]
    fresh = sorted(held, key=lambda each: len(each[0] & known) / (1 + len(each[0])))
    words = _content(fresh[0][1])[:6] if fresh else []
    return {
        "question": f"{shown.block('topic').rstrip('?')}: what of {', '.join(words)}?" if words else "",
        "search": " ".join(words), "why": "nobody has spoken of it",
    }  # fmt: skip


def _verdict(shown: Shown) -> dict[str, Any]:
    answer = set(terms(_CITED.sub("", shown.block("answer"))))
    asked = set(terms(shown.block("question")))
    fits = bool(shown.passages) and (not asked or len(answer & asked) / len(asked) >= 0.2)
    missing = "" if fits else f"nothing is said of {' '.join(sorted(asked - answer)[:4])}"
    judged = dict.fromkeys(("definite", "complete", "fresh", "sourced"), True)
    return {"answers": fits, **judged, "missing": missing}


def _section(text: str) -> list[str]:
    """Write a section of what its passages say: what fits its heading and notes, then the rest."""
    shown = Shown(text)
    words = _WORDS.search(text)
    notes = shown.block("notes")
    rest = int(words[1]) if words else 200
    heading = re.search(r'^(?:Section n="\d+"|This section): (.+)$', text, re.MULTILINE)
    about = f"{heading[1] if heading else ''} {notes}"
    chosen = []
    fitting = shown.best(about, len(shown.sentences))
    homes: dict[str, str] = {}
    for identity, sentence in shown.sentences:
        homes[sentence] = homes.get(sentence, "") + f"[{identity}]"
    others = [(s, cited) for s, cited in homes.items() if s not in {said for said, _cited in fitting}]
    for sentence, cited in [*fitting, *others]:
        if rest <= 0:
            break
        rest -= len(sentence.split())
        chosen.append((sentence, cited))
    order = {sentence: n for n, (_i, sentence) in enumerate(shown.sentences)}
    return [_said(sorted(chosen, key=lambda each: order[each[0]]))] if chosen else []


def _sections(shown: Shown) -> dict[str, Any]:
    parts = _NUMBERED.split(shown.text)
    named = zip(parts[1::2], parts[2::2], strict=True)
    return {"sections": [
        {"n": int(n), "opening": "", "paragraphs": _section(f'Section n="{n}":{text}'), "tables": []}
        for n, text in named
    ]}  # fmt: skip


def _answer(shown: Shown) -> dict[str, Any]:
    """Answer what was asked with the sentences that share most with it."""
    asked = re.search(r"What was asked: (.+)", shown.text)
    chosen = shown.best(asked[1] if asked else shown.text, _ENOUGH + 2)
    return {"found": bool(chosen), "paragraph": _said(chosen), "unsaid": []}


def _outline(shown: Shown) -> dict[str, Any]:
    """Keep the map's branches as sections; what stands nowhere has none."""
    branches = re.findall(r"^\s*- (.+?): (p\d+(?:, p\d+)*)$", shown.block("map"), re.MULTILINE)
    return {
        "outline": [
            {"heading": title, "purpose": "", "words": 40 * len(ids.split(", ")), "passages": ids.split(", ")}
            for title, ids in branches
        ],
        "aside": [],
    }


def _gaps(shown: Shown) -> dict[str, Any]:
    """Drop the points most of whose terms one sentence holds."""
    gaps, answered = [], []
    for n, point in _JUDGED.findall(shown.block("points")):
        wanted = set(terms(point))
        least = 0.6 * max(len(wanted), 1)
        holding = [i for i, sentence in shown.sentences if len(wanted & set(terms(sentence))) >= least]
        if holding:
            answered.append({"n": int(n), "passages": holding[:2]})
        else:
            gaps.append(point)
    return {"gaps": gaps[:5], "answered": answered}


def _left_out(shown: Shown) -> dict[str, Any]:
    """Tell of each passage the first sentence, behind all that stands."""
    last = max((int(n) for n, _line in _JUDGED.findall(shown.block("report"))), default=1)
    first = dict(reversed(shown.sentences))
    told = [(sentence, f"[{identity}]") for identity, sentence in first.items()]
    return {"also": [], "add": [{"after": last, "text": _said([one])} for one in told], "aside": []}


def _supports(shown: Shown) -> dict[str, Any]:
    verdicts = []
    for n, line in _JUDGED.findall(shown.text):
        said = set(terms(_CITED.sub("", line)))
        held = {t for i in re.findall(r"\bp\d+\b", line) for t in terms(shown.passages.get(i, ""))}
        fits = not said or len(said & held) / len(said) >= 0.7
        verdicts.append({"n": int(n), "support": "supported" if fits else "unsupported", "words": ""})
    return {"verdicts": verdicts}


def _repairs(shown: Shown) -> dict[str, Any]:
    parts = _REFUSED.split(shown.text)
    return {"sentences": [
        {"n": int(n), "text": _said(shown.best(text, 1))}
        for n, text in zip(parts[1::2], parts[2::2], strict=True)
    ]}  # fmt: skip


def _placed(shown: Shown) -> dict[str, Any]:
    """Put each thing under the node whose title shares most with how it begins, else at the top."""
    nodes = [(node, set(terms(title))) for node, title in _MAPPED.findall(shown.text)]
    choices = []
    for identity, text in _THING.findall(shown.text):
        held = set(terms(text))
        node, shared = max(((n, len(t & held)) for n, t in nodes), key=lambda each: each[1], default=("", 0))
        choices.append({"id": identity, "node": node if shared else "n0", "new": None})
    return {"choices": choices}


def _titles(shown: Shown) -> dict[str, Any]:
    parts = _NODE.split(shown.text)
    topic = {w.lower() for w in _content(shown.text.partition("\n")[0])}
    titles, taken = [], set[str]()
    for identity, text in zip(parts[1::2], parts[2::2], strict=True):
        body = html.unescape(" ".join(re.findall(rf"<texts>\n{_BODY}\n</texts>", text)))
        words = [w for w in _content(body) if w.lower() not in topic | taken][:3] or [identity]
        taken |= {w.lower() for w in words}
        titles.append({"id": identity, "title": " ".join(words).capitalize()})
    return {"titles": titles}


def _topic_title(shown: Shown) -> dict[str, Any]:
    topic = re.search(r"asked for with the words: (.+)", shown.text)
    return {"title": topic[1] if topic else "Report"}


_TASKS: Sequence[tuple[frozenset[str], Callable[[Shown], Any]]] = [
    (frozenset({"answer", "actions"}), _move),
    (frozenset({"experts"}), _panel),
    (frozenset({"question", "search", "why"}), _question),
    (frozenset({"answers", "definite"}), _verdict),
    (frozenset({"sections"}), _sections),
    (frozenset({"paragraph", "unsaid"}), _answer),
    (frozenset({"outline", "aside"}), _outline),
    (frozenset({"gaps", "answered"}), _gaps),
    (frozenset({"also", "add", "aside"}), _left_out),
    (frozenset({"lacks", "beside"}), lambda _s: {"lacks": [], "beside": [], "unsaid": []}),
    (frozenset({"verdicts"}), _supports),
    (frozenset({"sentences"}), _repairs),
    (frozenset({"choices"}), _placed),
    (frozenset({"titles"}), _titles),
    (frozenset({"edits"}), lambda _s: {"edits": []}),
]
"""By what an output must have: how it is made of what is shown. The first that fits."""


def _made(text: str, properties: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
    for named, make in _TASKS:
        if named <= properties.keys():
            return make(Shown(text))
    if properties.keys() == {"title"}:
        return _topic_title(Shown(text))
    if properties.keys() == {"text"}:
        return {"text": _said(Shown(text).best(text, 1))}
    return Filler(text).fill(schema)


def read(asked: Asked) -> Any:
    """Return the reply to a request, as the fields of its output."""
    schema = asked.schema or {}
    properties = schema.get("properties", {})
    pieces = PIECES.split(asked.material)
    if len(pieces) == 1:
        return _made(asked.material, properties, schema)
    replies = {}
    for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
        own = properties[name]
        if "$ref" in own:
            own = schema["$defs"][own["$ref"].rpartition("/")[2]]
        replies[name] = _made(text, own.get("properties", {}), {**own, "$defs": schema.get("$defs", {})})
    return replies
