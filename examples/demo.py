"""Both jobs on shipped data: check an answer with planted faults, and compare two systems on a dataset.

Prints the findings and a small table, and writes both as pages. Ends with 1 unless each planted fault was
found, nothing beside it, and the better system was called better.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pincite
from pincite.cli import main as run_command

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
PAGES = Path("build")
METRICS = ("hit@1", "span_f1", "citation_correctness", "citation_completeness")


def main() -> int:
    PAGES.mkdir(exist_ok=True)
    problems = [*check_an_answer(), *compare_two_systems()]
    for problem in problems:
        print(problem)
    print(f"As pages: {PAGES / 'answer.html'} and {PAGES / 'comparison.html'}")
    return 1 if problems else 0


def check_an_answer() -> list[str]:
    """The first job; what the findings got wrong."""
    answer, sources = HERE / "answer.md", HERE / "sources"
    shown = answer.relative_to(Path.cwd()) if answer.is_relative_to(Path.cwd()) else answer
    command = ("check", str(shown), "--sources", str(shown.parent / "sources"))
    print(f"$ pincite {' '.join(command)} --output-format concise\n", flush=True)
    run_command([*command, "--output-format", "concise"])
    run_command([*command, "--output-format", "html", "--output", str(PAGES / "answer.html"), "--quiet"])
    found = {(finding.code, finding.line) for finding in pincite.check(answer, sources).findings}
    wrong = [
        f"not found: {code} in line {line}: {PLANTED[code, line]}" for code, line in PLANTED.keys() - found
    ]
    wrong += [f"false: {code} in line {line}" for code, line in found - PLANTED.keys()]
    if not wrong:
        print(f"\nAll {len(PLANTED)} planted faults were found, and nothing beside them.\n", flush=True)
    return wrong


def compare_two_systems() -> list[str]:
    """The second job: two systems that differ in how well they cite; what the comparison got wrong."""
    with TemporaryDirectory() as folder, pincite.open_store(Path(folder) / "runs.sqlite") as store:
        a, b = (
            pincite.evaluate("sample", answers=f"sample:{name}", name=name, metrics=METRICS, store=store)
            for name in ("a", "b")
        )
        compared = pincite.compare(a, b)
        page = ("--store", f"{folder}/runs.sqlite", "--output-format", "html")
        run_command(["runs", "compare", "a", "b", *page, "--output", str(PAGES / "comparison.html")])
    print(f"Two systems, {compared.n_paired} questions, the recorded answers `sample:a` and `sample:b`:\n")
    print(f"{'':<22}  {'a':>5}  {'b':>5}  {'b − a':>6}  95% interval")
    for one in compared.metrics:
        low, high = one.confidence_interval or (float("nan"), float("nan"))
        figures = f"{one.a:5.3f}  {one.b:5.3f}  {one.difference:+6.3f}  [{low:+.3f}, {high:+.3f}]"
        print(f"{one.name:<22}  {figures}  {one.outcome}")
    print(flush=True)
    outcomes = {one.name: one.outcome for one in compared.metrics}
    expected = dict.fromkeys(METRICS[:3], "better")
    return [f"{name} should be {said}" for name, said in expected.items() if outcomes[name] != said]


if __name__ == "__main__":
    sys.exit(main())
