"""Reading replies: from whatever a model wrote to the task's output, or a ReplyUnusable that says why not.

Tolerated, because models without structured output do it: `<think>…</think>` before the answer, code fences,
prose around the JSON, trailing commas, a single object where a list is asked and the other way round, and a
reply wrapped in one more object.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from models.errors import ReplyUnusable
from models.prompting.untrusted_text import drop_unprintable, restore

ModelT = TypeVar("ModelT", bound=BaseModel)

LONGEST_REPLY = 400_000
"""Characters that are looked at; more is no answer to any task."""
LONGEST_VALUE, _OF_A_VALUE = 60_000, 16
"""Characters of what an answer tells, its thoughts left out, and what each of its values counts besides.

Twice what the usual bound on a reply's tokens lets through. Who sends more heeds no bound, and each sentence
of it would be compared with others, so that the time it takes grows with its square.
"""
_MOST_CANDIDATES = 40
_NO_JSON = "the reply holds no JSON"

_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]*+\w*+[ \t]*+\n?(.*?)```", re.DOTALL)
_BRACKET = re.compile(r"[{\[]")
_STRING_OR_COMMA = re.compile(r'(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*"?)|,(?=\s*[}\]])', re.DOTALL)


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits)


_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse, parse_float=_finite)


def read_reply(text: str, output: type[ModelT], longest: int = LONGEST_VALUE) -> ModelT:
    """Read a reply as the output of a task.

    Args:
        text: The reply.
        output: What the task's answers are.
        longest: Characters that what it tells may have; see `read_value`.

    Raises:
        ReplyUnusable: nothing in it can be read so; the message is fit to be shown to the model for a repair.
    """
    answer = without_thoughts(text[:LONGEST_REPLY])
    if not answer:
        raise ReplyUnusable("the reply holds only thoughts" if text.strip() else "the reply is empty")
    reason = _NO_JSON
    for value in _values(answer):
        try:
            return read_value(value, output, longest)
        except ReplyUnusable as error:
            # The first thing that is JSON is most likely the answer: its faults are the ones to repair.
            reason = str(error) if reason == _NO_JSON else reason
    raise ReplyUnusable(reason)


def read_value(value: object, output: type[ModelT], longest: int = LONGEST_VALUE) -> ModelT:
    """Validate a value as an output, tolerating the usual slips of shape.

    Raises:
        ReplyUnusable: it is none, or tells more than `longest` characters, some counted for each value.
    """
    if _extent(value, longest) > longest:
        raise ReplyUnusable("the reply is far longer than was asked for; reply with much less text")
    reason = ""
    for shape in _shapes(value, output):
        if not isinstance(shape, dict):
            continue
        if not shape.keys() & output.model_fields.keys():
            # With defaults for every field it would pass for a reply that says nothing.
            continue
        try:
            return output.model_validate(shape)
        except ValidationError as error:
            reason = reason or _explain(error)
        except RecursionError as error:
            raise ReplyUnusable("the reply is nested too deeply") from error
    raise ReplyUnusable(reason or f"the reply has none of the fields {', '.join(output.model_fields)}")


def _extent(value: object, enough: int) -> int:
    """Return how much a value tells, in characters; of what is over `enough` not all is counted."""
    counted, waiting = 0, [value]
    while waiting and counted <= enough:
        each = waiting.pop()
        counted += _OF_A_VALUE
        if isinstance(each, str):
            counted += len(each)
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()
    return counted


def without_thoughts(text: str) -> str:
    """Return the text without the thinking that some models put before their answer, closed or not.

    What stands inside a value is text: an answer may speak of such marks.
    """
    tags = list(_THOUGHT.finditer(text))
    if tags:
        inside = list(_value_spans(text))
        tags = [tag for tag in tags if not any(start < tag.start() < end for start, end in inside)]
    if tags and not tags[-1][1] and not text[: tags[0].start()].strip():
        return ""
    # A chat template may have eaten the opening tag: all before the last closing one is thought.
    closed = [tag.end() for tag in tags if tag[1]]
    return text[closed[-1] if closed else 0 :].strip()


def _value_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the first JSON values stand in a text, outermost only."""
    at = 0
    for _ in range(_MOST_CANDIDATES):
        found = _BRACKET.search(text, at)
        if found is None:
            return
        try:
            _, at = _DECODER.raw_decode(text, found.start())
            yield found.start(), at
        except (ValueError, RecursionError):
            at = found.end()


