"""A room is entered by its door: what other rooms may use stands in its `__init__`."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import pincite

PACKAGE = Path(pincite.__file__).parent
ROOT = Path(__file__).parents[1]
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
LAZY = [room for room in ROOMS if "lazy_names(" in (PACKAGE / room / "__init__.py").read_text()]
# Each module of `integrations` is for the users of one framework, who import it by its name.
OPEN = {"integrations"}
# The documents' own names are public by the modules that the documents name.
OPEN_TO_TESTS = {*OPEN, "compat"}
STILL_ENTERED_INSIDE = {
    "citations",
    "cli",
    "datasets",
    "engine",
    "findings",
    "judges",
    "metrics",
    "reports",
    "runs",
    "store",
    "text",
    "web",
}
"""Rooms whose inner modules tests or benches still import. Take a room out when none does; never add one."""


def room_of(module: str) -> str:
    return module.split(".")[1] if module.startswith("pincite.") else ""


def inner_imports(path: Path, room: str) -> list[str]:
    """What a file imports from below the door of another room."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        elif isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):  # to be patched by its name
            modules = [node.value] if re.fullmatch(r"pincite(\.\w+){2,}", node.value) else []
        for module in modules:
            target = room_of(module)
            is_door = module.count(".") < 2 or not is_module(".".join(module.split(".")[:3]))
            if target in ROOMS and target not in {room, *OPEN} and not is_door:
                found.append(f"{path.relative_to(ROOT)}: {module}")
    return found


def is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or path.is_dir()


def test_no_room_imports_what_is_behind_the_door_of_another() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).parts
        if parts[-1] != "__init__.py" or len(parts) > 2:
            found += inner_imports(path, parts[0] if len(parts) > 1 else "")
    assert found == []


def test_tests_and_benches_enter_a_room_by_its_door() -> None:
    found = [
        used
        for folder in ("tests", "bench", "training")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for used in inner_imports(path, "")
        if room_of(used.partition(": ")[2]) not in OPEN_TO_TESTS | STILL_ENTERED_INSIDE
    ]
    assert found == []


@pytest.mark.parametrize("room", LAZY)
def test_a_door_gives_the_names_that_it_shows_to_type_checkers(room: str) -> None:
    door = import_module(f"pincite.{room}")
    tree = ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    shown = {
        name.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert sorted(shown) == door.__all__
    for name, module in shown.items():
        assert getattr(door, name) is getattr(import_module(str(module)), name)


@pytest.mark.parametrize("room", LAZY)
def test_no_module_bears_the_name_of_what_its_door_gives(room: str) -> None:
    """Importing `pincite.room.name` puts the module there: from then on the function would be hidden."""
    door = import_module(f"pincite.{room}")
    assert [name for name in door.__all__ if is_module(f"pincite.{room}.{name}")] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_door_says_what_its_room_is_for(room: str) -> None:
    assert (import_module(f"pincite.{room}").__doc__ or "").strip()


def test_a_name_that_a_room_does_not_give_is_told_like_any_other() -> None:
    with pytest.raises(ImportError, match=r"cannot import name 'no_such_name' from 'pincite\.text'"):
        from pincite.text import no_such_name  # type: ignore[attr-defined] # noqa: F401
