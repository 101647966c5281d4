from dataclasses import replace

from mindmap import (
    AddNode,
    AddNote,
    Item,
    MapIndex,
    MapSettings,
    MindMap,
    Note,
    PlacePassage,
    RenameNode,
    SetMark,
    place,
    reorganize,
)
from mindmap import user_edits as hand
from mindmap.tasks import NodeTitle, Titles

SETTINGS = MapSettings()
async def grown(passages, asks, per_turn=5, settings=SETTINGS):
    tree, index = MindMap("Things of four kinds"), MapIndex(passages)
    names = list(passages)
    for turn, start in enumerate(range(0, len(names), per_turn), 1):
        new = [passages[name] for name in names[start : start + per_turn]]
        note = Note(turn=turn, question="What?", answer="".join(f"[{p.id}]" for p in new))
        changes = await place(tree, [Item(note, new)], asks, index, settings)
        tree.apply_all(changes)
        touched = {c.node for c in changes if c.op == "place"}
        tree.apply_all(await reorganize(tree, touched, asks, index, settings))
    return tree, index


async def test_what_belongs_together_comes_together(themed, asks):
    evidence = themed(48)
    tree, index = await grown(evidence.passages, asks)
    tree.apply_all(await reorganize(tree, None, asks, index))
    together = {}
    for passage in tree.placed():
        together.setdefault(tree.branch(tree.where(passage)), set()).add(int(passage[1:]) % 4)
    assert all(len(themes) == 1 for themes in together.values())
    assert 4 <= len(together) <= 6


async def test_a_second_time_changes_nothing(themed, asks):
    tree, index = await grown(themed(60).passages, asks)
    for touched in (list(tree.walk()), None):
        tree.apply_all(await reorganize(tree, touched, asks, index))
        assert await reorganize(tree, touched, asks, index) == []


async def test_all_new_nodes_are_named_in_one_request(themed, asks):
    passages = themed(60).passages
    tree = MindMap("Things")
    tree.apply_all(PlacePassage(passage=p, node="n0") for p in passages)
    tree.apply_all(await reorganize(tree, None, asks, MapIndex.built(tree, passages)))
    assert [task.name for task in asks.asked] == ["name_nodes"]
    for node in tree.walk():
        titles = [tree.title(child).casefold() for child in tree.children(node)]
        assert len(titles) == len(set(titles))
        assert tree.title(node).casefold() not in titles
        assert not any(title.isdigit() or title in {"the", "www", "com"} for title in titles)


async def test_titles_alike_are_not_taken_from_a_model(themed):
    class Dull:
        async def ask(self, task):
            return Titles(titles=[NodeTitle(id=node.id, title="The same") for node in task.nodes])

    passages = themed(48).passages
    tree = MindMap("Things")
    tree.apply_all(PlacePassage(passage=p, node="n0") for p in passages)
    tree.apply_all(await reorganize(tree, None, Dull(), MapIndex.built(tree, passages)))
    titles = [tree.title(child) for child in tree.children("n0")]
    assert len(titles) == len({t.casefold() for t in titles}) >= 2
    assert "The same" in titles
    assert not any(title == child for title, child in zip(titles, tree.children("n0"), strict=True))


async def test_nodes_that_mean_the_same_keep_their_ids(themed, asks):
    passages = themed(49).passages
    names = list(passages)
    tree = MindMap("Things")
    tree.apply_all(PlacePassage(passage=p, node="n0") for p in names[:48])
    index = MapIndex.built(tree, passages)
    tree.apply_all(await reorganize(tree, None, asks, index))
    before = {child: tree.title(child) for child in tree.children("n0")}
    tree.apply_all(await place(tree, [Item(None, [passages[names[48]]])], asks, index))
    tree.apply_all(await reorganize(tree, None, asks, index))
    assert {child: tree.title(child) for child in tree.children("n0")} == before


async def test_what_a_person_made_stays(themed, asks):
    passages = themed(60).passages
    tree, index = await grown(passages, asks)
    tree.apply_all(hand.add(tree, "My own part"))
    mine = tree.children("n0")[-1]
    tree.apply_all(hand.put(tree, "p7", mine))
    inner = tree.where("p20")
    tree.apply_all(hand.pin(tree, inner))
    held = (tree.title(inner), tree.parent(inner))
    tree.apply_all(await reorganize(tree, None, asks, index))
    assert tree.where("p7") == mine
    assert (tree.title(inner), tree.parent(inner)) == held


