"""A payload that cites a source which it does not have is wrong, not merely odd."""

from __future__ import annotations

from typing import Any

import pytest

import pincite


def payload(source_id: Any, marker: str) -> dict[str, Any]:
    text = f"The mill closed in 1999 {marker}."
    start = text.index(marker)
    return {
        "schema_version": 3,
        "text": text,
        "sources": [{"metadata": {"id": "mill"}, "content": "The mill closed in 1999."}],
        "citations": [{"span": [start, start + len(marker)], "source_id": source_id}],
    }


@pytest.mark.parametrize(("source_id", "marker"), [(5, "[5]"), (0, "[0]"), (None, "[2]")])
def test_a_source_id_that_is_not_there_is_an_error(source_id: Any, marker: str) -> None:
    report = pincite.check(payload(source_id, marker))
    assert "PIN101" in [finding.code for finding in report.findings]
    assert (report.ok, report.summary.score) == (False, 0.0)


def test_a_marker_without_an_entry_that_no_source_answers_is_an_error() -> None:
    given = payload(1, "[1]")
    given["text"] += " It burnt down later [4]."
    report = pincite.check(given)
    assert [finding.code for finding in report.findings if finding.severity == "error"] == ["PIN101"]


def test_a_source_id_that_is_there_passes() -> None:
    report = pincite.check(payload(1, "[1]"))
    assert (report.findings, report.summary.score) == ((), 1.0)
