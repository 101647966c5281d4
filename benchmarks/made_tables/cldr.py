"""Make `library/text/data/months.toml`, `units.toml` and `currencies.toml` from Unicode's CLDR.

    python benchmarks/made_tables/cldr.py

Names come from the CLDR that Babel carries (Unicode License v3); what a unit is worth, and the signs and
words that CLDR does not list, stand in `benchmarks/inputs`. Run it again when a language is added.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from babel import Locale
from babel.core import get_global

_ROOT = Path(__file__).resolve().parents[2]
_DATA = _ROOT / "library" / "text" / "data"
_MONTHS = "en de fr es it pt nl sv da pl cs tr id vi ru uk el ar he hi".split()  # noqa: SIM905
_UNITS = "en en_GB zh de fr".split()  # noqa: SIM905
_CURRENCIES = "en en_GB zh".split()  # noqa: SIM905
_HEAD = "# Made by benchmarks/made_tables/cldr.py from CLDR (Unicode License v3).\n"
_CURRENCY_SIGNS = _ROOT / "benchmarks" / "inputs" / "currencies.toml"


def months_of(language: str) -> dict[str, list[str]]:
    """Return a language's months, January first: `wide` names, and `short` ones that are no wide ones."""
    names = Locale(language).months
    found = {}
    for width in ("wide", "abbreviated"):
        both = [[names[context][width][n] for context in ("format", "stand-alone")] for n in range(1, 13)]
        found[width] = [_folded(forms) for forms in both]
    short = [
        [form for form in forms if form not in wide and len(form) > 2 and not form[-1].isdigit()]
        for forms, wide in zip(found["abbreviated"], found["wide"], strict=True)
    ]
    return {"wide": list(map(_joined, found["wide"])), "short": list(map(_joined, short))}


def units_of(language: str) -> dict[str, list[str]]:
    """Return a language's words for each unit."""
    patterns = Locale(language)._data["unit_patterns"]  # noqa: SLF001
    found: dict[str, list[str]] = {}
    for name in patterns:
        widths = dict(patterns[name])
        forms = dict(widths.get("long") or (widths.get("short", {}) if language == "zh" else {}))
        words = [str(form) for key, form in forms.items() if key in ("one", "few", "many", "other")]
        found[name] = [word.replace("{0}", "").strip() for word in words if word.startswith("{0}")]
    if not language.startswith("en"):  # `an` and `ans` are years in French
        return {name: [w for w in words if not (w.isascii() and len(w) < 4)] for name, words in found.items()}
    return found


def currencies_of(language: str) -> dict[str, list[str]]:
    """Return a language's names of each currency."""
    locale = Locale(language)
    plurals = locale._data["currency_names_plural"]  # noqa: SLF001
    names = locale.currencies.items()
    return {code: [name, *dict(plurals.get(code, {})).values()] for code, name in names}


def main() -> None:
    """Write the files. Each language is read by a process of its own: Babel mixes up what they inherit."""
    with ProcessPoolExecutor(1, max_tasks_per_child=1) as pool:
        months = dict(zip(_MONTHS, pool.map(months_of, _MONTHS), strict=True))
        british = pool.submit(months_of, "en_GB").result()["short"]  # it has `sept`
        months["en"]["short"] = [
            _joined(_folded(f"{one} {other}".split()))
            for one, other in zip(months["en"]["short"], british, strict=True)
        ]
        units = list(pool.map(units_of, _UNITS))
        names = list(pool.map(currencies_of, _CURRENCIES))
    _write("months", months)
    own = tomllib.loads((_ROOT / "benchmarks" / "inputs" / "units.toml").read_text(encoding="utf-8"))
    for name, unit in own.items():
        words = [word for known in units for word in known.get(name, [])]
        unit["words"] = _folded([*unit.get("words", []), *words])
    _write("units", own)
    territories = get_global("territory_currencies").values()
    used = sorted({row[0] for rows in territories for row in rows if row[2] is None and row[3]})
    signs = tomllib.loads(_CURRENCY_SIGNS.read_text(encoding="utf-8"))
    words = {code: _folded(w for known in names for w in known.get(code, [])) for code in used}
    _write("currencies", {code: {**signs.get(code, {}), "names": words[code]} for code in used})


def _joined(forms: list[str]) -> str:
    return " ".join(form.replace(" ", "_") for form in forms)


def _folded(forms: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(" ".join(form.casefold().rstrip(".").split()) for form in forms if form))


def _write(name: str, tables: Mapping[str, Mapping[str, object]]) -> None:
    lines = [_HEAD]
    for table, values in tables.items():
        lines.append(f"[{table}]")
        lines += [
            f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items() if value
        ]
        lines.append("")
    (_DATA / f"{name}.toml").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
