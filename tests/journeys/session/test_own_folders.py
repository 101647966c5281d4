"""What people keep in folders of their own, asked without a model: letters, chats, notes, programs."""

import json
import textwrap
from pathlib import Path

import pytest

from roundtable.config.config import load_settings
from roundtable.session.factory import Runtime, start_session

LETTER = """\
From: Ada Brandt <ada@example.org>
To: choir@example.org
Subject: Rehearsal room
Date: Mon, 02 Mar 2026 18:20:00 +0000
Content-Type: text/plain; charset=utf-8

Dear singers,

the room in the town hall is closed until Easter, because its ceiling lets water through.
we meet in the gym of the school instead, at eight; bring slippers, the caretaker insists.

see you there
Ada
"""
CAREFUL_LETTER = """\
From: Emil Roth <emil@example.org>
Subject: Piano
Content-Type: text/plain; charset=utf-8

Dear Ada,

the piano was tuned on Tuesday and holds its pitch again. The tuner found two broken hammers in the lowest
octave.
He will bring new ones in April.
"""
CHAT = """\
[18:02] <mira> the oven stops after ten minutes again
[18:03] <kofi> mine did that, it was the fan behind the back plate
[18:03] <kofi> full of flour, i vacuumed it and it never stopped since
[18:09] <mira> which screws hold the plate?
[18:11] <kofi> four torx ones, size 20
"""
NOTES = """\
bees, june

the second hive swarmed on the 4th, queen cells seen too late. next year look every seven days from april on.

honey: 14 kg from the first hive, nothing from the second
mites counted with sugar, 3 on 300 bees, no treatment needed yet
"""
ITEMS = """\
# Flat

- boiler: pressure falls below 1 bar every three weeks, refill at the tap under the sink
- [ ] letterbox lock, key turns but does not open
- windows on the court side painted 2023
- [x] new bulb in the staircase
- cellar floods when the pump at the gate is switched off
"""
SUBTITLES = """\
1
00:00:02,000 --> 00:00:05,000
Wool felts when it is moved

2
00:00:05,000 --> 00:00:08,000
in hot water with soap.

3
00:00:08,400 --> 00:00:12,000
The scales of the fibres open in the heat and hook into each other.
"""
PROGRAM = '''\
"""Waterings of a greenhouse."""

class Valve:
    """Opens for as long as the soil is dry, and never twice within an hour.

    A valve that does not answer stays shut.
    """

    def open(self, seconds: int) -> None:
        # The relay clicks off by itself after 90 seconds, so longer waterings are cut into parts.
        for part in parts(seconds, 90):
            self.relay.pulse(part)
'''
SETTINGS = """\
# how often the sensors are asked, in seconds; below 20 they grow warm and measure too much
interval: 30
"""
TABLE = "boat;berth;length;owner\nPetrel;12;7.4;Juno Hale\nTern;13;9.1;Abel Moss\nSkua;21;6.2;Rhea Lind\n"
NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "metadata": {"kernelspec": {"language": "python"}},
        "cells": [
            {
                "cell_type": "code",
                "source": "# rows before march are left out: the gauge was frozen then\nlevel = level[59:]",
                "outputs": [],
            },
            {"cell_type": "markdown", "source": "the river rises two days after the rain in the hills"},
        ],
    }
)

FOLDERS = {
    "a letter in small letters": ("room.eml", LETTER, "Where does the choir rehearse?", "gym of the school"),
    "a letter that goes on below its greeting": (
        "piano.eml", CAREFUL_LETTER, "When was the piano tuned?", "the piano was tuned on Tuesday",
    ),
    "a chat": ("oven.log", CHAT, "Why does the oven stop?", "kofi: full of flour, i vacuumed it"),
    "notes in small letters": ("bees.txt", NOTES, "When did the hive swarm?", "swarmed on the 4th"),
    "items": ("flat.md", ITEMS, "What is wrong with the boiler?", "pressure falls below 1 bar"),
    "subtitles": ("felt.srt", SUBTITLES, "Why does wool felt?", "Wool felts when it is moved in hot water"),
    "a program": ("valve.py", PROGRAM, "For how long does the valve open?", "for as long as the soil is dry"),
    "settings": ("sensors.yaml", SETTINGS, "How often are the sensors asked?", "how often the sensors are"),
    "a table": ("berths.csv", TABLE, "Which berth has the Tern?", "boat: Tern | berth: 13"),
    "a notebook": ("river.ipynb", NOTEBOOK, "When does the river rise?", "two days after the rain"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "question", "answer"), FOLDERS.values(), ids=FOLDERS)
async def test_an_owner_is_answered(
    around: Runtime, tmp_path: Path, name: str, text: str, question: str, answer: str
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    flags = {"docs": [str(folder)], "offline": True, "models": {"model": "embedded"}}
    session = await start_session(question, load_settings(flags, environment={}), around=around)
    try:
        async for _ in session.run():
            pass
    finally:
        await session.close()
    report = session.state.report
    assert report is not None
    assert report.answer.found
    assert answer in " ".join(sentence.text for sentence in report.sections[0].sentences)
    assert all(sentence.support == "quoted" for part in report.sections for sentence in part.sentences)
