from __future__ import annotations

from pathlib import Path

import pytest

import pincite
from pincite.errors import InputError
from pincite.measured import Run


@pytest.mark.parametrize("given", [Run(run_id="a"), "old.results.json", Path("old.results.json"), 3, [3]])
def test_what_does_not_hold_queries_is_refused_with_what_to_do(given: object) -> None:
    with pytest.raises(InputError, match=r"store\.compare\('latest~1', 'latest'\)"):
        pincite.compare(given, [])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"read_results_items\(path\)"):
        pincite.compare([], given)  # type: ignore[arg-type]
