import pytest

from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.language_codes import check_language, session_language


@pytest.mark.parametrize("code", ["en", "zh", "zh-TW", "pt_BR", "fr", "sr-Latn", "yue"])
def test_codes_of_languages_are_taken(code: str) -> None:
    check_language(code)
    assert session_language("Tea", Settings(language=code)) == code


@pytest.mark.parametrize(
    ("code", "near"),
    [
        ("zz", "zh (Chinese)"), ("chinese", "zh (Chinese)"), ("deutsch", "de (German)"),
        ("中文", "zh (Chinese)"), ("../en", "en (English)"),
        ("q", "qu (Quechua)"), ("", "for instance en (English)"),
    ],
)  # fmt: skip
def test_what_is_no_code_is_refused_with_near_ones(code: str, near: str) -> None:
    with pytest.raises(InputError) as refused:
        session_language("Tea", Settings(language=code))
    assert near in str(refused.value)
    assert "\n" not in str(refused.value)


def test_without_a_code_the_topic_decides() -> None:
    assert session_language("青河镇的洪水", Settings()) == "zh"
    assert session_language("Tea", Settings()) == "en"
