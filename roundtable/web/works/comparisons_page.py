"""Tables on the page: of things and questions, or documents and fields; each cell leads to its passage."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from library.web import is_web_address
from reports import Comparison, ComparisonStep
from roundtable.commands.comparison_size import asked_for, parted
from roundtable.config.errors import InputError
from roundtable.config.search_places import settle_places
from roundtable.output.comparison_output import FIELD_FILES, FILES, write_comparison
from roundtable.output.listed_works import FIELDS, files_of, table_of
from roundtable.session.texts.comparing import ComparisonBegun, compare_things
from roundtable.session.texts.extracting import ExtractionBegun, extract_fields
from roundtable.web.works.kept_works import KeptWorks, WorkUnderWay

_LONGEST = 4_000
"""Characters of what is asked for."""
_SHOWN = 6
"""Things that a table is called by."""


Step = ComparisonBegun | ExtractionBegun | ComparisonStep | Comparison


class ComparisonsPage(KeptWorks):
    """All comparisons of one home folder, and tables of named fields, which are listed with them."""

    kind, one = "comparisons", "comparison"
    files = (*FILES, *FIELD_FILES)

    async def begin(self, request: Request) -> Response:
        """A table is asked for, with the documents to search: `?of=A, B&by=price, licence`.

        With `fields` in place of both, each document and each `page` (an address) has a row of its own.
        """
        given = request.query_params
        settings = self.settings(
            docs=self.documents(request), offline=given.get("offline") == "1",
            web=given.get("web") == "1", model=given.get("model") or None,
        )  # fmt: skip
        around = self.around(request)
        fields = asked_for(given.get("fields", ""))
        if sum(map(len, given.values())) > _LONGEST:
            raise InputError(f"what is asked for has at most {_LONGEST} characters")
        if fields:
            pages = [page for text in given.getlist("page") for page in text.split()]
            if wrong := next((page for page in pages if not is_web_address(page)), ""):
                raise InputError(f"{wrong} is no address of a page: it begins with https:// or http://")
            named = [*pages, *settings.docs]
            work = WorkUnderWay(", ".join(fields))
            steps: AsyncIterator[Step] = extract_fields(named, fields, settings, around)
        else:
            things, questions = parted(given.get("of", "")), asked_for(given.get("by", ""))
            if not things or not questions:
                raise InputError(
                    "name what is compared and in which respects: --of 'A, B' --by 'price, licence'"
                )
            await asyncio.to_thread(settle_places, settings, around.home)
            work = WorkUnderWay(f"{', '.join(things)}: {', '.join(questions)}")
            steps = compare_things(things, questions, settings, around)
        with self.placed(request) as (identity, folder):
            making = partial(_filled, steps, work, folder, fields=bool(fields))
            self.start(identity, work, making, partial(self.documents, request))
        return JSONResponse({"id": identity}, 201)

    def row(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a list shows of a table."""
        found = table_of(kept)
        cells = len(found.rows) * len(found.questions)
        things = [row.thing for row in found.rows]
        shown = [*things[:_SHOWN], *(["…"] if things[_SHOWN:] else [])]
        name = f"{', '.join(shown)}: {', '.join(found.questions)}"
        return {"name": name, "at": found.compared_at, "found": found.found, "cells": cells}

    def view(self, kept: Mapping[str, Any], language: str) -> dict[str, Any]:  # noqa: ARG002
        """Return the table."""
        return {**self.row(kept), **kept, "files": files_of(kept)}


async def _filled(
    steps: AsyncIterator[Step], work: WorkUnderWay, folder: Path, *, fields: bool
) -> dict[str, Any]:
    async for step in steps:
        match step:
            case ComparisonBegun() | ExtractionBegun():
                work.stage = "cells"
            case ComparisonStep():
                work.stage, work.done, work.of = step.stage, step.done, step.of
            case Comparison():
                await asyncio.to_thread(write_comparison, step, folder, FIELD_FILES if fields else FILES)
                return {**step.model_dump(mode="json"), FIELDS: fields}
    raise RuntimeError("a table ends with its cells")
