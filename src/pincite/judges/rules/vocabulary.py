"""The rule judge's vocabulary: the lists of `word_lists.txt`, and which words can stand for one another."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from importlib.resources import files

from pincite.text import stem

KIN_SHARE = 0.8
"""What a word of the same meaning is worth against the word itself."""
_NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def _sections() -> dict[str, list[list[str]]]:
    """The lists by name, each as its lines of words."""
    text = files("pincite.judges.rules").joinpath("word_lists.txt").read_text(encoding="utf-8")
    found: dict[str, list[list[str]]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            lines = found[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            lines.append(line.split())
    return found


def words(name: str) -> frozenset[str]:
    return frozenset(word for line in _sections()[name] for word in line)


def stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, words(name)))


def _related(*names: str) -> dict[str, frozenset[str]]:
    """Each stem with the other stems of its lines."""
    table: dict[str, set[str]] = {}
    for line in (line for name in names for line in _sections()[name]):
        group = [stem(word) for word in line]
        for word in group:
            table.setdefault(word, set()).update(group)
    return {word: frozenset(others - {word}) for word, others in table.items()}


SAME = _related("same", "peoples")
"""Stem → stems that mean much the same."""
COMMON = stems("common")
"""Stems that are content words but say little about what a sentence is about."""


def is_held(word: str, held: Set[str]) -> bool:
    """Whether a stem or one of its kin is among those."""
    return word in held or not SAME.get(word, _NONE).isdisjoint(held)


def held_share(word: str, held: Set[str]) -> float:
    """How well a stem is held by those: 1 for itself, less for its kin, 0 for neither."""
    return 1.0 if word in held else KIN_SHARE if is_held(word, held) else 0.0


@lru_cache(maxsize=1 << 15)
def kin(word: str) -> dict[str, float]:
    """The stems that stand for a stem, and how well: itself 1, its kin less."""
    return {word: 1.0} | dict.fromkeys(SAME.get(word, ()), KIN_SHARE)
