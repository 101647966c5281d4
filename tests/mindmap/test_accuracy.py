"""Floors under how well the map arranges what people arranged; raised on purpose, not lowered in silence."""

import os
import statistics
from pathlib import Path

import pytest

from benchmarks.quality.agreement import adjusted_mutual_information, adjusted_rand_index
from benchmarks.quality.placement import Article, agreement, grown, placing
from mindmap import MapSettings

DATA = os.environ.get("ROUNDTABLE_FRESHWIKI")


def test_agreement_is_one_for_the_same_and_about_nothing_by_chance():
    same, renamed = [1, 1, 2, 2, 3, 3], list("aabbcc")
    assert adjusted_mutual_information(same, renamed) == pytest.approx(1)
    assert adjusted_rand_index(same, renamed) == pytest.approx(1)
    crossed = [1, 2, 3, 1, 2, 3]
    assert adjusted_mutual_information(same, crossed) < 0.1
    assert adjusted_rand_index(same, crossed) < 0.1
    assert adjusted_mutual_information(same, [1] * 6) == pytest.approx(0)


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="ROUNDTABLE_FRESHWIKI names no folder of arranged articles")
async def test_articles_are_arranged_about_as_people_did():
    articles = [Article.read(file) for file in sorted((Path(DATA) / "gold").glob("*.json"))]
    settings = MapSettings()
    placed = [await placing(article, settings) for article in articles]
    assert statistics.mean(node for node, _, _ in placed) >= 0.615
    assert statistics.mean(branch for _, branch, _ in placed) >= 0.735
    scores = [agreement(article, await grown(article, 0, settings)) for article in articles]
    assert statistics.mean(ami for ami, _ in scores) >= 0.33
    assert statistics.mean(ari for _, ari in scores) >= 0.24
