"""What is quoted stands whole: lists with their lead-in and numbers, terms named, every cut marked."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from library import Evidence, Source, TextStatistics, quote
from library.passages import cut, statements
from reports import Report, Section, Sentence, check_report
from reports.export.html import report_html
from reports.export.markdown import report_markdown
from reports.extract.whole_quotations import whole_quotations

KEYS = """## Where the key is

The key can be located:

- in the repository (repokey mode)
- in the home directory of the client

The passphrase for the key has been either:

- entered interactively
- acquired via some environment variable in the backup script

  - as BORG_PASSPHRASE
  - as BORG_PASSCOMMAND

Keep both.
"""
SETTINGS = """## Queues

maximal_queue_lifetime (default: 5d)

  Consider a message as undeliverable when its delivery fails for so long. It is then sent back.

  Specify 0 for mail that should be returned immediately.

bounce_queue_lifetime (default: 5d)

  Consider a bounce message as undeliverable. Specify 0 for mail that should be tried only once.

The queue manager reads both.
"""
CALLS = """Queues
======

All calls wait for the queue.

queue.put(item)

   Append an item. It may wait for long.

A queue is a file.
"""
WITH = "The execution of the statement proceeds as follows:\n\n" + "\n\n".join(
    f"{n}. {'The context manager is asked, ' * 12}in step {n}." for n in range(1, 8)
)
FACTORS = """有 3 个关键的因素决定了实际的备份和恢复策略：

1. 知道要备份和恢复什么。
2. 知道怎样去备份和恢复。
3. 处理好备份的频率。
"""
REPAIR = """# Repair

