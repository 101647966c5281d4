"""Where a session searches when nothing is said, and the line that tells what goes where."""

from pathlib import Path

import pytest

from roundtable.config.config import load_settings
from roundtable.config.errors import ConfigError
from roundtable.config.flags import given_settings
from roundtable.config.search_places import destinations, settle_places


def settled(home: Path, **flags: object):
    return settle_places(load_settings(given_settings(flags), environment={}), home)


def test_documents_alone_send_nothing_out_unless_it_is_said(home: Path):
    assert settled(home, docs=("python",)).search == []
    assert settled(home).search == ["web"]
    assert settled(home, docs=("python",), web=True).search == ["web"]
    assert settled(home, docs=("python",), web=True, search=("arxiv", "web")).search == ["web", "arxiv"]
    assert settled(home, kind=("paper",)).search == ["arxiv", "openalex", "crossref"]


def test_the_first_line_says_what_goes_where(home: Path):
    local = destinations(settled(home, docs=("python",)), "model: embedded")
    assert local == "Searching python; nothing goes to the web; model: embedded"
    both = destinations(
        settled(home, docs=("python",), web=True, site=("example.org",), since="2024"), "model: embedded"
    )
    assert both == (
        "Searching python, web (only pages of example.org; what was published since 2024); "
        "the topic and queries go to web; model: embedded"
    )
    offline = destinations(settled(home, docs=("python",), search=("web",), offline=True), "m")
    assert offline == "Searching python; offline: nothing leaves this machine; m"


def test_a_scope_that_cannot_be_is_one_line_that_names_the_flag():
    with pytest.raises(ConfigError, match=r"^flag: library\.search\.scope\.since: .*give a date as 2024"):
        load_settings(given_settings({"since": "yesterday"}), environment={})
