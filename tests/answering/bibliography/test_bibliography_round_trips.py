"""BibTeX, RIS and CSL-JSON: what is written is read back as it was, whatever the texts hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from bibliography_works import Item, date, person, read, read_csl, write
from hypothesis import given, settings
from hypothesis import strategies as st

TYPES = (
    "article-journal",
    "article",
    "book",
    "chapter",
    "paper-conference",
    "report",
    "thesis",
    "webpage",
    "dataset",
    "software",
    "document",
)
SPECIAL = "\\{}$&#_%~-–—@=,;:[]()|/!?.* äéßøĳ日本🙂aZ09"
# LaTeX has one sign for straight and for curly quotes, and makes a dash of two hyphens.
text = st.text(st.sampled_from(SPECIAL), min_size=1, max_size=30).map(
    lambda made: " ".join(made.replace("--", "- ").split())
)
text = text.filter(bool)
word = st.text(st.sampled_from("abcdeéöØ日ÁÇ\\{}&%"), min_size=1, max_size=8)
# A capital begins each part, as small words are particles, and no name is `others`.
ENCODABLE = st.characters(exclude_categories=["Cs"])
part = word.map(lambda made: f"X{made}")
dates = st.dates().map(lambda day: date(day.year, day.month, day.day)) | st.integers(1, 9999).map(date)
people = st.builds(person, part, part, st.sampled_from(["", "van", "de la"]))
people |= st.builds(person, part, part, st.just(""), st.sampled_from(["Jr.", "III"]))


def _items(literal: st.SearchStrategy[str], types: Sequence[str] = TYPES) -> st.SearchStrategy[Item]:
    names = st.lists(people | literal.map(lambda name: {"literal": name}), min_size=1, max_size=4)
    known: dict[str, st.SearchStrategy[Any]] = dict.fromkeys(
        ("title", "container-title", "publisher", "publisher-place", "volume", "edition", "language"), text
    )
    known |= {"author": names, "editor": names, "issued": dates, "accessed": dates}
    known["page"] = st.sampled_from(["7", "583-589", "e12-e19"])
    known["DOI"] = st.sampled_from(["10.1000/xyz_123", "10.1002/(SICI)1097#5"])
    known["ISSN"] = st.just("1234-567X")
    key = st.text("abcXYZ019:.-_", min_size=1, max_size=10).map(lambda made: f"k{made}k")
    return st.fixed_dictionaries({"id": key, "type": st.sampled_from(types)}, optional=known)


@settings(max_examples=60)
@given(_items(text))
def test_bibtex_gives_back_what_it_was_given(item: Item) -> None:
    if item["type"] == "article":  # a preprint is known by its number
        item = item | {"number": "arXiv:1706.03762"}
    assert read("bib", write("bibtex", item)) == [item]


@given(_items(text.filter(lambda name: "," not in name)))
def test_ris_gives_back_what_it_was_given(item: Item) -> None:
    assert read("ris", write("ris", item)) == [item]


@settings(max_examples=60)
@given(_items(text))
def test_csl_json_gives_back_what_it_was_given(item: Item) -> None:
    (again,) = read("json", write("csl-json", item))
    assert again == item


@settings(max_examples=30)
@given(st.lists(_items(text, ("book",)), max_size=3, unique_by=lambda item: item["id"]))
def test_several_entries_in_one_file_stay_several(items: list[Item]) -> None:
    assert read("bib", write("bibtex", *items)) == items
    assert [item["id"] for item in read("ris", write("ris", *items))] == [item["id"] for item in items]


@given(st.text(st.sampled_from('@article{book,}="#\\ \nkey1ER  - TY')) | st.text(ENCODABLE, max_size=200))
def test_any_text_is_read_without_a_crash(raw: str) -> None:
    for item in (*read("bib", raw), *read("ris", raw), *read("ris", f"TY  - JOUR\n{raw}\nTY  - \n{raw}")):
        assert item["id"]


def test_bibtex_as_people_write_it_is_read() -> None:
    [macro_user, other] = read(
        "bib",
        r"""
        @comment{not this @book{one, title={x}} }
        @string{nat = "Nature"}
        @Article{Jumper2021,
          author    = {Jumper, John and {DeepMind Team} and Evans, Jr., R. and
                       Fran\c{c}ois M{\"u}ller and others},
          title     = "Highly {A}ccurate \emph{protein} prediction -- a {\'e}tude, 50% off",
          journal   = nat # { Letters},
          year = 2021, month = jul, pages = {583--589},
          doi = {https://doi.org/10.1038/s41586-021-03819-2},
          howpublished = {\url{https://example.org/a_b}},
        }
        @misc(arx, title={Attention}, eprint={1706.03762}, archivePrefix={arXiv}, date={2017-06-12})
    """,
    )
    assert macro_user == {
        "id": "Jumper2021",
        "type": "article-journal",
        "title": "Highly Accurate protein prediction – a étude, 50% off",
        "author": [
            person("Jumper", "John"),
            {"literal": "DeepMind Team"},
            person("Evans", "R.", suffix="Jr."),
            person("Müller", "François"),
        ],
        "container-title": "Nature Letters",
        "publisher": "https://example.org/a_b",
        "issued": date(2021, 7),
        "page": "583-589",
        "DOI": "10.1038/s41586-021-03819-2",
    }
    assert (other["type"], other["number"]) == ("article", "arXiv:1706.03762")
    assert other["issued"] == date(2017, 6, 12)


def test_ris_as_databases_export_it_is_read() -> None:
    [first, second] = read(
        "ris",
        "\ufeff1.\r\nTY  - JOUR\r\nT1  - Leakage in\r\n  networks\r\nA1  - Smith, A.\r\nAU  - Doe, J.\r\n"
        "PY  - 2019/05//\r\nJF  - Water\r\nSP  - 1\r\nEP  - 9\r\nSN  - 1234-5678\r\nUR  - http://a.b/c;d\r\n"
        "TY  - BOOK\r\nTI  - The end was forgotten",
    )
    assert (first["title"], first["container-title"]) == ("Leakage in networks", "Water")
    assert first["author"] == [person("Smith", "A."), person("Doe", "J.")]
    assert (first["issued"], first["page"], first["ISSN"]) == (date(2019, 5), "1-9", "1234-5678")
    assert first["URL"] == "http://a.b/c;d"
    assert (second["type"], second["title"]) == ("book", "The end was forgotten")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024-03-01", date(2024, 3, 1)),
        ("2024-13-01", date(2024)),
        ("2023-02-30", date(2023, 2)),
        ("1 March 2024", date(2024, 3, 1)),
        ("Mar. 3rd, 2024", date(2024, 3, 3)),
        ({"date-parts": [["2024", 3, None]]}, date(2024, 3)),
        ({"raw": "2024-03"}, date(2024, 3)),
        ({"date-parts": [[]]}, None),
        ("spring", None),
        ("20240301999", None),
    ],
)
def test_a_date_is_read_as_far_as_it_is_one(written: Any, expected: Any) -> None:
    assert read_csl({"issued": written})[0].get("issued") == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Smith, Jane", person("Smith", "Jane")),
        ("Jane Q. Smith", person("Smith", "Jane Q.")),
        ("Ludwig van Beethoven", person("Beethoven", "Ludwig", "van")),
        ("de la Cruz, Ana", person("Cruz", "Ana", "de la")),
        ("UNESCO", {"literal": "UNESCO"}),
        ("City Works", {"literal": "City Works"}),
    ],
)
def test_a_name_is_read_in_its_parts(written: str, expected: dict[str, str]) -> None:
    assert read_csl({"author": [written]})[0]["author"] == [expected]
