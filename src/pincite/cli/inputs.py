"""Answers from files, folders, JSON Lines and standard input.

What cannot be read is a value with a reason, so that one bad file does not hide what is wrong in the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from pincite.answers.read import ANSWER_KEYS, decode_answer, from_record, read_bytes
from pincite.any_json import read_json
from pincite.cli.output import read_stdin
from pincite.config import Limits
from pincite.errors import InputError, PayloadError, PinciteError, TooLargeError
from pincite.records import Answer

STDIN = "<stdin>"
MOST_NAMED = 5
"""Files that were left out, told by name; the rest are counted."""
TEXT_ENDINGS = (".md", ".markdown", ".txt")
LINE_ENDINGS = (".jsonl", ".ndjson")


class Loaded(Struct, frozen=True):
    """One answer and where it came from. `path` is set only for a text file, which can be rewritten."""

    answer: Answer
    path: Path | None = None
    raw: bytes = b""


class Failed(Struct, frozen=True):
    """An answer that could not be read, and why."""

    reason: str


class LeftOut(Struct, frozen=True):
    """A file in a folder of answers that was not read, and why."""

    name: str
    reason: str


def left_out_line(files: Sequence[LeftOut]) -> str:
    """`left out 2 files: notes.docx (not a known answer format), reply.json (…)`, the first few by name."""
    named = ", ".join(f"{file.name} ({file.reason})" for file in files[:MOST_NAMED])
    more = f" and {len(files) - MOST_NAMED:,} more" if len(files) > MOST_NAMED else ""
    return f"left out {len(files):,} file{'' if len(files) == 1 else 's'}: {named}{more}"


def read_answers(
    given: Sequence[str],
    limits: Limits,
    provider: str | None = None,
    left_out: list[LeftOut] | None = None,
) -> Iterator[Loaded | Failed]:
    """Every answer that the arguments name, in order, each file once. `-` is standard input.

    What lies in a folder and is not read goes to `left_out`; hidden files are nobody's business.
    """
    seen: set[str] = set()
    for name in given:
        if name == "-":
            yield from _guarded(lambda: _from_stdin(limits, provider))
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
                # A gate that passes because the file came out empty is no gate.
                yield Failed(f"{path}: there are no answers in this file")


def encoded_like(text: str, raw: bytes) -> bytes:
    """The text in the encoding that `raw` was in, with its byte-order mark."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if raw.startswith(mark):
            return mark + text.encode(encoding, "surrogatepass")
    return text.encode("utf-8", "surrogatepass")


def _files(path: Path, left_out: list[LeftOut]) -> list[Path]:
    """The file itself, or every answer below the folder in the order of their names."""
    if not path.is_dir():
        return [path]
    found = []
    inside = Path(os.path.realpath(path))
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder, name)
            if name.startswith("."):
                continue
            reason = _why_left_out(file, inside)
            if reason is None:
                found.append(file)
            else:
                left_out.append(LeftOut(str(file.relative_to(path)), reason))
    if not found:
        endings = ", ".join((*TEXT_ENDINGS, *LINE_ENDINGS))
        raise InputError(f"{path}: there are no answers in this folder (files ending in {endings})")
    return found


def _why_left_out(file: Path, inside: Path) -> str | None:
    """Why a file in a folder is no answer to be read, or None."""
    ending = file.suffix.lower()
    if ending == ".json":
        return "JSON is read only when named explicitly"
    if ending not in (*TEXT_ENDINGS, *LINE_ENDINGS):
        return "not a known answer format"
    # A link must not lead a folder's check, and least of all its fixes, to files elsewhere.
    if not Path(os.path.realpath(file)).is_relative_to(inside):
        return "a link that leaves the folder"
    return None if file.is_file() else "not a file"


def _read_file(path: Path, limits: Limits, provider: str | None) -> Iterator[Loaded | Failed]:
    ending = path.suffix.lower()
    if provider is not None:
        yield from _guarded(lambda: _from_response(read_bytes(path, limits), str(path), provider))
    elif ending in LINE_ENDINGS:
        yield from _from_lines(path, limits)
    elif ending == ".json":
        yield from _from_json(path, limits)
    else:
        yield from _guarded(lambda: _from_text(path, limits))


def _from_text(path: Path, limits: Limits) -> Loaded:
    raw = read_bytes(path, limits)
    return Loaded(Answer(text=decode_answer(raw, str(path)), name=str(path)), path, raw)


