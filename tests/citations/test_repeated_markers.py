"""Answers that repeat one hostile piece over and over are read as fast, for their length, as any other.

Nothing here is timed: what is not linear runs into the guard against hangs.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.citations import attach, find_quotes, kept_words, marker_spans, parse
from pincite.text import split_claims

pytestmark = pytest.mark.thorough
LONG = 200_000


def _parse_with_a_definition(text: str) -> None:
    parse(text + "\n\n[foo]: https://e.example/a\n")


def _attach(text: str) -> None:
    text = text[:60_000]
    citations = parse(text).citations
    claims = split_claims(text, marker_spans(citations), "en", kept_words(citations, text))
    attach(claims, citations, text, "paragraph")


PIECES: dict[Callable[[str], object], list[str]] = {
    parse: ["[", "(", "【", "^", "`", '["', "[a:", "(Smith, ", "[a](", "[a[0]", "\n", "<!--"],
    _parse_with_a_definition: [
        *("<code>", "</code>", "<sup>1</sup>", "<sup>", "[a[b]", "[a[b].pdf", "[ 1 ", "[1][", "a[1][2]"),
        *("[x][foo]", "word ¹ ", "(Smith 2020, ", "(n.d.", "Dune (2021), ", "10.1234/a<1:", "[a.pdf, pp. 1-"),
    ],
    _attach: ["[1]\n\n", "A is 1. [1] ", "- [1]:\n", "[1]", "See [1]. "],
    find_quotes: ['"', "“", "“a", "‘a", "’a ", "«", "> ", ">a\n", '"a" ', '[1]"', '"a b c … ', "“a b…"],
}


@pytest.mark.parametrize(("read", "piece"), [(read, piece) for read in PIECES for piece in PIECES[read]])
def test_a_hostile_repetition_is_read(read: Callable[[str], object], piece: str) -> None:
    read(piece * (LONG // len(piece)))
