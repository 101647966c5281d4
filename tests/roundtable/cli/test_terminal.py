import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from agents import Turn, TurnTaken
from library.events import PageRead, Searched
from library.store.sync import derived_name
from moderator import DiscussionReviewed
from roundtable.cli.lines.session_lines import session_line
from roundtable.journal.commands.table_commands import DropSource, ReadSource, Say
from roundtable.journal.events import (
    AnyEvent,
    CommandDone,
    Commanded,
    Recorded,
    SessionResumed,
    Warned,
)
from roundtable.journal.place_names import place_names, told_apart
from roundtable.journal.storage.session_row import SessionRow
from roundtable.output.clean import clean, clean_line, link_target
from roundtable.output.event_text import EventText
from roundtable.terminal.live import LiveView
from roundtable.terminal.plain_view import JsonView, PlainView, plain_lines
from tests.roundtable.output.told import session

HOSTILE = (
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07link\x1b]8;;\x07 "
    "\x1b]0;title\x1b\\ \x9b2J\x07\u202eabc"
)


def drawn(events: list[Recorded], width: int = 100) -> str:
    stream = io.StringIO()
    drawing = {"force_terminal": True, "color_system": "truecolor", "_environ": {"TERM": "xterm"}}
    console = Console(file=stream, width=width, height=30, **drawing)
    view = LiveView(console)
    for recorded in events:
        view.show(recorded)
    view.close()
    return stream.getvalue()


def test_turns_are_told_by_their_own_numbers_and_reviews_without_inner_ids() -> None:
    told, when = EventText("en"), "2026-01-01T00:00:00.000Z"
    begun = [
        each
        for each in session()
        if each.event.kind not in ("table_closed", "session_ended", "report_written")
    ]
    for each in begun:
        told.tell(each)
    asked = Turn(
        n=2, speaker="person", name="You", role="person", act="question", text="And cocoa?", citations=[],
        question="q3", at=when, seconds=0.0,
    )  # fmt: skip
    told.tell(Recorded(n=90, at=when, event=TurnTaken(turn=asked)))
    assert told.turn() == "1 of 12 turns", "what a person says is no part of the twelve"
    over = EventText("en")
    for each in session():
        over.tell(each)
    assert over.turn() == "1 turn", "as lists tell it, once it is over"
    review = DiscussionReviewed(turn=2, common=["It is a drink [p1]."], apart=[])
    [line] = told.tell(Recorded(n=91, at=when, event=review))
    assert line.text == "In common: It is a drink [1.1]."


def test_what_stands_in_columns_is_as_wide_as_it_is_seen() -> None:
    assert "河道怎样疏浚？\n==============\n" in "\n".join(plain_lines(session("河道怎样疏浚？")))
    row = SessionRow("0a1b2c3d", "Tea", "ended", 2, "2026-01-01T00:00:00Z")
    batch = replace(row, id="f813b6-9a71130f0c")
    lines = [session_line(each, width=len(batch.id)) for each in (row, batch)]
    assert len({line.index("Tea") for line in lines}) == 1


def test_plain_lines_tell_who_spoke_what_was_found_and_what_it_rests_on():
    text = "\n".join(plain_lines(session()))
    assert text.startswith("Tea\n===\nmodel embedded · language en · searching /tmp/tea, web\n")
    assert "  · Moderator searches tea for “Tea”: 3 results looked through" in text
    assert "  ! Moderator searches web for “Tea”: no answer in 5 s" in text
    assert "1. Ada, answer: What is tea made of?\n  “It is made from leaves" in text
    assert "    [1.1] Tea, a <b>drink</b> — https://example.org/tea?a=1" in text
    assert "└─ Leaves  (2 passages)\n   └─ Green tea  (1 passage)" in text
    assert text.endswith("2 searches · 1 source read · 2 requests · 1,000 tokens · $0.0100 · 0:15")


def test_of_several_people_the_terminal_names_each_but_whoever_sits_there(monkeypatch: pytest.MonkeyPatch):
    events = session()
    taken = next(each for each in events if each.event.kind == "turn_taken")
    turn = taken.event.turn.model_copy(
        update={"n": 2, "speaker": "person", "name": "You", "role": "person", "act": "question"}
    )
    when = taken.at

    def told(*people: str) -> str:
        """Each says something and has something read."""
        more: list[AnyEvent] = []
        for n, person in enumerate(people, 1):
            said = turn.model_copy(update={"n": n + 1, "person": person})
            more += [
                Commanded(id=f"c{n}", person=person, command=Say(text="Why?")),
                PageRead(speaker="person", url="https://example.org/b", sha256=None, title="B", error="gone",
                         seconds=0.1),
                TurnTaken(turn=said), CommandDone(id=f"c{n}", problem="the table has changed meanwhile"),
            ]  # fmt: skip
        at = events.index(taken) + 1
        past = [each.event for each in events]
        mixed = [*past[:at], *more, *past[at:]]
        return "\n".join(plain_lines([Recorded(n=n, at=when, event=e) for n, e in enumerate(mixed, 1)]))

    alone = told("")
    assert "You say: Why?" in alone
    assert "2. You, question" in alone
    assert "You could not read" in alone
    text = told("Bo\x1b[31m Li", "")
    assert "\x1b" not in text
    assert "Bo Li: say: Why?, heard after this turn" in text
    assert "Bo Li: say: Why?: the table has changed meanwhile" in text
    assert "2. Bo Li, question" in text
    assert "Somebody could not read" in text
    assert "You could not read" not in text
    assert "3. You, question" in text
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "Bo Li：" in told("Bo Li")


