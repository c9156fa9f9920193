"""JSON Schemas (draft 2020-12) of the records; `python -m pincite.datasets.formats.schema` writes them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from pincite.datasets.formats import records as formats
from pincite.datasets.formats.base import Record, field_names
from pincite.datasets.formats.records import FORMATS, Kind
from pincite.records import SCHEMA_VERSION

FOLDER = Path(__file__).parent / "schemas"
SEMANTIC_VERSION = r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)([-+][0-9A-Za-z.+-]+)?$"
_NULL = {"type": "null"}
_NAMES = ("file_name", "document_id", "file_path", "title")
_MAY_BE_NULL = {("BenchmarkEntry", "value")}
"""Fields that must be there and may still say that nothing could be measured."""


def file_of(kind: Kind) -> Path:
    """Where the schema of a kind is shipped."""
    return FOLDER / f"{FORMATS[kind].title.lower().replace(' ', '_')}.schema.json"


@cache
def schema_of(kind: Kind) -> dict[str, Any]:
    """The schema of a kind of file."""
    record = FORMATS[kind].record
    named: list[type[Record]] = [record]
    if kind == "ground_truth":
        named += [formats.CitationAnnotation, formats.AnswerQualityAnnotation]
    _, parts = msgspec.json.schema_components(named, ref_template="#/$defs/{name}")
    parts = {name: _mended(name, part) for name, part in parts.items()}
    top = parts.pop(record.__name__)
    if kind == "ground_truth":
        top["properties"]["annotations"]["items"] = {
            "if": {"anyOf": [{"required": ["quality_scores"]}, {"required": ["answer_text"]}]},
            "then": {"$ref": "#/$defs/AnswerQualityAnnotation"},
            "else": {"$ref": "#/$defs/CitationAnnotation"},
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:pincite:{file_of(kind).name.split('.')[0]}:{SCHEMA_VERSION}",
        **{**top, "title": FORMATS[kind].title},
        **({"$defs": dict(sorted(parts.items()))} if parts else {}),
    }


def _mended(name: str, part: dict[str, Any]) -> dict[str, Any]:
    """What a valid file must have, which is more than what can be read."""
    record: type[Record] = getattr(formats, name)
    properties = {
        key: {word: held for word, held in part["properties"][key].items() if word != "default"}
        for key in field_names(record)
    }
    if "schema_version" in properties:
        properties["schema_version"] = {"type": "integer", "minimum": 1, "maximum": SCHEMA_VERSION}
    if "version" in properties:
        properties["version"]["pattern"] = SEMANTIC_VERSION
    for key in record.required:
        if (name, key) not in _MAY_BE_NULL:
            properties[key] = _not_null(properties[key])
    made: dict[str, Any] = {
        "title": name,
        "description": part.get("description", ""),
        "type": "object",
        "properties": properties,
        "required": list(record.required),
    }
    if issubclass(record, formats.CitationSpan):
        made["anyOf"] = [
            {"required": [key], "properties": {key: {"type": "string", "minLength": 1}}} for key in _NAMES
        ]
    return made


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    choices = [choice for choice in schema.get("anyOf", []) if choice != _NULL]
    if not choices:
        return schema
    return choices[0] if len(choices) == 1 else {**schema, "anyOf": choices}


def as_text(kind: Kind) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema_of(kind), indent=2) + "\n"


if __name__ == "__main__":
    for kind in FORMATS:
        file_of(kind).write_text(as_text(kind), encoding="utf-8")
