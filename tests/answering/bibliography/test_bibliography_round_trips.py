"""BibTeX, RIS and CSL-JSON: what is written is read back as it was, whatever the texts hold."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answering.bibliography import BibEntry, PartialDate, PersonName
from pincite.answering.bibliography.bibtex import read_bibtex, write_bibtex
from pincite.answering.bibliography.csl_json import item_of, read_csl_json
from pincite.answering.bibliography.entry import TYPES, clean, read_date, read_person
from pincite.answering.bibliography.latex import from_latex, to_latex
from pincite.answering.bibliography.ris import read_ris, write_ris

SPECIAL = "\\{}$&#_%~^\"'`-–—@=,;:[]<>()|/!?.* äéßøĳ日本🙂aZ09\u0301"
text = st.text(st.sampled_from(SPECIAL) | st.characters(), min_size=1, max_size=30).map(clean).filter(bool)
word = st.text(st.sampled_from("abcdeéöØ日ÁÇ\\{}&%'-"), min_size=1, max_size=8).filter(
    lambda w: clean(w) == w
)
# A capital begins each part, as small words are particles, and no name is `others`.
part = word.map(lambda w: f"X{w}")
dates = st.dates().map(lambda d: PartialDate(d.year, d.month, d.day))
dates |= st.builds(PartialDate, st.integers(1, 9999))
people = st.builds(PersonName, family=part, given=part, particle=st.sampled_from(["", "van", "de la"]))
people |= st.builds(PersonName, family=part, given=part, suffix=st.sampled_from(["Jr.", "III"]))


def _entries(literal: st.SearchStrategy[str], types: tuple[str, ...] = TYPES) -> st.SearchStrategy[BibEntry]:
    names = st.lists(people | st.builds(PersonName, literal=literal), max_size=4).map(tuple)
    maybe = st.none() | text
    return st.builds(
        BibEntry,
        id=st.text("abcXYZ019:.-_", min_size=1, max_size=10).map(lambda i: f"k{i}k"),
        type=st.sampled_from(types),
        title=maybe,
        author=names,
        editor=names,
        issued=st.none() | dates,
        accessed=st.none() | dates,
        container_title=maybe,
        publisher=maybe,
        publisher_place=maybe,
        volume=maybe,
        edition=maybe,
        page=st.none() | st.sampled_from(["7", "583-589", "e12-e19"]),
        doi=st.none()
        | st.sampled_from(["10.1000/xyz_123", "10.1038/s41586-021-03819-2", "10.1002/(SICI)1097#5"]),
        issn=st.none() | st.just("1234-567X"),
        language=maybe,
    )


@given(text)
def test_latex_gives_back_what_it_was_given(value: str) -> None:
    assert from_latex(to_latex(value)) == value


@given(_entries(text))
def test_bibtex_gives_back_what_it_was_given(entry: BibEntry) -> None:
    if entry.type == "article":  # a preprint is known by its number
        entry = msgspec.structs.replace(entry, number="arXiv:1706.03762")
    assert read_bibtex(write_bibtex(entry)) == [entry]


@given(_entries(text.filter(lambda name: "," not in name)))
def test_ris_gives_back_what_it_was_given(entry: BibEntry) -> None:
    assert read_ris(write_ris(entry)) == [entry]


@given(_entries(text))
def test_csl_json_gives_back_what_it_was_given(entry: BibEntry) -> None:
    read = read_csl_json(msgspec.json.encode([item_of(entry)]))
    plain = read_csl_json(msgspec.json.encode([item_of(read[0])]))
    assert plain == read  # what looks like CSL's own markup in a title is taken away, once
    if not any("<" in str(value) for value in msgspec.structs.astuple(entry)):
        assert read == [entry]


@given(st.lists(_entries(text, ("book",)), max_size=3, unique_by=lambda entry: entry.id))
def test_several_entries_in_one_file_stay_several(entries: list[BibEntry]) -> None:
    assert read_bibtex("\n".join(map(write_bibtex, entries))) == entries


@given(st.text(st.sampled_from('@article{book,}="#\\ \nkey1ER  - TY')) | st.text(max_size=200))
def test_any_text_is_read_without_a_crash(raw: str) -> None:
    for entry in (*read_bibtex(raw), *read_ris(raw)):
        assert entry.id


def test_bibtex_as_people_write_it_is_read() -> None:
    [macro_user, other] = read_bibtex(r"""
        @comment{not this @book{one, title={x}} }
        @string{nat = "Nature"}
        @Article{Jumper2021,
          author    = {Jumper, John and {DeepMind Team} and Evans, Jr., R. and
                       Fran\c{c}ois M{\"u}ller and others},
          title     = "Highly {A}ccurate \emph{protein} prediction -- a {\'e}tude",
          journal   = nat # { Letters},
          year = 2021, month = jul, pages = {583--589},
          doi = {https://doi.org/10.1038/s41586-021-03819-2},
        }
        @misc(arx, title={Attention}, eprint={1706.03762}, archivePrefix={arXiv}, date={2017-06-12})
    """)
    assert macro_user.title == "Highly Accurate protein prediction – a étude"
    assert macro_user.container_title == "Nature Letters"
    assert macro_user.author == (
        PersonName("Jumper", "John"),
        PersonName(literal="DeepMind Team"),
        PersonName("Evans", "R.", suffix="Jr."),
        PersonName("Müller", "François"),
    )
    assert (macro_user.issued, macro_user.page) == (PartialDate(2021, 7), "583-589")
    assert macro_user.doi == "10.1038/s41586-021-03819-2"
    assert (other.type, other.number) == ("article", "arXiv:1706.03762")
    assert other.issued == PartialDate(2017, 6, 12)


def test_ris_as_databases_export_it_is_read() -> None:
    [entry] = read_ris(
        "TY  - JOUR\r\nT1  - Leakage in\r\n  networks\r\nA1  - Smith, A.\r\nAU  - Doe, J.\r\n"
        "PY  - 2019/05//\r\n"
        "JF  - Water\r\nSP  - 1\r\nEP  - 9\r\nSN  - 1234-5678\r\nER  - \r\n"
    )
    assert entry.title == "Leakage in networks"
    assert entry.author == (PersonName("Doe", "J."),)
    assert (entry.issued, entry.page, entry.issn) == (PartialDate(2019, 5), "1-9", "1234-5678")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2024-03-01", PartialDate(2024, 3, 1)),
        ("2024-13-01", PartialDate(2024)),
        ("2023-02-30", PartialDate(2023, 2)),
        ("1 March 2024", PartialDate(2024, 3, 1)),
        ("Mar. 3rd, 2024", PartialDate(2024, 3, 3)),
        ("D:20240301120000Z", PartialDate(2024, 3, 1)),
        ("spring", None),
        ("20240301999", None),
    ],
)
def test_a_date_is_read_as_far_as_it_is_one(written: str, read: PartialDate | None) -> None:
    assert read_date(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Smith, Jane", PersonName("Smith", "Jane")),
        ("Jane Q. Smith", PersonName("Smith", "Jane Q.")),
        ("Ludwig van Beethoven", PersonName("Beethoven", "Ludwig", "van")),
        ("de la Cruz, Ana", PersonName("Cruz", "Ana", "de la")),
        ("UNESCO", PersonName(literal="UNESCO")),
        ("City Works", PersonName(literal="City Works")),
    ],
)
def test_a_name_is_read_in_its_parts(written: str, read: PersonName) -> None:
    assert read_person(written) == read
