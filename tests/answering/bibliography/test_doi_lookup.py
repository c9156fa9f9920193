"""Look-ups go to the resolver that was named, and only where that was asked for."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from bibliography_works import date, person

from pincite.answering import DoiResolver, gather
from pincite.errors import InputError

ITEM = {
    "type": "journal-article",
    "title": "Leakage in <i>networks</i>",
    "author": [{"family": "Müller", "given": "Anna"}],
    "issued": {"date-parts": [[2019, 5]]},
    "container-title": ["Water Research"],
    "DOI": "10.1000/xyz123",
}


class _Resolver(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Accept"]))  # type: ignore[attr-defined]
        status, headers, body = {
            "/10.1000/xyz123": (200, {}, json.dumps(ITEM).encode()),
            "/10.48550/arXiv.1706.03762": (200, {}, json.dumps({**ITEM, "type": "article"}).encode()),
            "/10.1000/moved": (302, {"Location": "/10.1000/xyz123"}, b""),
            "/10.1000/away": (302, {"Location": "https://example.org/x"}, b""),
            "/10.1000/file": (302, {"Location": "file:///etc/passwd"}, b""),
            "/10.1000/loop": (302, {"Location": "/10.1000/loop"}, b""),
            "/10.1000/html": (200, {}, b"<html>"),
            "/10.1000/list": (200, {}, b"[]"),
            "/10.1000/huge": (200, {}, b'"' + b"x" * (3 * 1024 * 1024) + b'"'),
            "/10.1000/busy": (503, {}, b""),
        }.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            pass  # the reader had enough

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    made = HTTPServer(("127.0.0.1", 0), _Resolver)
    made.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=made.serve_forever, args=(0.02,))
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def _resolver(server: HTTPServer) -> DoiResolver:
    return DoiResolver(f"http://127.0.0.1:{server.server_port}", seconds=5)


def test_what_a_source_does_not_say_is_filled_in_by_its_doi(server: HTTPServer) -> None:
    answer = {
        "references": [
            {"number": 4, "document": "a.pdf", "doi": "10.1000/xyz123", "url": "https://own.example"}
        ]
    }
    [found] = gather(answer, resolver=_resolver(server))
    assert found == (
        4,
        {
            "id": "a.pdf",
            "type": "article-journal",
            "title": "Leakage in networks",
            "author": [person("Müller", "Anna")],
            "issued": date(2019, 5),
            "container-title": "Water Research",
            "DOI": "10.1000/xyz123",
            "URL": "https://own.example",
        },
    )
    assert server.asked == [("/10.1000/xyz123", "application/vnd.citationstyles.csl+json")]  # type: ignore[attr-defined]


def test_an_arxiv_id_is_looked_up_as_its_doi_and_once(server: HTTPServer) -> None:
    resolver = _resolver(server)
    for version in ("arXiv:1706.03762v5", "arXiv:1706.03762"):
        found = resolver.look_up({"id": "a", "number": version})
        assert found is not None
        assert found["type"] == "article"
    assert len(server.asked) == 1  # type: ignore[attr-defined]


def test_a_redirect_to_the_same_machine_is_followed(server: HTTPServer) -> None:
    found = _resolver(server).look_up({"id": "a", "DOI": "10.1000/moved"})
    assert found is not None
    assert found["title"] == "Leakage in networks"


@pytest.mark.parametrize(
    "name", ["away", "file", "loop", "html", "list", "huge", "busy", "unknown", "x\r\ny"]
)
def test_what_cannot_be_looked_up_is_told_and_costs_nothing_else(server: HTTPServer, name: str) -> None:
    told: list[str] = []
    answer = {
        "references": [{"number": 1, "document": "a.pdf", "title": "Own title", "doi": f"10.1000/{name}"}]
    }
    [found] = gather(answer, resolver=_resolver(server), tell=told.append)
    assert found[1]["title"] == "Own title"
    assert len(told) == 1
    assert "10.1000/" in told[0]


def test_a_resolver_that_is_not_there_is_told() -> None:
    answer = {"references": [{"number": 1, "document": "a.pdf", "doi": "10.1000/x"}]}
    told: list[str] = []
    gather(answer, resolver=DoiResolver("http://127.0.0.1:9", seconds=2), tell=told.append)
    assert [one for one in told if "could not be looked up" in one] == told != []


@pytest.mark.parametrize("address", ["http://example.org", "ftp://x", "file:///etc/passwd", "doi.org"])
def test_a_resolver_is_reached_safely_or_not_at_all(address: str) -> None:
    with pytest.raises(InputError, match="https"):
        DoiResolver(address)


def test_a_work_without_a_doi_is_not_looked_up(server: HTTPServer) -> None:
    assert _resolver(server).look_up({"id": "a", "title": "T"}) is None
    assert server.asked == []  # type: ignore[attr-defined]
