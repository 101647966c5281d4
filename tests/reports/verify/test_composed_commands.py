"""A command may be put together of what passages say of it, and of nothing else."""

import pytest

from reports.document import Section, Sentence
from reports.verify import composed_commands
from reports.verify.check import Checker
from reports.verify.typed_code import has_token
from tests.reports.conftest import make_evidence

ASKED = "How do I keep 7 daily copies of /srv/photos?"
MANUAL = {
    "https://manual.example/vault-keep.html": (
        "vault-keep",
        None,
        [
            "--daily NUMBER: how many copies of the last days stay. --dry-run: change nothing.",
            "Usage: vault keep [options] STORE [PATH...]. The store is often /mnt/disk.",
        ],
    ),
    "https://manual.example/settings": (
        "Settings",
        None,
        [
            "SET area.flush = 0 | LAZY | 1 | EACH; asks for or changes when writes reach the disk.",
            "With flush=EACH nothing is lost when the power fails.",
            "apt-get install brings it. rm -rf /srv/tmp clears it. dd if=/dev/one of=/dev/two too.",
        ],
    ),
    "https://manual.example/vault-put": (
        "vault put",
        None,
        ["Positional arguments\n\nSTORE\n\nthe store that is put away, which was opened with vault open."],
    ),
}


@pytest.mark.parametrize(
    ("text", "cited", "support"),
    [
        # The page is called as the command is; elsewhere it is typed with a blank.
        ("Run `vault keep --dry-run` first.", ["p1"], "unchecked"),
        ("Run `vault keep --daily 7`.", ["p1"], "unchecked"),
        ("Run `vault keep --daily 7 /mnt/disk /srv/photos`.", ["p1", "p2"], "unchecked"),
        ("Run `vault keep --daily 9`.", ["p1"], "unsupported"),
        ("Run `vault keep --weekly 7`.", ["p1"], "unsupported"),
        ("Run `vault drop --dry-run`.", ["p1"], "unsupported"),
        ("Run `vault keep /mnt/other`.", ["p2"], "unsupported"),
        # A page on a command says what an operand is, and how it is typed elsewhere.
        ("Run `vault put STORE`.", ["p6"], "unchecked"),
        ("Run `vault put PLACE`.", ["p6"], "unsupported"),
        # A setting is told without the word that leads to it, or by its choices.
        ("Say `SET flush=EACH`.", ["p4"], "unchecked"),
        ("Say “SET flush=EACH”.", ["p4"], "unchecked"),
        ("Say `SET flush=LAZY`.", ["p3"], "unchecked"),
        ("Say `SET flush=NEVER`.", ["p3"], "unsupported"),
        ("Say `PUT flush=EACH`.", ["p4"], "unsupported"),
        # What nobody types so, what is cut short, and what is turned round.
        ("Type `apt get install`.", ["p5"], "unsupported"),
        ("Type `rm -rf /`.", ["p5"], "unsupported"),
        ("Type `dd if=/dev/two of=/dev/one`.", ["p5"], "unsupported"),
    ],
)
def test_a_command_is_put_together_of_what_is_told_of_it(text: str, cited: list[str], support: str) -> None:
    checked = Checker(make_evidence(MANUAL), ASKED).sentence(Sentence(text=text, citations=cited))
    assert checked.support == support, checked.reason


def test_lines_of_code_may_fill_in_a_form_and_are_no_quotation_then() -> None:
    checker = Checker(make_evidence(MANUAL), ASKED)

    def support(code: str) -> str:
        return checker.sentence(Sentence(text=code, citations=["p2"], form="code")).support

    assert support("vault keep /mnt/disk /srv/photos") == "unchecked"
    assert support("vault keep [options] STORE [PATH...]") == "quoted"
    assert support("vault keep /mnt/disk /srv/music") == "unsupported"


SIZES = {
    "https://manual.example/limits": (
        "Limits",
        None,
        [
            "A store holds up to 2 TB. It serves 90,000 requests a day.",
            "It is fit for small sites.",
            "Rules – Never open it twice; – Always close it.",
        ],
    ),
}


