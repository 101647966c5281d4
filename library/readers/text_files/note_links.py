"""Markdown of note-taking programs such as Obsidian: links between notes as the words that people read.

`[[Note|words]]` reads as its words, `[[Note#Part]]` as the note's name. What is
embedded (`![[…]]`) is read where it stands; comments (`%% … %%`, `<!-- … -->`) and what a place is called
(blocks' `^a1b2`, headings' `{#name}` and `<a id="name"></a>`) are nobody's text. Code is left as it is: `[[`
is a command of shells too.
"""

import re

from library.readers.text_files.markdown_code import outside_code

_EMBEDDED = re.compile(r"!\[\[[^\[\]\n]{1,400}\]\]")
_LINK = re.compile(r"\[\[(?![\s\]])([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_COMMENT = re.compile(r"%%[^%]{0,10000}%%")
_BLOCK = re.compile(r"(?:(?<=\s)|^)\^[A-Za-z0-9-]{1,64}[ \t]*$", re.MULTILINE)
_CALLOUT = re.compile(r"^([ \t]*>[ \t]*)\[![\w-]{1,40}(?:\|[^\]\n]{0,80})?\][+-]?[ \t]*", re.MULTILINE)


_ANCHOR = re.compile(r"[ \t]{0,8}<a [^<>\n]{1,200}(?:/>|>[ \t]{0,8}</a>)", re.IGNORECASE)
"""A link that shows nothing: only a place that others lead to."""
_HEADING_NAME = re.compile(
    r"^(#{1,6} [^\n{]{1,400}?)[ \t]*\{[#:][^{}\n]{1,200}\}[ \t]*+#*[ \t]*$", re.MULTILINE
)
_SIGNS = ("[[", "%%", "^", "[!", "<a ", "<A ", "<!--", "{#", "{:")


def without_note_links(text: str) -> str:
    """Return Markdown with links between notes as plain words, and without what nobody is shown."""
    if not any(sign in text for sign in _SIGNS):
        return text
    return outside_code(text, _plain)


def _plain(text: str) -> str:
    text = _HEADING_NAME.sub(r"\1", _ANCHOR.sub("", _without_comments(text)))
    text = _EMBEDDED.sub("", _COMMENT.sub("", text))
    text = _LINK.sub(lambda found: found[2] or _name(found[1]), text)
    return _BLOCK.sub("", _CALLOUT.sub(r"\1", text))


def _without_comments(text: str) -> str:
    """Return the text without `<!-- … -->`; one that nothing ends is text."""
    parts: list[str] = []
    at = 0
    while (opens := text.find("<!--", at)) >= 0 and (ends := text.find("-->", opens)) >= 0:
        parts.append(text[at:opens])
        at = ends + 3
    return "".join([*parts, text[at:]])


def _name(target: str) -> str:
    """Return what a link without words shows: the note's name, or the part of this note that it leads to."""
    note, _, part = target.partition("#")
    return note.rpartition("/")[2].removesuffix(".md").strip() or part.lstrip("^#").strip()
