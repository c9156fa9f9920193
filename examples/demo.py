"""Check a shipped answer with planted faults against a shipped PDF, texts and data.

Prints what `pincite check` prints, then says whether each planted fault was found and nothing beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pincite import check
from pincite.cli import main as pincite

HERE = Path(__file__).parent / "demo"
PLANTED = {
    ("PIN203", 3): "12% where the report says 21%",
    ("PIN104", 3): "the profit cited on page 2, where page 1 has it",
    ("PIN204", 5): "a quote that the chair did not write",
    ("PIN205", 5): "the dividend cited from the wrong sentence",
    ("PIN202", 7): "accepted where the minutes say rejected",
    ("PIN101", 9): "a document that does not exist",
    ("PIN103", 10): "page 9 of a report with three pages",
    ("PIN107", 13): "a path that the data does not have",
    ("PIN108", 13): "[3] in an answer with two references",
    ("PIN302", 15): "an uncited claim that the warranty supports",
    ("PIN301", 15): "an uncited claim that nothing supports",
}


def main() -> int:
    answer, sources = HERE / "answer.md", HERE / "sources"
    shown = answer.relative_to(Path.cwd()) if answer.is_relative_to(Path.cwd()) else answer
    print(f"$ pincite check {shown} --sources {shown.parent / 'sources'}\n", flush=True)
    pincite(["check", str(shown), "--sources", str(shown.parent / "sources")])
    found = {(finding.code, finding.line) for finding in check(answer, sources).findings}
    missing = [f"{code} in line {line}: {PLANTED[code, line]}" for code, line in PLANTED.keys() - found]
    false = [f"{code} in line {line}" for code, line in found - PLANTED.keys()]
    for problem in [f"not found: {fault}" for fault in missing] + [f"false: {fault}" for fault in false]:
        print(problem)
    if not missing and not false:
        print(f"\nAll {len(PLANTED)} planted faults were found, and nothing beside them.")
    return 1 if missing or false else 0


if __name__ == "__main__":
    sys.exit(main())
