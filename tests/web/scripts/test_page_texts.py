"""Every text of the page stands in the catalogues, in each language, and nowhere else."""

import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest

from library.text import catalogue, languages

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "roundtable" / "web" / "static"
SCRIPTS = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted(STATIC.rglob("*.js"))
    if path.name != "vendor.js"
}
FILES = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in (ROOT / "configs" / "languages").glob("*.toml")
}
PARTS = ["page", "terminal"]
BUILT = (
    "do_", "did_", "every_", "hint_", "reply_", "limit_", "role_", "style_", "page_", "audit_", "trust_",
    "compareRows_",
)  # fmt: skip
"""Keys that scripts put together, by how they begin."""


def names_in(text: str | dict[str, str]) -> set[str]:
    forms = text.values() if isinstance(text, dict) else [text]
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", sorted(FILES.keys() - {"en"}))
def test_a_language_says_everything_with_the_same_values(language: str, part: str) -> None:
    english, other = FILES["en"][part], FILES[language][part]
    assert other.keys() == english.keys()
    for key, text in english.items():
        assert names_in(other[key]) <= names_in(text), key
        assert other[key] != text or len(str(text)) < 8 or not re.search(r"[a-z]{4} [a-z]{2}", str(text)), key


def test_what_scripts_say_is_in_the_catalogue_and_all_of_that_is_said() -> None:
    texts = FILES["en"]["page"]
    said = {key for script in SCRIPTS.values() for key in re.findall(r"\bt\(\s*\"(\w+)\"", script)}
    assert said <= texts.keys()
    everything = "\n".join(SCRIPTS.values())
    unsaid = [
        key
        for key in texts
        if not re.search(rf"[\"`.]{key}\b|\b{key}:", everything)
        and not key.startswith(BUILT)
        and not key.endswith("Why")
    ]
    assert not unsaid


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_sentence_stands_in_a_script(name: str) -> None:
    script = re.sub(r"(?m)^\s*//.*$|\s//\s.*$", "", SCRIPTS[name])
    shown = re.findall(r"(?<![\s=])>([^<>{}$`=;]*[^\W\d_]{2}[^<>{}$`=;]*)<(?=[/\w$])", script)
    shown += re.findall(r"(?:title|placeholder|aria-label)=\"([^\"$]*[^\W\d_]{2}[^\"$]*)\"", script)
    assert {text.strip() for text in shown} <= {"Roundtable", "openai:NAME", "en", "http://127.0.0.1:8000/v1"}
    assert not re.search("[\u4e00-\u9fff]{2}", script)


def test_a_text_is_chosen_by_its_number_and_english_stands_in() -> None:
    page = catalogue("en", "page")
    assert page.say("turns", n=1) == "1 turn"
    assert page.say("turns", n=1200) == "1,200 turns"
    assert catalogue("zh-TW", "page").say("turns", n=1) == "1 轮"
    assert catalogue("xx", "page").say("begin") == page.say("begin")
    assert set(languages()) == FILES.keys()


def test_no_blank_stands_behind_a_chinese_sentence() -> None:
    placed = re.compile(r'\$\{t\("(\w+)"\)\} (?:<|\$\{t)')
    behind = [key for script in SCRIPTS.values() for key in placed.findall(script)]
    texts = FILES["zh"]["page"]
    assert behind
    assert not [key for key in behind if str(texts.get(key, "")).endswith("。")]


def test_lists_are_joined_as_the_language_does_and_who_waits_is_told_what_to_do() -> None:
    # The fold knows no language: what it joins is joined anew where it is shown.
    assert [name for name, script in SCRIPTS.items() if 'join(", ")' in script] == ["fold.js"]
    assert all("“roundtable worker”" in told["page"]["queued"] for told in FILES.values())
