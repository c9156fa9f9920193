"""Every example in docs/reference/citation-grammar.md is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincite.citations import parse, render

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "citation-grammar.md"
OVERVIEW = PAGE.parents[1] / "citation-formats.md"


def examples() -> list[tuple[str, str]]:
    fences = re.findall(r"```citations\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    lines = [line for fence in fences for line in fence.splitlines()]
    pairs = [line.split("  =>  ") for line in lines]
    return [(text.replace("⏎", "\n"), expected) for text, expected in pairs]


def described(text: str) -> str:
    parsed = parse(text)
    if parsed.malformed:
        assert not parsed.citations
        return " ".join(filter(None, ["malformed", parsed.malformed[0].replacement]))
    found = [f"{c.family} {', '.join(t.key for t in c.targets)}" for c in parsed.citations]
    return "; ".join(found) or "none"


@pytest.mark.parametrize(("text", "expected"), examples(), ids=[text for text, _ in examples()])
def test_example_is_read_as_the_page_says(text: str, expected: str) -> None:
    assert described(text) == expected
    for citation in parse(text).citations:
        assert render(citation) == citation.text


def test_the_page_has_examples_of_every_family() -> None:
    families = {expected.split()[0] for _, expected in examples()}
    assert {"span", "number", "web", "author_year", "json_path", "none", "malformed"} <= families


def test_the_python_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    exec(compile(example, "citation-grammar.md", "exec"), {})


def test_the_markers_of_the_overview_are_read_as_markers() -> None:
    rows = re.findall(r"^\| [^|]+ \| (.+) \| [^|]+ \|$", OVERVIEW.read_text("utf-8"), re.M)
    markers = [one.replace("\\|", "|") for row in rows for one in re.findall(r"`(\[[^`…]+\])`", row)]
    assert len(markers) > 15
    for marker in markers:
        assert [one.text for one in parse(f"It rose {marker}.").citations] == [marker]
