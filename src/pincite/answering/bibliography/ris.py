"""RIS by rispy: two letters, a dash and a value on each line, as databases export references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pincite.answering.bibliography.item import FIELDS, LONGEST, MOST_ITEMS, TYPES, Item, clean_item, iso_date
from pincite.errors import MissingExtraError, TooLargeError

_TAG = re.compile(r"[A-Z][A-Z0-9]  -")
_KINDS = {tag: kind for kind, (_, tags) in TYPES.items() for tag in tags.split()}
# rispy knows its names in small letters alone.
_WRITTEN = {names.ris.split()[0]: field.lower() for field, names in FIELDS.items() if names.ris}
_WRITTEN |= {"TY": "type", "ID": "id", "EP": "last-page", "PY": "year"}
_READ = {tag: field.lower() for field, names in FIELDS.items() for tag in names.ris.split()}
_READ |= _WRITTEN | {"Y1": "year"}
_LISTS = ["AU", "A1", "ED", "A2"]


def _rispy() -> Any:
    try:
        import rispy
    except ImportError as error:
        raise MissingExtraError("RIS needs rispy: pip install 'pincite[bibliography]'") from error
    return rispy


def read_ris(text: str, tell: Callable[[str], None] = lambda _: None) -> list[Item]:
    """The entries of a RIS file."""
    if text.count("TY  -") > MOST_ITEMS:
        raise TooLargeError(f"over {MOST_ITEMS:,} entries; divide the file")
    parser = _rispy().RisParser(
        mapping=_READ, list_tags=_LISTS, delimiter_tags_mapping={}, skip_unknown_tags=True
    )
    return [_item(record, f"item{at}") for at, record in enumerate(parser.parse_lines(_lines(text)), 1)]


def _lines(text: str) -> Iterator[str]:
    """Each tag with its value on one line, cut before it is joined, and each entry with its end.

    rispy joins the lines of a value one by one, which takes time with the square of their number.
    """
    held: list[str] = []
    room = 0
    is_open = False
    for line in text.removeprefix("\ufeff").splitlines():
        if _TAG.match(line):
            yield " ".join(held)
            if line.startswith("TY") and is_open:
                yield "ER  - "
            is_open = is_open or line.startswith("TY")
            is_open = is_open and not line.startswith("ER")
            held, room = [line[:LONGEST]], LONGEST - len(line)
        elif room > 0 and (more := line.strip()[:room]):
            held.append(more)
            room -= len(more) + 1
    yield from (" ".join(held), "ER  - ")


def _item(record: dict[str, Any], otherwise: str) -> Item:
    said: Item = {field: record.get(field.lower()) for field in FIELDS}
    for name in ("author", "editor"):
        said[name] = [_name(text) for text in record.get(name, ())]
    page, last = record.get("page", ""), record.get("last-page", "")
    said["page"] = f"{page}-{last}" if last and page != last and "-" not in page else page
    said["issued"] = said["issued"] or record.get("year")
    if not re.fullmatch(r"\d{4}-?\d{3}[\dXx]", number := said["ISSN"] or ""):
        said |= {"ISSN": None, "ISBN": number}
    kind = _KINDS.get(record["type"].upper(), "document")
    return clean_item(said | {"id": record.get("id"), "type": kind}, otherwise)


def _name(text: str) -> Any:
    """`Family, Given, Suffix`; without a comma it is what writes, such as a committee."""
    parts = [part.strip() for part in text.split(",", 3)]
    if len(parts) == 3 and all(parts):
        return f"{parts[0]}, {parts[2]}, {parts[1]}"
    return text if len(parts) == 2 and all(parts) else {"literal": text.strip(", ")}


def write_ris(items: Sequence[Item]) -> str:
    """The items as RIS, with the fields that are known and no others."""
    rispy = _rispy()

    class Writer(rispy.RisWriter):  # type: ignore[misc, name-defined]
        REFERENCE_TYPE_KEY = "type"

        def set_header(self, count: int) -> str:
            return ""  # no line with a number before each entry

    records = [_record(item) for item in items]
    tags = {"mapping": _WRITTEN, "list_tags": _LISTS, "delimiter_tags_mapping": {}}
    return str(rispy.dumps(records, implementation=Writer, **tags))


def _record(item: Item) -> dict[str, Any]:
    record = {field.lower(): value for field, value in item.items() if field != "ISBN"}
    record["type"] = TYPES[item["type"]][1].split()[0]
    for name in {"author", "editor"} & record.keys():
        record[name] = [_written(one) for one in item[name]]
    if "page" in item:
        record["page"], _, last = item["page"].partition("-")
        record |= {"last-page": last} if last else {}
    for name in {"issued", "accessed"} & record.keys():
        record[name] = (iso_date(item[name]).replace("-", "/") + "//")[:10]
    if "issued" in item:
        record["year"] = record["issued"][:4]
    if "ISBN" in item and "ISSN" not in item:
        record["issn"] = item["ISBN"]
    return record


def _written(name: dict[str, str]) -> str:
    if literal := name.get("literal"):
        return literal.replace(",", " ") if literal.count(",") in (1, 2) else literal
    family = f"{name.get('non-dropping-particle', '')} {name['family']}".strip()
    return ", ".join(part for part in (family, name.get("given"), name.get("suffix")) if part)
