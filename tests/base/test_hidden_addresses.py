"""Addresses in messages, without who asks and without the values of their parameters."""

from __future__ import annotations

import pytest

from pincite.base import address_secrets, hide_in_addresses


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no address at all: 5 > 3?", "no address at all: 5 > 3?"),
        ("see http://h/a.", "see http://h/a."),
        ("http://h:80/ask?token=abc", "http://h:80/ask?token=***"),
        ("http://h/?a=1&b=&c&d=2;e=3#f=4", "http://h/?a=***&b=&c&d=***;e=***#f=***"),
        ("https://ann:pw@h/x failed", "https://***@h/x failed"),
        ("https://t0ken@h?k=v", "https://***@h?k=***"),
        ('{"url": "http:\\/\\/h\\/ask?key=abc"}', '{"url": "http:\\/\\/h\\/ask?key=***"}'),
        ("'postgresql://u:p@h/db?password=x'", "'postgresql://***@h/db?password=***'"),
        ("<a href=\"http://h/?q=1\">'http://h/?q=2'", "<a href=\"http://h/?q=***\">'http://h/?q=***'"),
        ("two http://h/?a=b, https://h/?c=d", "two http://h/?a=*** https://h/?c=***"),
    ],
)
def test_no_address_of_a_text_keeps_a_user_or_a_value(text: str, told: str) -> None:
    assert hide_in_addresses(text) == told


def test_values_are_hidden_in_all_of_their_spellings() -> None:
    certain, every = address_secrets("http://h/a?api_key=a%2Fb%20c&lang=english&x=1")
    assert {"a/b c", "a%2Fb%20c", "a/b%20c"} <= set(certain)
    assert "english" not in certain and "english" in every
    assert every == sorted(every, key=len, reverse=True)
    assert "1" not in every


@pytest.mark.parametrize(
    ("url", "secrets"),
    [
        ("http://h/", []),
        ("http://user:pa55word@h/", ["pa55word"]),
        ("http://t0ken@h/", ["t0ken"]),
        ("http://h/?model=annual-report-2024", []),
        ("http://h/?k=sk4Yb8c0d1e2f3g4h5i6j7", ["sk4Yb8c0d1e2f3g4h5i6j7"]),
        ("http://h/?opensesame", []),
    ],
)
def test_what_is_secret_for_certain_is_told_from_ordinary_words(url: str, secrets: list[str]) -> None:
    assert address_secrets(url)[0] == secrets
