"""`roundtable join` as a person sees it: keys are sent to a real terminal (tmux), and its screen is read."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.model_server import ModelServer

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT / "tests" / "journeys" / "documents_zh"
TOPIC = "青河镇的洪水与重建"
PATIENCE = 300.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (apt-get install tmux)"),
]


class Screen:
    """A terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux")

    def tmux(self, *words: str) -> str:
        command = ["tmux", "-S", self._socket, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout

    def start(self, command: str, environment: dict[str, str], width: int = 100, height: int = 34) -> None:
        given = [f"{name}={value}" for name, value in environment.items()]
        line = " ".join(["exec", "env", "-u", "COLUMNS", "-u", "LINES", *given, command])
        size = ["-x", str(width), "-y", str(height)]
        options = ["set-option", "-g", "remain-on-exit", "on", ";"]
        words = ["-u", "-f", os.devnull, "start-server", ";", *options, "new-session", "-d", *size, line]
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.tmux(*words)
            except subprocess.CalledProcessError:
                # A server that has just lost its last session may still be going away.
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
            else:
                return

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def text(self, *, colours: bool = False) -> str:
        return self.tmux("capture-pane", "-p", "-J", "-S", "-2000", *(["-e"] if colours else []))

    def bottom(self) -> str:
        return self.tmux("capture-pane", "-p")

    def wait(self, words: str) -> str:
        end = time.monotonic() + PATIENCE
        while words not in (text := self.text()):
            assert time.monotonic() < end, f"{words!r} never came:\n{text}"
            time.sleep(0.05)
        return text

    def wait_for_end(self) -> None:
        """Until what runs has ended: tmux 3.3 loses its own line on that in one of five cases."""
        end = time.monotonic() + PATIENCE
        while self.tmux("display-message", "-p", "#{pane_dead}").strip() != "1":
            assert time.monotonic() < end, f"it goes on:\n{self.text()}"
            time.sleep(0.05)

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    held = Screen(tmp_path)
    yield held
    held.close()


def join(screen: Screen, tmp_path: Path, *flags: str, model: str = "embedded", **environment: str) -> Path:
    out = tmp_path / "out"
    words = [sys.executable, "-m", "roundtable", "join", TOPIC, "--docs", str(DOCUMENTS), "--offline"]
    command = " ".join([*words, "--model", model, "--out", str(out), *flags])
    given = {
        "ROUNDTABLE_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8", "TERM": "xterm-256color", **environment,
    }  # fmt: skip
    screen.start(command, given)
    return out


def test_a_person_steers_asks_and_takes_the_report_away(screen: Screen, tmp_path: Path) -> None:
    out = join(screen, tmp_path, "--wait")
    screen.wait("在等您：/go")
    # Completion with help, and words that are finished later.
    screen.keys("/ste")
    screen.wait("此后所有人的提问、回答和报告")
    screen.keys("er 重建的费用", "Enter")
    screen.wait("您引导：重建的费用")
    screen.keys("/invite 桥梁工程师: 桥梁", "Enter")
    screen.wait("桥梁工程师 入席")
    # What is half typed survives what streams by.
    screen.keys("/go 3", "Enter")  # and not “turn 3 of 3”: what was planned stays
    screen.keys("-l", "湿地里有哪些")
    text = screen.wait("回答：")
    screen.wait("3 / 12 轮")  # the direction has the first number, and is no turn of the table
    text = screen.bottom()
    assert "> 湿地里有哪些" in text
    screen.keys("-l", "鸟类？")
    screen.keys("Enter")
    text = screen.wait("回答：湿地里有哪些鸟类？")
    assert "您，提问" in text
    # An error is one line, and nothing is lost by it.
    screen.keys("/drop 99", "Enter")
    screen.wait("没有来源 '99'")
    screen.keys("/mode wait", "Enter")  # the other mode goes on, and may be over by the next line
    screen.wait("选择方式：等我")
    screen.keys("/write", "Enter")
    screen.wait("可追问，/report")
    screen.wait("报告：")
    screen.wait("report.md")
    first = (out / "report.md").read_text(encoding="utf-8")
    assert first.startswith("# ")
    # It is there while the person still sits at the table, and again after a follow-up.
    screen.keys("-l", "重建的费用由谁承担？")
    screen.keys("Enter")
    screen.wait("回应您的提问")
    screen.wait("回答：重建的费用由谁承担？")
    deadline = time.monotonic() + PATIENCE
    while "提问发言 2 次，" not in (told := (out / "report.md").read_text(encoding="utf-8")):
        assert time.monotonic() < deadline, screen.text() + told
        time.sleep(0.1)
    screen.keys("/quit", "Enter")


def test_no_color_is_honoured_and_resizing_keeps_the_input(screen: Screen, tmp_path: Path) -> None:
    join(screen, tmp_path, "--wait", NO_COLOR="1")
    screen.wait("在等您：/go")
    painted = screen.text(colours=True)
    assert "\x1b[3" not in painted
    assert "\x1b[9" not in painted
    screen.keys("-l", "half typed")
    screen.wait("> half typed")
    screen.tmux("resize-window", "-x", "50", "-y", "14")
    # The program is told of the size by a signal: what it draws then keeps what was typed, in the new width.
    end = time.monotonic() + PATIENCE
    while "> half typed" not in (bottom := screen.bottom()) or max(map(len, bottom.splitlines())) > 50:
        assert time.monotonic() < end, bottom
        time.sleep(0.05)
    screen.keys("C-u")
    screen.keys("C-d")
    screen.wait("您离开了会话")


def test_ctrl_c_once_writes_the_report(screen: Screen, tmp_path: Path) -> None:
    # The table yields to the person: the key cannot come when the discussion has ended by itself.
    out = join(screen, tmp_path, "--wait")
    screen.wait("在等您：/go")
    screen.keys("C-c")
    screen.wait("可追问，/report")
    screen.keys("C-c")
    screen.wait("report.md")
    assert (out / "report.md").exists()


def test_a_session_that_was_left_is_taken_up_again(screen: Screen, tmp_path: Path) -> None:
    join(screen, tmp_path, "--wait")
    screen.wait("在等您：/go")
    screen.keys("/quit", "Enter")
    text = screen.wait("roundtable join")
    identity = text.split("roundtable join ")[-1].split()[0]
    screen.close()
    command = f"{sys.executable} -m roundtable join {identity}"
    screen.start(command, {
        "ROUNDTABLE_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8", "TERM": "xterm-256color",
    })  # fmt: skip
    text = screen.wait("在座")
    screen.wait("在等您：/go")


@pytest.mark.loopback
def test_a_speaker_is_seen_writing_above_what_is_typed(screen: Screen, tmp_path: Path) -> None:
    said = "雨水漫过堤坝，\x1b[31m进入低处的街道。" * 12
    with ModelServer(values={"answer": said, "actions": []}, per_token=0.03) as models:
        given = {"OPENAI_BASE_URL": models.url}
        join(screen, tmp_path, "--wait", "--turns", "3", model="openai:test-model", **given)
        screen.wait("在等您：/go")
        screen.keys("/go", "Enter")
        screen.wait("正在写：")
        screen.wait("进入低处的街道")
        screen.keys("-l", "half typed")
        screen.wait("> half typed")
        screen.wait("回答：")
        # When all have spoken nothing of it is left but the turns.
        screen.wait("在等您：/go")
        assert "正在写：" not in screen.bottom()
        assert "> half typed" in screen.bottom()


def test_one_short_word_is_asked_about_before_anything_begins(screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Notes\n\nNothing.\n")
    environment = {
        "ROUNDTABLE_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8", "TERM": "xterm-256color",
    }  # fmt: skip
    where = ["--docs", str(tmp_path / "a.md"), "--offline", "--model", "embedded"]
    before = ["run", "Why do rivers flood?", *where]
    subprocess.run(
        [sys.executable, "-m", "roundtable", *before, "--out", str(tmp_path / "out")],
        env=environment, check=True, capture_output=True, timeout=PATIENCE,
    )  # fmt: skip
    screen.start(f"{sys.executable} -m roundtable join tides", environment)
    screen.wait("Begin one on this word? [y/N]")
    screen.keys("Enter")
    screen.wait("Nothing was done.")
    screen.wait_for_end()
    listed = subprocess.run(
        [sys.executable, "-m", "roundtable", "list"],
        env=environment, check=True, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert len(listed.stdout.splitlines()) == 1
