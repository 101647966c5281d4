"""Where a session searches when nothing is said, and the line that tells what goes where."""

from pathlib import Path

import pytest

from library import Store
from library.store.sync import derived_name
from roundtable.config.config import load_settings
from roundtable.config.errors import ConfigError, InputError
from roundtable.config.flags import given_settings
from roundtable.config.search_places import STORE, destinations, settle_places
from roundtable.session.document_collections import remove_collection


def settled(home: Path, **flags: object):
    return settle_places(load_settings(given_settings(flags), environment={}), home)


def test_documents_alone_send_nothing_out_unless_it_is_said(home: Path):
    assert settled(home, docs=("python",)).search == []
    assert settled(home).search == ["web"]
    assert settled(home, docs=("python",), web=True).search == ["web"]
    assert settled(home, docs=("python",), web=True, search=("arxiv", "web")).search == ["web", "arxiv"]
    assert settled(home, kind=("paper",)).search == ["arxiv", "openalex", "crossref"]


def test_a_collection_is_known_by_a_beginning_that_is_its_own_and_near_names_are_offered(home: Path):
    with Store(home / STORE) as store:
        for name in ("minutes-2024", "minutes-2025", "borg-doc-ffa0c6da"):
            store.make_collection(name, "", (str(home),), private=True)
    assert settled(home, docs=("borg-doc",)).docs == ["borg-doc-ffa0c6da"]
    # A folder that was searched before is told as the folder, as long as it lies there.
    (tides := home / "tides").mkdir()
    with Store(home / STORE) as store:
        store.make_collection(derived_name(tides), "", (str(tides),), private=True)
    assert settled(home, docs=("tide",)).docs == [str(tides)]
    tides.rmdir()
    assert settled(home, docs=("tide",)).docs == [derived_name(tides)]
    with pytest.raises(InputError, match=r"did you mean minutes-2024 or minutes-2025\? pass"):
        settled(home, docs=("minutes",))
    with pytest.raises(InputError, match=r"did you mean borg-doc\? pass .*, borg-doc, "):
        settled(home, docs=("brog-doc",))
    (home / "mixed").mkdir()
    with pytest.raises(InputError, match=rf"did you mean {home / 'mixed'}\? pass"):
        settled(home, docs=(f"{home}/mixd",))
    (home / "Dockerfile").touch()
    with pytest.raises(InputError, match="name; pass"):  # half of the letters are not meant so
        settled(home, docs=(f"{home}/nofile",))
    with pytest.raises(InputError, match="did you mean minutes-2024"):
        remove_collection(home, "minutes-204")


def test_documents_that_are_called_as_a_place_leave_none_out_without_a_word(home: Path):
    with Store(home / STORE) as store:
        store.make_collection("wikipedia", "", (str(home),), private=True)
    with pytest.raises(InputError, match="wikipedia is a collection here and a place to search"):
        settled(home, docs=("wikipedia",), search=("arxiv", "wikipedia"))
    assert settled(home, docs=("wikipedia",), search=("arxiv",)).search == ["arxiv"]
    assert settled(home, docs=("wikipedia",), search=("wikipedia",), offline=True).docs == ["wikipedia"]


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
    with pytest.raises(ConfigError, match=r"^--since: give a date as 2024"):
        load_settings(given_settings({"since": "yesterday"}), environment={})
