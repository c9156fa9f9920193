"""TOML that would take the standard library gigabytes is refused before it is read."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pincite.base import read_toml
from pincite.config import load_settings
from pincite.errors import ConfigError

MOST_PARTS = 32
LARGEST = 10_000_000

LONG = ".".join("a" * (MOST_PARTS + 1))


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG} = 1",
        f"[{LONG}]",
        f"[[{LONG}]]",
        f"x = {{{LONG} = 1}}",
        " . ".join(["a"] * 40) + " = 1",
        ".".join(['"a b"'] * 40) + " = 1",
        ".".join(["'a'"] * 40) + " = 1",
        f'x = """a"""""\n{LONG} = 1',
        f'x = {{y = """a"""", {LONG} = 1}}',
        f"x = {{y = '''a'''', {LONG} = 1}}",
        f'x = "\\""  # "\n{LONG} = 1',
        f"x = 1 # it's\n{LONG} = 1",
        f'x = """\n{LONG}\n\\""" """\n{LONG} = 1',
        ".".join("a" * 50_000) + " = 1",
    ],
)
def test_a_key_of_very_many_parts_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"line \d+: a key of more than 32 parts"):
        read_toml(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        f'x = "{LONG}" # {LONG}',
        f'x = """\n{LONG} " ""\n"""',
        f"x = '''{LONG}'''\ny = '{LONG}'",
        "x = [" + "0.5, " * 100 + "]",
        f'"{LONG}" = 1',
        ".".join("abcdefgh") + " = 1979-05-27T07:32:00.999999-07:00",
    ],
)
def test_dots_elsewhere_are_no_parts_of_a_key(text: str) -> None:
    assert read_toml(text.encode()) == tomllib.loads(text)


def test_what_is_too_large_or_too_deep_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="more than 10 MB"):
        read_toml(b"#" * (LARGEST + 1))
    with pytest.raises(ValueError, match="nested too deeply"):
        read_toml(b"x = " + b"[" * 50_000)


@pytest.mark.parametrize("name", ["pincite.toml", "pyproject.toml"])
def test_a_configuration_with_such_a_key_is_refused_by_name(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f"[tool.pincite]\n{LONG} = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"{name}: cannot be read: line 2: a key of more than 32 parts"):
        load_settings(folder=tmp_path)
