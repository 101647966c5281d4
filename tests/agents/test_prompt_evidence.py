"""What a prompt shows of what was admitted."""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.expert import told_far
from agents.memory.history_summary import retold
from agents.memory.memory import MemoryBlock, refusal, set_aside
from agents.research.moves.actions import Action
from agents.research.rounds import SAME, Log
from agents.research.shown.cut_lists import with_list_ends
from agents.research.shown.evidence_request import EvidenceRequest
from agents.research.shown.evidence_room import EvidenceShown, is_shell
from agents.research.shown.nearness import FEW
from agents.research.shown.prompt_evidence import chosen_evidence
from agents.research.shown.recalled_passages import recalled
from agents.research.shown.release_notes import on_releases
from agents.tasks import show_passages
from agents.turn import Turn, TurnClaim
from library import Evidence, Passage, Source, TextStatistics
from models import estimate

STATISTICS = TextStatistics()
QUESTION = "Why did the dam of Asterby break?"
TEXTS = {
    "p1": "The mayor opened a new market hall with a brass band in May.",
    "p2": "The dam of Asterby broke because its spillway was blocked with driftwood.",
    "p3": "The inquiry said that the dam broke after the spillway had not been cleared for a year.",
    "p4": "The inquiry said that the dam broke after the spillway had not been cleared for a year. It blamed "
    "the county.",
    "p5": "A cycling club rode through the valley every Sunday.",
}


def admitted() -> dict[str, Passage]:
    return {
        identity: Passage(
            id=identity, sha256=f"{n:064d}", url=f"file:///{identity}.md", title=f"Page {n}", text=text,
            start=0, end=len(text),
        )
        for n, (identity, text) in enumerate(TEXTS.items(), 1)
    }  # fmt: skip


def evidence(admitted: Mapping[str, Passage], **asked: Any) -> EvidenceShown:
    return chosen_evidence(admitted, EvidenceRequest(**asked))


def shown(**how: object) -> list[str]:
    found = evidence(admitted(), question=QUESTION, statistics=STATISTICS, tokens=600, listed=100, **how)
    return [passage.id for passage in found.passages]


def test_what_is_new_and_hardly_fits_stands_behind_what_fits() -> None:
    order = shown(new=["p1", "p5", "p2"])
    assert order[0] == "p2"
    assert {"p1", "p5"} <= set(order), "it is shown once, where there is room"
    assert order.index("p4") < order.index("p1")


def test_what_has_hardly_anything_of_the_topic_comes_last() -> None:
    assert shown(new=["p2", "p4"])[0] == "p2"
    far = shown(new=["p2", "p4"], of_topic={"p2": 0.0, "p4": 0.8})
    assert far.index("p4") < far.index("p2")


def test_what_a_search_found_again_is_as_good_as_new() -> None:
    order = shown(new=["p1", "p5", "p2"], passed_over=["p2", "p3", "p4"])
    assert order[0] == "p2", "passed over for another question, found again for this one"


def test_a_text_inside_another_one_is_not_shown_again() -> None:
    order = shown(new=["p4", "p2"], resting=["p3"])
    assert "p4" in order
    assert "p3" not in order


def test_of_two_references_that_differ_in_a_word_the_second_says_that_word_below_its_heading() -> None:
    told = (
        "{}\n\nSpillway Option (--spillway)\n\nThe spillway of the dam of Asterby is opened before it may "
        "break. While it is open, driftwood is kept back by a rake that two people clear each night. It is "
        "not opened where the bridge below is flooded.\n\n```\nexample: {}\n```"
    )
    texts = [told.format("4.2", "--spillway=open"), told.format("7", "spillway=open")]
    held = {
        i: replace(admitted()["p1"], id=i, text=text, sha256=i * 32, end=len(text))
        for i, text in zip(("p1", "p2"), texts, strict=True)
    }
    found = evidence(held, question=QUESTION, statistics=STATISTICS, tokens=900, listed=100, new=["p1", "p2"])
    both = dict(zip((p.id for p in found.passages), found.texts, strict=True))
    assert both["p1"] == texts[0]
    assert "Spillway Option (--spillway)" in both["p2"]
    assert "example: spillway=open" in both["p2"]
    assert "driftwood" not in both["p2"]


