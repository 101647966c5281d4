"""The bibliography for other programs: CSL-JSON, and from it BibTeX and RIS."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import unquote

from library import Evidence, Source, shown_address
from reports.cite.people import people
from reports.cite.source_numbering import bibliography
from reports.document import Report
from reports.export.json import dumps
from reports.visible_text import host, plain, web_address

_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")


def csl(report: Report, evidence: Evidence) -> list[dict[str, Any]]:
    """Return the sources that a report cites as CSL items, in the order of their numbers."""
    entries = bibliography(report, evidence).entries
    keys = _keys(entry.source for entry in entries)
    return [_item(entry.source, key, entry.number) for entry, key in zip(entries, keys, strict=True)]


def csl_json(report: Report, evidence: Evidence) -> str:
    """Return the bibliography as CSL-JSON."""
    return dumps(csl(report, evidence))


def _item(source: Source, key: str, number: int) -> dict[str, Any]:
    work = source.work
    item: dict[str, Any] = {
        "id": key,
        "type": (work.kind or "article") if work else "webpage" if web_address(source.url) else "document",
        "citation-number": str(number),
        "title": plain((source.title or source.url).removesuffix(" (abstract)" if work else "")),
    }
    if authors := _authors(source):
        item["author"] = authors
    # What is kept of a file of one's own is the file's date: it is of then, and nobody looked at it then.
    issued = source.published or (source.retrieved if source.private else "")
    for field, date in (("issued", issued), ("accessed", "" if source.private else source.retrieved)):
        if parts := _parts(date):
            item[field] = {"date-parts": [parts]}
    if address := web_address(source.url):
        item["URL"] = address
        item["container-title"] = plain(host(address))
    elif source.url.startswith("file:"):
        item["URL"] = plain(source.url)
    elif not work:
        item["note"] = plain(shown_address(source.url))
    if work:
        item |= {"DOI": plain(work.doi)} if work.doi else {}
        item |= {"container-title": plain(work.venue)} if work.venue else {}
        item |= {"note": work.became} if work.became else {}
    return item


def _authors(source: Source) -> list[dict[str, str]]:
    work = source.work
    return people("; ".join(work.authors) if work and work.authors else source.author)


def _parts(date: str | None) -> list[int]:
    found = _DATE.match(date or "")
    return [int(part) for part in found.groups() if part] if found else []


def _keys(sources: Iterable[Source]) -> list[str]:
    """Return a key for each source, unique, of letters and digits: `merrow2021`."""
    taken: dict[str, int] = {}
    keys = []
    for source in sources:
        name = next(iter(_authors(source)), {})
        site = host(source.url) if web_address(source.url) else ""
        word = name.get("family") or name.get("literal") or site
        base = _folded(word) if word else _titled(source)
        base += "".join(map(str, _parts(source.published)[:1]))
        taken[base] = taken.get(base, 0) + 1
        keys.append(base if taken[base] == 1 else f"{base}-{taken[base]}")
    return keys


def _folded(word: str) -> str:
    plain_letters = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]", "", plain_letters)[:24] or "source"


def _titled(source: Source) -> str:
    """Return a key made of a title's first words, or of a file's name where those have no Latin letters."""
    for words in (plain(source.title), unquote(source.url.rpartition("/")[2]).rpartition(".")[0]):
        parts = [part for word in words.split() if (part := _folded(word)) != "source"]
        if parts:
            return "-".join(parts[:_WORDS])
    return "source"


_WORDS = 4
"""Words of a title that make a key."""
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def tex(text: str) -> str:
    """Return text as TeX that shows it."""
    return "".join(_TEX.get(c, c) for c in plain(text))


def bibtex(report: Report, evidence: Evidence) -> str:
    """Return the bibliography as BibTeX (biblatex fields, UTF-8)."""
    return "\n".join(map(_bibtex_entry, csl(report, evidence)))


def _bibtex_entry(item: dict[str, Any]) -> str:
    fields = {"title": f"{{{tex(item['title'])}}}"}
    if authors := item.get("author"):
        fields["author"] = " and ".join(map(_bibtex_name, authors))
    if "issued" in item:
        fields["date"] = _iso(item["issued"]["date-parts"][0])
    if "URL" in item:
        fields["url"] = _bare(item["URL"])
    if "accessed" in item:
        fields["urldate"] = _iso(item["accessed"]["date-parts"][0])
    kind = _BIBTEX.get(item["type"], "online")
    if "DOI" in item:
        fields["doi"] = _bare(item["DOI"])
    if "note" in item:
        fields["note"] = tex(item["note"])
    if kind != "online" and "container-title" in item:
        fields[_WITHIN.get(kind, "howpublished")] = f"{{{tex(item['container-title'])}}}"
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{item['id']},\n{lines}}}\n"


_BIBTEX = {
    "article-journal": "article", "article": "online", "paper-conference": "inproceedings", "book": "book",
    "chapter": "incollection", "report": "report", "thesis": "thesis", "dataset": "dataset",
}  # fmt: skip
"""The type of an entry by CSL's; a preprint is online, as biblatex has it."""
_WITHIN = {"article": "journaltitle", "inproceedings": "booktitle", "incollection": "booktitle"}
_RIS = {
    "article-journal": "JOUR", "article": "UNPB", "paper-conference": "CPAPER", "book": "BOOK",
    "chapter": "CHAP", "report": "RPRT", "thesis": "THES", "dataset": "DATA",
}  # fmt: skip


