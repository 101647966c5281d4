"""How this program starts itself again: with nothing that lies in the folder where it was started."""

import sys


def own_module(name: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of this program in a process of its own.

    `-P`: without it Python looks for modules in the folder that it is started in before anywhere else, and
    that may be a stranger's, with a `roundtable` or a `json.py` of his in it.
    """
    return [sys.executable, "-P", "-m", name, *arguments]