def test_copies_in_other_formats_stand_once_and_of_the_rest_only_what_is_new() -> None:
    page = "The dam of Asterby broke in 1911. Its spillway was blocked with driftwood for more than a year."
    new = "The county paid 4,000 pounds to the mill."
    texts = {
        "p1": "3.2. The dam\n\n    " + page.replace("spillway", "spill-\n    way") + "\n\n3.3.",
        "p2": f"### The dam\n\n{page}",
        "p3": f"{page}\n\n{new} It said so in the following year, when nobody asked.",
        "p4": page.replace("1911", "1912"),
    }
    held = {
        i: replace(admitted()["p1"], id=i, sha256=i * 32, text=text, end=len(text), url=f"file:///{i}.{kind}")
        for (i, text), kind in zip(texts.items(), ("txt", "html", "pdf", "md"), strict=True)
    }
    found = evidence(
        held, question=QUESTION, statistics=STATISTICS, tokens=600, listed=100, new=["p1", "p2", "p3", "p4"]
    )
    each = zip(found.passages, found.texts, found.doubles, strict=True)
    told = {passage.id: (text, same) for passage, text, same in each}
    assert told["p2"] == (texts["p2"], ("p1",)), "the page's own text stands for its copy"
    assert told["p3"][0].startswith(f"… {new}")
    assert told["p4"] == (texts["p4"], ()), "another year is another statement"
    assert "1912" in show_passages(list(held.values()))
    assert show_passages(list(held.values())).count("<passage ") == 3


def test_what_was_opened_is_shown_also_when_it_stands_inside_another() -> None:
    assert shown(opened=["p3"], new=["p4"])[0] == "p3"


def test_the_turn_whose_claim_is_at_hand_is_told_before_any_other() -> None:
    texts = [f"Answer {n} says much of the spillway. It was blocked in year {n}." * 4 for n in range(1, 7)]
    turns = [
        Turn(
            n=n, speaker="a", name="A", role="expert", act="answer", text=text, citations=[], question="q1",
            at="2026-01-01T00:00:00.000Z", seconds=1.0,
        )
        for n, text in enumerate(texts, 1)
    ]  # fmt: skip
    claim = TurnClaim(turn=2, speaker="a", name="A", text="It was blocked in year 2.")
    told = retold(turns, 2, QUESTION, STATISTICS, 200, claim)
    assert texts[1] in told
    assert texts[5] not in told


def test_the_last_question_is_asked_beside_all_answers_however_many_there_are() -> None:
    turns = [
        Turn(
            n=n, speaker="a", name="A", role="expert", act="answer", citations=[], question="q1",
            text=f"Answer {n} says much of the spillway. It was blocked in year {n}." * 4,
            at="2026-01-01T00:00:00.000Z", seconds=1.0,
        )
        for n in range(1, 61)
    ]  # fmt: skip
    told = retold(turns, len(turns), QUESTION, STATISTICS, 600, closing=True)
    assert 300 < estimate(told) <= 640
    assert "60. A: " in told
    assert "\n1. A: " not in told, "the newest first, as long as there is room"


PARTS = ("crest", "gate", "inlet", "lake", "toe")
INDEX = "\n".join(f"- {part}, The dam of Asterby: why it broke" for part in PARTS)


def test_what_a_search_found_first_is_shown_first_and_an_index_last() -> None:
    held = admitted()
    held["p6"] = replace(held["p2"], id="p6", sha256="6" * 64, title="Index", text=INDEX, end=len(INDEX))
    found = evidence(
        held, question=QUESTION, statistics=STATISTICS, tokens=600, listed=100, new=["p6", "p4", "p2"]
    )
    order = [passage.id for passage in found.passages if passage.id in ("p2", "p4", "p6")]
    assert order == ["p4", "p2", "p6"], "p2 has more of the question's words"


def test_a_listed_passage_is_named_with_the_end_of_its_page_s_title() -> None:
    work = "The Handbook of Dams: The Works of the Valley of Asterby: "
    held = {i: replace(p, title=f"{work}{n} gates") for n, (i, p) in enumerate(admitted().items())}
    found = evidence(held, question=QUESTION, statistics=STATISTICS, tokens=1, listed=300)
    assert len(found.listed) > 1
    assert all(" gates: " in line for line in found.listed)