@pytest.mark.parametrize(
    ("text", "cited", "support"),
    [
        ("Your 500 GB are below the 2 TB of a store.", "p1", "unchecked"),
        ("A store holds up to 500 GB.", "p1", "unsupported"),
        ("It serves 4,000 requests a day.", "p1", "unsupported"),
        ("For 4,000 requests a day it is fit, as for small sites.", "p2", "unchecked"),
        ("For 5,000 requests a day it is fit.", "p2", "unsupported"),
        ("Never open it twice.", "p3", "unchecked"),
        ("Two rules hold – Never open it twice, and Always close it.", "p3", "unchecked"),
        ("Two rules hold – Brandt never opens it twice.", "p3", "unsupported"),
    ],
)
def test_the_askers_own_figures_may_be_taken_up_and_a_rule_is_no_name(
    text: str, cited: str, support: str
) -> None:
    asked = "Is it fit for 500 GB and 4,000 requests a day?"
    checked = Checker(make_evidence(SIZES), asked).sentence(Sentence(text=text, citations=[cited]))
    assert checked.support == support, checked.reason


@pytest.mark.parametrize(
    ("text", "asked", "support"),
    [
        ("After three days it holds 5 GB.", "Three days ago we put 5 GB in. Is it fit?", "unchecked"),
        ("Version 9 of it is fit.", "It moves from version 9 to a new server. Is it fit?", "unchecked"),
        ("It is fit for 9 hours.", "It moves from version 9 to a new server. Is it fit?", "unsupported"),
        ("It fits into the ten minutes.", "We must move it within ten minutes. Which way?", "unchecked"),
        ("It fits into ten hours.", "We must move it within ten minutes. Which way?", "unsupported"),
        ("Version 9 of it is fit.", "We want to get it from Vault 7 to 9. Which way?", "unchecked"),
        ("Version 8 of it is fit.", "We want to get it from Vault 7 to 9. Which way?", "unsupported"),
        ("It was filled on 3 March 2024.", "On 3 March 2024 we filled it. Is it fit?", "unchecked"),
        ("After four days it is full.", "Three days ago we filled it. Is it fit?", "unsupported"),
        # What is asked about, or only named, is told by nobody.
        ("It is full after three days.", "Is it full after three days?", "unsupported"),
        ("It is full after three days.", "Three days with a store.", "unsupported"),
    ],
)  # fmt: skip
def test_what_who_asks_tells_of_the_matter_may_be_taken_up(text: str, asked: str, support: str) -> None:
    checked = Checker(make_evidence(SIZES), asked).sentence(Sentence(text=text, citations=["p2"]))
    assert checked.support == support, checked.reason


