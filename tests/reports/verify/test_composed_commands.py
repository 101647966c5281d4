"""A command may be put together of what passages say of it, and of nothing else."""

import pytest

from reports.document import Sentence
from reports.verify.check import Checker
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
