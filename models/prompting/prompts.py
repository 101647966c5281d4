"""Prompts: Markdown files beside the code that uses them, filled strictly.

A prompt file is `PACKAGE/prompts/NAME.md`:

    # System

    What stays the same from request to request: who the model is, the rules, an example.

    # User

    {question}

    {passages}

The system part comes first and holds little that changes, so that providers' prompt caches hit. Names are
written `{name}`, literal braces `{{` and `}}`. A name that is missing or not used is an error that says so.
What is filled in is never scanned again, so text with braces is safe; words of strangers go in through
`data_block`.

A person can override prompts: a file `FOLDER/PACKAGE/NAME.md` (or `FOLDER/NAME.md`) wins over the package's.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from models.errors import PromptError
from models.prompting.batching import JointTask, joined_prompt
from models.prompting.untrusted_text import DATA_RULE, data_block
from models.task import Task

__all__ = ["Prompt", "Template", "data_block", "inputs_hash", "load", "render"]

_HEADINGS = re.compile(r"^# (System|User)[ \t]*$", re.MULTILINE)
_TOKEN = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9_]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as it is sent."""

    system: str
    user: str
    hash: str
    """SHA-256 (first 16 hex digits) of both parts, and of the pictures that are shown with them."""
    shown: str = ""
    """Hash of those pictures; empty where there are none."""


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt file, taken apart: literal text and names by turns."""

    title: str
    """As errors call it: `agents/answer`."""
    system: tuple[str, ...]
    """Literal, name, literal, …: names stand at odd places."""
    user: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names that must be filled."""
        return frozenset((*self.system[1::2], *self.user[1::2]))

    def fill(self, values: Mapping[str, str]) -> Prompt:
        """Fill the names.

        Raises:
            PromptError: a name is missing, or a value has no name in the prompt.
        """
        missing, unused = self.names - values.keys(), values.keys() - self.names
        if missing or unused:
            wrong = [f"no value for {{{name}}}" for name in sorted(missing)]
            wrong += [f"no {{{name}}} for its value" for name in sorted(unused)]
            raise PromptError(f"prompt {self.title}: {'; '.join(wrong)}")
        system, user = f"{_join(self.system, values)}\n\n{DATA_RULE}", _join(self.user, values)
        return Prompt(system, user, _digest(f"{system}\0{user}"))


def load(package: str, name: str, folder: Path | None = None) -> Template:
    """Read `PACKAGE/prompts/NAME.md`, or the file that overrides it in `folder`.

    Raises:
        PromptError: there is no such prompt, or it is not written as a prompt.
    """
    return _load(package, name, folder)


def render(task: Task[Any], folder: Path | None = None) -> Prompt:
    """Return the prompt of a task: its template filled with its fields."""
    if isinstance(task, JointTask):
        prompts = [(part.name, render(part, folder)) for part in task.parts]
        parts = [(name, prompt.system, prompt.user) for name, prompt in prompts]
        system, user = joined_prompt(parts, DATA_RULE)
        return Prompt(system, user, _digest(f"{system}\0{user}"))
    prompt = load(task.package, task.name, folder).fill(task.fields())
    if not task.pictures:
        return prompt
    shown = _digest("\0".join(task.pictures))
    return replace(prompt, hash=_digest(f"{prompt.hash}\0{shown}"), shown=shown)


def inputs_hash(task: Task[Any]) -> str:
    """Return the hash of a task's inputs: what stands for the prompt where none is sent."""
    if isinstance(task, JointTask):
        return _digest("\0".join(map(inputs_hash, task.parts)))
    return _digest(f"{task.package}/{task.name}\0{task.model_dump_json()}")


def parse(text: str, title: str) -> Template:
    """Take a prompt's text apart. Raises PromptError when it is not written as a prompt."""
    pieces = _HEADINGS.split(text)
    if pieces[0].strip() or pieces[1::2] != ["System", "User"]:
        raise PromptError(f"prompt {title}: write `# System` and then `# User`, each once, first")
    return Template(title, _split(pieces[2].strip(), title), _split(pieces[4].strip(), title))


@lru_cache(maxsize=256)
def _load(package: str, name: str, folder: Path | None) -> Template:
    title = f"{package}/{name}"
    overriding = [folder / package / f"{name}.md", folder / f"{name}.md"] if folder else []
    own = files(package).joinpath("prompts", f"{name}.md")
    chosen = next((path for path in overriding if path.is_file()), own)
    try:
        text = chosen.read_text(encoding="utf-8")
    except OSError as error:
        raise PromptError(f"prompt {title}: {chosen} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise PromptError(f"prompt {title}: {chosen} is not UTF-8 text") from error
    return parse(text, title)


def _split(text: str, title: str) -> tuple[str, ...]:
    parts: list[str] = [""]
    at = 0
    for match in _TOKEN.finditer(text):
        parts[-1] += text[at : match.start()]
        at = match.end()
        if match[1]:
            parts += [match[1], ""]
        elif match[0] in {"{{", "}}"}:
            parts[-1] += match[0][0]
        else:
            line = text.count("\n", 0, match.start()) + 1
            raise PromptError(f"prompt {title}: a single {match[0]} in line {line} of a part; write it twice")
    parts[-1] += text[at:]
    return tuple(parts)


def _join(parts: tuple[str, ...], values: Mapping[str, str]) -> str:
    return "".join(values[part] if place % 2 else part for place, part in enumerate(parts))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
