"""Every example in docs/providers.md runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pincite.citations import PROVIDERS, read_response

PAGE = (Path(__file__).parents[3] / "docs" / "providers.md").read_text(encoding="utf-8")
SHAPES = [
    (section.split("\n", 1)[0], block)
    for section in PAGE.split("\n### ")[1:]
    for block in re.findall(r"```json\n(.*?)```", section, re.DOTALL)
]


def test_the_python_examples_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for block in blocks:
        names: dict[str, Any] = {}
        exec(compile(block, "providers.md", "exec"), names)


def test_every_provider_has_an_example() -> None:
    assert {name for name, _ in SHAPES} == set(PROVIDERS) - {"openai"}


@pytest.mark.parametrize(("provider", "text"), SHAPES)
def test_each_example_is_told_apart_and_clean(provider: str, text: str) -> None:
    answer = read_response(json.loads(text))
    assert answer.provider == provider
    assert answer.citations
    assert all(citation.targets and citation.problem is None for citation in answer.citations)
