"""The examples of docs/pytest.md, run by a pytest of their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console_examples import read_page

from pincite.integrations.pytest_dataset import measure
from pincite.runs import evaluate

pytest_plugins = ["pytester"]

PAGE = read_page((Path(__file__).parents[2] / "docs" / "pytest.md").read_text(encoding="utf-8"))
LOADED = ("-p", "no:pincite", "-p", "pincite.integrations.pytest_plugin")


@pytest.mark.parametrize("example", range(len(PAGE.examples)))
def test_the_page_shows_what_pytest_prints(
    example: int, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PINCITE_JUDGE", "rules")
    monkeypatch.setenv("COLUMNS", "80")
    # In a build pytest prints its summary lines whole; the page shows them as a terminal cuts them.
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("BUILD_NUMBER", raising=False)
    for name, body in PAGE.files.items():
        (pytester.path / name).write_text(body, encoding="utf-8")
    command, *options = PAGE.examples[example].command.split()
    assert command == "pytest"
    # The examples speak of no judge where the built-in one would say the same.
    judge = [] if any("judge" in option for option in options) else ["--pincite-judge=rules"]
    result = pytester.runpytest_inprocess(*LOADED, *judge, *options)
    printed = "\n".join(_plain(line) for line in result.outlines) + "\n"
    assert printed == PAGE.examples[example].printed


def _plain(line: str) -> str:
    """Without how long it took."""
    return re.sub(r" in [0-9.]+s$", "", line)


def test_the_page_tells_of_every_option_of_the_marker() -> None:
    import inspect

    text = (Path(__file__).parents[2] / "docs" / "pytest.md").read_text(encoding="utf-8")
    hidden = {"on_progress"}
    missing = [name for name in inspect.signature(evaluate).parameters if f"`{name}`" not in text]
    assert set(missing) <= hidden
    assert measure.__doc__
