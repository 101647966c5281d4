"""What is done in an order is told in steps, and what is typed as code; both are checked as they stand."""

import io

import docx
import pytest

from library.text.similarity.tfidf import TextStatistics
from reports.cite.source_numbering import bibliography
from reports.document import Report, Section, Sentence
from reports.export.document_blocks import CodeBlock, ParagraphsBlock
from reports.export.document_walker import blocks
from reports.export.forms import export_report
from reports.report_phrases import phrases_for
from reports.verify.check import Checker
from reports.write.drafting.written_text import as_written, written
from tests.reports.conftest import make_evidence

PASSAGE = "Then run the following command:\n\n```\n# dpkg --configure -a\n```\n\nFetch it from https://old.example/a_b/."
EVIDENCE = make_evidence({"https://manual.example/repair": ("Repair", "2020", [PASSAGE])})
STEPS = [
    "In short [p1].",
    "1. Type `dpkg --configure -a` [p1]. It takes a while [p1].\n2. Look in https://old.example/a_b/ [p1].",
]


def told() -> list[Sentence]:
    return written(STEPS, ["p1"], TextStatistics(), points=False)


def test_numbered_lines_are_steps() -> None:
    assert [(s.text, s.form, s.paragraph) for s in told()] == [
        ("In short.", "prose", True),
        ("Type `dpkg --configure -a`.", "step", True),
        ("It takes a while.", "prose", False),
        ("Look in https://old.example/a_b/.", "step", True),
    ]
    [year] = written(["2019 was wet [p1]."], ["p1"], TextStatistics(), points=False)
    assert (year.text, year.form) == ("2019 was wet.", "prose")


@pytest.mark.parametrize(
    ("text", "support"),
    [
        ("Type `dpkg --configure -a`.", "unchecked"),
        ("Type `dpkg  --configure\u00a0-a`.", "unchecked"),
        ("Type `dpkg --configure --all`.", "unsupported"),
        ("Type `dpkg --Configure -a`.", "unsupported"),
    ],
)
def test_what_is_typed_must_stand_in_a_passage_as_it_is(text: str, support: str) -> None:
    checked = Checker(EVIDENCE, "Repairs").sentence(Sentence(text=text, citations=["p1"]))
    assert checked.support == support
    assert (checked.reason or "").startswith("not in the passages: `" if support == "unsupported" else "")


@pytest.mark.parametrize(
    ("code", "passage", "held", "as_line"),
    [
        ("rm -rf /srv/site/tmp", "type: rm -rf  /srv/site/tmp.", True, True),
        ("rm -rf /srv/site/tmp", "type: rm -rf\n  /srv/site/tmp", True, True),
        ("rm -rf /srv/site/tmp", "输入“rm -rf /srv/site/tmp”，然后等待", True, True),
        ("rm -rf / srv/site/tmp", "type: rm -rf /srv/site/tmp", False, False),
        ("rm -r f/srv/site/tmp", "type: rm -rf /srv/site/tmp", False, False),
        ("rm -rf /", "type: rm -rf /srv/site/tmp", False, False),
        ("rm -rf /srv", "type: rm -rf /srv/site/tmp", False, False),
        ("rm -rf /srv", "type: rm -rf /srv,/tmp", False, False),
        ("cd", "the basic duty", False, False),
        ("apt", "type apt-get", False, False),
        ("--no-install", "with --no-install-recommends", False, False),
        ("2.1", "since 12.1 and 2.1.7", False, False),
        ("dpkg", "使用dpkg命令", True, True),
        # A sentence may name what code begins with, a line of code may not end there.
        ("archive_mode", "set archive_mode=on", True, False),
        ("/etc/apt/", "see /etc/apt/sources.list", True, False),
        ("root=", "boot with root=/dev/sda1", True, False),
        ("archive_command = 'test! -f'", "set archive_command = 'test ! -f' there", False, False),
    ],
)
def test_code_is_in_a_passage_with_its_blanks_and_whole_words(
    code: str, passage: str, held: bool, as_line: bool
) -> None:
    evidence = make_evidence({"https://manual.example/rm": ("Files", "2020", [passage])})
    said = [
        Sentence(text=f"Use `{code}` here.", citations=["p1"]),
        Sentence(text=code, citations=["p1"], form="code"),
    ]
    verdicts = [Checker(evidence).sentence(sentence).support for sentence in said]
    assert verdicts == ["unchecked" if held else "unsupported", "quoted" if as_line else "unsupported"]


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("md", ["\n1. Type `dpkg --configure -a`. [", "\n2. Look in `https://old.example/a_b/`. ["]),
        ("html", ['<ol class="points">', "Type <code>dpkg --configure -a</code>."]),
        ("tex", ["\\begin{enumerate}", "\\texttt{dpkg"]),
    ],
)
def test_exports_show_steps_and_code_as_such(form: str, wanted: list[str]) -> None:
    section = Section(heading="A", level=1, node=None, sentences=told())
    report = Report(title="T", topic="t", sections=[section])
    text = export_report(form, report, EVIDENCE).data.decode()
    for part in wanted:
        assert part in text


SETTINGS_PASSAGE = (
    "Set these:\n\n```\nwal_level = replica\narchive_mode = on\n# any command that copies\n"
    "archive_command = 'test ! -f /mnt/%f && cp %p /mnt/%f'\n```\n\nThen restart the server."
)
SERVER = make_evidence({"https://manual.example/wal": ("Archiving", "2020", [SETTINGS_PASSAGE])})
CONFIGURED = (
    "1. Set the archive up: [p1]\n```ini\n  wal_level = replica\n  archive_mode = on\n"
    "  archive_command = 'test ! -f /mnt/%f && cp %p /mnt/%f'\n``` [p1]"
)


