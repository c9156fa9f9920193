"""The JSON Schemas: shipped as generated, valid, and of one mind with our own validator."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from data_samples import EXAMPLES, example
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.datasets import FORMATS, schema_of, validate_value

KINDS: list[Any] = list(FORMATS)

ODD = st.sampled_from(
    [None, True, 0, 1, -1, 1.0, 0.5, 1e300, "", "easy", "1.0.0", "x", [], [1], [0.1, 0.2], {}, {"a": 1}, [{}]]
)
DROP = object()
BEYOND_SCHEMAS = (
    *("an end after the start", "a date and time", "a lower end", "settings that", "an id of its own"),
    "a value that can be read",
)
"""What validating expects beside what a schema can say."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_shipped_schema_is_what_the_records_make(kind: Any) -> None:
    name = f"{FORMATS[kind].title.lower().replace(' ', '_')}.schema.json"
    shipped = files("pincite.datasets") / "schemas" / name
    assert json.loads(shipped.read_text(encoding="utf-8")) == schema_of(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_a_valid_schema(kind: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(kind))
    assert schema_of(kind)["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize("kind", KINDS)
def test_the_examples_are_valid(kind: Any) -> None:
    jsonschema.Draft202012Validator(schema_of(kind)).validate(EXAMPLES[kind])
    assert list(validate_value(EXAMPLES[kind], kind)) == []


@pytest.mark.parametrize(
    ("kind", "required"),
    [
        ("dataset", ["dataset_id", "name", "version", "queries"]),
        ("ground_truth", ["dataset_id", "version", "annotations"]),
        ("results", ["evaluation_id", "timestamp", "dataset_id", "summary"]),
        ("benchmark", ["benchmark_id", "created_at", "entries"]),
    ],
)
def test_what_a_file_must_have(kind: Any, required: list[str]) -> None:
    assert schema_of(kind)["required"] == required


@st.composite
def changed(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """An example with a few values exchanged or left out, wherever they stand."""
    value = example(kind)
    for _ in range(draw(st.integers(1, 4))):
        node: Any = value
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inner = node[key]
            if isinstance(inner, dict | list) and inner and draw(st.booleans()):
                node = inner
                continue
            new = draw(ODD.map(deepcopy) | st.just(DROP))
            if new is DROP and isinstance(node, dict):
                del node[key]
            elif new is not DROP:
                node[key] = new
            break
    return value


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_our_validator_and_a_general_one_agree(kind: Any, data: st.DataObject) -> None:
    value = data.draw(changed(kind))
    schema = schema_of(kind)
    found = [one for one in validate_value(value, kind) if not one.expected.startswith(BEYOND_SCHEMAS)]
    theirs = list(jsonschema.Draft202012Validator(schema).iter_errors(value))
    assert bool(found) == bool(theirs), (found, theirs, json.dumps(value))
    for one in found:
        _must_lead_somewhere(one.pointer, value)


def _must_lead_somewhere(pointer: str, value: Any) -> None:
    """A pointer names a value that is there, or a field that is missing from one that is."""
    steps = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for number, one in enumerate(steps, start=1):
        if isinstance(value, list):
            value = value[int(one)]
        elif one in value:
            value = value[one]
        else:
            assert number == len(steps)
