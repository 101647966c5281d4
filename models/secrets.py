"""Secrets that this process holds, and the one way in which they are taken out of texts.

A model's server may repeat the key that it was sent, in an error or in a reply; from there it would go to the
terminal, the journal and every file. Whoever takes a key into use says so (`hold_secret`), and whatever keeps
or shows a text from outside masks it first: replies and faults of models, events before they are journalled,
the last line of a failed command.

What this does not cover: a key that is repeated in parts, or encoded; and short or plain words given as a key
to a server that wants none (`ollama`, `none`), which are no secret.
"""

import json
import re

MASK = "…"
_SHORTEST = 12
_SECRET = re.compile(r"(?=.*\d)(?=.*[A-Za-z])\S+")
_held: dict[str, None] = {}


def hold_secret(secret: str) -> None:
    """Mask this from now on. What is no secret by its look (short, or without letters and digits) is left."""
    if len(secret) >= _SHORTEST and _SECRET.fullmatch(secret):
        _held[secret] = None
        _held[json.dumps(secret)[1:-1]] = None  # as it stands in JSON


def mask_secrets(text: str) -> str:
    """Return a text without any secret that is held."""
    for secret in tuple(_held):  # another thread may take a key into use meanwhile
        if secret in text:
            text = text.replace(secret, MASK)
    return text


def mask_unfinished(text: str) -> str:
    """Return a text that is still being written without any secret, nor the beginning of one at its end."""
    text = mask_secrets(text)
    begun = max(
        (n for secret in tuple(_held) for n in range(4, len(secret)) if text.endswith(secret[:n])), default=0
    )
    return text[: len(text) - begun]
