"""Manual pages of both kinds, packed and not, become text under headings, through the real reader."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from library.errors import ReadError
from library.readers import Reader
from library.store.folder_walk import Unread, walk

MAN = r"""'\" t
.\" made by hand
.de Sp
.if t .sp .5v
..
.ie \n(.g .ds Aq \(aq
.el       .ds Aq '
.TH KILN 1 "2 May 2031" "kiln 3" "Potter's tools"
.SH NAME
kiln \- fire pots by a programme
.SH SYNOPSIS
.B kiln
[\fB\-\-dry\fR] \fIprogramme\fR
.SS Old usage
.B kiln
{c|h}
.SH DESCRIPTION
\fBkiln\fR heats in \(lqsteps\(rq\*(Aq own order; it never falls below 0\(de.
.if t .B never shown
.TP
.BR \-d ", " \-\-dry
Say what would be done, and leave the kiln cold. It is meant for programmes
that nobody has fired before, of which the end is not known to anyone.
.IP
The clock runs all the same.
.TP
.B \-q
Be quiet.
.SS "COOLING DOWN"
.IP \(bu 2
Open the upper vent first.
.IP \(bu 2
Wait for two hours.
.PP
Fire it by night.
.br
.B kiln night.fire
.PP
A programme looks like this:
.nf
heat 600 \-\-hold 20
cool
.fi
.TS
box tab(@);
l l.
Cone@Degrees
06@998
.TE
"""
MDOC = r"""
.Dd May 2, 2031
.Dt BELLOWS 8
.Os
.Sh NAME
.Nm bellows
.Nd give air
.Sh SYNOPSIS
.Nm bellows
.Op Fl av
.Op Fl w Ar seconds
.Sh DESCRIPTION
.Nm
blows until it is told to stop
.Pq see Xr kiln 1 .
Stop it by:
.Pp
.Dl $ bellows -x
.Bl -tag -width Ds
.It Fl L Xo
.Sm off
.Oo Ar place : Oc
.Ar port
.Sm on
.Xc
Listen.
.It Fl w Ar seconds
Wait.
.El
.Bl -enum
.It
Fill the bag.
.It
Press.
.El
"""


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as made:
        yield made


def test_a_page_of_man_is_read_with_its_entries_lists_and_code(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "kiln.1.gz"
    path.write_bytes(gzip.compress(MAN.encode()))

    page = reader.read_file(path)

    assert page.title == "kiln(1)"
    assert page.text == (
        "kiln - fire pots by a programme\n\n"
        "## Synopsis\n\n```\nkiln [--dry] programme\n```\n\n"
        "### Old usage\n\n```\nkiln {c|h}\n```\n\n"
        "## Description\n\nkiln heats in “steps”' own order; it never falls below 0°.\n\n"
        "-d, --dry\n\n"
        "  Say what would be done, and leave the kiln cold. It is meant for programmes that nobody has fired "
        "before, of which the end is not known to anyone.\n\n"
        "  The clock runs all the same.\n\n"
        "-q: Be quiet.\n\n"
        "### Cooling down\n\n- Open the upper vent first.\n- Wait for two hours.\n\n"
        "Fire it by night.\n\nkiln night.fire\n\n"
        "A programme looks like this:\n\n```\nheat 600 --hold 20\ncool\n```\n\n"
        "Cone | Degrees\n06 | 998"
    )


def test_a_page_of_mdoc_is_read_with_its_options_and_steps(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "bellows.8"
    path.write_text(MDOC)

    page = reader.read_file(path)

    assert page.title == "bellows(8)"
    assert page.text == (
        "bellows - give air\n\n"
        "## Synopsis\n\n```\nbellows [-av] [-w seconds]\n```\n\n"
        "## Description\n\nbellows blows until it is told to stop (see kiln(1)). Stop it by:\n\n"
        "```\n$ bellows -x\n```\n\n"
        "-L [place:]port: Listen.\n\n-w seconds: Wait.\n\n"
        "1. Fill the bag.\n2. Press."
    )


def test_macros_of_a_page_s_own_end_though_they_call_themselves(reader: Reader) -> None:
    source = r""".TH LOOP 1
.de again
\\$1 went round
.again \\$1
..
.SH DESCRIPTION
.again It"""

    page = reader.read_bytes(source.encode(), "https://example.org/loop", "text/troff")

    assert page.title == "loop(1)"
    assert page.text.startswith("## Description\n\nIt went round It went round")


def test_a_page_that_stands_for_another_says_which(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "oven.1"
    path.write_text(".so man1/kiln.1\n")

    with pytest.raises(ReadError, match=r"oven\.1: it only stands for another manual page, man1/kiln\.1"):
        reader.read_file(path)


def test_a_folder_gives_its_manual_pages_and_no_log_that_is_called_like_one(tmp_path: Path) -> None:
    (tmp_path / "man1").mkdir()
    (tmp_path / "man1" / "kiln.1.gz").write_bytes(gzip.compress(MAN.encode()))
    (tmp_path / "bellows.8").write_text(MDOC)
    (tmp_path / "mail.1").write_text("May 2 10:00 delivered\n")
    (tmp_path / "mail.2.gz").write_bytes(gzip.compress(b"May 1 10:00 delivered\n"))

    found = list(walk(tmp_path))

    assert [each.name for each in found if isinstance(each, Path)] == ["bellows.8", "kiln.1.gz"]
    [told] = [each.reason for each in found if isinstance(each, Unread)]
    assert "2 files of kinds that are not read" in told
    assert "mail.1" in told
    assert "mail.2.gz" in told


def test_a_log_that_is_named_is_read_as_text(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "mail.1"
    path.write_text("May 2 10:00 delivered\n")

    assert "delivered" in reader.read_file(path).text


def _text_of(reader: Reader, body: str) -> str:
    source = f".TH KILN 1\n.SH DESCRIPTION\n{body}\n"
    text = reader.read_bytes(source.encode(), "https://example.org/kiln", "text/troff").text
    return text.removeprefix("## Description").strip()


@pytest.mark.parametrize(
    "body",
    [
        '.de a\n.a "\\\\$1\\\\$1"\n..\n.a x',
        ".ds c " + "x" * 9_000 + "\n.ds b " + "\\*c" * 3_000 + "\n.ds a " + "\\*b" * 3_000 + "\n\\*a",
        ".de a\n" + "\\\\$1 " * 9_000 + "\n..\n.a " + "x" * 30_000,
        ".if n " * 20_000 + "never",
        ".if " + "!" * 20_001 + "n never",
        ".if " + "1" * 5_000 + " never",
        "\\[" * 200_000,
        "\\*[" * 30_000,
        "\\N'" + "1" * 5_000 + "'",
        "\\[uD800]",
        ".Bl -tag\n.It Fl a\n" * 5_000,
        ".de a\n" * 30_000,
        "".join(f".ig e{n}\n" for n in range(30_000)),
        ".if t \\{\n" * 30_000,
        ".de a\n" + "\n" * 10_000 + "..\n" + ".a\n" * 9_000,
        ".RS\nstoke\n" * 5_000,
    ],
)
def test_a_page_that_would_grow_without_end_is_read_in_a_moment_and_stays_small(
    reader: Reader, body: str
) -> None:
    text = _text_of(reader, f"Stoke it.\n{body}\n.PP\nOpen the vent.")

    assert len(text) < 2_000_000
    assert "never" not in text


def test_conditions_in_a_row_on_a_line_hold_one_by_one(reader: Reader) -> None:
    body = ".if n .if !t .if !!n Stoke it.\n.if n .ie t Cool it.\n.el Open the vent."

    assert _text_of(reader, body) == "Stoke it. Open the vent."


def test_digits_behind_a_size_are_text(reader: Reader) -> None:
    body = r"\s-1802.7\s0 pots, \s-1CONE\s0256, \s8100\s0 shelves, \s10tall\s0, \s+(12wide\s'0'."

    assert _text_of(reader, body) == "802.7 pots, CONE256, 100 shelves, tall, wide."


def test_a_cell_of_several_lines_stays_in_its_row(reader: Reader) -> None:
    body = (
        ".TS\ntab(@);\nl l.\nOption@Use\n_\nT{\n\\-c\nT}@T{\nCools the kiln\nunless it is locked,\n"
        ".B and\nwrites it down.\nT}\n=@=\n\\-q@Quiet\n.TE"
    )

    assert _text_of(reader, body) == (
        "Option | Use\n-c | Cools the kiln unless it is locked, and writes it down.\n-q | Quiet"
    )


def test_letters_of_other_languages_are_kept_and_one_not_known_is_seen(reader: Reader) -> None:
    body = r"\('Angela and Jo\(~ao fire \(~= 5 pots\(dg by \(*D\(*a\[nosuch]."

    assert _text_of(reader, body) == "Ángela and João fire ≅ 5 pots† by Δα�."


def test_words_behind_rarer_macros_are_kept(reader: Reader) -> None:
    body = (
        ".de told\nStoke\n..\n.am told\nit.\n..\n.told\nSee\n.MR cone 5 ,\ntoo.\n"
        ".SH\nSources\n.Rs\n.%A Ann Potter\n.%T Kilns\n.Re\nIt follows\n.St -p1003.1-2008 .\n"
        ".SH EXIT\n.Ex -std kiln\n.SH CALLS\n.Rv -std fire\n.SH SYNOPSIS\n.SY kiln\n.OP \\-c cone\n.YS"
    )

    assert _text_of(reader, body) == (
        "Stoke it. See cone(5), too.\n\n"
        "## Sources\n\nAnn Potter, Kilns. It follows POSIX 1003.1-2008.\n\n"
        "## Exit\n\nkiln exits 0 on success, and >0 if an error occurs.\n\n"
        "## Calls\n\nfire() returns 0 on success; otherwise -1, and errno tells the error.\n\n"
        "## Synopsis\n\n```\nkiln [-c cone]\n```"
    )


@pytest.mark.parametrize(
    ("hidden", "end"), [(".ig END\nnot for eyes", ".END"), (".de Note END\n.nf", ".END"), (".ig\nno", "..")]
)
def test_what_ends_at_a_word_of_its_own_hides_no_more(
    hidden: str, end: str, reader: Reader, tmp_path: Path
) -> None:
    path = tmp_path / "kiln.1"
    path.write_text(f".TH KILN 1\n.SH DESCRIPTION\n{hidden}\n{end}\nIt fires pots.\n.SH NOTES\nIt glows.\n")
    text = reader.read_file(path).text
    assert "It fires pots." in text
    assert "## Notes\n\nIt glows." in text
    assert "not for eyes" not in text


def test_a_preamble_of_asciidoctor_swallows_nothing_of_its_page(reader: Reader) -> None:
    body = r"""
.de URL
\fI\\$2\fP <\\$1>\\$3
..
.als MTO URL
.if \n[.g] \{\
.  mso www.tmac
.  am URL
.    ad l
.  .
.  am MTO
.    ad l
.  .
.  LINKSTYLE blue R < >
.\}
.SH "DESCRIPTION"
.sp
It fires pots. See \c
.URL "https://example.org/kiln" "" "."
.sp
Ask
.MTO "ann@example.org" "Ann Potter" "."
"""

    assert _text_of(reader, body) == (
        "## Description\n\nIt fires pots. See <https://example.org/kiln>.\n\n"
        "Ask Ann Potter <ann@example.org>."
    )


@pytest.mark.parametrize(
    "begun", [".de Note", ".am Note END", ".ig", ".TS", ".EQ", ".if t \\{ .nf", ".ie n .de Note\n.el .ig"]
)
def test_what_has_no_end_takes_only_its_line(reader: Reader, begun: str) -> None:
    body = f"Stoke it.\n{begun}\nIt fires pots.\n.SH NOTES\nIt glows."

    text = _text_of(reader, body)

    assert "It fires pots." in text
    assert text.endswith("## Notes\n\nIt glows.")


def test_what_is_added_to_a_macro_of_the_language_leaves_it_as_it_was(reader: Reader) -> None:
    assert _text_of(reader, ".am SH\n.ad l\n. . said\n.SH NOTES\nIt glows.") == "## Notes\n\nIt glows."


@pytest.mark.parametrize("lost", ["The kiln is fired slowly.\n" * 20, ""])
def test_a_page_of_which_nearly_nothing_comes_out_is_told_and_not_taken(
    reader: Reader, tmp_path: Path, lost: str
) -> None:
    path = tmp_path / "kiln.1"
    path.write_text(f".TH KILN 1\n.SH NAME\n.if t \\{{\n{lost}.\\}}\n")

    with pytest.raises(ReadError, match="hardly anything of it can be read" if lost else "it is empty"):
        reader.read_file(path)
