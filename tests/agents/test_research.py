"""What a model proposes to do is checked before it is done."""

from dataclasses import replace
from typing import cast

from agents.memory.memory import MemoryBlock
from agents.research.findings import shown_to_others
from agents.research.moves.proposals import Allowed, allowed_actions
from agents.research.moves.respond import ActionDraft, Move, NoteDraft, Respond
from agents.research.notebook import Notebook
from agents.research.research_loop import borne
from agents.speaker_context import SpeakerContext
from library import Passage, TextStatistics

PLACES = ["web", "papers"]


def search(query: str, *where: str) -> ActionDraft:
    return ActionDraft(kind="search", query=query, where=list(where), url="")


def read(url: str) -> ActionDraft:
    return ActionDraft(kind="read", query="", where=[], url=url)


def found(*urls: str) -> Allowed:
    return Allowed(pages=urls, passages={}, places=PLACES)


def test_a_url_that_no_search_gave_is_not_read() -> None:
    actions, refused = allowed_actions([read("http://evil.example/?q=secret")], found("http://a.example"), 3)
    assert actions == []
    assert "has given this url" in refused[0]


def test_a_found_url_is_read() -> None:
    actions, refused = allowed_actions([read("http://a.example")], found("http://a.example"), 3)
    assert [a.url for a in actions] == ["http://a.example"]
    assert refused == []


def test_unknown_places_are_left_out() -> None:
    [action], _ = allowed_actions([search("floods", "papers", "darknet")], found(), 3)
    assert action.where == ("papers",)


def test_the_same_action_twice_is_one() -> None:
    actions, _ = allowed_actions([search("Floods"), search(" floods ")], found(), 3)
    assert len(actions) == 1


def test_more_actions_than_allowed_are_refused_by_name() -> None:
    actions, refused = allowed_actions([search(f"q{n}") for n in range(5)], found(), 3)
    assert len(actions) == 3
    assert len(refused) == 2


def test_other_kinds_and_empty_searches_are_refused() -> None:
    drafts = [search("  "), ActionDraft(kind="shell", query="rm", where=[], url="")]
    actions, refused = allowed_actions(drafts, found(), 3)
    assert actions == []
    assert "'shell'" in refused[1]


def test_what_a_search_finds_and_others_alone_were_shown_is_found() -> None:
    one = Passage("0" * 64, 0, 4, "text", "file:x", "x", None)
    found = [replace(one, start=n, end=n + 4) for n in range(3)]
    admitted = {"p1": replace(found[0], id="p1"), "p2": replace(found[1], id="p2")}
    assert shown_to_others(found, admitted, {"p1": 1}) == {found[1].key: "p2"}


def test_a_claim_that_a_note_on_its_passage_bears_needs_no_confirming() -> None:
    note = "m1 fact: With fetch the segments are collected at the end of the copy, after 30 minutes. [p9]"
    task = Respond.model_construct(
        passages=(), texts=(), memory=(note,), discussion="It is so [p2].", language="en"
    )
    for claim, is_borne in (
        ("With fetch the segments are collected at the end of the copy [p9].", True),
        ("With fetch the segments are collected at the end, after 40 minutes [p9].", False),
        ("With fetch the server deletes old archives of other clusters at once [p9].", False),
        ("Segments are collected at the end of the copy [p9]. Standbys need slots of their own [p9].", False),
    ):
        assert borne("p9", claim, task, TextStatistics()) is is_borne, claim
    alone = task.model_copy(update={"memory": ()})
    assert not borne("p9", "With fetch the segments are collected at the end [p9].", alone, TextStatistics())


def test_a_claim_that_says_what_its_passage_says_needs_no_confirming() -> None:
    held = {"p9": "An archive that was pruned frees its space when it is compacted, which takes 30 minutes."}
    task = Respond.model_construct(passages=(), texts=(), memory=(), discussion="", language="en")
    for claim, is_borne in (
        ("A pruned archive frees its space when it is compacted [p9].", True),
        ("A pruned archive does not free its space when it is compacted [p9].", False),
        ("A pruned archive is compacted in 50 minutes [p9].", False),
        ("A server of its own watches over pruned archives every evening [p9].", False),
    ):
        assert borne("p9", claim, task, TextStatistics(), held) is is_borne, claim


