"""Each rule of an expert's research by name, in whole sessions with a scripted model."""

from pathlib import Path
from typing import Any

import pytest

from library.errors import SearchError
from roundtable.session.context.journalled_context import JournalledContext
from tests.journeys.research.research_world import Pages, World, acts, answers, document, read, search

pytestmark = pytest.mark.usefixtures("each_mode")


def cites_first(task: Any, **more: Any) -> dict[str, Any]:
    """Answer with the first passage shown."""
    return answers(f"So it was [{task.passages[0].id}]." if task.passages else "Nothing.", **more)


def in_turn(*moves: Any) -> Any:
    """Say one move after the other; a function is called with the task; at the end answer."""
    left = list(moves)

    def script(task: Any) -> Any:
        if task.rounds_left == 0 or not left:
            return cites_first(task)
        move = left.pop(0)
        return move(task) if callable(move) else move

    return script


async def test_a_simple_question_is_answered_with_a_single_request(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.play({"respond": in_turn()})
    assert len(world.asked) == 1
    assert world.asked[0].passages


async def test_three_actions_run_in_one_round_and_a_fourth_is_refused_with_a_notice(tmp_path: Path) -> None:
    world = World(tmp_path)
    four = acts(*(search(f"{word} Asterby") for word in ("ferry", "dyke", "market", "pilots")))
    await world.play({"respond": in_turn(four)})
    queries = {event.query for event in world.of("searched")}
    assert {"ferry Asterby", "dyke Asterby", "market Asterby"} <= queries
    assert "pilots Asterby" not in queries
    assert any("3 actions are the most" in notice for notice in world.asked[1].notices)


async def test_the_same_action_twice_costs_nothing_and_is_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    again = acts(search("ferry Asterby"))
    await world.play({"respond": in_turn(again, again)})
    assert [e.query for e in world.of("searched")].count("ferry Asterby") == 1
    assert any("done before" in notice for notice in world.asked[2].notices)


async def test_who_searches_in_vain_in_words_of_its_own_is_told_so(tmp_path: Path) -> None:
    world = World(tmp_path)
    again = [
        acts(search(f"{word} Asterby")) for word in ("ferry", "the ferry of", "ferry boats of", "ferry at")
    ]
    await world.play({"respond": in_turn(*again)})
    told = [any("had not been shown" in notice for notice in each.notices) for each in world.asked]
    assert not told[0]
    assert told[-1]


async def test_a_place_that_does_not_answer_is_not_said_to_hold_no_more(tmp_path: Path) -> None:
    class Silent(Pages):
        async def search(self, query: str, limit: int) -> Any:
            raise SearchError("the server does not answer")

    world = World(tmp_path, Silent([]))
    words = ("boats", "walls", "stalls")
    again = [acts(search(f"{word} Asterby", "pages")) for word in words]
    await world.play({"respond": in_turn(*again)})
    told = [notice for each in world.asked for notice in each.notices]
    assert any("does not answer" in notice for notice in told)
    assert not any("had not been shown" in notice for notice in told)


async def test_what_a_colleague_had_found_before_is_new_to_who_is_shown_it_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = JournalledContext.admit
    monkeypatch.setattr(
        JournalledContext, "admit", lambda own, found: [(passage, False) for passage, _ in kept(own, found)]
    )
    world = World(tmp_path)
    both = acts(search("market Asterby"), search("pilots Asterby"))
    await world.play({"respond": in_turn(both)})
    [first, second] = world.asked[:2]
    assert len(second.passages) > len(first.passages)
    assert not any("had not been shown" in notice for notice in second.notices)


async def test_only_urls_that_a_search_or_a_page_gave_are_read(tmp_path: Path) -> None:
    linked = "https://asterby.example/linked"
    found = "https://asterby.example/ferry"
    page = document("ferry").replace("The harbour council", f"At {linked}, the harbour council")
    world = World(tmp_path, Pages([found], snippet="The ferry."), folders={})
    world.keep(found, page)
    world.keep(linked, document("customs"))
    secret = "https://evil.example/?q=secret"
    await world.play({"respond": in_turn(acts(read(secret)), acts(read(linked)))})
    assert any(secret in notice for notice in world.asked[1].notices)
    assert [e.url for e in world.of("page_read")] == [found, linked]


async def test_a_passage_named_by_its_id_is_read_with_its_whole_source(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.play({"respond": in_turn(lambda task: acts(read(task.passages[0].id)))})
    [page] = world.of("page_read")
    assert page.sha256 == world.asked[0].passages[0].sha256


async def test_a_snippet_is_never_evidence_the_page_is_read_before_it_is_cited(tmp_path: Path) -> None:
    urls = [f"https://asterby.example/{side}" for side in ("ferry", "dyke")]
    pages = Pages(urls, snippet="The ferry cost 801 thousand crowns.")
    world = World(tmp_path, pages, folders={"harbour": {"market": document("market")}})
    for url in urls:
        world.keep(url, document(url.rpartition("/")[2]))
    script = in_turn(answers(f"The ferry cost 801 thousand crowns ({urls[1]})."))
    await world.play({"respond": script}, pages=0)
    assert {e.url for e in world.of("page_read")} == set(urls)
    assert any("snippet is no evidence" in notice for notice in world.asked[1].notices)
    assert all("801" not in line for line in world.asked[0].pages)
    [turn] = world.of("turn_taken")
    assert turn.turn.citations


async def test_a_fact_without_a_passage_that_was_shown_is_refused(tmp_path: Path) -> None:
    world = World(tmp_path)
    notes = [
        {"kind": "fact", "text": "The harbour is old.", "passages": []},
        {"kind": "fact", "text": "The harbour is deep.", "passages": ["p999"]},
        {"kind": "rumour", "text": "It is haunted.", "passages": []},
    ]
    await world.play({"respond": in_turn(acts(search("dyke Asterby"), notes=notes))})
    assert world.of("memory_added") == []
    notices = " ".join(world.asked[1].notices)
    assert "The harbour is old." in notices
    assert "The harbour is deep." in notices
    assert "'rumour'" in notices


async def test_notes_get_ids_from_the_system_are_kept_and_dropped(tmp_path: Path) -> None:
    world = World(tmp_path)

    def notes(task: Any) -> dict[str, Any]:
        fact = {"kind": "fact", "text": "The ferry was rebuilt.", "passages": [task.passages[0].id]}
        lead = {"kind": "lead", "text": "lighthouse keepers", "passages": []}
        return acts(search("dyke Asterby"), notes=[fact, lead])

    await world.play({"respond": in_turn(notes, acts(search("market Asterby"), drop=["m1", "m77"]))})
    assert [e.id for e in world.of("memory_added")] == ["m1", "m2"]
    assert [line.split()[0] for line in world.asked[1].memory] == ["m2"], "the passage of m1 stands there"
    assert [e.id for e in world.of("memory_dropped")] == ["m1"]
    assert [line.split()[0] for line in world.asked[2].memory] == ["m2"]
    assert any("m77" in notice for notice in world.asked[2].notices)


async def test_what_a_note_calls_another_matter_is_not_shown_again(tmp_path: Path) -> None:
    world = World(tmp_path)
    apart: list[str] = []

    def notes(task: Any) -> dict[str, Any]:
        apart.append(task.passages[0].id)
        told = {"kind": "unrelated", "text": "Another harbour.", "passages": apart}
        return acts(search("dyke Asterby"), notes=[told])

    await world.play({"respond": in_turn(notes)})
    assert apart[0] in {p.id for p in world.asked[0].passages}
    assert all(apart[0] not in {p.id for p in task.passages} for task in world.asked[1:])
    assert all(not line.startswith(apart[0]) for task in world.asked[1:] for line in task.listed)


async def test_what_one_expert_calls_another_matter_is_not_shown_to_who_works_beside_it(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)
    apart: list[str] = []
    later: dict[str, list[Any]] = {}

    def script(task: Any) -> Any:
        tasks = later.setdefault(task.expert, [])
        tasks.append(task)
        if len(tasks) == 1 and len(later) == 1:
            apart.append(min((p.id for p in task.passages), key=lambda i: int(i[1:])))
            told = {"kind": "unrelated", "text": "Another harbour.", "passages": apart}
            return acts(search("dyke Asterby"), notes=[told])
        return acts(search("market Asterby")) if len(tasks) < 4 and task.rounds_left else cites_first(task)

    await world.play({"respond": script}, turns=2, experts=2)
    first, beside = later.values()
    assert apart[0] in {p.id for p in beside[0].passages}, "it was shown before anybody had marked it"
    assert len(beside) > 1
    for task in [*first[1:], *beside[1:]]:
        assert apart[0] not in {p.id for p in task.passages}
        assert all(not line.startswith(apart[0]) for line in task.listed)


async def test_a_lead_is_offered_again_until_a_search_has_followed_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    lead = {"kind": "lead", "text": "lighthouse keepers", "passages": []}
    moves = in_turn(
        acts(search("dyke Asterby"), notes=[lead]), acts(search("market Asterby")),
        acts(search("lighthouse keepers of Asterby")),
    )  # fmt: skip
    await world.play({"respond": moves})
    offered = [any("not followed" in line for line in task.memory) for task in world.asked]
    assert offered == [False, True, True, False]


async def test_questions_asked_come_onto_the_agenda_and_gaps_do_not(tmp_path: Path) -> None:
    world = World(tmp_path)
    gap = {"kind": "gap", "text": "No passage says who paid for the lighthouse.", "passages": []}
    script = in_turn(lambda task: cites_first(task, notes=[gap], ask=["When do the pilots sail?"]))
    await world.play({"respond": script}, turns=3)
    raised = [e.text for e in world.of("question_raised")]
    assert "No passage says who paid for the lighthouse." not in raised
    assert "When do the pilots sail?" in raised


async def test_an_expert_may_ask_for_more_rounds_and_gets_no_more_than_the_most(tmp_path: Path) -> None:
    world = World(tmp_path)
    words = iter(
        f"{a} {b}" for a in ("keel", "mast", "rope", "sail", "hull") for b in ("one", "two", "red", "old")
    )

    def greedy(task: Any) -> Any:
        if task.rounds_left == 0:
            return cites_first(task)
        return acts(search(next(words)), read(task.passages[0].id), more=1000)

    await world.play({"respond": greedy}, rounds=2, most_rounds=6)
    assert len(world.asked) == 6


async def test_a_place_found_unrelated_is_not_asked_again_for_that_question(tmp_path: Path) -> None:
    recipes = {f"dish{n}": f"Take {n} eggs and stir the batter of flour slowly. " * 9 for n in range(6)}
    harbour = {side: document(side) for side in ("ferry", "dyke", "market", "customs", "pilots")}
    world = World(tmp_path, folders={"harbour": harbour, "kitchen": recipes})
    kitchen = world.library.collections[1].name
    await world.play(
        {
            "respond": in_turn(
                acts(search("eggs in the harbour batter", kitchen)),
                acts(search("batter", kitchen)),
                acts(search("flour of Asterby")),
            )
        }
    )
    assert [e.where for e in world.of("place_unrelated")] == [kitchen]
    later = [e for e in world.of("searched") if e.query in {"batter", "flour of Asterby"}]
    assert kitchen not in {e.where for e in later}
    assert any("nothing there fitted" in n for task in world.asked for n in task.notices)


async def test_what_is_found_is_admitted_from_each_place_with_its_own_wording(tmp_path: Path) -> None:
    pages = Pages(["https://asterby.example/ferry"])
    world = World(tmp_path, pages)
    world.keep("https://asterby.example/ferry", document("ferry", 8))
    await world.play({"respond": in_turn()}, turns=2)
    assert pages.asked
    assert all(len(query.split()) <= 12 for query in pages.asked[1:])
