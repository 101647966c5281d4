"""AsciiDoc as the Markdown that is read everywhere else: headings, listings, lists and links.

What only a processor needs (attributes, block attributes, anchors, comments, macros that bring something in)
is nobody's text. Words are left as they are written.
"""

import re
from dataclasses import dataclass, field

_TITLE = re.compile(r"(={1,6})[ \t]+(\S[^\n]{0,300}?)(?:[ \t]+\1)?[ \t]*")
_UNDERLINE = re.compile(r"([=\-~^+])\1{1,119}[ \t]*")
_UNDERLINES = "=-~^+"
"""The signs that underline titles, the highest level first."""
_SHORTER = 2
"""Signs by which an underline may be longer or shorter than its title."""
_LISTING = re.compile(r"(-{4,120}|\.{4,120}|`{3,120})(?:[\w+-]{0,30})[ \t]*")
_COMMENTS = re.compile(r"/{4,120}[ \t]*")
_NOBODYS = re.compile(
    r"//(?!/).{0,2000}|\[[^\]\n]{0,300}\][ \t]*|:!?[\w-]{1,80}!?:(?:[ \t].{0,2000})?|'{3,120}|<{3,120}|--|\+|"
    r"(?:={4,120}|\*{4,120}|_{4,120}|\+{4,120}|[|,:!]===)[ \t]*|"
    r"(?:include|ifdef|ifndef|ifeval|endif|toc|image|video|audio)::[^\s\[]{0,400}\[[^\]\n]{0,400}\][ \t]*"
)
"""A line of its own: a comment, attributes, an anchor, a rule, the edge of a block, what brings text in."""
_CAPTION = re.compile(r"\.(?=[^\s.])(.{1,200})")
_ITEM = re.compile(r"[ \t]{0,40}(\*{1,5}|\.{1,5}|-)[ \t]+(?=\S)")
_TERM = re.compile(r"[ \t]{0,40}([^\s:](?:[^:\n]|:(?!:)){0,150}?)(:{2,4})(?:[ \t]+(\S.{0,4000}))?[ \t]{0,40}")
_ATTRIBUTE = re.compile(r":([\w-]{1,80}):[ \t]+(\S.{0,400})")
_NAMED = re.compile(r"\{([\w-]{1,80})\}")
_SIGNS = {"plus": "+", "nbsp": " ", "sp": " ", "amp": "&", "lt": "<", "gt": ">", "asterisk": "*",
          "tilde": "~", "caret": "^", "backtick": "`", "startsb": "[", "endsb": "]", "vbar": "|",
          "apos": "'", "quot": '"', "two-colons": "::", "empty": "", "blank": ""}  # fmt: skip
_ANCHOR = re.compile(r"\[\[[\w.:-]{1,120}(?:,[^\]\n]{0,200})?\]\]")
_REFERENCE = re.compile(r"<<([^<>,\n]{1,200})(?:,[ \t]{0,8}([^<>\n]{1,200}))?>>")
_LINK = re.compile(r"\b(?:(?:link|xref|mailto):(?!:)|(?=https?://))([^\s\[\]<>]{1,400})\[([^\]\n]{0,300})\]")
_MENU = re.compile(r"\bmenu:([^\[\]\n]{1,80})\[([^\]\n]{0,200})\]")
_PRESSED = re.compile(r"\b(?:kbd|btn):\[([^\]\n]{1,80})\]")
_CODE = re.compile(r"(`[^`\n]+`)")


def asciidoc_as_markdown(text: str) -> str:
    """Return AsciiDoc with its headings, listings, lists and links as Markdown has them."""
    lines = text.split("\n")
    named = filter(None, map(_ATTRIBUTE.fullmatch, reversed(lines)))  # the first of a name holds
    reading = _Reading(lines, _SIGNS | {said[1].lower(): said[2].strip() for said in named})
    while reading.at < len(reading.lines):
        reading.line()
    reading.end_listing()
    return "\n".join(reading.told)


