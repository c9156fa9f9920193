"""The one reader of what a user hands in as an answer: text, path, folder, record, JSON Lines, response.

What cannot be read in a file is a value with its reason, so that one bad answer does not hide what is wrong
with the others.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pincite.answers.json_files import MARK, lines_of
from pincite.answers.records import ANSWER_KEYS, answer_of, is_saved, label_of, saved_answer
from pincite.base import read_lenient_json, read_limited, within_memory
from pincite.config import Limits
from pincite.errors import InputError, PayloadError, PinciteError, TooLargeError
from pincite.records import Answer
from pincite.sources import files_below

STDIN = "<stdin>"
MOST_NAMED = 5
"""How many of the files that were left out are named; the rest are counted."""
NO_NUMBER = ("numbers that JSON has", "NaN or Infinity, or one too large; it counts as not given")
"""What was expected and found of an answer that holds such a number."""
_TEXT_ENDINGS = (".md", ".markdown", ".txt")
_LINE_ENDINGS = (".jsonl", ".ndjson")
_LOOKS_LIKE_PATH = re.compile(r"\S{1,300}\.(?:md|markdown|txt|json|jsonl|html?)", re.IGNORECASE)
_RESPONSE_KEYS = ("content", "output", "choices", "candidates", "message", "schema_version")
"""Fields of a response. With one of them, an answer under `text` or `response` is the provider's."""


class Loaded(Struct, frozen=True):
    """One answer and where it came from. `path` is set only for a text file, which can be rewritten."""

    answer: Answer
    path: Path | None = None
    raw: bytes = b""


class Failed(Struct, frozen=True):
    """An answer that could not be read, and why."""

    error: PinciteError

    @property
    def reason(self) -> str:
        return str(self.error)


class LeftOut(Struct, frozen=True):
    """A file in a folder of answers that was not read, and why."""

    name: str
    reason: str


def to_answer(given: Any, limits: Limits, provider: str | None = None, name: str = "<answer>") -> Answer:
    """An `Answer` from a text, a path, an `Answer`, a record with an answer in it, or a provider's response.

    A string is always the answer itself, never a path: an answer must not be able to name a file to be read.
    """
    if isinstance(given, Path):
        if given.is_dir():
            raise InputError(f"{given}: the answer is a folder: give the path to check_many()")
        found = to_answers([given], limits, provider)
        if len(found) != 1:
            raise InputError(f"{given}: there are {len(found)} answers here: give the path to check_many()")
        return found[0]
    if isinstance(given, Answer):
        return _within(given, limits)
    if isinstance(given, str) and provider is None:
        if _LOOKS_LIKE_PATH.fullmatch(given.strip()):
            advice = f"pass pathlib.Path({given!r}) to read that file"
            raise InputError(f"{given!r} is a path, not an answer: {advice}")
        return _within(Answer(text=given, name=name), limits)
    if given is None or isinstance(given, bool | int | float):
        raise InputError(f"an answer is a text, a pathlib.Path or a provider's response, not {given!r}")
    if isinstance(given, list | tuple) and given and all(isinstance(part, str) for part in given):
        raise InputError("one answer is checked at a time: use check_many() for a list")
    return _from_value(given, limits, name, provider)


def to_answers(given: Iterable[Any], limits: Limits, provider: str | None = None) -> list[Answer]:
    """The same of many; a path means every answer in that file or folder."""
    found: list[Answer] = []
    for one in given:
        if not isinstance(one, Path):
            found.append(to_answer(one, limits, provider))
            continue
        for item in read_answers([one], limits, provider):
            if isinstance(item, Failed):
                raise item.error
            found.append(item.answer)
    return found


def read_answers(
    given: Sequence[str | Path],
    limits: Limits,
    provider: str | None = None,
    left_out: list[LeftOut] | None = None,
) -> Iterator[Loaded | Failed]:
    """Every answer in the files and folders, in order, each file once. The text `-` is standard input.

    What is in a folder and is not read goes to `left_out`, except hidden files.
    """
    seen: set[str] = set()
    for name in given:
        if name == "-":
            yield from _guarded(partial(_from_stdin, limits, provider), STDIN)
            continue
        for path in _files(Path(name), [] if left_out is None else left_out):
            real = os.path.realpath(path)
            if real in seen:
                continue
            seen.add(real)
            found = False
            for item in _read_file(path, limits, provider):
                found = True
                yield item
            if not found:
                # A gate must not pass because the file came out empty.
                yield Failed(InputError(f"{path}: there are no answers in this file"))


