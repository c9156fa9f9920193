"""What the pages on judges say about the cache and about panels is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincite.config import defaults

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"Cache": DOCS / "llm-judges.md", "Panel": DOCS / "judges.md"}


def section(title: str) -> str:
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGES[title].read_text("utf-8"), re.M | re.S)
    return str(found)


def test_the_panel_of_the_example_prints_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", section("Panel"), re.M | re.S)
    (printed,) = re.findall(r"^```text\n(.*?)^```$", section("Panel"), re.M | re.S)
    exec(code, {"__name__": "example"})
    assert capsys.readouterr().out == printed


def test_every_panel_is_tabled() -> None:
    tabled = re.findall(r"^\| `panel:([a-z]+):", section("Panel"), re.M)
    assert sorted(tabled) == ["cascade", "majority", "mean"]


@pytest.mark.parametrize("title", ["Cache", "Panel"])
def test_the_defaults_that_the_page_names_are_the_defaults(title: str) -> None:
    named = re.findall(r"`((?:cache|panel)\.[a-z_]+)` \(([0-9.]+)\)", section(title))
    assert len(named) == 2
    for name, value in named:
        assert defaults()[name] == float(value)
