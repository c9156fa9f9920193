"""Answers made to break parsers: no crash, a report that is sound, and no more than linear time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import pincite
from bench._hostile_texts import CITED, SOURCE, TEXTS
from bench.fuzzing.invariants import assert_sound, assert_writable
from pincite.citations import find_quotes
from pincite.reports import FORMATS, write
from pincite.text import split_claims

SOURCES = {"a.txt": SOURCE, "data": {"b1": 12}}
STEEP = 2.5
"""How much dearer a character may become when there are four times as many: quadratic work makes it 4."""
FLOOR = 0.05


def seconds(work: Callable[[Any], object], given: Any) -> float:
    """Processor time: what else the machine does is not counted."""
    start = time.process_time()
    work(given)
    return time.process_time() - start


def assert_linear(work: Callable[[Any], object], small: Any, large: Any, times: int = 4) -> None:
    """The time for the larger input, against the smaller one's; measured again before it is called steep."""
    growth = float("inf")
    for _ in range(4):
        before = max(min(seconds(work, small), seconds(work, small)), FLOOR)
        growth = min(growth, seconds(work, large) / before / times)
        if growth <= STEEP:
            return
    raise AssertionError(f"{growth:.1f} times the cost per character")


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_answer_gives_a_sound_report_in_every_format(name: str) -> None:
    report = pincite.check(TEXTS[name](6_000), SOURCES)
    assert_sound(report)
    assert_writable(report)


@pytest.mark.parametrize("name", TEXTS)
def test_parsing_and_splitting_take_linear_time(name: str) -> None:
    def work(text: str) -> None:
        markers = [citation.span for citation in pincite.parse(text).citations]
        split_claims(text, markers)
        find_quotes(text, markers=markers)

    assert_linear(work, TEXTS[name](20_000), TEXTS[name](80_000))


@pytest.mark.thorough
@pytest.mark.parametrize("name", CITED)
def test_checking_many_citations_takes_linear_time(name: str) -> None:
    small, large = CITED[name](120), CITED[name](480)
    report = pincite.check(large, SOURCES)
    assert report.summary.targets >= 200
    assert_linear(lambda answer: pincite.check(answer, SOURCES), small, large)


@pytest.mark.parametrize("name", CITED)
def test_an_answer_full_of_citations_gives_a_sound_report(name: str) -> None:
    report = pincite.check(CITED[name](60), SOURCES)
    assert_sound(report)
    assert_writable(report)


@pytest.mark.thorough
@pytest.mark.parametrize("output_format", FORMATS)
def test_reports_on_one_endless_line_take_linear_time(output_format: str) -> None:
    small, large = (pincite.check(CITED["one sentence"](count), SOURCES) for count in (500, 2_000))
    assert_linear(lambda report: write([report], output_format), small, large)


@pytest.mark.parametrize(
    "name", ["[", "【", "[a.txt:1:2-3", "straight quotes", "one word", "lone surrogates"]
)
@pytest.mark.timeout(600)  # against a hang alone: what grows with the square would take hours
def test_a_megabyte_of_it_is_checked(name: str) -> None:
    assert_sound(pincite.check(TEXTS[name](1_000_000), SOURCES))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["[", "(", "【", "[a.txt:1:2-3", "unclosed quotes in words", "line breaks"])
@pytest.mark.timeout(1800)
def test_ten_megabytes_of_it_are_checked(name: str) -> None:
    assert_sound(pincite.check(TEXTS[name](10_000_000), SOURCES))


def test_a_clean_answer_stays_clean_among_hostile_lines() -> None:
    answer = "[[[[ 【【 “ ((\n\nIt rose 12% in 2020 [a.txt:45-66].\n\n```\n[b.txt:1-2]\n"
    assert [finding.code for finding in pincite.check(answer, SOURCES).findings] == []


def test_a_fault_is_found_among_hostile_lines() -> None:
    answer = "[[[[ 【【 “ ((\n\nIt rose 12% in 2020 [b.txt:45-66].\n\n```\n[c.txt:1-2]\n"
    assert [finding.code for finding in pincite.check(answer, SOURCES).findings] == ["PIN101"]