def left_out_line(files: Sequence[LeftOut]) -> str:
    """`left out 2 files: notes.docx (not a known answer format), reply.json (…)`, the first few by name."""
    named = ", ".join(f"{file.name} ({file.reason})" for file in files[:MOST_NAMED])
    more = f" and {len(files) - MOST_NAMED:,} more" if len(files) > MOST_NAMED else ""
    return f"left out {len(files):,} file{'' if len(files) == 1 else 's'}: {named}{more}"


# --- bytes and lines -----------------------------------------------------------------------------


def decode_answer(raw: bytes, name: str) -> str:
    """UTF-8, or UTF-16 with a byte-order mark; anything else is an error that names the byte."""
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        written = encoding.removesuffix("-sig").upper()
        raise InputError(f"{name}: not {written} at byte {error.start}: save the answer as UTF-8") from error


def encoded_like(text: str, raw: bytes) -> bytes:
    """The text in the encoding that `raw` was in, with its byte-order mark."""
    for mark, encoding in ((MARK, "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if raw.startswith(mark):
            return mark + text.encode(encoding, "surrogatepass")
    return text.encode("utf-8", "surrogatepass")


def _read_bytes(path: Path, limits: Limits) -> bytes:
    """The file's bytes; one that is missing, not a file or over the limit is refused by name."""
    try:
        _refuse_no_file(path)
        size = path.stat().st_size
        if size > limits.answer_bytes:
            raise TooLargeError(_too_large(str(path), size, limits))
        raw = read_limited(path, limits.answer_bytes + 1)
        if len(raw) > limits.answer_bytes:  # it has grown since, or does not tell its size
            raise TooLargeError(_too_large(str(path), len(raw), limits))
        return raw
    except OSError as error:
        raise InputError(f"{path}: cannot read the answer: {error.strerror or error}") from error


def _refuse_no_file(path: Path) -> None:
    if not path.is_file():
        raise InputError(f"{path}: the answer {'is not a file' if path.exists() else 'does not exist'}")


# --- files and folders ---------------------------------------------------------------------------


def _files(path: Path, left_out: list[LeftOut]) -> list[Path]:
    """The file itself, or every answer below the folder in the order of their names."""
    if not path.is_dir():
        return [path]
    found = []
    for file in files_below(path):
        ending = file.path.suffix.lower()
        if file.refused is not None:
            reason = file.refused
        elif ending == ".json":
            reason = "JSON is read only when named explicitly"
        elif ending not in (*_TEXT_ENDINGS, *_LINE_ENDINGS):
            reason = "not a known answer format"
        elif not file.target.is_file():
            reason = "not a file"
        else:
            found.append(file.path)
            continue
        left_out.append(LeftOut(file.name, reason))
    if not found:
        endings = ", ".join((*_TEXT_ENDINGS, *_LINE_ENDINGS))
        raise InputError(f"{path}: there are no answers in this folder (files ending in {endings})")
    return found


def _read_file(path: Path, limits: Limits, provider: str | None) -> Iterator[Loaded | Failed]:
    ending = path.suffix.lower()
    if provider is not None or ending not in (*_LINE_ENDINGS, ".json"):
        yield from _guarded(lambda: _from_text(_read_bytes(path, limits), str(path), provider, path), path)
        return
    from pincite.answers.trace_formats import is_trace_file

    if is_trace_file(path):
        yield from _from_traces(path, limits)
    elif ending == ".json":
        yield from _from_json(path, limits)
    else:
        yield from _from_lines(path, limits)


def _guarded(read: Callable[[], Loaded], place: object) -> Iterator[Loaded | Failed]:
    try:
        with within_memory(place):
            found = read()
    except PinciteError as error:
        yield Failed(error)
    else:
        yield found


def _from_text(raw: bytes, name: str, provider: str | None, path: Path | None = None) -> Loaded:
    text = decode_answer(raw, name)
    if provider is None:
        return Loaded(Answer(text=text, name=name), path, raw)
    from pincite.citations import read_response

    try:
        return Loaded(read_response(text, provider, name=name))
    except PayloadError as error:
        raise PayloadError(f"{name}: {error}") from error


def _from_stdin(limits: Limits, provider: str | None) -> Loaded:
    if sys.stdin is None:
        raise InputError("there is no standard input to read from")
    raw = read_limited(sys.stdin.buffer, limits.answer_bytes + 1)
    if len(raw) > limits.answer_bytes:
        raise TooLargeError(
            f"{STDIN}: the answer has more than the limit of {limits.answer_bytes:,} bytes; "
            "raise limits.answer_bytes if intended"
        )
    return _from_text(raw, STDIN, provider)


def _from_lines(path: Path, limits: Limits) -> Iterator[Loaded | Failed]:
    # JSON may write a character in six bytes, so a line may outgrow its answer.
    most = 8 * limits.answer_bytes + 65536
    try:
        _refuse_no_file(path)
        with path.open("rb") as file, within_memory(path):
            for number, _, raw in lines_of(file, most):
                where = f"{path} line {number}"
                if raw is None:
                    reason = f"longer than any answer within the limit of {limits.answer_bytes:,} bytes"
                    yield Failed(InputError(f"{where}: {reason}"))
                else:
                    yield from _guarded(partial(_from_line, raw, path, number, where, limits), where)
    except OSError as error:
        yield Failed(InputError(f"{path}: cannot read the answers: {error.strerror or error}"))
    except PinciteError as error:
        yield Failed(error)


def _from_line(raw: bytes, path: Path, number: int, where: str, limits: Limits) -> Loaded:
    value, mended = _json(decode_answer(raw, where), where)
    return _from_record(value, f"{path}", where, number, limits, mended)


def _from_json(path: Path, limits: Limits) -> Iterator[Loaded | Failed]:
    """A JSON file: one record or response, or a list of them, also under `answers` or `query_results`."""
    try:
        with within_memory(path):
            value, mended = _json(decode_answer(_read_bytes(path, limits), f"{path}"), f"{path}")
    except PinciteError as error:
        yield Failed(error)
        return
    if isinstance(value, dict) and not _is_record(value):
        value = value.get("answers", value.get("query_results", value))
    if not isinstance(value, list):
        yield from _guarded(partial(_from_record, value, f"{path}", f"{path}", None, limits, mended), path)
        return
    for number, record in enumerate(value, start=1):
        where = f"{path} item {number}"
        yield from _guarded(partial(_from_record, record, f"{path}", where, number, limits, mended), where)


def _from_traces(path: Path, limits: Limits) -> Iterator[Loaded | Failed]:
    """The answers of a system in production, each with the documents that it was given."""
    from pincite.answers.json_files import json_values
    from pincite.answers.trace_formats import read_spans, trace_records

    problems: list[PinciteError] = []
    try:
        with within_memory(path):
            spans = [
                span for place, value in json_values(path) for span in read_spans(value, place, problems)
            ]
    except PinciteError as error:
        yield Failed(error)
        return
    for problem in problems:
        yield Failed(problem)
    for record in trace_records(spans):
        if record is None:
            continue
        where = f"{path} trace {record['trace_id']}"
        failure = record.get("failure")
        if failure is not None:
            yield Failed(InputError(f"{where}: {failure}"))
        else:
            yield from _guarded(partial(_from_record, record, f"{path}", where, None, limits, False), where)


def _json(text: str, where: str) -> tuple[Any, bool]:
    try:
        return read_lenient_json(text)
    except (msgspec.DecodeError, RecursionError) as error:
        problem = str(error).removeprefix("JSON is malformed: ")
        raise InputError(f"{where}: not JSON: {problem}") from error


# --- records and responses -----------------------------------------------------------------------


def _from_record(
    value: Any, file: str, where: str, number: int | None, limits: Limits, mended: bool
) -> Loaded:
    """The answer of a file's record, named by its id or its number."""
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected an object with an answer in it")
    label = label_of(value) or number
    name = file if label is None else f"{file}#{label}"
    try:
        answer = _from_value(value, limits, where, None)
    except PayloadError:
        advice = "name the API with --from if it is a response"
        raise InputError(f"{where}: no answer under any of {', '.join(ANSWER_KEYS)}; {advice}") from None
    if mended:
        answer = replace(answer, problems=(*answer.problems, "expected {}, found {}".format(*NO_NUMBER)))
    return Loaded(replace(answer, name=name))


def _from_value(given: Any, limits: Limits, name: str, provider: str | None) -> Answer:
    if provider is None and is_saved(given):
        return _within(saved_answer(given, name), limits, name)
    if isinstance(given, dict) and provider is None and _is_record(given):
        return _within(answer_of(given, limits, name), limits, name)
    from pincite.citations import read_response

    return _within(read_response(given, provider, name=name), limits)


def _is_record(given: dict[str, Any]) -> bool:
    """Whether an object holds an answer as text, and is not a provider's response."""
    keys = ANSWER_KEYS[:3] if any(key in given for key in _RESPONSE_KEYS) else ANSWER_KEYS
    return any(isinstance(given.get(key), str) for key in keys)


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
