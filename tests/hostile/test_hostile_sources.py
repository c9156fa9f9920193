"""Sources made to break readers and searches: read, or refused by name, in linear time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_hostile_answers import assert_linear

import pincite
from bench import _hostile_texts as hostile
from bench.fuzzing.invariants import assert_sound, assert_writable
from pincite.sources import locate_quote

ANSWER = (
    'It rose "by 12% in all of 2020" [a.txt].\n\nThe fox jumps [a.txt:0-40].\n\nThe dog is lazy and brown. '
    "See [a.txt:3] and [data.a.b]."
)


@pytest.mark.parametrize("name", hostile.TEXTS)
def test_an_answer_is_checked_against_a_hostile_text(name: str) -> None:
    report = pincite.check(ANSWER, {"a.txt": hostile.TEXTS[name](6_000)})
    assert_sound(report)
    assert_writable(report)


@pytest.mark.parametrize("name", hostile.TEXTS)
def test_searching_a_hostile_text_takes_linear_time(name: str) -> None:
    def work(text: str) -> None:
        pincite.check(ANSWER, {"a.txt": text})

    assert_linear(work, hostile.TEXTS[name](20_000), hostile.TEXTS[name](80_000))


FILES = {
    "nested.html": hostile.nested_html(20_000),
    "unclosed.html": hostile.unclosed_html(200_000),
    "nested.json": hostile.nested_json(100_000),
    "unclosed.json": b'{"a": [' * 50_000,
    "digits.json": b"[" + b"9" * 100_000 + b"]",
    "cell.csv": hostile.one_cell_csv(500_000),
    "unclosed.csv": hostile.unclosed_csv(200_000),
    "broken.pdf": b"%PDF-1.7\n" + b"1 0 obj << /Kids [1 0 R] >> " * 2_000,
    "broken.docx": b"PK\x03\x04" + b"\x00" * 2_000,
    "nul.txt": b"a\x00b " * 1_000,
    "latin.txt": b"caf\xe9 " * 1_000,
    "lines.jsonl": b'{"text": "a"}\nnull\n[1]\n{"text": \n' * 500,
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_read_or_named_with_the_reason(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    (tmp_path / "good.txt").write_text("The fox jumps over the lazy dog.", encoding="utf-8")
    library = pincite.open_sources(tmp_path)
    listed = {source.name.partition("#")[0] for source in library.entries}
    assert "good.txt" in listed
    assert any(entry.startswith(name.partition(".")[0]) or name in entry for entry in listed)
    assert all(unread.reason for unread in library.unread)
    report = pincite.check(f"The fox jumps over the lazy dog [good.txt:0-32], it says [{name}].", library)
    assert_sound(report)
    assert_writable(report)
    pincite.locate("the fox jumps over it", library)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda size: hostile.nested_html(size // 11), "a.html"),
        (hostile.unclosed_html, "a.html"),
        (lambda size: hostile.nested_json(size // 8), "a.json"),
        (hostile.one_cell_csv, "a.csv"),
        (hostile.unclosed_csv, "a.csv"),
        (lambda size: json.dumps([{"k": n} for n in range(size // 12)]).encode(), "a.json"),
    ],
    ids=["nested html", "unclosed html", "nested json", "one cell", "unclosed csv", "many values"],
)
def test_reading_takes_linear_time(make, name: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    paths = []
    for size in (60_000, 240_000):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / name).write_bytes(make(size))
        paths.append(folder)
    assert_linear(pincite.open_sources, *paths)


@pytest.mark.parametrize(
    "name", ["one-word lines", "one line of prose", "one word", "[", "Chinese without end"]
)
def test_a_quote_as_long_as_its_source_takes_linear_time(name: str) -> None:
    def work(text: str) -> None:
        source = pincite.open_sources({"a.txt": text}).sources[0]
        locate_quote(text[10:-10], source)
        locate_quote(text[10:-10] + "no", source)

    assert_linear(work, hostile.TEXTS[name](40_000), hostile.TEXTS[name](160_000))


def test_thousands_of_markers_may_each_cite_the_whole_of_a_long_source() -> None:
    text = hostile.SOURCE * 50
    answer = "\n\n".join(f"It rose 12% in 2020 [a.txt:{n}-{len(text) - n}]." for n in range(300))
    report = pincite.check(answer, {"a.txt": text})
    assert report.summary.targets == 300
    assert all(len(finding.source.text) < 5_000 for finding in report.findings if finding.source)
