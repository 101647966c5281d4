"""A short session as events, for tests of what is made of them."""

from agents.events import PanelSeated, SpeakerCalled, TurnTaken
from agents.turn import Perspective, Turn
from library.events import AdmittedPassage, FoundHit, PassagesAdmitted, Searched
from library.evidence import Source
from mindmap import AddNode, MapPlaced, MapStarted, PlacePassage
from models import ModelReplied, Usage
from moderator import QuestionClosed, QuestionRaised
from reports import Report, ReportWritten, Section, Sentence
from roundtable.journal.events import Recorded, SessionEnded, SessionStarted, TableClosed

TEXT = "Tea is a drink. It is made from leaves of Camellia sinensis. Green tea is not oxidised."
SOURCE = Source(
    sha256="a" * 64, url="https://example.org/tea?a=1", title="Tea, a <b>drink</b>", text=TEXT, author="Ada",
    published="2020-01-01", retrieved="2026-01-01T00:00:00Z",
)  # fmt: skip
SPANS = [(0, 15), (16, 61), (62, len(TEXT))]


def source(sha256: str) -> Source:
    assert sha256 == SOURCE.sha256
    return SOURCE


def session(topic: str = "Tea", title: str = SOURCE.title, answer: str = "") -> list[Recorded]:
    answer = answer or "“It is made from leaves of Camellia sinensis.” [p2] “Tea is a drink.” [p1]"
    hits = [FoundHit(url=SOURCE.url, title=title, span=(SOURCE.sha256, *span)) for span in SPANS]
    admitted = [
        AdmittedPassage(id=f"p{n}", span=(SOURCE.sha256, *span), score=0.5) for n, span in enumerate(SPANS, 1)
    ]
    sentence = Sentence(text="“Tea is a drink.”", citations=["p1"], support="quoted")
    report = Report(topic=topic, title=topic, sections=[
        Section(heading="Tea", level=1, node="n1", sentences=[sentence]),
    ])  # fmt: skip
    events = [
        SessionStarted(
            topic=topic, language="en", settings={"moderator": {"turns": 12}}, version="0", docs=["/tmp/tea"],
            search=["web"], offline=False, model="embedded",
        ),
        MapStarted(title=topic),
        Searched(speaker="moderator", query=topic, where="tea", hits=hits),
        Searched(speaker="moderator", query=topic, where="web", hits=[], error="no answer in 5 s"),
        PassagesAdmitted(speaker="moderator", passages=admitted),
        PanelSeated(panel=[Perspective(slug="ada", name="Ada", role="Botanist", focus="leaves")]),
        QuestionRaised(id="q1", text="What is tea made of?", by="moderator"),
        QuestionRaised(id="q2", text="Who drinks it?", by="moderator"),
        SpeakerCalled(turn=1, speaker="ada", question="q1"),
        ModelReplied(
            task="answer", speaker="ada", key="k", prompt_hash="h", output={},
            usage=Usage(
                model="openai:x", requests=2, prompt_tokens=900, completion_tokens=100, seconds=1.5,
                cost=0.01,
            ),
        ),
        TurnTaken(
            turn=Turn(n=1, speaker="ada", name="Ada", role="expert", act="answer", text=answer,
                      citations=["p2", "p1"], question="q1", at="2026-01-01T00:00:10Z", seconds=2.5),
            admitted=["p1", "p2", "p3"],
        ),
        QuestionClosed(id="q1", state="answered"),
        MapPlaced(turn=1, changes=[
            AddNode(id="n1", title="Leaves", parent="n0"),
            AddNode(id="n2", title="Green tea", parent="n1"),
            PlacePassage(passage="p1", node="n1"), PlacePassage(passage="p3", node="n2"),
        ]),
        TableClosed(cause="turns", reason="12 turns taken"),
        ReportWritten(report=report),
        SessionEnded(reason="12 turns taken"),
    ]  # fmt: skip
    return [
        Recorded(n=n, at=f"2026-01-01T00:00:{n:02d}.000Z", event=event) for n, event in enumerate(events, 1)
    ]
