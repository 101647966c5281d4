"""What is said of experts in the few words of the embedded model."""

import pytest

from agents import wording
from agents.expert_phrases import told_of


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_role_that_repeats_the_name_gives_way_to_what_the_expert_looks_at(language: str) -> None:
    view = wording(language).asked[0]
    name, role = view.name.format(subject="tides"), view.role.format(subject="tides")
    assert told_of(name, role, "tides, moon, harbours") == "tides, moon, harbours"
    assert told_of(name, role, "tides") == role
    assert told_of(name, role, "") == role
    assert told_of(name, "Measures tides since 1990", "moon") == "Measures tides since 1990"
    assert told_of("Ada", "Botanist", "leaves") == "Botanist"
