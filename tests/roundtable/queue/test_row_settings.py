"""What a row of a file of topics may set, and what whoever runs the batch keeps in hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from library import Store
from library.store import derived_name
from roundtable.batch.row_settings import RowRules
from roundtable.config.config import joined, load_settings
from roundtable.config.errors import ConfigError, InputError
from roundtable.config.search_places import settle_places

LIMITED = {"moderator": {"budget": {"money": 1}}}


@pytest.fixture
def rules(tmp_path: Path) -> Callable[..., RowRules]:
    """Return what judges rows of a file in `sent/`, beside which lie `papers/`."""
    (tmp_path / "sent" / "papers").mkdir(parents=True)
    (tmp_path / "private").mkdir()
    (tmp_path / "sent" / "sessions").mkdir()
    (tmp_path / "sent" / "session:1").mkdir()
    (tmp_path / "sent" / "away").symlink_to(tmp_path / "private")

    def judging(*allowed: str, **own: Any) -> RowRules:
        settings = load_settings(own, environment={})
        return RowRules(tmp_path / "sent" / "topics.csv", tmp_path / "home", settings, allowed)

    return judging


@pytest.mark.parametrize(
    "row",
    [
        {"mcp": {"x": {"command": ["touch", "here"], "search": "s"}}}, {"mcp": {}},
        {"models": {"base_url": "http://collects.example/v1"}}, {"models": {"vision": "openai:gpt-5-mini"}},
        {"models": {"model": "openai:gpt-5"}}, {"models": {"roles": {"writer": "openai:gpt-5"}}},
        {"models": {"prompts": "/tmp"}}, {"models": {"prices": {"openai:m": {"prompt": 0, "completion": 0}}}},
        {"agents": {"seats": [{"name": "A", "model": "openai:m", "base_url": "http://collects.example"}]}},
        {"agents": {"allow_providers": ["subprocess"]}}, {"privacy": {"queries": "any"}},
        {"library": {"fetch": {"allow": ["intranet"]}}}, {"library": {"fetch": {"proxy": "http://a.example"}}},
        {"library": {"search": {"addresses": {"searxng": "http://collects.example"}}}},
        {"library": {"rerank": {"url": "http://collects.example"}}},
        {"library": {"read": {"follow_links": True}}},
        {"library": {"embeddings": {"url": "http://collects.example"}}}, {"library": 1}, {"models": "m"},
        {"mindmap": {"embeddings": {"url": "http://collects.example"}}},
        {"mindmap": {"embeddings": "openai:e"}},
        {"serve": {"oidc": {"issuer": "https://collects.example"}}},
        {"docs": ["../private"]}, {"docs": ["sessions"]}, {"docs": ["session:1"]}, {"docs": ["~"]},
    ],
)  # fmt: skip
def test_a_file_of_topics_brings_no_server_program_or_documents_from_elsewhere(
    row: dict[str, Any], rules: Callable[..., RowRules], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path / "sent")
    with pytest.raises(InputError, match="--rows-may-set") as told:
        rules().judged(row)
    rules(str(told.value).rpartition(" ")[2]).judged(row)


def test_documents_beside_a_file_of_topics_came_with_it(
    rules: Callable[..., RowRules], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    papers = str(tmp_path / "sent" / "papers")
    came = rules().judged({"docs": ["sent/papers", "python", str(tmp_path / "sent")], "depth": "quick"})
    # From the root, so that what is searched afterwards cannot be anything else of that name.
    assert came == {"docs": [papers, "python", str(tmp_path / "sent")], "depth": "quick"}
    rules(docs=[str(tmp_path / "private")]).judged({"docs": ["private"]})
    with pytest.raises(InputError, match="docs: sent/away neither came with the file"):
        rules().judged({"docs": ["sent/away"]})
    with Store((tmp_path / "home").joinpath("library.sqlite")) as store:
        store.make_collection("sent", "my diary", (str(tmp_path / "private"),))
    with pytest.raises(
        InputError, match="docs: sent neither"
    ):  # the collection would be searched, not the folder
        rules().judged({"docs": ["sent"]})


@pytest.mark.parametrize("name", ["~nobody-of-that-name/a", "x" * 5000, "~root\0"])
def test_what_cannot_be_a_path_is_told_of_its_row(name: str, rules: Callable[..., RowRules]):
    with pytest.raises(InputError, match="docs: .* is no path"):
        rules().judged({"docs": [name]})


def test_a_setting_that_there_is_not_is_named_in_a_budget_too():
    with pytest.raises(ConfigError, match=r"no setting moderator\.budget\.dollars"):
        load_settings({"moderator": {"budget": {"dollars": 3}}}, environment={})


def test_a_folder_is_meant_by_what_lists_call_it(tmp_path: Path):
    folders = [tmp_path / name / "notes" for name in ("old", "new")]
    with Store(tmp_path / "library.sqlite") as store:
        for folder in folders:
            store.make_collection(derived_name(folder), "notes", (str(folder),))
    settled = settle_places(load_settings({"docs": ["new/notes"], "offline": True}, environment={}), tmp_path)
    assert settled.docs == [derived_name(folders[1])]
    with pytest.raises(InputError, match="^notes: no file or folder"):
        settle_places(load_settings({"docs": ["notes"], "offline": True}, environment={}), tmp_path)


@pytest.mark.parametrize(
    ("own", "row", "told"),
    [
        ({"offline": True}, {"offline": False}, "offline goes beyond the command's own --offline"),
        (LIMITED, {"moderator": {"budget": {"money": 9}}}, "budget.money goes beyond .* money=1"),
        (LIMITED, {"moderator": {"budget": {"money": None}}}, "budget.money goes beyond .* money=1"),
    ],
)
def test_a_row_lifts_no_limit_that_the_command_set(
    own: dict[str, Any], row: dict[str, Any], told: str, rules: Callable[..., RowRules]
):
    def judged(given: RowRules) -> None:
        given.check_limits(load_settings(joined(own, given.judged(row)), environment={}))

    with pytest.raises(InputError, match=told):
        judged(rules(**own))
    judged(rules("offline", "moderator", **own))
    rules().judged(row)  # where the command left it open, the row says
