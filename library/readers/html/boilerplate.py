"""What is on a page besides its text: navigation, banners, forms, contents; told by elements and links."""

import re
from dataclasses import dataclass
from typing import Any

from library.readers.html.html_text import HEADINGS, names_itself

_NEVER_TEXT = frozenset(("nav", "form", "button", "input", "select", "textarea", "menu"))
_ROLES = frozenset(
    ("navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "dialog")
)
_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav\w*|docnav|breadcrumbs?|menu|side-?bar(?!block)\w*|footer|foot|ftr|hdr|page-?header|top-?bar|banner|"
    r"related|recommend\w*|share|sharing|social|cookies?|consent|comments?|pagination|pager|prev|next|"
    r"skip\w*|headerlink|sphinxsidebar|edit-?section|mw-editsection|noprint|ads?|advert\w*|promo\w*|sponsor\w*|"
    r"newsletter|subscribe|ticker|widget)(?:$|[\s_-])",
    re.IGNORECASE,
)
"""What those who make pages call the parts that are no text, in `class` and `id`."""
_SIDE_BAR = re.compile(r"(?:^|\s)side-?bar(?:$|\s)", re.IGNORECASE)
_FLOW, _PARAGRAPH = 2, 40
"""Paragraphs beside a box from which it stands in the text (under a title one will do); characters of one."""
_CONTENTS = re.compile(r"(?:^|[\s_-])(?:toc\w*|contents)(?:$|[\s_-])", re.IGNORECASE)
"""What they call a list of what is elsewhere on the page or in the book, which leads there: but also what a
table or an example holds ("table-contents")."""
_LEADS = 0.5
"""Share of its text in links from which what is called contents leads elsewhere."""
_CONTAINERS = frozenset(
    ("div", "ul", "ol", "dl", "table", "section", "aside", "header", "footer", "p", "td", "span")
)
_PERMALINK = frozenset(("¶", "#", "§", "🔗", "\uf0c1", "[edit]"))
_LONGEST_PERMALINK = 6
_WORD = re.compile(r"[^\W_]+")
_MOST_NAMED = 0.35
"""Share of a page's text above which what calls itself navigation is not believed to be that."""
_LINKED = 0.6
"""Share of an element's text in links from which it is a list of links."""
_ALL_LINKED = 0.95
"""The same for a single link or two."""
_FEWEST_LINKS = 3
_LONGEST_SWITCH = 200
"""Characters of what leads to a page's other languages, with its label."""
CLEAN = 0.3
"""Share of the text left in links, up to which a page needs no further cleaning."""


@dataclass(slots=True)
class _Size:
    """How much text an element holds, white space aside."""

    whole: int = 0
    linked: int = 0
    """Of it in links."""
    links: int = 0
    headings: int = 0
    """Elements h1 in it."""


def text_length(element: Any) -> int:
    """Return how many characters of text an element holds, white space aside."""
    return len("".join("".join(element.itertext()).split()))


def link_share(element: Any) -> float:
    """Return the share (0 to 1) of an element's text that stands in links; 0 without text."""
    whole = text_length(element)
    return sum(text_length(link) for link in element.iter("a")) / whole if whole else 0.0


def prune(body: Any) -> None:
    """Drop from a page's body what is not its text; the elements are gone afterwards."""
    sizes = _sizes(body)
    whole = sizes[body].whole
    gone: set[Any] = set()
    for element in sizes:
        if element is body:
            continue
        if element.getparent() in gone:
            gone.add(element)
            continue
        size = sizes[element]
        if element.tag == "a":
            short = size.whole <= _LONGEST_PERMALINK
            mark = element.get("aria-hidden") == "true" or element.text_content().strip() in _PERMALINK
            doomed = short and mark
        else:
            doomed = _is_furniture(element, size, whole) or _is_list_of_links(element, size)
        if doomed:
            gone.add(element)
            element.drop_tree()


