"""What a server of annotation lets in, and what it answers to programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotation.small_work import dataset, spans, workspace
from web.web_server import Answer, Client, served

pytest.importorskip("starlette", reason="`make test-web` installs what a server needs")
from pincite.annotation import Workspace
from pincite.web import annotation_sections
from pincite.web.annotation_api import one_for_one


@pytest.fixture
def work(tmp_path: Path) -> Workspace:
    return workspace(tmp_path, dataset(2))


@pytest.fixture
def client(work: Workspace) -> Iterator[Client]:
    with served(annotation_sections(work)) as found:
        yield found


def send(client: Client, what: str, given: Any, **headers: str) -> Answer:
    body = given if isinstance(given, bytes) else json.dumps(given).encode()
    headers = {"X_CSRF_Token": client.csrf(), "Content_Type": "application/json"} | headers
    return client.ask("POST", f"/api/annotation/{what}", body, **headers)


def change(**more: Any) -> dict[str, Any]:
    return {"as": "ada", "item": "first/spans/q0", "revision": 0, "said": spans((0, 9))} | more


def test_a_change_is_saved_and_answered_with_the_new_state(client: Client, work: Workspace) -> None:
    answer = send(client, "change", change(done=True, seconds=7))
    assert answer.status == 200
    assert (answer.json["revision"], answer.json["done"], answer.json["can_undo"]) == (1, True, True)
    assert answer.json["quotes"]["tower.md:0:9"]["text"] == "The tower"
    assert work.states("ada")["first/spans/q0"].seconds == 7
    undone = send(client, "undo", {"as": "ada", "item": "first/spans/q0", "revision": 1}).json
    assert (undone["said"], undone["done"], undone["revision"]) == ({}, False, 2)


def test_a_stale_change_is_answered_with_the_newer_state(client: Client) -> None:
    send(client, "change", change())
    answer = send(client, "change", change(said=spans((4, 9))))
    assert answer.status == 409
    assert answer.json["said"] == spans((0, 9))
    assert "nothing was overwritten" in answer.json["error"]


@pytest.mark.parametrize(
    "headers", [{"X_CSRF_Token": "0" * 64}, {"X_CSRF_Token": ""}, {"Sec_Fetch_Site": "cross-site"}]
)
def test_a_forged_change_is_refused(client: Client, work: Workspace, headers: dict[str, str]) -> None:
    assert send(client, "change", change(), **headers).status == 403
    assert client.ask("POST", "/as/ada/merge", b"", **headers).status == 403
    assert work.states("ada") == {}


def test_a_foreign_name_of_the_server_is_refused(client: Client) -> None:
    assert client.get("/as/ada", Host="evil.example").status == 403


@pytest.mark.parametrize(
    "given",
    [
        b"{",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        {},
        change(item="odd"),
        change(item="first/spans/none"),
        change(revision="1"),
        change(revision=True),
        change(said=None),
        change(said=spans((0, 999))),
        {**change(), "as": "../../etc"},
        {**change(), "as": 7},
    ],
)
def test_what_is_no_change_is_refused_in_words(client: Client, work: Workspace, given: Any) -> None:
    answer = send(client, "change", given)
    assert answer.status == 400
    assert answer.json["error"]
    assert not work.folder.exists() or not any(work.folder.rglob("changes.jsonl"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "path",
    [
        "/api/annotation/window?document=../secret",
        "/api/annotation/window?document=tower.md&start=-1",
        "/api/annotation/window?document=tower.md&start=99999999999999999999",
        "/api/annotation/window?document=tower.md&start=%D9%A1",
        "/api/annotation/item?as=ada&item=first/spans/none",
        "/api/annotation/item?as=..&item=first/spans/q0",
        "/api/annotation/next",
        "/as/..%2F..%2Fetc",
        "/as?name=../x",
    ],
)
def test_a_wrong_address_is_an_error_and_no_file(client: Client, path: str) -> None:
    assert client.get(path).status in (400, 404)


def test_an_item_says_nothing_that_is_hidden(tmp_path: Path) -> None:
    pair = {"id": "p", "claim": "High.", "evidence": ["47"], "outcome": "supported", "reason": "SECRET"}
    work = workspace(tmp_path, dataset(3, known=1) | {"name": "x"}, pairs=[pair], training=1)
    with served(annotation_sections(work)) as client:
        practice = client.get("/api/annotation/next?as=ada")
        assert practice.json["practice"] is True and "known" not in practice.json
        item = client.get("/api/annotation/item?as=ada&item=first/verdicts/p")
        assert "SECRET" not in item.text and "supported" not in item.text
        decide = client.get("/api/annotation/item?as=ada&item=decide/verdicts/p")
        assert decide.status == 403
        listed = [client.get(f"/as/ada{path}").text for path in ("", "/progress", "/conflicts")]
    assert not any("SECRET" in text for text in listed)


def test_every_code_point_of_a_document_is_shown_by_one() -> None:
    text = "a\r\nb\rc\fd\u202ee\u200bf\x00g\ud800h🗼\u2028\U000e0001\t\n"
    shown = one_for_one(text)
    assert len(shown) == len(text)
    assert shown == "a \nb␍c d␦e␦f␀g␦h🗼␦␦\t\n"
