"""Which passages are notes on releases that nobody asks about: they share words with every question."""

from collections.abc import Mapping

from library import Passage, Source
from library.passages import in_release_notes
from library.text import asks_of_versions


def on_releases(admitted: Mapping[str, Passage], sources: Mapping[str, Source], question: str) -> set[str]:
    """Return the ids of the passages that stand in a list of releases; none where versions are asked for.

    Args:
        admitted: What may be shown, by id.
        sources: The texts that they stand in, by sha256; of one that is not there nothing is known.
        question: What is asked; a release that it names is no other matter.
    """
    if asks_of_versions(question):
        return set()
    held = ((i, p, sources.get(p.sha256)) for i, p in admitted.items())
    return {i for i, p, source in held if source and in_release_notes(source.text, p.start, question)}
