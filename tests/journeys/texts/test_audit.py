"""`roundtable audit`: a manuscript with faults, from the command line to the annotated copy."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.inputs.manuscripts import Page, entry
from benchmarks.quality.audit import Catalogue, served
from models import ModelUnavailable, ScriptedModel, Usage
from roundtable.__main__ import run as run_here
from roundtable.config.config import load_settings
from roundtable.config.errors import QuotaReached
from roundtable.output.listed_works import KEPT
from roundtable.session.texts.auditing import AuditDone, audit_file
from roundtable.session.texts.runtime import Spending, TextRuntime
from roundtable.web.works.audits_page import AuditsPage

BRIDGE = Page(
    "https://river.example.org/bridge", "The old bridge of Aldermoor and its builders",
    "The old bridge of Aldermoor was finished in 1874 and cost 41,000 pounds. It was built by Jane "
    "Harcastle, who had come from Leeds. Its five arches are of sandstone from the quarries at "
    "Penfold. In the flood of 1911 two of the arches were carried away, and the town was without a "
    "bridge for three years.",
    "river",
)  # fmt: skip
FERRY = Page(
    "https://river.example.org/ferry", "Ferries on the river Alder before the railway",
    "Before the railway came, nine ferries crossed the river Alder between Aldermoor and the sea. The "
    "largest took forty passengers and was drawn by a rope. A crossing cost twopence until 1862. The "
    "last ferry was given up in 1926 when its owner, Tobias Wren, retired.",
    "river",
)  # fmt: skip
MILLS = Page(
    "https://river.example.org/mills", "Paper mills of the Alder valley in the nineteenth century",
    "Four paper mills stood in the Alder valley in 1850. They employed three hundred people, most of "
    "them women. Rags came from Liverpool by barge. The last mill closed in 1938 after a fire.",
    "river",
)  # fmt: skip
INVENTED = Page("https://nowhere.example/dams", "Dams and weirs of the lower Alder reconsidered", "", "river")
PAGES = (BRIDGE, FERRY, MILLS)


def manuscript() -> str:
    listed = [
        entry(BRIDGE, 0, year=BRIDGE.year, doi=BRIDGE.doi, url=""),
        entry(FERRY, 1, year=FERRY.year - 4, doi=FERRY.doi, url=""),
        entry(MILLS, 2, year=MILLS.year, doi=MILLS.doi, url=""),
        entry(INVENTED, 0, year=INVENTED.year, doi=INVENTED.doi, url=""),
    ]
    references = "\n\n".join(f"[{n}] {told}" for n, told in enumerate(listed, 1))
    return f"""# The river Alder

The old bridge of Aldermoor was finished in 1874 and cost 41,000 pounds [1]. It was built by Jane Harcastle,
who came from Leeds [1]. In the flood of 1911 four of the arches were carried away [1]. The largest ferry took
forty passengers and was drawn by a rope [1].

Nine ferries crossed the river before the railway came [2]. Four paper mills stood in the valley in 1850 [3].
A weir of oak held back the water for the mills of the lower valley [4]. Salmon were caught in baskets by
monks of a priory that nobody remembers.

## References

