"""Hashes that know a run and its items again: by what decides the result, never by their place."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from pincite.any_json import hashed_form
from pincite.config import Settings
from pincite.datasets.formats.records import EvaluationQuery
from pincite.measured import RecordedAnswer

_NO_INFLUENCE = ("store", "alerts", "agreement", "reporting", "cache", "baseline", "fail_under", "sources")
"""Settings that change neither an answer nor a verdict nor a score."""
_NO_INFLUENCE_OF_RUNNING = ("max_in_flight", "workers", "timeout_seconds")


def digest(*parts: Any) -> str:
    """A hash of plain values."""
    return blake2b(hashed_form(parts), digest_size=16).hexdigest()


def settings_digest(settings: Settings) -> str:
    """A hash of the settings that can change what a run says."""
    values = msgspec.to_builtins(settings)
    for name in _NO_INFLUENCE:
        values.pop(name, None)
    for name in _NO_INFLUENCE_OF_RUNNING:
        values["evaluation"].pop(name, None)
    # An address may hold a password; where a model is asked is no part of what it says.
    values["llm"].pop("base_url", None)
    return digest(values)


def fingerprint(
    dataset: str, target: str, judge: str, metrics: Sequence[str], settings: Settings, more: Any = None
) -> str:
    """The same command has the same one, so that it goes on where it stopped."""
    return digest("run/1", dataset, target, judge, list(metrics), settings_digest(settings), more)


class ItemKeys:
    """The keys of a run's items. A query that stands in the dataset twice has two."""

    def __init__(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint.encode()
        self._seen: set[int] = set()
        self._again: dict[int, int] = {}

    def key(self, query: EvaluationQuery, recorded: RecordedAnswer | None) -> str:
        try:
            content = msgspec.msgpack.encode((query, recorded), enc_hook=str)
        except (UnicodeEncodeError, OverflowError):
            content = hashed_form((query, recorded))
        hashed = blake2b(content, digest_size=16, key=self._fingerprint[:64])
        number = int.from_bytes(hashed.digest()[:8], "big")
        if number in self._seen:
            self._again[number] = self._again.get(number, 1) + 1
            hashed.update(str(self._again[number]).encode())
        self._seen.add(number)
        return hashed.hexdigest()
