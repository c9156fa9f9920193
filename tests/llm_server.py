"""A real HTTP server on loopback that speaks as language models do, and misbehaves when told to.

    with LlmServer(lambda request, nth: says("0.9")) as server:
        ...  # talk to server.url; server.seen holds every request that came in

`reply` is asked for each request with its JSON and its number from 0, and gives a `Behaviour`, or a text for
a plain answer. It speaks `/v1/chat/completions` and Anthropic's `/v1/messages`, in one piece or as a stream.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace


class Behaviour(Struct, frozen=True):
    """How one request is answered. `body` is sent as it is; without one, `text` is wrapped as a reply."""

    text: str | None = "ok"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: str | bytes | None = None
    finish: str = "stop"
    refusal: str | None = None
    usage: Any = "count"
    """`count` makes one up from the lengths; None leaves it out; anything else is sent as it is."""
    stream: bool | None = None
    """None streams when that was asked for; True and False do so or not, whatever was asked for."""
    delay: float = 0.0
    """Seconds before the first byte."""
    drip: float = 0.0
    """Seconds between pieces of 8 bytes of the body."""
    cut_after: int | None = None
    """The connection is reset after this many bytes of the body."""


class Seen(Struct):
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    """By lower-case name."""
    body: dict[str, Any]
    at: float
    """When, by `time.monotonic`."""


Replier = Callable[[dict[str, Any], int], Behaviour | str]


# --- behaviours ----------------------------------------------------------------------------------


def says(text: str | None, **more: Any) -> Behaviour:
    """An orderly answer."""
    return Behaviour(text, **more)


def too_many(retry_after: str | None = None, milliseconds: str | None = None) -> Behaviour:
    """429, with or without a word on when to come again."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    if milliseconds is not None:
        headers["retry-after-ms"] = milliseconds
    return fails(429, "Rate limit reached", headers)


def fails(status: int, message: str = "it broke", headers: dict[str, str] | None = None) -> Behaviour:
    """An error in the shape that OpenAI gives errors."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": None}})
    return Behaviour(
        status=status, body=body, headers={"Content-Type": "application/json", **(headers or {})}
    )


def hangs(seconds: float) -> Behaviour:
    """Says nothing for so long."""
    return Behaviour(delay=seconds)


def drips(text: str, seconds: float = 0.2) -> Behaviour:
    """A few bytes now and then: each read comes in time, the whole does not."""
    return Behaviour(text, drip=seconds)


def cuts(
    after: int = 20, text: str = "a reply that nobody gets whole", stream: bool | None = None
) -> Behaviour:
    """The connection is reset in the middle of the body."""
    return Behaviour(text, cut_after=after, stream=stream)


def sends(body: str | bytes, content_type: str = "application/json", status: int = 200) -> Behaviour:
    """Exactly this body: wrong JSON, NaN, an HTML page."""
    return Behaviour(status=status, body=body, headers={"Content-Type": content_type})


def wrong_json() -> Behaviour:
    return sends('{"choices": [{"message": {"content": "0.9"')


def html_page(status: int = 200) -> Behaviour:
    return sends("<!DOCTYPE html><html><body>Bad gateway</body></html>", "text/html", status)


def no_choices() -> Behaviour:
    return sends('{"id": "c", "object": "chat.completion", "choices": [], "content": []}')


def nan_usage(text: str = "ok") -> Behaviour:
    """A bill that is not a number, which Python's own JSON writes as NaN."""
    nan = float("nan")
    bill = {"prompt_tokens": nan, "completion_tokens": nan, "input_tokens": nan, "output_tokens": nan}
    return Behaviour(text, usage=bill)


def refuses(words: str = "I cannot help with that.") -> Behaviour:
    """OpenAI's `refusal`, Anthropic's stop reason."""
    return Behaviour(None, refusal=words)


def filtered() -> Behaviour:
    return Behaviour("", finish="content_filter")


