"""A session in which every task of the program is asked for: long research, repairs, verdicts, smoothing."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any

from library import Library
from models import Task
from roundtable.config.config import Settings, load_settings
from tests.faults.town import THINGS, article

ASKED_ON = "Who paid for the new walls of the mill?"
"""What a person asks after the report."""
COMPARED = "/compare mill, bridge: built, cost"
"""What they want compared then."""
ROOMS = ("models", "library", "mindmap", "agents", "reports", "moderator", "roundtable")


def all_tasks() -> dict[str, type[Task[Any]]]:
    """Return every task of the program by its name: those of a room that is added tomorrow too."""
    for room in ROOMS:
        package = import_module(room)
        for module in pkgutil.walk_packages(package.__path__, f"{room}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    found: dict[str, type[Task[Any]]] = {}
    waiting = list(Task.__subclasses__())
    while waiting:
        task = waiting.pop()
        waiting += task.__subclasses__()
        # What the models' own room makes joins tasks of other rooms, and pydantic makes one for each output.
        if task.__module__.partition(".")[0] in ROOMS[1:] and "[" not in task.__name__:
            found[task.name] = task
    return dict(sorted(found.items()))


def names(task: Task[Any]) -> set[str]:
    """Return the names of a task and of those that are asked for in the same request."""
    return {task.name, *(part.name for part in getattr(task, "parts", ()) if isinstance(part, Task))}


def busy(library: Library, *, wrong: int) -> Mapping[str, Any]:
    """Return scripts of a long research and a report with so many sentences that are wrong.

    One is repaired alone, many are repaired together: with both, no task is left out.
    """
    digging = iter(THINGS)
    headings = cycle(("The river", "The town", "Its people", "The bridge"))
    years = iter(range(1312, 1312 + wrong))

    def respond(task: Any) -> Any:
        drawn = task.extract(library.statistics)
        thing = next(digging, None) if task.rounds_left else None
        if thing is None:
            gap = {"kind": "gap", "text": f"No page says who planned the {THINGS[0]}.", "passages": []}
            return drawn.model_dump() | {"notes": [gap]}
        search = {"kind": "search", "query": f"{thing} of Asterby storm", "where": [], "url": ""}
        return {"thought": thing, "actions": [search], "answer": "", "more": 20}

    def loose(task: Any) -> Any:
        """Write as told, and one sentence more that its passage does not bear out."""
        drawn = task.extract(library.statistics)
        for n, (section, part) in enumerate(zip(drawn.sections, task.parts, strict=True)):
            if not part.shown:
                continue
            passage = min(part.shown)
            if not n:
                section.paragraphs.append(f"People in Asterby think of it as their own [{passage}].")
            if year := next(years, None):
                section.paragraphs.append(f"In {year} the guild spent {year * 7} crowns on it [{passage}].")
        if wrong > 1 and len(drawn.sections) > 1:  # somebody has to take up what this section was to tell
            drawn.sections[-1].paragraphs.clear()
            drawn.sections[-1].quotations.clear()
        return drawn

    def place(task: Any) -> Any:
        """Deal passages out over some headings."""
        return {"choices": [{"id": t.id, "node": task.root, "new": next(headings)} for t in task.things]}

    return {"respond": respond, "write_sections": loose, "place_notes": place}


def write_busy_documents(folder: Path) -> Path:
    """Write documents enough for a report of several sections."""
    folder.mkdir(parents=True)
    for thing in THINGS[:10]:
        (folder / f"{thing}.md").write_text(article(thing), encoding="utf-8")
    return folder


def busy_settings(documents: Path) -> Settings:
    """Return settings for a short session with a long research."""
    flags = {
        "docs": [str(documents)], "search": [], "offline": True, "models": {"model": "embedded"},
        "moderator": {"turns": 6, "dry_answers": 20, "after_answers": 1},
        "agents": {"experts": 2, "rounds": 9, "most_rounds": 12, "passages": 4, "background": 8},
        "reports": {"max_sections": 4}, "mindmap": {"passages": 2},
    }  # fmt: skip
    return load_settings(flags, environment={})
