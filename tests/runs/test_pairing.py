from __future__ import annotations

from pathlib import Path

import pytest

import pincite
from pincite.errors import InputError
from pincite.records import Run


@pytest.mark.parametrize("given", [Run(run_id="a"), "old.results.json", Path("old.results.json"), 3, [3]])
def test_what_does_not_hold_queries_is_refused_with_what_to_do(given: object) -> None:
    with pytest.raises(InputError, match=r"pincite\.evaluate returned.*store\.find\('latest'\)"):
        pincite.compare(given, given)  # type: ignore[arg-type]


def test_two_runs_are_compared_as_evaluate_returns_them() -> None:
    runs = [
        pincite.evaluate("sample", answers=f"sample:{system}", metrics=["span_f1"], judge="rules")
        for system in ("a", "b")
    ]
    found = pincite.compare(*runs)
    assert found.n_paired == runs[0].total
    assert [row.name for row in found.metrics] == ["span_f1"]
    assert (found.a, found.b) == (runs[0].run_id, runs[1].run_id)
