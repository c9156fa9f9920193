"""`docs/specification.md` is true: its names can be imported, its files exist, its rulings have tests."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pincite import compat

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`]+)`")


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without the table's head."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


NAMES = rows("The names")
RULINGS = rows("The rulings")


def find(path: str) -> Any:
    """What a dotted path names: a module, or something in one."""
    try:
        return import_module(path)
    except ModuleNotFoundError:
        module, _, name = path.rpartition(".")
        return getattr(import_module(module), name)


@pytest.mark.parametrize("row", NAMES, ids=[f"{row[0]} {row[1][:40]}" for row in NAMES])
def test_every_name_of_the_table_is_where_the_table_says(row: list[str]) -> None:
    _, names, where, _ = row
    home = find(CODE.findall(where)[0])
    missing = [name for name in CODE.findall(names) if not hasattr(home, name)]
    assert missing == []


def test_every_compatible_name_is_in_the_table() -> None:
    listed = {name for row in NAMES if row[2] == "`pincite.compat`" for name in CODE.findall(row[1])}
    assert listed == set(compat.__all__)


def is_a_room(name: str) -> bool:
    place = ROOT / "src" / "pincite" / name
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


@pytest.mark.parametrize("row", [*NAMES, *RULINGS], ids=[row[0] for row in (*NAMES, *RULINGS)])
def test_every_file_of_the_tables_exists(row: list[str]) -> None:
    files = CODE.findall(row[3])
    assert files and [name for name in files if not is_a_room(name)] == []


def test_the_rulings_are_twenty_three_and_each_has_a_test() -> None:
    numbers = [int(row[0]) for row in RULINGS]
    assert numbers == list(range(1, 24))
    tests = (Path(__file__).parent / "test_rulings.py").read_text(encoding="utf-8")
    assert {int(number) for number in re.findall(r"^def test_ruling_(\d\d)_", tests, re.M)} == set(numbers)
