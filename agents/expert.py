"""An expert: researches a question from its own viewpoint and answers with what it was shown."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import get_args

from agents.events import CitationRejected
from agents.expert_phrases import wording
from agents.memory.history_summary import retold
from agents.memory.memory import set_aside
from agents.memory.telling_sentences import most_told, near_claims
from agents.research.findings import Research
from agents.research.moves.actions import Action
from agents.research.moves.respond import Move, Respond
from agents.research.moves.routing import fitting, network_words, routed_actions, search_words
from agents.research.research_loop import Inquiry
from agents.research.shown.cut_lists import with_list_ends
from agents.research.shown.evidence_request import EvidenceRequest
from agents.research.shown.evidence_room import EvidenceShown
from agents.research.shown.prompt_evidence import chosen_evidence
from agents.research.shown.release_notes import on_releases
from agents.session_view import SessionView
from agents.settings import AgentSettings
from agents.speaker import Contribution, SpeakRequest
from agents.speaker_context import SpeakerContext
from agents.token_budget import FRAME, cut, fit_lines, fit_listed, fit_passages, room_for, room_in, size_of
from agents.turn import Perspective, ReplyTo, Stance, Turn, TurnClaim
from agents.withdrawn import standing_claim
from library import Passage, citations, cited_claims, claimed, keep_citations
from library.text import asked_words, is_question, one_line, sentences
from mindmap import map_excerpt
from models import estimate

_FREE = 24
"""Passages that the embedded model chooses from at most: it pays for none of them."""
_PAGES = 4
"""Unread pages shown in a prompt at most."""
_OFTEN = 2
"""Turns of a speaker that showed a passage from which on it is shown only where there is room left."""
_TURN = 60
"""Tokens of a turn when several are shown."""
_MAP = 400
"""Characters of the map in a prompt."""
_CLAIMS = 3
"""Of what was said of a passage, the newest: that decides what of a long one is shown."""
_ALL = 0.95
"""Share of a document's text that a passage holds from which on it is all of it: headings aside."""
_NOTHING_NEAR = (
    "nothing that was found comes near to the question; of that the nearest is shown: search in other words, "
    "or say what is missing"
)
_THEIRS = "Of others:"
"""Stands above the notes of other experts."""
_QUOTED = re.compile("“[^“”]+”")


def discussion(turns: list[Turn], most: int) -> str:
    """Print the beginnings of the last turns for a prompt."""
    last = turns[len(turns) - most :] if most else []
    return "\n".join(cut(f"{turn.name}: {turn.text}", _TURN) for turn in last)


def quoted(turns: Sequence[Turn], passages: Collection[str]) -> list[str]:
    """Return the quotations in turns that cite one of the passages, in order, marks included."""
    shown = set(passages)
    near = [turn.text for turn in turns if not shown.isdisjoint(turn.citations)]
    return list(dict.fromkeys(mark for text in near for mark in _QUOTED.findall(text)))


def taken_up(move: Move, claim: TurnClaim | None, turns: Sequence[Turn], speaker: str) -> ReplyTo | None:
    """Return whose claim an answer takes up and how; None where it names none, or none of somebody else.

    An answer to a claim that was put to the speaker takes it up also where it does not say how: it adds.
    """
    stance = move.stance.strip().casefold()
    act = next((known for known in get_args(Stance) if known == stance), None)
    if claim is not None:
        return ReplyTo(**claim.model_dump(), act=act or "add") if move.answer.strip() else None
    turn = next((t for t in turns if t.n == move.replies_to and t.act == "answer"), None)
    if act is None or turn is None or turn.speaker == speaker:
        return None
    return ReplyTo(turn=turn.n, speaker=turn.speaker, name=turn.name, text="", act=act)


def _premises(request: SpeakRequest) -> list[str]:
    """Return the ids of what the question was asked from, or the claim rests on that it puts."""
    return list(dict.fromkeys([*request.passages, *(citations(request.claim.text) if request.claim else [])]))


def _steered(request: SpeakRequest) -> SpeakRequest:
    """Return a request with the directions among its words: it is answered by words alone."""
    if not request.directions:
        return request
    search = " ".join([request.search or request.text, *request.directions])
    text = " ".join([request.text, *(f"({direction})" for direction in request.directions)])
    return request.model_copy(update={"text": text, "search": search})


def _claim_line(request: SpeakRequest, turns: Sequence[Turn]) -> str:
    claim = request.claim
    return f"Turn {claim.turn}, {claim.name}: {standing_claim(claim, turns)}" if claim else ""


def told_far(shown: EvidenceShown, inquiry: Inquiry) -> list[str]:
    """Return a line that says that nothing found comes near to the question, where it is so."""
    return [] if shown.near or inquiry.draft or not inquiry.research.admitted else [_NOTHING_NEAR]


