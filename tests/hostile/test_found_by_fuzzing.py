"""Faults that fuzzing found, each held by a test."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import pincite
from pincite.datasets.streams import read_bytes
from pincite.errors import InputError, TooLargeError
from pincite.findings.silence import load_baseline


@pytest.mark.parametrize(
    "answer",
    [
        'It rose [a.txt:1-2 | excerpt: "use `f(x)` here"].',
        'It rose [a.txt:1-2 | excerpt: "use <!-- that --> here"].',
        '[^1]: b\n> q `x` and\nmore! | excerpt: "x"] ',
        '[1] and then | excerpt: "x"].',
        "[a.txt:01]",
        "[a.txt, p. 05]",
        '["a.txt":01]',
    ],
)
def test_a_marker_is_told_in_the_answers_own_words(answer: str) -> None:
    parsed = pincite.parse(answer)
    for citation in parsed.citations:
        assert answer[citation.start : citation.end] == citation.text == pincite.render(citation)
    for bad in parsed.malformed:
        assert answer[bad.start : bad.end] == bad.text


def test_an_excerpt_may_hold_inline_code() -> None:
    (citation,) = pincite.parse('It rose [a.txt:1-2 | excerpt: "use `f(x)` here"].').citations
    assert citation.cited_text == "use `f(x)` here"


def test_an_excerpt_belongs_to_no_bracket_that_is_already_closed() -> None:
    citations = pincite.parse('It rose [1] and then | excerpt: "x"].').citations
    assert [citation.text for citation in citations] == ["[1]"]


def test_a_small_file_takes_little_memory_however_much_may_be_read(tmp_path: Path) -> None:
    path = tmp_path / "small.eval.json"
    path.write_bytes(b"{}")
    tracemalloc.start()
    try:
        assert read_bytes(path, 1024**3) == b"{}"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50 * 1024**2


@pytest.mark.parametrize("size", [0, 1, 5_000_000])
def test_a_file_is_read_whole_or_refused_when_it_is_longer(size: int, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"x" * size)
    assert read_bytes(path, size) == b"x" * size
    if size:
        with pytest.raises(TooLargeError):
            read_bytes(path, size - 1)


@pytest.mark.parametrize("content", [b'{"fingerprints": {"\xd9": 1}}', b'{"findings": [{"code": "\xff"}]}'])
def test_a_baseline_that_is_not_utf8_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"known\.json is not a baseline"):
        load_baseline(path)
