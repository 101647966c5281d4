"""Pages of manuals and other documentation, as their generators write them: nothing of a sentence is lost."""

import pytest

from library.passages.text_structure import terms_above
from library.readers.html.html_reader import read_html


def read(body: str, title: str = "5.7. Deleting an Account", head: str = "") -> dict[str, str]:
    page = f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return read_html(page.encode(), None, 1_000_000, "2026-03-01")


DOCBOOK = """
<div class="navheader"><table summary="Navigation header">
<tr><th colspan="3">5.7. Deleting an Account</th></tr>
<tr><td><a href="a.html"><img src="p.png" alt="Prev"></a></td><th>Chapter 5. Accounts</th>
<td><a href="b.html">Next</a></td></tr></table><hr></div>
<div class="sect1"><div class="titlepage"><div><div>
<h2 class="title"><a name="x"></a>5.7. Deleting an Account</h2>
</div></div></div>
<p>You can repair these unbalanced accounts by
using the<span class="guimenu"><strong>Actions</strong></span> →
<span class="guimenuitem"><strong>Check &amp; Repair</strong></span>menu, or
press <kbd>Ctrl</kbd>+<kbd>R</kbd>.</p>
<div class="warning"><table border="0"><tr><td rowspan="2"><img src="w.png"></td><th>Warning</th></tr>
<tr><td colspan="2"><p>This cannot be undone.</p></td></tr></table></div>
<div class="procedure"><ol class="procedure" type="1"><li class="step"><p>Open the last saved file.</p></li>
<li class="step"><p>Choose the account.</p><pre class="screen">$ ls
books.xml</pre></li></ol></div>
<dl><dt><span class="term">Name</span></dt><dd><p>What the account is called.</p></dd></dl>
<h3>5.7.1. Afterwards<a class="headerlink" href="#x">¶</a> <a href="#c" aria-hidden="true">TOC</a></h3>
<p>For instance, a partition for 2006-02-01 holds the rows of that month.</p></div>
<div class="navfooter"><a href="a.html">Prev</a> <a href="index.html">Home</a></div>
"""


def test_a_page_of_a_manual_is_written_as_it_reads():
    page = read(DOCBOOK)
    assert page["title"] == "Deleting an Account"
    assert page["published"] is None
    assert page["text"] == (
        "## Deleting an Account\n\n"
        "You can repair these unbalanced accounts by using the Actions → Check & Repair menu, "
        "or press Ctrl+R.\n\n"
        "Warning: This cannot be undone.\n\n"
        "1. Open the last saved file.\n2. Choose the account.\n```\n$ ls\nbooks.xml\n```\n\n"
        "Name: What the account is called.\n\n"
        "### Afterwards\n\nFor instance, a partition for 2006-02-01 holds the rows of that month."
    )


LISTED = """
<h2>Setting up</h2>
<p>Then let the group run it:</p>
<div class="example"><p><code>
    chgrp webgroup <var>bin/suexec</var><br>
    chmod 4750 bin/suexec<br />
</code></p></div>
<p>It says:</p>
<p><tt>suEXEC mechanism enabled</tt></p>
<p><code>DocumentRoot</code></p>
<p>The page <code>index.html</code> is shown,<br> where there is one.</p>
<ul><li><p><code>apachectl -k start</code></p></li></ul>
<table><tr><td><p><code>a b</code></p></td><td>first</td></tr>
<tr><td><p><code>c d</code></p></td><td>second</td></tr></table>
"""


def test_a_paragraph_of_code_alone_is_a_listing_line_by_line():
    assert read(LISTED)["text"] == (
        "## Setting up\n\nThen let the group run it:\n\n"
        "```\nchgrp webgroup bin/suexec\nchmod 4750 bin/suexec\n```\n\n"
        "It says:\n\n```\nsuEXEC mechanism enabled\n```\n\nDocumentRoot\n\n"
        "The page index.html is shown, where there is one.\n\n- apachectl -k start\n\n"
        "a b | first\nc d | second"
    )


BROKEN = """
<div>Your printer can be set up in two ways.<br><br>1. Run the <i>mill-setup</i> program.<br> <br>
2. &nbsp;Choose the
way it is <b>connected:<br><br></b>Network, or a cable.<br>It takes a while.
<p>The dialog shows them.<br><br><br>Note: it must be on.</p></div>
"""


def test_two_ends_of_lines_in_a_row_part_paragraphs():
    assert read(BROKEN)["text"] == (
        "Your printer can be set up in two ways.\n\n1. Run the mill-setup program.\n\n"
        "2. Choose the way it is connected:\n\nNetwork, or a cable. It takes a while.\n\n"
        "The dialog shows them.\n\nNote: it must be on."
    )


