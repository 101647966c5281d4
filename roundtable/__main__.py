"""The command line: from arguments to an exit code.

0 ended; 1 failed; 2 wrong usage or input; 3 stopped, can be resumed; 130 stopped at once. Errors are one line
on stderr each; ROUNDTABLE_DEBUG=1 shows where they come from.
"""

import errno
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        _open_streams()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # what `run` itself needs was still being loaded
        print("roundtable: interrupted", file=sys.stderr)  # noqa: T201 - the languages are not loaded either
        code = 130
    sys.exit(code)


def _open_streams() -> None:
    """Open what a caller closed (`>&-`): else the next file that is opened is where others write to."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free: this one
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


def run(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code."""
    import click

    from roundtable.cli.group import command
    from roundtable.cli.pipes import silence_stdout

    # The matrices here are small: more threads would only wait for each other, and take memory.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    debug = bool(os.environ.get("ROUNDTABLE_DEBUG"))
    if not debug:
        _hush()
    if wrong := _undecodable(arguments):
        return _tell(wrong, 2)
    try:
        code = command.main(list(arguments), prog_name="roundtable", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as help_text:
        return _tell_help(help_text.format_message())
    except click.ClickException as failure:
        # What click calls an “integer range” is a number to whoever types it; its bounds are told apart.
        told = _failed(failure).replace(" is not a valid integer range.", " is not a valid integer.")
        return _tell(f"{told}{_usage(failure)}", 2)
    except BrokenPipeError:
        silence_stdout()
        return 1  # as click does when it is the first to notice
    except (KeyboardInterrupt, click.Abort):
        return _tell("interrupted", 130)
    except Exception as failure:  # noqa: BLE001 - the last resort: every error ends as one line
        if debug:
            import traceback

            traceback.print_exc()
        try:
            sys.stdout.flush()
        except OSError:  # what it leads to takes no more
            silence_stdout()
        return _tell(*_explain(failure))
    return code if isinstance(code, int) else 0


def _undecodable(arguments: Sequence[str]) -> str:
    """Return what is wrong with an argument whose bytes are no UTF-8 text; a file may have such a name."""
    for place, argument in enumerate(arguments, 1):
        try:
            argument.encode()
        except UnicodeEncodeError:
            if not os.path.lexists(argument):
                told = argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
                return f"argument {place} is not UTF-8 text: {told}; type it again in a UTF-8 terminal"
    return ""


def _hush() -> None:
    """Keep libraries from warning into the conversation; their logs are hushed when a command is loaded."""
    warnings.simplefilter("ignore")


def _tell(message: str, code: int) -> int:
    from roundtable.terminal.terminal_language import in_terminal_language

    for line in in_terminal_language(message).splitlines() or [""]:
        print(f"roundtable: {_visible(line)}", file=sys.stderr)  # noqa: T201
    return code


def _tell_help(text: str) -> int:
    """Print the help of a command that was given without what it needs, as it is."""
    print(text, file=sys.stderr)  # noqa: T201
    return 2


def _visible(line: str) -> str:
    """Return a line without what a terminal would act on, and without a secret that a server repeated."""
    if (secrets := sys.modules.get("models.secrets")) is not None:
        line = secrets.mask_secrets(line)
    return "".join(letter if letter.isprintable() else " " for letter in line)


def _failed(failure: "click.ClickException") -> str:
    """Return what click says; the dashes that all flags share make no flag like another."""
    from click.exceptions import NoSuchOption

    if not isinstance(failure, NoSuchOption) or not failure.possibilities:
        return failure.format_message()
    from difflib import get_close_matches

    bare = failure.option_name.lstrip("-")
    near = [flag for flag in failure.possibilities if get_close_matches(bare, [flag.lstrip("-")])]
    return NoSuchOption(failure.option_name, failure.message, near, failure.ctx).format_message()


def _usage(failure: Exception) -> str:
    import click

    context = failure.ctx if isinstance(failure, click.UsageError) else None
    return f" (see `{context.command_path} --help`)" if context else ""


_NO_MEMORY = ("failed to map segment", "can't start new thread")
"""What errors of other types say where there is none left."""
_MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EFBIG, errno.EMFILE, errno.ENFILE}
"""What a machine refuses whoever asks: a full or broken disk, too many open files."""


def _explain(failure: Exception) -> tuple[str, int]:
    """Return what to say of an error, and the exit code; rooms that were never loaded are not asked."""
    loaded = sys.modules
    if (own := loaded.get("roundtable.config.errors")) and isinstance(failure, own.RoundtableError):
        return str(failure), failure.exit_code
    if (models := loaded.get("models.errors")) and isinstance(failure, models.ModelError):
        return str(failure), 1
    if (mindmap := loaded.get("mindmap.errors")) and isinstance(failure, mindmap.MapError):
        return str(failure), 2
    if (library := loaded.get("library.errors")) and isinstance(failure, library.LibraryError):
        return str(failure), 1 if isinstance(failure, library.StoreError) else 2
    if isinstance(failure, MemoryError) or any(words in str(failure) for words in _NO_MEMORY):
        return "there is not enough memory for this; what was committed is kept (roundtable list)", 1
    if isinstance(failure, OSError) and failure.errno in _MACHINE:
        said = f"{failure.filename}: {failure.strerror}" if failure.filename else str(failure.strerror)
        return f"{said}; what was committed is kept (roundtable list)", 1
    detail = " ".join(f"{type(failure).__name__}: {failure}".split())
    return f"unexpected error, please report it: {detail} (ROUNDTABLE_DEBUG=1 shows where)", 1


if __name__ == "__main__":
    main()