def test_a_long_passage_keeps_what_notes_say_of_it() -> None:
    filler = "The valley has many farms, and the {} farm keeps sheep and goats on its upper meadows. "
    text = (
        "The dam of Asterby broke in the flood. "
        + "".join(filler.format(n) for n in ("first", "second", "third", "fourth", "fifth", "sixth"))
        + "Of all loans 56 per cent went to mills. "
        + "".join(filler.format(n) for n in ("eighth", "ninth", "tenth", "last", "new", "old", "red", "blue"))
    )
    long = {"p1": replace(admitted()["p1"], text=text)}
    how: dict[str, Any] = {"statistics": STATISTICS, "tokens": 200, "listed": 0, "resting": ["p1"]}
    told = {"p1": ["Mills had 56 per cent of all loans."]}
    assert "56" not in evidence(long, question=QUESTION, **how).texts[0]
    assert "56 per cent" in evidence(long, question=QUESTION, told=told, **how).texts[0]


def test_a_listed_passage_shows_the_sentence_that_something_rests_on_and_what_is_new_comes_first() -> None:
    held = admitted()
    text = f"The valley of Asterby is wide. {'Sheep graze there in summer. ' * 4}The dam leaked in 1931."
    held["p2"] = replace(held["p2"], text=text, end=len(text))
    told = {"p2": ["The dam had leaked (inference)", "It leaked in 1931."]}
    found = evidence(
        held, question=QUESTION, statistics=STATISTICS, tokens=1, listed=300, told=told, new=["p4"],
        resting=["p2"], resting_first=True,
    )  # fmt: skip
    [line] = [line for line in found.listed if line.startswith("p2")]
    assert line.endswith("… The dam leaked in 1931.")
    assert found.listed[0].startswith("p4"), "the id alone, said to be new, would cost a round"


def test_a_closing_question_is_shown_first_what_most_of_the_answers_rest_on() -> None:
    order = shown(new=["p2"], resting=["p5", "p4", "p2"], resting_first=True)
    assert order[:3] == ["p5", "p4", "p2"], "its own words fit p2 best"


def test_a_closing_question_sees_all_that_the_answers_cite_whole_at_once() -> None:
    sides = ("the wall", "the sluice", "the valley", "the county", "the mill")
    held = {
        f"p{n}": replace(
            passage,
            text=" ".join(
                f"Of {side} the inquiry tells {m} things, and in {1900 + m} it told more." for m in range(18)
            ),
        )
        for side, (n, passage) in zip(sides, enumerate(admitted().values(), 1), strict=True)
    }
    how: dict[str, Any] = {"question": QUESTION, "statistics": STATISTICS, "listed": 200, "new": ["p5"]}
    resting = ["p4", "p3", "p2", "p1"]
    size = sum(estimate(held[i].text) for i in resting)
    closing = evidence(held, tokens=size + 200, resting=resting, resting_first=True, **how)
    assert [p.id for p in closing.passages][:4] == resting
    assert list(closing.texts)[:4] == [held[i].text for i in resting]
    told = {"p1": ["In 1917 the inquiry told more of the wall."]}
    less = evidence(held, tokens=int(0.8 * size), resting=resting, resting_first=True, told=told, **how)
    assert {p.id for p in less.passages} == set(resting), "there is no room for all whole, but for all"
    [text] = [text for p, text in zip(less.passages, less.texts, strict=True) if p.id == "p1"]
    assert "1917" in text, "what rests on it stays"
    far = evidence(
        held, tokens=size + 200, resting=resting, resting_first=True, asks=True,
        **how | {"question": "Where do pelicans sleep?"},
    )  # fmt: skip
    assert far.near, "what answers rest on is near to their question"
    other = evidence(held, tokens=int(0.8 * size), resting=resting, **how)
    assert set(other.ids) != set(resting)


