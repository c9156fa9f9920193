"""YAML read as the equivalent JSON: no tags that make objects, no aliases that grow without end."""

from __future__ import annotations

import math
from typing import Any

from pincite.base import check_yaml
from pincite.datasets.files.plain_json import read_text
from pincite.datasets.formats.schema_check import step
from pincite.errors import InputError
from pincite.text import escape_commands, has_command

LARGEST = 100 * 1000 * 1000
"""Bytes. A larger YAML file is refused."""


def parse_yaml(raw: bytes, name: str) -> Any:
    """The value of a YAML file. Dates stay the texts that they are written as."""
    import yaml

    text = read_text(raw, name)
    try:
        check_yaml(text)
        value = yaml.load(text, Loader=_loader())  # noqa: S506 a safe loader with one resolver less
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).split("\n")[0]
        raise InputError(f"{name}: not valid YAML{where}: {problem}") from None
    except (ValueError, OverflowError, RecursionError) as error:
        raise InputError(f"{name}: not valid YAML: {error}") from None
    return _json_like(value, name)


def write_yaml(value: Any) -> bytes:
    """A plain value as YAML that `parse_yaml` reads as the same, with nothing that a CI log would obey."""
    import yaml

    text = str(yaml.dump(value, Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=110))
    return escape_commands(text, "\\x{:02x}").encode()


def _dumper() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

    class Dumper(base):  # type: ignore[misc]
        """Puts what a CI system would obey in double quotes, where it can be escaped."""

    def represent(dumper: Any, text: str) -> Any:
        return dumper.represent_scalar(
            "tag:yaml.org,2002:str", text, style='"' if has_command(text) else None
        )

    Dumper.add_representer(str, represent)
    return Dumper


def _loader() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        """Reads dates as texts."""

        yaml_implicit_resolvers = {  # noqa: RUF012 PyYAML's own way
            first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
            for first, resolvers in base.yaml_implicit_resolvers.items()
        }

    return Loader


def _json_like(value: Any, name: str, pointer: str = "") -> Any:
    """The same value with keys that are texts; what JSON has no form for is refused.

    `check_yaml` has bounded the depth.
    """
    if isinstance(value, dict):
        held = ((_key(key), one) for key, one in value.items())
        return {key: _json_like(one, name, pointer + step(key)) for key, one in held}
    if isinstance(value, list):
        return [_json_like(one, name, pointer + step(index)) for index, one in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{name}: {pointer}: {value} is not a number; write null where there is no value")
    if value is None or isinstance(value, str | int | float):
        return value
    raise InputError(f"{name}: {pointer}: a {type(value).__name__} has no form in JSON")


def _key(key: Any) -> str:
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return str(key)
