"""Every command of the page about the history prints what the page says, but for the day it is run on."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from console_examples import Example, Page, read_page, run_examples, write_files

PAGE = Path(__file__).parents[2] / "docs" / "history.md"


def without_days(text: str) -> str:
    text = re.sub(r"eval_run_\d{8}", "eval_run_DAY", text)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "MOMENT", text)


class Ran(NamedTuple):
    page: Page
    printed: list[Example]
    folder: Path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    page, folder = read_page(PAGE.read_text(encoding="utf-8")), tmp_path_factory.mktemp("page")
    write_files(page, folder)
    return Ran(page, run_examples(page, folder), folder)


@pytest.mark.thorough
def test_the_commands_print_what_the_page_says(ran: Ran) -> None:
    for shown, real in zip(ran.page.examples, ran.printed, strict=True):
        assert without_days(real.printed).strip() == without_days(shown.printed).strip(), shown.command


def test_the_python_of_the_page_runs_on_that_history(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    monkeypatch.chdir(ran.folder)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(PAGE), "exec"), {})
    assert re.fullmatch(r"sample 10\n(0\.\d{3}|1\.000) 10\n(0\.\d{3}|1\.000) 10\n", printed.getvalue())


def test_the_settings_of_the_page_are_the_true_ones() -> None:
    import tomllib

    from pincite.config import Settings

    (block,) = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert tomllib.loads(block)["store"]["url"] == Settings().store.url


def test_the_tables_of_the_page_are_the_true_ones(tmp_path: Path) -> None:
    import sqlite3

    from pincite.store import open_store

    open_store(tmp_path / "new.sqlite").close()
    history = sqlite3.connect(tmp_path / "new.sqlite")
    made = [row[0] for row in history.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns_of = {
        table: {row[1] for row in history.execute(f"PRAGMA table_info({table})")}
        for table in made
        if not table.startswith("sqlite_")
    }
    history.close()
    text = PAGE.read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(pincite_\w+)` \| [^|]* \| (.*) \|$", text, re.M))
    assert set(listed) == set(columns_of)
    for table, columns in listed.items():
        assert set(re.findall(r"`(\w+)`", columns)) <= columns_of[table]
