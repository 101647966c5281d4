"""Each format is read back by a reader that is not ours."""

import asyncio
import csv
import io
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import networkx as nx
import pytest

from library.evidence import Evidence, Passage
from library.text import cell_text
from mindmap import AddNode, AddNote, MapError, MindMap, Note, PlacePassage, SetMark
from mindmap.export import FORMATS, export_map, mindmap_json, mindmap_markdown

HARD = {
    "n1": 'Quotes "and" \'more\' <b>&amp; [brackets] {braces} (round)',
    "n2": "Back\\slash `code` *stars* _under_ #1; |pipe|",
    "n3": "שלום עולם العربية",
    "n4": "洪水与城市排水系统",
    "n5": "=SUM(A1)",
    "n6": "Controls \x00\x07\x1b and \u202eturned\u202c, two\nlines",
}
CLEAN = {**HARD, "n6": "Controls and turned, two lines"}


@pytest.fixture
def made():
    tree = MindMap('A topic & its "map"')
    for node, title in HARD.items():
        tree.apply(AddNode(id=node, title=title, parent="n1" if node == "n2" else "n0"))
    passages = {
        "p1": Passage(
            "a", 0, 5, "One </script><script>alert(1)</script> \x00 end.", "https://a.example/x?y=1&z=2",
            "Page <A>", "2021-03-04", id="p1",
        ),
        "p2": Passage("b", 0, 5, "Two.", "javascript:alert(1)", "Page B", id="p2"),
    }
    tree.apply(PlacePassage(passage="p1", node="n2"))
    tree.apply(PlacePassage(passage="p2", node="n4"))
    note = Note(turn=1, speaker="ann", question="Why <so>?", answer="Because [p1].")
    tree.apply(AddNote(node="n2", note=note))
    tree.apply(AddNote(node="n3", note=Note(turn=2, question="Open?")))
    tree.apply(SetMark(node="n3", mark="gap"))
    tree.apply(SetMark(node="n2", mark="contradiction", sides=["p1", "p2"]))
    return tree, Evidence(passages)


def written(made, name):
    return export_map(*made, name).decode("utf-8")


def edges(tree):
    return {(tree.parent(node), node) for node in tree.walk() if node != tree.root}


def test_our_json_is_as_designed(made):
    tree, _ = made
    data = json.loads(mindmap_json(tree))
    assert data["root"] == "n0"
    assert {n["id"]: n["parent"] for n in data["nodes"]} == {n: tree.parent(n) for n in tree.walk()}
    two = next(n for n in data["nodes"] if n["id"] == "n2")
    assert set(two) == {"id", "title", "parent", "passages", "notes", "marks"}
    assert (two["passages"], two["marks"]) == (["p1"], ["contradiction"])
    assert two["notes"][0]["question"] == "Why <so>?"


def test_a_question_is_open_until_a_note_anywhere_in_the_map_answers_it(made):
    tree, evidence = made
    before = mindmap_markdown(tree, {}), export_map(tree, evidence, "html").decode()
    assert "- *open:* Open?" in before[0]
    assert "still open" in before[1]
    tree.apply(AddNote(node="n4", note=Note(turn=3, question="Open?", answer="No [p2].")))
    assert "open:" not in mindmap_markdown(tree, {})
    assert "still open" not in export_map(tree, evidence, "html").decode()
    assert export_map(tree, evidence, "json").decode().count("Open?") == 1


def test_graphml_by_networkx(made):
    graph = nx.read_graphml(io.BytesIO(export_map(*made, "graphml")))
    assert set(graph.edges) == edges(made[0])
    assert {n: graph.nodes[n]["title"] for n in HARD} == CLEAN


def test_node_link_by_networkx(made):
    graph = nx.node_link_graph(json.loads(written(made, "node-link")), edges="links")
    assert set(graph.edges) == edges(made[0])
    assert {n: graph.nodes[n]["title"] for n in HARD} == CLEAN


