"""The names of months and weekdays, in the languages that the readers know."""

from functools import cache

from library.text.quantities.quantity_data import table

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""In English, in small letters."""
_ENGLISH = table("months")["en"]
ENGLISH_MONTHS: tuple[str, ...] = tuple(_ENGLISH["wide"])
"""Written out, in small letters."""
ABBREVIATED: tuple[str, ...] = tuple(form for forms in _ENGLISH["short"] for form in forms.split())
"""As English shortens them, in small letters and without the stop."""


DATE_LANGUAGES = frozenset(table("months")) | {"zh", "ja", "ko"}
"""Languages whose dates are read; Chinese, Japanese and Korean write months with digits."""


@cache
def month_names(*, short: bool) -> dict[str, int]:
    """Return the month (1 to 12) of each name, folded and without the stop.

    Args:
        short: With the abbreviations of every language; without, those of English alone, which are no words.
    """
    found: dict[str, int] = {}
    for language, names in table("months").items():
        widths = ["wide", "short"] if short or language == "en" else ["wide"]
        for width in widths:
            for month, forms in enumerate(names[width], 1):
                for form in forms.split():
                    found.setdefault(form.replace("_", " "), month)
    return found
