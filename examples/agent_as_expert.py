"""An AutoGen agent as an expert at the table (needs OPENAI_API_KEY).

python examples/agent_as_expert.py "How are exceptions handled?"
"""

import asyncio
import sys

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient

from roundtable import start_session
from roundtable.config import load_settings


async def main(topic: str) -> None:
    """Discuss a topic with an expert who asks what it costs."""
    client = OpenAIChatCompletionClient(model="gpt-4.1-mini")
    skeptic = AssistantAgent("skeptic", client, description="Asks what each way costs, and when it fails.")
    session = await start_session(topic, load_settings({"docs": ["python"]}), experts=[skeptic])
    async for recorded in session.run():
        if recorded.event.kind == "turn_taken":
            print(f"{recorded.event.turn.name}: {recorded.event.turn.text}\n")
    print((await session.report()).title, f"(roundtable show {session.id})")
    await session.close()


asyncio.run(main(sys.argv[1]))
