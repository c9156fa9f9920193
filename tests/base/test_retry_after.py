"""How long a reply asks to be left alone."""

from __future__ import annotations

from email.utils import formatdate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.base import retry_after

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": formatdate(NOW + 30, usegmt=True)}, 30),
        ({"retry-after": formatdate(NOW - 30, usegmt=True)}, 0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "next week"}, None),
        ({"retry-after": "Fri, 99 Foo 99999 99:99:99 GMT"}, None),
        ({"retry-after": ""}, None),
    ],
)
def test_what_a_reply_asks_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@settings(deadline=None)
@given(st.text())
def test_no_header_is_a_crash_or_a_wait_without_end(text: str) -> None:
    wait = retry_after({"retry-after": text, "retry-after-ms": text[::-1]}, NOW)
    assert wait is None or 0 <= wait < float("inf")
