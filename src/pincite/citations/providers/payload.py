"""Reading what a provider sent: a dict, a list of events, JSON, a file, or the SDK's own object.

No SDK is imported: an object is asked for its data by the methods that the SDKs' objects are known to have.
What comes back is plain data, and `Node` walks through it with the JSON pointer of each place, so that an
error can name it.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pincite.base import read_limited
from pincite.config import Limits
from pincite.errors import PayloadError, TooLargeError

MAX_DEPTH = 100
"""Far deeper than any payload nests; what is deeper is refused."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a payload and where it stands, as a JSON pointer."""

    value: Any
    pointer: str = ""

    def fail(self, problem: str) -> PayloadError:
        return PayloadError(f"at {self.pointer or '/'}: {problem}")

    def fields(self) -> dict[str, Any]:
        """The value, which must be an object."""
        if not isinstance(self.value, dict):
            raise self.fail(f"expected an object, found {kind_of(self.value)}")
        return self.value

    def items(self) -> list[Node]:
        """The elements of the value, which must be a list; null is an empty one."""
        if self.value is None:
            return []
        if not isinstance(self.value, list):
            raise self.fail(f"expected a list, found {kind_of(self.value)}")
        return [Node(value, f"{self.pointer}/{number}") for number, value in enumerate(self.value)]

    def name_of(self, *names: str) -> str | None:
        """The first of the names that the object has with a value."""
        fields = self.fields()
        return next((name for name in names if fields.get(name) is not None), None)

    def get(self, *names: str) -> Node | None:
        """The first of the named fields that has a value, or None."""
        name = self.name_of(*names)
        if name is None:
            return None
        return Node(self.value[name], f"{self.pointer}/{name.replace('~', '~0').replace('/', '~1')}")

    def inner(self, *names: str) -> Node:
        """The same; an empty object where there is none."""
        return self.get(*names) or Node({}, self.pointer)

    def need(self, *names: str) -> Node:
        """The first of the named fields that has a value; an error when there is none."""
        found = self.get(*names)
        if found is None:
            raise self.fail(f"the field {names[0]!r} is missing")
        return found

    def each(self, *names: str) -> list[Node]:
        """The elements of a list field; none when the field is missing."""
        found = self.get(*names)
        return [] if found is None else found.items()

    def objects(self, *names: str) -> list[Node]:
        """The elements of a list field, each of which must be an object."""
        nodes = self.each(*names)
        for node in nodes:
            node.fields()
        return nodes

    def string(self, *names: str) -> str | None:
        """A string field, or None when it is missing."""
        found = self.get(*names)
        if found is None:
            return None
        if not isinstance(found.value, str):
            raise found.fail(f"expected a string, found {kind_of(found.value)}")
        return found.value

    def raw(self, *names: str) -> Any:
        """A field as it is, or None."""
        found = self.get(*names)
        return None if found is None else found.value

    def number(self, *names: str) -> int | None:
        """A whole-number field, or None when it is missing or something else."""
        value = self.raw(*names)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, (int, float)):
        return "a number"
    return "a list" if isinstance(value, list) else "an object"


# --- from whatever was given to plain data -------------------------------------------------------


def load_payload(payload: object, limits: Limits | None = None) -> dict[str, Any] | list[Any]:
    """The payload as plain data: a response, or a list of streaming events."""
    most = (limits or Limits()).answer_bytes
    if isinstance(payload, os.PathLike):
        payload = _read_file(Path(payload), most)
    if isinstance(payload, (bytearray, memoryview)):
        payload = bytes(payload)
    if isinstance(payload, (str, bytes)):
        if len(payload) > most:
            raise TooLargeError(f"the payload has {len(payload):,} bytes, over the limit of {most:,}")
        payload = decode_json(payload)
    data = to_plain(payload)
    if not isinstance(data, (dict, list)):
        raise PayloadError(f"a payload is a JSON object or a list of events, not {kind_of(data)}")
    if not data:
        raise PayloadError("the payload is empty")
    return data


