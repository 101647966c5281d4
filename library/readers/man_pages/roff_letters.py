"""What the escapes of manual pages stand for, as far as letters and signs go."""

import unicodedata

LETTERS: dict[str, str] = {
    "\\-": "-", "\\e": "\1", "\\E": "\1", "\\\\": "\1", "\\ ": " ", "\\~": " ", "\\0": " ", "\\t": "\t",
    "\\'": "'", "\\`": "`", "\\.": ".", "\\_": "_",
    "aq": "'", "dq": '"', "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "Bq": "„", "bq": "‚",
    "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›",
    "em": "—", "en": "–", "hy": "-", "mi": "-", "pl": "+", "eq": "=", "bu": "•", "ci": "○", "sq": "□",
    "co": "©", "rg": "®", "tm": "™", "de": "°", "mu": "×", "di": "÷", "+-": "±", "sc": "§", "ps": "¶",
    "->": "→", "<-": "←", "<>": "↔", "ua": "↑", "da": "↓", ">=": "≥", "<=": "≤", "!=": "≠", "==": "≡",
    "if": "∞", "no": "¬", "12": "½", "14": "¼", "34": "¾", "ct": "¢", "Po": "£", "Eu": "€", "Ye": "¥",
    "ti": "~", "ha": "^", "ga": "`", "rs": "\1", "ul": "_", "sl": "/", "ba": "|", "bv": "|", "br": "|",
    "at": "@", "sh": "#", "Do": "$", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "<", "ra": ">",
    "'e": "é", "`e": "è", "^e": "ê", ":e": "ë", "'a": "á", "`a": "à", "^a": "â", ":a": "ä", "oa": "å",
    "'i": "í", "^i": "î", ":i": "ï", "'o": "ó", "^o": "ô", ":o": "ö", "/o": "ø", "'u": "ú", "^u": "û",
    ":u": "ü", "'E": "É", ":A": "Ä", ":O": "Ö", ":U": "Ü", "oA": "Å", "/O": "Ø", "ss": "ß", ",c": "ç",
    ",C": "Ç", "~n": "ñ", "~N": "Ñ", "ae": "æ", "AE": "Æ", "vs": "š", "vc": "č", "vz": "ž", "/l": "ł",
    "mc": "µ", "dg": "†", "dd": "‡", "~=": "≅", "~~": "≈", "ap": "∼",
}  # fmt: skip
"""By the name behind `\\(` or `\\[`, or for one of one sign with its backslash; the sign 1 is a backslash."""
LETTERS |= {
    f"*{name}": letter
    for names, letters in (
        ("ABGDEZYHIKLMNCOPRSTUFXQW", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"),
        ("abgdezyhiklmncoprstufxqw", "αβγδεζηθικλμνξοπρστυφχψω"),
    )
    for name, letter in zip(names, letters, strict=True)
}
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", ":": "\u0308", "~": "\u0303", ",": "\u0327", "v": "\u030c",
}  # fmt: skip


def named(name: str) -> str:
    """Return the letter of a name of the table, or of an accent and a letter; "�" for one not known."""
    if name in LETTERS or not name:
        return LETTERS.get(name, "")
    if len(name) == 2 and name[0] in _ACCENTS and name[1].isalpha():
        letter = unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]])
        return letter if len(letter) == 1 else "�"
    return "�"


STRINGS = {"lq": "“", "rq": "”", "Aq": "'", "R": "®", "Tm": "™", "q": '"', 'L"': "“", 'R"': "”"}
"""Strings that macro packages define."""