def test_what_a_search_was_for_is_shown_also_where_what_was_opened_fills_the_room() -> None:
    held = admitted()
    long = "Of the market hall the mayor told {} things, and then he told more of them. "
    for i in ("p1", "p5"):
        text = "".join(long.format(n) for n in range(12))
        held[i] = replace(held[i], text=f"{i}. {text}", end=len(text) + 4)
    size = sum(estimate(held[i].text) for i in ("p1", "p5"))
    how: dict[str, Any] = {
        "question": QUESTION, "statistics": STATISTICS, "tokens": size, "listed": 100, "room": 2 * size,
        "opened": ["p5", "p1"], "new": ["p4", "p2"],
    }  # fmt: skip
    found = evidence(held, **how, searches=["driftwood in the spillway"])
    assert [p.id for p in found.passages][:2] == ["p5", "p1"]
    assert {"p2", "p4"} <= found.ids


WORDS = ("dam", "spillway", "Asterby", "driftwood", "county", "inquiry", "mayor", "market", "sheep", "valley")


@st.composite
def sessions(draw: st.DrawFn) -> dict[str, Any]:
    """What a session may have admitted, of few and of many pages, and what a turn of it knows of that."""
    count = draw(st.integers(1, 16))
    held: dict[str, Passage] = {}
    for n in range(1, count + 1):
        words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
        text = f"Number {n} tells of the {' and the '.join(words)}. " * draw(st.sampled_from((1, 2, 12)))
        page = draw(st.integers(1, 6))
        held[f"p{n}"] = Passage(
            id=f"p{n}", sha256=f"{page:064d}", url=f"file:///{page}.md", text=text.strip(), start=2_000 * n,
            end=2_000 * n + len(text), title=f"Page {page} of the handbook of dams",
        )  # fmt: skip
    some = st.lists(st.sampled_from(sorted(held)), max_size=count, unique=True)
    return {
        "admitted": held,
        **{name: draw(some) for name in ("opened", "beside", "new", "found", "seen", "resting")},
        "passed_over": draw(some),
        "resting_first": draw(st.booleans()),
        "tokens": draw(st.integers(50, 1_500)),
        "often": draw(some),
        "searches": draw(st.sampled_from([[], ["driftwood in the spillway"], ["mayor", "sheep, valley"]])),
    }


def named_in(found: EvidenceShown) -> set[str]:
    """Return the ids that stand in a prompt: with their text, or in a line of their own."""
    led = [re.match(r"(?:p\d+ )+", line) for line in found.listed]
    return found.ids | {i for ids in led if ids for i in ids[0].split()}


@settings(max_examples=40, deadline=None)
@given(sessions())
def test_what_was_found_or_is_rested_on_is_shown_or_listed(session: dict[str, Any]) -> None:
    found = evidence(question=QUESTION, statistics=STATISTICS, listed=60, **session)
    told = named_in(found)
    assert {*session["new"], *session["resting"]} <= told
    assert set(session["found"]) <= told | set(re.findall(r"\bp\d+\b", "\n".join(found.listed)))
    pages = [(p.sha256, p.start) for p in found.passages]
    assert len(set(pages)) == len(pages)


def test_what_no_prompt_has_shown_comes_before_what_one_has() -> None:
    new = ["p3", "p2"]
    one = {"tokens": 60, "listed": 100, "question": QUESTION, "statistics": STATISTICS, "new": new}
    assert [p.id for p in evidence(admitted(), **one).passages][0] == "p4", "which holds p3"
    assert [p.id for p in evidence(admitted(), **one, seen=["p3", "p4"]).passages] == ["p2"]


def test_what_a_turn_has_shown_makes_room_unless_it_was_noted() -> None:
    one = {"tokens": 60, "listed": 100, "question": QUESTION, "statistics": STATISTICS, "new": ["p4", "p2"]}
    assert "p4" in evidence(admitted(), **one).ids
    assert evidence(admitted(), **one, seen=["p3", "p4"]).ids == {"p2"}
    assert "p4" in evidence(admitted(), **one, seen=["p3", "p4"], resting=["p4"]).ids


def test_passages_that_follow_each_other_stand_in_the_order_of_their_page() -> None:
    steps = [f"Step {n}: open the spillway of the dam by {n} turns." for n in range(1, 5)]
    held = {
        f"p{n}": replace(admitted()["p2"], id=f"p{n}", text=text, start=200 * n, end=200 * n + len(text))
        for n, text in enumerate(steps, 1)
    }
    far = replace(held["p1"], id="p9", text="The dam of Asterby broke.", start=9_000, end=9_025)
    found = evidence(
        {**held, "p9": far}, question=QUESTION, statistics=STATISTICS, tokens=600, listed=0,
        new=["p4", "p9", "p2", "p1", "p3"],
    )  # fmt: skip
    assert [p.id for p in found.passages] == ["p1", "p2", "p3", "p4", "p9"]


