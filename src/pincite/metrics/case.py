"""An item opened for measuring: read once, whatever number of metrics look at it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pincite.config import Settings
from pincite.reading.read import Reading, read_answer
from pincite.records import Answer, DatasetItem
from pincite.sources.library import Library, open_sources


class Case:
    """One item with its sources. Whatever several metrics need is worked out here, the first time."""

    def __init__(self, item: DatasetItem, library: Library, settings: Settings) -> None:
        self.item = item
        self.library = library.extended(item.sources) if item.sources else library
        self.settings = settings
        self.kept: dict[Any, Any] = {}
        """What metrics of one family work out once for an item, by a key of their own."""

    @cached_property
    def reading(self) -> Reading:
        """The answer parsed, split into claims, its targets resolved; an item without one reads as empty."""
        item = self.item
        name = item.query_id or "<answer>"
        answer = Answer(
            item.actual_output or "",
            name=name,
            query=item.query,
            citations=item.citations,
            references=item.references,
        )
        retrieved = None if item.retrieved is None else [one.document for one in item.retrieved]
        return read_answer(answer, self.library, self.settings, retrieved=retrieved)


def open_case(item: DatasetItem, sources: Any = None, settings: Settings | None = None) -> Case:
    """The case of an item; `sources` is whatever `open_sources` takes."""
    settings = settings or Settings()
    return Case(item, open_sources(sources, settings.limits), settings)
