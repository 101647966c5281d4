import networkx as nx
import pytest

from mindmap import (
    UNSORTED,
    AddNode,
    AddNote,
    MapError,
    MapGrown,
    MapStarted,
    MergeNode,
    MindMap,
    MoveNode,
    MoveNote,
    Note,
    PlacePassage,
    RemoveNode,
    RenameNode,
    SetMark,
)


@pytest.fixture
def tree():
    """n0 ── n1 ── n2
         └─ n3"""
    tree = MindMap("Topic")
    tree.apply_all([
        AddNode(id="n1", title="One", parent="n0"),
        AddNode(id="n2", title="Two", parent="n1"),
        AddNode(id="n3", title="Three", parent="n0"),
        PlacePassage(passage="p1", node="n2"),
        PlacePassage(passage="p2", node="n3"),
        AddNote(node="n2", note=Note(turn=1, question="Why?", answer="So [p1].")),
    ])
    return tree


def test_reading(tree):
    assert list(tree.walk()) == ["n0", "n1", "n2", "n3"]
    assert tree.children("n0") == ["n1", "n3"]
    assert (tree.branch("n2"), tree.branch("n0"), tree.depth("n2")) == ("n1", "n0", 2)
    assert (tree.where("p1"), tree.where("p9"), tree.note_node(1)) == ("n2", None, "n2")
    assert tree.node("n2").notes[0].question == "Why?"
    assert tree.next_id() == "n4"


def test_a_passage_stands_in_one_node(tree):
    tree.apply(PlacePassage(passage="p1", node="n3"))
    assert tree.passages("n2") == []
    assert tree.passages("n3") == ["p2", "p1"]


def test_merging_carries_everything_over(tree):
    tree.apply(SetMark(node="n2", mark="gap"))
    tree.apply(AddNode(id="n4", title="Four", parent="n2"))
    tree.apply(MergeNode(node="n2", into="n3"))
    assert "n2" not in tree
    assert tree.node("n3").passages == ("p2", "p1")
    assert tree.node("n3").marks == ("gap",)
    assert tree.note_node(1) == tree.parent("n4") == "n3"


def test_a_note_moves(tree):
    tree.apply(MoveNote(turn=1, node="n0"))
    assert tree.node("n2").notes == ()
    assert tree.node("n0").notes[0].turn == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (AddNode(id="n1", title="Again", parent="n0"), "already has"),
        (AddNode(id="n9", title="Lost", parent="n8"), "no node 'n8'"),
        (AddNode(id="x1", title="Odd", parent="n0"), "no id of a node"),
        (AddNode(id="n9", title=" \n ", parent="n0"), "not empty"),
        (PlacePassage(passage="p1", node="n8"), "no node"),
        (AddNote(node="n3", note=Note(turn=1, question="?")), "turn 1"),
        (MoveNote(turn=7, node="n3"), "turn 7"),
        (MoveNode(node="n1", parent="n2"), "itself"),
        (MoveNode(node="n0", parent="n2"), "root"),
        (MergeNode(node="n1", into="n2"), "itself"),
        (MergeNode(node="n0", into="n2"), "root"),
        (RemoveNode(node="n2"), "still holds"),
        (RemoveNode(node="n1"), "still holds"),
        (RemoveNode(node="n0"), "root"),
        (RenameNode(node="n1", title=""), "not empty"),
        (SetMark(node="n8", mark="gap"), "no node"),
    ],
)
def test_an_illegal_change_is_refused_and_touches_nothing(tree, change, says):
    before = tree.snapshot()
    with pytest.raises(MapError, match=says):
        tree.apply(change)
    assert tree.snapshot() == before


def test_ids_are_given_once_except_to_undo(tree):
    tree.apply(PlacePassage(passage="p2", node="n0"))
    tree.apply(RemoveNode(node="n3"))
    with pytest.raises(MapError, match="given once"):
        tree.apply(AddNode(id="n3", title="New", parent="n0"))
    tree.apply(AddNode(id="n3", title="Back", parent="n0", again=True))
    assert tree.title("n3") == "Back"
    assert tree.next_id() == "n4"
    for _ in range(2):
        tree.apply(AddNode(id=UNSORTED, title="Unsorted", parent="n0"))
        tree.apply(RemoveNode(node=UNSORTED))


def test_a_copy_is_of_its_own(tree):
    twin = tree.copy()
    assert twin.snapshot() == tree.snapshot()
    twin.apply(RenameNode(node="n1", title="Other"))
    twin.apply(PlacePassage(passage="p3", node="n1"))
    assert tree.title("n1") == "One"
    assert tree.where("p3") is None


def test_a_journal_folds(tree):
    event = MapGrown(changes=[RenameNode(node="n1", title="Renamed")])
    tree.fold(MapGrown.model_validate_json(event.model_dump_json()))
    assert tree.title("n1") == "Renamed"
    with pytest.raises(MapError, match="started once"):
        tree.fold(MapStarted(title="Again"))
    assert MindMap.started(MapStarted(title=" A  topic ")).title("n0") == "A topic"


def test_what_a_person_touched_is_kept(tree):
    assert not tree.kept("n1")
    tree.apply(RenameNode(node="n1", title="Mine", by="person"))
    tree.apply(RenameNode(node="n1", title="Theirs"))
    assert tree.kept("n1")
    tree.apply(SetMark(node="n3", mark="pinned"))
    assert tree.kept("n3")
    tree.apply(SetMark(node="n3", mark="pinned", on=False))
    assert not tree.kept("n3")


def test_it_is_a_networkx_tree(tree):
    assert nx.is_arborescence(tree._graph)