def test_own_facts_come_first_and_a_contradiction_on_something_else_last() -> None:
    told = [
        ("contradiction", "b", "Two pages differ on which disks the tool can read."),
        ("fact", "b", "A copy of the settings is put back after the server was installed again."),
        ("fact", "a", "The settings are put back one by one after a new installation."),
    ]
    blocks = [
        MemoryBlock(id=f"m{n}", kind=kind, text=text, passages=(f"p{n}",), speaker=speaker)
        for n, (kind, speaker, text) in enumerate(told, 1)
    ]

    class Context:
        """What a notebook asks of a speaker's context."""

        speaker = "a"

        def memory(self) -> list[MemoryBlock]:
            return blocks

        def queries_before(self) -> list[str]:
            return []

    notebook = Notebook(cast("SpeakerContext", Context()), TextStatistics())
    told = lines(notebook, "How are the settings put back after the server is installed again?")
    assert [line.split()[0] for line in told] == ["m3", "m2", "m1"]


def lines(notebook: Notebook, question: str) -> list[str]:
    return [line for _, line in notebook.lines(question)]


class NotesKept:
    """What a notebook asks of a speaker's context, with what it keeps and lets go."""

    speaker = "a"

    def __init__(self, *blocks: MemoryBlock) -> None:
        self.blocks = list(blocks)
        self.dropped: list[str] = []

    def memory(self) -> list[MemoryBlock]:
        return [block for block in self.blocks if block.id not in self.dropped]

    def queries_before(self) -> list[str]:
        return []

    def forget(self, block_id: str) -> None:
        self.dropped.append(block_id)

    def remember(self, kind: str, text: str, passages: list[str], given: list[str]) -> MemoryBlock:
        del given
        self.blocks.append(MemoryBlock(f"m{len(self.blocks) + 1}", kind, text, tuple(passages), "a"))
        return self.blocks[-1]


def noting(*notes: tuple[str, str, list[str]]) -> Move:
    return Move(
        thought="", actions=[], answer="",
        notes=[NoteDraft(kind=kind, text=text, passages=ids) for kind, text, ids in notes],
    )  # fmt: skip


def test_what_a_turn_has_just_noted_stands_before_what_is_only_near() -> None:
    context = NotesKept(
        MemoryBlock("m1", "fact", "The port was run by Ann.", ("p1",), "b"),
        MemoryBlock("m2", "gap", "who paid for the port", (), "b"),
    )
    notebook = Notebook(cast("SpeakerContext", context), TextStatistics())
    notebook.take(noting(("fact", "Silt must be dredged before a change of keepers.", ["p5"])), {"p5"})
    assert [line.split()[0] for line in lines(notebook, "Who ran the port?")][0] == "m3"


def test_a_fact_in_other_words_than_the_question_is_found_by_the_passage_that_it_rests_on() -> None:
    noted = {
        "p1": "A client may raise two prompts: one on an unknown, one on a moved repository.",
        "p2": "The machine keeps a cache of the ledger, and the machine's directory is new each year.",
        "p3": "Rope is coiled in the same direction on each machine.",
    }
    texts = {
        "p1": "A warning appears where the client's security directory is missing: the repository is unknown "
        "to a new machine. Answer it with yes once, or set the variable beforehand.",
        "p2": "The ledger's pages are numbered, and the clerk binds them in calf.",
        "p3": "Coil the rope clockwise, whoever does it.",
    }
    notes = [MemoryBlock(f"m{n}", "fact", text, (i,), "b") for n, (i, text) in enumerate(noted.items(), 1)]
    held = {
        i: Passage(id=i, sha256=f"{n:064d}", url="", title="", text=text, start=0, end=len(text))
        for n, (i, text) in enumerate(texts.items())
    }
    asked = "Which warnings appear on a new machine where the security directory is missing?"
    notebook = Notebook(cast("SpeakerContext", NotesKept(*notes)), TextStatistics(), held)
    assert [line.split()[0] for line in lines(notebook, asked)][0] == "m1"
    assert "m1" in [note.id for note in notebook.near(asked)], "its passage is rested on for this question"
    far = "Who painted the ceiling of the chapel in Vienna?"
    assert notebook.near(far) == []