def _read_file(path: Path, most: int) -> bytes:
    try:
        if not path.is_file():
            raise PayloadError(f"{path}: no such file")
        size = path.stat().st_size
        if size > most:
            raise TooLargeError(f"{path} has {size:,} bytes, over the limit of {most:,}")
        raw = read_limited(path, most + 1)
        if len(raw) > most:
            raise TooLargeError(f"{path} has more than {most:,} bytes, the limit")
        return raw
    except (OSError, ValueError) as error:
        if isinstance(error, PayloadError | TooLargeError):
            raise
        raise PayloadError(f"{path} cannot be read: {error}") from error


def decode_json(text: str | bytes) -> Any:
    """A JSON document, JSON Lines of events, or the text of a server-sent event stream."""
    if isinstance(text, bytes):
        encoding = "utf-16" if text[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        try:
            text = text.decode(encoding)
        except UnicodeDecodeError as error:
            raise PayloadError(f"the payload is not {encoding} text: byte {error.start} is wrong") from error
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise PayloadError("the payload is empty")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        events = _read_events(text)
        if events is not None:
            return events
        where = f"line {error.lineno}, column {error.colno}"
        raise PayloadError(f"the payload is not JSON ({where}: {error.msg})") from error
    except (RecursionError, ValueError) as error:
        raise PayloadError(f"the payload cannot be read as JSON: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return "it nests too deeply" if isinstance(error, RecursionError) else str(error)


def _read_events(text: str) -> list[Any] | None:
    """One event a line, or one a `data:` block; None when the text is neither."""
    # Not splitlines(): a JSON string may hold U+2028 as it is.
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    first = next((line for line in lines if line.strip()), "")
    streamed = first.startswith(("data:", "event:", "id:", "retry:", ":"))
    blocks = _event_blocks(lines) if streamed else [(number, line) for number, line in enumerate(lines, 1)]
    events: list[Any] = []
    for number, block in blocks:
        if not block.strip() or block.strip() == "[DONE]":
            continue
        try:
            events.append(json.loads(block))
        except (RecursionError, ValueError) as error:
            if not streamed and not events:
                return None
            raise PayloadError(f"the event on line {number} is not JSON: {_reason(error)}") from error
    return events if streamed or len(events) > 1 else None


def _event_blocks(lines: list[str]) -> list[tuple[int, str]]:
    blocks: list[tuple[int, str]] = []
    data: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line.strip() and data:
            blocks.append((number - len(data), "\n".join(data)))
            data = []
    return blocks


def to_plain(value: object, depth: int = 0) -> Any:
    """Plain JSON data from dicts, lists and SDK objects, however they are mixed."""
    if isinstance(value, enum.Enum):
        return to_plain(value.value, depth + 1)
    if isinstance(value, int) and value.bit_length() > 64:
        raise PayloadError("the payload holds a number of more than 64 bits")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str(value)
    if depth > MAX_DEPTH:
        raise PayloadError(f"the payload nests more than {MAX_DEPTH} levels deep")
    if isinstance(value, Mapping):
        return {str(key): to_plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, Iterator)):
        return [to_plain(item, depth + 1) for item in value]
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode("ascii")
    dumped = _dump(value)
    if dumped is not None:
        return to_plain(dumped, depth + 1)
    if depth:
        return str(value) if hasattr(value, "isoformat") else f"<{type(value).__name__}>"
    advice = "give a dict, JSON, a path, or the SDK's response object"
    raise PayloadError(f"cannot read a payload from {type(value).__name__}: {advice}")


def _dump(value: object) -> object | None:
    """An SDK object's data, by the first of the known ways that works, or None when it has none of them."""
    try:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
        for name in ("model_dump", "to_dict", "to_json_dict", "dict"):
            method = getattr(value, name, None)
            if callable(method):
                return _call_dump(method, name)
        # proto-plus keeps `to_dict` on the class, which takes the message.
        method = getattr(type(value), "to_dict", None)
        if callable(method):
            return cast(object, method(value))
        slots = getattr(value, "__struct_fields__", None)
        if slots:
            return {name: getattr(value, name) for name in slots}
        if hasattr(value, "__dict__") and not callable(value):
            return {name: item for name, item in vars(value).items() if not name.startswith("_")} or None
    except PayloadError:
        raise
    except Exception as error:
        raise PayloadError(f"{type(value).__name__} could not be turned into data: {error}") from error
    return None


def _call_dump(method: Any, name: str) -> object:
    if name == "model_dump":
        try:
            return cast(object, method(warnings=False))
        except TypeError:
            pass
    return cast(object, method())
