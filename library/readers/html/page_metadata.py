"""What a page says of itself: title, author, and when it was published.

Taken from where pages say it on purpose: the head's metadata, JSON-LD, and a byline or time that is marked as
one. A date that merely occurs in the text is never the page's.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from library.readers.html.html_text import HEADINGS, inline, one_line, without_number
from library.text.quantities.date_parsing import dates

_DATE_NAMES = (
    "article:published_time", "og:published_time", "datepublished", "citation_publication_date",
    "citation_date", "dc.date.issued", "dcterms.issued", "dc.date.created", "dc.date", "dcterms.date",
    "pubdate", "publishdate", "publish_date", "publication_date", "parsely-pub-date", "sailthru.date", "date",
    "article:modified_time", "og:updated_time", "dcterms.modified", "last-modified",
)  # fmt: skip
_AUTHOR_NAMES = (
    "author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author",
    "article:author",
)  # fmt: skip
_BYLINE = re.compile(
    r"(?:^|[\s_-])(?:byline|dateline|date|pubdate|published|timestamp|posted|entry-date|post-date)(?:$|[\s_-])",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r"(?:^|[\s_-])(?:author|byline|byl)(?:$|[\s_-])", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|[\s_-])(?:comments?|repl(?:y|ies)|responses?)(?:$|[\s_-])", re.IGNORECASE)
_BY = re.compile(r"^(?:by|von|par|por|di|作者|文)[\s:：/]+", re.IGNORECASE)
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)([-/.])(\d\d)\2(\d\d)(?!\d)")
_SEPARATORS = re.compile(r"(?<!\s)\s+(?:[|·–—»:]|-{1,2}|::)\s+")
_LONGEST_BYLINE = 200
"""Characters; what is longer is text."""
_LONGEST_AUTHOR = 80
_DEEPEST = 30
"""Elements around one that are looked at; a page nested without end costs no more."""
_AUTHORED = ("a", "span", "p", "div", "address")


def metadata(tree: Any, body: Any, latest: str) -> dict[str, str | None]:
    """Return a page's `title`, `author` and `published` (ISO 8601 date); None for what it does not say.

    Args:
        tree: The whole page.
        body: What of it is text.
        latest: ISO 8601 date after which it cannot be published.
    """
    said = dict(_metas(tree))
    linked = list(_linked_data(tree))
    published = _published(tree, said, linked)
    return {
        "title": page_title(tree, body),
        "author": _author(tree, said, linked),
        "published": published if published and published <= latest[:10] else None,
    }


def page_title(tree: Any, body: Any) -> str | None:
    """Return a page's title: its first heading if `<title>` holds that too, else `<title>`, else that.

    A heading that leads to a site's first page is the site's name: it is no page's title where there is
    another heading, not even if `<title>` says no more.
    """
    named = [(node, text) for node in body.iter(*HEADINGS) if (text := inline(node))]
    sites = {_words(text) for node, text in named if _leads_home(node, text)}
    headings = [text for _, text in named if _words(text) not in sites] or [text for _, text in named]
    node = next(tree.iter("title"), None)
    title = one_line("".join(node.itertext())) if node is not None else ""
    if not title:
        return without_number(headings[0]) if headings else None
    words = _words(title)
    if words in sites and headings:
        return without_number(headings[0])
    for heading in headings[:3]:
        if len(_words(heading)) and _words(without_number(heading)) <= words and not _is_site(heading, title):
            return without_number(heading)
    mains = [inline(node) for node in body.iter("h1")]
    if len(mains) == 1 and mains[0] and not _words(title) & _words(mains[0]):
        return without_number(mains[0])
    return without_number(title)


def _leads_home(heading: Any, text: str) -> bool:
    """Whether a heading is nothing but a link to the first page of a site."""
    for link in heading.iter("a"):
        if inline(link) != text:
            continue
        try:
            target = urlsplit(link.get("href", ""))
        except ValueError:  # no url at all
            continue
        if target.path == "/" or (target.netloc and not target.path):
            return True
    return False


def _is_site(heading: str, title: str) -> bool:
    """Whether a heading is the site's name: the last part of a title that has others."""
    parts = _SEPARATORS.split(title)
    return len(parts) > 1 and _words(heading) == _words(parts[-1]) != _words(parts[0])


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _metas(tree: Any) -> Iterator[tuple[str, str]]:
    """Yield the names and contents of the head's metadata, the last ones first: the first one then wins."""
    metas = list(tree.iter("meta"))
    for meta in reversed(metas):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or ""
        if name and (content := one_line(meta.get("content") or "")):
            yield name.casefold(), content


