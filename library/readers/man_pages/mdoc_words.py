"""The words of a line of mdoc, the language of BSD's manual pages: options, names, brackets and quotes."""

from collections.abc import Sequence

from library.readers.man_pages.page_text import Words

_AROUND = {
    "Dq": "“”", "Sq": "‘’", "Ql": "‘’", "Qq": '""', "Aq": "<>", "Pq": "()", "Bq": "[]", "Brq": "{}",
    "Op": "[]",
}  # fmt: skip
"""Stand around all that follows on their line."""
_OPEN = {"Do": "“", "So": "‘", "Qo": '"', "Ao": "<", "Po": "(", "Bo": "[", "Bro": "{", "Oo": "["}
_CLOSE = {"Dc": "”", "Sc": "’", "Qc": '"', "Ac": ">", "Pc": ")", "Bc": "]", "Brc": "}", "Oc": "]"}
_PLAIN_TEXT = """
    Ad An Ar B1 Cd Cm Dv Em Er Ev Fa Fd Ft Ic In Lb Li Ms No Pa St Sx Sy Tn Va Vt Fr Hf Bsx Cn Ta
"""
_PLAIN = _PLAIN_TEXT.split()
_SYSTEMS = {
    "Ux": "UNIX", "Bx": "BSD", "Fx": "FreeBSD", "Nx": "NetBSD", "Ox": "OpenBSD", "Dx": "DragonFly",
    "At": "AT&T UNIX",
}  # fmt: skip
_OTHERS = ("Ap", "Fl", "Fn", "Fo", "Fc", "Lk", "Mt", "Nm", "Ns", "Pf", "Xc", "Xo", "Xr", "Nd", "Eo", "Ec")
MACROS = frozenset([*_AROUND, *_OPEN, *_CLOSE, *_PLAIN, *_SYSTEMS, *_OTHERS])
"""Macros that stand within a sentence."""
_LEFT, _RIGHT = frozenset(".,;:)]?!"), frozenset("([")
_UNNAMED = {"Ar": "file …", "Pa": "~", "Mt": "~"}


def add_words(words: Words, macro: str, arguments: Sequence[str], name: str) -> None:
    """Add the words of a line to those of its paragraph.

    Args:
        words: Of the paragraph.
        macro: The line's own.
        arguments: Behind it; names of macros among them are macros.
        name: What the page is about, as `Nm` alone stands for it.
    """
    left, closing = [macro, *arguments], list[str]()
    end = len(left)
    while end > 1 and left[end - 1] in _LEFT:
        end -= 1
    parts: list[tuple[str, list[str]]] = []
    for word in left[:end]:
        if word in MACROS:
            parts.append((word, []))
        elif parts:
            parts[-1][1].append(word)
    for place, (each, own) in enumerate(parts):
        goes_on = place + 1 < len(parts)
        if each in _AROUND:
            words.add(_AROUND[each][0], right=True)
            closing.append(_AROUND[each][1])
            _each(words, own)
        else:
            _one(words, each, own, name, goes_on=goes_on)
    for sign in [*reversed(closing), *left[end:]]:
        words.add(sign, left=True)


def _one(words: Words, macro: str, own: list[str], name: str, *, goes_on: bool) -> None:
    if macro in _OPEN:
        words.add(_OPEN[macro], right=True)
        _each(words, own)
    elif macro in _CLOSE:
        words.add(_CLOSE[macro], left=True)
        _each(words, own)
    elif macro == "Fl":
        _options(words, own, goes_on=goes_on)
    elif macro in ("Xr", "Fn") and own:
        _named(words, macro, own)
    elif macro in ("Ns", "Ap"):
        words.add("'" if macro == "Ap" else "", left=True, right=True)
        _each(words, own)
    elif macro == "Pf":
        words.add("".join(own[:1]), right=True)
        _each(words, own[1:])
    elif macro == "Lk" and own:
        words.add(" ".join([*own[1:], f"({own[0]})" if own[1:] else own[0]]))
    elif macro == "St" and own and own[0].startswith("-p"):
        words.add(f"POSIX {own[0][2:]}")
        _each(words, own[1:])
    elif macro == "Nd":
        words.add(f"- {' '.join(own)}")
    else:
        if macro == "Nm" and not [each for each in own if each not in _LEFT]:
            words.add(name)
        words.add(_SYSTEMS.get(macro, "" if own else _UNNAMED.get(macro, "")))
        _each(words, own)


def _named(words: Words, macro: str, own: list[str]) -> None:
    """Add a page with its section, or a function with what it is given."""
    held = [each for each in own[1:] if each not in _LEFT]
    given = f"({', '.join(held)})" if held or macro == "Fn" else ""
    words.add(f"{own[0]}{given}")
    _each(words, [each for each in own[1:] if each in _LEFT])


def _options(words: Words, own: list[str], *, goes_on: bool) -> None:
    for option in own or [""]:
        if option in _LEFT or option == "|":
            _each(words, [option])
        else:
            words.add(f"-{option}", right=not option and goes_on)


def _each(words: Words, own: Sequence[str]) -> None:
    for word in own:
        words.add(word, left=word in _LEFT, right=word in _RIGHT)
