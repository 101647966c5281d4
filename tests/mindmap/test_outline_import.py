import json

import pytest

from library.evidence import Evidence
from mindmap import AddNode, MapError, MindMap, OutlineError
from mindmap.export import export_map, mindmap_json
from mindmap.outline_import import outline_changes, read_outline

ROUND = [{"id": "a", "title": "A", "parent": "b"}, {"id": "b", "title": "B", "parent": "a"}]


def nested(outline):
    return {child.title: nested(child) for child in outline.children}


@pytest.fixture
def write(tmp_path):
    def make(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def test_markdown_headings_and_lists(write):
    outline = read_outline(write("plan.md", """# My *plan*

Some words that are left out.

## First [part](https://a.example)
- one
  - **deep** one
  - `code` and 2\\*3
- [x] two [p12]
## Second part ##
1. numbered

```
# not a heading
```
"""))
    assert outline.title == "My plan"
    assert nested(outline) == {
        "First part": {"one": {"deep one": {}, "code and 2*3": {}}, "two": {}},
        "Second part": {"numbered": {}},
    }


@pytest.mark.parametrize("name", ["json", "opml", "freemind", "markdown"])
def test_what_we_write_we_read(write, name):
    tree = MindMap("The whole")
    titles = {"n1": 'One <b> & "two"', "n2": "Deep *down* [x]", "n3": "城市", "n4": "Last_one_here"}
    for node, title in titles.items():
        tree.apply(AddNode(id=node, title=title, parent="n1" if node == "n2" else "n0"))
    ending = {"json": ".json", "opml": ".opml", "freemind": ".mm", "markdown": ".md"}[name]
    outline = read_outline(write(f"map{ending}", export_map(tree, Evidence(), name)))
    assert outline.title == "The whole"
    assert nested(outline) == {titles["n1"]: {titles["n2"]: {}}, titles["n3"]: {}, titles["n4"]: {}}


def test_our_own_file(write):
    tree = MindMap("The whole")
    tree.apply(AddNode(id="n1", title="One", parent="n0"))
    assert nested(read_outline(write("mindmap.json", mindmap_json(tree)))) == {"One": {}}


def test_nested_json(write):
    data = {"topic": "T", "children": [{"name": "a", "children": ["b", {"text": "c"}]}, {"children": ["d"]}]}
    outline = read_outline(write("x.json", json.dumps(data)))
    assert (outline.title, nested(outline)) == ("T", {"a": {"b": {}, "c": {}}, "d": {}})


def test_its_nodes_are_a_persons(write):
    tree = MindMap("Topic")
    made = outline_changes(tree, read_outline(write("x.md", "# T\n- a\n  - b\n- c\n")))
    tree.apply_all(made)
    assert [(tree.title(n), tree.depth(n), tree.kept(n)) for n in tree.walk()][1:] == [
        ("a", 1, True), ("b", 2, True), ("c", 1, True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("x.md", "only words\n", "no outline"),
        ("x.md", b"\xff\xfe\x00", "UTF-8"),
        ("x.opml", "<opml><body>", "well-formed"),
        ("x.opml", "<map/>", "begins with <map>"),
        ("x.mm", '<!DOCTYPE a [<!ENTITY b "c">]><map/>', "DOCTYPE"),
        ("x.json", "{", "not JSON"),
        ("x.json", json.dumps({"nodes": ROUND}), "circle"),
        ("x.json", "[" * 100_000, "JSON"),
        ("x.json", json.dumps({"title": "t", "children": [{"title": f"n{n}"} for n in range(6000)]}), "5000"),
        ("x.docx", "a", "ends in"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_in_one_line(write, name, text, says):
    with pytest.raises(OutlineError, match=says) as caught:
        read_outline(write(name, text))
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, MapError)
    assert name in str(caught.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(OutlineError, match=r"none\.md cannot be read"):
        read_outline(tmp_path / "none.md")