@pytest.mark.parametrize(
    ("title", "passages", "code", "composed"),
    [
        # Operands turned round: what was to be kept would be written over.
        (
            "Copies",
            ["Usage: ferry [OPTION]... SRC DEST. ferry -a /home /disk keeps a copy."],
            "ferry -a /disk /home",
            False,
        ),
        (
            "Copies",
            ["Usage: ferry [OPTION]... SRC DEST.", "`ferry -v /home/ /disk/` tells more."],
            "ferry /disk /home",
            False,
        ),
        (
            "Copies",
            ["Usage: ferry [OPTION]... SRC DEST. /disk is the target, /home the source."],
            "ferry /home /disk",
            True,
        ),
        (
            "Copies",
            ["Usage: sudo ferry SRC DEST.", "/bin/ferry /home /disk does it."],
            "sudo ferry /disk /home",
            False,
        ),
        ("Copies", ["Usage: zip FILE FILE. Type zip a.zip /srv/b.zip so."], "zip /srv/b.zip a.zip", False),
        (
            "ferry",
            ["ferry from=FILE to=FILE copies. ferry from=/one to=/two is usual."],
            "ferry from=/two to=/one",
            False,
        ),
        # Capitals and notes within sentences are no form.
        (
            "Work",
            ["Over HTTPS nothing changes. kit push sends main to the stick, over SSH."],
            "kit push stick",
            False,
        ),
        ("Work", ["kit push [12] sends main to the stick."], "kit push stick", False),
        ("Work", ["kit push --all REMOTE sends all to the stick."], "kit push stick", True),
        # An option is that of the command it is told of, and none that is warned of.
        (
            "Kit tips",
            ["kit reset --hard drops all changes. kit stash keeps your work."],
            "kit stash --hard",
            False,
        ),
        (
            "kit(1)",
            ["kit reset --hard drops all changes. kit stash keeps your work."],
            "kit stash --hard",
            False,
        ),
        ("Work", ["kit stash keeps what kit reset --hard drops."], "kit stash --hard", False),
        ("kit stash - Manual", ["--hard: keep no copy."], "kit stash --hard", True),
        ("Kit stash tips", ["--hard: keep no copy."], "kit stash --hard", False),
        ("Copies", ["Never use --delete with `ferry -a`: it removes the rest."], "ferry -a --delete", False),
        (
            "ferry(1)",
            ["Never use --delete with `ferry -a`: it removes the rest."],
            "ferry -a --delete",
            False,
        ),
        ("Copies", ["With --delete, `ferry -a` removes the rest."], "ferry -a --delete", True),
    ],
)
def test_a_command_that_does_another_thing_is_not_composed(
    title: str, passages: list[str], code: str, composed: bool
) -> None:
    evidence = make_evidence({"https://manual.example/page": (title, None, passages)})
    checker, ids = Checker(evidence, "How is it done?"), list(evidence.passages)
    support = "unchecked" if composed else "unsupported"
    for sentence in (
        Sentence(text=f"Run `{code}`.", citations=ids),
        Sentence(text=code, citations=ids, form="code"),
    ):
        assert (checked := checker.sentence(sentence)).support == support, checked.reason


def test_words_in_quotation_marks_are_put_together_only_where_they_are_a_command() -> None:
    told = "The mayor [12] denied that he and/or the council had closed the bridge. mayor_lists tells more."
    checker = Checker(
        make_evidence({"https://news.example/": ("The bridge", None, [told])}), "Who closed it?"
    )
    for words in (
        "The mayor and/or the council had closed the bridge",
        "The mayor had closed mayor_lists and/or the bridge",
    ):
        said = Sentence(text=f"He wrote: “{words}”.", citations=["p1"])
        assert checker.sentence(said).support == "unsupported", words


def test_the_whole_evidence_is_searched_once_for_how_a_program_is_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passages = [f"Usage: vault keep [options] STORE. The mill {n} stands there." for n in range(40)]
    evidence = make_evidence({"https://manual.example/page": ("Manual", None, passages)})
    checker, searched = Checker(evidence, ASKED), 0

    def counted(text: str, word: str) -> bool:
        nonlocal searched
        searched += 1
        return has_token(text, word)

    monkeypatch.setattr(composed_commands, "has_token", counted)
    code = "vault-keep run mill --weekly 9 /srv/photos and north of the river --daily 3 copies"
    for cited in (["p1"], ["p1", "p2"], ["p3", "p4", "p5"]):
        assert checker.lost(f"Run `{code}`.", cited)
    assert searched <= 3 * len(passages)


EXAMPLES = {
    "https://manual.example/moving": (
        "Moving",
        None,
        [
            "kit rebase --onto topic topic@{1} moves what you have. ssh alice@mill.example opens the host.",
            "Usage: kit move [--to=PLACE] STORE.\n\n```\nkit push mill main\n```",
            "Usage: kit drop <store>.",
            "Ask kit_state () first. Type `KIT STORE mill FOR ROOM north`. FOR ALL ROOMS: keeps all of them.",
        ],
    ),
}


