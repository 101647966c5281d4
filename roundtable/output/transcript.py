"""`transcript.md`: the discussion, to be read with pleasure."""

from collections.abc import Sequence

from agents import Perspective, Turn, WithdrawnClaim, withdrawn_claims
from library import Evidence, rewrite_citations, shown_address
from library.text import code_span, code_spans
from reports import web_address
from reports.export import escape
from roundtable.journal.fold.state import State
from roundtable.journal.session_phrases import SessionPhrases, session_phrases
from roundtable.output.clean import clean_line
from roundtable.output.turn_paragraphs import turn_paragraphs


def transcript_markdown(state: State) -> str:
    """Return the discussion as Markdown: who sat there, each turn, and the sources that the turns cite."""
    words = session_phrases(state.language)
    numbers, named = _numbers(state.turns, state.evidence), state.evidence.labels()
    labels = {passage: named[passage] for passage in numbers}
    parts = [f"# {escape(state.topic)}"]
    if people := state.at_table():
        parts += [f"**{words.seated}**", "\n".join(map(_person, people))]
    questions = {q.id: q.text for q in state.agenda.questions.values()}
    withdrawn = withdrawn_claims(state.turns)
    before: str | None = None
    for turn in state.turns:
        asked = turn.question if turn.act == "answer" else None
        if asked and asked != before and not _just_asked(state.turns, turn):
            parts.append(f"> {escape(questions.get(asked, ''))}")
        before = turn.question
        parts += _turn(turn, words, labels, withdrawn)
    if not state.turns:
        parts.append(words.silence)
    missed = {q.id: q for q in [*state.agenda.unanswered(), *state.agenda.answered_in_part()]}
    left = [f"{q.text} — {q.wanting}" if q.in_part else q.text for q in missed.values()]
    if left:
        parts += [f"## {words.unanswered}", "\n".join(f"- {escape(text)}" for text in left)]
    if numbers:
        parts += [f"## {words.sources}", _sources(numbers, state.evidence)]
    return "\n\n".join(parts) + "\n"


def _person(person: Perspective) -> str:
    model = f" ({escape(person.model)})" if person.model else ""
    return f"- **{escape(person.name)}** — {escape(person.role)}{model}"


def _just_asked(turns: Sequence[Turn], turn: Turn) -> bool:
    """Whether the turn before asked the question that this one answers: it need not be repeated."""
    place = turns.index(turn)
    return place > 0 and turns[place - 1].act != "answer" and turns[place - 1].question == turn.question


def _turn(
    turn: Turn, words: SessionPhrases, labels: dict[str, str], withdrawn: Sequence[WithdrawnClaim]
) -> list[str]:
    # A file has no reader whom it knows: who has a name is called by it, also whoever writes the file.
    you = turn.role == "person" and not turn.person
    asks, steers = (words.person_asks, words.person_steers) if you else (words.asks, words.steers)
    act = {"question": asks, "steer": steers, "note": words.notes}.get(turn.act)
    name = words.moderator if turn.role == "moderator" else turn.person or turn.name
    head = f"### {turn.n}. {escape(name)}" + (f" {act}" if act else "")
    taken_up = []
    if reply := turn.replies_to:
        taken_up = [f"*{getattr(words, reply.act)} {escape(reply.name)} ({words.turn} {reply.turn})*"]
        if reply.text:
            taken_up[0] += f": {_linked(reply.text, labels)}"
    gone = [
        f"*{words.withdrawn.format(turn=claim.by)}* {_linked(claim.claim.text, labels)}"
        for claim in withdrawn
        if claim.claim.turn == turn.n
    ]
    said = (_linked(paragraph, labels) for paragraph in turn_paragraphs(turn.text))
    age = [f"*{escape(turn.age)}*"] if turn.age else []
    return [head, *taken_up, *said, *age, *gone]


def _linked(text: str, labels: dict[str, str]) -> str:
    """Escape a paragraph, and print its citations as links to the sources below."""
    marks: list[list[str]] = []

    def keep(ids: list[str]) -> str:
        marks.append(ids)
        return f"\ue000{len(marks) - 1}\ue001"

    shown = _escaped(rewrite_citations(text.replace("\ue000", "").replace("\ue001", ""), keep))
    for place, ids in enumerate(marks):
        known = dict.fromkeys(labels[i] for i in ids if i in labels)
        links = "".join(f"[\\[{name}\\]](#source-{name.partition('.')[0]})" for name in known)
        shown = shown.replace(f"\ue000{place}\ue001", links)
    return shown


def _escaped(text: str) -> str:
    """Escape a paragraph; what stands between backticks stays code."""
    shown = ""
    for part, code in code_spans(text):
        if code and "\ue000" not in part:
            shown += code_span(clean_line(part))
        else:
            shown += f"{' ' * part[:1].isspace()}{escape(part)}{' ' * part[-1:].isspace()}"
    return shown


def _numbers(turns: Sequence[Turn], evidence: Evidence) -> dict[str, int]:
    """Return the source's number for each cited passage's id, in the order of the sources."""
    known, passages = evidence.numbers(), evidence.passages
    cited = {i: known[passages[i].sha256] for turn in turns for i in turn.citations if i in passages}
    return dict(sorted(cited.items(), key=lambda item: item[1]))


def _sources(numbers: dict[str, int], evidence: Evidence) -> str:
    lines = []
    shown: set[int] = set()
    for passage, number in numbers.items():
        if number in shown:
            continue
        shown.add(number)
        source = evidence.source(passage)
        address = web_address(source.url)
        where = f"<{address}>" if address else escape(shown_address(source.url))
        details = [escape(d) for d in (source.author, source.published) if d]
        line = f'- \\[{number}\\] <a id="source-{number}"></a>**{escape(source.title or source.url)}**'
        lines.append(" — ".join([line, *([", ".join(details)] if details else []), where]))
    return "\n".join(lines)
