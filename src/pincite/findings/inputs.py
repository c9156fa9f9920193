"""What may be given as an answer, turned into an `Answer`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pincite.config import Limits
from pincite.errors import InputError, TooLargeError
from pincite.records import Answer

_LOOKS_LIKE_PATH = re.compile(r"\S{1,300}\.(?:md|markdown|txt|json|jsonl|html?)", re.IGNORECASE)
_TEXT_KEYS = ("answer", "generated_answer", "text", "actual_output")


def to_answer(given: Any, limits: Limits, provider: str | None = None, name: str = "<answer>") -> Answer:
    """An `Answer` from a text, a path, an `Answer`, a record with an answer in it, or a provider's response.

    A string is always the answer itself, never a path: an answer must not be able to name a file to be read.
    """
    if isinstance(given, Answer):
        return _within(given, limits)
    if isinstance(given, Path):
        return read_answer_file(given, limits, provider)
    if isinstance(given, str) and provider is None:
        if _LOOKS_LIKE_PATH.fullmatch(given.strip()):
            raise InputError(
                f"{given!r} is a path, not an answer: pass pathlib.Path({given!r}) to read that file"
            )
        return _within(Answer(text=given, name=name), limits)
    if isinstance(given, dict) and provider is None and not _is_response(given):
        text = next((given[key] for key in _TEXT_KEYS if isinstance(given.get(key), str)), None)
        if text is not None:
            query = given.get("query")
            label = next((given[key] for key in ("id", "query_id", "name") if given.get(key)), name)
            return _within(
                Answer(text=text, name=str(label), query=query if isinstance(query, str) else None), limits
            )
    if given is None or isinstance(given, bool | int | float):
        raise InputError(f"an answer is a text, a pathlib.Path or a provider's response, not {given!r}")
    if isinstance(given, list | tuple) and given and all(isinstance(part, str) for part in given):
        raise InputError("one answer is checked at a time: call check() for each of the list")
    from pincite.citations.providers import read_response

    return _within(read_response(given, provider, name=name), limits)


def read_answer_file(path: Path, limits: Limits, provider: str | None = None) -> Answer:
    """The answer in a file: text, or a saved response when the provider is named."""
    text = decode_answer(read_bytes(path, limits), str(path))
    if provider is not None:
        from pincite.citations.providers import read_response

        return read_response(text, provider, name=str(path))
    return Answer(text=text, name=str(path))


def read_bytes(path: Path, limits: Limits) -> bytes:
    """The file's bytes; one that is missing, not a file or over the limit is refused by name."""
    try:
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "is not a file" if path.exists() else "does not exist"
            raise InputError(f"{path}: the answer {what}")
        size = path.stat().st_size
        if size > limits.answer_bytes:
            raise TooLargeError(_too_large(str(path), size, limits))
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot read the answer: {error.strerror or error}") from error


def decode_answer(raw: bytes, name: str) -> str:
    """UTF-8, or UTF-16 with a byte-order mark; anything else is an error that names the byte."""
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        written = encoding.removesuffix("-sig").upper()
        raise InputError(f"{name}: not {written} at byte {error.start}: save the answer as UTF-8") from error


def _is_response(given: dict[str, Any]) -> bool:
    return any(
        key in given for key in ("content", "output", "choices", "candidates", "message", "schema_version")
    )


def _within(answer: Answer, limits: Limits) -> Answer:
    # Counting bytes costs a copy, so look at the code points first: a text has at least one byte for each.
    size = len(answer.text)
    if size * 4 > limits.answer_bytes:
        size = len(answer.text.encode("utf-8", "surrogatepass"))
    if size > limits.answer_bytes:
        raise TooLargeError(_too_large(answer.name, size, limits))
    return answer


def _too_large(name: str, size: int, limits: Limits) -> str:
    return (
        f"{name}: the answer has {size:,} bytes, more than the limit of {limits.answer_bytes:,}; "
        "raise it with limits.answer_bytes if intended"
    )
