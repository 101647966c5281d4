"""Are the operands of a command turned round? `cp new old` where a passage types `cp old new`."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

_ENCLOSING = "\"'“”‘’`()（）,;:，。；：、!?！？"
_ENDS = re.compile(r"(?<!\.)[.!?][\"'”’`)]*$|[。！？]")
"""What a word ends with that ends its sentence; three dots do not."""
_RIGHTS = ("sudo", "doas")
_MOST = 40
"""Words behind a command's name that are looked at."""


def turned_round(words: Sequence[str], texts: Iterable[str]) -> bool:
    """Tell whether a text types a command with two of its operands, or what two settings say, exchanged.

    Operands that stand behind other options than there count as turned, too: which option takes a value,
    nothing here tells.

    Args:
        words: The command, from its name on.
        texts: What is known of it. A text that has the order of the command, too, does not help: who can
            cite that has no need to put it together.
    """
    operands = [bare for word in words[1:] if (bare := _bare(word)) and not bare.startswith("-")]
    pairs = [(one, other) for one, other in combinations(dict.fromkeys(operands), 2)]
    settings = [pair for word in words[1:] if (pair := _setting(word))]
    swapped = [
        {f"{one}={theirs}", f"{other}={mine}"}
        for (one, mine), (other, theirs) in combinations(settings, 2)
        if mine != theirs
    ]
    if not (pairs or swapped):
        return False
    # With another sign between its words, by its path, and with other rights it is the same command.
    program = words[1] if words[0] in _RIGHTS else words[0]
    typed = "[ -]".join(map(re.escape, program.rpartition("/")[2].split("-")))
    name = re.compile(rf"(?<![\w.-]){typed}(?!\w|\.\w)")
    for text in texts:
        for run in _runs(name, text):
            if any(_stand(run, other, one, operands) for one, other in pairs):
                return True
            if any(wanted <= set(run) for wanted in swapped):
                return True
    return False


def _runs(name: re.Pattern[str], text: str) -> Iterable[list[str]]:
    """Yield what stands behind each mention of a command: its words, up to the sentence's end."""
    for mention in name.finditer(text):
        run: list[str] = []
        for word in text[mention.end() :].split(maxsplit=_MOST)[:_MOST]:
            run.append(_bare(word))
            if _ENDS.search(word):
                break
        yield run


def _stand(run: Sequence[str], first: str, then: str, operands: Sequence[str]) -> bool:
    """Tell whether one operand stands before another, with nothing between that is not typed."""
    for at, word in enumerate(run):
        if word != first:
            continue
        for behind in run[at + 1 :]:
            if behind == then:
                return True
            if not (behind.startswith("-") or behind in operands or re.search(r"[/=.~_]", behind)):
                break
    return False


def _bare(word: str) -> str:
    """Return a word without the marks round it and the stroke at its end."""
    bare = word.strip(_ENCLOSING)
    bare = bare.rstrip(".").rstrip(_ENCLOSING) if bare.strip(".") else bare
    return bare.rstrip("/") or bare


def _setting(word: str) -> tuple[str, str] | None:
    name, sign, value = _bare(word).partition("=")
    return (name, value) if name and sign and value else None