APACHE = """
<div id="page-header"><p>Mill Server Version 2.4</p></div>
<div class="toplang"><p><span>Available Languages: </span><a href="../en/a.html" title="English">en</a> |
<a href="../fr/a.html" hreflang="fr" rel="alternate">fr</a></p></div>
<p>A mill is asked for by its name.</p>
<p>The paper on it is to be had <a href="p-fr.html" rel="alternate" hreflang="fr">in French</a>, too:
<a href="x">here</a> and <a href="y">there</a>.</p>
"""


def test_the_way_to_other_languages_is_no_text_of_a_page():
    assert read(APACHE)["text"] == (
        "A mill is asked for by its name.\n\nThe paper on it is to be had in French, too: here and there."
    )


PARAGRAPH = "<p>The roof of the mill was covered again with reed, and the floor was laid with oak.</p>"
LINKED = '<script type="application/ld+json">{"@graph":[{"datePublished":"2022-04-02"}]}</script>'


@pytest.mark.parametrize(
    ("head", "byline", "published"),
    [
        ('<meta property="article:published_time" content="2023-09-14T08:00:00Z">', "", "2023-09-14"),
        (LINKED, "", "2022-04-02"),
        ("", '<p class="byline">By Ann Lee, 3 March 2022</p>', "2022-03-03"),
        ("", '<header><h1>Mill</h1><time datetime="2021-06-18">last June</time></header>', "2021-06-18"),
        ("", "<p>On 3 March 2022 the mill was opened; the file is called 2006-02-01.log.</p>", None),
        ("", '<p><code>CREATE TABLE t FOR VALUES FROM ("2006-02-01")</code></p>', None),
        ('<meta name="date" content="2031-01-01">', "", None),
    ],
)
def test_a_page_is_dated_by_its_metadata_and_byline_alone(head, byline, published):
    assert read(f"{byline}{PARAGRAPH}{PARAGRAPH}", "Mill", head)["published"] == published


COMMENTED = """<p>Keep two copies of each photo.</p>
<div id="comments"><div class="comment"><div class="inlinecontent">Locking all of them works.</div>
<div class="comment-header">Comment by <span class="author" title="Signed in">ferry</span> &mdash;
<span class="date">Thu Jan 26 2023</span><time itemprop="x" datetime="2023-01-26">then</time>
</div></div></div>"""


def test_who_comments_on_a_page_did_not_write_it():
    page = read(COMMENTED)
    assert (page["author"], page["published"]) == (None, None)
    byline = '<p>By <span class="author">Ada Hill</span>, <span class="date">3 May 2021</span></p>'
    signed = read(byline + COMMENTED)
    assert (signed["author"], signed["published"]) == ("Ada Hill", "2021-05-03")


@pytest.mark.parametrize(
    ("title", "body", "found"),
    [
        ("9.9. Quotas", "<h2>9.9. Quotas</h2>", "Quotas"),
        ("Saturday rye - Crumb and Crust", "<h1>Saturday rye</h1>", "Saturday rye"),
        ("Rye - Crumb and Crust", "<h1>Crumb and Crust</h1><h2>Rye</h2>", "Rye"),
        ("", "<h1>Rye</h1>", "Rye"),
        ("Rye bread", "<p>Words in a box</p><h2>Things you need</h2>", "Rye bread"),
        ("2023 Tour de France", "<h1>2023 Tour de France</h1>", "2023 Tour de France"),
        ("Chapter 2. The Basics", "<h1>Chapter 2. The Basics</h1>", "The Basics"),
        ("Mills", '<h1><a href="https://mills.example">Mills</a></h1><h2>Chapter 4 - Stones</h2>', "Stones"),
        ("Mills", '<h1><a href="/">Mills</a></h1>', "Mills"),
        ("Mills", '<h1><a href="/mills.html">Mills</a></h1><h2>Stones</h2>', "Mills"),
    ],
)
def test_titles(title, body, found):
    assert read(body + PARAGRAPH, title)["title"] == found


def test_a_section_on_navigation_is_no_navigation():
    section = f'<div class="section" id="navigation"><h2>Navigation</h2>{PARAGRAPH}</div>'
    assert PARAGRAPH[3:-4] in read(f"<h1>Mill</h1>{PARAGRAPH * 3}{section}", "Mill")["text"]
    assert "## Navigation" in read(f"<h1>Mill</h1>{PARAGRAPH * 3}{section}", "Mill")["text"]


def test_lists_in_lists_and_tables_that_only_arrange():
    body = (
        f"<h1>Mill</h1>{PARAGRAPH}<ul><li>One<ol><li>First</li><li>Second</li></ol></li><li>Two</li></ul>"
        "<table><tr><td><h3>Left</h3><p>Words on the left.</p></td>"
        "<td><p>Words on the right.</p></td></tr></table>"
    )
    text = read(body, "Mill")["text"]
    assert "- One\n  1. First\n  2. Second\n- Two" in text
    assert text.endswith("### Left\n\nWords on the left.\n\nWords on the right.")


def test_lists_that_only_set_text_in_lose_nothing():
    page = read(
        f"<h1>Mill</h1>{PARAGRAPH}<ul>Set in.<h3>Sluice</h3><ul><li>Type: wood</li></ul><p></p>"
        "It <b>holds</b> water.<p></p></ul>"
        "<ol start='0'><li>Open<ul>by hand<p>Slowly.</p></ul></li><p>Wait.</p><!-- x --><li>Shut</li></ol>"
    )["text"]
    assert page.endswith(
        "Set in.\n\n### Sluice\n\n- Type: wood\n\nIt holds water."
        "\n\n0. Open\n\n  by hand\n\nSlowly.\n\nWait.\n\n1. Shut"
    )


def test_what_calls_itself_contents_is_dropped_only_where_it_leads_elsewhere():
    table = (
        '<div class="table"><p class="title">Table 3.5. Log files</p><div class="table-contents">'
        "<table><tr><th>File</th><th>Holds</th></tr><tr><td>dpkg.log</td><td>what was installed</td></tr>"
        "</table></div></div>"
        '<div class="example-contents"><p>Say <code>ls</code> first.</p></div>'
    )
    contents = (
        '<div class="table-of-contents"><p>Contents</p><dl><dt><a href="#a">Mills and their roofs</a></dt>'
        '<dt><a href="#b">Bridges</a></dt></dl></div><div class="toc"><p><a href="#c">Weirs</a></p></div>'
    )
    text = read(f"<h1>Logs</h1>{contents}{PARAGRAPH * 3}{table}")["text"]
    assert "File: dpkg.log | Holds: what was installed" in text
    assert "Say ls first." in text
    assert "Contents" not in text
    assert "Weirs" not in text


_PACKAGES = "".join(
    f'<tr><td><a href="p/{name}"><code>{name}</code></a></td><td><a href="s/{name}">V:2, I:32</a></td>'
    f'<td><a href="z/{name}">1413</a></td><td>{told}</td></tr>'
    for name, told in (("testdisk", "scans"), ("scalpel", "carves"), ("myrescue", "copies"))
)
_HEADS = "<tr><th>Package</th><th>Popularity</th><th>Size</th><th>It does</th></tr>"


@pytest.mark.parametrize(
    "table",
    [
        f"<table><thead>{_HEADS}</thead><tbody>{_PACKAGES}</tbody></table>",
        (
            '<div class="table"><p class="title">Table 9.24. Packages</p><div class="table-contents">'
            f"<table>{_PACKAGES}</table></div></div>"
        ),
        f"<table><caption>Packages</caption>{_PACKAGES}</table>",
    ],
)
@pytest.mark.parametrize("menu", [0, 60])
def test_a_table_of_data_is_text_whatever_its_links(table: str, menu: int):
    """Also on a page that is mostly links elsewhere, from which only its text is picked."""
    links = "".join(f'<div><span><a href="{n}">Another page, {n}</a></span></div>' for n in range(menu))
    text = read(f"<h1>Recovery</h1>{links}{PARAGRAPH * 4}{table}{PARAGRAPH}", "Recovery")["text"]
    heads = ("Package: ", "Popularity: ", "Size: ", "It does: ") if "<thead>" in table else ("", "", "", "")
    for row in (("testdisk", "V:2, I:32", "1413", "scans"), ("myrescue", "V:2, I:32", "1413", "copies")):
        assert " | ".join(head + cell for head, cell in zip(heads, row, strict=True)) in text


def test_tables_that_only_lead_elsewhere_are_none():
    cells = "".join(f'<td><a href="{n}">Chapter {n}</a></td>' for n in range(4))
    rows = f"<tr>{cells}</tr>" * 3
    menu = f"<table><tr><th>Guide</th><th>Reference</th><th>News</th><th>About</th></tr>{rows}</table>"
    header = f'<div class="navheader"><table><caption>Chapters</caption>{rows}</table></div>'
    text = read(f"<h1>Mill</h1>{header}{PARAGRAPH * 6}{menu}", "Mill")["text"]
    assert "Chapter 2" not in text


SIDE = "The reference data should stand on a medium that cannot be written, or the intruder replaces it."


def test_a_box_between_the_paragraphs_of_a_book_is_text():
    told = "The program compares each file with what it noted when the machine was known to be in order."
    box = (
        '<div class="sidebar"><div class="titlepage"><p class="title"><strong><em>IN PRACTICE</em> '
        "Protecting the database</strong></p></div>"
        f'<div class="para">{SIDE} See <a href="x.html">the rest</a>.</div></div>'
    )
    paragraphs = [f'<div class="para">{told} This is paragraph {n}.</div>' for n in range(6)]
    section = (
        f'<div class="section"><h2>Checks</h2>{"".join(paragraphs[:3])}{box}{"".join(paragraphs[3:])}</div>'
    )
    text = read(section)["text"]
    assert "Protecting the database" in text
    assert SIDE in text
    assert text.index("paragraph 2") < text.index(SIDE) < text.index("paragraph 3")


