"""Entries in each style, against what the style guides print for such works."""

# ruff: noqa: E501 - the entries are easier to compare on one line

from __future__ import annotations

import re

import pytest
from bibliography_works import ARTICLE, BARE, BOOK, PAGE

from pincite.answering.bibliography import (
    BibEntry,
    NumberedEntry,
    PartialDate,
    PersonName,
    write_bibliography,
)
from pincite.answering.bibliography.processor import STYLES
from pincite.errors import InputError

WORKS = [ARTICLE, BOOK, PAGE, BARE]
EXPECTED = {
    "apa-7": [
        "[1] Jumper, J., Evans, R., & Pritzel, A. (2021). Highly accurate protein structure prediction with AlphaFold. "
        "Nature, 596(7873), 583–589. https://doi.org/10.1038/s41586-021-03819-2",
        "[2] Kernighan, B. W., & Ritchie, D. M. (1988). The C programming language (2nd ed.). Prentice Hall.",
        "[3] City Works. (2024, March 1). Water prices 2024. https://example.org/water",
        "[4] Tariff of the city. (n.d.).",
    ],
    "mla-9": [
        "[1] Jumper, John, et al. “Highly Accurate Protein Structure Prediction with AlphaFold.” Nature, vol. 596, "
        "no. 7873, July 2021, pp. 583–89, https://doi.org/10.1038/s41586-021-03819-2.",
        "[2] Kernighan, Brian W., and Dennis M. Ritchie. The C Programming Language. 2nd ed., Prentice Hall, 1988.",
        "[3] City Works. Water Prices 2024. 1 Mar. 2024, https://example.org/water.",
        "[4] “Tariff of the City.”",
    ],
    "chicago-author-date": [
        "[1] Jumper, John, Richard Evans, and Alexander Pritzel. 2021. “Highly Accurate Protein Structure Prediction "
        "with AlphaFold.” Nature 596 (7873): 583–89. https://doi.org/10.1038/s41586-021-03819-2.",
        "[2] Kernighan, Brian W., and Dennis M. Ritchie. 1988. The C Programming Language. 2nd ed. Prentice Hall.",
        "[3] City Works. 2024. “Water Prices 2024.” March 1. https://example.org/water.",
        "[4] “Tariff of the City.” n.d.",
    ],
    "ieee": [
        "[1] J. Jumper, R. Evans, and A. Pritzel, “Highly accurate protein structure prediction with AlphaFold,” "
        "Nature, vol. 596, no. 7873, pp. 583–589, Jul. 2021, doi: 10.1038/s41586-021-03819-2.",
        "[2] B. W. Kernighan and D. M. Ritchie, The C programming language, 2nd ed. Englewood Cliffs, NJ: "
        "Prentice Hall, 1988.",
        "[3] City Works, “Water prices 2024.” [Online]. Available: https://example.org/water",
        "[4] “Tariff of the city.”",
    ],
    "nature": [
        "1. Jumper, J., Evans, R. & Pritzel, A. Highly accurate protein structure prediction with AlphaFold. "
        "Nature 596, 583–589 (2021).",
        "2. Kernighan, B. W. & Ritchie, D. M. The C Programming Language. (Prentice Hall, Englewood Cliffs, NJ, 1988).",
        "3. City Works. Water prices 2024. https://example.org/water (2024).",
        "4. Tariff of the city.",
    ],
    "vancouver": [
        "1. Jumper J, Evans R, Pritzel A. Highly accurate protein structure prediction with AlphaFold. Nature. "
        "2021 Jul 15;596(7873):583–9. doi:10.1038/s41586-021-03819-2",
        "2. Kernighan BW, Ritchie DM. The C programming language. 2nd ed. Englewood Cliffs, NJ: Prentice Hall; 1988.",
        "3. City Works. Water prices 2024 [Internet]. 2024. Available from: https://example.org/water",
        "4. Tariff of the city.",
    ],
}


def _written(*works: BibEntry, style: str, form: str = "text") -> str:
    return write_bibliography([NumberedEntry(n, work) for n, work in enumerate(works, 1)], style, form)


@pytest.mark.parametrize("style", STYLES)
def test_a_style_prints_what_its_guide_prints(style: str) -> None:
    assert _written(*WORKS, style=style).splitlines() == EXPECTED[style]


@pytest.mark.parametrize("style", STYLES)
def test_an_entry_does_not_depend_on_the_entries_before_it(style: str) -> None:
    alone = [_written(work, style=style).partition(" ")[2] for work in WORKS]
    together = [line.partition(" ")[2] for line in _written(*WORKS, *WORKS, style=style).splitlines(True)]
    assert together == alone * 2


def test_numbers_are_those_of_the_text_not_the_position() -> None:
    listed = [NumberedEntry(3, BOOK), NumberedEntry(7, BARE)]
    for style, labels in (("ieee", ["[3]", "[7]"]), ("nature", ["3.", "7."]), ("apa-7", ["[3]", "[7]"])):
        written = write_bibliography(listed, style)
        assert [line.split()[0] for line in written.splitlines()] == labels


def test_html_and_markdown_set_titles_in_italics() -> None:
    assert "<i>The C programming language</i> (2nd ed.)" in _written(BOOK, style="apa-7", form="html")
    assert "*The C programming language* (2nd ed.)" in _written(BOOK, style="apa-7", form="markdown")
    assert "<b>596</b>" in _written(ARTICLE, style="nature", form="html")


def test_twenty_one_authors_are_shortened_as_apa_asks() -> None:
    many = tuple(PersonName(f"Author{chr(65 + n)}", "X.") for n in range(21))
    written = _written(BibEntry("m", "book", title="T", author=many, issued=PartialDate(2020)), style="apa-7")
    assert "AuthorS, X., … AuthorU, X. (2020)" in written
    assert "AuthorT" not in written


def test_a_particle_a_preprint_and_a_question_mark_are_set_right() -> None:
    work = BibEntry(
        "p",
        "article",
        title="Is it so?",
        author=(PersonName("Beethoven", "Ludwig", "van"),),
        issued=PartialDate(2020),
        number="arXiv:1706.03762",
        url="https://arxiv.org/abs/1706.03762",
    )
    assert _written(work, style="apa-7") == (
        "[1] van Beethoven, L. (2020). Is it so? (arXiv:1706.03762). https://arxiv.org/abs/1706.03762\n"
    )
    assert _written(work, style="chicago-author-date").startswith(
        "[1] Beethoven, Ludwig van. 2020. “Is It So?”"
    )


@pytest.mark.parametrize("style", STYLES)
def test_nothing_is_said_that_nobody_said(style: str) -> None:
    """No year, place or publisher appears for a work of which only the title is known."""
    words = set(re.findall(r"\w+", _written(BARE, style=style).casefold()))
    assert words <= {"1", "tariff", "of", "the", "city", "n", "d"}


def test_a_misspelt_style_or_format_is_told_with_the_right_one() -> None:
    with pytest.raises(InputError, match="did you mean vancouver"):
        _written(BOOK, style="vancover")
    with pytest.raises(InputError, match="did you mean markdown"):
        _written(BOOK, style="apa-7", form="markdwon")
