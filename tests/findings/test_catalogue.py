"""Every code is explained, and every explanation's example is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincite import check
from pincite.errors import InputError
from pincite.findings import RULES, explain

_FILE = re.compile(r"^`([^`\n]+)`\n```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def write_example(code: str, folder: Path) -> tuple[Path, Path]:
    """The answer and the sources of a code's example, as files."""
    sources = folder / "sources"
    for name, text in _FILE.findall(RULES[code].explanation):
        path = folder / name if name == "answer.md" else sources / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("␌", "\f"), encoding="utf-8")
    return folder / "answer.md", sources


@pytest.mark.parametrize("code", RULES)
def test_the_example_of_a_code_gives_that_code_and_no_other_error(code: str, tmp_path: Path) -> None:
    answer, sources = write_example(code, tmp_path)
    report = check(answer, sources)
    codes = [finding.code for finding in report.findings]
    assert code in codes, report.findings
    assert [other for other in codes if other != code] == []


@pytest.mark.parametrize("code", RULES)
def test_a_finding_has_the_severity_of_its_code(code: str, tmp_path: Path) -> None:
    answer, sources = write_example(code, tmp_path)
    for finding in check(answer, sources).findings:
        likely = finding.message.startswith("probably ")
        assert finding.severity == ("warning" if likely else RULES[finding.code].severity)


def test_severities_are_as_documented() -> None:
    by_severity = {severity: [] for severity in ("error", "warning", "note")}  # type: ignore[var-annotated]
    for rule in RULES.values():
        by_severity[rule.severity].append(rule.code)
    assert by_severity["warning"] == ["PIN301", "PIN401", "PIN402"]
    assert by_severity["note"] == ["PIN110", "PIN111", "PIN206", "PIN302"]
    assert len(by_severity["error"]) == 14


@pytest.mark.parametrize("spelling", ["PIN203", "pin203", "203", "number-differs", " PIN203 "])
def test_a_code_is_explained_by_any_of_its_spellings(spelling: str) -> None:
    assert explain(spelling).code == "PIN203"


def test_an_unknown_code_says_where_to_look() -> None:
    with pytest.raises(InputError, match="pincite explain"):
        explain("PIN999")