def test_opml_by_an_xml_parser(made):
    root = ET.fromstring(written(made, "opml"))
    texts = [outline.get("text") for outline in root.iter("outline")]
    assert set(CLEAN.values()) < set(texts)
    inner = next(o for o in root.iter("outline") if o.get("text") == CLEAN["n2"])
    assert "Because" in inner.get("_note")
    assert "https://a.example/x?y=1&z=2" in inner.get("_note")


def test_freemind_by_an_xml_parser(made):
    root = ET.fromstring(written(made, "freemind"))
    assert set(CLEAN.values()) < {node.get("TEXT") for node in root.iter("node")}
    parents = {child.get("ID"): node.get("ID") for node in root.iter("node") for child in node}
    assert parents["ID_n2"] == "ID_n1"


def test_csv_by_the_csv_module(made):
    rows = list(csv.DictReader(io.StringIO(written(made, "csv").removeprefix("\ufeff"))))
    titles = {row["id"]: row["title"] for row in rows}
    assert titles["n5"] == "'=SUM(A1)"
    assert {n: titles[n] for n in CLEAN if n != "n5"} == {n: t for n, t in CLEAN.items() if n != "n5"}
    assert next(row for row in rows if row["id"] == "n2")["sure"] == "disputed"


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t=", "\r=", "\n=", "＝"])
def test_no_cell_of_a_table_begins_a_formula(begins: str):
    assert cell_text(f"{begins}cmd|' /C calc'!A0").startswith("'")
    assert cell_text(f"a {begins[-1]}") == f"a {begins[-1]}"


@pytest.mark.parametrize("sign", [";", "\n", "\r"])
@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "＝"])
def test_no_cell_begins_a_formula_where_other_signs_part_cells(sign: str, begins: str):
    written = cell_text(f"tea{sign}{begins}cmd|' /C calc'!A0{sign}{sign}{begins}1")
    assert not [cell for cell in written.split(sign) if cell.startswith(begins)]
    assert cell_text(f"tea{sign} 1; 2") == f"tea{sign} 1; 2"


def test_markdown_shows_titles_as_they_are(made):
    from markdown_it import MarkdownIt

    for text in (mindmap_markdown(made[0], {}), written(made, "markdown")):
        inlines = [t for t in MarkdownIt().parse(text) if t.type == "inline"]
        shown = ["".join(c.content for c in t.children if c.type in ("text", "code_inline")) for t in inlines]
        for title in CLEAN.values():
            assert any(s.startswith(title) for s in shown), title


def test_svg_is_xml_that_shows_all_words(made):
    root = ET.fromstring(written(made, "svg"))
    shown = "".join("".join(root.itertext()).split())
    for title in CLEAN.values():
        assert "".join(title.split()) in shown
    assert "script" not in {element.tag.split("}")[1] for element in root.iter()}


def test_boxes_do_not_overlap(themed):
    tree = MindMap("Wide")
    for number in range(1, 60):
        tree.apply(AddNode(id=f"n{number}", title="word " * (number % 9 + 1), parent=f"n{number // 4}"))
    root = ET.fromstring(export_map(tree, Evidence(), "svg"))
    rects = list(root.iter("{http://www.w3.org/2000/svg}rect"))[1:]
    boxes = [tuple(float(rect.get(k)) for k in ("x", "y", "width", "height")) for rect in rects]
    assert len(boxes) == len(tree)
    for number, (x, y, w, h) in enumerate(boxes):
        for x2, y2, w2, h2 in boxes[number + 1 :]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_png(made):
    pytest.importorskip("typst", reason="the export extra is not installed")
    image = export_map(*made, "png")
    assert image.startswith(b"\x89PNG")
    assert len(image) > 5_000


def test_dot_by_graphviz(made):
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("Graphviz's dot is not installed")
    done = subprocess.run([dot, "-Tjson"], input=export_map(*made, "dot"), capture_output=True, check=True)
    drawn = json.loads(done.stdout)
    names = {o["_gvid"]: o["name"] for o in drawn["objects"]}
    assert {(names[e["tail"]], names[e["head"]]) for e in drawn["edges"]} == edges(made[0])
    done = subprocess.run([dot, "-Tsvg"], input=export_map(*made, "dot"), capture_output=True, check=True)
    drawn = ET.fromstring(done.stdout).iter("{http://www.w3.org/2000/svg}text")
    texts = {"".join(text.itertext()).replace("\xa0", " ") for text in drawn}
    assert {t for n, t in CLEAN.items() if n != "n3"} <= texts