def _bibtex_name(name: dict[str, str]) -> str:
    if "literal" in name:
        return f"{{{tex(name['literal'])}}}"
    return f"{{{tex(name['family'])}}}, {{{tex(name['given'])}}}"


def _bare(url: str) -> str:
    """Return an address that holds no character of BibTeX: those are percent-encoded."""
    return url.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C").replace('"', "%22")


def _iso(parts: Sequence[int]) -> str:
    return "-".join(f"{part:02d}" for part in parts)


def ris(report: Report, evidence: Evidence, stem: str = "") -> str:
    """Return the bibliography as RIS; with the stem of its file, texts as they were read lie beside it."""
    works: dict[object, list[dict[str, Any]]] = {}
    for item in csl(report, evidence):
        works.setdefault(_of_work(item), []).append(item)
    return "".join(_ris_entry(items, stem) for items in works.values())


def _of_work(item: dict[str, Any]) -> object:
    """Return what a work is known by, of which several texts may be cited: a manager holds it once."""
    if "DOI" in item:
        return item["DOI"].casefold()
    if "author" in item:
        return item["title"].casefold(), str(item["author"]), str(item.get("issued"))
    return item["id"]


def archived_texts(report: Report, evidence: Evidence, stem: str) -> dict[str, bytes]:
    """Return the texts of a report's sources as they were read, by the names of files beside its RIS."""
    entries = bibliography(report, evidence).entries
    items = csl(report, evidence)
    return {
        _text_name(stem, item): entry.source.text.encode("utf-8", "replace")
        for entry, item in zip(entries, items, strict=True)
    }


def _text_name(stem: str, item: dict[str, Any]) -> str:
    return f"{stem}-{item['id']}.txt"


def _ris_entry(items: Sequence[dict[str, Any]], stem: str) -> str:
    item = items[0]
    lines = [("TY", _RIS.get(item["type"], "ELEC")), ("ID", item["id"]), ("TI", item["title"])]
    for name in item.get("author", []):
        given = f", {name['given']}" if name.get("given") else ""
        lines.append(("AU", name.get("literal") or f"{name['family']}{given}"))
    if "issued" in item:
        parts = item["issued"]["date-parts"][0]
        lines += [("PY", str(parts[0])), ("DA", "/".join(f"{part:02d}" for part in parts))]
    if "URL" in item:
        lines.append(("UR", item["URL"]))
    if "container-title" in item:
        lines.append(("T2", item["container-title"]))
    if "DOI" in item:
        lines.append(("DO", item["DOI"]))
    if "note" in item:
        lines.append(("N1", item["note"]))
    if stem:
        lines += (("L1", _text_name(stem, each)) for each in items)
    if "accessed" in item:
        lines.append(("Y2", "/".join(f"{part:02d}" for part in item["accessed"]["date-parts"][0])))
    return "".join(f"{tag}  - {value}\r\n" for tag, value in lines) + "ER  - \r\n\r\n"
