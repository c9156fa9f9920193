"""One noun, one class; one test file, one name; and a metric says what others would know by its name."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import pincite
from pincite.config import Settings
from pincite.metrics import list_metrics, parse_metric

STILL_TWICE = frozenset(
    {
        "CitationSpan",
    }
)
"""Names that are still to be made unique. Take a name out when it is; never add one."""


def test_no_public_class_name_is_defined_twice() -> None:
    counted: Counter[str] = Counter()
    for file in Path(pincite.__file__).parent.rglob("*.py"):
        counted.update(
            node.name
            for node in ast.parse(file.read_bytes()).body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        )
    assert {name for name, count in counted.items() if count > 1} <= STILL_TWICE


def test_no_two_test_files_bear_one_name() -> None:
    """Pytest imports them by it. The tests of a framework run in an environment of their own."""
    tests = Path(__file__).parent
    counted = Counter(
        file.name
        for file in tests.rglob("test_*.py")
        if file.relative_to(tests).parts[0] != "integrations" or file.parent.name == "integrations"
    )
    assert [name for name, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("room", ["runs", "store", "reports", "stats", "engine"])
def test_no_metric_is_known_by_its_name(room: str) -> None:
    known = (parse_metric(one.name).title for one in list_metrics(Settings()))
    titles = {title for title in known if "_" in title or title.isupper()}
    named = [
        f"{file.name}: {node.value}"
        for file in (Path(pincite.__file__).parent / room).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Constant) and node.value in titles
    ]
    assert named == []
