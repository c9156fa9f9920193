"""Every promise of the page on robustness names a test that is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "robustness.md").read_text(encoding="utf-8")


def test_every_promise_names_tests_that_exist() -> None:
    rows = re.findall(r"^\| (?!promise|limit|---)(.+?) \| (.+?) \| .*\|$", PAGE, re.M)
    promises = [
        (promise, re.findall(r"`([a-z0-9_/]+(?:\.py|/))`", tests))
        for promise, tests in rows
        if "test" in tests
    ]
    assert len(promises) > 30
    for promise, tests in promises:
        assert tests, promise
        for test in tests:
            assert (ROOT / "tests" / test).exists(), (promise, test)
