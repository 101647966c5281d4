"""The months' names."""

MONTHS = (
    "january januar janvier enero gennaio janeiro januari jan",
    "february februar février febrero febbraio fevereiro februari feb",
    "march märz mars marzo março maart mar",
    "april avril abril aprile apr",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho jun",
    "july juli juillet julio luglio julho jul",
    "august août agosto augustus aug",
    "september septembre septiembre settembre setembro sept sep",
    "october oktober octobre octubre ottobre outubro oct",
    "november novembre noviembre novembro nov",
    "december dezember décembre diciembre dicembre dezembro dec",
)
"""January to December, each in English first, then German, French, Spanish, Italian, Portuguese and Dutch."""
ENGLISH_MONTHS = tuple(names.split()[0] for names in MONTHS)
"""Written out, in small letters."""
ABBREVIATED = (*["jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"],)
"""As English shortens them, in small letters and without the stop."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""In English, in small letters."""
