"""The shape of a reply: as a strict JSON schema for models that take one, in words for models that do not."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from models.prompting.token_estimate import estimate

# What strict structured output does not take; pydantic checks it afterwards.
_LEFT_OUT = {
    "title", "default", "minLength", "maxLength", "uniqueItems", "discriminator", "examples", "const",
}


ENVELOPE = 96
"""Tokens of a request beside its texts and the shape of its reply, at most."""


@lru_cache(maxsize=128)
def response_format(output: type[BaseModel]) -> Mapping[str, Any]:
    """Return the `response_format` that asks an OpenAI-compatible server for this output."""
    schema = _strict(output.model_json_schema())
    return {
        "type": "json_schema",
        "json_schema": {"name": output.__name__, "schema": schema, "strict": _is_strict(schema)},
    }


def closed_schema(shape: type[BaseModel]) -> Mapping[str, Any]:
    """Return a model's JSON schema with every object closed and every field required."""
    closed: Mapping[str, Any] = _strict(shape.model_json_schema())
    return closed


@lru_cache(maxsize=128)
def instruction(output: type[BaseModel]) -> str:
    """Return the words that ask a model for this output as JSON in its text."""
    shape = _without_titles(output.model_json_schema())
    schema = json.dumps(shape, ensure_ascii=False, separators=(",", ":"))
    return (
        "Reply with one JSON object and nothing else: no words before or after it, no code fence. "
        f"It must fit this JSON schema:\n{schema}"
    )


@lru_cache(maxsize=128)
def shape_size(output: type[BaseModel]) -> int:
    """Return the tokens that asking for this output takes at most, however a server is asked for it."""
    # A server that is asked for a shape is sent a stricter, longer schema than one that is told in words.
    asked = json.dumps(response_format(output), ensure_ascii=False)
    return max(estimate(instruction(output)), estimate(asked))


def _strict(schema: Any) -> Any:
    """Close every object and require every field, as strict mode asks."""
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "const" in schema:
        schema = {**schema, "enum": [schema["const"]]}
    if "oneOf" in schema:
        schema = {**schema, "anyOf": schema["oneOf"]}
        del schema["oneOf"]
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    closed = {
        key: {name: _strict(part) for name, part in value.items()}
        if key in {"properties", "$defs"}
        else _strict(value)
        for key, value in schema.items()
        if key not in _LEFT_OUT
    }
    if "properties" in closed:
        closed["required"] = list(closed["properties"])
        closed["additionalProperties"] = False
    return closed


def _is_strict(schema: Any) -> bool:
    """Tell whether strict mode can express it: no object of free keys."""
    if isinstance(schema, list):
        return all(_is_strict(item) for item in schema)
    if not isinstance(schema, dict):
        return True
    free = schema.get("type") == "object" and "properties" not in schema
    return not free and all(_is_strict(value) for value in schema.values())


def _without_titles(schema: Any) -> Any:
    """Drop the titles that pydantic adds; a property called `title` stays."""
    if isinstance(schema, list):
        return [_without_titles(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without_titles(part) for name, part in value.items()}
        if key in {"properties", "$defs"} and isinstance(value, dict)
        else _without_titles(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }
