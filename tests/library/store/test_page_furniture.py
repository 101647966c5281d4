"""What stands on most pages of a folder begins no passage; what only some say stays."""

import re
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.evidence import Source
from library.readers.reader import Reader
from library.store.cutting.page_furniture import FEWEST_PAGES, furniture, own_parts
from library.store.store import Store
from library.store.sync import sync

MOTTO = "Quiet. Cheap. Sturdy. Choose any two."
RIGHTS = "The pumps of this manual are sold as they are."
ANIMALS = ("heron", "otter", "badger", "weasel", "plover", "curlew", "marten", "dipper")


def page(animal, *, note=""):
    motto = MOTTO.replace("Cheap. ", "Cheap.<br>")
    return f"""<html><head><title>The {animal}</title></head><body><div class=tagline>{motto}</div>
        <h1>The {animal}</h1><p>The {animal} drinks from the pump each morning before anybody is up.</p>{note}
        <p>A {animal} was seen at the pump in the spring, and nobody minded it.</p><p>{RIGHTS}</p></body>"""


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for animal in ANIMALS:
        (folder / f"{animal}.html").write_text(page(animal))
    return folder


@pytest.fixture
def bring(tmp_path):
    with Store(tmp_path / "home" / "library.sqlite") as store, Reader() as reader:

        def run(folder):
            held, _report = sync(store, "c", [folder], reader)
            return {
                path.rsplit("/", 1)[1]: (store.source(file.sha256), store.passages(file.sha256))
                for path, file in store.files(held).items()
            }

        yield run


def test_no_passage_begins_with_what_stands_on_every_page_and_one_page_keeps_it(bring, docs):
    held = bring(docs)
    assert all(source.text.startswith(MOTTO) and source.text.endswith(RIGHTS) for source, _ in held.values())
    having = [name for name, (_, passages) in held.items() if any(MOTTO in each.text for each in passages)]
    assert having == ["badger.html"]  # by its name the first
    for name, (source, passages) in held.items():
        told = [each.text for each in passages if each.text not in (MOTTO, RIGHTS)]
        assert not any(MOTTO in text or RIGHTS in text for text in told)
        assert told[0].startswith(f"# The {name.removesuffix('.html')}")
        assert all(source.text[each.start : each.end] == each.text for each in passages)


def test_a_page_that_changes_later_is_cut_like_the_others(bring, docs):
    bring(docs)
    (docs / "otter.html").write_text(page("otter", note="<p>An otter may bring its young along.</p>"))
    _source, passages = bring(docs)["otter.html"]
    text = "\n".join(each.text for each in passages)
    assert "its young" in text
    assert MOTTO not in text
    assert RIGHTS not in text


def test_where_the_page_that_kept_it_is_gone_the_next_that_is_cut_keeps_it(bring, docs):
    bring(docs)
    (docs / "badger.html").unlink()
    bring(docs)
    for animal in ("pipit", "shrew"):
        (docs / f"{animal}.html").write_text(page(animal))
    held = bring(docs)
    having = [name for name, (_, passages) in held.items() if any(MOTTO in each.text for each in passages)]
    assert having == ["pipit.html"]
    (docs / "teal.html").write_text(page("teal"))
    held = bring(docs)
    assert [name for name, (_, found) in held.items() if any(RIGHTS in p.text for p in found)] == having


def test_a_collection_of_pages_that_another_cut_without_it_keeps_it_on_a_page_of_its_own(bring, docs):
    bring(docs)
    part = docs.parent / "part"
    part.mkdir()
    for animal in (*ANIMALS[:2], *ANIMALS[3:]):  # without the badger, which keeps it
        (part / f"{animal}.html").write_text(page(animal))
    (part / "wren.html").write_text(page("wren"))
    having = [n for n, (_, found) in bring(part).items() if any(MOTTO in p.text for p in found)]
    assert having == ["wren.html"]


