import pytest

from mindmap import (
    AddNode,
    AddNote,
    DropPassage,
    EditHistory,
    MapEdited,
    MapError,
    MapGrown,
    MindMap,
    Note,
    PlacePassage,
)
from mindmap import user_edits as hand
from mindmap.provenance import facts_of


@pytest.fixture
def tree():
    tree = MindMap("Topic")
    for node, parent in (("n1", "n0"), ("n2", "n1"), ("n3", "n0")):
        tree.apply(AddNode(id=node, title=node.upper(), parent=parent))
    for passage, node in (("p1", "n2"), ("p2", "n2"), ("p3", "n3")):
        tree.apply(PlacePassage(passage=passage, node=node))
    tree.apply(AddNote(node="n2", note=Note(turn=1, question="?")))
    return tree


def did(tree, changes):
    before = tree.copy()
    tree.apply_all(changes)
    return before


def test_deleting_loses_nothing(tree):
    did(tree, hand.delete(tree, "n2"))
    assert tree.passages("n1") == ["p1", "p2"]
    assert tree.note_node(1) == "n1"
    assert "n2" not in tree


def test_splitting(tree):
    did(tree, hand.split(tree, "n2", [("First", ["p1"]), ("Second", [])]))
    assert tree.where("p1") == "n4"
    assert (tree.where("p2"), tree.title("n5"), tree.parent("n5")) == ("n2", "Second", "n2")
    assert tree.kept("n4")


@pytest.mark.parametrize(
    "edit",
    [
        lambda tree: hand.delete(tree, "n1"),
        lambda tree: hand.merge(tree, "n2", "n3"),
        lambda tree: hand.move(tree, "n2", "n3"),
        lambda tree: hand.rename(tree, "n2", "New"),
        lambda tree: hand.add(tree, "New", "n2"),
        lambda tree: hand.split(tree, "n2", [("Part", ["p2"])]),
        lambda tree: hand.put(tree, "p3", "n2"),
        lambda tree: hand.pin(tree, "n2"),
    ],
)
def test_every_edit_can_be_taken_back(tree, edit):
    def seen(tree):
        return {
            n: (tree.title(n), tree.parent(n), set(tree.passages(n)), tree.node(n).notes, tree.node(n).marks)
            for n in tree.walk()
        }

    before = did(tree, edit(tree))
    assert seen(tree) != seen(before)
    tree.apply_all(hand.undo(before, tree))
    assert seen(tree) == seen(before)


def test_what_came_after_stays_when_an_edit_is_taken_back(tree):
    before = did(tree, hand.add(tree, "New"))
    tree.apply(PlacePassage(passage="p9", node="n4"))
    tree.apply_all(hand.undo(before, tree))
    assert "n4" not in tree
    assert tree.where("p9") == "n0"


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda tree: hand.delete(tree, "n0"), "root"),
        (lambda tree: hand.delete(tree, "n9"), "no node"),
        (lambda tree: hand.move(tree, "n1", "n2"), "itself"),
        (lambda tree: hand.put(tree, "p9", "n1"), "does not hold"),
        (lambda tree: hand.split(tree, "n3", [("A", ["p1"])]), "does not stand"),
        (lambda tree: hand.rename(tree, "n1", "  "), "title"),
    ],
)
def test_what_cannot_be_done_is_said(tree, edit, says):
    with pytest.raises(MapError, match=says):
        edit(tree)


def test_facts_of_a_node(tree):
    from library.evidence import Passage

    passages = {
        "p1": Passage("s1", 0, 1, "a", "https://one.example/a", "", "2021-05", id="p1"),
        "p2": Passage("s2", 0, 1, "b", "https://two.example/b", "", id="p2"),
        "p3": Passage("s1", 0, 1, "c", "https://one.example/a", "", "2019", id="p3"),
    }
    known = facts_of(tree, "n1", passages)
    assert (known.passages, known.sources, known.hosts, known.undated) == (2, 2, 2, 1)
    assert known.sure == "few sources"
    bare = {i: Passage(f"s{i}", 0, 1, "a", "", "", id=i) for i in ("p1", "p2", "p3")}
    bare["p2"] = Passage("sp2", 0, 1, "a", "[no address]", "", id="p2")
    alone = facts_of(tree, "n1", bare)
    assert alone.hosts == alone.sources > 1, "documents without an address are not one"
    whole = facts_of(tree, "n0", passages)
    assert (whole.earliest, whole.latest, whole.sources) == ("2019", "2021-05", 2)
    assert facts_of(MindMap("Empty"), "n0", passages).sure == "nothing"


def test_undo_gives_siblings_their_order_again(tree):
    wanted = tree.children(tree.root)
    before = tree.copy()
    tree.apply_all(hand.delete(tree, wanted[0]))
    tree.apply_all(hand.add(tree, "New"))
    tree.apply_all(hand.undo(before, tree))
    assert tree.children(tree.root) == wanted


@pytest.mark.parametrize("thing", [[], None, "n1", [("n1", "n2")]])
def test_what_is_no_change_is_refused(tree, thing):
    before = tree.snapshot()
    with pytest.raises(MapError, match="no change"):
        tree.apply(thing)
    assert tree.snapshot() == before


def test_what_the_table_did_since_stays_when_an_older_edit_is_taken_back(tree):
    history = EditHistory()

    def happen(event):
        history.fold(event, tree)
        tree.fold(event)

    happen(MapEdited(changes=hand.rename(tree, "n2", "Mine")))
    happen(MapEdited(changes=hand.delete(tree, "n3")))
    happen(MapGrown(changes=[AddNode(id="n7", title="Grown", parent="n1")]))
    happen(MapEdited(changes=[DropPassage(passage="p2")]))
    assert len(history.before) == 2
    happen(MapEdited(changes=hand.undo(history.before[-1], tree), undo=True))
    assert tree.passages("n3") == ["p3"]
    assert (tree.title("n2"), tree.title("n7")) == ("Mine", "Grown")
    happen(MapEdited(changes=hand.undo(history.before[-1], tree), undo=True))
    assert (tree.title("n2"), tree.title("n7")) == ("N2", "Grown")
    assert tree.where("p2") is None
    assert not history.before
