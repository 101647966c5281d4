"""HTML within Markdown as a page shows it: its words, headings as headings, items as items, named signs."""

import re
from html import unescape

from library.readers.text_files.markdown_code import WITH_INDENTED, outside_code
from library.readers.text_files.plain_text import seen

_INLINE = """
    a abbr b bdi bdo big cite code data del dfn em font i iframe img input ins kbd label mark object picture q
    s samp small source span strike strong sub sup svg time tt u var video wbr
"""
_BLOCKS = """
    address article aside blockquote br caption center col colgroup dd details div dl dt figcaption figure
    footer header hr main nav ol p section summary table tbody td tfoot th thead tr ul
"""
_REST = r"(?=[\s/>])[^<>]{0,2000}>"
_HEADING = re.compile(rf"[ \t]{{0,8}}<h([1-6]){_REST}\s*", re.IGNORECASE)
_HEADING_END = re.compile(r"[ \t]{0,8}</h[1-6][ \t]?>", re.IGNORECASE)
_ITEM = re.compile(rf"[ \t]{{0,8}}<li{_REST}\s*", re.IGNORECASE)
_WITHIN = re.compile(rf"</?(?:{'|'.join(_INLINE.split())}){_REST}", re.IGNORECASE)
_BLOCK = re.compile(rf"[ \t]{{0,8}}</?(?:li|{'|'.join(_BLOCKS.split())}){_REST}[ \t]{{0,8}}", re.IGNORECASE)
_SIGN = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")


def without_tags(text: str) -> str:
    """Return Markdown without the tags and names of signs (`&mdash;`) of HTML in it; code stays as it is."""
    return outside_code(text, _shown, WITH_INDENTED) if "<" in text or "&" in text else text


def _shown(text: str) -> str:
    if "<" in text:
        text = _untagged(text)
    return _SIGN.sub(lambda found: seen(unescape(found[0])), text) if "&" in text else text


def _untagged(text: str) -> str:
    text = _HEADING_END.sub("\n\n", _HEADING.sub(lambda found: f"\n\n{'#' * int(found[1])} ", text))
    return _BLOCK.sub("\n", _WITHIN.sub("", _ITEM.sub("\n- ", text)))
