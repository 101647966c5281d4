"""Every sentence that the page, the terminal and the command line say stands in the catalogues.

The English ones stand where they are raised, in any room; each other language must have words for them.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from library.text import languages, message_patterns, translated
from library.text.multilingual.translated_messages import values_of
from roundtable.journal.commands.command_reading import COMMANDS
from roundtable.terminal.repl import GROUPS, LOOKS, helped
from roundtable.terminal.safe_output import tell_parts

ROOT = Path(__file__).parents[3]
ROOMS = ("roundtable", "moderator", "agents", "reports", "mindmap", "library", "models")
OTHER_PROGRAMS = {"chat_completions.py", "chat_schema.py", "session_tools.py", "autogen_team.py"}
"""These speak to other programs, in the one language that their protocols have."""
WORKING = {"smooth.py", "scripted.py"}
"""These say why a model's draft is not taken, or that a test's script is wrong."""
PARTS = {"a X1 is no change of the map", "a map is started once, by its first event",
         "the second time it is answered or refused", "X1 X1; it is left alone for X1 s",
         "it is no X1X1"}  # fmt: skip
"""Said to programmers, or composed of parts that are looked at below."""
PROGRAMMERS = {"AttributeError", "ValueError", "RuntimeError", "TypeError", "KeyError", "StopAsyncIteration"}
OTHERS = sorted(languages().keys() - {"en"})
SAYS = {"say", "_say", "tell", "confirm", "Finding"}
VALUE = "X1"


def composed(node: ast.expr) -> list[str]:
    """Return the texts that an expression may be, with a value in each of its places."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp():
            return composed(node.body) + composed(node.orelse)
        case ast.JoinedStr():
            return ["".join(str(v.value) if isinstance(v, ast.Constant) else VALUE for v in node.values)]
        case ast.BinOp(op=ast.Add()):
            ways = [(a, b) for a in composed(node.left) for b in composed(node.right)]
            return [a + b for a, b in ways]
    return []


def sentences(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        call = node.exc if isinstance(node, ast.Raise) else node
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", None) or getattr(call.func, "attr", "")
        if name in PROGRAMMERS or not (isinstance(node, ast.Raise) or name in SAYS):
            continue
        for text in (told for argument in call.args for told in composed(argument)):
            if re.search(r"[a-z]{2} [a-z]{2}", text.replace(VALUE, "")):
                yield text


def everywhere() -> list[tuple[str, str]]:
    paths = [
        path for room in ROOMS for path in (ROOT / room).rglob("*.py") if "node_modules" not in path.parts
    ]
    told = {(path.name, text) for path in paths for text in sentences(path)}
    return sorted(one for one in told if one[0] not in OTHER_PROGRAMS | WORKING and one[1] not in PARTS)


@pytest.mark.parametrize("language", OTHERS)
def test_every_error_and_line_has_its_words(language: str) -> None:
    said = everywhere()
    assert len(said) > 400
    untold = [one for one in said if translated(one[1], language) == one[1]]
    assert not untold


@pytest.mark.parametrize("language", OTHERS)
def test_help_is_a_table_in_every_language(language: str) -> None:
    lines = helped(language=language, width=80)
    assert all(f"/{name}" in "\n".join(lines) for name in [*COMMANDS, *LOOKS])
    assert max(len(line) for line in lines) <= 80
    helps = [kind.help for kind in COMMANDS.values()] + [text for _, text in LOOKS.values()]
    for text in [*helps, *GROUPS, "Look", lines[0] and helped(width=80)[0]]:
        assert translated(text, language) != text


def test_every_command_has_one_place_in_the_help() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)


@pytest.mark.parametrize("language", OTHERS)
def test_messages_are_told_apart_by_words_of_their_own(language: str) -> None:
    """A pattern that is nearly all value would be taken for any sentence."""
    for parts, words in message_patterns(language):
        places = len(parts) - 1
        assert places == 0 or len(re.findall(r"[^\W\d_]", "".join(parts))) >= 5, parts
        assert len(set(re.findall(r"\{\d\}", words))) <= places


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_that_nearly_is_a_message_takes_long(language: str) -> None:
    for parts, _ in message_patterns(language):
        if len(parts) < 4:
            continue
        for piece in (*parts[1:-1], "".join(parts[1:-1])):
            text = (parts[0] + (piece or " ") * 20_000)[:20_000] + "\0"
            assert values_of(text, parts) is None or not parts[-1]


