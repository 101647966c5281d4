"""The words that a report says by itself, in each language that it can say them in."""

from dataclasses import dataclass

from library.text import phrases_in


@dataclass(frozen=True, slots=True)
class ReportPhrases:
    """One language's words. Names in braces are filled with `str.format`."""

    lead: str
    disagree: str
    disagree_opening: str
    disagree_further: str
    disagree_columns: tuple[str, str, str]
    value: str
    share: str
    year: str
    date: str
    name: str
    asked: str
    asked_nothing: str
    asked_nearest: str
    open: str
    made: str
    bibliography: str
    more: str
    found: str
    quotations_note: str
    stopped_note: str
    versions_note: str
    """Says which version of a manual the sources are of."""
    empty_note: str
    retrieved: str
    saved: str
    computed: str
    """In the place of the address of a computation."""
    computed_on: str
    unaddressed: str
    """In the place of an address that a program could not find, and said so."""
    retracted: str
    corrected: str
    rests_retracted: str
    rests_corrected: str
    rests_doubted: str
    rests_older: str
    """Said where only an older version of a page says it."""
    doubted_count: str
    preferred_count: str
    kinds_of_sources: str
    kinds_untold: str
    kind_paper: str
    kind_official: str
    kind_reference: str
    kind_news: str
    kind_forum: str
    kind_own: str
    copies: str
    changed_since: str
    changed_opening: str
    compared: str
    compared_and: str
    compared_opening: str
    changed_columns: tuple[str, str, str]
    changed_new: str
    changed_gone: str
    changed_more: str
    source_gone: str
    source_unreachable: str
    undated: str
    undated_short: str
    passages: str
    page: str
    contents: str
    live: str
    unsupported: str
    partial: str
    quoted_under: str
    no_answer: str
    nearest: str
    unanswered: str
    look_for: str
    experts: str
    work: str
    cited_of: str
    numbers_kept: str
    """Where fewer sources are cited than were read."""
    work_asked: str
    requests: str
    requests_cost: str
    embedded: str
    limits: str
    """Where all that is quoted is code."""
    checked: str
    checked_quoted: str
    checked_code: str
    checked_supported: str
    checked_inferred: str
    checked_partial: str
    checked_unsupported: str
    checked_unchecked: str
    checked_retracted: str
    checked_uncited: str
    checked_dropped: str
    checked_told: str
    checked_and: str
    all_quoted: str
    resting: str
    step_left_out: str
    unsaid: str
    unsaid_and: str
    left_unsupported: str
    left_untold: str
    left_unchosen: str
    comma: str
    colon: str
    stop: str

    @property
    def between(self) -> str:
        """What parts two sentences: a space, but none where a full stop is as wide as one."""
        return "" if self.stop == "。" else " "

    @property
    def ended(self) -> str:
        """A full stop with what follows it."""
        return self.stop + self.between


def phrases_for(language: str) -> ReportPhrases:
    """Return the words for a language code; English ones for languages that have none."""
    return phrases_in(language, ReportPhrases, "report")
