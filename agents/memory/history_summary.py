"""The discussion in a prompt: turns that matter most in full, others in a sentence each, within bounds."""

from collections.abc import Collection, Mapping, Sequence

from agents.memory.telling_sentences import carries, telling
from agents.token_budget import cut, fit_lines, size_of
from agents.turn import Turn, TurnClaim
from agents.withdrawn import standing_text, withdrawal_lines, withdrawn_claims
from library import LEFT_OUT, cited_claims, is_inference
from library.passages import answer_around, beginning
from library.text import sentences
from models import Statistics
from models.prompting import even_level

_FULL = 0.7
"""Share of the room that the last turns may take."""
_LEAST = 60
"""Tokens below which the beginning of a turn would tell nothing."""
_NAME = 20
"""Tokens of a speaker's name and the turn's number."""
_OVER = 1.25
"""How much longer than asked for an excerpt may be."""
_LONGEST = 300
"""Characters of an earlier turn's sentence."""


def retold(
    turns: Sequence[Turn],
    most: int,
    question: str,
    statistics: Statistics,
    tokens: int,
    claim: TurnClaim | None = None,
    *,
    speaker: str = "",
    answered: Collection[int] = (),
    closing: bool = False,
) -> str:
    """Print the discussion for a prompt, without the claims that were taken back.

    Args:
        turns: All turns, in order.
        most: Turns shown in full at most.
        question: What is asked: of the earlier turns those nearest to it are kept.
        statistics: Weighs nearness.
        tokens: For all of it.
        claim: What is at hand: its turn is told before any other, and the sentence that it stands in stays.
        answered: Numbers of turns that have answered the question: they come before others.
        speaker: Slug of who reads it: what was replied to it is told before what is only near.
        closing: The topic itself is asked: every answer is told, long ones by how they begin and what holds
            commands and figures; where nothing does, by what bears on it.
    """
    withdrawn = withdrawn_claims(turns)
    gone = {turn.n: "".join(f"\n{line}" for line in withdrawal_lines(turn, withdrawn)) for turn in turns}
    turns = [turn.model_copy(update={"text": standing_text(turn, withdrawn)}) for turn in turns]
    if closing:
        return _whole_table(turns, gone, question, statistics, tokens)
    full: dict[int, str] = {}
    left = int(tokens * _FULL)
    first = {claim.turn} if claim is not None else set(answered)
    for turn in _by_worth(turns, question, statistics, first, speaker)[:most]:
        if left < _LEAST:
            break
        lines = gone[turn.n] if size_of(gone[turn.n]) < left // 2 else ""
        words, room = turn.text, left - size_of(lines)
        if claim is not None and turn.n == claim.turn:
            words = answer_around(words, [claim.text], room - _NAME)
        elif size_of(words) > room - _NAME:  # whole sentences, those that bear on the question
            words = answer_around(words, [*_leading(words), question], int((room - _NAME) / _OVER))
        text = cut(f"{_who(turn)}: {words}", room) + lines
        full[turn.n] = text
        left -= size_of(text) + 2
    earlier = digest([turn for turn in turns if turn.n not in full], question, statistics)
    room = tokens - sum(size_of(text) + 2 for text in full.values())
    kept = set(fit_lines(earlier, room))
    told = [line for line in _in_order(turns, statistics) if line in kept]
    return "\n\n".join([*(["\n".join(told)] if told else []), *(full[n] for n in sorted(full))])


def _who(turn: Turn) -> str:
    """Return a turn's number and speaker, and whose turn it takes up."""
    reply = f", {turn.replies_to.act}s turn {turn.replies_to.turn}" if turn.replies_to else ""
    return f"{turn.n}. {turn.name}{reply}"


def _whole_table(
    turns: Sequence[Turn], gone: Mapping[int, str], question: str, statistics: Statistics, tokens: int
) -> str:
    """Return all answers in order, each in its share of the room: exchanges and what they are about.

    Where there are too many for that, a line of each, the newest first to have room.
    """
    said = [turn for turn in turns if turn.act != "question" or turn.role == "person"]
    texts = [f"{_who(turn)}: {turn.text}{gone[turn.n]}" for turn in said]
    share = even_level([size_of(text) + 2 for text in texts], tokens)
    if share < _LEAST and any(size_of(text) + 2 > share for text in texts):
        return "\n".join(fit_lines(digest(said, question, statistics), tokens))
    return "\n\n".join(
        text if size_of(text) + 2 <= share else _in_short(turn, gone[turn.n], question, share)
        for turn, text in zip(said, texts, strict=True)
    )


def _in_short(turn: Turn, gone: str, question: str, tokens: int) -> str:
    """Return a turn in so many tokens, with the lines of what was taken back where they take little of it."""
    lines = gone if size_of(gone) < tokens // 4 else ""
    room = tokens - size_of(lines)
    return cut(f"{_who(turn)}: {_main_parts(turn.text, question, int((room - _NAME) / _OVER))}", room) + lines


def _main_parts(answer: str, question: str, tokens: int) -> str:
    """Return what of an answer must be told: what cannot be said otherwise, how it begins, then more.

    Conclusions stand in no passage; the last one mostly sums the others up.
    """
    claims = telling(answer)
    drawn = [c.strip() for c in cited_claims(answer, sentences) if is_inference(c)]
    order = list(dict.fromkeys([*claims[:1], *drawn[-1:], *claims[1:], *reversed(drawn)]))
    fitting = [c for n, c in enumerate(order) if n == 0 or sum(map(size_of, order[: n + 1])) <= tokens]
    return answer_around(answer, fitting or [question], tokens).replace(f"{LEFT_OUT} …", "…")


def _leading(answer: str) -> list[str]:
    """Return the first sentence of an answer that carries something, in a list; none of an empty answer."""
    said = [claim.strip() for claim in cited_claims(answer, sentences)]
    return ([claim for claim in said if carries(claim)] or said)[:1]


def _by_worth(
    turns: Sequence[Turn], question: str, statistics: Statistics, first: Collection[int], speaker: str
) -> list[Turn]:
    """Return the turns in the order in which they are told in full, as long as there is room.

    Those that are at hand, what was replied to the reader, then answers, the nearest first.
    """
    said = [turn for turn in reversed(turns) if turn.act != "question"]
    near = statistics.relevance(question, [turn.text for turn in said])

    def place(n: int) -> tuple[bool, bool, float, int]:
        turn = said[n]
        replied = turn.replies_to is not None and turn.replies_to.speaker == speaker
        return turn.n not in first, not replied, -round(near[n], 6), n

    return [said[n] for n in sorted(range(len(said)), key=place)]


def digest(turns: Sequence[Turn], question: str, statistics: Statistics) -> list[str]:
    """Return a line for each turn, the one nearest to the question first."""
    lines = _in_order(turns, statistics)
    if not lines:
        return []
    near = statistics.relevance(question, lines)
    return [lines[n] for n in sorted(range(len(lines)), key=lambda n: (-round(near[n], 6), -n))]


def _in_order(turns: Sequence[Turn], statistics: Statistics) -> list[str]:
    return list(dict.fromkeys(f"{_who(turn)}: {_first(turn.text, statistics)}" for turn in turns))


def _first(text: str, statistics: Statistics) -> str:
    """Return a turn's first sentence that carries something, with its citations; more where it is short."""
    told = ""
    said = cited_claims(text[: 4 * _LONGEST], statistics.sentences)
    first = next((n for n, claim in enumerate(said) if carries(claim)), 0)
    for claim in said[first:]:
        told += claim
        if len(told) > _LONGEST // 10:
            break
    return beginning(told, _LONGEST)