def _linked_data(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects that a page describes itself with in JSON-LD."""
    for script in tree.iter("script"):
        if script.get("type") != "application/ld+json":
            continue
        try:
            waiting: list[Any] = [json.loads(script.text or "")]
        except (ValueError, RecursionError):
            continue  # what cannot be read says nothing
        while waiting:
            item = waiting.pop(0)
            if isinstance(item, list):
                waiting += item[:50]
            elif isinstance(item, dict):
                yield item
                waiting += [item["@graph"]] if "@graph" in item else []


def _published(tree: Any, said: dict[str, str], linked: list[dict[str, Any]]) -> str | None:
    declared = [str(item.get("datePublished") or "") for item in linked]
    declared += [said.get(name, "") for name in _DATE_NAMES]
    for node in tree.iter("time"):
        marked = node.get("itemprop", "") or node.get("pubdate") is not None or _near_byline(node)
        declared += [node.get("datetime") or inline(node)] if marked and not _in_comment(node) else []
    for node in tree.iter("span", "p", "div", "td", "li", "small"):
        if _BYLINE.search(f"{node.get('class', '')} {node.get('id', '')}") and not _in_comment(node):
            declared.append(_short(node))
    return next((found for text in declared if text and (found := _date(text))), None)


def _near_byline(node: Any) -> bool:
    """Whether a `<time>` stands in a header or byline, or is the only one of the page."""
    names = f"{node.get('class', '')}"
    above = node.getparent()
    for _ in range(4):
        if above is None:
            break
        if above.tag == "header":
            return True
        names += f" {above.get('class', '')} {above.get('id', '')}"
        above = above.getparent()
    return bool(_BYLINE.search(names) or _AUTHOR.search(names))


def _short(node: Any) -> str:
    text = inline(node)
    return text if len(text) <= _LONGEST_BYLINE else ""


def _date(text: str) -> str | None:
    """Return the first whole date of a byline (ISO 8601); None without one."""
    if found := _ISO.search(text):
        return f"{found[1]}-{found[3]}-{found[4]}"
    for date in dates(text)[0]:
        if date.year and date.month and date.day and not date.other:
            return f"{date.year}-{date.month:02}-{date.day:02}"
    return None


def _author(tree: Any, said: dict[str, str], linked: list[dict[str, Any]]) -> str | None:
    names = [said.get(name, "") for name in _AUTHOR_NAMES]
    for item in linked:
        authors = item["author"] if isinstance(item.get("author"), list) else [item.get("author")]
        names += [str(one.get("name") or "") if isinstance(one, dict) else str(one or "") for one in authors]
    names += [_BY.sub("", _short(node)) for node in tree.iter(*_AUTHORED) if _is_author(node)]
    good = (name for name in names if name and len(name) <= _LONGEST_AUTHOR and "://" not in name)
    return next(good, None)


def _is_author(node: Any) -> bool:
    attributes = node.attrib
    marked = attributes.get("rel") == "author" or attributes.get("itemprop") == "author"
    return (marked or bool(_AUTHOR.search(attributes.get("class", "")))) and not _in_comment(node)


def _in_comment(node: Any) -> bool:
    """Whether an element belongs to what a reader of the page wrote under it."""
    return any(
        _COMMENT.search(f"{above.get('class', '')} {above.get('id', '')}")
        for above in islice(node.iterancestors(), _DEEPEST)
        if above.tag not in {"html", "body"}
    )