{references}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with documents and the manuscript, and an empty home."""
    monkeypatch.setenv("ROUNDTABLE_HOME", str(tmp_path / "home"))
    (tmp_path / "docs").mkdir()
    for n, page in enumerate(PAGES):
        (tmp_path / "docs" / f"{n}.md").write_text(page.markdown())
    (tmp_path / "alder.md").write_text(manuscript())
    return tmp_path


def verdicts(values: dict[str, Any]) -> list[str]:
    return [claim["verdict"] for claim in values["claims"]]


def test_a_manuscript_is_audited_offline(place: Path, capsys: pytest.CaptureFixture[str]):
    order = [
        "audit",
        str(place / "alder.md"),
        "--docs",
        str(place / "docs"),
        "--offline",
        "--model",
        "embedded",
    ]
    assert run_here([*order, "--out", str(place / "out")]) == 1
    told = capsys.readouterr()
    values = json.loads((place / "out" / "audit.json").read_text())
    assert [(one["verdict"], one["differs"]) for one in values["references"]] == [
        ("found", []), ("differs", ["year"]), ("found", []), ("unchecked", []),
    ]  # fmt: skip
    assert values["references"][3]["reasons"] == [
        "not looked up: it is not among the documents, and nobody else was asked"
    ]
    assert verdicts(values) == [
        "supported", "supported", "contradicted", "elsewhere", "supported", "supported", "unread", "uncited",
    ]  # fmt: skip
    assert [claim["n"] for claim in values["claims"] if claim["faulty"]] == [3, 4]
    assert "two" in values["claims"][2]["passage"]["text"]
    assert values["claims"][3]["passage"]["title"] == FERRY.title
    assert {claim["judged_by"] for claim in values["claims"] if claim["passage"]} == {"words"}
    assert f"published in {FERRY.year}, not {FERRY.year - 4}" in told.out
    assert "nothing goes to the web" in told.err
    copy = (place / "out" / "annotated.md").read_text()
    assert "**In the flood of 1911 four of the arches were carried away" in copy
    assert "[✗3](#claim-3)" in copy
    page = (place / "out" / "annotated.html").read_text()
    assert 'class="claim contradicted faulty"' in page
    assert "<script" not in page


@pytest.mark.loopback
def test_a_catalogue_tells_what_exists_and_what_was_retracted(place: Path, monkeypatch: pytest.MonkeyPatch):
    catalogue = Catalogue(PAGES)
    catalogue.retracted = {MILLS.doi}
    with served(catalogue) as address:
        names = dict.fromkeys(("crossref", "openalex", "doi"), address)
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__SEARCH__ADDRESSES", json.dumps(names))
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__ALLOW", json.dumps([address.removeprefix("http://")]))
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__PAUSE", "0")
        order = ["audit", str(place / "alder.md"), "--docs", str(place / "docs"), "--search", "crossref"]
        assert run_here([*order, "--model", "embedded", "--out", str(place / "out")]) == 1
    values = json.loads((place / "out" / "audit.json").read_text())
    assert [(one["verdict"], one["differs"], one["became"]) for one in values["references"]] == [
        ("found", [], ""), ("differs", ["year"], ""), ("found", [], "retracted"), ("not_found", [], ""),
    ]  # fmt: skip
    assert "does not exist" in values["references"][3]["reasons"][0]
    assert [claim["rests_on"] for claim in values["claims"]].count("retracted") == 1
    assert "RETRACTED" in (place / "out" / "annotated.md").read_text()


def test_what_is_found_beside_a_claim_whose_reference_is_nowhere_is_shown_and_judges_nothing(place: Path):
    (place / "docs" / "ferry.md").write_text(
        "# The ferry to Sund\n\nIt is run by the Sund Shipping Company, which Ole Brandt founded in 1931.\n"
    )
    (place / "essay.md").write_text(
        "# Getting to Sund\n\nThe Sund Shipping Company was founded by Ole Brandt in 1913 [1]. The ferry to "
        "Sund is run by the Sund Shipping Company [1].\n\n## References\n\n1. Miller, A. (2011). Invented "
        "pages on shipping companies and their founders. Journal of Nothing. doi:10.5555/none.1\n"
    )
    order = ["audit", str(place / "essay.md"), "--docs", str(place / "docs"), "--offline"]
    run_here([*order, "--model", "embedded", "--out", str(place / "out")])
    values = json.loads((place / "out" / "audit.json").read_text())
    assert verdicts(values) == ["unread", "elsewhere"]
    assert values["claims"][0]["passage"] is None
    assert "1931" in values["claims"][0]["against"]["quote"]
    assert [claim["faulty"] for claim in values["claims"]] == [False, False]


@pytest.mark.loopback
def test_who_cannot_be_asked_makes_no_reference_an_invented_one(place: Path, monkeypatch: pytest.MonkeyPatch):
    names = dict.fromkeys(("crossref", "openalex", "doi"), "http://127.0.0.1:9")
    monkeypatch.setenv("ROUNDTABLE_LIBRARY__SEARCH__ADDRESSES", json.dumps(names))
    monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__ALLOW", '["127.0.0.1:9"]')
    order = ["audit", str(place / "alder.md"), "--docs", str(place / "docs"), "--search", "crossref"]
    assert run_here([*order, "--model", "embedded", "--out", str(place / "out")]) == 1
    values = json.loads((place / "out" / "audit.json").read_text())
    assert values["references"][3]["verdict"] == "unchecked"
    assert "could not be asked" in values["references"][3]["reasons"][0]
    assert values["references"][0]["verdict"] == "found"


async def audited(place: Path, model: ScriptedModel, spending: Spending | None = None) -> AuditDone:
    settings = load_settings({"docs": [str(place / "docs")], "offline": True}, environment={})
    around = TextRuntime(home=place / "home", environment={}, model=model, spending=spending)
    steps = [step async for step in audit_file(place / "alder.md", settings, around)]
    assert isinstance(steps[-1], AuditDone)
    return steps[-1]


async def test_a_model_judges_many_claims_in_one_request(place: Path):
    def judge(task: Any) -> dict[str, Any]:
        said = []
        for claim in task.claims:
            if claim.n == 2:  # in words of its own, as a judge would see it
                said.append({"n": 2, "verdict": "partial", "passage": claim.cited[0], "words": "from Leeds"})
            elif claim.n == 5:
                said.append({"n": 5, "verdict": "supported", "passage": "p999"})  # nobody showed it that
            elif claim.n != 6:
                verdict = "not_found" if claim.n == 8 else "supported"
                passage = "" if claim.n == 8 else (claim.cited or claim.others)[0]
                said.append({"n": claim.n, "verdict": verdict, "passage": passage})
        return {"verdicts": said}

    model = ScriptedModel({"judge_claims": judge}, name="judge-x")
    done = await audited(place, model)
    assert len(model.tasks("judge_claims")) == 1
    found = [(claim.verdict, claim.judged_by) for claim in done.audit.claims]
    assert found[:3] == [("supported", "judge-x"), ("partial", "judge-x"), ("contradicted", "words")]
    assert found[4:6] == [("supported", "words"), ("supported", "words")]
    assert found[7] == ("uncited", "judge-x")


async def test_each_request_of_an_audit_is_counted_and_none_is_sent_when_nothing_is_left(place: Path):
    class OneRequest:
        def __init__(self, left: int) -> None:
            self.left = left

        def check(self) -> None:
            if not self.left:
                raise QuotaReached("nothing is left")

        def count(self, usage: Usage) -> None:
            self.left -= 1

    model, spending = ScriptedModel({"judge_claims": {"verdicts": []}}), OneRequest(1)
    await audited(place, model, spending)
    assert (len(model.tasks("judge_claims")), spending.left) == (1, 0)
    with pytest.raises(QuotaReached):
        await audited(place, model, spending)
    assert len(model.tasks("judge_claims")) == 1


async def test_without_the_model_that_was_asked_words_judge_and_it_is_told(place: Path):
    done = await audited(place, ScriptedModel({"judge_claims": ModelUnavailable("no such key")}))
    assert "judged by words alone: no such key" in done.audit.notices[0]
    assert done.audit.claims[0].verdict == "supported"
    assert done.audit.claims[0].judged_by == "words"


@pytest.mark.parametrize(
    ("text", "more", "says"),
    [
        ("", ["--offline", "--docs", "docs"], "it is empty"),
        ("# Only a heading\n", ["--offline", "--docs", "docs"], "neither claims nor references"),
        ("A claim of five words here.", ["--offline"], "nothing to search"),
        ("A claim of five words here.", ["--docs", "missing"], "no file or folder"),
    ],
)
def test_what_cannot_be_audited_is_told_in_a_line(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str,
    more: list[str], says: str,
):  # fmt: skip
    monkeypatch.chdir(place)
    (place / "m.md").write_text(text)
    assert run_here(["audit", "m.md", "--model", "embedded", *more]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err.strip().splitlines()) == 1


def test_another_audit_is_not_written_over(place: Path, capsys: pytest.CaptureFixture[str]):
    out = place / "out"
    out.mkdir()
    (out / "audit.json").write_text("{}")
    order = ["audit", str(place / "alder.md"), "--docs", str(place / "docs"), "--offline", "--out", str(out)]
    assert run_here(order) == 2
    assert "add --force" in capsys.readouterr().err
    assert (out / "audit.json").read_text() == "{}"
    assert run_here([*order, "--force", "--model", "embedded", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["counts"]["references"]["unchecked"] == 1


def offline(place: Path, text: str, name: str = "m.md") -> dict[str, Any]:
    """Audit a text against the documents alone."""
    (place / name).write_text(text)
    order = ["audit", str(place / name), "--docs", str(place / "docs"), "--offline", "--model", "embedded"]
    assert run_here([*order, "--out", str(place / "out"), "--force"]) in (0, 1)
    values: dict[str, Any] = json.loads((place / "out" / "audit.json").read_text())
    return values


def test_what_the_command_line_audits_stands_in_the_page_s_list(place: Path):
    offline(place, "The old bridge of Aldermoor was finished in 1874.\n", "bridge.md")
    page = AuditsPage(place / "home", named_only=False)
    [row] = page._rows(())
    assert (row["name"], row["faulty"]) == ("bridge.md", 0)
    kept = json.loads((place / "home" / "audits" / row["id"] / KEPT).read_text())
    assert page.view(kept, "en")["blocks"][0]["pieces"][0] == [
        "The old bridge of Aldermoor was finished in 1874.", 1,
    ]  # fmt: skip
    assert {one.name for one in (place / "home" / "audits" / row["id"]).iterdir()} == {*page.files, KEPT}


def test_what_nobody_outside_was_asked_about_is_no_fault(place: Path, capsys: pytest.CaptureFixture[str]):
    values = offline(
        place,
        "The old bridge was finished in 1874, as [they](https://example.org/x) say. It cost much [1].\n\n"
        "## References\n\n[1] Poe, K. (2001). Bridges that nobody built. https://doi.org/10.1234/none.2001.\n",
    )
    assert [one["verdict"] for one in values["references"]] == ["unchecked", "unchecked"]
    assert values["counts"]["faulty"] == 0
    assert "Looked for in: docs. Nobody outside was asked" in capsys.readouterr().out


def test_the_terminal_tells_what_was_found_in_its_own_language(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    listed = entry(BRIDGE, 0, year=BRIDGE.year, doi="", url="")
    offline(
        place, f"The old bridge of Aldermoor was finished in 1875 [1].\n\n## References\n\n[1] {listed}\n"
    )
    told = capsys.readouterr().out
    assert "1. 与来源矛盾" in told
    assert "Claims:" not in told
    assert "Looked for" not in told
    assert "Claims: 1" in (place / "out" / "annotated.md").read_text()


@pytest.mark.parametrize("named", ["file://{docs}/0.md", "{docs}/0.md", "docs/0.md", "0.md"])
def test_a_reference_that_names_a_file_of_the_documents_is_found_there(place: Path, named: str):
    name = named.format(docs=place / "docs")
    text = f"It was built by Jane Harcastle [1].\n\n## References\n\n[1] Bridges. {name}\n"
    values = offline(place, text)
    assert [(one["verdict"], one["work"]["title"]) for one in values["references"]] == [
        ("found", BRIDGE.title)
    ]
    assert verdicts(values) == ["supported"]


def test_a_stranger_s_reference_opens_no_document_that_was_not_named(place: Path):
    """The store holds every collection's texts, and a document may say where it is from."""
    for name, said in (
        ("diary", "The code of the vault below the harbour is 4711."),
        ("open", "Ferries cross."),
    ):
        (place / name).mkdir()
        (place / name / "a.md").write_text(
            f"---\nurl: https://{name}.example/a\n---\n# The {name}\n\n{said}\n"
        )
        assert run_here(["docs", "add", name, str(place / name)]) == 0
    (place / "paper.md").write_text(
        "# Paper\n\nThe code of the vault below the harbour is well known [1].\n\n## References\n\n"
        "[1] A. Hale. The diary. 2020. https://diary.example/a\n"
    )
    found = {}
    for name in ("open", "diary"):
        order = [
            "audit",
            str(place / "paper.md"),
            "--docs",
            name,
            "--offline",
            "--out",
            str(place / f"of-{name}"),
        ]
        run_here(order)
        found[name] = "".join(file.read_text() for file in (place / f"of-{name}").glob("a*.[jmh]*"))
    assert "4711" not in found["open"]
    assert "4711" in found["diary"]


