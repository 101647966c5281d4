"""The table as a team of AutoGen: every turn is a message, the last one is the report.

python examples/table_as_team.py "How are exceptions handled?"
"""

import asyncio
import sys

from autogen_agentchat.ui import Console

from roundtable import RoundtableTeam
from roundtable.config import load_settings


async def main(topic: str) -> None:
    """Discuss a topic, from the documentation of Python alone."""
    settings = load_settings({"docs": ["python"], "offline": True, "models": {"model": "embedded"}})
    await Console(RoundtableTeam(settings).run_stream(task=topic))


asyncio.run(main(sys.argv[1]))
