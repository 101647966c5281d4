"""The reader in the model's seat, over a few pages of this test's own."""

import json
from pathlib import Path

import pytest

from benchmarks.quality.evidence import main

PAGES = {
    "bridge": "The Lanner bridge was opened in 1911 by the county of Maren. Its two towers stand 44 metres "
    "high. The deck was widened in 1963 to carry four lanes of traffic.",
    "collapse": "The Lanner bridge collapsed on 4 March 1987 when a bolt in the eastern tower broke. Nine "
    "people died in the collapse of the bridge. An inquiry found that the bolts had not been inspected since "
    "1979.",
    "ferry": "A ferry crossed the river Lanner every hour after the bridge had collapsed. It carried 300 "
    "people a day and ran until the new bridge was opened in 1992.",
}


@pytest.mark.loopback
def test_what_the_requests_show_reaches_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "pages").mkdir()
    (tmp_path / "gold").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "pages" / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n", encoding="utf-8")
    told = ["The Lanner bridge collapsed on 4 March 1987 when a bolt in the eastern tower broke."]
    untold = ["A lighthouse stands on an island that no page of this folder speaks of at all."]
    gold = {"topic": "The Lanner bridge collapse", "statements": [{"sentences": told}, {"sentences": untold}]}
    (tmp_path / "gold" / "bridge.json").write_text(json.dumps(gold), encoding="utf-8")
    figures = tmp_path / "figures.json"
    main([str(tmp_path), "--json", str(figures)])
    found = json.loads(figures.read_text(encoding="utf-8"))["mean"]
    assert found["recall"] == 0.5, "one statement stands in the pages, the other nowhere"
    assert found["cut"] == 0
    assert found["told"] >= 0.5
    assert found["requests"] > 5
    assert "MEAN of 1" in capsys.readouterr().out