def _values(answer: str) -> Iterator[object]:
    """Yield what can be read as JSON, most likely first: the whole, what is fenced, what is in braces."""
    candidates = [answer, *(fenced.strip() for fenced in reversed(_FENCE.findall(answer)))]
    for candidate in dict.fromkeys(candidates[: _MOST_CANDIDATES]):
        for attempt in _attempts(candidate):
            try:
                value = _restored(_DECODER.decode(attempt))
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict | list):
                yield value
                break
    for bracket in "{[":
        for attempt in _attempts(answer):
            yield from _embedded(attempt, bracket)


def _attempts(text: str) -> Iterator[str]:
    """Yield the text as it is, then without trailing commas, if it has any."""
    yield text
    first = _BRACKET.search(text)
    at = first.start() if first else len(text)  # a quotation mark in the words before opens no string
    repaired = text[:at] + _STRING_OR_COMMA.sub(lambda found: found["string"] or "", text[at:])
    if repaired != text:
        yield repaired


def _embedded(text: str, bracket: str) -> Iterator[object]:
    """Yield the JSON values that stand inside other text, in order, outermost only."""
    end = len(text.rstrip())
    at = -1
    for _ in range(_MOST_CANDIDATES):
        at = text.find(bracket, at + 1)
        if at < 0:
            return
        try:
            value, stop = _DECODER.raw_decode(text, at)
            value = _restored(value)
        except json.JSONDecodeError as error:
            if error.pos >= end or error.msg.startswith("Unterminated"):
                # Cut off: a part of it would pass for the whole.
                return
            continue
        except (ValueError, RecursionError):
            return
        at = stop - 1
        yield value


def _restored(value: object) -> object:
    """Undo what was done to text on its way into the prompt, and drop what no text may hold."""
    if isinstance(value, str):
        return restore(drop_unprintable(value))
    if isinstance(value, list):
        return [_restored(item) for item in value]
    if isinstance(value, dict):
        return {key: _restored(item) for key, item in value.items()}
    return value


def _shapes(value: object, output: type[BaseModel]) -> Iterator[object]:
    """Yield the value as it is, then as it may have been meant."""
    yield value
    fields = list(output.model_fields)
    if isinstance(value, list):
        if len(fields) == 1:
            yield {fields[0]: value}
        if len(value) == 1:
            yield value[0]
    if isinstance(value, dict):
        if len(value) == 1:
            only = next(iter(value.values()))
            if isinstance(only, dict | list):
                yield only
                if len(fields) == 1:
                    yield {fields[0]: only}
        if len(fields) == 1 and fields[0] not in value:
            yield {fields[0]: [value]}
        yield {name: _listed(value[name], output, name) for name in value}


def _listed(value: Any, output: type[BaseModel], name: Any) -> Any:
    """Put a single value into a list where the field asks for a list."""
    field = output.model_fields.get(name) if isinstance(name, str) else None
    if field is None or isinstance(value, list):
        return value
    origin = getattr(field.annotation, "__origin__", None)
    if origin in {list, tuple, set, frozenset}:
        return [] if value is None else [value]
    return value


def _explain(error: ValidationError) -> str:
    """Say what does not fit, without echoing what was written."""
    problems = [
        f"{'.'.join(str(part) for part in item['loc']) or 'the reply'}: {item['msg']}"
        for item in error.errors(include_url=False, include_context=False, include_input=False)[:5]
    ]
    return "; ".join(problems)