def test_a_text_among_the_documents_is_no_evidence_for_itself(place: Path):
    text = (
        "<html><head><title>The priory of Aldermoor</title></head><body><h1>The priory of Aldermoor</h1>"
        "<p>Salmon were caught in <a href='https://example.org/x'>baskets</a> by monks of a priory. [1]</p>"
        "<h2>References</h2><p>[1] The priory of Aldermoor. 1999.</p></body></html>"
    )
    values = offline(place, text, "docs/own.html")
    assert [one["verdict"] for one in values["references"]] == ["unchecked", "unchecked"]
    assert verdicts(values) == ["unread"]


def test_numbering_that_begins_anew_leads_to_each_and_is_told(place: Path):
    values = offline(
        place,
        "Two of the arches were carried away in the flood of 1911 [1].\n\n## References\n\n### Chapter 1\n\n"
        f"[1] {BRIDGE.title}.\n\n### Chapter 2\n\n[1] {MILLS.title}.\n",
    )
    assert [one["work"]["title"] for one in values["references"]] == [BRIDGE.title, MILLS.title]
    assert verdicts(values) == ["supported"]
    assert values["notices"] == [
        "the label 1 stands before 2 references: what cites it was held against each"
    ]


def test_code_stays_code_and_references_keep_their_lines(place: Path):
    offline(
        place,
        "The old bridge was finished with `build --arches=5 *now*` in 1874 [1].\n\n## References\n\n"
        f"[1] {BRIDGE.title}.\n[2] {MILLS.title}.\n",
    )
    copy = (place / "out" / "annotated.md").read_text()
    assert "finished with `build --arches=5 *now*` in 1874" in copy
    assert f"\\[1\\] {BRIDGE.title}.\n\n\\[2\\] {MILLS.title}." in copy


