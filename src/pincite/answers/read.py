"""What may be given as an answer, read as an `Answer`: a text, a file, a record, a provider's response."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pincite.config import Limits
from pincite.errors import InputError, TooLargeError
from pincite.records import Answer, Source
from pincite.sources.library import open_sources

_LOOKS_LIKE_PATH = re.compile(r"\S{1,300}\.(?:md|markdown|txt|json|jsonl|html?)", re.IGNORECASE)
ANSWER_KEYS = ("answer", "generated_answer", "text", "actual_output")
_QUERY_KEYS = ("query", "query_text", "question")
_ID_KEYS = ("id", "query_id", "name")


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
        read = from_record(given, limits, name)
        if read is not None:
            return read
    if given is None or isinstance(given, bool | int | float):
        raise InputError(f"an answer is a text, a pathlib.Path or a provider's response, not {given!r}")
    if isinstance(given, list | tuple) and given and all(isinstance(part, str) for part in given):
        raise InputError("one answer is checked at a time: call check() for each of the list")
    from pincite.citations.providers import read_response

    return _within(read_response(given, provider, name=name), limits)


def from_record(
    record: dict[str, Any], limits: Limits, where: str, name: Callable[[str | int | None], str] | None = None
) -> Answer | None:
    """The answer in a record, with its query and the documents and references that came with it.

    None where it has no answer. `name` makes a name of the record's id; without it the id is the name.
    """
    text = next((record[key] for key in ANSWER_KEYS if isinstance(record.get(key), str)), None)
    if text is None:
        return None
    label = next((record[key] for key in _ID_KEYS if _is_id(record.get(key))), None)
    query = next((record[key] for key in _QUERY_KEYS if isinstance(record.get(key), str)), None)
    answer = Answer(
        text=text,
        name=name(label) if name is not None else where if label is None else str(label),
        query=query,
        sources=_inline_sources(record, where, limits),
        references=_references(record.get("references")),
    )
    return _within(answer, limits, where)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def _references(given: Any) -> tuple[str | dict[str, Any], ...] | None:
    """The numbered list of references of a record; an empty one is none."""
    if not isinstance(given, list | tuple):
        return None
    return tuple(one for one in given if isinstance(one, str | dict)) or None


def _inline_sources(record: dict[str, Any], where: str, limits: Limits) -> tuple[Source, ...]:
    """The documents in a record. Paths are refused: a record must not choose which files are read."""
    given = record.get("sources")
    if not given:
        return ()
    inline = isinstance(given, dict) or (
        isinstance(given, list) and all(isinstance(part, dict) for part in given)
    )
    if not inline:
        raise InputError(
            f"{where}: sources in a record are documents (name → text, or a list of objects), not paths"
        )
    return open_sources(given, limits).sources


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


def _within(answer: Answer, limits: Limits, where: str | None = None) -> Answer:
    # Counting bytes costs a copy, so look at the code points first: a text has at least one byte for each.
    size = len(answer.text)
    if size * 4 > limits.answer_bytes:
        size = len(answer.text.encode("utf-8", "surrogatepass"))
    if size > limits.answer_bytes:
        raise TooLargeError(_too_large(where or answer.name, size, limits))
    return answer


def _too_large(name: str, size: int, limits: Limits) -> str:
    return (
        f"{name}: the answer has {size:,} bytes, more than the limit of {limits.answer_bytes:,}; "
        "raise it with limits.answer_bytes if intended"
    )
