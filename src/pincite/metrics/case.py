"""What may be given as an item to measure, and the item opened: read once, whatever looks at it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cache, cached_property
from typing import Any, TypeVar

import msgspec

from pincite.answers import citations_of, read_citations, to_conversation
from pincite.config import Settings
from pincite.errors import InputError
from pincite.reading import (
    Assessment,
    Grounds,
    Reading,
    Verdicts,
    asked_consistency,
    assess,
    assess_grounds,
    read_answer,
    read_grounds,
)
from pincite.records import Answer, Citation, DatasetItem, Pair, Verdict
from pincite.sources import Library, open_sources

Made = TypeVar("Made")


class Case:
    """One item with its sources. What several metrics need is worked out here, the first time."""

    def __init__(self, item: DatasetItem, library: Library, settings: Settings) -> None:
        self.item = item
        self.library = library.extended(item.sources) if item.sources else library
        self.settings = settings
        self._kept: dict[Hashable, Any] = {}
        self._judged: tuple[Verdicts, dict[str, Any]] = ({}, {})
        """What follows from the verdicts that were given last."""

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
            retrieved=None if item.retrieved is None else tuple(one.document for one in item.retrieved),
        )
        return read_answer(answer, self.library, self.settings)

    @cached_property
    def consistency(self) -> list[Pair | Verdict | None]:
        """For each claim, what is to be asked whether anything cited contradicts it."""
        return asked_consistency(self.reading)

    @cached_property
    def grounds(self) -> list[Grounds]:
        """For each claim, what is to be asked whether the sources state it."""
        return read_grounds(self.reading)

    def assessment(self, verdicts: Verdicts) -> Assessment:
        """What these verdicts make of the citations, decided once for all metrics."""
        return self._once_judged("assessment", verdicts, lambda: assess(self.reading, verdicts))

    def ground_verdicts(self, verdicts: Verdicts) -> list[Verdict | None]:
        """For each claim, whether the sources state it; None where there are none."""
        return self._once_judged(
            "grounds", verdicts, lambda: [assess_grounds(asked, verdicts) for asked in self.grounds]
        )

    def _once_judged(self, key: str, verdicts: Verdicts, make: Callable[[], Made]) -> Made:
        if self._judged[0] is not verdicts:
            self._judged = (verdicts, {})
        kept = self._judged[1]
        if key not in kept:
            kept[key] = make()
        made: Made = kept[key]
        return made

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` returns, computed the first time only: metrics of one family share it by its key."""
        if key not in self._kept:
            self._kept[key] = make()
        made: Made = self._kept[key]
        return made


def open_case(item: DatasetItem, sources: Any = None, settings: Settings | None = None) -> Case:
    """The case of an item; `sources` is whatever `open_sources` takes."""
    settings = settings or Settings()
    return Case(item, open_sources(sources, settings.limits), settings)


def to_item(given: DatasetItem | Mapping[str, Any]) -> DatasetItem:
    """A `DatasetItem` from one, or from a mapping of its fields."""
    if isinstance(given, DatasetItem):
        return given
    if not isinstance(given, Mapping):
        raise InputError(f"an item is a DatasetItem or a dict of its fields, not a {type(given).__name__}")
    unknown = sorted(set(given) - set(DatasetItem.__struct_fields__))
    if unknown:
        raise InputError(
            f"an item has no field {unknown[0]!r}: it has {', '.join(DatasetItem.__struct_fields__)}"
        )
    answer = given.get("actual_output")
    answer = answer if isinstance(answer, str) else None
    return DatasetItem(**{name: _read_field(name, value, answer) for name, value in given.items()})


def _read_field(name: str, value: Any, answer: str | None) -> Any:
    """One field's value. Messages and citations are of several kinds, which msgspec cannot tell apart."""
    if name == "conversation":
        return None if value is None else to_conversation(value)
    if name == "citations":
        if value is None or all(isinstance(one, Citation) for one in value):
            return None if value is None else tuple(value)
        return citations_of(read_citations(value), answer)
    try:
        return msgspec.convert(value, _field_types()[name])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise InputError(f"the item cannot be measured: {name}: {error}") from None


@cache
def _field_types() -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(DatasetItem)}
