"""Authors: their names taken apart, and how a citation names them."""

import re
from collections import Counter
from collections.abc import Sequence

from library import Source
from library.text import CJK, HANGUL, KANA
from reports.visible_text import host, plain, web_address

_CJK = re.compile(f"[{CJK}{HANGUL}]")
_KANA = re.compile(f"[{KANA}]")
_AND = re.compile(r"\s{0,9}(?:;|、|，|\band\b|&|\bund\b|\bet\b)\s*")
_ORGANIZATION = re.compile(
    r"\b(?:staff|team|press|news|agency|ministry|university|institute|organi[sz]ation|committee|group|inc|ltd|"
    r"association|society|council|commission|department|office|bureau|foundation|editors?|the)\b",
    re.IGNORECASE,
)
_KOREAN_TWO = ("남궁", "황보", "제갈", "사공", "선우", "서문", "독고")
_CHINESE_TWO = (
    "欧阳",
    "歐陽",
    "司马",
    "司馬",
    "诸葛",
    "諸葛",
    "上官",
    "东方",
    "東方",
    "夏侯",
    "慕容",
    "令狐",
    "皇甫",
)


def people(author: str | None) -> list[dict[str, str]]:
    """Return the names of whoever wrote a source, as CSL has them: family and given, or literal."""
    parts = _AND.split(plain(author)) if author else []
    return [name for part in parts if (name := _name(part))]


def author_year(sources: Sequence[Source], undated: str) -> dict[str, str]:
    """Return for each source (by sha256) how a citation names it: `(Merrow 2021)`, `(Merrow 2021b)`.

    Two that would read the same get letters, in the order given.
    """
    named = [f"{_who(source)} {(source.published or '')[:4] or undated}" for source in sources]
    count, seen = Counter(named), Counter[str]()
    labels = {}
    for source, name in zip(sources, named, strict=True):
        apart = letter(seen[name]) if count[name] > 1 else ""
        seen[name] += 1
        labels[source.sha256] = f"({name}{apart})"
    return labels


def _who(source: Source) -> str:
    """Return the authors' families, at most two of them; the host, or the title, where nobody is named."""
    families = [name.get("family") or name["literal"] for name in people(source.author)]
    cjk = any(_CJK.search(family) for family in families)
    if len(families) > 2:
        return f"{families[0]}等" if cjk else f"{families[0]} et al."
    if families:
        return ("、" if cjk else " & ").join(families)
    known = host(source.url) if web_address(source.url) else ""
    return plain(known) or plain(source.title)[:40] or "?"


def letter(place: int) -> str:
    """Return letters for a place from 0: `a` to `z`, then `aa`, `ab` and on."""
    before = letter(place // 26 - 1) if place >= 26 else ""
    return before + chr(ord("a") + place % 26)


def _name(name: str) -> dict[str, str]:
    """Take a name apart. In Chinese, Japanese and Korean the family comes first."""
    if _CJK.search(name):
        if " " in name:
            family, given = name.split(" ", 1)
            return {"family": family, "given": given}
        if _KANA.search(name) or not 2 <= len(name) <= 4:
            return {"literal": name}
        split = 2 if name[:2] in (*_CHINESE_TWO, *_KOREAN_TWO) and len(name) > 2 else 1
        return {"family": name[:split], "given": name[split:]}
    if "," in name:
        family, given = (part.strip() for part in name.split(",", 1))
        return {"family": family, "given": given} if given else {"literal": family}
    words = name.split()
    if not 2 <= len(words) <= 4 or _ORGANIZATION.search(name) or any(c.isdigit() for c in name):
        return {"literal": name} if words else {}
    start = next(
        (i for i, w in enumerate(words) if i and w in ("van", "von", "de", "der", "den", "di", "da", "la")),
        len(words) - 1,
    )
    return {"family": " ".join(words[start:]), "given": " ".join(words[:start])}
