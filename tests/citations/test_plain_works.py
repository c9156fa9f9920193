"""The short way to read a plain work must find what the long way finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citations import parse
from pincite.records import Target

NAMES = ["Smith", "O'Brien", "D’Arcy", "Bank", "IMF", "March", "Berg-Lund"]
names = st.sampled_from(NAMES)
particles = st.sampled_from(["", "", "van der ", "de la ", "von "])
joints = st.sampled_from(["", " et al.", " et al", " & Jones", " and World", " and Bank", " & May"])
tails = st.sampled_from(["2020", "2019a", "2020, p. 12", "1999, pp. 3–14", "2001, pp.7"])
parts = st.builds("{}{}{}, {}".format, particles, names, joints, tails)


def targets(text: str) -> list[Target]:
    return [target for citation in parse(text).citations for target in citation.targets]


@given(st.lists(parts, min_size=1, max_size=3))
def test_a_plain_work_is_read_as_the_long_way_reads_it(works: list[str]) -> None:
    # `see` before a work is not plain, and part of no name.
    long_way = targets(f"It rose ({'; '.join(f'see {work}' for work in works)}).")
    assert targets(f"It rose ({'; '.join(works)}).") == long_way


@pytest.mark.parametrize(
    ("bare", "whole"),
    [
        ("www.example.com/data/1", "http://www.example.com/data/1"),
        ("www.Example.com/data/", "http://www.example.com/data"),
    ],
)
def test_an_address_without_a_scheme_has_the_key_of_its_page(bare: str, whole: str) -> None:
    assert [target.key for target in targets(bare)] == [target.key for target in targets(whole)]
