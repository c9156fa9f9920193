"""What may be given as an item to measure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from pincite.errors import InputError
from pincite.metrics.conversations import to_conversation
from pincite.records import Citation, DatasetItem


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
    return DatasetItem(**{name: _read(name, value) for name, value in given.items()})


def _read(name: str, value: Any) -> Any:
    """One field's value. Messages and citations are of several kinds, which are told apart by hand."""
    if name == "conversation":
        return None if value is None else to_conversation(value)
    if name == "citations":
        if value is not None and not all(isinstance(one, Citation) for one in value):
            raise InputError("an item's citations are Citation records, as returned by pincite.parse")
        return None if value is None else tuple(value)
    try:
        return msgspec.convert(value, _types()[name])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise InputError(f"the item cannot be measured: {name}: {error}") from None


@cache
def _types() -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(DatasetItem)}