def _sizes(body: Any) -> dict[Any, _Size]:
    """Return the sizes of all elements in document order, measured in one pass from the innermost out."""
    elements = [element for element in body.iter() if isinstance(element.tag, str)]
    sizes = {element: _Size() for element in elements}
    for element in reversed(elements):
        size = sizes[element]
        size.whole += _length(element.text or "")
        if element.tag == "a":
            size.linked, size.links = size.whole, size.links + 1
        size.headings += element.tag == "h1"
        if element is not body and (above := sizes.get(element.getparent())) is not None:
            above.whole += size.whole + _length(element.tail or "")
            above.linked += size.linked
            above.links += size.links
            above.headings += size.headings
    return sizes


def _length(text: str) -> int:
    return len(text) - sum(map(text.count, " \n\t\r")) if text else 0


def _is_furniture(element: Any, size: _Size, whole: int) -> bool:
    if element.tag in _NEVER_TEXT or element.get("role", "").lower() in _ROLES:
        return size.whole <= _MOST_NAMED * whole or element.tag == "nav"
    if element.tag in ("header", "footer", "aside"):
        titled = element.tag == "header" and next(element.iter(*HEADINGS), None) is not None
        return not titled and size.whole <= _MOST_NAMED * whole
    if element.tag not in _CONTAINERS or size.headings or size.whole > _MOST_NAMED * whole:
        return False
    leads = size.linked > _LEADS * size.whole
    if leads and _is_named(element, _CONTENTS):
        return True
    return _is_named(element, _NAMES) and not _is_box(element, size)


def _is_box(element: Any, size: _Size) -> bool:
    """Whether what is called a side bar is a box in the text, as books have them beside what they tell.

    It holds sentences, and stands between the paragraphs of a section. A site's side bar stands beside the
    element that holds them.
    """
    above = element.getparent()
    if above is None or size.linked > _LEADS * size.whole or not _SIDE_BAR.search(element.get("class", "")):
        return False
    paragraphs = sum(each is not element and _is_paragraph(each) for each in above)
    titled = any(each.tag in HEADINGS or "title" in each.get("class", "") for each in above.iterchildren("*"))
    flows = paragraphs >= (1 if titled else _FLOW)
    return flows and any(_is_paragraph(each) for each in element.iter("p", "div"))


def _is_paragraph(element: Any) -> bool:
    """Whether an element holds sentences of its own, and not others that do."""
    if element.tag not in ("p", "div") or _SIDE_BAR.search(element.get("class", "")):
        return False
    if next(element.iterchildren("p", "div", "section", "article", "table"), None) is not None:
        return False
    return text_length(element) >= _PARAGRAPH and link_share(element) <= _LEADS


def _is_named(element: Any, names: re.Pattern[str]) -> bool:
    """Whether its class says that an element is no text, or its id, unless that was made of its heading."""
    if names.search(element.get("class", "")):
        return True
    if not names.search(name := element.get("id", "")):
        return False
    heading = next(element.iter(*HEADINGS), None)
    words = set(_WORD.findall(heading.text_content().casefold())) if heading is not None else set()
    return not set(_WORD.findall(name.casefold())) <= words


def _links_to_languages(element: Any) -> bool:
    """Whether all links of an element but one lead to the page in other languages: that one, to this page."""
    links = list(element.iter("a"))
    abroad = sum("alternate" in link.get("rel", "") and bool(link.get("hreflang")) for link in links)
    return 0 < abroad >= len(links) - 1


def _is_list_of_links(element: Any, size: _Size) -> bool:
    """Whether an element is navigation or contents by its form: little but short links, one after another."""
    if not size.links or element.tag not in ("ul", "ol", "dl", "table", "div", "p"):
        return False
    if size.whole <= _LONGEST_SWITCH and _links_to_languages(element):
        return True
    if size.links >= _FEWEST_LINKS:
        return size.linked > _LINKED * size.whole and element.tag != "p"
    if names_itself(element):
        return False
    return size.linked > _ALL_LINKED * size.whole and next(element.iter("h1", "h2", "pre"), None) is None
