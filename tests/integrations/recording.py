"""A real HTTP server on this machine that keeps what an SDK sends to it."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Received(NamedTuple):
    method: str
    path: str
    """Without the query."""
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def parts(self) -> dict[str, Any]:
        """A multipart form: each part by its name, those that are JSON decoded."""
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        form = BytesParser(policy=HTTP).parsebytes(head + self.body)
        found: dict[str, Any] = {}
        for part in form.iter_parts():
            raw = part.get_payload(decode=True)
            name = str(part.get_param("name", header="content-disposition"))
            found[name] = json.loads(raw) if part.get_content_type() == "application/json" else raw
        return found


Reply = Callable[[Received], tuple[int, Any]]
"""From what was received to a status and what is sent back as JSON."""


class Recorder:
    """Where the server is, and what has come in so far."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.received: list[Received] = []
        self.url = ""

    def sent_to(self, path: str, method: str = "POST") -> list[Received]:
        return [one for one in self.received if one.path == path and one.method == method]


@contextmanager
def recording(reply: Reply = lambda received: (200, {})) -> Iterator[Recorder]:
    """Serve on a free port of this machine until the end of the block."""
    recorder = Recorder(reply)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = (
                self._chunks()
                if self.headers.get("transfer-encoding") == "chunked"
                else self.rfile.read(length)
            )
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.command, self.path.partition("?")[0], headers, body)
            recorder.received.append(received)
            status, value = recorder.reply(received)
            said = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def _chunks(self) -> bytes:
            found = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                found += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return found

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    recorder.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield recorder
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
