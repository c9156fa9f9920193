"""Every command and the code of the pages on measuring a system print what the pages say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console_examples import read_page, run_examples, timeless, write_files

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "evaluation.md").read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["evaluation.md", "systems.md"])
def test_every_command_prints_what_the_page_says(name: str, tmp_path: Path) -> None:
    page = read_page((DOCS / name).read_text(encoding="utf-8"))
    write_files(page, tmp_path)
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert timeless(real.printed) == timeless(expected.printed), expected.command


def test_the_python_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```python\n(import pincite\n.*?)^```$", PAGE, re.M | re.S)
    assert len(examples) == 3
    for code in examples:
        exec(code, {})
        assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)$", code, re.M)
