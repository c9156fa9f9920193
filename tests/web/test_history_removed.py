"""A history that is removed, replaced or spoilt while it is served: pages say so, and nothing is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from web_server import served

import pincite
from pincite.config import Settings
from pincite.store import open_store
from pincite.web import GivenDatasets, dashboard_sections

PAGES = ("/runs", "/alerts", "/trends", "/datasets", "/judges", "/runs?format=json")


def remove(history: Path) -> None:
    history.unlink()


def remove_folder(history: Path) -> None:
    shutil.rmtree(history.parent)


def replace(history: Path) -> None:
    with open_store(history.with_name("other.db")):
        pass
    history.with_name("other.db").replace(history)


def empty(history: Path) -> None:
    history.write_bytes(b"")


def spoil(history: Path) -> None:
    history.write_bytes(b"nonsense" * 1000)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "h.db"
    with open_store(path) as store:
        pincite.evaluate("sample", target="answer", judge="rules", store=store)
    return path


@pytest.mark.parametrize("happens", [remove, remove_folder, replace, empty, spoil])
def test_it_is_said_on_every_page_and_no_change_is_taken(
    tmp_path: Path, history: Path, happens: Callable[[Path], None]
) -> None:
    (tmp_path / "in").mkdir()
    path, told, settings = tmp_path / "in" / "h.db", list[str](), Settings(judge="rules")
    shutil.copy(history, path)
    with (
        open_store(path) as store,
        served(dashboard_sections(store, settings, GivenDatasets([], settings)), told) as client,
    ):
        run = client.get("/runs?format=json").json["runs"][0]["run_id"]
        happens(path)
        for page in PAGES:
            answer = client.get(page)
            assert answer.status == 503 and "the history" in answer.text, page
        assert client.post(f"/runs/{run}/remarks", {"note": "kept?"}).status == 503
        assert client.get("/try").status == 200
    assert told == []


def test_a_history_that_is_put_back_is_served_again(tmp_path: Path, history: Path) -> None:
    path, aside, settings = tmp_path / "h.db", tmp_path / "aside.db", Settings(judge="rules")
    shutil.copy(history, path)
    with (
        open_store(path) as store,
        served(dashboard_sections(store, settings, GivenDatasets([], settings))) as client,
    ):
        path.replace(aside)
        assert client.get("/runs").status == 503
        aside.replace(path)
        assert client.get("/runs").status == 200