def test_an_english_session_is_told_in_chinese_where_the_locale_is_chinese(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    events = session()
    taken = next(each for each in events if each.event.kind == "turn_taken")
    turn = taken.event.turn.model_copy(
        update={"n": 2, "speaker": "moderator", "name": "Moderator", "act": "question"}
    )
    asked = taken.model_copy(update={"n": 99, "event": taken.event.model_copy(update={"turn": turn})})
    text = "\n".join(plain_lines([*events, asked]))
    assert text.startswith("Tea\n===\n模型 embedded · 语言 en · 搜索 /tmp/tea, web\n")
    assert "主持人 在 tea 搜索“Tea”：查看了 3 个结果" in text
    assert "1. Ada，回答：What is tea made of?\n  “It is made from leaves" in text
    assert "2. 主持人，提问" in text
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    assert "Moderator searches tea" in "\n".join(plain_lines(events))


@pytest.mark.parametrize(("language", "told"), [
    ("en", "You search tea for “Oolong”: 0 results looked through"),
    ("zh", "您在 tea 搜索“Oolong”：查看了 0 个结果")])  # fmt: skip
def test_what_a_person_has_searched_is_told_to_them_as_theirs(language: str, told: str) -> None:
    searched = Searched(speaker="person", query="Oolong", where="tea", hits=[])
    [line] = EventText(language).tell(Recorded(n=1, at="2026-01-01T00:00:00.000Z", event=searched))
    assert line.text == told


def test_a_folder_is_told_by_its_name_and_not_by_that_of_its_collection():
    events = session()
    name = derived_name(Path("/tmp/tea"))
    searched = events[2].event.model_copy(update={"where": name})
    text = "\n".join(plain_lines([*events[:2], events[2].model_copy(update={"event": searched})]))
    assert "Moderator searches tea for “Tea”" in text
    assert name not in text


def test_folders_that_end_alike_are_told_apart_and_named_collections_keep_their_names():
    names = place_names(["/a/tea", "/b/tea", "/c/milk.md", "notes"])
    assert names[derived_name(Path("/a/tea"))] == "a/tea"
    assert names[derived_name(Path("/b/tea"))] == "b/tea"
    assert names[derived_name(Path("/c/milk.md"))] == "milk.md"
    assert len(names) == 3
    deep = told_apart([Path("/x/a/tea"), Path("/y/a/tea"), Path("/a/tea"), Path("/x/rum")], ["rum"])
    assert list(deep.values()) == ["x/a/tea", "y/a/tea", "/a/tea", "x/rum"]


def test_what_is_asked_for_after_the_end_is_told_when_it_is_taken_in():
    told = EventText()
    events = session()
    drop = Commanded(id="c1", command=DropSource.of(source="https://example.org"))
    say = Commanded(id="c2", command=Say.of(text="And milk?"))

    def tell(event: object) -> str:
        (line,) = told.tell(events[0].model_copy(update={"event": event}))
        return line.text

    for recorded in events[:-1]:
        told.tell(recorded)
    assert tell(drop).endswith(", heard after this turn")
    told.tell(events[-1])
    assert tell(drop).endswith(", taken in when the report is written again (/write) or the table goes on")
    assert tell(say) == "You say: And milk?"
    tell(SessionResumed(turns=2))
    assert tell(drop).endswith(", heard after this turn")


def test_sources_have_the_numbers_of_the_report_and_who_saw_others_is_told() -> None:
    events = session()
    place = next(n for n, one in enumerate(events) if one.event.kind == "passages_admitted")
    admitted = events[place].event
    uncited = admitted.passages[0].model_copy(update={"id": "p9", "span": ("b" * 64, 0, 5)})
    more = admitted.model_copy(update={"passages": [uncited, *admitted.passages]})
    events[place] = events[place].model_copy(update={"event": more})
    change = "From here on sources have the numbers of the report"
    live = EventText()
    told = [line for recorded in events for line in live.tell(recorded)]
    assert [link.id for line in told for link in line.links] == ["2.2", "2.1"]
    assert sum(line.text.startswith(change) for line in told) == 1
    again = "\n".join(plain_lines(events))
    assert "    [1.1] Tea, a <b>drink</b>" in again
    assert change not in again
    assert change not in "\n".join(plain_lines(session())), "nothing changed there"


def test_a_session_told_again_gives_the_same_lines():
    assert list(plain_lines(session())) == list(plain_lines(session()))


def test_a_view_that_repeats_the_past_knows_its_names_and_shows_none_of_it():
    events = session()
    whole, rest = io.StringIO(), io.StringIO()
    first, second = PlainView(whole), PlainView(rest)
    for recorded in events[:8]:
        first.show(recorded)
        second.repeat(recorded)
    before = whole.getvalue()
    for recorded in events[8:]:
        first.show(recorded)
        second.show(recorded)
    assert rest.getvalue() == whole.getvalue().removeprefix(before)
    assert "Tea, a <b>drink</b>" in rest.getvalue()


def test_json_lines_are_the_recorded_events_and_words_go_to_stderr(capsys: pytest.CaptureFixture[str]):
    stream = io.StringIO()
    view = JsonView(stream)
    for recorded in session():
        view.show(recorded)
    view.say("model: embedded")
    lines = stream.getvalue().splitlines()
    assert [Recorded.model_validate_json(line) for line in lines] == session()
    assert [json.loads(line)["n"] for line in lines] == list(range(1, len(lines) + 1))
    assert capsys.readouterr().err == "model: embedded\n"


def test_the_live_view_links_citations_and_shows_map_and_cost_below():
    screen = drawn(session())
    assert "https://example.org/tea?a=1" in screen
    assert "\x1b]8;" in screen
    assert "Leaves  (2 passages)" in screen
    assert "1 of 12 turns · 2 searches" in screen
    assert "Ada is at work: What is tea made of?" in screen


def test_markup_of_rich_in_outside_text_is_only_text():
    assert "[bold red]x[/bold red]" in drawn(session(topic="[bold red]x[/bold red]"))


@pytest.mark.parametrize("render", [lambda e: "\n".join(plain_lines(e)), drawn], ids=["plain", "live"])
def test_escape_sequences_from_outside_reach_no_terminal(render):
    hostile = session(topic=f"Tea {HOSTILE}", title=HOSTILE, answer=f"{HOSTILE} [p1]")
    hostile.insert(3, Recorded(n=99, at="x", event=Warned(text=HOSTILE)))
    shown = render(hostile)
    for part in ("\x1b[31m", "evil.example", "\x1b]0;", "\x9b", "\x07", "\u202e"):
        assert part not in shown
    assert "red" in shown


@given(st.text())
def test_clean_text_holds_no_control_character_and_cleaning_again_changes_nothing(text: str):
    once = clean(text)
    assert not any(c in once for c in map(chr, [*range(9), *range(11, 32), *range(127, 160)]))
    assert clean(once) == once
    assert "\n" not in clean_line(text)


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://example.org/a", "https://example.org/a"),
        ("file:///tmp/x", "file:///tmp/x"),
        ("javascript:alert(1)", None),
        ("python:imp", None),
        ("https://exa\x07mple.org", "https://example.org"),
        ("http://[", None),
    ],
)
def test_only_the_web_and_files_are_linked(url: str, target: str | None):
    assert link_target(url) == target