def test_a_value_is_as_short_as_may_be() -> None:
    assert values_of("a: b: c", ("", ": ", "")) == ["a", "b: c"]
    assert values_of("a of b of c", ("a of ", " of ", "c")) == ["b", ""]
    assert values_of("aa", ("a", "aa")) is None
    assert values_of("aa", ("aa",)) == []
    assert values_of("aab", ("aa",)) is None


def test_what_is_searched_and_leaves_is_told_in_the_terminals_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    tell_parts("2 × 1", "searching manuals; nothing goes to the web; quoted, without a model")
    out = capsys.readouterr().out
    assert not re.search(r"search|nothing|quoted|[:;]", out), "nor Latin punctuation"


def test_values_are_said_in_turn_and_what_is_unknown_stays() -> None:
    told = "no command /lst; did you mean /list? /help lists all"
    assert translated(told, "zh") == "没有命令 /lst；是否想输入 /list？/help 列出全部命令"
    assert translated("no command /lst; did you mean /list?", "zh") == "没有命令 /lst；是否想输入 /list？"
    assert translated(told, "en") == told
    assert translated("something that nobody ever said", "zh") == "something that nobody ever said"
    assert translated("nothing new: of the last answers 3% was new\nmore", "zh-TW").startswith("没有新内容")


def test_reasons_of_other_libraries_and_of_the_system_are_said_too() -> None:
    broken = "x.pdf: it is no readable PDF (Failed to load document (PDFium: Data format error).)"
    assert translated(broken, "zh") == "x.pdf：不是可读的 PDF（PDFium：数据格式错误）"
    reason = "[Errno -2] Name or service not known"
    away = f"example.org cannot be reached ({reason}): search documents with --docs"
    assert "域名无法解析）" in translated(away, "zh")
    missing = translated("cannot read a.zip: No such file or directory", "zh")
    assert missing == "无法读取 a.zip：没有这个文件或文件夹"


COMPOSED = """
cannot write the journal db: gone; is the server there, may this user do that?
  无法写入日志 db：gone；
cannot read the journal j.db: torn; it is damaged: `roundtable doctor --repair` saves what can be read
  日志 j.db 已损坏：torn；
cannot open the queue in PostgreSQL: refused; is the server there?
  无法打开 PostgreSQL 中的队列：refused；
session 0f4b: event 3 has the kind 'vote', unknown here: a later version wrote it; upgrade the program
  会话 0f4b：事件 3 含有这里不认识的 事件类型 'vote'：
s.zip: event 3 is of no format ('x'): it is damaged
  s.zip：事件 3 不属于任何格式（'x'）：
s.zip: event 3 is of format 9, and this one reads up to 4: a later version wrote it; upgrade the program
  s.zip：事件 3 的格式为 9，本程序最多能读 4：
slate: OpenSearch: it does not answer (refused)
  slate：OpenSearch 没有应答（refused）
slate: OpenSearch: it lets nobody in with USER_HERE and WORD_HERE as they are (401)
  slate：OpenSearch 不接受 USER_HERE 和 WORD_HERE 现在的值（401）
search of web: the web could not be searched (no search engine can be reached: is there a network?)
  搜索 web：无法搜索网络（无法连接任何搜索引擎：网络是否连通？）
it is no spreadsheet, or it is damaged
  不是电子表格，或已损坏
db.example asked for fewer requests; it is left alone for 20 s
  db.example 要求减少请求；20 秒内
""".strip().split("\n")


@pytest.mark.parametrize(("told", "words"), list(zip(COMPOSED[::2], COMPOSED[1::2], strict=True)))
def test_what_is_composed_of_parts_is_told_whole(told: str, words: str) -> None:
    assert translated(told, "zh").startswith(words.strip())


def test_a_long_or_hostile_line_costs_no_time() -> None:
    hostile = "no source " + "; did you mean " * 60 + "x" * 20_000
    assert translated(hostile, "zh") == hostile
    assert translated("no source " + ": name it by number, passage, url" * 25, "zh")


def test_why_a_damaged_file_is_not_read_is_chinese_down_to_its_kind_and_cause() -> None:
    kinds = ("DOCX document", "EPUB book", "PPTX presentation", "OpenDocument text")
    for kind in kinds:
        told = translated(f"/a/plan: it is a damaged or encrypted {kind} (File is not a zip file)", "zh")
        assert told.startswith("/a/plan：是损坏或加密的 ")
        assert not re.search(r"[a-z]{4}", told.removeprefix("/a/plan").replace("OpenDocument", ""))
