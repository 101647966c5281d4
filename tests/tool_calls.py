"""Calls of tools, as the three kinds of servers write them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tests.model_answers import Filler

TAKEN_UP = ("stance", "replies_to")
"""Whose claim an answer takes up, and how."""

Message = Mapping[str, Any]


def called(
    tools: Sequence[Mapping[str, Any]], move: Mapping[str, Any] | None, filler: Filler
) -> dict[str, Any]:
    """Return the content and calls of a message: a move as calls, or one call of the last tool."""
    offered = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    if move is None:
        name, parameters = list(offered.items())[-1]
        calls = [(name, filler.fill(parameters))]
    else:
        calls = calls_of(move)
    made = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)},
        }
        for number, (name, arguments) in enumerate(calls)
    ]
    thought = str(move.get("thought", "")) if move else ""
    if not made:
        return {"content": thought or "I have nothing to call."}
    return {"content": thought or None, "tool_calls": made}


def calls_of(move: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return an expert's move as calls of tools."""
    calls: list[tuple[str, Mapping[str, Any]]] = [
        (action["kind"] or "nothing", {k: v for k, v in action.items() if k != "kind"})
        for action in move.get("actions", ())
    ]
    calls += [("note", note) for note in move.get("notes", ())]
    calls += [("drop_note", {"id": identity}) for identity in move.get("drop", ())]
    calls += [("ask", {"question": question}) for question in move.get("ask", ())]
    calls += [("more_rounds", {"rounds": move["more"]})] if move.get("more") else []
    calls += (
        [("answer", {"text": move["answer"], **{n: move[n] for n in TAKEN_UP if n in move}})]
        if move.get("answer")
        else []
    )
    return calls


def tools_of_anthropic(tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return tools as Anthropic's clients name them in the form of the others."""
    return [{"function": {"name": tool["name"], "parameters": tool["input_schema"]}} for tool in tools]


def used_in_anthropic(message: Message) -> list[dict[str, Any]]:
    """Return a message as Anthropic's servers write it."""
    text = [{"type": "text", "text": message["content"]}] if message["content"] else []
    used = [
        {
            "type": "tool_use",
            "id": call["id"],
            "name": call["function"]["name"],
            "input": json.loads(call["function"]["arguments"]),
        }
        for call in message.get("tool_calls", ())
    ]
    return [*text, *used]


def used_in_ollama(message: Message) -> dict[str, Any]:
    """Return a message as Ollama writes it: arguments are no text there."""
    used = [
        {
            "function": {
                "name": call["function"]["name"],
                "arguments": json.loads(call["function"]["arguments"]),
            }
        }
        for call in message.get("tool_calls", ())
    ]
    return {**message, "content": message["content"] or "", **({"tool_calls": used} if used else {})}
