"""Bodies of requests: JSON objects of a bounded size, checked before anything is done."""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from roundtable.config.errors import wrong_value

OrderT = TypeVar("OrderT", bound=BaseModel)

MOST_BYTES = 100_000
"""Of a request's body."""


async def json_body(request: Request) -> dict[str, Any]:
    """Return a request's JSON object, however large it says it is."""
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > MOST_BYTES:
            raise HTTPException(413, f"a request has at most {MOST_BYTES} bytes")
    try:
        values = json.loads(data)
    except (ValueError, RecursionError) as failure:
        raise HTTPException(400, f"this is not JSON: {failure}") from failure
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