First stop all processes that use the repository. Then run the check command on it without any option.
If it finds errors, make a copy of the repository. Then run it again with the option that repairs.
"""


def held(text: str, *parts: tuple[int, int]) -> Evidence:
    source = Source("a" * 64, "file:///a.html", "A manual", text)
    spans = parts or [(p.start, p.end) for p in cut(source)]
    passages = {f"p{n}": source.passage(a, b, f"p{n}") for n, (a, b) in enumerate(spans, 1)}
    return Evidence(passages, {source.sha256: source})


def told(evidence: Evidence, *words: str) -> list[Sentence]:
    """Return what becomes of sentences that were chosen from the passages that hold them."""
    chosen = []
    for each in words:
        own = [i for i, p in evidence.passages.items() if " ".join(each.split()) in " ".join(p.text.split())]
        chosen.append(Sentence(text=quote(each), citations=own[:1], support="quoted"))
    section = Section(heading="In brief", level=1, node=None, sentences=chosen)
    [whole] = whole_quotations([section], evidence)
    checked = check_report(Report(title="T", topic="How?", sections=[whole]), evidence).sections[0]
    assert {said.support for said in checked.sentences} <= {"quoted"}
    return checked.sentences


def shown(evidence: Evidence, *words: str) -> str:
    section = Section(heading="In brief", level=1, node=None, sentences=told(evidence, *words))
    report = check_report(Report(title="T", topic="How?", sections=[section]), evidence)
    return re.sub(r"\\(.)", r"\1", report_markdown(report, evidence)).split("## In brief")[1].split("## ")[0]


def test_an_item_brings_its_lead_in_and_the_rest_of_its_own_list() -> None:
    lines = shown(held(KEYS), "acquired via some environment variable in the backup script")
    assert [line for line in lines.splitlines() if line.strip("> ")][:5] == [
        "> The passphrase for the key has been either:",
        "> - entered interactively",
        "> - acquired via some environment variable in the backup script",
        ">    - as BORG_PASSPHRASE",
        ">    - as BORG_PASSCOMMAND",
    ]


def test_a_list_that_counts_from_zero_stands_without_its_numbers() -> None:
    text = (
        "The list holds a tuple with these elements:\n\n0. The name of it.\n\n1. The kind of it.\n\n"
        "2. The class which defined it.\n"
    )
    lines = shown(held(text), "The kind of it.").splitlines()
    assert [line for line in lines if line.startswith(("> -", "> 1", "> 2"))] == [
        "> - The name of it.",
        "> - The kind of it.",
        "> - The class which defined it.",
    ]


def test_two_lists_are_never_one() -> None:
    lines = shown(held(KEYS), "in the repository (repokey mode)", "entered interactively").splitlines()
    first, second = (
        lines.index("> The key can be located:"),
        lines.index("> The passphrase for the key has been either:"),
    )
    assert lines[first + 2 : second - 1] == [
        "> - in the repository (repokey mode)",
        "> - in the home directory of the client",
    ]


def test_an_item_whose_lead_in_no_passage_holds_is_left_out() -> None:
    begins = KEYS.index("- acquired")
    evidence = held(KEYS, (begins, len(KEYS)))
    assert told(evidence, "acquired via some environment variable in the backup script") == []
    both = held(KEYS, (begins, len(KEYS)), (0, begins))
    assert len({i for s in told(both, "as BORG_PASSPHRASE") for i in s.citations}) == 2


def test_a_sentence_of_an_entry_stands_under_its_term() -> None:
    evidence = held(SETTINGS)
    zero = [s for s in SETTINGS.split("\n") if "Specify 0" in s]
    found = told(evidence, zero[0].strip(), "Specify 0 for mail that should be tried only once.")
    assert [s.under for s in found] == [
        "maximal_queue_lifetime (default: 5d)",
        "bounce_queue_lifetime (default: 5d)",
    ]
    assert len({s.block for s in found}) == 2
    assert told(evidence, "The queue manager reads both.")[0].under == "Queues"


def test_a_form_of_a_call_is_never_quoted_without_what_it_does() -> None:
    evidence = held(CALLS)
    code = Sentence(text="queue.put(item)", citations=["p1"], support="quoted", form="code")
    last = Sentence(text=quote("A queue is a file."), citations=["p1"], support="quoted")
    does = Sentence(text=quote("Append an item."), citations=["p1"], support="quoted")
    lead = Section(heading="In brief", level=1, node=None, sentences=[code, last])
    more = lead.model_copy(update={"sentences": [does]})
    [whole] = whole_quotations([lead], evidence)
    assert [s.text for s in whole.sentences] == [does.text, quote("It may wait for long."), last.text]
    assert whole.sentences[0].under == code.text, "which names it"
    whole, _more = whole_quotations([lead, more], evidence)
    assert [s.text for s in whole.sentences] == [last.text], "what it does is told in another section"


def test_a_term_stands_with_what_is_said_of_it() -> None:
    name, said = "bounce_queue_lifetime (default: 5d)", "Consider a bounce message as undeliverable."
    found = told(held(SETTINGS), name, said)
    assert [(s.text, s.under) for s in found[:2]] == [(quote(name), name), (quote(said), name)]
    assert len({s.block for s in found}) == 1
    assert told(held(SETTINGS), name) == [], "it says nothing alone"


def test_a_paragraph_that_begins_with_its_term_is_told_from_there() -> None:
    text = "retry: Try again after an hour. Specify 0 for mail that should be tried only once.\n"
    assert [s.text for s in told(held(text), "Specify 0 for mail that should be tried only once.")] == [
        "“retry: Try again after an hour.”",
        "“Specify 0 for mail that should be tried only once.”",
    ]


def test_what_opens_a_paragraph_is_told_once_though_two_sections_tell_of_it() -> None:
    text = "The town has one club: the Rovers, of 1971. They row, swim and play chess. They met in May.\n"
    evidence = held(text)
    chosen = ["The town has one club: the Rovers, of 1971.", "They row, swim and play chess.",
              "They met in May."]  # fmt: skip
    sections = [
        Section(heading=said, level=1, node=None, sentences=[Sentence(text=quote(said), citations=["p1"])])
        for said in chosen
    ]
    opening, *others = ([s.text for s in each.sentences] for each in whole_quotations(sections, evidence))
    assert opening[0] == quote(chosen[0])
    assert all(quote(chosen[0]) not in each for each in others)
    brought = [[s.text for s in each.sentences] for each in whole_quotations(sections[1:], evidence)]
    assert [each.count(quote(chosen[0])) for each in brought] == [1, 0]


def test_steps_keep_their_numbers_and_show_what_is_left_out() -> None:
    evidence = held(WITH)
    steps = [f"{('The context manager is asked, ' * 12).strip()} in step {n}." for n in (2, 3, 6)]
    lines = [line for line in shown(evidence, *steps).splitlines() if line.strip("> ")]
    assert [re.match(r"> (\d\.|…|The|—)", line)[1] for line in lines] == [
        "The",
        "…",
        "2.",
        "3.",
        "…",
        "6.",
        "…",
        "—",
    ]
    found = report_html(
        Report(
            title="T",
            topic="How?",
            sections=[Section(heading="A", level=1, node=None, sentences=told(evidence, *steps))],
        ),
        evidence,
    )
    assert '<ol start="2">' in found
    assert '<ol start="6">' in found


def test_chinese_steps_keep_theirs_too() -> None:
    found = told(held(FACTORS), "知道怎样去备份和恢复。")
    assert [(s.step, s.form) for s in found] == [(0, "prose"), (1, "step"), (2, "step"), (3, "step")]


def test_a_short_paragraph_half_of_which_is_quoted_is_told_whole() -> None:
    lines = shown(
        held(REPAIR),
        "First stop all processes that use the repository.",
        "If it finds errors, make a copy of the repository.",
    )
    assert " ".join(REPAIR.split("\n\n")[1].split()) in lines
    assert "…" not in lines


def test_a_cut_within_a_paragraph_is_marked() -> None:
    longer = REPAIR.replace("Then run", f"It takes long, {'and then longer, ' * 30}as is known. Then run", 1)
    lines = shown(
        held(longer),
        "First stop all processes that use the repository.",
        "If it finds errors, make a copy of the repository.",
    )
    assert "First stop all processes that use the repository. … If it finds errors" in lines
    assert "…" not in shown(held(REPAIR), *[s.words for s in statements(REPAIR, TextStatistics().sentences)])


def test_what_only_leads_to_something_stands_with_it_or_not_at_all() -> None:
    code = "Run this command as root on the machine:\n\n```\nborg check --repair\n```\n"
    assert [s.form for s in told(held(code), "Run this command as root on the machine:")] == ["prose", "code"]
    assert (
        told(
            held("Run this command as root on the machine:\n\n## Next\n"),
            "Run this command as root on the machine:",
        )
        == []
    )


def test_passages_far_apart_are_two_blocks() -> None:
    text = f"{REPAIR}\n\n{'Nothing is said here of it at all. ' * 60}\n\n{KEYS}"
    at = text.index("Keep both")
    found = told(
        held(text, (0, len(REPAIR) - 1), (at, at + 10)),
        "First stop all processes that use the repository.",
        "Keep both.",
    )
    assert found[0].block != found[-1].block


ITEM = st.sampled_from(["Close the sluice.", "open the gate", "the lamp is lit by hand each night"])
LIST = st.lists(ITEM, min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(LIST, st.booleans()), min_size=1, max_size=4), st.data())
def test_no_item_stands_without_its_lead_in_or_below_another(
    lists: list[tuple[list[str], bool]], data: st.DataObject
) -> None:
    text = "\n\n".join(
        "\n".join(
            [
                f"List {n} is made of these things here:",
                "",
                *(
                    f"{k + 1 if steps else '-'}{'.' if steps else ''} {item} {n}.{k}"
                    for k, item in enumerate(items)
                ),
            ]
        )
        for n, (items, steps) in enumerate(lists)
    )
    evidence = held(text)
    every = [f"{item} {n}.{k}" for n, (items, _) in enumerate(lists) for k, item in enumerate(items)]
    chosen = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=5, unique=True))
    lead, last = None, -1
    for said in told(evidence, *sorted(chosen, key=every.index)):
        words = said.text[1:-1]
        if words.startswith("List"):
            lead, last = int(words.split()[1]), -1
            continue
        n, k = map(int, words.rsplit(" ", 1)[1].split("."))
        assert n == lead
        assert said.gap == (k > last + 1)
        assert said.step == (k + 1 if lists[n][1] else 0)
        last = k