@pytest.mark.parametrize(
    ("code", "cited", "support"),
    [
        # What stands there only as an example is the reader's own to fill in.
        ("kit rebase --onto <branch> <branch>@{1}", "p1", "unchecked"),
        ("ssh <user>@<host>", "p1", "unchecked"),
        ("<user>@<host>", "p1", "unchecked"),
        ("<branch>", "p1", "unchecked"),
        ("kit move --to=<place> <new store>", "p2", "unchecked"),
        ("kit_state()", "p4", "unchecked"),
        ("KIT STORE <store> FOR ALL ROOMS;", "p4", "unchecked"),
        # One placeholder stands for one thing, for no option and for no program.
        ("kit rebase --onto <branch> topic@{<branch>}", "p1", "unsupported"),
        ("kit rebase <option> topic topic@{1}", "p1", "unsupported"),
        ("<program> --onto topic topic@{1}", "p1", "unsupported"),
        ("kit rebase --into <branch> <branch>@{1}", "p1", "unsupported"),
    ],
)
def test_a_placeholder_stands_for_a_name_that_is_only_an_example(code: str, cited: str, support: str) -> None:
    told = Sentence(text=f"Type `{code}`.", citations=[cited])
    checked = Checker(make_evidence(EXAMPLES), ASKED).sentence(told)
    assert checked.support == support, checked.reason


def test_lines_with_a_placeholder_that_the_passage_has_not_are_no_quotation() -> None:
    checker = Checker(make_evidence(EXAMPLES), ASKED)

    def support(code: str, cited: str) -> str:
        return checker.sentence(Sentence(text=code, citations=[cited], form="code")).support

    assert support("kit push <remote> <branch>", "p2") == "unchecked"
    both = Sentence(text="kit drop <store>\nkit push mill main", citations=["p2", "p3"], form="code")
    assert checker.sentence(both).support == "unchecked", "a judge reads in which order"
    assert support("kit push mill main", "p2") == "quoted"
    assert support("kit drop <store>", "p3") == "quoted"


VIEWS = {
    "https://manual.example/views": (
        "Views",
        None,
        [
            "vault_slots shows slot_name and confirmed_at, up to which all is kept.",
            "vault_diff(one, other) gives the distance in bytes; vault_now() tells the place of today.",
        ],
    ),
    "https://manual.example/list": (
        "Looking through a store",
        None,
        [
            "To see names, type vault list --format '{name}{NL}' /mnt/store. Never give --raw to vault list.",
            "Keys of a file are name, size, sha512 and path.",
        ],
    ),
}
LISTED = "vault list --format '{sha512} {path}{NL}' <store>"
QUERY = "SELECT slot_name, vault_diff(vault_now(), confirmed_at) AS behind FROM vault_slots;"


@pytest.mark.parametrize(
    ("code", "marked", "cited", "support"),
    [
        (QUERY, True, ["p1", "p2"], "unchecked"),
        (QUERY, False, ["p1", "p2"], "unsupported"),
        (QUERY, True, ["p1"], "unsupported"),
        (QUERY.replace("confirmed_at", "sent_at"), True, ["p1", "p2"], "unsupported"),
        ("DELETE FROM vault_slots;", True, ["p1", "p2"], "unsupported"),
        ("SELECT vault_now(); DELETE FROM vault_slots;", True, ["p1", "p2"], "unsupported"),
        (LISTED, True, ["p3", "p4"], "unchecked"),
        (LISTED, False, ["p3", "p4"], "unsupported"),
        (LISTED, True, ["p3"], "unsupported"),
        (LISTED.replace("sha512", "sha256"), True, ["p3", "p4"], "unsupported"),
        (LISTED.replace("--format", "--raw"), True, ["p3", "p4"], "unsupported"),
        (LISTED.replace("vault", "rm"), True, ["p3", "p4"], "unsupported"),
        (f"{LISTED} > /mnt/store", True, ["p3", "p4"], "unsupported"),
    ],
)
def test_a_query_or_command_of_names_that_are_told_may_stand_as_a_conclusion(
    code: str, marked: bool, cited: list[str], support: str
) -> None:
    checker = Checker(make_evidence(VIEWS), ASKED)
    mark = " (inference)" if marked else ""
    inside = Sentence(text=f"Watch it with `{code}`{mark}.", citations=cited)
    assert checker.sentence(inside).support == support
    step = Sentence(text=f"Watch the distance{mark}:", citations=cited, form="step")
    block = Sentence(text=code, citations=cited, form="code")
    section = Section(heading="Watch", level=1, node=None, sentences=[step, block])
    assert checker.section(section).sentences[1].support == support
