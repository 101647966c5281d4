from dataclasses import replace

import pytest

from mindmap import (
    UNSORTED,
    AddNode,
    AddNote,
    Item,
    MapIndex,
    MapSettings,
    MindMap,
    Note,
    PlacePassage,
    SetMark,
    map_excerpt,
    place,
    placement,
    reorganize,
)  # fmt: skip
from mindmap.tasks import Choice, Placements, PlaceNotes
from models.prompting.prompts import render
from tests.mindmap.conftest import made_passage


class Model:
    """A context whose model answers what it is told to."""

    def __init__(self, choices):
        self.choices = choices
        self.asked = []

    async def ask(self, task):
        self.asked.append(task)
        return Placements(choices=self.choices)


@pytest.fixture
def arranged(themed):
    """Four nodes, each holding five passages about one thing; sixteen passages are yet to be placed."""
    evidence = themed(36)
    tree = MindMap("Things")
    for number in range(4):
        tree.apply(AddNode(id=f"n{number + 1}", title=f"Part {'ABCD'[number]}", parent="n0"))
    for number in range(1, 21):
        tree.apply(PlacePassage(passage=f"p{number}", node=f"n{number % 4 + 1}"))
    return tree, evidence.passages


async def test_passages_find_what_is_like_them(arranged, asks):
    tree, passages = arranged
    new = [passages[f"p{n}"] for n in range(21, 37)]
    tree.apply_all(await place(tree, [Item(None, new)], asks, MapIndex.built(tree, passages)))
    assert {p.id: tree.where(p.id) for p in new} == {f"p{n}": f"n{n % 4 + 1}" for n in range(21, 37)}
    assert len(asks.asked) == 1


async def test_an_index_built_again_places_the_same(arranged, asks):
    tree, passages = arranged
    lived, index = tree.copy(), MapIndex.built(tree, passages)
    for start in (21, 25, 29, 33):
        items = [Item(None, [passages[f"p{n}"] for n in range(start, start + 4)])]
        alive = await place(lived, items, asks, index)
        again = await place(lived, items, asks, MapIndex.built(lived, passages))
        assert alive == again
        lived.apply_all(alive)


async def test_what_fits_nowhere_is_unsorted_and_tried_again(arranged, asks, themed):
    tree, passages = arranged
    strict = MapSettings(threshold=1.0)
    index = MapIndex.built(tree, passages)
    changes = await place(tree, [Item(None, [passages["p21"], passages["p22"]])], asks, index, strict)
    assert [c.op for c in changes] == ["add", "place", "place"]
    tree.apply_all(changes)
    assert tree.where("p21") == UNSORTED
    tree.apply_all(await reorganize(tree, {UNSORTED}, asks, index))
    assert tree.where("p21") == "n2"
    assert UNSORTED not in tree


async def test_an_empty_map_takes_everything_at_its_root(asks, themed):
    passages = themed(3).passages
    tree = MindMap("Things")
    note = Note(turn=1, question="What?", answer="So [p1].")
    tree.apply_all(await place(tree, [Item(note, list(passages.values()))], asks, MapIndex(passages)))
    assert tree.passages("n0") == ["p1", "p2", "p3"]
    assert tree.note_node(1) == "n0"


async def test_a_note_stands_where_its_passages_do(arranged, asks):
    tree, passages = arranged
    index = MapIndex.built(tree, passages)
    note = Note(turn=1, question="And?", answer="Known [p4][p8], new [p25].")
    tree.apply_all(await place(tree, [Item(note, [passages["p25"]])], asks, index))
    assert tree.note_node(1) == "n1"


async def test_what_was_asked_about_a_persons_node_is_noted_there(arranged, asks):
    tree, passages = arranged
    tree.apply_all(
        [
            AddNode(id="n8", title="Costs", parent="n0", by="person"),
            AddNode(id="n9", title="Running costs", parent="n8", by="person"),
        ]
    )
    index = MapIndex.built(tree, passages)
    for turn, about in enumerate(("“Running costs” (Costs)", "“Costs”", "“Part A”"), 1):
        note = Note(turn=turn, question=f"What do the sources say about {about}?", answer="“So it is.” [p4]")
        tree.apply_all(await place(tree, [Item(note)], asks, index))
    assert [tree.note_node(turn) for turn in (1, 2, 3)] == ["n9", "n8", "n1"]


async def test_an_open_question_is_a_gap_until_it_is_answered(arranged, asks):
    tree, passages = arranged
    index = MapIndex.built(tree, passages)
    tree.apply_all(await place(tree, [Item(Note(turn=1, question="Why flour?"))], asks, index))
    at = tree.note_node(1)
    assert tree.node(at).marks == ("gap",)
    answered = Note(turn=2, question="Why flour?", answer="Because [p4].")
    tree.apply_all(await place(tree, [Item(answered)], asks, index))
    assert tree.node(at).marks == ()