def test_what_strangers_write_shows_and_does_nothing(place: Path):
    (place / "m.md").write_text(
        "# <script>alert(1)</script>\n\nA <img src=x onerror=alert(1)> claim of some words"
        ' [stands here](https://example.org/a"onmouseover=x).\n'
    )
    order = ["audit", str(place / "m.md"), "--docs", str(place / "docs"), "--offline", "--model", "embedded"]
    assert run_here([*order, "--out", str(place / "out")]) in (0, 1)
    page = (place / "out" / "annotated.html").read_text()
    assert "<script>" not in page
    assert "<img" not in page
    assert "<img" not in (place / "out" / "annotated.md").read_text().replace("\\<img", "")


def test_marks_stand_behind_their_sentences_where_a_program_wrote_the_markdown(place: Path):
    (place / "m.md").write_text(
        "The old bridge of Aldermoor was finished in 1874 and cost \\$41,000. [\\[1\\]](#source-1)"
        "[\\[2\\]](#source-2) It was built by Jane Harcastle. [\\[1\\]](#source-1)\n\n## Sources\n\n"
        f'1. <a id="source-1"></a>**{BRIDGE.title}**. <{BRIDGE.url}>.\n'
        f'2. <a id="source-2"></a>**{MILLS.title}**. <{MILLS.url}>.\n'
    )
    order = ["audit", str(place / "m.md"), "--docs", str(place / "docs"), "--offline", "--model", "embedded"]
    run_here([*order, "--out", str(place / "out")])
    copy = (place / "out" / "annotated.md").read_text()
    assert r"was built by Jane Harcastle. \[1\] [✓2](#claim-2)" in copy
    assert "#source" not in copy


