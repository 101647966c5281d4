"""Audits on the page: a text is brought, what is found of it is shown and can be taken away."""

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from reports import Audit, AuditStep, audit_phrases
from roundtable.config.config import Settings
from roundtable.config.errors import InputError
from roundtable.output.audit_files import FILES, audit_values, kept_audit, write_audit
from roundtable.session.texts.auditing import AuditBegun, AuditDone, audit_file, settle_audit
from roundtable.session.texts.runtime import TextRuntime
from roundtable.web.files.uploads import keep_upload
from roundtable.web.works.kept_works import KeptWorks, WorkUnderWay

_MOST_CLAIMS, _MOST_REFERENCES = 5_000, 1_000
"""Of a text that is audited for somebody: a book of three hundred pages has as many."""


class AuditsPage(KeptWorks):
    """All audits of one home folder."""

    kind, one = "audits", "audit"
    files = FILES

    async def begin(self, request: Request) -> Response:
        """A text is brought: it is kept, and audited."""
        given = request.query_params
        name = given.get("name", "")
        if not name:
            raise HTTPException(422, "name the text: ?name=paper.docx")
        settings = self.settings(
            docs=self.documents(request), offline=given.get("offline") == "1",
            web=given.get("web") == "1", model=given.get("model") or None,
        )  # fmt: skip
        around = self.around(request)
        await asyncio.to_thread(settle_audit, settings, around.home)
        with self.placed(request) as (identity, folder):
            path = await keep_upload(folder, name, request.stream())
            work = WorkUnderWay(path.name)
            making = partial(_audited, path, settings, around, work, folder)
            self.start(identity, work, making, partial(self.documents, request))
        return JSONResponse({"id": identity}, 201)

    def row(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a list shows of an audit."""
        audit = Audit.model_validate(kept["audit"])
        return {"name": audit.file, "at": audit.checked_at, "faulty": audit.faulty, "to_read": audit.to_read}

    def view(self, kept: Mapping[str, Any], language: str) -> dict[str, Any]:
        """Return what was found, with the text in blocks and the verdicts in words."""
        audit = Audit.model_validate(kept["audit"])
        words = audit_phrases(language or audit.language)
        told = audit_values(audit)
        for values, reference in zip(told["references"], audit.references, strict=True):
            values["said"] = words.reference(reference)
            values["reasons"] = [words.reason(reason) for reason in reference.reasons]
            if reference.work is not None:
                values["work"]["told_by"] = words.told_by(reference.work)
        for values, claim in zip(told["claims"], audit.claims, strict=True):
            values["said"], values["judged"] = words.claim(claim), words.judged(claim)
            values["reason"], values["lead"] = words.reason(claim.reason), words.lead(claim)
        told |= {"summary": words.summary(audit), "against": words.against, "blocks": kept["blocks"]}
        # In the order in which they are to be looked at.
        told |= {"unlisted": words.unlisted(audit), "to_read": [one.n for one in audit.claims_to_read]}
        return {"name": audit.file, **told}


async def _audited(
    path: Path, settings: Settings, around: TextRuntime, work: WorkUnderWay, folder: Path
) -> dict[str, Any]:
    """Audit a text, write its files, and return what is kept of it."""
    async with aclosing(audit_file(path, settings, around)) as steps:
        async for step in steps:
            match step:
                case AuditBegun(claims, references):
                    _check_size(claims, references)
                    work.stage = "references"
                case AuditStep():
                    work.stage, work.done, work.of = step.stage, step.done, step.of
                case AuditDone(audit, text):
                    await asyncio.to_thread(write_audit, audit, text, folder)
                    return kept_audit(audit, text)
    raise RuntimeError("an audit ends with what was found")


def _check_size(claims: int, references: int) -> None:
    """Raise InputError where a text holds more than is looked at while others wait."""
    if claims > _MOST_CLAIMS or references > _MOST_REFERENCES:
        raise InputError(
            f"it makes {claims} claims and has {references} references; at most {_MOST_CLAIMS} and "
            f"{_MOST_REFERENCES} are looked at here: bring it in parts, or run `roundtable audit` yourself"
        )