def test_a_folder_of_few_pages_has_none_but_what_the_folder_above_has(bring, docs):
    for folder, kind in ((docs / "far", "young"), (docs.parent / "few", "old")):
        folder.mkdir()
        for animal in ANIMALS[: FEWEST_PAGES - 1]:
            (folder / f"{kind}-{animal}.html").write_text(page(f"{kind} {animal}"))
    far = bring(docs)["young-heron.html"][1]
    assert far[0].text.startswith("# The young heron")
    few = bring(docs.parent / "few")["old-heron.html"][1]
    assert few[0].text.startswith(MOTTO)


def test_of_pages_that_are_as_before_the_disk_is_asked_once(bring, docs, monkeypatch):
    bring(docs)
    asked = []
    monkeypatch.setattr("library.store.sync._is_as_before", lambda file, known: asked.append(file) or True)
    bring(docs)
    assert len(asked) == len(ANIMALS)


def test_what_is_no_web_page_is_cut_whole(bring, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for animal in ANIMALS:
        (folder / f"{animal}.md").write_text(f"{MOTTO}\n\n# The {animal}\n\nThe {animal} drinks.\n")
    assert all(passages[0].text.startswith(MOTTO) for _, passages in bring(folder).values())


def source(text):
    return Source(sha256(text.encode()).hexdigest(), "", "", text)


def learnt(texts):
    return furniture({source(text).sha256: text for text in texts})


def test_a_heading_stays_with_its_text_and_a_colon_with_what_follows():
    texts = [f"{MOTTO}\n\n## Name\n\nThe {a}.\n\nIt eats {a}s:\n\n- bread\n\n{RIGHTS}" for a in ANIMALS]
    texts = [text.replace(RIGHTS, f"- bread\n\n{RIGHTS}") for text in texts]
    last = source(texts[-1])
    [(start, end)] = own_parts(last, learnt(texts))
    assert last.text[start:end] == "## Name\n\nThe dipper.\n\nIt eats dippers:\n\n- bread"


def test_of_what_half_of_the_pages_say_and_the_others_deny_nothing_is_left_out():
    sides = ("This pump is in service.", "This pump was withdrawn.")
    texts = [f"{MOTTO}\n\n{n} {a}.\n\n{sides[n]}" for a in ANIMALS for n in (0, 1)]
    for text in texts[1:]:
        [(start, end)] = own_parts(source(text), learnt(texts))
        assert text[start:end] == text.removeprefix(f"{MOTTO}\n\n")


def test_a_page_of_nothing_but_furniture_is_left_whole():
    texts = [f"{MOTTO}\n\nOf the {a}.\n\n{RIGHTS}" for a in ANIMALS]
    assert own_parts(source(f"{MOTTO}\n\n{RIGHTS}"), learnt(texts)) == []


CODE = "```\na\n\nb\n```"
WORDS = st.sampled_from([*(f"Block {letter}." for letter in "abcdefgh"), "## Head", "It is:", CODE])


@given(st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=14))
def test_what_few_pages_share_is_kept_and_what_is_dropped_stands_on_a_page_that_keeps_it(pages):
    sources = list({each.sha256: each for each in (source("\n\n".join(blocks)) for blocks in pages)}.values())
    known = furniture({each.sha256: each.text for each in sources})
    kept_somewhere = ""
    dropped = []
    for each in sources:
        parts = own_parts(each, known) or [(0, len(each.text))]
        assert parts == sorted(parts)
        assert all(a[1] <= b[0] for a, b in zip(parts, parts[1:], strict=False))
        kept_somewhere += "\n\n".join(each.text[start:end] for start, end in parts) + "\n\n"
        start, end = parts[0][0], parts[-1][1]
        dropped += [each.text[:start], each.text[end:]]
    for text in dropped:
        for block in re.findall(f"{CODE}|[^\n]+", text):
            on = sum(block in each.text for each in sources)
            assert on >= max(FEWEST_PAGES, len(sources) / 2)
            assert block in kept_somewhere