def test_what_a_source_denies_is_not_told_as_said_by_it(place: Path):
    (place / "docs" / "prune.md").write_text(
        "# Pruning\n\nThe keeper runs prune in a repository at once. Note that commands like prune or delete "
        "won't free disk space, for which the keeper compacts.\n"
    )
    text = "# A guide\n\nThe keeper frees repository disk space at once when prune runs.\n"
    values = offline(place, text, "guide.md")
    assert verdicts(values) == ["uncited"]
    assert "won't free disk space" in json.dumps(values["claims"][0], ensure_ascii=False)


def test_what_is_only_near_is_to_be_read_and_no_fault(place: Path, capsys: pytest.CaptureFixture[str]):
    (place / "docs" / "panels.md").write_text(
        "# Control boxes in a trial\n\nThe trial ended early because the control boxes lost their connection "
        "whenever the router was restarted.\n"
    )
    text = (
        "# A note\n\nThe experiment had to be given up, for the boxes went offline time and again [1].\n\n"
        "## References\n\n[1] Control boxes in a trial\n"
    )
    values = offline(place, text, "note.md")
    assert verdicts(values) == ["near"]
    assert [(one["faulty"], one["to_read"]) for one in values["claims"]] == [(False, True)]
    assert values["sound"]
    copy = (place / "out" / "annotated.md").read_text()
    look = copy.partition("## What to look at")[2].partition("## ")[0]
    assert "something near it is said, not confirmed" in look
    assert "Nearest in what is cited: “The trial ended early" in look
    assert 'class="claim near"' in (place / "out" / "annotated.html").read_text()


