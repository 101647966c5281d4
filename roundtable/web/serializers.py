"""Events as the page gets them: what it shows, without what is large and nobody sees."""

import json
from typing import Any

from library import Evidence, Passage, Source, shown_address
from reports import section_line
from roundtable.journal.fold.state import State
from roundtable.session.planning.session_plan import changed_settings, plan_now


def shown(number: int, at: str, text: str) -> dict[str, Any]:
    """Return an event as plain values; a model's output and the snippets of a search are left out."""
    event: dict[str, Any] = json.loads(text)
    match event["kind"]:
        case "model_replied":
            event["output"] = {}
        case "searched":
            event["hits"] = len(event["hits"])
        case "sections_drafted":
            event["drafts"] = len(event["drafts"])
        case "sentences_reviewed":
            event["reviews"] = len(event["reviews"])
        case "passages_embedded":
            event["vectors"] = len(event["vectors"])
        case _:
            pass
    return {"n": number, "at": at, "event": event}


def passage_values(passage: Passage, evidence: Evidence, around: int = 400) -> dict[str, Any]:
    """Return a passage with what stands before and after it in its source, to be opened in place."""
    source = evidence.sources[passage.sha256]
    return {
        "id": passage.id,
        "name": evidence.labels().get(passage.id, ""),
        "text": passage.text,
        "before": source.text[max(0, passage.start - around) : passage.start],
        "after": source.text[passage.end : passage.end + around],
        "url": passage.url,
        "shown": shown_address(passage.url),
        "title": passage.title,
        "author": source.author,
        "published": passage.published,
        "retrieved": source.retrieved,
        "of_file": _of_file(source),
        "became": source.became,
        "trust": source.trust,
        "page": passage.page,
        "section": section_line(passage, source),
        "sha256": passage.sha256,
    }


def _of_file(source: Source) -> str | None:
    """Return of when the file of a document of one's own is; None of what was read elsewhere."""
    return source.retrieved[:10] or None if source.private else None


def sources_values(evidence: Evidence) -> list[dict[str, Any]]:
    """Return the sources in the order of their numbers, each with its passages' ids and names."""
    labels, passages = evidence.labels(), dict[str, list[str]]()
    for passage in evidence.passages.values():
        passages.setdefault(passage.sha256, []).append(passage.id)
    return [
        {
            "number": number,
            "sha256": sha256,
            "url": evidence.sources[sha256].url,
            "shown": shown_address(evidence.sources[sha256].url),
            "title": evidence.sources[sha256].title,
            "author": evidence.sources[sha256].author,
            "published": evidence.sources[sha256].published,
            "of_file": _of_file(evidence.sources[sha256]),
            "became": evidence.sources[sha256].became,
            "trust": evidence.sources[sha256].trust,
            "passages": passages[sha256],
            "names": [labels[i] for i in passages[sha256]],
        }
        for sha256, number in evidence.numbers().items()
        if sha256 in passages
    ]


def plan_values(state: State) -> dict[str, Any]:
    """Return the plan of a session. Raises InputError when it has begun, or has no plan yet."""
    plan, settings = plan_now(state), changed_settings(state)
    return {
        "topic": plan.topic,
        "experts": [
            {"slug": p.slug, "name": p.name, "role": p.role, "focus": p.focus, "question": question}
            for p, question in plan.panel
        ],
        "docs": settings.docs,
        "search": settings.search,
        "offline": settings.offline,
        "turns": plan.turns,
        "things": plan.things,
        "respects": plan.respects,
        "requests": plan.estimate.requests,
        "tokens": plan.estimate.tokens,
        "cost": plan.estimate.cost,
    }
