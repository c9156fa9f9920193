"""Changes a valid input into another one, by its format, so that the change passes the first parser.

Byte flips alone seldom get past a JSON parser. Here a JSON document is read, a part of it is replaced, taken
out, repeated or renamed, and it is written again, sometimes with what no writer would write.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bench.fuzzing import odd
from bench.fuzzing.changes import encoded, of_bytes, of_text, of_value, written
from bench.fuzzing.odd import Raw

LONGEST = 256 * 1024
"""Bytes of one input; what grows beyond is cut."""

_MARK = b"\n=== "
_UNSAFE = re.compile(r"[^A-Za-z0-9_./\-]")
_TOKENS: dict[str, Sequence[str]] = {
    "text": odd.MARKDOWN,
    "html": odd.HTML,
    "xml": odd.XML,
    "pdf": odd.PDF,
    "yaml": odd.YAML,
    "toml": odd.TOML,
    "http": odd.HTTP,
    "reply": odd.REPLIES,
    "csv": odd.CSV,
    "rows": odd.ROWS,
}
_FORMS = {
    "json": "json",
    "jsonl": "jsonl",
    "yaml": "yaml",
    "yml": "yaml",
    "toml": "toml",
    "csv": "csv",
    "tsv": "rows",
    "run": "rows",
    "txt": "text",
    "md": "text",
    "html": "html",
    "http": "http",
    "reply": "reply",
    "docx": "zip",
    "pdf": "pdf",
    "gz": "gz",
    "zst": "zst",
    "arguments": "arguments",
}


def pack(files: dict[str, bytes]) -> bytes:
    """Several files as one input, each after a line with its name."""
    return b"".join(_MARK + name.encode() + b"\n" + content for name, content in files.items())


def unpack(data: bytes) -> dict[str, bytes]:
    """The files of an input, under names that stay inside a folder."""
    files: dict[str, bytes] = {}
    for part in data.split(_MARK)[1:]:
        name, _, content = part.partition(b"\n")
        parts = [
            part
            for part in _UNSAFE.sub("", name.decode("utf-8", "replace"))[:100].split("/")
            if part.strip(".")
        ]
        files["/".join(parts) or "unnamed"] = content
    return files


def form_of(name: str) -> str:
    return _FORMS.get(name.rpartition(".")[2].lower(), "bytes")


def mutate(data: bytes, form: str, random: Random) -> bytes:
    """One change, by the format; by bytes where the input is not, or no longer, of that format."""
    mutator = _MUTATORS.get(form)
    if mutator is not None and random.random() < 0.85:
        try:
            return mutator(data, random)[:LONGEST]
        except Exception:  # whatever the libraries of the formats raise: it is of that format no longer
            pass
    if form in _TOKENS and random.random() < 0.8:
        return _of_text(data, random, _TOKENS[form])[:LONGEST]
    return of_bytes(data, random)[:LONGEST]


def several(data: bytes, form: str, random: Random) -> bytes:
    """Some changes after each other; mostly few, so that most of the input stays valid."""
    data = mutate(data, form, random)
    while random.random() < 0.45:
        data = mutate(data, form, random)
    return data


def _of_text(data: bytes, random: Random, tokens: Sequence[str]) -> bytes:
    return encoded(of_text(data.decode("utf-8", "surrogateescape"), random, tokens))


# --- JSON, YAML, TOML, CSV ---------------------------------------------------------------------------


def _json(data: bytes, random: Random) -> bytes:
    value = of_value(json.loads(data), random)
    return encoded(written(value, random))


def _jsonl(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    change = random.random()
    if change < 0.8:
        lines[place] = mutate(lines[place], "json", random)
    elif change < 0.9:
        lines.insert(random.randrange(len(lines)), lines[place])
    else:
        lines[place] = random.choice((b"", b"null", b"[]", b"{", b"\xff", b"\xef\xbb\xbf{}"))
    return b"\n".join(lines)


def _yaml(data: bytes, random: Random) -> bytes:
    import yaml

    if random.random() < 0.4:
        return _of_text(data, random, odd.YAML)
    try:
        value = of_value(yaml.safe_load(data), random)
        if random.random() < 0.5:
            return encoded(written(value, random))
        return yaml.safe_dump(_plain(value), allow_unicode=random.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    except yaml.YAMLError as error:
        raise ValueError from error


def _plain(value: Any) -> Any:
    if isinstance(value, Raw):
        return str(value)[:100]
    if isinstance(value, dict):
        return {name: _plain(held) for name, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list | tuple) else value


def _toml(data: bytes, random: Random) -> bytes:
    import tomllib

    if random.random() < 0.4:
        return _of_text(data, random, odd.TOML)
    value = of_value(tomllib.loads(data.decode()), random)
    lines = []
    for name, held in value.items() if isinstance(value, dict) else ():
        lines.append(f"{json.dumps(str(name))} = {_toml_value(held, random)}")
    return encoded("\n".join(lines) + "\n")


def _toml_value(value: Any, random: Random) -> str:
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(str(k))} = {_toml_value(v, random)}" for k, v in value.items())
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml_value(one, random) for one in value) + "]"
    if value is None:
        return random.choice(('""', "inf", "nan", "1979-05-27", "{}"))
    if isinstance(value, str | int | float):
        return written(value, random)
    return f'"{value}"'


def _csv(data: bytes, random: Random) -> bytes:
    rows = list(csv.reader(io.StringIO(data.decode("utf-8", "surrogateescape"), newline="")))
    row = random.choice(rows)
    place = random.randrange(len(row))
    change = random.random()
    if change < 0.6:
        cell = row[place]
        with contextlib.suppress(ValueError, RecursionError):
            row[place] = written(of_value(json.loads(cell), random), random)
        if row[place] == cell:
            row[place] = of_text(cell, random, odd.CSV)
    elif change < 0.7:
        row[place] = str(random.choice(odd.ODD_VALUES))
    elif change < 0.8:
        del row[place]
    elif change < 0.9:
        rows.append(list(row))
    else:
        return _of_text(data, random, odd.CSV)
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=random.choice(("\n", "\r\n"))).writerows(rows)
    return encoded(out.getvalue())


# --- packed files, several files, command lines --------------------------------------------------


def _zip(data: bytes, random: Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()[:50]}
    chosen = random.choice(list(members))
    members[chosen] = _of_text(members[chosen], random, odd.XML)
    if random.random() < 0.1:
        members[random.choice(("../x", "word/document.xml/", "word/footnotes.xml", "a" * 300))] = members[
            chosen
        ]
    kinds = (
        zipfile.ZIP_DEFLATED,
        zipfile.ZIP_DEFLATED,
        zipfile.ZIP_STORED,
        zipfile.ZIP_BZIP2,
        zipfile.ZIP_LZMA,
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", random.choice(kinds)) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def _gz(data: bytes, random: Random) -> bytes:
    packed = gzip.compress(mutate(gzip.decompress(data), "json", random), 1, mtime=0)
    return packed if random.random() < 0.8 else packed + random.choice((packed, b"\0" * 20, b"x"))


def _zst(data: bytes, random: Random) -> bytes:
    try:
        import zstandard
    except ImportError:
        return of_bytes(data, random)
    try:
        inner = zstandard.ZstdDecompressor().decompress(data, max_output_size=LONGEST)
    except zstandard.ZstdError as error:
        raise ValueError from error
    return zstandard.ZstdCompressor(level=1).compress(mutate(inner, "json", random))


def _files(data: bytes, random: Random) -> bytes:
    files = unpack(data)
    name = random.choice(list(files))
    change = random.random()
    if change < 0.93:
        files[name] = mutate(files[name], form_of(name), random)
    elif change < 0.96:
        del files[name]
    else:
        files[random.choice(list(files))] = files[name]
    return pack(files)


def _arguments(data: bytes, random: Random) -> bytes:
    from bench.fuzzing.whole_seeds import OPTIONS

    lines = data.decode("utf-8", "surrogateescape").split("\n")
    place = random.randrange(len(lines))
    change = random.random()
    if change < 0.35:
        lines[place:place] = random.choice(OPTIONS).split(" ")
    elif change < 0.65:
        lines[place] = str(random.choice((*odd.ODD_TEXTS, *odd.ODD_NUMBERS))).replace("\n", " ")
    elif change < 0.8:
        lines[place] = of_text(lines[place], random).replace("\n", " ")
    elif change < 0.9:
        del lines[place]
    else:
        lines.insert(random.randint(0, len(lines)), lines[place])
    return encoded("\n".join(lines))


_MUTATORS: dict[str, Callable[[bytes, Random], bytes]] = {
    "json": _json,
    "jsonl": _jsonl,
    "yaml": _yaml,
    "toml": _toml,
    "csv": _csv,
    "zip": _zip,
    "gz": _gz,
    "zst": _zst,
    "files": _files,
    "arguments": _arguments,
}
