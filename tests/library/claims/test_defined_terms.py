"""What stands under different options is about different things, however alike it is put."""

from library import Passage, TextStatistics
from library.claims import contradictions
from library.claims.defined_terms import defined_above

TTL = "{term}\n\n  Grammar: {term} <duration>;\n\n  The time a zone's records live. The default is 1 hour."
OTHER = "- {term}: The time a zone's records wait between updates. The default is 5 seconds."


def passage(name: str, text: str) -> Passage:
    return Passage(name, 0, len(text), text, f"file:///{name}", "Zone records of the server", id=name)


def test_the_values_of_two_options_are_no_pair_those_of_one_are() -> None:
    first = passage("p1", TTL.format(term="dnskey-ttl"))
    for term, pairs in (("min-update-interval", 0), ("dnskey-ttl", 1)):
        other = passage("p2", OTHER.format(term=term))
        assert len(contradictions([first, other], [], TextStatistics())) == pairs, term


def test_a_term_is_a_typed_name_on_a_line_of_its_own_or_before_a_colon() -> None:
    text = "signatures-refresh\n\nIt is renewed then.\n\n## `--max-age`\n\nOld.\n\nA well-known way to do it."
    assert defined_above(text, text.index("It is")) == "signatures-refresh"
    assert defined_above(text, text.index("Old")) == "--max-age"
    assert defined_above(text, len(text)) == "--max-age"
    assert defined_above("Plain words\n\nand more", 15) == ""
