"""JSON and YAML read strictly: what is ambiguous, endless or no JSON value is refused, with its place."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from pincite.base import check_yaml
from pincite.datasets.schema import step
from pincite.errors import InputError
from pincite.sources import Unreadable, decode
from pincite.text import escape_commands, has_command

DEEPEST = 200
"""How deep lists and objects may be nested."""

_TEXT = re.compile(r'"[^"\\]*+(?:\\(?:.|\Z)[^"\\]*+)*+(?:"|\Z)', re.DOTALL)
_NO_BRACKETS = re.compile(r"[^\[\]{}]++")
_TOKEN = re.compile(r'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)|[\[\]{},:]|[^\s\[\]{},:"]++', re.DOTALL)


def read_text(raw: bytes, name: str) -> str:
    """The text of a file; a byte-order mark is dropped, and what is not UTF-8 is refused."""
    try:
        return decode(raw)
    except Unreadable as error:
        raise InputError(f"{name}: {error}") from None


def parse_json(raw: bytes, name: str, deepest: int = DEEPEST) -> Any:
    """The value of a JSON file, or of a part of one, which may be nested less deeply."""
    text = read_text(raw, name)
    if not text.strip():
        raise InputError(f"{name}: the file is empty")
    try:
        # The standard parser recurses, so that the input would decide how deep the stack goes.
        if text.count("[") + text.count("{") > deepest and _depth(text) > deepest:
            raise _Found(f"nested more than {deepest} levels deep", deepest=deepest)
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse, parse_float=_number)
    except _Found as found:
        raise InputError(f"{name}{_place_of(text, found)}: {found}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        open_text = error.msg.endswith(" starting at")
        told = "the text that begins there never ends" if open_text else error.msg.removesuffix(" at")
        cut = " (the file seems to be cut off)" if open_text or error.pos >= len(text.rstrip()) else ""
        raise InputError(f"{name}: not valid JSON at {where}: {told}{cut}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not valid JSON: {error}") from None


class _Found(Exception):
    """Something that the standard parser lets through."""

    def __init__(
        self, what: str, key: str | None = None, constant: str | None = None, deepest: float = math.inf
    ) -> None:
        super().__init__(what)
        self.key, self.constant, self.deepest = key, constant, deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Found(f"the key {key!r:.80} comes twice in one object", key=key)
            seen.add(key)
    return made


def _refuse(constant: str) -> Any:
    raise _Found(f"{constant} is not a JSON number; write null where there is no value", constant=constant)


def _number(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):  # 1e999, which is JSON and could not be written as such again
        raise _Found(f"{digits:.40} is larger than any number that can be held", constant=digits)
    return number


def _place_of(text: str, found: _Found) -> str:
    """The line and column of what was found, looked for only now that there is something to report."""
    open_keys: list[set[str] | None] = []
    expects_key = False
    for match in _TOKEN.finditer(text):
        piece = match.group()
        here = piece == found.constant
        if piece in "[{":
            open_keys.append(set() if piece == "{" else None)
            here = len(open_keys) > found.deepest
        elif piece in "]}" and open_keys:
            open_keys.pop()
        elif expects_key and found.key is not None and open_keys and (keys := open_keys[-1]) is not None:
            key = json.loads(piece)
            here = key == found.key and key in keys
            keys.add(key)
        if here:
            line = text.count("\n", 0, match.start()) + 1
            return f": line {line}, column {match.start() - text.rfind(chr(10), 0, match.start())}"
        expects_key = piece in "{," and bool(open_keys) and open_keys[-1] is not None
    return ""


def _depth(text: str) -> int:
    """The most lists and objects that are open at once; several times as fast as looking for the place."""
    depth = deepest = 0
    for bracket in _NO_BRACKETS.sub("", _TEXT.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


LARGEST_YAML = 100 * 1000 * 1000
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