def test_a_claim_for_which_nothing_was_found_is_to_be_looked_at_and_no_fault(
    place: Path, capsys: pytest.CaptureFixture[str]
):
    text = (
        "# A note\n\nThe old bridge of Aldermoor was finished in 1874 and cost 41,000 pounds.\n\n"
        "The town council of Wexcombe banned paper kites from its parks in 1999.\n\n"
        "Its builders were paid by the day [7].\n\n## References\n\n[1] " + BRIDGE.title + "\n"
    )
    values = offline(place, text, "note.md")
    kites = next(one for one in values["claims"] if "kites" in one["text"])
    assert (kites["verdict"], kites["faulty"], kites["to_read"]) == ("uncited", False, True)
    copy = (place / "out" / "annotated.md").read_text()
    look = copy.partition("## What to look at")[2].partition("## ")[0]
    assert "nothing is cited, nothing was found" in look
    assert "Citations that lead to no reference: 1" in look
    assert "finished in 1874" not in look
    told = capsys.readouterr().out
    assert "nothing is cited, nothing was found: The town council" in told
    page = (place / "out" / "annotated.html").read_text()
    assert "paper kites" in page.partition('class="look"')[2].partition("</section>")[0]
    # As many are told in the list of audits as stand there.
    assert values["counts"]["to_read"] == look.count("\n- ")


@pytest.mark.loopback
def test_a_document_is_found_as_its_catalogue_has_it_whatever_the_entry_says(
    place: Path, monkeypatch: pytest.MonkeyPatch
):
    short = Page("https://river.example.org/2", "Notes 2", "The weir was repaired in oak in 1951.", "river")
    (place / "docs" / "short.md").write_text(short.markdown())
    listed = entry(short, 1, year=short.year - 4, doi=short.doi, url="")
    (place / "essay.md").write_text(
        f"# Weirs\n\nThe weir was repaired in oak in 1951 [1]. Rags came from Liverpool by barge [1].\n\n"
        f"## References\n\n[1] {listed}\n"
    )
    with served(Catalogue([*PAGES, short])) as address:
        names = dict.fromkeys(("crossref", "openalex", "doi"), address)
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__SEARCH__ADDRESSES", json.dumps(names))
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__ALLOW", json.dumps([address.removeprefix("http://")]))
        monkeypatch.setenv("ROUNDTABLE_LIBRARY__FETCH__PAUSE", "0")
        order = ["audit", str(place / "essay.md"), "--docs", str(place / "docs"), "--search", "crossref"]
        run_here([*order, "--model", "embedded", "--out", str(place / "out")])
    values = json.loads((place / "out" / "audit.json").read_text())
    assert [(claim["verdict"], claim["faulty"]) for claim in values["claims"]] == [
        ("supported", False), ("elsewhere", True),
    ]  # fmt: skip


def test_a_short_work_whose_file_is_held_is_whole_and_an_abstract_is_not(place: Path):
    (place / "docs" / "weir.md").write_text("The weir was repaired in oak in 1951, and in larch in 1990.\n")
    (place / "docs" / "papers.bib").write_text(
        "@article{weir, title = {The weir of Aldermoor and its timbers}, year = 1999, file = {weir.md}}\n"
        "@article{oak, title = {Oak and larch along the lower Alder}, year = 2001,\n"
        "  abstract = {Trees that grow along the lower Alder are counted and measured for the first time.}}\n"
    )
    text = (
        "# Weirs\n\nRags came from Liverpool by barge [1]. Rags came from Liverpool by barge [2].\n\n"
        "## References\n\n[1] The weir of Aldermoor and its timbers. 1999.\n\n"
        "[2] Oak and larch along the lower Alder. 2001.\n"
    )
    values = offline(place, text, "weirs.md")
    assert [(claim["verdict"], claim["read"], claim["faulty"]) for claim in values["claims"]] == [
        ("elsewhere", True, True), ("elsewhere", False, False),
    ]  # fmt: skip
