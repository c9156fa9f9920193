"""The examples of docs/integrations/traces.md print what the page says, and its tables name what is true."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from console_examples import read_page, run_examples, timeless, write_files

PAGE = (Path(__file__).parents[2] / "docs" / "integrations" / "traces.md").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_every_command_prints_what_the_page_says(tmp_path: Path) -> None:
    page = read_page(PAGE)
    write_files(page, tmp_path)
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert timeless(real.printed) == timeless(expected.printed), expected.command
    assert (tmp_path / "scores.jsonl").read_bytes().count(b"\n") == 2


def test_the_python_prints_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(read_page(PAGE), tmp_path)
    monkeypatch.chdir(tmp_path)
    ((code, expected),) = re.findall(r"```python\n(.+?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == expected


def test_every_attribute_of_the_tables_is_one_that_is_read_or_written() -> None:
    import pincite

    folder = Path(pincite.__file__).parent
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in (
            *(folder / "answers").glob("trace_*.py"),
            folder / "runs/evaluation_events.py",
        )
    )
    names = set(
        re.findall(
            r"`((?:gen_ai|llm|langfuse|retrieval|reranker|input|output|session|pincite)\.[\w.]+)`", PAGE
        )
    )
    assert len(names) > 20
    for name in names - {"gen_ai.prompt.0.content", "pincite.query_id"}:
        assert f'"{name}"' in code, name
