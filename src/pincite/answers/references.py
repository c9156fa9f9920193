"""The numbered list that `[1]` counts in, given beside an answer: texts, or `{number, source}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pincite.citations import parse
from pincite.errors import InputError
from pincite.records import Reference

_NUMBER = ("number", "id", "index", "label")
_SOURCE = ("source", "text", "title", "reference", "url", "document")


def read_listed(listed: Sequence[str | Mapping[str, Any]]) -> Iterator[Reference]:
    """The entries of a list: a text is numbered by its place from 1, a mapping by its own number.

    A text that begins with a number of its own, as `[3] Smith 2020`, keeps that number.
    """
    for position, entry in enumerate(listed, 1):
        if isinstance(entry, str):
            yield _from_text(entry, position)
        elif isinstance(entry, Mapping):
            yield _from_mapping(entry, position)
        else:
            kind = type(entry).__name__
            raise InputError(f"reference {position} is a {kind}: give a text or {{number, source}}")


def _from_text(entry: str, position: int) -> Reference:
    """Read as the one entry of a list, so that labels, links and works are found as they are in an answer."""
    line = " ".join(entry.split())
    read = parse(f"References:\n{line}").references
    if len(read) == 1 and entry.lstrip()[:1] in "[【^(" and read[0].label.isdecimal():
        return Reference(read[0].label, read[0].text, 0, 0, read[0].targets)
    targets = parse(f"References:\n[{position}] {line}").references
    return Reference(str(position), line, 0, 0, targets[0].targets if targets else ())


def _from_mapping(entry: Mapping[str, Any], position: int) -> Reference:
    number = next((entry[name] for name in _NUMBER if entry.get(name) is not None), position)
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    said = [str(entry[name]) for name in _SOURCE if entry.get(name)]
    label = str(number).strip().strip("[]【】^. ")
    return Reference(label, " ".join(said), 0, 0, _from_text(" ".join(said), position).targets)
