"""A system behind an HTTP address: each query is posted, the answer read from the JSON that comes back."""

from __future__ import annotations

import base64
import json
import os
import time
import zlib
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from pincite.answers import NO_NUMBER
from pincite.base import (
    HIDDEN,
    MOST_BYTES,
    HttpClient,
    HttpFailed,
    HttpReply,
    address_secrets,
    hide_in_addresses,
    read_lenient_json,
    read_small_file,
    split_address,
)
from pincite.datasets import EvaluationQuery
from pincite.errors import InputError
from pincite.records import RecordedAnswer
from pincite.runs.targets.replies import read_events, read_reply
from pincite.runs.targets.target import Target, TargetFailed
from pincite.text import decode_declared

USUAL_BODY = '{"query": "{query_text}"}'
_PAGES = ("text/html", "application/xhtml+xml")
_SHORTEST_SECRET = 4
"""A shorter value cannot be told from ordinary text, so it is not removed from replies."""


class HttpTarget(Target):
    """Posts a body made from a template. Header values come from the environment and are never shown."""

    waits = True

    def __init__(
        self,
        url: str,
        *,
        body: str = USUAL_BODY,
        answer_path: str | None = None,
        citations_path: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        parts = split_address(url)
        sent = dict(headers or {})
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            sent.setdefault("authorization", "Basic " + base64.b64encode(pair.encode()).decode())
        host = parts.netloc.rpartition("@")[2]
        certain, every = address_secrets(url)
        self._secrets = _secrets([*sent.values(), *certain])
        self._told_secrets = _secrets([*sent.values(), *every])
        self._client = HttpClient(parts._replace(netloc=host, fragment="").geturl(), sent)
        self._body, self._answer_path, self._citations_path = body, answer_path, citations_path
        # The query part of an address may hold a key, so it counts for the name but is not shown in it.
        told = json.dumps([parts.query, body, answer_path, citations_path, sorted(sent)])
        digest = blake2b(told.encode(), digest_size=8).hexdigest()
        self._name = f"{parts.scheme}://{host}{parts.path}#{digest}"

    @property
    def name(self) -> str:
        return self._name

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        body = fill(self._body, query_text=query.query_text, query_id=query.query_id)
        begun = time.perf_counter()
        try:
            reply = await self._client.post(body)
        except HttpFailed as failed:
            raise TargetFailed(self._told(str(failed)), failed.retryable) from None
        milliseconds = (time.perf_counter() - begun) * 1000
        read = self._read(reply, query.query_id)
        return msgspec.structs.replace(read, latency_ms=milliseconds)

    async def close(self) -> None:
        await self._client.close()

    def _read(self, reply: HttpReply, query_id: str) -> RecordedAnswer:
        if not 200 <= reply.status < 300:
            said = " ".join(self._told(reply.body.decode("utf-8", "replace")).split())[:200]
            if 300 <= reply.status < 400:
                said = "the system redirects, which a POST request follows with 307 and 308 alone"
            reason = f"HTTP {reply.status}" + (f": {said}" if said else "")
            raise TargetFailed(reason, reply.retryable, reply.after)
        text = self._redacted(text_of(reply))
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        value: Any
        mended = False
        try:
            value, mended = read_lenient_json(text)
            pieces = None
        except (msgspec.DecodeError, RecursionError):
            pieces = read_events(text, kind, self._answer_path)
            if pieces is None and _is_page(text, kind):
                raise TargetFailed("the reply is an HTML page, not an answer", retryable=True) from None
            if pieces is None and (self._answer_path or kind.endswith("json") or not text.strip()):
                raise TargetFailed("the reply is not JSON", retryable=True) from None
            value = text if pieces is None else pieces
        path = self._answer_path if pieces is None else None  # else it was looked for in each
        hint = "name its place (--answer-path)"
        read = read_reply(value, query_id, path, self._citations_path, hint=hint)
        oddities = (NO_NUMBER, *read.oddities) if mended else read.oddities
        # Once more, for a secret that was cut in pieces or written with escapes.
        return msgspec.structs.replace(read, answer=self._redacted(read.answer or ""), oddities=oddities)

    def _redacted(self, text: str) -> str:
        """An answer without what is secret for certain: its other words are measured."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    def _told(self, text: str) -> str:
        """A message, without anything that our own address holds behind its path, or another one does."""
        for secret in self._told_secrets:
            text = text.replace(secret, HIDDEN)
        return hide_in_addresses(text)


def fill(template: str, *, query_text: str, query_id: str) -> bytes:
    """The body with the query in its slots, escaped as a JSON string needs it."""
    # Both at once, so that a query which holds "{query_id}" stays what it is.
    parts = template.split("{query_text}")
    filled = [part.replace("{query_id}", _escaped(query_id)) for part in parts]
    return _escaped(query_text).join(filled).encode("utf-8", "surrogatepass")


def read_body(path: Path) -> str:
    """A template from a file: JSON once its slots are filled, with `{query_text}` in it."""
    try:
        text = read_small_file(path, MOST_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None
    if "{query_text}" not in text:
        raise InputError(f"{path} has no {{query_text}}: the system would never see the question")
    try:
        json.loads(fill(text, query_text="a", query_id="b"))
    except (ValueError, RecursionError) as error:
        hint = 'write "{query_text}" in quotes'
        raise InputError(f"{path} is not JSON once a query is filled in: {error}; {hint}") from None
    return text


def read_headers(given: Sequence[str], environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """`NAME=ENV` each: the header and the environment variable that holds its value."""
    environment = os.environ if environment is None else environment
    headers: dict[str, str] = {}
    for item in given:
        name, equals, variable = item.partition("=")
        if not equals or not name or not all(c.isalnum() or c in "!#$%&'*+-.^_`|~" for c in name):
            raise InputError("--header is NAME=ENV, as Authorization=MY_KEY, the value from the environment")
        value = environment.get(variable)
        if value is None:
            # It may be the secret itself, given by mistake, so it is not repeated.
            raise InputError(f"--header {name}: there is no environment variable of the name that was given")
        if any(ord(character) < 32 or ord(character) > 255 for character in value.strip()):
            raise InputError(f"--header {name}: the value in the environment cannot be sent in a header")
        headers[name.lower()] = value.strip()
    return headers


def _is_page(text: str, kind: str) -> bool:
    """Whether this is a page for a browser, as a proxy sends one when the system behind it is down."""
    return kind in _PAGES or text.lstrip("\ufeff \t\r\n")[:14].lower().startswith(("<!doctype html", "<html"))


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]


def _secrets(values: Sequence[str]) -> list[str]:
    """What must never be told: each value, and its part behind `Bearer ` or `Basic `, longest first."""
    found = {part for value in values for part in (value, value.rpartition(" ")[2])}
    return sorted((part for part in found if len(part) >= _SHORTEST_SECRET), key=len, reverse=True)


# --- the body as text ---

_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 47}
"""zlib's `wbits` for each encoding; 47 detects the format."""


def text_of(reply: HttpReply) -> str:
    """The text. Garbage may be a hiccup of the system, so it is worth another try."""
    raw = _unpacked(reply)
    text = _decoded(raw, reply.headers.get("content-type", ""))
    if "\0" in text:
        raise TargetFailed("the reply is not text: it contains NUL bytes", retryable=True)
    return text.removeprefix("\ufeff")


def _unpacked(reply: HttpReply) -> bytes:
    """We ask for plain replies, but not everybody listens."""
    packed = reply.headers.get("content-encoding", "identity").strip().lower()
    if packed in ("", "identity") or not reply.body:
        return reply.body
    if packed not in _WINDOWS:
        raise TargetFailed(f"the reply is compressed as {packed[:20]!r}, which was not requested")
    unfolding = zlib.decompressobj(_WINDOWS[packed])
    try:
        whole = unfolding.decompress(reply.body, MOST_BYTES)
    except zlib.error:
        raise TargetFailed(f"the reply says that it is {packed}, and is not", retryable=True) from None
    if unfolding.unconsumed_tail:
        raise TargetFailed(f"the reply is over {MOST_BYTES // 2**20} MB")
    if not unfolding.eof:
        raise TargetFailed("the connection closed in the middle of the answer", retryable=True)
    return whole


def _decoded(raw: bytes, kind: str) -> str:
    """UTF-8 where it is that, whatever the reply says of itself; else as it says."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    said = next((part for part in kind.split(";")[1:] if part.strip().lower().startswith("charset=")), "")
    charset = said.partition("=")[2].strip().strip("\"'")
    if (text := decode_declared(raw, charset)) is not None:
        return text
    raise TargetFailed("the reply is not UTF-8 text", retryable=True)