def test_a_lead_whose_passages_were_opened_or_found_useless_is_offered_to_nobody_again() -> None:
    context = NotesKept(
        MemoryBlock("m1", "lead", "what the harbour's ledger says", ("p3", "p4"), "b"),
        MemoryBlock("m2", "lead", "the keeper's diary", ("p9",), "b"),
        MemoryBlock("m3", "lead", "the pilots' dispute", (), "b"),
    )
    notebook = Notebook(cast("SpeakerContext", context), TextStatistics())
    notebook.searched([], ["p3"])
    assert [line.split()[0] for line in lines(notebook, "Who ran the port?")] == ["m3", "m2", "m1"]
    notebook.searched([], ["p4"])
    notebook.take(noting(("unrelated", "another keeper", ["p9"])), {"p9"})
    # A later turn, of whomever, begins with what stands.
    again = Notebook(cast("SpeakerContext", context), TextStatistics())
    assert [line.split()[0] for line in lines(again, "Who ran the port?")] == ["m3"]


def test_a_lead_that_a_passage_gave_when_it_was_opened_stands() -> None:
    context = NotesKept()
    notebook = Notebook(cast("SpeakerContext", context), TextStatistics())
    notebook.searched([], ["p3"])
    notebook.take(noting(("lead", "the map that p3 speaks of", ["p3"])), {"p3"})
    notebook.searched(["tides"], [])
    assert len(lines(notebook, "Who ran the port?")) == 1


def test_what_is_missing_and_nobody_searched_for_is_not_told_as_looked_for() -> None:
    gap = MemoryBlock("m1", "gap", "How the oil of the lamp was paid for", (), "ada")
    notebook = Notebook(cast("SpeakerContext", NotesKept(gap)), TextStatistics())
    question = "How was the oil of the lamp paid for?"
    assert lines(notebook, question) == [f"{gap.line} (perhaps not looked for yet)"]
    notebook.searched(["keepers' diaries"])
    [line] = lines(notebook, question)[:1]
    assert line.endswith("(perhaps not looked for yet)"), "something else was searched for"
    notebook.searched(["lamp oil paid for"])
    assert lines(notebook, question) == [gap.line]


def test_what_its_writer_searched_for_in_other_words_was_looked_for() -> None:
    gap = MemoryBlock("m1", "gap", "how much money the town lost when the ferry sank", (), "a")
    notebook = Notebook(cast("SpeakerContext", NotesKept(gap)), TextStatistics())
    notebook.searched(["the price of salt in the parish"])
    assert lines(notebook, gap.text) == [f"{gap.line} (perhaps not looked for yet)"]
    notebook.searched(["financial losses of the municipality after the ferry sinking"])
    assert lines(notebook, gap.text) == [gap.line]


def test_what_several_searches_of_its_writer_were_for_is_not_told_as_not_looked_for() -> None:
    text = "Who chose the keepers, how many applied, what they earned, and whether they had to know the sea"
    own = MemoryBlock("m1", "gap", text, (), "a")
    others = MemoryBlock(
        "m2", "gap", "Which yard built the tender and which painter coated its hull", (), "b"
    )
    context = NotesKept(own, others)
    notebook = Notebook(cast("SpeakerContext", context), TextStatistics())
    question = f"{text}; {others.text}"
    assert all(line.endswith("(perhaps not looked for yet)") for line in lines(notebook, question))
    notebook.searched(["how keepers of other lights applied", "wages earned"])
    told = {line.split()[0]: line for line in lines(notebook, question)}
    assert told["m1"] == own.line
    assert told["m2"].endswith("(perhaps not looked for yet)"), "none of its searches was for that"
