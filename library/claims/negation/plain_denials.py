"""Is all that a sentence denies said in another one, or only a part of it, of something else?"""

from library.claims.negation.parsed_sentence import CLAUSE_ENDS, cues_of, parsed

_NARROWS = frozenset(("that", "which", "who", "whom", "whose", "whether", "if", "when", "where"))
"""Before a negation: it tells which things are meant (`rows that could not be matched`), or when."""

_JOINS = frozenset(("and", "but", "because", "since", "so"))
"""Behind what is denied: another clause begins."""


def denies_all_of(denial: str, said: str, language: str) -> bool:
    """Tell whether what a sentence denies, to the end of its clause, stands in another one, word by word.

    `It has no integrated payroll system` does not deny `It has an integrated payment system`.

    Args:
        denial: A sentence with one negation, in its main clause; of others nothing can be told.
        said: What may say the contrary.
        language: ISO 639-1 code.
    """
    if cues_of(language) is None:
        return False
    one, other = parsed(denial, language), parsed(said, language)
    if len(one.denies) != 1 or other.denies:
        return False
    [at] = one.denies
    words = [word.casefold() for word in one.words]
    if not _NARROWS.isdisjoint(words[:at]):
        return False
    end = next((n for n in range(at + 1, len(words)) if words[n] in CLAUSE_ENDS | _JOINS), len(words))
    denied = {root for root in one.roots[at:end] if root}
    return bool(denied) and denied <= other.content