def test_a_map_that_is_too_large_is_shown_by_its_upper_levels():
    told = EventText()
    for recorded in session():
        told.tell(recorded)
    assert told.map_lines(40) == ["Tea", "└─ Leaves  (2 passages)", "   └─ Green tea  (1 passage)"]
    assert told.map_lines(2) == ["Tea", "└─ Leaves  (2 passages)"]


def test_a_file_that_cannot_be_read_is_told_once_and_named_once() -> None:
    told, when = EventText("en"), "2026-01-01T00:00:00.000Z"
    place, why = "/tmp/my tea/plan.docx", "it is a damaged or encrypted DOCX document"
    events = [
        Commanded(id="c1", command=ReadSource.of(place=place)),
        PageRead(
            speaker="person", url="file:///tmp/my%20tea/plan.docx", sha256=None, title="plan.docx",
            error=f"{place}: {why}", seconds=0.1,
        ),
        CommandDone(id="c1", problem=f"{place}: {why}"),
    ]  # fmt: skip
    begun = [*session()[:1], *(Recorded(n=90 + n, at=when, event=event) for n, event in enumerate(events))]
    lines = [line.text for each in begun for line in told.tell(each)]
    assert [line for line in lines if why in line] == [f"You could not read my tea/plan.docx: {why}"]
