"""A short session in a process from which others are forked: what is made at its first use is there for them.

That is modules which are imported late, patterns, tables, and the embedded sentence model. A `run` in a child
takes 0.8 seconds of processor so, and three without.
"""

import asyncio
import gc
import os
import tempfile
from pathlib import Path

from library.text.similarity.sentence_model import sentence_vectors
from roundtable.output.outputs import write_outputs
from roundtable.session.factory import Runtime, load_stubs, start_session
from tests.faults.town import THINGS, TOPIC, play, settings_for, still_clock, write_documents


async def _play(folder: Path) -> None:
    documents = write_documents(folder / "documents", THINGS[:3])
    # What a test has set is for its own sessions: a database that this one stood in held one too many.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ROUNDTABLE_")}
    around = Runtime(home=folder / "home", clock=still_clock(), environment=environment)
    session = await start_session(TOPIC, settings_for(documents, 2), around=around)
    await play(session)
    write_outputs(session.state, folder / "out")


def warm() -> None:
    """Play a session in a folder that is removed, and have children share what it left in memory."""
    load_stubs()
    with tempfile.TemporaryDirectory(prefix="roundtable-warm-") as folder:
        asyncio.run(_play(Path(folder)))
    # No child shares its parent's file, nor finds worked out what it is to work out.
    if (kept := sentence_vectors().disk) is not None:
        kept.close()
    sentence_vectors.cache_clear()
    gc.collect()
    gc.freeze()  # what is here stays shared with the children