async def test_a_language_model_decides_for_all_in_one_request(arranged):
    tree, passages = arranged
    new = [passages[f"p{n}"] for n in range(21, 25)]
    model = Model(
        [
            Choice(id="p21", node="n3"),
            Choice(id="p22", node="n1", new="  A new   part "),
            Choice(id="p23", node="n1", new="a new part"),
            Choice(id="p24", node="n77"),
            Choice(id="p99", node="n1"),
        ]
    )
    tree.apply_all(await place(tree, [Item(None, new)], model, MapIndex.built(tree, passages)))
    assert len(model.asked) == 1
    assert tree.where("p21") == "n3"
    assert tree.where("p22") == tree.where("p23") == "n5"
    assert (tree.title("n5"), tree.parent("n5")) == ("A new part", "n1")
    assert tree.where("p24") == UNSORTED
    assert "p99" not in tree.placed()


async def test_what_a_model_finds_to_belong_nowhere_stays_out_of_the_map(arranged, asks):
    tree, passages = arranged
    new = [passages[f"p{n}"] for n in range(21, 25)]
    model = Model([Choice(id="p21"), Choice(id="p22", new="A part of its own"), Choice(id="p23", node="n0")])
    index = MapIndex.built(tree, passages)
    placing = placement(tree, [Item(None, new)], index)
    changes = placing.changes(await model.ask(placing.task))
    tree.apply_all(changes)
    assert placing.outside(changes) == ["p21"]
    assert tree.where("p21") is None
    assert tree.parent(tree.where("p22")) == "n0"
    assert tree.where("p23") == "n0"
    # Of p24 it said nothing: it waits to be tried again.
    assert tree.where("p24") == UNSORTED
    tree.apply_all(await reorganize(tree, None, asks, MapIndex.built(tree, passages), stands=True))
    assert tree.where("p21") is None


async def test_what_is_to_be_placed_is_shown_by_page_with_its_commands(asks):
    texts = ["## After\n\n```\n# dpkg --configure -a\n```\n", "The river rises.", "## Before\n\nMount it."]
    pages = [("repair", 900, "Repairs"), ("river", 0, "Rivers"), ("repair", 0, "Repairs")]
    passages = {
        f"p{n}": replace(made_passage(n, text, source, title=title), start=start)
        for n, (text, (source, start, title)) in enumerate(zip(texts, pages, strict=True), 1)
    }
    tree = MindMap("Repairs")
    await place(tree, [Item(None, list(passages.values()))], asks, MapIndex(passages))
    user = render(asks.asked[0]).user
    wanted = ["From “Repairs”:", "Before: Mount it", "# dpkg --configure -a", "From “Rivers”:", "The river"]
    assert sorted(wanted, key=user.index) == wanted


async def test_a_passage_that_an_answer_cites_is_shown_by_what_it_is_cited_for(asks) -> None:
    text = " ".join(
        ["Many people live there.", "The keeper lit the lamp with oil in 1872.", *["It rains."] * 30]
    )
    passages = {"p1": made_passage(1, text, "light")}
    note = Note(turn=1, speaker="Ada", question="How was it lit?", answer="The lamp was lit with oil [p1].")
    await place(MindMap("Light"), [Item(note, list(passages.values()))], asks, MapIndex(passages))
    assert "[p1] … The keeper lit the lamp with oil in 1872." in render(asks.asked[0]).user


async def test_the_prompt_is_whole(arranged, asks):
    tree, passages = arranged
    await place(tree, [Item(None, [passages["p21"]])], asks, MapIndex.built(tree, passages))
    task = asks.asked[0]
    assert isinstance(task, PlaceNotes)
    prompt = render(task)
    assert "n2: Part B" in prompt.user
    assert passages["p21"].text[:70] in prompt.user


async def test_known_passages_and_notes_are_not_placed_twice(arranged, asks):
    tree, passages = arranged
    index = MapIndex.built(tree, passages)
    note = Note(turn=1, question="?", answer="[p1]")
    tree.apply(AddNote(node="n2", note=note))
    assert await place(tree, [Item(note, [passages["p1"]])], asks, index) == []


def test_the_context_shows_the_branch_in_question(arranged):
    tree, _ = arranged
    tree.apply(AddNode(id="n5", title="Rye flour", parent="n4"))
    tree.apply(SetMark(node="n5", mark="gap"))
    text = map_excerpt(tree, "Which flour makes rye bread?")
    assert "Rye flour" in text
    assert "Part A" in text
    assert "Rye" not in map_excerpt(tree, "How does an opera end?")
    assert len(map_excerpt(tree, "rye flour", limit=20)) <= 20


def test_every_branch_stands_in_what_is_shown_of_the_map(arranged):
    tree, _ = arranged
    for n in range(6):
        tree.apply(AddNode(id=f"n{10 + n}", title=f"Branch {n} of words that say little", parent=tree.root))
        tree.apply(AddNode(id=f"n{20 + n}", title=f"Leaf {n} with rye", parent=f"n{10 + n}"))
    text = map_excerpt(tree, "rye flour", limit=300)
    tops = [line for line in text.split("\n") if line.startswith("- ")]
    assert len(tops) == len(tree.children(tree.root))
    assert all(f"Branch {n}" in text for n in range(6))
    assert "  - Leaf" in text
    assert len(text) <= 300
