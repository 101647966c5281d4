"""What a model proposes to do is checked before it is done; each refusal is a notice for the next round."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from agents.research.moves.actions import Action
from agents.research.moves.respond import ActionDraft, Move
from library import Passage, citations, look_url, on_the_web

LONGEST_QUERY = 400
"""Characters."""
LONGEST_CODE = 4_000
_URL = re.compile(r"https?://[^\s<>\"'\])}，。；）】」]+")
_CLOSING = ".,;:!?"


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the research so far allows."""

    pages: Collection[str]
    """Urls that a search gave."""
    passages: Mapping[str, Passage]
    """What was admitted, by id: found in this research or by anybody before it."""
    places: Sequence[str]
    unrelated: frozenset[str] = field(default_factory=frozenset)
    """Places that gave nothing fitting for this question."""
    computes: bool = False
    looks: bool = False

    def target(self, url: str) -> str | None:
        """Return the url to read: one that was found, that stands in a passage, or a passage's own source."""
        if url in self.pages:
            return url
        if opened := self.opened(url):
            return self.passages[opened].url
        known = {p.url for p in self.passages.values()}
        return url if url in known or url in self.written() else None

    def opened(self, url: str) -> str:
        """Return the id of the admitted passage that a reading names instead of a url; '' for none."""
        named = citations(f"[{url.strip('[]')}]") if not url.startswith("http") else []
        return next((i for i in named if i in self.passages), "")

    def written(self) -> set[str]:
        """Return the urls that stand in passages of the web, letter for letter, of sites that a search gave.

        A page may lead on within such a site; it may not send whoever obeys it to one of its own choice, and
        what stands in the user's own documents is asked of nobody.
        """
        known = {_site(url) for url in [*self.pages, *(p.url for p in self.passages.values())]}
        texts = (p.text for p in self.passages.values() if "http" in p.text and not p.private)
        urls = {url.rstrip(_CLOSING) for text in texts for url in _URL.findall(text)}
        return {url for url in urls if _site(url) and _site(url) in known}


def _site(url: str) -> str:
    """Return the scheme, host and port of a web address, nothing for any other or with a user name."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    web = parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
    return f"{parts.scheme}://{parts.netloc.casefold()}" if web else ""


def allowed_actions(
    drafts: Sequence[ActionDraft], allowed: Allowed, most: int
) -> tuple[list[Action], list[str]]:
    """Turn a model's proposals into actions that may run, and say what is refused and why."""
    actions: list[Action] = []
    refused: list[str] = []
    for draft in drafts[: 4 * most]:
        action = _read_draft(draft, allowed)
        if isinstance(action, str):
            refused.append(action)
        elif (action.key, action.opens) not in {(a.key, a.opens) for a in actions}:
            actions.append(action)
    refused += [f"not run, {most} actions are the most in a round: {a.line}" for a in actions[most:]]
    if len(drafts) > 4 * most:
        refused.append(f"not run, {most} actions are the most in a round; there were {len(drafts)}")
    return actions[:most], refused


def is_answer(move: Move) -> bool:
    """Tell whether a move answers; one that does nothing at all counts as an (empty) answer.

    One that takes notes or asks without acting is a round of thought: models that call tools do that.
    """
    return bool(move.answer.strip()) or not (move.actions or move.notes or move.ask or move.drop)


def rests_on_snippets(move: Move, passages: Collection[str], pages: Collection[str]) -> bool:
    """Tell whether an answer rests on nothing that was read, while pages were found that could be."""
    return bool(pages) and not any(i in passages for i in citations(move.answer))


def _read_draft(draft: ActionDraft, allowed: Allowed) -> Action | str:
    match draft.kind.strip().casefold():
        case "search":
            return _search(draft, allowed)
        case "read":
            named = draft.url.strip()
            url = allowed.target(named)
            if url is None:
                return f"not read, no search and no page has given this url: {draft.url[:200]}"
            opens = "" if named in allowed.pages else allowed.opened(named)
            return Action(kind="read", url=url, query=_line(draft.query), opens=opens)
        case "look" if allowed.looks:
            url = allowed.target(draft.url.strip())
            if url is None or not on_the_web(url):
                return f"not looked at, no search and no page has given this url: {draft.url[:200]}"
            return Action(kind="read", url=look_url(url), query=_line(draft.query))
        case "compute" if allowed.computes:
            return _compute(draft, allowed)
        case kind:
            more = [*(["look"] if allowed.looks else []), *(["compute"] if allowed.computes else [])]
            *first, last = ["search", "read", *more]
            kinds = f"{', '.join(first)} and {last}"
            return f"there is no action named {kind[:40]!r}; there are {kinds}"


def _search(draft: ActionDraft, allowed: Allowed) -> Action | str:
    query = _line(draft.query)
    if not query:
        return "a search without words"
    where = tuple(name for name in dict.fromkeys(draft.where) if name in allowed.places)
    unknown = [name for name in draft.where if name not in allowed.places]
    if unknown and not where:
        known = ", ".join(allowed.places)
        return f"not searched, there is no place {unknown[0][:60]!r}; there are: {known}"
    if set(where) >= set(allowed.places):
        where = ()
    if not allowed.unrelated:
        return Action(kind="search", query=query, where=where)
    left = tuple(name for name in where or allowed.places if name not in allowed.unrelated)
    if not left:
        return f"not searched, nothing there fitted this question before: {', '.join(where)}"
    return Action(kind="search", query=query, where=left)


def _compute(draft: ActionDraft, allowed: Allowed) -> Action | str:
    code = draft.code.strip()
    if not code:
        return "a computation without code"
    if len(code) > LONGEST_CODE:
        return f"not computed, the code is longer than {LONGEST_CODE} characters"
    ids = [i for name in draft.passages for i in citations(f"[{name.strip('[]')}]")]
    named = tuple(i for i in dict.fromkeys(ids) if i in allowed.passages)
    if not named:
        return "not computed, name the passages that the numbers come from"
    return Action(kind="compute", query=_line(draft.query), code=code, passages=named)


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST_QUERY]
