"""Word lists written as one string of words, so that they read as text."""

from __future__ import annotations


def word_list(text: str) -> tuple[str, ...]:
    """The words of a string, in order."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """The words of a string, as a set."""
    return frozenset(text.split())
