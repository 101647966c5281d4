"""What the program says by itself: every language says all of it, with the same names to fill in."""

import string
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from agents.expert_phrases import ExpertPhrases
from library.text import phrases_by_language, phrases_in
from moderator.moderator_phrases import ModeratorPhrases
from reports.report_phrases import ReportPhrases
from roundtable.journal.session_phrases import SessionPhrases

LANGUAGES = Path(__file__).parents[4] / "configs" / "languages"
ALL = {
    "experts": ExpertPhrases,
    "moderator": ModeratorPhrases,
    "report": ReportPhrases,
    "session": SessionPhrases,
}


def filled(values: Any) -> Any:
    """Return, in the place of each phrase, the names in braces that it has."""
    if isinstance(values, str):
        return {name for _, name, _, _ in string.Formatter().parse(values) if name}
    if isinstance(values, dict):
        return {name: filled(value) for name, value in values.items()}
    return [filled(value) for value in values]


@pytest.mark.parametrize("part", ALL)
def test_every_language_says_the_same_with_the_same_names(part: str) -> None:
    held: dict[str, Any] = dict(phrases_by_language(ALL[part], part))
    assert set(held) >= {"en", "zh"}
    wanted = filled(asdict(held["en"]))
    for phrases in held.values():
        assert filled(asdict(phrases)) == wanted


@pytest.mark.parametrize("part", ALL)
def test_nothing_in_a_file_is_passed_over(part: str) -> None:
    held: dict[str, Any] = dict(phrases_by_language(ALL[part], part))
    for language in held:
        written = tomllib.loads((LANGUAGES / f"{language}.toml").read_text(encoding="utf-8"))
        assert set(written[part]) == set(asdict(held[language]))


@pytest.mark.parametrize(
    ("code", "says"), [("zh", "、"), ("zh-TW", "、"), ("ZH_tw", "、"), ("de", ", "), ("", ", ")]
)
def test_a_language_without_phrases_of_its_own_is_spoken_to_in_english(code: str, says: str) -> None:
    assert phrases_in(code, ReportPhrases, "report").comma == says
