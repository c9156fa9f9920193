"""A real server on loopback, and a small client that keeps cookies as a browser does."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pincite
from pincite.config import Settings
from pincite.store import open_store
from pincite.web import (
    GivenDatasets,
    Guard,
    Section,
    bind,
    create_app,
    dashboard_sections,
    make_server,
)

HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)>\u202e'


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """Asks one server. The first page it opens gives it a session."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.cookies: dict[str, str] = {}

    def ask(
        self, method: str, path: str, body: bytes | Iterable[bytes] | None = None, **headers: str
    ) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies and "Cookie" not in sent:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        for cookie in answer.headers.get_all("set-cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def lines(self, path: str) -> Iterator[str]:
        """The lines of a stream, as they come."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            assert response.headers["content-type"].startswith("text/event-stream")
            for line in response:
                yield line.decode().rstrip("\n")
        finally:
            connection.close()

    def csrf(self) -> str:
        token = self.get("/api/session").json["csrf"]
        assert re.fullmatch(r"[0-9a-f]{64}", token)
        return str(token)

    def post(self, path: str, fields: Mapping[str, Any], **headers: str) -> Answer:
        """Send a form as a page of the site would."""
        body = urlencode({"csrf": self.csrf(), **fields}, doseq=True).encode()
        return self.ask("POST", path, body, Content_Type="application/x-www-form-urlencoded", **headers)


@contextmanager
def served(sections: Iterable[Section], told: list[str] | None = None, **guard: Any) -> Iterator[Client]:
    """A site served by uvicorn in a thread."""
    with bind("127.0.0.1", 0) as bound:
        port = bound.getsockname()[1]
        app = create_app(sections, Guard(port=port, **guard), [].append if told is None else told.append)
        server = make_server(app)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            while not server.started:
                time.sleep(0.005)
            yield Client(port)
        finally:
            server.should_exit = True
            thread.join()


class Running(NamedTuple):
    """An evaluation that has one answer and waits with the others until `go_on` is set."""

    client: Client
    run_id: str
    go_on: threading.Event


@contextmanager
def running_evaluation(folder: Path, settings: Settings) -> Iterator[Running]:
    """A real evaluation in the middle of its work, and the dashboard over its history."""
    go_on, first = threading.Event(), threading.Lock()

    def slow(query: str) -> str:
        if not first.acquire(blocking=False):
            go_on.wait(100)
        return "The ferry leaves at 9:15 [doc_ferry_timetable]."

    path = folder / "running.db"
    with open_store(path) as store, open_store(path) as writer:
        asked = {"target": slow, "judge": "rules", "store": writer}
        thread = threading.Thread(target=pincite.evaluate, args=("sample",), kwargs=asked)
        sections = dashboard_sections(store, settings, GivenDatasets([], settings))
        with served(sections) as client:
            thread.start()
            try:
                while thread.is_alive() and not any(run.successful for run in store.runs()):
                    time.sleep(0.05)
                yield Running(client, store.runs()[0].run_id, go_on)
            finally:
                go_on.set()
                thread.join()
