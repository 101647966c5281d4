"""Contradictions in other words: by meaning, by opposites, of places in an order, of who did it."""

import hashlib

import pytest

from library.claims.disagreement.contradiction_detection import Contradiction, contradictions
from library.evidence import Passage, Source
from library.passages.chunking import cut
from library.text.similarity.tfidf import TextStatistics


def document(title: str, text: str) -> list[Passage]:
    sha256 = hashlib.sha256(f"{title}{text}".encode()).hexdigest()
    return cut(Source(sha256, f"file:{title}", title, text))


def found(one: str, other: str) -> list[Contradiction]:
    both = [*document("The town of Tolvik", one), *document("A visit to Tolvik", other)]
    return contradictions(both, [], TextStatistics())


OTHER_WORDS = {
    "by meaning": (
        "Patients received 40 mg of Tolvitan every morning.",
        "The dose of Tolvitan was 60 mg every morning. Most patients were older than fifty.",
    ),
    "a clause of its own behind the figure": (
        "Olav Tveit died aged 66, a year after the harbour of Tolvik had been finished.",
        "Olav Tveit, who never married, died at the age of 72.",
    ),
    "a place in an order": (
        "The Maren Bridge is the second longest bridge of the valley.",
        "The Maren Bridge is the fourth longest bridge of the valley.",
    ),
    "the first place": (
        "The Maren mill is the oldest mill of the county.",
        "The Maren mill is the third oldest mill of the county.",
    ),
    "a doer behind who he was": (
        "The Maren mill was founded by the carpenter Edwin Pell.",
        "The Maren mill was founded by Josef Amery.",
    ),
    "who won": (
        "In 2019 the Tolvik regatta was won by Edwin Pell.",
        "Josef Amery won the Tolvik regatta of 2019.",
    ),
    "a post by its form": (
        "Edwin Pell, the head gardener at Maren Park, plants in May.",
        "The head gardener at Maren Park is Josef Amery.",
    ),
    "an opposite": (
        "Remote login on the Maren gateway is disabled after installation.",
        "Remote login on the Maren gateway is enabled after installation.",
    ),
    "one clause of several": (
        "The Maren tower was built of oak, and the upper hall of Maren is not heated in winter.",
        "The upper hall of Maren is heated in winter.",
    ),
    "a denial with more behind it": (
        "The Maren dike does not protect the lower fields from floods, as it was made for cattle and goats.",
        "It is the Maren dike that protects the lower fields of the valley from floods.",
    ),
    "a denial in few words": (
        "Archiving is disabled by default.",
        "In Tolvik, archiving is enabled by default.",
    ),
    "switched on": (
        "Remote login on the Maren gateway is off by default.",
        "Remote login on the Maren gateway is switched on by default.",
    ),
    "one noun with another verb": (
        "The Maren carries 350 passengers and 60 cars.",
        "The ferry Maren takes up to 280 passengers; in winter, the Frida takes 190 passengers.",
    ),
    "what one of them does not call by its name": (
        "The Maren server accepts messages of up to 25 MB.",
        "The largest message that the Maren server takes is 50 MB.",
    ),
    "when it was founded": (
        "Maren Dairy was founded in 1997 by two sisters.",
        "Founded in 1993, Maren Dairy has become the largest one of Tolvik.",
    ),
    "half an hour": (
        "Charging the batteries of the Tolvik bus takes seven hours.",
        "Charging the batteries of the Tolvik bus takes three and a half hours.",
    ),
    "a town that is told of beside": (
        "Maren Dairy, which has its seat in Lund, employs 190 people.",
        "Maren Dairy employs 240 people.",
    ),
    "thousands": (
        "A single Maren gateway serves 3,000 clients.",
        "A single Maren gateway can serve at most 800 clients.",
    ),
    "a count behind by": (
        "Maren Dairy was founded in 1991 by three brothers.",
        "Maren Dairy was founded in 1986 by three brothers.",
    ),
    "an opposite at the same times": (
        "The Maren mill of Tolvik is closed on Sundays in winter.",
        "The Maren mill of Tolvik is open on Sundays in winter.",
    ),
    "what was won, in a title": (
        "Edwin Pell won the Tolvik regatta.",
        "In Tolvik the regatta was won by Josef Amery.",
    ),
    "a number that names one of them": (
        "The Maren gateway listens on port 4810 for clients.",
        "The Maren gateway listens for clients on port 4880.",
    ),
}


