"""A large JSON file read once, element by element of its long lists, checked as a small one is."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from typing import Any, BinaryIO

from pincite.datasets.files.json_yaml import DEEPEST
from pincite.datasets.schema import step
from pincite.errors import InputError

_CHUNK = 1024 * 1024


class Reader:
    """A stream as `ijson` wants it: without a byte-order mark, hashed on the way."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self._first = True
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        raw = self._stream.read(size)
        self._digest.update(raw)
        self.count += len(raw)
        if self._first and size != 0:
            self._first = False
            return raw.removeprefix(b"\xef\xbb\xbf")
        return raw

    def digest(self) -> str:
        """The SHA-256 of everything, also of what comes after the JSON value."""
        while raw := self._stream.read(_CHUNK):
            self._digest.update(raw)
        return self._digest.hexdigest()


def scan(reader: Reader, bulk: tuple[str, ...], name: str) -> Iterator[tuple[str, int, Any]]:
    """Each element of the lists in `bulk` as (list, index, element), and last ("", 0, all other fields).

    A bulk field that is no list is among the other fields, as it is. Lists that were given one by one are
    empty there.
    """
    builder = _Builder(bulk)
    try:
        for event, value in _events(reader):
            found = builder.take(event, value)
            if found is not None:
                yield found
    except _Misfit as problem:
        raise InputError(f"{name}: {builder.place()}: {problem}") from None
    except InputError:
        raise
    except Exception as error:
        if "JSONError" not in type(error).__name__ and not isinstance(error, ValueError | OverflowError):
            raise
        where = f"{builder.place()}, near byte {reader.count:,}"
        raise InputError(f"{name}: not valid JSON in {where}: {_first_line(error)}") from None
    yield "", 0, builder.root


def elements(stream: BinaryIO, bulk: str, name: str) -> Iterator[Any]:
    """The elements of one long list alone; without a name, of the list that the whole file is."""
    import ijson

    try:
        yield from ijson.items(
            Reader(stream), f"{bulk}.item" if bulk else "item", use_float=True, buf_size=_CHUNK
        )
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise InputError(f"{name}: not valid JSON: {_first_line(error)}") from None


def _events(reader: Reader) -> Iterator[tuple[str, Any]]:
    import ijson

    events: Iterator[tuple[str, Any]] = ijson.basic_parse(reader, use_float=True, buf_size=_CHUNK)
    return events


class _Misfit(Exception):
    """Something that the parser lets through."""


class _Builder:
    """Puts events together: whole values, except for the bulk lists, whose elements are handed out."""

    def __init__(self, bulk: tuple[str, ...]) -> None:
        self._bulk = bulk
        self._stack: list[Any] = []
        self._keys: list[Any] = []
        """The key that is being filled, for each open container."""
        self.root: Any = None
        self._list = ""
        self._index = 0

    def take(self, event: str, value: Any) -> tuple[str, int, Any] | None:
        stack = self._stack
        if event == "map_key":
            if value in stack[-1]:
                self._keys[-1] = value
                raise _Misfit(f"the key {value!r:.80} comes twice in one object")
            self._keys[-1] = value
            return None
        if event == "start_map" or event == "start_array":
            if len(stack) >= DEEPEST:
                raise _Misfit(f"nested more than {DEEPEST} levels deep")
            stack.append({} if event == "start_map" else [])
            self._keys.append(None)
            if event == "start_array" and len(stack) == 2 and self._keys[0] in self._bulk:
                self._list, self._index = self._keys[0], 0
            return None
        if event == "end_map" or event == "end_array":
            value = stack.pop()
            self._keys.pop()
            if len(stack) == 1 and self._list:
                self._list = ""
        if not stack:
            self.root = value
            return None
        if self._list and len(stack) == 2:
            self._index += 1
            return self._list, self._index - 1, value
        if type(stack[-1]) is dict:
            stack[-1][self._keys[-1]] = value
        else:
            stack[-1].append(value)
        return None

    def place(self) -> str:
        """A JSON pointer to what is being read."""
        steps = []
        for depth, (container, key) in enumerate(zip(self._stack, self._keys, strict=True)):
            if type(container) is dict:
                steps.append(step(key) if key is not None else "")
            else:
                steps.append(step(self._index if depth == 1 and self._list else len(container)))
        return "".join(steps) or "the top level"


def _first_line(error: Exception) -> str:
    raw = error.args[0] if error.args else ""
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw or error)
    return text.strip().split("\n")[0][:200]


_INSIDE = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_WORD = re.compile(
    rb"(?<![\w.+-])-?(?:NaN|Infinity|[0-9]{19,}+(?![.eE])|[0-9]++(?:\.[0-9]++)?+[eE][+-]?+[0-9]{3,}+)\b"
)
_OF_WORDS = b"+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What such a word is made of: at the end of a piece it may be cut off."""
_LONGEST = 1 << 20
"""Bytes of a word that is waited for; no parser takes a longer number anyway."""


class Marked:
    """A stream of JSON in which each such word outside of texts is a text that nobody else writes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._mark = b"pincite-" + secrets.token_hex(16).encode() + b":"
        self._inside = False
        self._held = b""
        self._over = False

    def read(self, size: int = -1) -> bytes:
        """The next piece, which may be longer than was asked for."""
        while size and not self._over:  # a parser may ask for nothing, to see what comes
            fresh = self._stream.read(size)
            self._over = not fresh
            if piece := self._pass_on(self._held + fresh):
                return piece
        return b""

    def unmarked(self, raw: bytes) -> bytes:
        """The same with the words as they were."""
        return re.sub(rb'"' + self._mark + rb'([-+.\w]+)"', rb"\1", raw)

    def _pass_on(self, raw: bytes) -> bytes:
        parts: list[bytes] = []
        at, self._held = 0, b""
        while at < len(raw):
            if self._inside:
                inside = _INSIDE.match(raw, at)
                end = inside.end() if inside is not None else at
                closed = raw[end : end + 1] == b'"'
                parts.append(raw[at : end + closed])
                self._inside = not closed
                if not closed:  # at most a backslash is left, whose second half is still to come
                    self._held = raw[end:]
                    break
                at = end + 1
            else:
                quote = raw.find(b'"', at)
                end = quote if quote >= 0 else len(raw)
                if quote < 0 and not self._over:
                    end = max(at, len(raw.rstrip(_OF_WORDS)))
                    end = end if len(raw) - end <= _LONGEST else len(raw)
                    self._held = raw[end:]
                parts.append(_WORD.sub(self._marked, raw[at:end]))
                if quote < 0:
                    break
                parts.append(b'"')
                self._inside, at = True, end + 1
        return b"".join(parts)

    def _marked(self, word: re.Match[bytes]) -> bytes:
        return b'"' + self._mark + word[0] + b'"'