def test_what_stands_around_an_opened_passage_leaves_room_for_what_notes_rest_on() -> None:
    row = "The pump number {} lifts so many litres in an hour, and so much oil. " * 6
    held = {
        f"p{n}": replace(admitted()["p2"], id=f"p{n}", text=row.format(*[n] * 6), start=600 * n)
        for n in range(10, 18)
    }
    around = list(held)[1:]
    found = evidence(
        {**held, **admitted()}, question=QUESTION, statistics=STATISTICS, tokens=500, listed=100,
        opened=["p10"], beside=around, new=["p10", *around], resting=["p2", "p3"],
    )  # fmt: skip
    assert {"p10", "p11", "p2", "p3"} <= found.ids


def note(kind: str, *passages: str) -> MemoryBlock:
    return MemoryBlock(id="m1", kind=kind, text="Another dam.", passages=passages, speaker="a")


def test_what_a_note_calls_another_matter_is_set_aside_unless_somebody_uses_it() -> None:
    notes = [note("unrelated", "p1", "p2", "p3"), note("fact", "p2"), note("done", "p4")]
    assert set_aside(notes, cited=["p3"]) == {"p1"}
    assert refusal("unrelated", "Another dam.", [], ["p1"]), "it names passages"
    assert refusal("unrelated", "Another dam.", ["p1"], ["p1"]) is None


def crowded() -> tuple[dict[str, Passage], list[str]]:
    """Return many passages, of which a round's search brought those behind the first three."""
    held = admitted()
    steps = [f"The dam of Asterby has gate number {n}, painted in 19{n}. " * 4 for n in range(30, 50)]
    for n, text in enumerate(steps, 6):
        held[f"p{n}"] = replace(held["p1"], id=f"p{n}", sha256=f"{n:064d}", title=f"Gates {n}", text=text)
    return held, [f"p{n}" for n in range(6, 26)]


def test_what_was_admitted_for_somebody_else_and_fits_a_search_is_shown_among_what_it_found() -> None:
    held, new = crowded()
    how: dict[str, Any] = {"question": "How are the gates of the dam kept?", "statistics": STATISTICS}
    how |= {"tokens": 500, "listed": 60, "new": new}
    assert "p3" not in [p.id for p in evidence(held, **how).passages]
    found = evidence(held, **how, searches=["inquiry: spillway not cleared for a year"])
    assert {"p3", "p4"} & {p.id for p in found.passages}
    assert "p6" in found.ids, "behind what was found first"


def test_what_one_speaker_was_shown_again_and_again_takes_no_other_s_place() -> None:
    held, new = crowded()
    how: dict[str, Any] = {"question": QUESTION, "statistics": STATISTICS, "tokens": 300, "listed": 200}
    assert "p2" in evidence(held, **how, new=["p2", *new]).ids
    found = evidence(held, **how, new=["p2", *new], often=["p2"])
    assert "p2" not in found.ids, "found again, it is named"
    assert any(line.startswith("p2 ") for line in found.listed)
    assert "p2" in evidence(held, **how, new=new, often=["p2"], resting=["p2"]).ids
    small = {i: held[i] for i in ("p1", "p2")}
    assert "p2" in evidence(small, **how, often=["p2"]).ids, "there is room"


def test_a_listed_passage_is_told_by_the_sentence_nearest_to_the_question() -> None:
    held = admitted()
    text = f"The valley is wide. {'Sheep graze there in summer. ' * 9}The dam broke at its toe."
    held["p1"] = replace(held["p1"], title="Valley", text=text, end=len(text))
    failure = f"Dam Failure\n\n{'A gate that is stuck is no failure. ' * 9}"
    held["p5"] = replace(held["p5"], title="Dam Failure", text=f"# {failure}", end=len(failure) + 2)
    found = evidence(held, question=QUESTION, statistics=STATISTICS, tokens=1, listed=300, new=["p1", "p5"])
    told = {line.partition(" ")[0]: line for line in found.listed}
    assert told["p1"] == "p1 Valley: … The dam broke at its toe."
    assert told["p5"].count("Dam Failure") == 1


