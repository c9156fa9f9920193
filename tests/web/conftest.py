from __future__ import annotations

from collections.abc import Iterator

import pytest
from web_server import HOSTILE, Client, served

import pincite
from pincite.config import Settings
from pincite.store import Store, open_store
from pincite.web import GivenDatasets, dashboard_sections


def wrong_answers(query: str) -> str:
    if "crossing" in query:
        raise RuntimeError("the ferry is late <b>today</b>")
    return f"The ferry leaves at 9:15 [doc_ferry_timetable]. {HOSTILE} {query[:60]}"


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A good run, a bad one, and one with a hostile name, all of the sample dataset."""
    path = tmp_path_factory.mktemp("history") / "history.db"
    with open_store(path) as found:
        for name, target in (("good", "answer"), ("bad", wrong_answers), (HOSTILE, wrong_answers)):
            pincite.evaluate("sample", target=target, judge="rules", name=name, store=found)
        yield found


@pytest.fixture(scope="session")
def datasets() -> Iterator[GivenDatasets]:
    found = GivenDatasets(["sample"], Settings())
    yield found
    found.close()


@pytest.fixture(scope="session")
def settings() -> Settings:
    return Settings(judge="rules")


@pytest.fixture(scope="session")
def dashboard(store: Store, datasets: GivenDatasets, settings: Settings) -> Iterator[Client]:
    """The dashboard over that history; what goes wrong inside it fails the test that is running."""
    told: list[str] = []
    with served(dashboard_sections(store, settings, datasets), told) as client:
        yield client
    assert told == []


@pytest.fixture(scope="session")
def good(store: Store) -> str:
    return store.find("good").run_id


@pytest.fixture(scope="session")
def bad(store: Store) -> str:
    return store.find("bad").run_id
