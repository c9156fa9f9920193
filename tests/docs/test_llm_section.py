"""What docs/llm-judges.md says about language models is true, and its examples print what it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from pincite.config import LlmSettings
from pincite.judges import split_pairs, write_batch
from pincite.records import Pair, Passage

PAGE = Path(__file__).parents[2] / "docs" / "llm-judges.md"
SECTION = PAGE.read_text(encoding="utf-8")


def test_every_example_prints_what_the_page_says():
    names: dict[str, object] = {}
    examples = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE)
    assert len(examples) == 2
    for code, expected in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(PAGE), "exec"), names)
        assert printed.getvalue() == expected


def test_the_table_names_every_prompt_with_its_version_and_outcomes():
    rows = re.findall(r"^\| `(\w+)/(\d+)` \|.*\| ([\w, ]+) \|$", SECTION, re.MULTILINE)
    assert [row[0] for row in rows] == ["support", "consistency", "grounding", "relevance"]
    for question, version, outcomes in rows:
        batch = write_batch(question, [Pair("A.", (Passage("T."),))])
        assert (batch.prompt.name, batch.outcomes) == (f"{question}/{version}", tuple(outcomes.split(", ")))


def test_the_limits_are_those_of_the_code():
    (most, *_) = split_pairs("support", [Pair(str(n), (Passage("T."),)) for n in range(200)], 48_000)
    assert f"at most {len(most)} of them and `llm.max_prompt_chars` characters" in SECTION
    settings = set(LlmSettings.__struct_fields__)
    assert set(re.findall(r"`llm\.(\w+)`", SECTION)) <= settings