def test_no_listed_passage_is_told_by_a_sign_or_two() -> None:
    held = {
        f"p{n}": replace(p, text=f"重置密码的步骤第{n}步：先启动到救援模式，然后挂载分区。" * 9)
        for n, p in enumerate(admitted().values(), 1)
    }
    how: dict[str, Any] = {"statistics": STATISTICS, "tokens": 1, "listed": 20, "new": list(held)}
    lines = evidence(held, question="如何重置密码？", **how).listed
    assert min(len(line.partition(": ")[2]) for line in lines) >= 12


def test_what_goes_on_from_what_a_search_found_first_comes_with_it() -> None:
    one = "To open the gate of the dam of Asterby, first close the inlet."
    two = "Then turn the wheel of the spillway to the left."
    held = admitted()
    held["p7"] = replace(held["p2"], id="p7", text=one, start=0, end=len(one), sha256="7" * 64)
    held["p8"] = replace(held["p7"], id="p8", text=two, start=len(one) + 2, end=len(one) + 2 + len(two))
    new = ["p7", "p3", "p2", "p8"]
    how: dict[str, Any] = {"question": QUESTION, "statistics": STATISTICS, "listed": 0, "new": new}
    found = evidence(held, tokens=85, searches=["turn the wheel of the spillway"], **how)
    assert [p.id for p in found.passages] == ["p7", "p8"], "there was no room for more, and p2 came before"


def test_what_one_of_several_searches_found_first_is_shown_whatever_the_others_were() -> None:
    held, new = crowded()
    text = "A segment is closed early. However little was written, bakers and smiths read of it. " * 3
    held["p90"] = replace(held["p1"], id="p90", sha256="9" * 64, title="Settings", text=text)
    how: dict[str, Any] = {"question": "How are the gates of the dam of Asterby kept?", "tokens": 350}
    searches = ["gates of the dam of Asterby painted", "painted gate number 31 dam 1932", "segment"]
    found = evidence(
        held, statistics=STATISTICS, listed=60, new=[*new[:2], "p90", *new[2:]], searches=searches, **how
    )
    assert "p90" in found.ids


def test_searches_that_nobody_chose_and_that_found_the_same_are_not_told() -> None:
    log = Log([])
    actions = [Action(kind="search", query=query) for query in ("the dam", "dam Asterby", "why")]
    brought = {a.line: came for a, came in zip(actions, ("new: p1", SAME, SAME), strict=True)}
    log.add("", actions, brought, "")
    log.add("Now the inlet.", actions, brought, "")
    assert "Asterby" not in log.rounds[0].text
    assert "Asterby" in log.rounds[1].text, "what was chosen is told"


def test_what_answers_in_other_words_comes_before_what_shares_more_of_them() -> None:
    texts = {
        "p1": "Three thousand firms in the valley share an office; the collapse of the bank was in the news.",
        "p2": "After the collapse a review found that regulators and legislators were slow to see it coming.",
        "p3": "The bank's museum shares a bus with two cycling clubs since the collapse of its garage.",
        "p4": "The collapse of the bank left a share of its lease to the landlord.",
    }
    passages = {
        identity: Passage(
            id=identity, sha256=f"{n:064d}", url=f"file:///{identity}.md", title=f"Page {n}", text=text,
            start=0, end=len(text),
        )
        for n, (identity, text) in enumerate(texts.items(), 1)
    }  # fmt: skip
    question = "Were supervisors and lawmakers to blame for the collapse?"
    by_words = STATISTICS.relevance(question, list(texts.values()))
    assert by_words[3] == max(by_words)
    assert next(iter(recalled(passages, [question], STATISTICS))) == "p2"
    found = evidence(passages, question=question, statistics=STATISTICS, tokens=600, listed=100)
    assert found.passages[0].id == "p2"