async def test_limits_hold_and_texts_without_words_are_no_trouble(themed, asks):
    from library.evidence import Passage

    settings = MapSettings(passages=3, children=3, depth=2)
    empty = Passage("s", 0, 1, "of the", "https://a.example", "")
    passages = {f"p{n}": replace(empty, id=f"p{n}") for n in range(1, 20)}
    passages |= {f"p{n}": replace(p, id=f"p{n}") for n, p in enumerate(themed(40).passages.values(), 100)}
    tree, index = await grown(passages, asks, settings=settings)
    tree.apply_all(await reorganize(tree, None, asks, index, settings))
    assert max(tree.depth(node) for node in tree.walk()) <= 2
    assert max(len(tree.children(node)) for node in tree.walk()) <= 4  # three, and what is unsorted
    assert sorted(tree.placed()) == sorted(passages)


async def test_chains_merge_and_what_is_empty_goes(asks):
    tree = MindMap("Things")
    for node, parent in (("n1", "n0"), ("n2", "n1"), ("n3", "n2"), ("n4", "n0"), ("n5", "n4"), ("n6", "n0")):
        tree.apply(AddNode(id=node, title=f"Node {node}", parent=parent))
    tree.apply(PlacePassage(passage="p1", node="n3"))
    tree.apply(AddNote(node="n6", note=Note(turn=1, question="?")))
    from library.evidence import Passage

    index = MapIndex({"p1": Passage("s", 0, 1, "word", "https://a.example", "", id="p1")})
    tree.apply_all(await reorganize(tree, list(tree.walk()), asks, index))
    assert tree.children("n0") == ["n1", "n6"]
    assert tree.where("p1") == "n1"


async def test_siblings_that_mean_the_same_are_merged(asks):
    tree = MindMap("Things")
    for node, title in (("n1", "Rescue work"), ("n2", "The rescue works"), ("n3", "Other")):
        tree.apply(AddNode(id=node, title=title, parent="n0"))
    for turn, node in enumerate(("n1", "n2", "n3"), 1):
        tree.apply(AddNote(node=node, note=Note(turn=turn, question="?")))
    tree.apply_all(await reorganize(tree, ["n0"], asks, MapIndex({})))
    assert tree.children("n0") == ["n1", "n3"]
    assert tree.note_node(2) == "n1"


async def test_a_marked_node_is_no_reason_to_stop(themed, asks):
    tree, index = await grown(themed(30).passages, asks)
    for node in list(tree.walk())[1:]:
        tree.apply(SetMark(node=node, mark="gap"))
        tree.apply(RenameNode(node=node, title=f"Pinned {node}", by="person"))
    assert await reorganize(tree, None, asks, index) == []


async def test_a_models_nodes_stand_as_it_chose_them(themed):
    """A node that holds too much is split only as far as its model gives the parts a title."""

    class Picky:
        def __init__(self, title):
            self.title, self.asked = title, []

        async def ask(self, task):
            self.asked.append(task)
            return Titles(titles=[NodeTitle(id=node.id, title=self.title(node)) for node in task.nodes])

    passages = themed(48).passages
    names = list(passages)
    tree = MindMap("Things")
    for number in range(12):
        tree.apply(AddNode(id=f"n{number + 1}", title=f"Part{number}", parent="n0"))
    tree.apply_all(PlacePassage(passage=p, node="n1") for p in names[:30])
    tree.apply_all(PlacePassage(passage=p, node=f"n{2 + n % 11}") for n, p in enumerate(names[30:]))
    index = MapIndex.built(tree, passages)
    refusing = Picky(lambda node: None)
    kept = tree.copy()
    kept.apply_all(await reorganize(kept, None, refusing, index, stands=True))
    assert refusing.asked
    assert {p: kept.where(p) for p in names} == {p: tree.where(p) for p in names}
    assert list(kept.walk()) == list(tree.walk())
    naming = Picky(lambda node: f"Title of {node.id}")
    tree.apply_all(await reorganize(tree, None, naming, index, stands=True))
    assert tree.children("n0") == [f"n{n + 1}" for n in range(12)]
    assert {tree.title(n) for n in tree.children("n1")} == {f"Title of {n}" for n in tree.children("n1")}
    assert {tree.branch(tree.where(p)) for p in names[:30]} == {"n1"}
