"""What a model proposes to do is checked before it is done."""

from agents.research import Findings, allowed_actions
from agents.tasks import ActionDraft

PLACES = ["web", "papers"]


def search(query: str, *where: str) -> ActionDraft:
    return ActionDraft(kind="search", query=query, where=list(where), url="")


def read(url: str) -> ActionDraft:
    return ActionDraft(kind="read", query="", where=[], url=url)


def findings(*urls: str) -> Findings:
    return Findings("question", pages=dict.fromkeys(urls, "title"))


def test_a_url_that_no_search_gave_is_not_read() -> None:
    actions, refused = allowed_actions(
        [read("http://evil.example/?q=secret")], findings("http://a.example"), PLACES, 3
    )
    assert actions == []
    assert "no search has given this url" in refused[0]


def test_a_found_url_is_read() -> None:
    actions, refused = allowed_actions([read("http://a.example")], findings("http://a.example"), PLACES, 3)
    assert [a.url for a in actions] == ["http://a.example"]
    assert refused == []


def test_unknown_places_are_left_out() -> None:
    [action], _ = allowed_actions([search("floods", "papers", "darknet")], findings(), PLACES, 3)
    assert action.where == ("papers",)


def test_the_same_action_twice_is_one() -> None:
    actions, _ = allowed_actions([search("Floods"), search(" floods ")], findings(), PLACES, 3)
    assert len(actions) == 1


def test_more_actions_than_allowed_are_refused_by_name() -> None:
    actions, refused = allowed_actions([search(f"q{n}") for n in range(5)], findings(), PLACES, 3)
    assert len(actions) == 3
    assert len(refused) == 2


def test_other_kinds_and_empty_searches_are_refused() -> None:
    drafts = [search("  "), ActionDraft(kind="shell", query="rm", where=[], url="")]
    actions, refused = allowed_actions(drafts, findings(), PLACES, 3)
    assert actions == []
    assert "'shell'" in refused[1]