def test_what_answers_is_shown_before_what_a_search_found_before_it() -> None:
    held = admitted()
    for n in range(6, 20):
        text = f"The dam club of Asterby met in hall {n} and broke up early, as the paper noted."
        held[f"p{n}"] = replace(held["p1"], id=f"p{n}", sha256=f"{n:064d}", text=text, end=len(text))
    new = [*(f"p{n}" for n in range(6, 20)), "p2"]
    found = evidence(held, question=QUESTION, statistics=STATISTICS, tokens=900, listed=0, new=new)
    order = [p.id for p in found.passages]
    assert order.index("p2") < 8, "it was found last, and fits best"


def test_notes_on_releases_that_nobody_asks_about_stand_behind_all_else_or_are_only_listed() -> None:
    notes = "\n\n".join(
        f"## Version 1.{n} (2016-07-{n:02d})\n\nFixes:\n\n- dam {n}: why the dam of Asterby broke #12{n}"
        for n in range(1, 9)
    )
    begins = [notes.index(f"- dam {n}") for n in range(1, 9)]
    source = Source("f" * 64, "file:///changes.md", "Important notes", notes, None, None, "2026-01-01")
    held = admitted()
    for n, at in enumerate(begins, 6):
        text = notes[at : notes.index("#12", at) + 4]
        held[f"p{n}"] = replace(
            held["p1"], id=f"p{n}", sha256=source.sha256, text=text, start=at, end=at + len(text)
        )
    new = [*(f"p{n}" for n in range(6, 14)), "p2", "p4"]
    how: dict[str, Any] = {"statistics": STATISTICS, "tokens": 900, "new": new, "searches": ["dam"]}

    def order(question: str) -> tuple[list[str], str]:
        apart = on_releases(held, {source.sha256: source}, question)
        found = evidence(held, question=question, listed=200, on_releases=apart, **how)
        return [p.id for p in found.passages], "\n".join(found.listed)

    shown_ids, listed = order("Why did the dam of Asterby break, and who blames the county?")
    assert set(shown_ids[:2]) == {"p2", "p4"}
    assert all(i in shown_ids or i in listed for i in new), "each can be opened by its id"
    asked, _ = order("Which version changed why the dam of Asterby breaks?")
    assert asked[0] in new[:8], "who asks for versions is told of them"


def test_what_was_shown_in_this_turn_and_fits_best_keeps_its_place_before_weak_new_finds() -> None:
    held = admitted()
    for n in range(6, 30):
        text = f"The dam club met in hall {n} and broke up early, as page {n} noted."
        held[f"p{n}"] = replace(held["p1"], id=f"p{n}", sha256=f"{n:064d}", text=text, end=len(text))
    new = [f"p{n}" for n in range(6, 30)]
    how: dict[str, Any] = {"question": QUESTION, "statistics": STATISTICS, "tokens": 300, "listed": 0}
    found = evidence(held, new=new, seen=["p2"], passed_over=["p2"], **how)
    assert "p2" in found.ids


def test_a_list_in_chinese_is_shown_whole_as_one_of_as_many_words_in_english_is() -> None:
    steps = "\n".join(f"{n}. 升级之前检查第{n}项设置并且把结果记录下来，然后再继续。" for n in range(1, 13))
    held = {"p1": replace(admitted()["p1"], text=steps, end=len(steps))}
    assert estimate(steps) > 1.25 * 260
    how: dict[str, Any] = {"statistics": STATISTICS, "tokens": 3000, "listed": 0, "new": ["p1"]}
    assert evidence(held, question="升级之前要做什么？", **how).texts == (steps,)


MATCHES = {
    f"p{n}": f"In the {n}th minute {who} passed the ball to the left, and the keeper held the shot."
    for n, who in enumerate(["Alba", "Brun", "Cole", "Dorn", "Esk", "Faro", "Gill", "Hale", "Iden"], 1)
}


def chosen(texts: dict[str, str], question: str, **how: Any) -> EvidenceShown:
    held = {
        identity: Passage(
            id=identity, sha256=f"{n:064d}", url=f"file:///{identity}.md", title=f"Page {n}", text=text,
            start=0, end=len(text),
        )
        for n, (identity, text) in enumerate(texts.items(), 1)
    }  # fmt: skip
    how |= {"statistics": STATISTICS, "tokens": 2_000, "listed": 100, "asks": True}
    return evidence(held, question=question, **how)


