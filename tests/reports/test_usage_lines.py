"""What judging took, as people read it."""

from __future__ import annotations

import pytest
from report_samples import sample_report

from pincite.records import Usage
from pincite.reports import write

TAKEN = Usage(requests=12, input_tokens=3000, output_tokens=400, cost=0.0021, cache_hits=5)


@pytest.mark.parametrize("output_format", ["full", "concise", "markdown"])
def test_the_last_lines_say_what_judging_took(output_format: str) -> None:
    text = write([sample_report()], output_format, usage=TAKEN).replace("\\", "")
    assert ": 12 requests, 3,400 tokens, $0.0021, 5 from the cache" in text


@pytest.mark.parametrize("output_format", ["full", "concise", "markdown"])
def test_a_judge_that_took_nothing_is_not_mentioned(output_format: str) -> None:
    plain = write([sample_report()], output_format)
    assert write([sample_report()], output_format, usage=Usage()) == plain
    assert "judged by" not in plain


@pytest.mark.parametrize(
    ("usage", "says"),
    [
        (Usage(requests=1, input_tokens=1), "1 request, 1 token, $0.0000"),
        (Usage(requests=2, input_tokens=9, cost=None), "2 requests, 9 tokens, cost not known"),
        (Usage(cache_hits=7), "0 requests, 7 from the cache"),
        (Usage(asked=40, asked_further=10), "0 requests, 10 of 40 pairs escalated (25%)"),
    ],
)
def test_the_figures_that_are_there_are_shown(usage: Usage, says: str) -> None:
    line = write([sample_report()], "concise", usage=usage)
    assert f": {says}\n" in line


def test_quiet_says_nothing_of_it() -> None:
    assert "request" not in write([sample_report()], "full", quiet=True, usage=TAKEN)
