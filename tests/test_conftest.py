"""What `conftest.py` gives to all tests."""

from __future__ import annotations

import sys

import pytest

pytest_plugins = ["pytester"]
LIBRARY = "this"  # of Python, and used by nobody


@pytest.mark.parametrize("number", [1, 2])
def test_what_an_inner_test_loads_stays_loaded_and_the_test_itself_does_not(
    pytester: pytest.Pytester, number: int
) -> None:
    sys.modules.pop(LIBRARY, None)
    pytester.makepyfile(test_inner=f"import {LIBRARY}\ndef test_it(): assert {number}")
    pytester.runpytest_inprocess("-p", "no:pincite").assert_outcomes(passed=1)
    assert LIBRARY in sys.modules
    assert "test_inner" not in sys.modules