@pytest.mark.parametrize("kind", OTHER_WORDS)
def test_a_contradiction_in_other_words_is_found(kind: str) -> None:
    assert found(*OTHER_WORDS[kind])


NO_CONTRADICTIONS = {
    "a place among others": (
        "The Maren Bridge is the second longest bridge of the valley.",
        "The Maren Bridge is the fourth longest bridge in the country.",
    ),
    "one of the first": (
        "The Maren mill is one of the oldest mills of the county.",
        "The Maren mill is the third oldest mill of the county.",
    ),
    "another order": (
        "The Maren Bridge is the second longest bridge of the valley.",
        "The Maren Bridge is the fourth oldest bridge of the valley.",
    ),
    "with what else": (
        "The Pellan tablet costs 499 euros.",
        "We paid 649 euros for the Pellan tablet with a keyboard.",
    ),
    "a word that only ends like a superlative": (
        "The second priest of Maren kept bees.",
        "The third priest of Maren kept bees.",
    ),
    "a word that only ends like one, said of something": (
        "Edwin Pell was the second arrest of the Maren case.",
        "Edwin Pell was the third arrest of the Maren case.",
    ),
    "a forest": (
        "The Maren camp is the rainforest of the county.",
        "The Maren camp is the third rainforest of the county.",
    ),
    "a place that tells which one is meant": (
        "The second longest bridge of Maren has two lanes.",
        "The third longest bridge of Maren has two lanes.",
    ),
    "another race": (
        "Edwin Pell won the swimming race of Maren.",
        "Josef Amery won the rowing race of Maren.",
    ),
    "another prize": (
        "Edwin Pell won the Maren race.",
        "Josef Amery won the Maren prize for novels.",
    ),
    "another class": (
        "Edwin Pell won the men's singles at Maren.",
        "Josef Amery won the doubles at Maren.",
    ),
    "a part of what was built": (
        "The Maren mill was designed by Edwin Pell.",
        "The tower of the Maren mill was designed by Josef Amery.",
    ),
    "what may be so": (
        "Remote login on the Maren gateway is enabled.",
        "Remote login on the Maren gateway can be disabled.",
    ),
    "another time of the week": (
        "The gate of Maren is open from May.",
        "The gate of Maren is closed on Mondays.",
    ),
    "another part of the day": (
        "The upper gate of Maren is open.",
        "The upper gate of Maren is closed at night.",
    ),
    "while something else goes on": (
        "Remote login on the Maren gateway is enabled.",
        "Remote login on the Maren gateway is disabled during backups.",
    ),
    "a denied opposite": (
        "Remote login on the Maren gateway is not disabled after installation.",
        "Remote login on the Maren gateway is enabled after installation.",
    ),
    "what is counted of them": (
        "In all 4,300 houses of Tolvik were without power.",
        "Nearly 90 houses of Tolvik were badly burnt.",
    ),
    "a denial of something else": (
        "The Maren program has an integrated ticket system.",
        "The Maren program does not have an integrated payroll system.",
    ),
    "another measure": (
        "In 2021 the turnover of Maren Dairy was 41 million euros.",
        "In 2021 the gain of Maren Dairy was 3 million euros.",
    ),
}


@pytest.mark.parametrize("kind", NO_CONTRADICTIONS)
def test_what_only_looks_like_one_is_none(kind: str) -> None:
    assert found(*NO_CONTRADICTIONS[kind]) == []