def configured(*paragraphs: str) -> list[Sentence]:
    return written(paragraphs, ["p1"], TextStatistics(), points=False)


def test_code_between_fences_goes_with_the_step_before_it_and_is_checked_line_for_line() -> None:
    step, code, after = configured(CONFIGURED, "2. Then restart the server [p1].")
    assert (step.form, step.step, code.form, code.paragraph, after.step) == ("step", 1, "code", False, 2)
    assert code.text.splitlines()[:2] == ["wal_level = replica", "archive_mode = on"]
    assert code.citations == ["p1"]
    checker = Checker(SERVER)
    assert checker.sentence(code).support == "quoted", "lines between those told may be left out"
    made_up = code.model_copy(update={"text": code.text.replace("replica", "minimal")})
    assert checker.sentence(made_up).reason == "not in the passages: the code `wal_level = minimal`"
    turned = code.model_copy(update={"text": "archive_mode = on\nwal_level = replica"})
    assert checker.sentence(turned).support == "unsupported"


@pytest.mark.parametrize(
    "paragraphs",
    [
        ["Type this. [p1]", "```\nls -l\n```"],
        ["Type this. [p1]\n```ls -l```"],
        ["Type this. [p1]\n```sh\nls -l"],
        ["Type this. [p1]\n~~~~\nls -l\n~~~~ [p9]"],
    ],
)
def test_code_without_a_citation_of_its_own_has_that_of_the_sentence_before_it(paragraphs: list[str]) -> None:
    _, code = configured(*paragraphs)
    assert (code.text, code.form, code.citations) == ("ls -l", "code", ["p1"])


def test_a_draft_that_holds_code_is_read_as_it_was_written() -> None:
    said = configured(CONFIGURED, "2. Then restart the server [p1].")
    assert written([as_written(said)], ["p1"], TextStatistics(), points=False) == said


@pytest.mark.parametrize("form", ["md", "html", "tex", "docx"])
def test_every_form_shows_code_as_code_and_goes_on_counting(form: str) -> None:
    said = [Checker(SERVER).sentence(s) for s in configured(CONFIGURED, "2. Then restart the server [p1].")]
    section = Section(heading="How", level=1, node=None, sentences=said)
    report = Report(title="Archiving", topic="Archiving", sections=[section])
    exported = export_report(form, report, SERVER).data
    if form == "docx":
        read = docx.Document(io.BytesIO(exported))
        mono = [p.text for p in read.paragraphs if any(r.font.name == "Courier New" for r in p.runs)]
        assert mono[:2] == ["wal_level = replica", "archive_mode = on"]
        assert any(p.text.startswith("2.\tThen restart") for p in read.paragraphs)
        return
    text = exported.decode()
    wanted = {
        "md": "   ```\n   wal_level = replica\n   archive_mode = on\n",
        "html": "<pre>wal_level = replica\narchive_mode = on\n",
        "tex": "wal\\_level = replica\\\\\n{}archive\\_mode = on",
    }[form]
    assert wanted in text
    assert {"md": "\n2. Then restart", "html": 'start="2"', "tex": "{enumi}{1}"}[form] in text
    assert text.count("wal_level = replica\n") <= 3, "in the report, and where its passage is shown"


def test_what_leads_to_code_has_its_citations_which_stand_in_no_line_of_their_own() -> None:
    passages = ["Type `ls`.", "Type `pwd`.", "Type `who`."]
    held = make_evidence({"https://manual.example/all": ("Commands", "2020", passages)})
    said = [
        Sentence(text="Look around.", citations=["p1", "p2"], paragraph=True),
        Sentence(text="It is quick.", citations=["p3"]),
        Sentence(text="ls", citations=["p1"], form="code"),
        Sentence(text="Look again.", citations=["p3"]),
        Sentence(text="who", citations=["p3"], form="code"),
        Sentence(text="pwd", citations=["p2"], form="code"),
    ]
    report = Report(title="T", topic="t", sections=[Section(heading="A", level=1, node=None, sentences=said)])
    shown = list(blocks(report, bibliography(report, held), phrases_for("en")))
    assert not any(block.cited for block in shown if isinstance(block, CodeBlock))
    told = [p[-1] for block in shown if isinstance(block, ParagraphsBlock) for p in block.paragraphs]
    assert [len(passages) for _entry, passages in told[-1].cited] == [2]
    alone = Section(heading="A", level=1, node=None, sentences=[said[-1]])
    report = report.model_copy(update={"sections": [alone]})
    shown = list(blocks(report, bibliography(report, held), phrases_for("en")))
    [block] = [block for block in shown if isinstance(block, CodeBlock)]
    assert block.cited, "nothing leads to it"


def test_a_list_goes_on_behind_the_code_under_one_of_its_points() -> None:
    text = "- Set the archive up: [p1]\n```\nwal_level = replica\n``` [p1]\n- Restart the server. [p1]"
    said = configured(text)
    section = Section(heading="How", level=1, node=None, sentences=said)
    report = Report(title="Archiving", topic="Archiving", sections=[section])
    text = export_report("md", report, SERVER).data.decode()
    assert "\n\n  ```\n  wal_level = replica\n  ```\n\n- Restart" in text
    assert '<div class="code under">' in export_report("html", report, SERVER).data.decode()
