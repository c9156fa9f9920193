"""A history that another version of Pincite wrote is refused by name, and left as it was."""

from __future__ import annotations

import pytest
from history_items import execute

from pincite.errors import StorePlaceError
from pincite.store import open_store


def test_a_history_of_before_is_refused_with_the_way_out(url: str) -> None:
    execute(
        url, "CREATE TABLE pincite_schema_version (version INTEGER)", "CREATE TABLE pincite_runs (number INT)"
    )
    with pytest.raises(
        StorePlaceError, match=r"written by an older Pincite.* another\s+location with --store.*runs export"
    ):
        open_store(url)
    assert execute(url, "SELECT count(*) FROM pincite_runs") == [(0,)]


def test_a_history_of_another_schema_is_refused(url: str) -> None:
    with open_store(url):
        pass
    execute(url, "UPDATE pincite_schema SET version = 99")
    with pytest.raises(StorePlaceError, match=r"another Pincite \(schema 99, not 1\).*--store"):
        open_store(url)
