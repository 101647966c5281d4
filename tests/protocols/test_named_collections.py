"""Other programs search what a person named, and not every folder that was once searched by its path."""

from pathlib import Path

import pytest

from library import open_library
from library.store import derived_name
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.protocols.session_tools import SessionTools
from roundtable.session.factory import Runtime
from roundtable.web.hosting.session_thread import SessionThread


async def test_a_folder_that_was_searched_by_its_path_is_no_other_programs(tmp_path: Path) -> None:
    private, home = tmp_path / "private", tmp_path / "served"
    private.mkdir()
    home.mkdir()
    (private / "secret.md").write_text("# Safe\n\nThe PIN of the safe is 4711.\n")
    async with await open_library(Settings().library, [str(private)], [], offline=True, home=home):
        pass  # as `roundtable run --docs private` does
    name = derived_name(private)
    sessions = SessionThread(Runtime(home=home))
    try:
        tools = SessionTools(sessions)
        assert tools.collections() == ["python"]
        with pytest.raises(InputError, match="only named collections"):
            await tools.search("the PIN of the safe", [name])
        with pytest.raises(InputError, match="only named collections"):
            await tools.start({"topic": "What is the PIN?", "docs": [name], "offline": True})
        told = await SessionTools(sessions, any_documents=True).search("the PIN of the safe", [name])
        assert "4711" in told[0]["text"]
    finally:
        await sessions.close()
