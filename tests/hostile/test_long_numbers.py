"""Numbers with more digits than Python reads, and digits of no number, wherever one is looked for."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from library import Library
from library.compute.monty import strange_numbers
from mindmap import MapStarted, MindMap
from mindmap.changes import AddNode
from mindmap.errors import MapError
from roundtable.commands.resolve import source
from roundtable.config.errors import InputError
from roundtable.journal.commands.command import CommandError
from roundtable.output.vault import vault_notes
from roundtable.protocols.chat_answers import report_answer, turns_answer
from roundtable.session.factory import start_session
from roundtable.session.planning.plan_editing import read_edited
from tests.faults.town import files_of, open_town, play, settings_for, surroundings
from tests.hostile.fuzzed.anything import DIGITS

TEXT = f"""---
date: ²²²²-01
---
# The harbour of Asterby {DIGITS}

The harbour of Asterby by the river cost {DIGITS} crowns in {DIGITS}, as [{DIGITS}] and [p{DIGITS}] say.

{DIGITS}. The harbour of Asterby was rebuilt on 12/{DIGITS}/1950 by {DIGITS} people of the town by the river.

| Harbour of Asterby | Crowns |
|---|---|
| 1950 | {DIGITS} |
| 1960 | 1e{DIGITS} |
| 1970 | ²²²² |
"""


def citing(library: Library) -> Callable[[Any], Any]:
    """Return an expert's script: it cites what nobody has, with numbers that nobody reads."""

    def respond(task: Any) -> Any:
        drawn = task.extract(library.statistics)
        return drawn.model_copy(update={"answer": f"{drawn.answer} So says [p{DIGITS}] and [{DIGITS}]."})

    return respond


async def test_a_session_on_such_texts_ends_with_all_it_leaves_behind(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for n in range(2):
        (documents / f"harbour-{n}.md").write_text(TEXT.replace("rebuilt", f"rebuilt {n} times"), "utf-8")
    library = open_town(tmp_path, documents)
    around = surroundings(tmp_path, library, respond=citing(library))
    session = await start_session("How is the harbour of Asterby?", settings_for(documents, 1), around=around)
    await play(session)
    state = session.state
    assert state.status == "ended"
    assert all(DIGITS not in turn.citations for turn in state.turns)
    assert files_of(state, tmp_path / "out")["report.md"]
    assert turns_answer(state, 0, session.id).text
    assert report_answer(state, session.id).text
    assert vault_notes(state, session.id)
    for named in (DIGITS, f"s{DIGITS}", "²", f"{DIGITS}.2"):
        with pytest.raises(CommandError):
            source(state, named)


def test_no_node_is_called_so() -> None:
    tree = MindMap.started(MapStarted(title="Dikes"))
    with pytest.raises(MapError, match="no id of a node"):
        tree.apply(AddNode(id=f"n{DIGITS}", parent=tree.root, title="Walls", by="person"))


def test_a_plan_of_such_a_number_is_refused_in_a_line() -> None:
    for text in (f"a = {DIGITS}", "a = " + "[" * 5000):
        with pytest.raises(InputError, match="the plan cannot be read"):
            read_edited(text, None)  # type: ignore[arg-type]


def test_code_may_hold_a_number_that_python_does_not_write_out():
    assert strange_numbers(f"x = 0x{'f' * 3_800}\n7 + 12", []) == [f"0x{'f' * 3_800}"]
