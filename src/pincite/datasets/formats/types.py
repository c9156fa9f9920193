"""The types of fields, with what a valid file keeps to.

What these add is told by a schema and by `validate`; a file that breaks it can still be read.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

Offset = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
PageNumber = Annotated[int, Meta(extra_json_schema={"minimum": 1})]
Score = Annotated[float, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]
Amount = Annotated[float, Meta(extra_json_schema={"minimum": 0})]
Count = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
Id = Annotated[str, Meta(extra_json_schema={"minLength": 1})]
Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Version = Annotated[str, Meta(description="A semantic version, as 1.10.0")]
QueryType = Annotated[
    str, Meta(extra_json_schema={"enum": ["factual", "analytical", "comparative", "temporal"]})
]
Difficulty = Annotated[str, Meta(extra_json_schema={"enum": ["easy", "medium", "hard"]})]

_COUNT = {"type": "integer", "minimum": 0}
_AMOUNT = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "null"}]}
_INTERVAL = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_FIGURE: dict[str, Any] = {
    "properties": {
        "value": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "confidence_interval": {"anyOf": [_INTERVAL, {"type": "null"}]},
        "n": _COUNT,
        "not_scorable": _COUNT,
        "unjudged": _COUNT,
    }
}
"""One metric of a results document, with how many queries have a value and how many have none."""

DatasetMetadata = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "properties": {
                "domain": {"type": "string"},
                "language": {"type": "string"},
                "size": _COUNT,
                "avg_query_length": {"type": "number", "minimum": 0},
                "source": {"type": "string"},
            }
        }
    ),
]
Summary = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "properties": {
                "total_queries": _COUNT,
                "successful_queries": _COUNT,
                "failed_queries": _COUNT,
                "average_latency_ms": _AMOUNT,
                "total_evaluation_time_seconds": _AMOUNT,
            }
        }
    ),
]
Figure = Annotated[dict[str, Any], Meta(extra_json_schema={**_FIGURE, "required": ["value"]})]
FigureGroup = Annotated[dict[str, Any], Meta(extra_json_schema=_FIGURE)]
