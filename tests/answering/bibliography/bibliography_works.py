"""Works that the tests of bibliographies share, and short ways to write names and dates."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pincite.answering import gather, read_reference_file, write_bibliography
from pincite.records import Source

Item = dict[str, Any]


def person(family: str, given: str, particle: str = "", suffix: str = "") -> dict[str, str]:
    parts = {"family": family, "given": given, "non-dropping-particle": particle, "suffix": suffix}
    return {part: text for part, text in parts.items() if text}


def date(*parts: int) -> dict[str, Any]:
    return {"date-parts": [list(parts)]}


ARTICLE = {
    "id": "jumper",
    "type": "article-journal",
    "title": "Highly accurate protein structure prediction with AlphaFold",
    "author": [person("Jumper", "John"), person("Evans", "Richard"), person("Pritzel", "Alexander")],
    "issued": date(2021, 7, 15),
    "container-title": "Nature",
    "volume": "596",
    "issue": "7873",
    "page": "583-589",
    "DOI": "10.1038/s41586-021-03819-2",
}
BOOK = {
    "id": "kr",
    "type": "book",
    "title": "The C programming language",
    "author": [person("Kernighan", "Brian W."), person("Ritchie", "Dennis M.")],
    "issued": date(1988),
    "publisher": "Prentice Hall",
    "publisher-place": "Englewood Cliffs, NJ",
    "edition": "2",
}
PAGE = {
    "id": "water",
    "type": "webpage",
    "title": "Water prices 2024",
    "author": [{"literal": "City Works"}],
    "issued": date(2024, 3, 1),
    "URL": "https://example.org/water",
}
BARE = {"id": "tariff", "type": "document", "title": "Tariff of the city"}


def read(form: str, text: str, tell: Callable[[str], None] = lambda _: None) -> list[Item]:
    """The items of a file with this text and the ending `.bib`, `.ris` or `.json`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"works.{form}")
        path.write_text(text, encoding="utf-8", newline="")
        return read_reference_file(path, tell)


def read_csl(*items: Any) -> list[Item]:
    return read("json", json.dumps(items))


def write(form: str, *items: Item) -> str:
    return write_bibliography(list(enumerate(items, 1)), form=form)


def item_of(source: Source) -> Item:
    """What a list of references says of a source."""
    ((_, item),) = gather({"references": [{"document": source.name}]}, [source])
    return item