def stops_short(text: str = '{"verdicts": [{"item": 1, "sco') -> Behaviour:
    """The reply hit the limit of tokens."""
    return Behaviour(text, finish="length")


def redirects(to: str, status: int = 307) -> Behaviour:
    return Behaviour(status=status, body="", headers={"Location": to})


def without_schema(then: Behaviour | str, status: int = 400) -> Replier:
    """An endpoint that knows no structured output: `then`, once it is asked without."""

    def reply(request: dict[str, Any], nth: int) -> Behaviour | str:
        if "response_format" in request or "output_config" in request:
            return fails(status, "response_format is not supported by this model")
        return then

    return reply


def in_turn(*behaviours: Behaviour | str) -> Replier:
    """One after the other; the last one stays."""
    return lambda request, nth: behaviours[min(nth, len(behaviours) - 1)]


# --- the server ----------------------------------------------------------------------------------


class LlmServer:
    """Runs in threads of its own between `with` and its end."""

    def __init__(self, reply: Replier | Behaviour | str = "ok") -> None:
        self.reply: Replier = reply if callable(reply) else in_turn(reply)
        self.seen: list[Seen] = []
        self.most_at_once = 0
        self.errors: list[str] = []
        """What went wrong in the server itself; a client that hangs up is not that."""
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.now = 0
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> LlmServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
        if kind is None and self.errors:
            raise AssertionError(f"the test server broke: {self.errors[0]}")

    @property
    def root(self) -> str:
        """What Anthropic's SDK calls the base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """What OpenAI's SDK calls the base URL."""
        return f"{self.root}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.body for request in self.seen]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, owner: LlmServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        import traceback

        text = traceback.format_exc()
        if not any(name in text for name in ("BrokenPipeError", "ConnectionResetError", "TimeoutError")):
            self.owner.errors.append(text)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30
    server: _Server
    under_way = 0
    """1 until the last of a reply is sent: whoever has read all of it may ask again at once."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        self._send(sends("{}", status=404), [b"{}"])

    def do_POST(self) -> None:
        owner = self.server.owner
        length = int(self.headers.get("Content-Length", "0"))
        request = json.loads(self.rfile.read(length) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        with owner.lock:
            nth = len(owner.seen)
            owner.seen.append(Seen(self.path, headers, request, time.monotonic()))
            self.under_way = 1
            owner.now += 1
            owner.most_at_once = max(owner.most_at_once, owner.now)
        try:
            given = owner.reply(request, nth)
            behaviour = says(given) if isinstance(given, str) else given
            if behaviour.delay:
                owner.stopping.wait(behaviour.delay)
            self._answer(request, behaviour)
        finally:
            self._end()

    def _end(self) -> None:
        """Count the request as answered, once."""
        owner = self.server.owner
        with owner.lock:
            owner.now -= self.under_way
        self.under_way = 0

    def _answer(self, request: dict[str, Any], how: Behaviour) -> None:
        if how.body is not None:
            body = how.body.encode() if isinstance(how.body, str) else how.body
            self._send(how, [body])
            return
        streamed = bool(request.get("stream")) if how.stream is None else how.stream
        anthropic = self.path.endswith("/messages")
        make = (_anthropic_events if streamed else _anthropic_whole) if anthropic else None
        make = make or (_openai_events if streamed else _openai_whole)
        kind = "text/event-stream" if streamed else "application/json"
        self._send(
            replace(how, headers={"Content-Type": kind, **how.headers}), [*make(request, how)], streamed
        )

    def _send(self, how: Behaviour, pieces: list[bytes], streamed: bool = False) -> None:
        self.send_response(how.status)
        for name, value in how.headers.items():
            self.send_header(name, value)
        if streamed:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(sum(map(len, pieces))))
        if how.drip:
            whole = b"".join(pieces)
            pieces = [whole[at : at + 8] for at in range(0, len(whole), 8)]
        if not any(pieces):
            self._end()
        self.end_headers()
        sent = 0
        for number, piece in enumerate(pieces, 1):
            if number == len(pieces):
                self._end()
            if how.cut_after is not None and sent + len(piece) > how.cut_after:
                self._write(piece[: how.cut_after - sent], streamed)
                self._reset()
                return
            self._write(piece, streamed)
            sent += len(piece)
            if how.drip and self.server.owner.stopping.wait(how.drip):
                return
        if streamed:
            self.wfile.write(b"0\r\n\r\n")

    def _write(self, piece: bytes, streamed: bool) -> None:
        if piece:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if streamed else piece)
            self.wfile.flush()

    def _reset(self) -> None:
        """Hang up without a good-bye, as a proxy that dies does."""
        time.sleep(0.05)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()


# --- the two protocols ---------------------------------------------------------------------------


def _bill(request: dict[str, Any], how: Behaviour, names: tuple[str, str]) -> dict[str, Any]:
    if how.usage is None:
        return {}
    if how.usage != "count":
        return {"usage": how.usage}
    asked = len(json.dumps(request.get("messages", ""))) + len(str(request.get("system", "")))
    return {"usage": {names[0]: asked // 4, names[1]: len(how.text or "") // 4 + 1}}


def _openai_whole(request: dict[str, Any], how: Behaviour) -> Iterator[bytes]:
    message = {"role": "assistant", "content": how.text, "refusal": how.refusal}
    yield json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": request.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": how.finish}],
            **_bill(request, how, ("prompt_tokens", "completion_tokens")),
        }
    ).encode()


def _openai_events(request: dict[str, Any], how: Behaviour) -> Iterator[bytes]:
    def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _event({"id": "c", "object": "chat.completion.chunk", "choices": [choice]})

    yield b": a comment, as proxies send to keep a connection open\n\n"
    yield event({"role": "assistant", "content": ""})
    for piece in _pieces(how.text or ""):
        yield event({"content": piece})
    if how.refusal is not None:
        yield event({"refusal": how.refusal})
    yield event({}, how.finish)
    bill = _bill(request, how, ("prompt_tokens", "completion_tokens"))
    if bill and (request.get("stream_options") or {}).get("include_usage"):
        yield _event({"id": "c", "object": "chat.completion.chunk", "choices": [], **bill})
    yield b"data: [DONE]\n\n"


def _stop_reason(how: Behaviour) -> str:
    if how.refusal is not None:
        return "refusal"
    return {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}.get(
        how.finish, how.finish
    )


def _anthropic_whole(request: dict[str, Any], how: Behaviour) -> Iterator[bytes]:
    block = None if how.text is None else {"type": "text", "text": how.text}
    yield json.dumps(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": request.get("model"),
            "content": [block] if block else [],
            "stop_reason": _stop_reason(how),
            **_bill(request, how, ("input_tokens", "output_tokens")),
        }
    ).encode()


def _anthropic_events(request: dict[str, Any], how: Behaviour) -> Iterator[bytes]:
    def event(kind: str, **more: Any) -> bytes:
        return f"event: {kind}\n".encode() + _event({"type": kind, **more})

    bill = _bill(request, how, ("input_tokens", "output_tokens")).get("usage")
    start = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    if isinstance(bill, dict):
        start["usage"] = {**bill, "output_tokens": 1}
    yield event("message_start", message=start)
    yield event("ping")
    if how.text is not None:
        yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        for piece in _pieces(how.text):
            yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
        yield event("content_block_stop", index=0)
    ends: dict[str, Any] = {"delta": {"stop_reason": _stop_reason(how)}}
    if isinstance(bill, dict):
        ends["usage"] = {"output_tokens": bill.get("output_tokens")}
    yield event("message_delta", **ends)
    yield event("message_stop")


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def _pieces(text: str) -> Iterator[str]:
    for at in range(0, len(text), 7):
        yield text[at : at + 7]
