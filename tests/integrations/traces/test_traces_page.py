"""The example of docs/integrations/traces.md that needs an SDK."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pincite.datasets import open_traces

PAGE = (Path(__file__).parents[3] / "docs" / "integrations" / "traces.md").read_text(encoding="utf-8")


def test_spans_of_the_example_become_a_file_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "traces").mkdir()
    (code,) = (one for one in re.findall(r"```python\n(.+?)```", PAGE, re.S) if "FileSpanExporter" in one)
    names: dict[str, Any] = {}
    exec(code, names)
    with names["provider"].get_tracer("bot").start_as_current_span("ask") as span:
        span.set_attribute("input.value", "Why?")
        span.set_attribute("output.value", "Because [1].")
    names["provider"].shutdown()
    (record,) = open_traces(tmp_path / "traces").records
    assert (record["query"], record["generated_answer"]) == ("Why?", "Because [1].")
