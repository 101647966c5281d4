"""Any sequence of edits, placings, reorganizings and undos keeps a tree that loses and doubles nothing."""

import asyncio

import networkx as nx
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from library.evidence import Passage
from library.text.similarity.tfidf import TextStatistics
from mindmap import Item, MapError, MapIndex, MapSettings, MindMap, Note, place, reorganize
from mindmap import user_edits as hand
from models.extractive import ExtractiveModel

WORDS = ["flood", "storm", "rain", "river", "opera", "aria", "singer", "stage", "rocket", "orbit",
    "fuel", "launch", "bread", "yeast", "flour", "oven", "condemned", "condolences", "injured",
    "killed", "police", "court", "judge", "2021", "1899", "said", "the", "of"]
TITLES = st.text(alphabet="abcéß中文 \n\t\"[]<>&'", min_size=1, max_size=12).filter(str.strip)


class Asks:
    def __init__(self):
        self._model = ExtractiveModel(TextStatistics())

    async def ask(self, task):
        return (await self._model.ask(task)).output


class Life(RuleBasedStateMachine):
    @initialize()
    def start(self):
        self.passages = {}
        self.tree = MindMap("Topic of the words")
        self.index = MapIndex(self.passages)
        self.journal = []
        self.past = []
        self.turn = 0
        self.settings = MapSettings(passages=4, notes=4, children=3, depth=3)

    def do(self, changes):
        self.past.append(self.tree.copy())
        self.tree.apply_all(changes)
        self.journal += changes

    def some(self, data, label):
        return data.draw(st.sampled_from(list(self.tree.walk())), label=label)

    @rule(texts=st.lists(st.lists(st.sampled_from(WORDS), max_size=9), max_size=4), source=st.integers(0, 3))
    def bring(self, texts, source):
        self.turn += 1
        new = []
        for words in texts:
            number = len(self.passages) + 1
            text = " ".join(words)
            passage = Passage(f"s{source}", 0, len(text), text, "https://a.example", "Page", id=f"p{number}")
            self.passages[passage.id] = passage
            new.append(passage)
        note = Note(turn=self.turn, question="What of it?", answer="".join(f"[{p.id}]" for p in new))
        self.do(asyncio.run(place(self.tree, [Item(note, new)], Asks(), self.index, self.settings)))

    @rule(data=st.data(), title=TITLES)
    def add(self, data, title):
        self.edit(hand.add, title, self.some(data, "parent"))

    @rule(data=st.data(), title=TITLES)
    def rename(self, data, title):
        self.edit(hand.rename, self.some(data, "node"), title)

    @rule(data=st.data())
    def move(self, data):
        self.edit(hand.move, self.some(data, "node"), self.some(data, "parent"))

    @rule(data=st.data())
    def merge(self, data):
        self.edit(hand.merge, self.some(data, "node"), self.some(data, "into"))

    @rule(data=st.data())
    def delete(self, data):
        self.edit(hand.delete, self.some(data, "node"))

    @rule(data=st.data(), on=st.booleans())
    def pin(self, data, on):
        node = self.some(data, "node")
        self.do(hand.pin(self.tree, node, on=on))

    @rule(data=st.data(), title=TITLES)
    def split(self, data, title):
        node = self.some(data, "node")
        held = self.tree.passages(node)
        part = data.draw(st.lists(st.sampled_from(held), unique=True)) if held else []
        self.edit(hand.split, node, [(title, part)])

    @precondition(lambda self: self.passages)
    @rule(data=st.data())
    def put(self, data):
        self.edit(hand.put, data.draw(st.sampled_from(list(self.passages))), self.some(data, "node"))

    def edit(self, make, *args):
        try:
            changes = make(self.tree, *args)
        except MapError:
            return
        self.do(changes)

    @precondition(lambda self: self.past)
    @rule()
    def undo(self):
        before = self.past[-1]
        held = {node: (before.title(node), before.parent(node)) for node in before.walk()}
        self.tree_before = self.tree
        changes = hand.undo(before, self.tree)
        self.do(changes)
        self.past = self.past[:-2]
        assert {node: (self.tree.title(node), self.tree.parent(node)) for node in self.tree.walk()} == held
        for node in before.walk():
            assert set(before.passages(node)) <= set(self.tree.passages(node))
            assert before.node(node).marks == self.tree.node(node).marks

    @rule(whole=st.booleans())
    def reorganize(self, whole):
        kept = {n: (self.tree.title(n), self.tree.parent(n)) for n in self.tree.walk() if self.tree.kept(n)}
        fixed = {p: self.tree.where(p) for p in self.tree.placed() if self.tree.fixed(p)}

        def again():
            touched = None if whole else list(self.tree.walk())
            return asyncio.run(reorganize(self.tree, touched, Asks(), self.index, self.settings))

        self.do(again())
        assert again() == []
        assert {n: (self.tree.title(n), self.tree.parent(n)) for n in kept} == kept
        assert {p: self.tree.where(p) for p in fixed} == fixed
        for node in self.tree.walk():
            children = self.tree.children(node)
            if len(children) > self.settings.children:
                loose = [c for c in children if not any(map(self.held_by_hand, self.tree.walk(c)))]
                assert len(loose) <= 2
            loose = [c for c in children if not self.tree.kept(c)]
            keys = [" ".join(self.tree.title(c).casefold().split()) for c in loose]
            assert len(keys) == len(set(keys))

    def held_by_hand(self, node):
        return self.tree.kept(node) or any(map(self.tree.fixed, self.tree.passages(node)))

    @invariant()
    def is_a_tree_that_loses_nothing(self):
        assert nx.is_arborescence(self.tree._graph)
        held = [p for node in self.tree.walk() for p in self.tree.passages(node)]
        assert sorted(held) == sorted(self.passages)
        assert all(p in self.tree.passages(self.tree.where(p)) for p in held)
        notes = [note.turn for node in self.tree.walk() for note in self.tree.node(node).notes]
        assert sorted(notes) == list(range(1, self.turn + 1))
        assert all(self.tree.title(node).strip() for node in self.tree.walk())

    def teardown(self):
        if hasattr(self, "journal"):
            twin = MindMap("Topic of the words")
            twin.apply_all(self.journal)
            assert twin.snapshot() == self.tree.snapshot()


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=60, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_a_branch_that_holds_nothing_stands_beside_a_source_that_is_told_of_again():
    state = Life()
    state.start()
    state.bring([[], []], source=0)
    state.edit(hand.add, "<", "n0")
    state.edit(hand.put, "p1", "n1")
    state.edit(hand.add, "<", "n0")
    state.bring([[]], source=0)
    state.is_a_tree_that_loses_nothing()
    state.teardown()
