"""The word lists are shipped with the package and read as they are meant."""

from __future__ import annotations

from pincite.judges.rules.vocabulary import SAME, is_held, kin, stems, words
from pincite.text import stem


def test_a_list_is_read_by_its_name_without_its_comments() -> None:
    assert {"may", "reportedly"} <= words("hedges")
    assert "#" not in words("hedges")
    assert stem("maximum") in stems("rules")


def test_words_of_one_line_stand_for_one_another_and_others_do_not() -> None:
    film, movie, rise, fall = map(stem, ("film", "movie", "rise", "fall"))
    assert movie in SAME[film]
    assert is_held(film, {movie})
    assert not is_held(rise, {fall})
    assert kin(film)[film] > kin(film)[movie] > 0