@dataclass(slots=True)
class _Reading:
    lines: list[str]
    names: dict[str, str]
    """What stands for `{name}`; titles are named before what they are called by is set."""
    at: int = 0
    told: list[str] = field(default_factory=list)
    closes: str = ""
    """What ends the listing or the comment that is open; empty where none is."""
    hidden: bool = False
    """What is open is a comment."""
    counted: dict[str, int] = field(default_factory=dict)
    """How many items each kind of numbered list that is open has."""
    indent: str = ""
    """What stands before lines of a term's entry."""

    def line(self) -> None:
        line = self.lines[self.at]
        self.at += 1
        if self.closes:
            self._inside(line)
        elif _COMMENTS.fullmatch(line):
            self.closes, self.hidden = line.strip(), True
        elif heading := self._heading(line):
            self._paragraph()
            self.told += [heading, ""]
            self.counted.clear()
        elif opens := _LISTING.fullmatch(line):
            self._paragraph()
            self.closes = opens[1]
            self.told.append("```")
        elif _NOBODYS.fullmatch(line):
            self._paragraph()
        else:
            self._words(line)

    def end_listing(self) -> None:
        if self.closes and not self.hidden:
            self.told.append("```")
        self.closes = ""

    def _inside(self, line: str) -> None:
        if line.strip() == self.closes:
            if not self.hidden:
                self.told += ["```", ""]
            self.closes, self.hidden = "", False
        elif not self.hidden:
            self.told.append(line)

    def _heading(self, line: str) -> str:
        """Return a title as a heading; empty where a line is none. An underline is passed over."""
        if self.told and self.told[-1].strip():
            return ""
        if found := _TITLE.fullmatch(line):
            return f"{'#' * len(found[1])} {self._plain(found[2])}"
        below = self.lines[self.at] if self.at < len(self.lines) else ""
        under = _UNDERLINE.fullmatch(below)
        long = len(below.rstrip()) if under else 0
        if under is None or abs(long - len(line.rstrip())) > _SHORTER or not line[:1].isalnum():
            return ""
        self.at += 1
        return f"{'#' * (_UNDERLINES.index(under[1]) + 1)} {self._plain(line.strip())}"

    def _paragraph(self) -> None:
        if self.told and self.told[-1].strip():
            self.told.append("")
        self.indent = ""

    def _words(self, line: str) -> None:
        if not line.strip():
            self.indent = ""
            self.told.append("")
        elif item := _ITEM.match(line):
            self.indent = ""
            self.told.append(self._item(item[1], line[item.end() :]))
        elif term := _TERM.fullmatch(line):
            self._paragraph()
            self.told.append(self._plain(term[1]))
            self.indent = "    "
            if term[3]:
                self.told.append(self.indent + self._plain(term[3]))
        elif caption := _CAPTION.fullmatch(line):
            self._paragraph()
            self.told += [self._plain(caption[1]), ""]
        else:
            line = line.strip() if self.indent else line
            self.told.append(self.indent + self._plain(line.removesuffix(" +")))

    def _item(self, mark: str, words: str) -> str:
        deep = "  " * (len(mark) - 1)
        if not mark.startswith("."):
            return f"{deep}- {self._plain(words)}"
        self.counted = {kind: n for kind, n in self.counted.items() if len(kind) <= len(mark)}
        self.counted[mark] = self.counted.get(mark, 0) + 1
        return f"{deep}{self.counted[mark]}. {self._plain(words)}"

    def _plain(self, words: str) -> str:
        """Return words without marks of links and anchors; what is set as code stays."""
        parts = _CODE.split(words)
        return "".join(self._named(part if n % 2 else _linked(part)) for n, part in enumerate(parts))

    def _named(self, words: str) -> str:
        return _NAMED.sub(lambda name: self.names.get(name[1].lower(), name[0]), words)


def _linked(words: str) -> str:
    if not any(sign in words for sign in ("[", "<<")):
        return words
    words = _REFERENCE.sub(lambda link: (link[2] or link[1]).strip(), _ANCHOR.sub("", words))
    words = _MENU.sub(_menu_words, words)
    return _LINK.sub(_link_words, _PRESSED.sub(r"\1", words))


def _menu_words(menu: re.Match[str]) -> str:
    steps = [menu[1], *menu[2].split(">")]
    return " > ".join(step.strip() for step in steps if step.strip())


def _link_words(link: re.Match[str]) -> str:
    said = link[2].partition(",")[0].strip('"^ ')
    return said if said and "=" not in said else link[1]
