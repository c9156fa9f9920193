"""Works that the tests of bibliographies share."""

from __future__ import annotations

from pincite.answering.bibliography import BibEntry, PartialDate, PersonName

ARTICLE = BibEntry(
    "jumper",
    "article-journal",
    title="Highly accurate protein structure prediction with AlphaFold",
    author=(PersonName("Jumper", "John"), PersonName("Evans", "Richard"), PersonName("Pritzel", "Alexander")),
    issued=PartialDate(2021, 7, 15),
    container_title="Nature",
    volume="596",
    issue="7873",
    page="583-589",
    doi="10.1038/s41586-021-03819-2",
)
BOOK = BibEntry(
    "kr",
    "book",
    title="The C programming language",
    author=(PersonName("Kernighan", "Brian W."), PersonName("Ritchie", "Dennis M.")),
    issued=PartialDate(1988),
    publisher="Prentice Hall",
    publisher_place="Englewood Cliffs, NJ",
    edition="2",
)
PAGE = BibEntry(
    "water",
    "webpage",
    title="Water prices 2024",
    author=(PersonName(literal="City Works"),),
    issued=PartialDate(2024, 3, 1),
    url="https://example.org/water",
)
BARE = BibEntry("tariff", "document", title="Tariff of the city")
