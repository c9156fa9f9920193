"""The page about the dashboard: its commands and its Python, against a server on a free port."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from console_examples import read_page, run_examples, write_files

from pincite.config import Settings
from pincite.store import open_store
from pincite.web import GivenDatasets, dashboard_sections
from web.web_server import served

PAGE = Path(__file__).parents[2] / "docs" / "dashboard.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_examples_of_the_page_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = "a-token-for-this-page"
    monkeypatch.setenv("PINCITE_WEB_TOKEN", token)
    page = read_page(TEXT)
    write_files(page, tmp_path)
    assert run_examples(page, tmp_path) == page.examples
    code, printed = re.findall(r"^```python\n(.*?)^```\n\n```\n(.*?)^```$", TEXT, re.M | re.S)[0]
    told, settings = io.StringIO(), Settings()
    with (
        open_store(tmp_path / "data" / "evaluation" / "runs.sqlite") as store,
        served(dashboard_sections(store, settings, GivenDatasets([], settings)), token=token) as client,
        contextlib.redirect_stdout(told),
    ):
        exec(compile(code.replace(":8765", f":{client.port}"), str(PAGE), "exec"), {})
    assert told.getvalue() == printed


def test_every_option_is_tabled() -> None:
    from pincite.cli.app import load_command

    names = [name for action in load_command("serve").parser()._actions for name in action.option_strings]
    inherited = ("-h", "--help", "--set", "--config", "--trust-config", "--no-color")
    assert [name for name in names if name not in inherited and f"`{name}" not in TEXT] == []


@pytest.mark.parametrize("name", re.findall(r"\]\(([a-z-]+/?[a-z-]*\.(?:md|png))", TEXT))
def test_what_the_page_points_to_is_there(name: str) -> None:
    assert (PAGE.parent / name).is_file()
