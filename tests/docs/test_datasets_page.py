"""The pages on datasets: commands print what they say, files are valid, and every code is listed."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import pytest
from console_examples import read_page, run_examples, write_files

from pincite.config import AgreementSettings
from pincite.datasets import QUALITY_CODES, validate_value

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("datasets", "dataset-quality", "agreement")
PAGES = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in NAMES}


@pytest.mark.thorough
@pytest.mark.parametrize("name", PAGES)
def test_every_command_prints_what_the_page_says(name: str, tmp_path: Path) -> None:
    page = read_page(PAGES[name])
    write_files(page, tmp_path)
    assert page.examples
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert real.printed.strip("\n") == expected.printed.strip("\n"), expected.command


def test_every_quality_code_is_listed_as_it_is() -> None:
    listed = re.findall(r"^\| `(DQ\d+)` \| (\S+) \| (\w+) \| (.+) \|$", PAGES["dataset-quality"], re.M)
    assert listed == [(one.code, one.name, one.severity, one.summary) for one in QUALITY_CODES.values()]


def test_the_dataset_of_the_page_is_valid() -> None:
    files = read_page(PAGES["datasets"]).files
    assert list(validate_value(json.loads(files["tower_1.0.0.eval.json"]), "dataset")) == []


def test_the_settings_of_the_page_have_these_defaults() -> None:
    listed = dict(re.findall(r"`agreement\.(\w+)` \(([\d.]+)\)", " ".join(PAGES["agreement"].split())))
    usual = AgreementSettings()
    assert {name: float(value) for name, value in listed.items()} == {
        name: float(getattr(usual, name)) for name in usual.__struct_fields__
    }


def test_the_python_of_the_page_prints_what_it_says() -> None:
    for code in re.findall(r"^```python\n(.*?)^```$", PAGES["dataset-quality"], re.M | re.S):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, {})
        assert printed.getvalue().splitlines() == re.findall(r"^# (.*)$", code, re.M)
