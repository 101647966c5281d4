"""The one way to the terminal: nothing that is written here can act on it.

Names of files, titles, topics, replies, dates and errors come from strangers. What is written as text loses
escape sequences, control and direction characters; JSON keeps them, escaped. Colours and links of our own are
drawn by `paint`, around text that went through the same cleaning.
"""

import json
import sys
from typing import Any, TextIO

import click

from roundtable.config.errors import InputError
from roundtable.output.clean import clean, escape_unshown
from roundtable.terminal.terminal_language import in_terminal_language, terminal_language


def say(text: str = "", *, error: bool = False) -> None:
    """Write a text and a line end to stdout, to stderr if it is an error."""
    click.echo(clean(text), err=error)


def tell(text: str, *, error: bool = False) -> None:
    """Write what the program itself says, in the language of the terminal."""
    say(in_terminal_language(text), error=error)


def tell_parts(name: str, line: str, *, error: bool = False) -> None:
    """Write what is told of a name in parts, `a; b`, each in the language of the terminal."""
    from library.text import catalogue  # only who needs it waits for the catalogues

    words = catalogue(terminal_language(), "terminal")
    parts = words.say("told_list").join(in_terminal_language(part) for part in line.split("; "))
    say(words.say("told_more", what=name, more=parts), error=error)


def say_json(value: Any) -> None:
    """Write a value as indented JSON to stdout."""
    click.echo(escape_unshown(json.dumps(value, ensure_ascii=False, indent=2)))


def write_line(text: str, stream: TextIO | None = None) -> None:
    """Write a text and a line end to a stream, stdout if none is given; the next flush sends it off."""
    (stream or sys.stdout).write(f"{clean(text)}\n")


def write_json_line(text: str, stream: TextIO) -> None:
    """Write a line of JSON to a stream and send it off."""
    stream.write(f"{escape_unshown(text)}\n")
    stream.flush()


def write_file_out(data: bytes) -> None:
    """Write a file to stdout: as it is to a pipe, as harmless text to a terminal.

    Raises:
        InputError: It is no text, and stdout is a terminal.
    """
    if not sys.stdout.isatty():
        sys.stdout.buffer.write(data)
        return
    try:
        write_line(data.decode())
    except UnicodeDecodeError:
        raise InputError("what is exported is no text: name a file with --out, or use a pipe") from None


def confirm(question: str) -> None:
    """Ask whether to go on. Raises click.exceptions.Exit with code 1, said, when the answer is no."""
    if not click.confirm(clean(in_terminal_language(question))):
        tell("Nothing was done.", error=True)
        raise click.exceptions.Exit(1)


def ask(question: str, default: str, suffix: str = ": ") -> str:
    """Ask for a line; what is entered without words is the default."""
    answer: str = click.prompt(clean(question), default=default, show_default=False, prompt_suffix=suffix)
    return answer
