"""The commands that empty pages offer can be run as they stand."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

import pincite
from pincite.cli import main

PAGES = Path(pincite.__file__).parent / "web" / "templates"
COMPLETE = sorted(
    {
        html.unescape(found)
        for path in PAGES.glob("*.html")
        for found in re.findall(r"<code>pincite (eval sample [^<]+)</code>", path.read_text("utf-8"))
    }
)


@pytest.mark.parametrize("command", COMPLETE)
def test_a_command_that_a_page_offers_can_be_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*command.split(), "--dry-run"]) == 0


def test_an_empty_history_offers_a_command() -> None:
    assert COMPLETE