class Expert:
    """A speaker with a perspective."""

    def __init__(
        self, perspective: Perspective, view: SessionView, context: SpeakerContext, settings: AgentSettings
    ) -> None:
        self.perspective = perspective
        self._view = view
        self._context = context
        self._settings = settings
        self._room = room_in(settings.context)

    @property
    def slug(self) -> str:
        """The expert's name at the table."""
        return self.perspective.slug

    @property
    def description(self) -> str:
        """Who the expert is."""
        return self.perspective.role

    async def speak(self, request: SpeakRequest) -> Contribution:
        """Research the question and answer it."""
        chooses = self._context.chooses
        if not chooses:
            # Who chooses reads directions ("on costs, not on people"); searched by, they bring the people.
            request = _steered(request)
        own, search = request.text, request.search
        own = asked_words(own) if chooses and request.by_person else own
        words = search_words(self._view.topic, search or own)
        inside = words
        if any(turn.question == request.question and turn.act == "answer" for turn in self._view.turns):
            # Somebody has answered already: look from this expert's own side.
            inside = " ".join([words, *self.perspective.terms[:3]])
        asked = [inside]
        weighed = inside
        if request.by_person and not chooses:
            # Who goes by words alone would answer the topic: it has more of them than a question beside it.
            asked, weighed = list(dict.fromkeys([own, inside])), f"{own} {own} {inside}"
        if chooses:
            # The question by itself, that the topic does not drown its own words; that counts less.
            # Who responds to a claim searches by what it says, not by the sentence that puts it.
            put = request.claim is not None and not request.by_person
            wordings = [search] if put and search else [own, *([search] if search else [])]
            asked = [*wordings, inside]
            weighed = " ".join([*wordings, *([] if request.claim else [own]), self._view.topic])
        research = Research(
            self._context,
            self._settings,
            self._view.topic,
            weighed,
            request.question or "",
            asked=asked[:-1],
            wide=self._wide(request, inside),
            by_person=request.by_person,
        )
        inquiry = Inquiry(self._context, self._settings, request, research, self._room, self._view.language)
        await inquiry.begin(self._first_actions(request, words, asked), inside)
        await self._context.settled()
        move = await inquiry.answered(lambda so_far, left: self._task(request, so_far, left))
        spare = await self._spare(move, inquiry, request)
        return self._contribution(move, inquiry, request).model_copy(update={"spare": spare})

    async def _spare(self, move: Move, inquiry: Inquiry, request: SpeakRequest) -> str:
        """Return what would be quoted next, where others may quote the same now; else an empty text.

        Chosen, not asked for: the same passages give the same after a crash, so it needs no journal.
        """
        told = _QUOTED.findall(move.answer)
        if not told or not request.together or self._context.chooses:
            return ""
        task = self._task(request, inquiry, 0)
        further = task.model_copy(update={"said": (*task.said, *told)})
        found = list[str]()
        await self._context.aside(lambda: found.append(further.extract(self._context.statistics).answer))
        return keep_citations(found[0], inquiry.citable)[0]

    def _wide(self, request: SpeakRequest, words: str) -> str:
        """Return the search that holds the whole topic, where that says much beside the question; else ''.

        A subject's name belongs to each question on it; a topic that is a question asks for more than that.
        """
        topic = self._view.topic
        apart = self._context.chooses and not request.closing and not request.by_person
        return words if apart and is_question(topic) and one_line(request.text) != one_line(topic) else ""

    def _first_actions(self, request: SpeakRequest, outside: str, inside: list[str]) -> list[Action]:
        """Return what the research begins with: the places that fit the question, each with its wordings."""
        context = self._context
        records = context.records(request.question or "")
        most, places = self._settings.places, context.places
        names = fitting(outside, places, records, request.turn, most, context.statistics)
        few = network_words(self._view.topic, request.search or request.text)
        return routed_actions(few, inside, names, places)

    def _task(self, request: SpeakRequest, inquiry: Inquiry, left: int) -> Respond:
        task = self._bare_task(request, inquiry, left)
        findings = inquiry.research.findings
        room = self._passage_room(request, task)
        shown = with_list_ends(self._evidence(request, inquiry, room), self._view.evidence)
        inquiry.offered |= shown.ids | {p.id for p in task.material}
        notices = [*self._alone(shown, left), *told_far(shown, inquiry), *findings.notices]
        task = task.model_copy(
            update={
                "passages": shown.passages,
                "texts": shown.texts,
                "doubles": shown.doubles,
                "memory": self._noted(request, inquiry, shown),
                "notices": tuple(fit_lines(notices, self._room.notices, newest=True)),
            }
        )
        listed = fit_listed(shown.listed, task.fields().values(), self._context_of(request))
        return task.model_copy(update={"listed": listed})

    def _bare_task(self, request: SpeakRequest, inquiry: Inquiry, left: int) -> Respond:
        """Return the request without passages, and what is said of those."""
        findings, view, room = inquiry.research.findings, self._view, self._room
        who = self.perspective
        places = [f"{place.name}: {place.description}" for place in self._context.places]
        if len(places) == 1 and places[0].endswith("; …"):  # some of many titles help nobody to choose
            places = [places[0].partition("; ")[0].rpartition(": ")[0]]
        pages = [f"{url} {title}" for url, title in findings.pages.items()][:_PAGES]
        quarter = room.question // 4
        return Respond(
            topic=cut(view.topic, quarter),
            language=view.language,
            expert=cut(f"{who.name}. {who.role}. Focus: {who.focus}", quarter),
            places=tuple(fit_lines(places, quarter)),
            discussion="" if inquiry.draft else self._discussion(request),
            branch="" if inquiry.draft else cut(map_excerpt(view.map, request.text, _MAP), room.map),
            question=cut(request.text, quarter),
            claim=_claim_line(request, view.turns),
            answered=self._answered(request),
            directions=tuple(request.directions) if self._context.chooses else (),
            wanting=cut(request.wanting, quarter),
            closing=request.closing,
            passages=(),
            draft=cut(inquiry.draft, room.discussion),
            material=self._material(inquiry),
            rounds="" if inquiry.draft else inquiry.rounds_text(),
            pages=() if inquiry.draft else tuple(fit_lines(pages, room.pages)),
            computes=self._context.computes,
            looks=self._context.looks,
            by_person=request.by_person,
            said=tuple(quoted(self._before(request), findings.passages)),
            rounds_left=left,
        )

    def _passage_room(self, request: SpeakRequest, bare: Respond) -> int:
        """Return the tokens that passages may take: for the closing question all that others leave."""
        room = self._room
        if not request.closing:
            return room.passages
        others = sum(estimate(text) for text in bare.fields().values())
        left = self._context_of(request) - FRAME - others - room.memory - room.notices - room.listed
        return max(room.passages, left)

    def _context_of(self, request: SpeakRequest) -> int:
        """Return the tokens of a request's prompts; a closing question has more, unless a budget is short."""
        settings = self._settings
        return settings.longest_prompt if request.closing and not request.hurry else settings.context

    def _noted(self, request: SpeakRequest, inquiry: Inquiry, shown: EvidenceShown) -> tuple[str, ...]:
        """Return the notes that a prompt shows, the speaker's own first; no facts that the evidence tells.

        What was noted as a fact in this turn and does not stand there is always among them.
        """
        given = inquiry.notebook.given
        told = inquiry.notebook.lines(request.text, shown.ids)
        noted = room_for(self._settings.note_tokens, request.text)
        due = sum(size_of(line) + 1 for block, line in told if block.kind == "fact" and block.id in given)
        lines = fit_lines([line for _, line in told], min(self._room.memory, max(noted, due)))
        kept = [(block.speaker == self.slug, line) for (block, _), line in zip(told, lines, strict=False)]
        theirs = [line for own, line in kept if not own]
        return (*(line for own, line in kept if own), *([_THEIRS, *theirs] if theirs else []))

    def _alone(self, shown: EvidenceShown, left: int) -> list[str]:
        """Return a line that names passages shown that are all of their documents, while one can act."""
        held = self._view.evidence
        ids = [
            p.id
            for p, text in zip(shown.passages, shown.texts, strict=True)
            if p.id in held.passages and len(text) >= _ALL * len(held.source(p.id).text)
        ]
        return [f"each all of its document, which needs no reading: {' '.join(ids)}"] if ids and left else []

    def _before(self, request: SpeakRequest) -> Sequence[Turn]:
        """Return the turns whose quotations are not given again: a person may ask for what was said."""
        if not request.by_person:
            return self._view.turns
        return [turn for turn in self._view.turns if turn.question == request.question]

    def _answered(self, request: SpeakRequest) -> tuple[int, ...]:
        """Return the numbers of the turns that have answered the question."""
        if request.question is None or request.closing:
            return ()
        said = (t for t in self._view.turns if t.question == request.question and t.act == "answer")
        return tuple(t.n for t in said if t.citations)

    def _material(self, inquiry: Inquiry) -> tuple[Passage, ...]:
        """Return what this research has found: what the embedded model chooses from."""
        findings = inquiry.research.findings
        resting = [i for block in inquiry.notebook.facts for i in block.passages]
        found = list(findings.passages.values())
        worth = self._context.statistics.relevance(findings.question, [p.text for p in found])
        return fit_passages(found, self._room.passages, _FREE, resting, worth)

    def _evidence(self, request: SpeakRequest, inquiry: Inquiry, room: int) -> EvidenceShown:
        """Return what the prompt shows of all that was admitted, within so many tokens."""
        findings, settings = inquiry.research.findings, self._settings
        admitted, statistics = inquiry.research.admitted, self._context.statistics
        if inquiry.draft:
            # To confirm a draft takes what it cites, and nothing that could push that out.
            cited = {i: admitted[i] for i in inquiry.drafted}
            return chosen_evidence(
                cited,
                EvidenceRequest(
                    question=inquiry.draft, statistics=statistics, tokens=room, listed=0, opened=cited
                ),
            )
        wanted = settings.closing_tokens if request.closing else settings.passage_tokens
        wanted, listed = (room_for(tokens, request.text) for tokens in (wanted, settings.listed_tokens))
        resting = self._resting(request, inquiry)
        notes, cited_before = inquiry.notebook.blocks, {i for t in self._view.turns for i in t.citations}
        used = {*resting, *cited_before, *(i for b in notes if b.of_use for i in b.passages)}
        # What the question was asked from is shown whole once: then it makes room as all else does.
        premises = [i for i in _premises(request) if i not in inquiry.seen]
        opened, seen_before = [*premises, *findings.opened], self._context.seen_before()
        # Others who work at the same time may have set aside what this one would look at next.
        marked = [*notes, *(b for b in self._context.unrelated_since() if b not in notes)]
        apart = set_aside(marked, cited_before) - set(opened)
        asked = EvidenceRequest(
            question=request.text,
            statistics=statistics,
            tokens=min(room, wanted),
            listed=min(self._room.listed, listed),
            room=room,
            opened=opened,
            beside=findings.beside,
            new=findings.found,
            found=findings.passages,
            seen=inquiry.seen,
            passed_over=set(seen_before) - used,
            often={i for i, turns in seen_before.items() if turns >= _OFTEN},
            searches=findings.searches,
            resting=resting,
            resting_first=request.closing,
            of_topic=inquiry.research.fit.of_topic(),
            told=self._told(inquiry),
            # A claim that somebody put has its premises: what comes near to its words tells nothing of them.
            asks=request.claim is None and (request.by_person or is_question(self._view.topic)),
            on_releases=on_releases(admitted, self._view.evidence.sources, request.text),
        )
        return chosen_evidence({i: passage for i, passage in admitted.items() if i not in apart}, asked)

    def _told(self, inquiry: Inquiry) -> dict[str, list[str]]:
        """Return what the notes and the answers say of each passage, by id, the newest last."""
        said = [claim for turn in self._view.turns for claim in cited_claims(turn.text, sentences)]
        said += [block.line for block in inquiry.notebook.facts]
        told: dict[str, list[str]] = {}
        for claim in said:
            for i in citations(claim):
                told.setdefault(i, []).append(claimed(claim))
        return {i: claims[-_CLAIMS:] for i, claims in told.items()}

    def _resting(self, request: SpeakRequest, inquiry: Inquiry) -> list[str]:
        """Return the ids that earlier answers and notes for the question, or the turn it takes up, rest on.

        For the last question those of all, what most of them rest on first.
        """
        if request.closing:
            return most_told([t.text for t in self._view.turns], [b.passages for b in inquiry.notebook.facts])
        put = request.claim.turn if request.claim else 0
        about = (t for t in self._view.turns if t.question == request.question or t.n == put)
        cited = [i for t in about for i in t.citations]
        noted = [i for note in inquiry.notebook.near(request.text) for i in note.passages]
        said = [claim for turn in self._view.turns for claim in cited_claims(turn.text, sentences)]
        cited += near_claims(request.text, said, self._context.statistics)
        return [passage for passage, _count in Counter([*request.passages, *noted, *cited]).most_common()]

    def _discussion(self, request: SpeakRequest) -> str:
        settings, room = self._settings, room_in(self._context_of(request)).discussion
        tokens = settings.closing_discussion_tokens if request.closing else settings.discussion_tokens
        tokens = room_for(tokens, request.text)
        turns = len(self._view.turns) if request.closing else settings.discussion_turns
        return retold(
            self._view.turns,
            turns,
            request.text,
            self._context.statistics,
            min(room, tokens),
            request.claim,
            speaker=self.slug,
            answered=self._answered(request),
            closing=request.closing,
        )

    def _contribution(self, move: Move, inquiry: Inquiry, request: SpeakRequest) -> Contribution:
        findings = inquiry.research.findings
        text, rejected = keep_citations(move.answer.strip(), inquiry.citable)
        if rejected:
            self._context.record(CitationRejected(speaker=self.slug, ids=rejected))
        return Contribution(
            act="answer",
            replies_to=taken_up(move, request.claim, self._view.turns, self.slug),
            text=text or wording(self._view.language).nothing,
            citations=citations(text),
            admitted=findings.fresh,
            shown=len(inquiry.offered),
            seen=list(inquiry.seen),
            raised=inquiry.notebook.raised,
        )