def test_where_nothing_comes_near_a_few_are_shown_and_what_is_rested_on_and_it_is_told() -> None:
    question = "Who ordered the police to use tear gas against the crowd outside?"
    far = chosen(MATCHES, question, new=list(MATCHES)[:6], resting=["p9"])
    assert not far.near
    assert len(far.passages) == FEW + 1
    assert "p9" in far.ids
    inquiry = SimpleNamespace(draft="", research=SimpleNamespace(admitted=MATCHES))
    assert "search in other words" in told_far(far, inquiry)[0]
    last = chosen(MATCHES, question, resting=["p9"], resting_first=True)
    assert not told_far(last, inquiry), "it is answered from what the others found"
    crowd = {**MATCHES, "p10": "The prefect told the police to use tear gas against the crowd at the gates."}
    near = chosen(crowd, question, new=[*list(MATCHES)[:6], "p10"])
    assert near.near
    assert near.passages[0].id == "p10"
    assert not told_far(near, inquiry)


def test_room_alone_is_no_reason_to_show_what_fits_nothing() -> None:
    question = "Who ordered the police to use tear gas against the crowd outside?"
    crowd = {
        **MATCHES,
        "p10": "The prefect told the police to use tear gas against the crowd at the gates.",
        "p11": "The police said that the crowd outside had thrown stones before tear gas was used.",
    }
    found = chosen(crowd, question, new=["p10"])
    assert {passage.id for passage in found.passages} == {"p10", "p11"}


def test_what_a_speaker_was_shown_and_had_no_use_for_is_not_listed_again() -> None:
    told = "The dam of Asterby broke, says witness {}, and " + "the water rose fast. " * 30
    long = {i: told.format(i) for i in TEXTS}
    held = {i: replace(p, text=long[i], end=len(long[i])) for i, p in admitted().items()}
    how: dict[str, Any] = {"question": QUESTION, "statistics": STATISTICS, "tokens": 300, "listed": 400}
    first = evidence(held, **how)
    named = {line.split()[0] for line in first.listed}
    assert len(named) > 1
    again = evidence(held, passed_over=named, often=named, **how)
    assert not named & {line.split()[0] for line in again.listed}


def test_a_list_that_goes_on_behind_what_is_shown_is_said_to() -> None:
    steps = [f"{n}. Do the thing that has the number {n} of all things to be done." for n in range(1, 8)]
    source = Source(
        sha256="a" * 64, url="file:///steps.md", title="Steps",
        text="To lift a load, in order:\n\n" + "\n".join(steps) + "\n\nThen rest.",
    )  # fmt: skip
    cut_at, behind = source.text.index("4. Do"), source.text.index("Then rest.")
    first = replace(source.passage(0, cut_at - 1), id="p1")
    last = replace(source.passage(cut_at, behind - 2), id="p2")
    held = Evidence(passages={"p1": first, "p2": last}, sources={source.sha256: source})
    alone = with_list_ends(EvidenceShown((first,), (first.text,), ((),)), held)
    assert alone.texts[0].endswith("\n… (4 more items of this list follow on its page)")
    both = EvidenceShown((first, last), (first.text, last.text), ((), ()))
    assert with_list_ends(both, held) == both


def test_what_is_noted_as_a_fact_keeps_its_row_in_the_least_room_and_no_empty_shell_is_shown() -> None:
    rows = [f"Package: tool-{n} | Size: {n}00 | For: {'copies that somebody keeps ' * 14}" for n in range(4)]
    text = "Handbook of Copies 17 / 90\n\n" + "\n".join(
        ["Package: ar | Size: 1 | For: bundles", *rows, "Package: dump | Size: 351 | For: ext4 alone"]
    )
    held = {"p1": replace(admitted()["p1"], text=text, end=len(text)), "p2": admitted()["p2"]}
    how: dict[str, Any] = {"statistics": STATISTICS, "tokens": 150, "listed": 200, "resting": ["p1"]}
    noted = evidence(held, question=QUESTION, told={"p1": ["dump is for ext4."]}, **how)
    shown_of = dict(zip((p.id for p in noted.passages), noted.texts, strict=True))
    assert "ext4 alone" in shown_of["p1"]
    assert not is_shell(shown_of["p1"])
    assert is_shell("Handbook of Copies 17 / 90\n… (4 of 4 items left out) …")
