"""Texts that repeat one hostile piece over and over are read as fast, for their length, as any other.

Nothing here is timed: what is not linear runs into the guard against hangs.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pincite.records import Span
from pincite.text import (
    find_quantities,
    find_statements,
    normalise,
    plain_text,
    split_claims,
    split_sentences,
)

pytestmark = pytest.mark.thorough
LONG = 300_000


def _plain(text: str) -> None:
    plain_text(text, 0, len(text), [(*found.span(), "") for found in re.finditer(r"\[\d\]", text)])


def _claims(text: str) -> None:
    split_claims(text, [Span(*found.span()) for found in re.finditer(r"\[\d\]", text)])


def _claims_below_a_table(text: str) -> None:
    _claims("| a | b |\n|---|---|\n" + text[: LONG // 3])


def _roles(text: str) -> None:
    list(find_statements(text, []))


PIECES: dict[Callable[[str], object], list[str]] = {
    split_sentences: [
        *("[", "(", "“", "«", "`", "（a）b。", "'", "\n", "1. ", "a\n", "¹", "(1). ", "【", "*"),
        *("x. [1] y", "max. 5 ", "3 g. A ", '"3 g. A '),
    ],
    find_quantities: [
        *(
            "1,",
            "5-",
            "twenty ",
            "one hundred and ",
            "$",
            "1 000 ",
            "May 1 ",
            "2014-",
            "5'",
            "more than ",
            "(",
        ),
        "a ",
    ],
    normalise: [" ", "-", "- ", "-\n", "'", ". ", "\u00ad\n", "a\u0301", "ﬁ", "—", "a-", "\ud800"],
    _plain: ["\ufdd0", "<!--", "[a](", "[[", "![", "<b ", "(see ", "&", "\\", "*_", " ", "[1] and "],
    _claims_below_a_table: [
        *("It rose [1]. ", "[1]", "- a [1]\n", "(see [1] ", "<!--", "| a | b [1] |\n", "**", "](", "’")
    ],
    _roles: ["sorry, ", "the ", "no data ", "a is not ", "for more ", "?", "“"],
}


@pytest.mark.parametrize(("read", "piece"), [(read, piece) for read in PIECES for piece in PIECES[read]])
def test_a_hostile_repetition_is_read(read: Callable[[str], object], piece: str) -> None:
    read(piece * (LONG // len(piece)))
