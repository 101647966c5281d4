"""Commands outside of sessions speak the language of the terminal: help, lists and errors."""

import inspect
import re
from collections.abc import Iterator

import click
import pytest
from rich.cells import cell_len

from library.text import catalogue, languages
from roundtable import __main__ as program
from roundtable.cli import help_words
from roundtable.cli.group import COMMANDS, command
from roundtable.cli.lines import indexing_lines
from roundtable.terminal.terminal_language import terminal_language, told_language

OTHERS = sorted(languages().keys() - {"en"})
LOCALES = {"zh": "zh_CN.UTF-8"}
FIRST = "Index files and folders, or a site, as collection NAME; again to bring it up to date."


def commands(
    above: click.Command = command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield all commands with the words that call them."""
    yield path, above
    if isinstance(above, click.Group):
        for name in above.list_commands(click.Context(above)):
            inner = above.get_command(click.Context(above), name)
            assert inner is not None
            yield from commands(inner, (*path, name))


def paragraphs() -> Iterator[str]:
    """Yield all that help says, apart from what it shows as it is typed."""
    yield from COMMANDS.values()
    for _, one in commands():
        yield from inspect.cleandoc(one.help or "").split("\n\n")
        yield from (param.help for param in one.params if isinstance(param, click.Option) and param.help)


@pytest.mark.parametrize("language", OTHERS)
def test_all_that_help_says_has_its_words(language: str) -> None:
    words = catalogue(language, "help").texts
    said = {" ".join(text.split()) for text in paragraphs() if not text.startswith("\b")}
    assert not said - words.keys() - {""}
    own = ("Usage", ": ", "Options", "Commands", "default", "required", "Show this message and exit.")
    assert not [key for key in words if not any(text.startswith(key) for text in (*said, *own))]


def test_what_must_be_given_is_marked_in_the_terminal_s_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", LOCALES["zh"])
    assert program.run(["batch", "--help"]) == 0
    shown = "".join(capsys.readouterr().out.split())
    assert "[必需]" in shown
    assert "required" not in shown


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("path", [(), ("run",), ("serve",), ("docs",), ("docs", "add")], ids=" ".join)
def test_help_is_in_the_terminal_s_language_and_as_wide_as_it(
    path: tuple[str, ...], language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", LOCALES[language])
    monkeypatch.setenv("COLUMNS", "80")
    assert program.run([*path, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("用法：roundtable"), "labels end as Chinese ones do"
    told = re.sub(r"(?m)^  roundtable .*$", "", shown)
    assert not re.search(r"[a-z]{3} [a-z]{2,} [a-z]{2,} [a-z]{2}", told)
    assert max(cell_len(line) for line in shown.splitlines()) <= 80 or not path
    assert "\ue000" not in shown


def test_a_wrong_command_is_told_in_the_terminal_s_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", LOCALES["zh"])
    assert program.run(["lst"]) == 2
    assert capsys.readouterr().err == "roundtable: 没有命令 'lst'。是否指 list？（见 `roundtable --help`）\n"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "zh_TW"}, "zh"), ({"LANG": "xx_YY"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"), ({"LC_ALL": "", "LANG": "zh_CN"}, "zh"),
        ({"LANG": "en_GB", "LC_MESSAGES": "zh_CN@x"}, "zh"),
    ],
)  # fmt: skip
def test_the_language_is_the_locale_s(environment: dict[str, str], language: str) -> None:
    assert terminal_language(environment) == language


@pytest.mark.parametrize(
    ("environment", "session", "told"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "en", "zh"), ({"LANG": "en_US.UTF-8"}, "zh", "en"),
        ({"LANG": "xx_YY"}, "zh", "en"), ({}, "zh", "zh"), ({"LANG": "C.UTF-8"}, "zh", "zh"),
        ({"LC_ALL": "POSIX", "LANG": "en_US"}, "zh", "zh"), ({}, "fr", "fr"),
    ],
)  # fmt: skip
def test_a_session_is_told_in_the_locale_s_language_and_in_its_own_where_none_is_named(
    environment: dict[str, str], session: str, told: str
) -> None:
    assert told_language(session, environment) == told


@pytest.mark.parametrize("language", OTHERS)
def test_lists_of_commands_within_a_command_are_whole_and_said(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for locale, said in (
        ("C", "again to bring it up to date."),
        (LOCALES[language], str(catalogue(language, "help").texts[FIRST])),
    ):
        monkeypatch.setenv("LC_ALL", locale)
        program.run(["docs", "--help"])
        told = capsys.readouterr().out
        assert "".join(said.split()) in "".join(told.split())
        assert "..." not in told.replace("[ARGS]...", "")


def test_what_is_read_for_meaning_in_no_time_needs_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    now, said = [0.0], list[str]()
    monkeypatch.setattr(indexing_lines.time, "monotonic", lambda: now[0])
    tell = indexing_lines.indexing_lines(said.append)
    for _ in range(6):  # six questions, two seconds each
        for done in (10, 20, 30):
            tell("", done, 30)
            now[0] += 0.7
    assert not said
    for done in range(10, 90, 10):
        tell("", done, 90)
        now[0] += 1.0
    assert said == ["Reading for meaning: 60 of 90 passages"]
    for _ in range(30):  # on a slow machine
        for done in range(10, 90, 10):
            tell("", done, 90)
            now[0] += 1.0
    assert len(said) == 6, "a line after 8, 16, 32, 64, 128 seconds, where there were one or two each time"
    del said[:]
    once = indexing_lines.indexing_lines(said.append)
    for done in (0, 6):  # one of six is damaged, and tried at each run
        once("docs", done, 6)
        now[0] += 2.0
    assert not said, "that it is over is no news where nothing was said before"


def test_the_rest_is_told_from_more_than_the_first_files(monkeypatch: pytest.MonkeyPatch) -> None:
    now, said = [0.0], list[str]()
    monkeypatch.setattr(indexing_lines.time, "monotonic", lambda: now[0])
    tell = indexing_lines.indexing_lines(said.append)
    for done, seconds in ((0, 0.0), (1, 3.2), (30, 8.0)):  # what reads them begins with the first
        now[0] = seconds
        tell("docs", done, 76)
    assert said == ["Reading docs: 1 of 76 files", "Reading docs: 30 of 76 files, about 12 s left"]
    few = indexing_lines.indexing_lines(said.append)
    for done, seconds in ((0, 10.0), (1, 20.0)):
        now[0] = seconds
        few("scans", done, 4)
    assert said[-1] == "Reading scans: 1 of 4 files, about 30 s left"


@pytest.mark.parametrize(("spoken", "tells"), [("en", "'six' is not a valid integer."), ("zh", "不是整数")])
def test_a_word_in_place_of_a_number_is_told_as_that(
    spoken: str, tells: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", LOCALES.get(spoken, "C.UTF-8"))
    assert program.run(["fork", "last", "--at", "six"]) == 2
    assert tells in capsys.readouterr().err


def test_english_help_waits_for_no_pattern_of_wide_letters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not [name for name, value in vars(help_words).items() if isinstance(value, re.Pattern)]
    monkeypatch.setattr(help_words, "re", None)
    assert program.run(["--help"]) == 0
    assert "Commands:" in capsys.readouterr().out


def test_a_server_that_cannot_begin_says_so_in_the_terminals_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", LOCALES["zh"])
    assert program.run(["serve", "--token", "short"]) == 2
    told = capsys.readouterr().err
    assert "太短" in told
    assert "give 16" not in told
