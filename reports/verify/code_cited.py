"""What a sentence says is typed, cited from the passage that has it, where the passages it cites have it not.

A writer often cites what a command does, and not the line of usage beside it. Which passage has what is typed
can be told without a model; whether it bears the sentence out a judge reads.
"""

from library import Evidence, Passage, strip_citations
from library.text import code_spans
from reports.document import Section, Sentence
from reports.verify.check import Checker
from reports.verify.typed_code import code_lines, holds_lines, holds_typed

_ADDED = 2
"""Citations that a sentence is given, at most."""


def cite_code(section: Section, checker: Checker, evidence: Evidence) -> Section:
    """Return a section whose sentences cite what holds the commands they tell, where a passage does."""
    sentences = [_cited(sentence, checker, evidence) for sentence in section.sentences]
    return section.model_copy(update={"sentences": sentences})


def _cited(sentence: Sentence, checker: Checker, evidence: Evidence) -> Sentence:
    own = [evidence.passages[i] for i in sentence.citations if i in evidence.passages]
    if not own:
        return sentence
    if sentence.form == "code":
        more = _holding_block(sentence.text, own, evidence)
    else:
        more = _holding_commands(strip_citations(sentence.text), own, checker, evidence)
    if not more:
        return sentence
    return sentence.model_copy(update={"citations": [*sentence.citations, *(p.id for p in more)]})


def _holding_block(code: str, own: list[Passage], evidence: Evidence) -> list[Passage]:
    """Return the passage that holds a block of code as it stands; none where one that is cited does."""
    lines = code_lines(code)
    if not lines or any(holds_lines(p.text, lines) for p in own):
        return []
    held = next((p for p in _others(own, evidence) if holds_lines(p.text, lines)), None)
    return [held] if held is not None else []


def _holding_commands(
    text: str, own: list[Passage], checker: Checker, evidence: Evidence
) -> list[Passage]:
    """Return the passages that hold the commands of a text, of several words each, that its own do not.

    None where that is not all that the text's own passages lack.
    """
    commands = [code for code, typed in code_spans(text) if typed and len(code.split()) > 1]
    lacking = [c for c in commands if not any(holds_typed(p.text, c) for p in own)]
    if not lacking:  # most sentences: what else they lack is the checker's to say
        return []
    ids = [p.id for p in own]
    lost = checker.lost(text, ids)
    if not lost or len(lacking) < len(lost):
        return []
    more: list[Passage] = []
    for command in lacking:
        if any(holds_typed(p.text, command) for p in more):
            continue
        held = next((p for p in _others(own, evidence) if holds_typed(p.text, command)), None)
        more += [held] if held is not None else []
    fits = 0 < len(more) <= _ADDED and not checker.lost(text, [*ids, *(p.id for p in more)])
    return more if fits else []


def _others(own: list[Passage], evidence: Evidence) -> list[Passage]:
    """Return the passages beside some, those of the same pages first."""
    cited = {p.id for p in own}
    pages = {p.sha256 for p in own}
    others = [p for p in evidence.passages.values() if p.id not in cited]
    return sorted(others, key=lambda p: p.sha256 not in pages)
