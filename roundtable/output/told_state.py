"""What is told of a session as it stands: who has the word, how far it is, what it has spent, its map."""

from collections.abc import Callable
from typing import Any

from library.text import catalogue, translated
from mindmap import MindMap
from roundtable.journal.fold.state import State
from roundtable.journal.fold.state_slices import WRITER
from roundtable.journal.session_phrases import session_phrases
from roundtable.journal.source_updates import UPDATE
from roundtable.output.clean import clean_line
from roundtable.output.outputs import summed

_OWN = ("moderator", "person", WRITER, UPDATE)
"""Speakers that are no experts: how they are called is said in the language of whoever is told."""


class ToldState:
    """A session's state, and what prints parts of it in the language of whoever is told."""

    def __init__(self, language: str, state: State) -> None:
        """Tell a state.

        Args:
            language: The code of the language to tell it in; empty: the session's own.
            state: Of the session, which may go on.
        """
        self.state = state
        self._language = language
        self._names: dict[str, str] = {}
        """Of experts, by the slug."""
        self._others = False
        """Whether somebody with a name takes part, beside whoever is told."""

    @property
    def language(self) -> str:
        """The code of the language that it is told in."""
        return self._language or self.state.language

    @property
    def say(self) -> Callable[..., str]:
        """What prints a text of the catalogue in the language of whoever is told."""
        return catalogue(self.language, "terminal").say

    def translated(self, text: str) -> str:
        """Return what the program said in English, an error perhaps, in the language of whoever is told."""
        return translated(clean_line(text), self.language)

    def name(self, slug: str) -> str:
        """Return a speaker's name as shown."""
        return clean_line(self._names.get(slug) or (self.say(slug) if slug in _OWN else slug))

    def _named(self, slug: str, name: str) -> str:
        """Return a name that was written down; the session's word for the moderator or the person is ours."""
        words = session_phrases(self.state.language)
        own = {"moderator": words.moderator, "person": words.person}.get(slug)
        return self.say(slug) if name == own else clean_line(name)

    def at_work(self) -> dict[str, str]:
        """Return those who have the word: slug, and what they are asked."""
        if self.state.status in {"stopped", "ended"}:
            return {}
        return {call.speaker: self._question(call.question) for call in self.state.running()}

    def turn(self) -> str:
        """Print how many turns the table has taken, of how many: `3 of 12 turns`; once it is over, `9 turns`.

        What a person says, and what answers them, is no part of what was planned.
        """
        n, limit = self.state.counted, self.state.limit
        if self.state.status == "ended" or not limit or n > limit:
            return self.say("turns", n=n)
        return self.say("turn_of", turn=n, limit=limit)

    def spent(self) -> str:
        """Print what has been spent so far in one line."""
        state, used, say = self.state, summed([cost.usage for cost in self.state.usage]), self.say
        parts = [say("searches", n=len(state.work.searches))]
        parts += [say("sources_read", n=sum(not s.computed for s in state.evidence.sources.values()))]
        if used["requests"]:
            parts += [say("requests", n=used["requests"]), say("tokens", n=used["tokens"])]
            parts.append(say("cost_unknown") if used["cost"] is None else f"${used['cost']:.4f}")
        minutes, seconds = divmod(int(state.time.worked), 60)
        return " · ".join([*parts, f"{minutes}:{seconds:02d}"])

    def writing(self) -> str:
        """Print how far the report is while it is written; an empty text at any other time."""
        if self.state.status != "closed":
            return ""
        sections = [clean_line(s.heading) for s in self.state.writing.sections]
        last = next((heading for heading in reversed(sections) if heading), "")
        return self.say("writing_sections", n=len(sections), last=last) if last else self.say("writing")

    def _by(self, slug: str, key: str, **values: Any) -> str:
        """Print a text about a speaker; its values are cleaned."""
        clean_values = {k: clean_line(v) if isinstance(v, str) else v for k, v in values.items()}
        if slug == "person" and self._others:  # what is read and searched for them does not say for whom
            return self.say(key, name=self.say("somebody"), **clean_values)
        if slug == "person" and f"{key}_you" in catalogue(self.language, "terminal").texts:
            key = f"{key}_you"
        return self.say(key, name=self.name(slug), **clean_values)

    def _question(self, identity: str | None) -> str:
        known = self.state.agenda.questions.get(identity or "")
        return clean_line(known.text) if known else ""

    def map_lines(self, most: int) -> list[str]:
        """Return the map as a tree of at most so many lines: deeper levels only as they fit."""
        if len(self.state.map) == 1:
            return []
        for depth in range(5, 0, -1):
            lines = self._tree(self.state.map, depth)
            if len(lines) <= most:
                return lines
        return [*lines[: most - 1], self.say("and_more", n=len(lines) - most + 1)]

    def _tree(self, tree: MindMap, depth: int) -> list[str]:
        lines: list[str] = [clean_line(tree.title(tree.root), 80)]

        def grow(node: str, before: str, left: int) -> None:
            children = tree.children(node)
            for place, child in enumerate(children):
                last = place == len(children) - 1
                held = sum(len(tree.passages(below)) for below in tree.walk(child))
                count = f"  ({self.say('passages', n=held)})" if held else ""
                lines.append(f"{before}{'└─ ' if last else '├─ '}{clean_line(tree.title(child), 70)}{count}")
                if left > 1:
                    grow(child, before + ("   " if last else "│  "), left - 1)

        grow(tree.root, "", depth)
        return lines
