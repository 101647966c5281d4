"""Which page of a site is asked for next."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

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
        self._asked: Counter[str] = Counter()
        self._waiting: dict[str, str] = {}
        """The shape of each address that waits."""
        for page in self.pages.values():
            self._note(page)

    def _note(self, page: SitePage) -> None:
        if page.asked:
            self._asked[shape(page.url)] += 1
        else:
            self._waiting[page.url] = shape(page.url)

    @property
    def done(self) -> int:
        """How many pages were asked for."""
        return sum(self._asked.values())

    @property
    def of(self) -> int:
        """How many will have been asked for in the end, as far as one knows."""
        return min(self._most, self.done + len(self._waiting))

    @property
    def left_out(self) -> int:
        """How many pages are known of that there is no room for."""
        return self.done + len(self._waiting) - self.of

    def meet(self, urls: Iterable[str], depth: int) -> list[SitePage]:
        """Note pages that were met; return those that are new."""
        new: list[SitePage] = []
        for url in dict.fromkeys(urls):
            if url not in self.pages and len(self.pages) < _KNOWN * self._most:
                page = SitePage(url, depth)
                self.pages[url] = page
                self._note(page)
                new.append(page)
        return new

    def next_pages(self, count: int) -> list[SitePage]:
        """Return the pages to ask for next, at most so many; each counts as asked for from now on."""
        chosen: list[SitePage] = []
        while self._waiting and len(chosen) < count and self.done < self._most:
            url = min(self._waiting, key=lambda one: (self.pages[one].depth, self._asked[self._waiting[one]]))
            self._asked[self._waiting.pop(url)] += 1
            chosen.append(self.pages[url])
        return chosen

    def leave_out(self, url: str) -> None:
        """Do not ask for a page that waits: what it is has been read at another address."""
        self._waiting.pop(url, None)

    def ended(self, url: str, kept: str) -> SitePage:
        """Note what came of a page: the path of the file that it is or stays, empty for none."""
        self.pages[url] = replace(self.pages[url], asked=True, kept=kept)
        return self.pages[url]
