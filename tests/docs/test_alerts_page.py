"""Every command of docs/alerts.md prints what the page says, and what it says about messages is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from console_examples import read_page, run_examples, timeless, write_files

from pincite.config import settings_from
from pincite.records import Alert, Run
from pincite.runs import message

PAGE = (Path(__file__).parents[2] / "docs" / "alerts.md").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_every_command_prints_what_the_page_says(tmp_path: Path) -> None:
    page = read_page(PAGE)
    write_files(page, tmp_path)
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert timeless(real.printed) == timeless(expected.printed), expected.command


def test_the_settings_of_the_page_load() -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)
    assert settings_from(tomllib.loads(block)).alerts.webhook == "https://hooks.example.org/T0001"


def test_what_is_sent_has_the_fields_that_the_page_names() -> None:
    alert = Alert(kind="drift", metric="hit@1", value=0.5, message="lower")
    sent = message(Run(run_id="r", alerts=(alert,)))
    told = PAGE[PAGE.index("The message has") : PAGE.index("Nothing is sent")]
    assert set(re.findall(r"`(\w+)`", told)) == (set(sent) | set(sent["alerts"][0])) - {"schema_version"}


def test_the_kinds_are_all_tabled() -> None:
    kinds = get_args(get_type_hints(Alert)["kind"])
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M)) == set(kinds)
