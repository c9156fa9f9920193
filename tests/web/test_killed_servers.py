"""kill -9 while pages write: every file can be read afterwards, and what was acknowledged is there."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from web_server import Client

import pincite
from pincite.annotation import Workspace
from pincite.datasets import open_dataset
from pincite.store import open_store

FORM = {"Content_Type": "application/x-www-form-urlencoded"}
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
]


@contextmanager
def running(folder: Path, *command: str) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    with subprocess.Popen(
        [sys.executable, "-m", "pincite", *command, "--no-token", "--port", "0"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r":(\d+)/", server.stdout.readline())
            assert found is not None
            yield server, Client(int(found[1]))
        finally:
            server.kill()


def write_until_killed(
    server: subprocess.Popen[str],
    client: Client,
    writers: int,
    acknowledged: int,
    write: Callable[[int, int], None],
) -> None:
    """Several write at once, one change after the other; the server is killed after so many were answered."""
    enough, count = threading.Event(), iter(range(10**9))

    def go_on(writer: int) -> None:
        with suppress(OSError, http.client.HTTPException):
            for number in range(1, 10**6):
                write(writer, number)
                if next(count) >= acknowledged:
                    enough.set()

    threads = [threading.Thread(target=go_on, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    assert enough.wait(100)
    os.kill(server.pid, signal.SIGKILL)  # while the next changes are on their way
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("acknowledged", [1, 6, 17])
def test_no_acknowledged_annotation_is_lost(tmp_path: Path, acknowledged: int) -> None:
    items = [f"first/spans/query_{number:03}" for number in (1, 2, 3)]
    saved: dict[str, tuple[int, Any]] = {}
    with running(tmp_path, "annotate", "sample", "--as", "ada", "--no-open", "--practice", "0") as (
        server,
        client,
    ):
        key = client.csrf()
        document = client.get(f"/api/annotation/item?as=ada&item={items[0]}").json["documents"][0]["name"]

        def save(writer: int, number: int) -> None:
            mark = {"document": document, "start": 0, "end": number}
            body = {
                "as": "ada",
                "item": items[writer],
                "revision": number - 1,
                "said": {"sets": [[mark]]},
                "done": True,
            }
            answer = client.ask("POST", "/api/annotation/change", json.dumps(body).encode(), X_CSRF_Token=key)
            assert answer.status == 200
            saved[items[writer]] = (answer.json["revision"], answer.json["said"])

        write_until_killed(server, client, len(items), acknowledged, save)
    with open_dataset("sample") as dataset:
        work = Workspace(dataset, tmp_path / "annotations", training=0)
        states = work.states("ada")
        for item, (revision, said) in saved.items():
            kept = states[item]  # one more may be there, of which the answer was lost
            assert kept.revision in (revision, revision + 1)
            assert kept.said == said or kept.revision == revision + 1
        (told,) = work.responses().spans["query_001"].values()
        assert told.citations[0].end_char == states[items[0]].said["sets"][0][0]["end"]
        assert {path.name for path in (tmp_path / "annotations").iterdir()} == {"ada"}


@pytest.mark.parametrize("acknowledged", [1, 6, 17])
def test_no_acknowledged_tag_or_note_is_lost(tmp_path: Path, acknowledged: int) -> None:
    with open_store(tmp_path / "h.db") as store:
        for name in ("a", "b", "c"):
            pincite.evaluate("sample", target="answer", judge="rules", name=name, store=store)
        runs = [run.run_id for run in store.runs()]
    saved: dict[str, int] = {}
    with running(tmp_path, "serve", "--store", "h.db") as (server, client):
        key = client.csrf()

        def save(writer: int, number: int) -> None:
            body = urlencode({"tags": f"t{number}", "note": f"n{number}"}).encode()
            answer = client.ask("POST", f"/runs/{runs[writer]}/remarks", body, X_CSRF_Token=key, **FORM)
            assert answer.status == 303
            saved[runs[writer]] = number

        write_until_killed(server, client, len(runs), acknowledged, save)
    with open_store(tmp_path / "h.db") as store:
        assert len(store.runs()) == 3
        for run, number in saved.items():
            tags, note = store.remarks(run)
            assert (tags, note) in [((f"t{one}",), f"n{one}") for one in (number, number + 1)]