def _from_stdin(limits: Limits, provider: str | None) -> Loaded:
    raw = read_stdin(limits.answer_bytes + 1)
    if len(raw) > limits.answer_bytes:
        raise TooLargeError(
            f"{STDIN}: the answer has more than the limit of {limits.answer_bytes:,} bytes; "
            "raise it with --max-answer-mb if intended"
        )
    if provider is not None:
        return _from_response(raw, STDIN, provider)
    return Loaded(Answer(text=decode_answer(raw, STDIN), name=STDIN), None, raw)


def _recognised(raw: bytes, name: str) -> Loaded | None:
    """A response that a provider's shape tells by itself; None where `--from` must say whose it is."""
    try:
        return _from_response(raw, name, None)
    except PayloadError:
        return None


def _from_response(raw: bytes, name: str, provider: str | None) -> Loaded:
    from pincite.citations.providers import read_response

    text = decode_answer(raw, name)
    try:
        return Loaded(read_response(text, provider, name=name))
    except PayloadError as error:
        raise PayloadError(f"{name}: {error}") from error


def _from_json(path: Path, limits: Limits) -> Iterator[Loaded | Failed]:
    try:
        raw = read_bytes(path, limits)
        value = read_json(decode_answer(raw, str(path)))
    except PinciteError as error:
        yield Failed(str(error))
        return
    except (msgspec.DecodeError, RecursionError) as error:
        yield Failed(f"{path}: not JSON: {error}")
        return
    if isinstance(value, dict) and not any(key in value for key in ANSWER_KEYS):
        found = next((value[key] for key in ("answers", "query_results") if key in value), None)
        if found is None and (response := _recognised(raw, str(path))) is not None:
            yield response
            return
        value = value if found is None else found
    if isinstance(value, list):
        for number, record in enumerate(value, start=1):
            yield from _guarded(
                lambda r=record, n=number: _from_record(r, f"{path}", f"{path} item {n}", n, limits)
            )
    else:
        yield from _guarded(lambda: _from_record(value, f"{path}", f"{path}", None, limits))


def _from_lines(path: Path, limits: Limits) -> Iterator[Loaded | Failed]:
    try:
        if not path.is_file():
            raise InputError(
                f"{path}: the answer is not a file" if path.exists() else f"{path}: does not exist"
            )
        with path.open("rb") as file:
            for number, raw in enumerate(_lines(file, limits), start=1):
                where = f"{path} line {number}"
                if isinstance(raw, Failed):
                    yield Failed(f"{where}: {raw.reason}")
                    return
                if not raw.strip():
                    continue
                yield from _guarded(lambda r=raw, n=number, w=where: _from_line(r, path, n, w, limits))
    except OSError as error:
        yield Failed(f"{path}: cannot read the answers: {error.strerror or error}")
    except PinciteError as error:
        yield Failed(str(error))


def _lines(file: BinaryIO, limits: Limits) -> Iterator[bytes | Failed]:
    """The lines of a file. JSON may write a character in six bytes, so a line may outgrow its answer."""
    most = 8 * limits.answer_bytes + 65536
    while raw := file.readline(most + 1):
        if len(raw) > most:
            yield Failed(f"longer than any answer within the limit of {limits.answer_bytes:,} bytes")
            return
        yield raw


def _from_line(raw: bytes, path: Path, number: int, where: str, limits: Limits) -> Loaded:
    text = (
        decode_answer(raw, where) if number > 1 else decode_answer(raw.removeprefix(b"\xef\xbb\xbf"), where)
    )
    try:
        value = read_json(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{where}: not JSON: {error}") from error
    return _from_record(value, str(path), where, number, limits)


def _from_record(value: Any, file: str, where: str, number: int | None, limits: Limits) -> Loaded:
    """An answer from a JSON record: its text, its id, its query, and the documents that came with it."""
    if not isinstance(value, dict):
        raise InputError(f"{where}: expected an object with an answer in it")

    def named(label: str | int | None) -> str:
        label = number if label is None else label
        return file if label is None else f"{file}#{label}"

    answer = from_record(value, limits, where, named)
    if answer is None:
        keys = ", ".join(ANSWER_KEYS)
        raise InputError(
            f"{where}: no answer under any of {keys}; name the API with --from if it is a response"
        )
    return Loaded(answer)


def _guarded(read: Any) -> Iterator[Loaded | Failed]:
    try:
        yield read()
    except PinciteError as error:
        yield Failed(str(error))
