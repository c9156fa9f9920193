"""What docs/judge-trust.md says is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console_examples import read_page, run_examples, write_files

PAGE = Path(__file__).parents[2] / "docs" / "judge-trust.md"


def section() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_commands_print_what_the_section_says(tmp_path: Path) -> None:
    page = read_page(section())
    write_files(page, tmp_path)
    assert len(page.examples) >= 3
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert real.printed.strip("\n") == expected.printed.strip("\n"), expected.command
    assert (tmp_path / "curve.svg").exists()


def test_the_python_prints_what_the_section_says(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", section(), re.M | re.S)
    exec(code, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)$", code, re.M)
