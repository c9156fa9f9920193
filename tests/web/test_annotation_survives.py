"""A server that is killed while somebody annotates, and started again; and two servers on one folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from browser import open_browser
from web.annotators import Annotator, annotations, states

pytest.importorskip("starlette", reason="`make test-web` installs what a server needs")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


@contextmanager
def annotating(folder: Path, port: int = 0, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`pincite annotate` in a process of its own, and where it is served."""
    command = [
        sys.executable,
        "-m",
        "pincite",
        "annotate",
        "sample",
        "--as",
        "ada",
        "--no-open",
        "--no-token",
    ]
    command += ["--dir", str(folder), "--practice", "0", "--port", str(port), *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder.parent) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://[^/]+", server.stdout.readline())
            assert found is not None
            yield server, found[0]
        finally:
            server.kill()


def test_kill_9_of_the_server_loses_nothing_that_the_page_still_has(tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    with open_browser() as browser:
        with annotating(folder) as (server, address):
            ada = Annotator(browser, address, "ada")
            with ada.page.expect_response("**/api/annotation/next?*leave=*"):
                pass
            ada.ready()
            ada.select(0, 9)
            ada.keys("Enter")
            ada.until(lambda: any(one["said"] for one in states(folder, "ada").values()))
            (item,) = states(folder, "ada")
            os.kill(server.pid, signal.SIGKILL)
            server.wait()
        ada.select(12, 20)
        ada.keys("Enter")
        ada.page.get_by_text("Not saved yet").wait_for()
        ada.keys("Control+Enter")  # the next item was fetched ahead
        ada.wait("document.querySelectorAll('.mark-line').length === 0")
        port = int(address.rpartition(":")[2])
        with annotating(folder, port):
            ada.saved()
            (one,) = annotations(folder, "ada")
            assert len(one["citations"]) == 2
            assert states(folder, "ada")[item]["done"] is True
            assert ada.grave == []


def test_two_servers_on_one_folder_keep_both_people_s_work(tmp_path: Path) -> None:
    folder = tmp_path / "annotations"
    with open_browser() as browser, annotating(folder) as (_, one), annotating(folder) as (_, other):
        people: list[Any] = [Annotator(browser, one, "ada"), Annotator(browser, other, "ben")]
        for person in people:
            person.ready()
            person.select(0, 9)
            person.keys("Enter", "Control+Enter")
        for person in people:
            person.until(lambda person=person: (folder / person.name / "sample_1.0.0.gt.json").exists())
            person.until(lambda person=person: annotations(folder, person.name))
        first = [annotations(folder, name)[0]["query_id"] for name in ("ada", "ben")]
        assert first[0] == first[1]  # both are needed for it
        assert people[0].complaints == people[1].complaints == []
