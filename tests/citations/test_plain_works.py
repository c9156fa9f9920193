"""The short way to read a plain work must find what the long way finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.citations.formats import author_year
from pincite.citations.formats.author_year import read_works
from pincite.citations.formats.web import url_key
from pincite.records import WorkTarget

NAMES = [
    "Smith",
    "O'Brien",
    "D’Arcy",
    "Bank",
    "IMF",
    "See",
    "Compare",
    "Per",
    "March",
    "Berg-Lund",
    "Following",
]
names = st.sampled_from(NAMES)
particles = st.sampled_from(["", "", "van der ", "de la ", "von "])
joints = st.sampled_from(["", " et al.", " et al", " & Jones", " and World", " and Bank", " & May"])
tails = st.sampled_from(["2020", "2019a", "2020, p. 12", "1999, pp. 3–14", "2001, pp.7"])
parts = st.builds("{}{}{}, {}".format, particles, names, joints, tails)


@given(st.lists(parts, min_size=1, max_size=3))
def test_a_plain_work_is_read_as_the_long_way_reads_it(works: list[str]) -> None:
    content = "; ".join(works)
    targets: list[WorkTarget] = []
    form: list[str] = []
    whole = True
    for at, part in enumerate(content.split(";")):
        form += [";"] if at else []
        whole = whole and author_year._read_part(part, targets, form)
    expected = (tuple(targets), "".join(form)) if whole else None
    assert read_works(content) == expected


def test_an_address_without_a_scheme_has_the_key_of_its_page() -> None:
    assert url_key("www.example.com/data/1") == url_key("http://www.example.com/data/1")
    assert url_key("WWW.Example.com/data/") == url_key("http://www.example.com/data")
