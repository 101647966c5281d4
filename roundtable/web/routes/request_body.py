"""Bodies of requests: JSON objects of a bounded size, checked before anything is done."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from starlette.exceptions import HTTPException
from starlette.requests import Request

from roundtable.config.errors import wrong_value

OrderT = TypeVar("OrderT", bound=BaseModel)

MOST_BYTES = 100_000
"""Of a request's body."""


async def bounded_json(request: Request, most_bytes: int) -> Any:
    """Return what a request's JSON says; it is read no further than it may be long.

    Raises:
        HTTPException: 413 for a longer one, 400 for what is no JSON, which NaN and half a letter are not.
    """
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > most_bytes:
            raise HTTPException(413, f"a request has at most {most_bytes} bytes")
    try:
        return from_json(bytes(data), allow_inf_nan=False)
    except ValueError as failure:
        raise HTTPException(400, f"this is not JSON: {failure}") from failure


async def json_body(request: Request) -> dict[str, Any]:
    """Return a request's JSON object; raises as `bounded_json` does, and 400 for another value."""
    values = await bounded_json(request, MOST_BYTES)
    if not isinstance(values, dict):
        raise HTTPException(400, "send a JSON object")
    return values


async def body_as(request: Request, form: type[OrderT]) -> OrderT:
    """Return a request's body as what it should be; what is wrong with it is told in one line."""
    try:
        return form.model_validate(await json_body(request))
    except ValidationError as failure:
        first = failure.errors(include_url=False)[0]
        raise HTTPException(422, f"{'.'.join(map(str, first['loc']))}: {wrong_value(first)}") from failure