def test_the_block_that_names_an_entry_in_an_asciidoc_manual_is_text():
    entries = "".join(
        '<div class="sidebarblock"><div class="content"><div class="paragraph"><p><b>Operation:</b> '
        f'<a href="#{name}">{name}</a><br><strong>Default key:</strong> {key}</p></div></div></div>'
        f'<div class="paragraph"><p>{said}</p></div>'
        for name, key, said in (
            ("open", "ENTER", "Open the selected article in the list of articles and show it."),
            ("quit", "q", "Quit the program or return to the dialog that was shown before."),
        )
    )
    text = read(f"<div class='sect2'><h3>Operations</h3><p>{SIDE}</p>{entries}</div>")["text"]
    assert text.index("Operation: open") < text.index("Open the selected") < text.index("Operation: quit")


def test_the_side_bar_of_a_site_is_none():
    told = "The program compares each file with what it noted when the machine was known to be in order."
    main = f'<div class="main"><h1>Checks</h1>{"".join(f"<p>{told} Number {n}.</p>" for n in range(6))}</div>'
    bar = f'<div class="sidebar"><h3>About us</h3><p>{SIDE}</p><ul><li><a href="a">One</a></li></ul></div>'
    assert SIDE not in read(f"{main}{bar}", title="Checks")["text"]


def test_an_entry_of_a_manual_page_that_groff_wrote_stands_below_its_option():
    page = """<h2>OPTIONS</h2>
<p style="margin-left:11%; margin-top: 1em"><b>-A [acl]</b></p>
<p style="margin-left:22%;">Apply the given rights to all mailboxes that are restored from the backup.</p>
<table width="100%"><tr valign="top"><td width="11%"></td><td width="3%"><p>-D</p></td><td width="8%"></td>
<td width="78%"><p>Do not trim the prefix from mailbox names before they are restored.</p></td></tr>
<tr valign="top"><td></td><td><p>-R</p></td><td></td><td><p>Read again what is there.</p></td></tr></table>
<p style="margin-left:22%; margin-top: 1em">By default the prefix is trimmed before anything is restored.</p>
<p style="margin-left:11%; margin-top: 1em">All of them may be given together on one command line.</p>"""
    text = read(page, title="RESTORE")["text"]
    assert terms_above(text, text.index("Apply the given")) == ["-A [acl]"]
    assert terms_above(text, text.index("Do not trim")) == ["-D"]
    assert terms_above(text, text.index("Read again")) == ["-R"]
    assert terms_above(text, text.index("By default")) == ["-R"]
    assert terms_above(text, text.index("All of them")) == []


PLAIN = """
<div class="toc"><div>1 <a href="#make">Make a copy</a></div>
<div>2 <a href="#back">Bring it back</a></div>
<div>2.1 <a href="#back/one">One file</a></div><div>3 <a href="#q">Why does it take so long?</a></div></div>
<div class="part"><a id="make"></a><div class="top"><div>1</div><div>Make a copy</div></div>
<div class="body"><div>Run the program with the name of the folder, and wait until it says that.</div>
<div class="part" id="back/one"><div>Bring it back</div></div></div></div>
<div class="part"><a id="back"></a><div class="top"><div>2</div><div>Bring it back</div></div>
<div class="body"><div>Name the copy, and all that it holds is put where it was when the copy was made.</div>
<div class="part"><a id="back/one"></a><div class="top"><div>2.1</div><div>One file</div></div>
<div class="body"><div>Name the file behind the copy. Nothing else is touched.</div></div>
</div></div></div>
<p><a name="q"></a>3. Why does it take so long?</p><p>All files are read when the first copy is made.</p>
<p>Make a copy</p>
<dl><dt><a name="back">back</a></dt><dd><p>Bring it back.</p><p>The command.</p></dd></dl>
"""


def test_blocks_that_the_page_s_own_contents_lead_to_by_their_words_are_headings():
    text = read(PLAIN)["text"]
    assert text.count("## Make a copy") == 1
    assert "## Make a copy\n\nRun the program" in text
    assert text.count("# Bring it back") == 1
    assert "## Bring it back\n\nName the copy" in text  # not what stands elsewhere in the same words
    assert "### One file\n\nName the file" in text
    assert "## Why does it take so long?\n\nAll files are read" in text
    assert "\n1\n" not in text


def test_links_that_lead_to_a_place_by_other_words_make_no_headings():
    linked = PLAIN.replace('<a href="#back">Bring it back', '<a href="#back">see there')
    assert "# Bring it back" not in read(linked)["text"]
