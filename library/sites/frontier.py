"""Which page of a site is asked for next."""

import heapq
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import replace
from itertools import count

from library.sites.site_bounds import shape
from library.sites.site_rows import SitePage

_KNOWN = 20
"""Pages that are known of, for each that may be asked for: what is met after them is not noted."""


class Frontier:
    """Pages of a site that were asked for and those that wait, in an order that no trap can fill.

    Those nearest to the first page come first; of them, those of the shape of address that was asked for
    least; of them, those that were met first.
    """

    def __init__(self, most: int, pages: Iterable[SitePage] = ()) -> None:
        """Take up a reading; `most`: pages that are asked for in all."""
        self.pages = {page.url: page for page in pages}
        self._most = most
        self.done = 0
        """How many pages were asked for."""
        self._asked: Counter[str] = Counter()
        self._waiting: set[str] = set()
        self._groups: dict[tuple[int, str], deque[tuple[int, str]]] = {}
        """By depth and shape: when each address was met, and the address; those that wait no longer, too."""
        self._order: list[tuple[int, int, int, str]] = []
        """A heap of the groups by depth, how often the shape was asked for, when the first of them was met.

        All three only grow. So a group that stands too far in front is put where it belongs when it is met.
        """
        self._met = count()
        for page in self.pages.values():
            self._note(page)

    def _note(self, page: SitePage) -> None:
        form = shape(page.url)
        if page.asked:
            self._count(form)
            return
        self._waiting.add(page.url)
        group, met = self._groups.setdefault((page.depth, form), deque()), next(self._met)
        group.append((met, page.url))
        if len(group) == 1:
            heapq.heappush(self._order, (page.depth, self._asked[form], met, form))

    @property
    def of(self) -> int:
        """How many will have been asked for in the end, as far as one knows."""
        return min(self._most, self.done + len(self._waiting))

    @property
    def left_out(self) -> int:
        """How many pages are known of that there is no room for."""
        return self.done + len(self._waiting) - self.of

    @property
    def room(self) -> int:
        """How many more pages can be noted."""
        return max(_KNOWN * self._most - len(self.pages), 0)

    def meet(self, urls: Iterable[str], depth: int) -> list[SitePage]:
        """Note pages that were met; return those that are new."""
        new: list[SitePage] = []
        for url in dict.fromkeys(urls):
            if url not in self.pages and self.room:
                page = SitePage(url, depth)
                self.pages[url] = page
                self._note(page)
                new.append(page)
        return new

    def next_pages(self, count: int) -> list[SitePage]:
        """Return the pages to ask for next, at most so many; each counts as asked for from now on."""
        chosen: list[SitePage] = []
        while self._waiting and len(chosen) < count and self.done < self._most:
            chosen.append(self.pages[self._next()])
        return chosen

    def _next(self) -> str:
        """Return the address that is asked for next, which waits no longer."""
        while True:
            depth, _, _, form = first = self._order[0]
            group = self._groups[depth, form]
            while group and group[0][1] not in self._waiting:
                group.popleft()
            if not group:
                heapq.heappop(self._order)
            elif first != (now := (depth, self._asked[form], group[0][0], form)):
                heapq.heapreplace(self._order, now)
            else:
                url = group[0][1]
                self._waiting.remove(url)
                self._count(form)
                return url

    def _count(self, form: str) -> None:
        self.done += 1
        self._asked[form] += 1

    def leave_out(self, url: str) -> None:
        """Do not ask for a page that waits: what it is has been read at another address."""
        self._waiting.discard(url)

    def ended(self, url: str, kept: str) -> SitePage:
        """Note what came of a page: the path of the file that it is or stays, empty for none."""
        self.pages[url] = replace(self.pages[url], asked=True, kept=kept)
        return self.pages[url]
