"""Commands on texts that come to nothing leave no folder of theirs."""

from pathlib import Path

import pytest

from roundtable.__main__ import run


@pytest.mark.parametrize(
    "order",
    [
        "audit nofile.txt", "audit report.md --offline", "audit report.md --docs nofile",
        "compare --of a,b --by c --docs nofile", "compare --of a,b --by c --offline",
        "extract nofile --fields a", "extract report.md --fields a --out there/and/there --model none:such",
    ],
)  # fmt: skip
def test_a_command_that_fails_leaves_no_empty_folder(
    order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("report.md").write_text("The bridge was finished in 1874 [1].\n\n## References\n\n[1] A book.\n")
    assert run(order.split()) in (1, 2)
    left = {path.name for path in tmp_path.iterdir()}
    assert left - {"home"} == {"report.md"}


def test_a_folder_that_was_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    assert run(["audit", "nofile.txt", "--out", "mine/results"]) == 2
    assert Path("mine").is_dir()
    assert not any(Path("mine").iterdir())
