"""Checks that wait: they hold up no page, there is an end to them, and what is kept of them is known."""

from __future__ import annotations

import gc
import io
import socket
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from web_server import Client, served

from pincite.config import Settings
from pincite.findings import check
from pincite.store import Store
from pincite.web import try_page
from pincite.web.run_list_page import RunListPage
from pincite.web.try_page import EXAMPLE, TryPage, read_sources

WAITING = 60
ANSWER, SOURCES = EXAMPLE
FIELDS = {"answer": ANSWER, "source_name": list(SOURCES), "source_text": list(SOURCES.values())}


class Held(NamedTuple):
    """A site where reading sources and checking wait for `go_on`."""

    client: Client
    tried: TryPage
    go_on: threading.Event
    most: list[int]
    """The most that were read at once, and the most that were checked at once."""

    def until_placed(self, number: int) -> None:
        until(lambda: self.tried.turns.placed == number)


def until(true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.005)


@pytest.fixture
def held(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    go_on, most = threading.Event(), [0, 0]

    def counted(work: Callable[..., Any], kind: int) -> Callable[..., Any]:
        lock, now = threading.Lock(), [0]

        def run(*given: Any, **named: Any) -> Any:
            with lock:
                now[0] += 1
                most[kind] = max(most[kind], now[0])
            try:
                go_on.wait(100)
                return work(*given, **named)
            finally:
                with lock:
                    now[0] -= 1

        return run

    monkeypatch.setattr(try_page, "read_sources", counted(read_sources, 0))
    monkeypatch.setattr(try_page, "check", counted(check, 1))
    tried = TryPage(Settings(judge="rules"))
    with served([tried.section(), RunListPage(store).section()]) as client:
        try:
            yield Held(client, tried, go_on, most)
        finally:
            go_on.set()


def posted(client: Client) -> tuple[int, str | None]:
    answer = Client(client.port).post("/try", FIELDS)
    return answer.status, answer.headers["retry-after"]


def test_waiting_checks_hold_up_no_page_and_none_is_lost(held: Held) -> None:
    with ThreadPoolExecutor(WAITING) as people:
        asked = [people.submit(posted, held.client) for _ in range(WAITING)]
        held.until_placed(WAITING)
        assert held.client.get("/runs").status == 200
        assert held.client.get("/try?example=1").status == 200
        until(lambda: held.most[0] >= try_page.AT_ONCE)
        held.go_on.set()
        assert [one.result() for one in asked] == [(303, None)] * WAITING
    assert held.most[0] == try_page.AT_ONCE >= held.most[1] > 0
    assert held.tried.turns.placed == 0


def test_beyond_the_places_a_check_is_asked_to_come_again(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held.tried.turns, "_most", 3)
    with ThreadPoolExecutor(3) as people:
        asked = [people.submit(posted, held.client) for _ in range(3)]
        held.until_placed(3)
        assert posted(held.client) == (503, "5")
        held.go_on.set()
        assert [one.result()[0] for one in asked] == [303] * 3
    assert posted(held.client)[0] == 303


def test_bodies_that_wait_are_bounded_together(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held.tried.turns, "_most_bytes", 1000)
    answer = held.client.ask("POST", "/try", Content_Length="1001", X_CSRF_Token=held.client.csrf())
    assert answer.status == 503
    chunked = held.client.ask("POST", "/try", iter([b"x"]), X_CSRF_Token=held.client.csrf())
    assert chunked.status == 503  # it may become as large as any


def test_whoever_leaves_gives_up_their_place(held: Held) -> None:
    with ThreadPoolExecutor(try_page.AT_ONCE) as people:
        asked = [people.submit(posted, held.client) for _ in range(try_page.AT_ONCE)]
        held.until_placed(try_page.AT_ONCE)
        key = held.client.csrf()
        cookies = "; ".join(f"{name}={value}" for name, value in held.client.cookies.items())
        with socket.create_connection(("127.0.0.1", held.client.port)) as gone:
            head = f"POST /try HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\nX-CSRF-Token: {key}\r\n"
            kind = "Content-Type: application/x-www-form-urlencoded\r\n"
            gone.sendall(f"{head}{kind}Content-Length: 8\r\n\r\nanswer=x".encode())
            held.until_placed(try_page.AT_ONCE + 1)
        held.until_placed(try_page.AT_ONCE)
        held.go_on.set()
        assert [one.result()[0] for one in asked] == [303] * try_page.AT_ONCE


# --- what is kept ----------------------------------------------------------------------------------


def docx(sentences: int, kind: int) -> bytes:
    """A small file with a large text in it."""
    text = "".join(
        f"<w:p><w:r><w:t>Town {number} of kind {kind} has {number} houses.</w:t></w:r></w:p>"
        for number in range(sentences)
    )
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{space}"><w:body>{text}</w:body></w:document>',
        )
    return packed.getvalue()


def test_what_is_kept_takes_what_is_counted_and_not_more(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = TryPage(Settings(judge="rules"))

    def attempt(kind: int) -> None:
        given = [("towns.docx", docx(2_000, kind))]
        tried.keep(tried.check(f"Town 7 of kind {kind} has 8 houses [towns.docx].", given))

    attempt(0)  # what is made once for all
    (size,) = map(len, tried._kept.values())
    assert size > 50_000  # the text is in it, not only what was uploaded
    monkeypatch.setattr(try_page, "KEPT_BYTES", 10 * size)
    gc.collect()
    tracemalloc.start()
    try:
        for kind in range(1, 31):
            attempt(kind)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(map(len, tried._kept.values())) <= 10 * size
    assert taken < 12 * size


def test_a_result_that_is_larger_than_all_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = TryPage(Settings(judge="rules"))
    monkeypatch.setattr(try_page, "KEPT_BYTES", 1_000)
    with pytest.raises(try_page.TooLargeError, match="too much"):
        tried.keep(tried.check("Water.", [("a.txt", "Water. " * 1000)]))
    assert not tried._kept


def test_the_texts_of_all_sources_are_bounded_once_they_are_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(try_page, "MOST_TEXT", 100_000)
    packed = docx(2_000, 1)
    assert len(packed) < 20_000
    assert len(read_sources([("a.docx", packed)]).sources) == 1
    with pytest.raises(try_page.TooLargeError, match="100,000 characters"):
        read_sources([(f"{number}.docx", packed) for number in range(3)])
