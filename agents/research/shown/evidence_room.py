"""The room of a prompt, filled with passages: which are shown, and how much of each."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import inf

from agents.tasks import show_passages
from library import Passage
from library.passages import ARGUED, WHOLE, holds_list, parted, untold, whole_or_around
from models import estimate
from models.prompting import even_level

OPENED = 600
"""Tokens of a passage that was opened by its id: longer than any that the library cuts."""
_REST = 0.5
"""Share (0 to 1) of a text at most that no other shown one says for it to be shown without what they say."""
_FEW_WORDS = 0.15
"""Share (0 to 1) of a text at most that says nothing without what it is about."""
_HEADING = re.compile(r"\A[\W\d_]{0,40}([^\W\d_][^\n]{0,100}[^\n.!?:。！？：])(?=\n\n)")
"""What a text begins with, where that is a line by itself."""
_LEFT_OUT = re.compile(r"… \(\d+ of \d+ items left out\) …|…|^#{1,6} .*$", re.MULTILINE)
_LEAST_SAID = 12
"""Tokens of an excerpt at least, without its headings: fewer are no sentence."""
_GAP = 1_000
"""Characters between two passages of a page up to which they follow each other: about another passage."""


@dataclass(frozen=True, slots=True)
class EvidenceShown:
    """The evidence of one prompt."""

    passages: tuple[Passage, ...] = ()
    """Shown, in their order."""
    texts: tuple[str, ...] = ()
    """What is shown of each."""
    doubles: tuple[tuple[str, ...], ...] = ()
    """Of each, the ids of other passages with the same text, and of those whose text it holds whole."""
    listed: tuple[str, ...] = ()
    """A line for each that did not fit: id, title, first words; last the ids of others that were found."""
    near: bool = True
    """Whether anything that was found comes near to what is asked; else the nearest few are shown."""

    @property
    def ids(self) -> set[str]:
        """Ids whose text is shown."""
        return {p.id for p in self.passages}.union(*self.doubles)


class Filling:
    """Fills the room of a prompt with passages, group by group."""

    def __init__(
        self,
        groups: Sequence[Sequence[Passage]],
        claims: Sequence[Sequence[str]],
        sought: Sequence[Sequence[str]],
        tokens: int,
    ) -> None:
        self._groups = groups
        self._claims = claims
        """Of each group: what is asked, and what was said of it."""
        self._sought = sought
        """Of each group: what it was searched for by, which says what of it stays where there is room."""
        self._tokens = tokens
        self._spent = 0
        self.shown: dict[int, str] = {}
        """By number of its group, in the order of taking: what is shown."""
        self._inside: dict[int, int] = {}
        """By number of its group, of what stands whole in another that is shown: that one's."""

    @property
    def told(self) -> Collection[int]:
        """Numbers of the groups whose text stands in the prompt."""
        return self.shown.keys() | self._inside.keys()

    def open(self, groups: Sequence[int], room: int) -> None:
        """Show what was asked for by name, whole, as long as there is room; the first in any case."""
        for n in groups:
            for longest in (OPENED, WHOLE):
                claims = [*self._claims[n], *self._sought[n]]
                if self._takes(n, longest, claims, room if self.shown else inf, opened=True):
                    break

    def read_on(self, groups: Sequence[int], room: float) -> None:
        """Show what stands around what was opened, whole, as long as there is room: others keep theirs."""
        before = self._spent
        for n in groups:
            self.note_inside([n])
            if n not in self._inside:
                self._takes(n, OPENED, [*self._claims[n], *self._sought[n]], before + room)
        self._tokens += self._spent - before

    def take(self, groups: Sequence[int], share: float, whole: int, *part: int) -> None:
        """Show as many as fit into a share of the room, in their order.

        Each is shown whole up to so many tokens, what holds a list up to as many as who argues with it sees;
        where there is no room for that, as any other is, then by so many tokens of its sentences (`part`) as
        there is room for.
        """
        for n in groups:
            self.note_inside([n])
            if n in self._inside:
                continue
            # What notes and answers rest on is shown in part rather than not at all.
            more = ARGUED if holds_list(self._groups[n][0].text) else whole
            for longest in sorted({max(whole, more), WHOLE, *part}, reverse=True):
                # What notes and answers say of it stays, however little of it is shown.
                claims = self._claims[n] if longest >= WHOLE else self._claims[n][1:] or self._claims[n]
                claims = [*claims, *self._sought[n]] if longest > WHOLE else claims
                if self._takes(n, longest, claims, self._tokens * share):
                    break

    def share_out(self, groups: Sequence[int]) -> int:
        """Return the tokens of each of some groups up to which all of them fit into the room that is left.

        Where all of them fit whole, that is `OPENED`.
        """
        sizes = [self._size(n, self._groups[n][0].text) for n in groups]
        left = self._tokens - self._spent
        if sum(sizes) <= left:
            return OPENED
        tags = max(self._size(n, "") for n in groups)
        return min(OPENED, even_level(sizes, max(0, left)) - tags)

    def note_inside(self, groups: Iterable[int]) -> None:
        """Note which of them stand whole in texts that are shown: they are neither shown nor listed."""
        for n in groups:
            if n in self.shown or not self.shown or self._left_to_tell(n, self.shown):
                continue
            left = {m: self._left_to_tell(n, [m]) for m in self.shown}
            self._inside[n] = min(left, key=left.__getitem__)

    def _left_to_tell(self, n: int, shown: Iterable[int]) -> int:
        """Return how many signs of a group's text those that are shown do not say."""
        return _length(self._untold(n, shown))

    def _new_of(self, n: int) -> str:
        """Return a group's text; where most of it stands in others that are shown, the rest of it.

        Of what differs from one of them in a few words these stand below its heading.
        """
        text, spans = self._groups[n][0].text, self._untold(n, self.shown)
        if not 0 < _length(spans) <= _REST * len(text):
            return text
        few = _length(spans) <= _FEW_WORDS * len(text)
        heading = _HEADING.search(text) if few else None
        return parted(text, [heading.span(1), *spans] if heading else spans)

    def _untold(self, n: int, shown: Iterable[int]) -> list[tuple[int, int]]:
        """Return the spans of a group's text that those that are shown do not say."""
        head = self._groups[n][0]
        return untold(head.text, [self.shown[m] for m in shown], head.title)

    def _takes(
        self, n: int, longest: int, claims: Sequence[str], most: float, *, opened: bool = False
    ) -> bool:
        """Show a group with so many tokens; return whether it fits into the room and was shown.

        What was `opened` by its id is shown whole, whatever stands beside it.
        """
        told = self._groups[n][0].text if opened else self._new_of(n)
        text = whole_or_around(told, claims, longest)
        size = self._size(n, text)
        if self._spent + size > most or (text != told.strip() and is_shell(text)):
            return False
        self.shown[n] = text
        self._spent += size
        return True

    def _size(self, n: int, text: str) -> int:
        """Return the tokens that a group takes with a text."""
        return estimate(show_passages([self._groups[n][0]], [text], [self._others(n)])) + 1

    def evidence(self, listed: Iterable[str], *, near: bool = True) -> EvidenceShown:
        """Return what is shown, with the lines for what is not, and whether anything comes near."""
        order = _as_on_their_pages(list(self.shown), [group[0] for group in self._groups])
        return EvidenceShown(
            passages=tuple(self._groups[n][0] for n in order),
            texts=tuple(self.shown[n] for n in order),
            doubles=tuple(self._others(n) for n in order),
            listed=tuple(listed),
            near=near,
        )

    def _others(self, n: int) -> tuple[str, ...]:
        held = [p.id for m, holder in self._inside.items() if holder == n for p in self._groups[m]]
        return (*(passage.id for passage in self._groups[n][1:]), *held)


def _length(spans: Iterable[tuple[int, int]]) -> int:
    return sum(end - start for start, end in spans)


def is_shell(text: str) -> bool:
    """Tell whether an excerpt says nothing: a foot of a page, and that items of a list were left out."""
    return estimate(_LEFT_OUT.sub("", text).strip()) < _LEAST_SAID


def _as_on_their_pages(order: Sequence[int], heads: Sequence[Passage]) -> list[int]:
    """Return numbers of passages with those that follow each other on a page in its order.

    Such a run stands where the first of it stood.
    """
    place = {n: at for at, n in enumerate(order)}
    runs: list[list[int]] = []
    for n in sorted(order, key=lambda n: (heads[n].sha256, heads[n].start)):
        last = heads[runs[-1][-1]] if runs else None
        if last and last.sha256 == heads[n].sha256 and heads[n].start - last.end <= _GAP:
            runs[-1].append(n)
        else:
            runs.append([n])
    return [n for run in sorted(runs, key=lambda run: min(place[n] for n in run)) for n in run]