def test_mermaid_by_its_own_parser(made, tmp_path):
    modules, node = Path(__file__).parent / "mermaid" / "node_modules", shutil.which("node")
    if not (modules / "mermaid").exists() or node is None:
        pytest.skip("needs node, and `npm ci --ignore-scripts` in tests/mindmap/mermaid")
    script = tmp_path / "parse.mjs"
    script.write_text(f"""
        import {{ createRequire }} from "node:module";
        const require = createRequire("{modules}/");
        const {{ JSDOM }} = require("jsdom");
        const dom = new JSDOM("");
        globalThis.window = dom.window; globalThis.document = dom.window.document;
        const mermaid = (await import("{modules}/mermaid/dist/mermaid.core.mjs")).default;
        const text = (await import("node:fs")).readFileSync(0, "utf8");
        await mermaid.parse(text);
        const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
        const walk = (n) => [n.descr, ...n.children.flatMap(walk)];
        console.log(JSON.stringify(walk(diagram.db.getMindmap())));
    """)
    text = export_map(*made, "mermaid")
    done = subprocess.run([node, script], input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-800:]
    assert len(json.loads(done.stdout.splitlines()[-1])) == len(made[0])


def test_mermaid_is_one_line_a_node(made):
    lines = written(made, "mermaid").splitlines()
    assert lines[0] == "mindmap"
    assert len(lines) == 1 + len(made[0])
    assert all(re.fullmatch(r' +n\d+(\(\("[^"`<>\\]*"\)\)|\["[^"`<>\\]*"\])', each) for each in lines[1:])


def test_html_holds_no_markup_of_others(made):
    page = written(made, "html")
    assert page.count("<script>") == 1
    assert "javascript:" not in page
    assert "default-src 'none'" in page
    assert 'href="https://a.example/x?y=1&amp;z=2"' in page


def test_every_format_is_deterministic_and_takes_an_empty_map(made):
    for name in FORMATS:
        if name == "png":
            continue
        assert export_map(*made, name) == export_map(made[0].copy(), made[1], name)
        assert export_map(MindMap("Nothing"), Evidence(), name)


def test_an_unknown_format_is_named(made):
    with pytest.raises(MapError, match="pptx"):
        export_map(*made, "pptx")


@pytest.mark.browser
def test_html_in_chromium(made, tmp_path):
    playwright = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    page_file = tmp_path / "map.html"
    page_file.write_bytes(export_map(*made, "html"))
    asyncio.run(_drive(playwright, chromium, page_file))


async def _drive(playwright, chromium: str, file: Path):
    flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    async with playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(
            executable_path=chromium, args=[*flags.split(), "--disable-component-update", "--disable-sync"]
        )
        page = await browser.new_page()
        errors = []
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(file.as_uri())
        expect = playwright.expect
        first = page.locator("#n1")
        await expect(page.locator("#n2")).to_be_visible()
        await page.locator("#n0").focus()
        await page.keyboard.press("ArrowDown")
        await expect(first).to_be_focused()
        await page.keyboard.press("ArrowLeft")
        await expect(first).to_have_attribute("aria-expanded", "false")
        await expect(page.locator("#n2")).to_be_hidden()
        await page.keyboard.press("ArrowRight")
        await expect(page.locator("#n2")).to_be_visible()
        await page.keyboard.press("ArrowRight")
        await expect(page.locator("#n2")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("#n2 blockquote")).to_be_visible()
        await page.locator("#search").fill("排水")
        await expect(page.locator("#n4")).to_be_visible()
        await expect(page.locator("#n5")).to_be_hidden()
        await page.locator("#search").fill("")
        await page.locator("#larger").click()
        await expect(page.locator("body")).to_have_class("size-4")
        tree = await page.locator("#map").aria_snapshot()
        await browser.close()
    assert "treeitem" in tree
    assert errors == []
