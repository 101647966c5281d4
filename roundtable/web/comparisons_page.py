"""Comparisons on the page: things and questions in, a table out whose cells lead to their passages."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from reports import Comparison, ComparisonStep
from roundtable.commands.comparison_size import parted
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.config.search_places import settle_places
from roundtable.output.comparison_output import FILES, write_comparison
from roundtable.session.texts.comparing import ComparisonBegun, compare_things
from roundtable.session.texts.runtime import TextRuntime
from roundtable.web.kept_works import KeptWorks, WorkUnderWay

_LONGEST = 4_000
"""Characters of what is asked for."""


class ComparisonsPage(KeptWorks):
    """All comparisons of one home folder."""

    kind = "comparisons"
    files = FILES

    async def begin(self, request: Request) -> Response:
        """A table is asked for: `?of=A, B&by=price, licence`, with the documents to search."""
        given = request.query_params
        of, by = given.get("of", ""), given.get("by", "")
        things, questions = parted(of), parted(by)
        if not things or not questions or len(of) + len(by) > _LONGEST:
            raise InputError("name what is compared and in which respects: --of 'A, B' --by 'price, licence'")
        settings = self.settings(
            docs=given.getlist("docs"), offline=given.get("offline") == "1", web=given.get("web") == "1",
            model=given.get("model") or None,
        )  # fmt: skip
        around = TextRuntime(home=self._folder.parent)
        await asyncio.to_thread(settle_places, settings, around.home)
        identity, folder = self.place()
        await asyncio.to_thread(folder.mkdir, parents=True, mode=0o700)
        work = WorkUnderWay(f"{', '.join(things)}: {', '.join(questions)}")
        self.start(identity, work, _compared(things, questions, settings, around, work, folder))
        return JSONResponse({"id": identity}, 201)

    def row(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a list shows of a comparison."""
        found = Comparison.model_validate(kept)
        things = ", ".join(row.thing for row in found.rows)
        cells = len(found.rows) * len(found.questions)
        name = f"{things}: {', '.join(found.questions)}"
        return {"name": name, "at": found.compared_at, "found": found.found, "cells": cells}

    def view(self, kept: Mapping[str, Any], language: str) -> dict[str, Any]:  # noqa: ARG002
        """Return the table."""
        return {**self.row(kept), **kept}


async def _compared(
    things: Sequence[str], questions: Sequence[str], settings: Settings, around: TextRuntime,
    work: WorkUnderWay, folder: Path,
) -> dict[str, Any]:  # fmt: skip
    async for step in compare_things(things, questions, settings, around):
        match step:
            case ComparisonBegun():
                work.stage = "cells"
            case ComparisonStep():
                work.stage, work.done, work.of = step.stage, step.done, step.of
            case Comparison():
                await asyncio.to_thread(write_comparison, step, folder)
                kept: dict[str, Any] = step.model_dump(mode="json")
                return kept
    raise RuntimeError("a comparison ends with its table")
