"""Notes of a vault: links, tags, aliases, comments, and code that looks like links."""

from pathlib import Path
from time import perf_counter

import pytest

from library.readers import Reader
from library.readers.text_files.note_links import without_note_links


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("See [[Heat pump]] and [[Insulation|how to insulate]].", "See Heat pump and how to insulate."),
        ("In [[Houses/Old house.md#Cellar]] it is wet.", "In Old house it is wet."),
        ("See [[#The cellar]].", "See The cellar."),
        ("Before ![[plan.png|300]] after.", "Before  after."),
        ("Seen.%% not yet checked %% Told.", "Seen. Told."),
        ("The cellar is wet. ^wet-1", "The cellar is wet. "),
        ("> [!warning]- Wet cellar\n> Do not store paper.", "> Wet cellar\n> Do not store paper."),
        ("`[[ -f x ]]` and [[ -f x ]] stay.", "`[[ -f x ]]` and [[ -f x ]] stay."),
        ("```bash\nif [[ $a == b ]]; then echo %%x%%; fi\n```\n[[A]]",
         "```bash\nif [[ $a == b ]]; then echo %%x%%; fi\n```\nA"),
        ("x^2 and 50 %% of it", "x^2 and 50 %% of it"),
        ('## Downtimes <a id="downtimes"></a>\n\nA downtime.', "## Downtimes\n\nA downtime."),
        ('<A name="x"/>Set {#it}.', "Set {#it}."),
        ("## Silence {#silence .wide}\n\n# Hush {: #hush }\n", "## Silence\n\n# Hush\n"),
        ("Told.<!-- to\nbe -- checked --> Seen. <!-- open", "Told. Seen. <!-- open"),
        ('`<a id="b"></a>` and <a href="b">words</a>', '`<a id="b"></a>` and <a href="b">words</a>'),
    ],
)  # fmt: skip
def test_links_between_notes_are_read_as_words(written: str, read: str):
    assert without_note_links(written) == read


@pytest.mark.parametrize(
    "piece",
    [
        "[[",
        "![[",
        "%%",
        "`",
        "```\n",
        "> [!",
        "^a ",
        "[[a|",
        "~~~\n",
        "<!--",
        "<a ",
        "# a {#",
    ],
)
def test_the_time_grows_with_the_length_alone(piece: str):
    began = perf_counter()
    without_note_links(piece * 100_000)
    assert perf_counter() - began < 4


def test_a_note_is_found_by_its_tags_and_other_names(tmp_path: Path):
    note = tmp_path / "Heat pump.md"
    note.write_text(
        "---\ntags:\n  - heating\n  - '#house/old'\naliases: [Wärmepumpe]\n---\n\n"
        "It heats by [[Refrigerant|gas]].\n"
    )
    with Reader() as reader:
        source = reader.read_file(note)
    assert source.title == "Heat pump"
    assert source.text == "It heats by gas.\n\nTags: heating, house/old\n\nAlso called: Wärmepumpe"
