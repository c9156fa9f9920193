"""A hub of models on this machine, which speaks as much of the protocol as fetching a model takes."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub:
    """The folders it offers, by the name of the model, and the requests that it got."""

    def __init__(self, models: dict[str, Path]) -> None:
        self.models = models
        self.asked: list[str] = []
        self.address = ""

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for one path."""
        for name, folder in self.models.items():
            files = sorted(
                file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()
            )
            if path.startswith(f"/api/models/{name}/tree/"):
                listed = [
                    {
                        "type": "file",
                        "path": file,
                        "size": len((folder / file).read_bytes()),
                        "oid": _oid(folder / file),
                    }
                    for file in files
                ]
                return 200, {"Content-Type": "application/json"}, json.dumps(listed).encode()
            if path in (
                f"/api/models/{name}",
                *(f"/api/models/{name}/revision/{r}" for r in ("main", COMMIT)),
            ):
                told = {
                    "id": name,
                    "modelId": name,
                    "sha": COMMIT,
                    "private": False,
                    "tags": [],
                    "downloads": 0,
                }
                told["siblings"] = [{"rfilename": file} for file in files]
                return 200, {"Content-Type": "application/json"}, json.dumps(told).encode()
            for revision in ("main", COMMIT):
                start = f"/{name}/resolve/{revision}/"
                if path.startswith(start) and path.removeprefix(start) in files:
                    file = folder / path.removeprefix(start)
                    return 200, {"ETag": f'"{_oid(file)}"', "X-Repo-Commit": COMMIT}, file.read_bytes()
        return 404, {"X-Error-Code": "RepoNotFound"}, b"{}"


def _oid(file: Path) -> str:
    return hashlib.sha1(file.read_bytes()).hexdigest()


@contextmanager
def serving(models: dict[str, Path]) -> Iterator[Hub]:
    """A hub that runs until the end of the block."""
    hub = Hub(models)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            hub.asked.append(f"{self.command} {path}")
            status, headers, body = hub.answer(path)
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
