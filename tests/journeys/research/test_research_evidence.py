"""What an expert is shown of what was admitted, and what it may cite, in whole sessions."""

from pathlib import Path
from typing import Any

import pytest

from agents.research.rounds import SAME
from library import citations
from library.passages import WHOLE
from models import estimate
from tests.journeys.research.research_world import SIDES, World, acts, answers, document, read, search

pytestmark = pytest.mark.usefixtures("each_mode")

SMALL = {"passage_tokens": 250, "listed_tokens": 200}
"""Room for a passage or two."""


def shown(task: Any) -> list[str]:
    return [passage.id for passage in task.passages]


async def test_what_is_shown_is_whole_and_the_rest_is_named(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.play({"respond": lambda task: answers(f"So it was [{task.passages[0].id}].")}, **SMALL)
    [task] = world.asked
    short = [n for n, p in enumerate(task.passages) if estimate(p.text) <= WHOLE]
    assert short
    assert all(task.texts[n] == task.passages[n].text for n in short)
    assert task.listed
    assert not {line.split()[0] for line in task.listed} & set(shown(task))


async def test_what_the_last_round_brought_comes_first(tmp_path: Path) -> None:
    light = "The keepers of the lighthouse lit its lamp with whale oil until the harbour of Asterby had gas."
    world = World(tmp_path, folders={"harbour": {"ferry": document("ferry"), "lamp": light}})
    moves = [acts(search("whale oil lamp keepers Asterby"))]
    script = lambda task: moves.pop() if moves else answers(f"So it was [{task.passages[0].id}].")  # noqa: E731
    await world.play({"respond": script}, passages=1, background=1, **SMALL)
    before, after = world.asked
    assert after.passages[0].id not in shown(before)
    assert after.passages[0].text == light


async def test_a_passage_that_was_only_named_is_shown_and_its_claim_confirmed(tmp_path: Path) -> None:
    world = World(tmp_path)
    named: list[str] = []

    def script(task: Any) -> Any:
        if task.draft:
            return answers(f"{task.draft} Indeed.")
        named[:] = [line.split()[0] for line in task.listed[-1:]]
        return answers(f"It is known [{named[0]}]. So is this [{task.passages[0].id}].")

    await world.play({"respond": script}, **SMALL)
    assert len(world.asked) == 2
    assert world.asked[1].rounds_left == 0
    assert shown(world.asked[1])[0] == named[0]
    [turn] = world.of("turn_taken")
    assert named[0] in turn.turn.citations
    assert "Indeed" in turn.turn.text
    assert world.of("citation_rejected") == []


async def test_an_id_that_nobody_admitted_is_dropped_and_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    script = lambda task: answers(f"It is so [{task.passages[0].id}]. It is said [p999].")  # noqa: E731
    await world.play({"respond": script})
    [dropped] = world.of("citation_rejected")
    assert dropped.ids == ["p999"]


async def test_any_admitted_passage_is_opened_by_its_id(tmp_path: Path) -> None:
    world = World(tmp_path)
    opened: list[str] = []

    def script(task: Any) -> Any:
        if not opened:
            opened[:] = [line.split()[0] for line in task.listed[-1:]]
            return acts(read(opened[0]))
        return answers(f"It is known [{opened[0]}].")

    await world.play({"respond": script}, **SMALL)
    assert shown(world.asked[1])[0] == opened[0]
    assert not world.asked[1].notices
    assert len(world.asked) == 2


async def test_what_a_thought_names_and_was_only_listed_is_shown_in_the_next_round(tmp_path: Path) -> None:
    world = World(tmp_path)
    named: list[str] = []

    def script(task: Any) -> Any:
        if not named:
            named[:] = [line.split()[0] for line in task.listed[-1:]]
            return acts(search("whale oil"), thought=f"Not {task.passages[0].id}, but {named[0]} and p999.")
        return answers(f"It is known [{named[0]}].")

    await world.play({"respond": script}, **SMALL)
    before, after = world.asked
    assert named[0] not in shown(before)
    assert shown(after)[0] == named[0]


async def test_the_topic_is_answered_last_with_what_the_answers_and_notes_rest_on(tmp_path: Path) -> None:
    world = World(tmp_path)

    def script(task: Any) -> Any:
        if task.closing:
            return answers(f"In all [{task.passages[0].id}].")
        note = {"kind": "fact", "text": "Kept in mind.", "passages": [task.passages[1].id]}
        return answers(f"So it was [{task.passages[0].id}].", notes=[note], ask=[f"And the {SIDES[-1]}?"])

    await world.play({"respond": script}, turns=4)
    last = world.asked[-1]
    assert last.closing
    said = {i for e in world.of("turn_taken")[:-1] for i in e.turn.citations}
    noted = {i for e in world.of("memory_added") for i in e.passages}
    assert said | noted <= set(shown(last)).union(*last.doubles)
    assert all(
        text == p.text for text, p in zip(last.texts, last.passages, strict=True) if estimate(p.text) <= WHOLE
    )


async def test_texts_that_are_the_same_stand_once_with_all_their_ids(tmp_path: Path) -> None:
    same = document("ferry")
    world = World(
        tmp_path, folders={"harbour": {"one": same, "other": f"{same}\n", "dyke": document("dyke")}}
    )
    moves = [acts(search("ferry dyke harbour council Asterby"))]
    script = lambda task: moves.pop() if moves else answers(f"So it was [{task.passages[0].id}].")  # noqa: E731
    await world.play({"respond": script}, passages=12, background=12)
    for task in world.asked:
        texts = [" ".join(p.text.split()) for p in task.passages]
        assert len(texts) == len(set(texts))


NOISE = {
    f"report{n}": f"The council of {place} met in spring to speak of {what}. It was a long evening, and the "
    f"people of {place} went home late. Nothing was decided on {what} before the summer."
    for n, (place, what) in enumerate(
        (place, what)
        for place in ("Benwick", "Corley", "Dunmere", "Eastrow")
        for what in ("a road", "the school", "new lamps", "a fair", "the well", "taxes", "a choir", "a mill")
    )
}
ASKED = "Who was to blame for the flood at the weir of Asterby?"


async def test_a_search_that_finds_nothing_close_admits_nothing_and_says_so(tmp_path: Path) -> None:
    weir = "The weir of Asterby gave way in the flood because its keeper was away, and he was blamed."
    opera = "The tenor sang the soprano's part at the opera in Hallow, and was praised for it."
    world = World(tmp_path, folders={"valley": {**NOISE, "weir": weir, "opera": opera}})
    moves = [acts(search("lamps opera tenor soprano")), acts(search("keeper blamed flood weir"))]
    script = lambda task: moves.pop(0) if moves else answers(f"So it was [{task.passages[0].id}].")  # noqa: E731
    await world.play({"respond": script}, topic=ASKED, passages=12, background=12)
    admitted = [p for event in world.of("passages_admitted") for p in event.passages]
    assert len(admitted) < 6, "of 34 pages one speaks of it"
    first, second, third = (task.rounds for task in world.asked[:3])
    assert "nothing close" not in first
    assert "lamps opera tenor soprano → nothing close" in second
    assert "keeper blamed flood weir → again: " in third
    assert all(weir in [p.text for p in task.passages] for task in world.asked)


async def test_to_confirm_a_draft_what_it_cites_is_shown_and_nothing_else(tmp_path: Path) -> None:
    world = World(tmp_path)
    cited: list[str] = []

    def script(task: Any) -> Any:
        if task.draft:
            return answers(task.draft)
        cited[:] = [task.listed[-1].split()[0], task.passages[0].id]
        return answers(f"It is known [{cited[0]}]. So is this [{cited[1]}].")

    await world.play({"respond": script}, **SMALL)
    [first, second] = world.asked[:2]
    assert shown(second) == cited
    assert [len(t) for t in second.texts] == [len(p.text) for p in second.passages]
    assert (second.listed, second.rounds, second.discussion, second.branch) == ((), "", "", "")


async def test_what_an_earlier_round_showed_needs_no_confirming(tmp_path: Path) -> None:
    world = World(tmp_path)
    seen: list[str] = []

    def script(task: Any) -> Any:
        if not seen:
            seen[:] = shown(task)
            return acts(search("pilots fishery"), search("customs shipyard"))
        return answers("It is known " + "".join(f"[{i}]" for i in seen) + ".")

    await world.play({"respond": script}, **SMALL)
    assert len(world.asked) == 2
    assert all(not task.draft for task in world.asked)


CLAIMS = (
    "Whales came ashore", "Bells rang nightly", "Ropes were tarred", "Sails tore early",
    "Barrels leaked oil", "Cranes lifted stone", "Nets dried inland", "Tolls paid masons",
    "Anchors rusted quickly",
)  # fmt: skip


async def test_what_an_expert_saw_in_an_earlier_turn_needs_no_confirming_and_what_another_saw_does(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)
    saw: dict[str, set[str]] = {}
    said: dict[str, str] = {}
    confirmed: list[bool] = []

    def script(task: Any) -> Any:
        if task.draft:
            confirmed[-1] = True
            saw[task.expert] |= set(shown(task))
            return answers(task.draft)
        own, before = set(shown(task)), saw.setdefault(task.expert, set())
        others = set[str]().union(*(ids for who, ids in saw.items() if who != task.expert))
        # Who is asked at the same moment finds what this prompt cannot name.
        named = {line.split()[0] for line in task.listed} | set(citations(task.discussion))
        mine, theirs = sorted(before - own), sorted((others & named) - own - before)
        # What an earlier answer says of a passage, and the prompt tells, may be said again of it.
        told = [i for i in theirs if i in said and f"{said[i]} [{i}]" in task.discussion]
        of_kind = {"theirs": theirs, "mine": mine, "told": told}
        order = sorted((kind for kind, ids in of_kind.items() if ids), key=kinds.count)
        kind = order[0] if order else "shown"
        # First what nobody has told of: the more are told of, the fewer of them a prompt has room to show.
        cited = sorted(of_kind.get(kind) or own, key=lambda i: (i in said, i))
        claim = said[cited[0]] if kind == "told" else CLAIMS[len(kinds)]
        said[cited[0]] = claim
        kinds.append(kind)
        before |= own
        expected.append(kind == "theirs")
        confirmed.append(False)
        return answers(f"{claim} [{cited[0]}].", ask=[f"What of the {side}?" for side in SIDES])

    expected: list[bool] = []
    kinds: list[str] = []
    await world.play({"respond": script}, turns=9, experts=2, **SMALL)
    assert confirmed == expected
    assert {"mine", "theirs", "told"} <= set(kinds)


async def test_what_a_note_of_this_turn_rests_on_stays_in_the_prompt(tmp_path: Path) -> None:
    world = World(tmp_path)
    noted: list[str] = []

    def script(task: Any) -> Any:
        if not noted:
            noted[:] = shown(task)[:1]
            lead = {"kind": "lead", "text": "what the customs cost", "passages": noted}
            return acts(search("pilots fishery"), notes=[lead])
        return answers(f"So it was [{noted[0]}].")

    await world.play({"respond": script}, **SMALL)
    assert noted[0] in shown(world.asked[1])


async def test_a_passage_that_is_opened_brings_its_section(tmp_path: Path) -> None:
    part = "In {0} the ferry of the harbour of Asterby was repaired, and the {1} served {0} people. " * 6
    text = "## The ferry\n\n" + "\n\n".join(part.format(n, side) for n, side in enumerate(SIDES[:3], 1901))
    world = World(tmp_path, folders={"harbour": {"ferry": text, **{s: document(s) for s in SIDES[3:5]}}})
    opened: list[str] = []

    def script(task: Any) -> Any:
        if not opened:
            opened[:] = [p.id for p in task.passages if "repaired" in p.text][:1]
            return acts(read(opened[0]))
        return answers(f"So it was [{opened[0]}].")

    await world.play({"respond": script}, passages=12, background=12)
    after = world.asked[1]
    assert shown(after)[0] == opened[0]
    assert all(any(str(year) in p.text for p in after.passages) for year in (1901, 1902, 1903))
    assert "passages in its document" in after.rounds


async def test_two_passages_of_one_document_that_are_opened_at_once_are_told_each_with_what_it_brings(
    tmp_path: Path,
) -> None:
    part = "In {0} the ferry of the harbour of Asterby was repaired, and the {1} served {0} people. " * 6
    parts = [f"## Year {n}\n\n" + part.format(n, side) for n, side in enumerate(SIDES, 1901)]
    world = World(tmp_path, folders={"harbour": {"ferry": "\n\n".join(parts)}})
    opened: list[str] = []

    def script(task: Any) -> Any:
        if not opened:
            held = sorted(task.passages, key=lambda p: p.start)
            opened[:] = [held[0].id, held[-1].id]
            return acts(*(read(i) for i in opened))
        return answers(f"So it was [{opened[0]}].")

    await world.play({"respond": script}, passages=12, background=12)
    last = world.asked[1].rounds.splitlines()[-1]
    assert SAME not in last
    assert all(f"again: {i}" in last for i in opened), last


async def test_the_best_hits_of_a_search_in_the_table_s_own_words_need_none_of_it(tmp_path: Path) -> None:
    moved = {
        f"mill{n}": f"The old mill of Asterby has to move to another valley, part {n}: flume, gate and "
        f"the key pin of wheel {n} move first, then the downtime of the mill ends."
        for n in range(6)
    }
    rule = "Each flume gate must have a key pin. Otherwise it stays locked, and no flume opens a locked gate."
    world = World(tmp_path, folders={"valley": {**NOISE, **moved, "gates": rule}})
    moves = [acts(search("flume gate without key pin stays locked"))]
    script = lambda task: moves.pop() if moves else answers(f"So it is [{task.passages[0].id}].")  # noqa: E731
    asked = "Our old mill has to move to another valley within a day of downtime. Which way should we take?"
    await world.play({"respond": script}, topic=asked, passages=12, background=6)
    assert any(rule in text for task in world.asked for text in task.texts)


async def test_the_best_hit_of_an_experts_own_search_needs_none_of_the_topic(tmp_path: Path) -> None:
    weir = "The weir of Asterby gave way in the flood because its keeper was away, and he was blamed."
    opened = "A criminal case was opened on violation of the rules of navigation; the prefect led it."
    other = "The rules of navigation were printed anew, and the prefect had a copy."
    named = "Of the flood of Asterby the prefect said that the criminal case and inquiry went on, by rules."
    pages = {**NOISE, "weir": weir, "notice": opened, "print": other, "Asterby flood": named}
    world = World(tmp_path, folders={"valley": pages})
    moves = [acts(search("criminal case violation navigation rules prefect inquiry Asterby flood"))]
    script = lambda task: moves.pop() if moves else answers(f"So it is [{task.passages[0].id}].")  # noqa: E731
    await world.play({"respond": script}, topic=ASKED, passages=12, background=6)
    found = [hit.snippet for hit in world.of("searched")[-1].hits]
    assert found.index(opened) > found.index(named), "it need not be the first"
    shown_texts = {text for task in world.asked for text in task.texts}
    assert any(opened in text for text in shown_texts)
    assert not any(other in text for text in shown_texts)


async def test_a_command_that_was_searched_for_needs_no_word_of_the_topic(tmp_path: Path) -> None:
    lost = "忘记了 root 密码，系统也无法启动时，用第{}张救援盘启动，再挽救数据并恢复系统。"
    gauges = [f"## 仪器{n}\n\n" + f"第{n}号仪器每天早晨测量河流水位，写进登记簿。" * 12 for n in range(8)]
    copying = "整个目录树这样复制，权限和所有者都保留：\n\n```\n# cp -a ./a /d\n# rsync -aHAXSv ./a/ /d\n```"
    parts = ["# 手册", "## 忘记密码", lost.format(0) * 8, *gauges, "## 复制语法", copying, *gauges]
    pages = {f"case{n}": lost.format(n) * 8 for n in range(1, 25)} | {"book": "\n\n".join(parts)}
    world = World(tmp_path, folders={"books": pages})
    moves = [acts(search("cp -a rsync -aHAXSv 复制整个目录树 保留权限 所有者"))]
    script = lambda task: moves.pop() if moves else answers(f"这样 [{task.passages[0].id}]。")  # noqa: E731
    asked = "忘记了 root 密码，系统也无法启动，应该怎样挽救数据并恢复系统？"
    await world.play({"respond": script}, topic=asked, passages=12, background=4)
    assert any("rsync -aHAXSv" in text for text in world.asked[-1].texts)


CHINESE = Path(__file__).parents[1].joinpath("documents_zh")


@pytest.mark.parametrize(
    ("asked", "looked_for", "least", "most"),
    [
        ("洪水为什么会造成这么大的损失？", "堤防 决口 损失 原因", 3, 40),
        ("升级后系统无法启动时应该怎样恢复？", "引导加载程序 内核 救援模式 备份", 0, 2),
    ],
)
async def test_in_chinese_too_only_what_is_close_is_admitted(
    tmp_path: Path, asked: str, looked_for: str, least: int, most: int
) -> None:
    texts = {file.stem: file.read_text(encoding="utf-8") for file in sorted(CHINESE.glob("*.md"))}
    world = World(tmp_path, folders={"flood": texts})
    moves = [acts(search(looked_for))]
    script = lambda task: moves.pop(0) if moves else answers("没有找到。")  # noqa: E731
    await world.play({"respond": script}, topic=asked, passages=12, background=12)
    admitted = [p for event in world.of("passages_admitted") for p in event.passages]
    assert least <= len(admitted) <= most
    assert world.of("turn_taken"), "where nothing is close, they sit down to search in other words"
