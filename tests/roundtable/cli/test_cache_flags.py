"""`--cache` and `--no-cache`: what they set, and what they leave as it was."""

import pytest

from roundtable.cli.running.run_session import changed_settings
from roundtable.config.config import load_settings, unresolved
from roundtable.config.flags import given_settings


@pytest.mark.parametrize(
    ("cache", "replies", "minutes", "pages"),
    [(None, "auto", 60.0, True), (True, "on", 60.0, True), (False, "off", 0.0, False)],
)
def test_a_flag_says_what_is_kept_and_used(cache, replies, minutes, pages):
    settings = load_settings(given_settings({"cache": cache, "model": "embedded"}), environment={})
    assert settings.models.cache == replies
    assert settings.models.model == "embedded"
    assert settings.library.search.cache_minutes == minutes
    assert settings.library.fetch.cache is pages


def test_a_session_taken_up_again_keeps_its_other_settings():
    before = load_settings(
        {
            "models": {"model": "openai:a", "base_url": "http://127.0.0.1:1/v1"},
            "library": {"fetch": {"per_host": 1}, "search": {"language": "de"}},
        },
        environment={},
    )
    after = changed_settings(unresolved(before), given_settings({"cache": False}))
    assert after.models.cache == "off"
    assert after.models.base_url == "http://127.0.0.1:1/v1"
    assert (after.library.fetch.per_host, after.library.fetch.cache) == (1, False)
    assert (after.library.search.language, after.library.search.cache_minutes) == ("de", 0.0)
