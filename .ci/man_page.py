"""Writes docs/man/roundtable.1 from the help texts; with --check says whether it is as they are now."""

import sys
from pathlib import Path

from roundtable.cli.man_page import NAME, man_page

FILE = Path(__file__).resolve().parents[1] / "docs" / "man" / NAME

if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text(encoding="utf-8") != man_page():
            sys.exit("docs/man/roundtable.1 is not as the help texts are: make man")
    else:
        FILE.write_text(man_page(), encoding="utf-8")
