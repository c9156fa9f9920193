"""Both jobs on shipped data: check an answer with planted faults, and compare two systems on a dataset.

Prints what the commands print, and writes both as pages. Ends with 1 unless each planted fault was found,
nothing beside it, and the better system was called better.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite import check, compare, open_store
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
PAGES = Path("build")
METRICS = ("hit@1", "span_f1", "citation_correctness", "citation_completeness")


def main() -> int:
    PAGES.mkdir(exist_ok=True)
    problems = [*check_an_answer(), *compare_two_systems()]
    for problem in problems:
        print(problem)
    print(f"The same as pages: {PAGES / 'answer.html'} and {PAGES / 'comparison.html'}")
    return 1 if problems else 0


def check_an_answer() -> list[str]:
    """The first job; what the findings got wrong."""
    answer, sources = HERE / "answer.md", HERE / "sources"
    shown = answer.relative_to(Path.cwd()) if answer.is_relative_to(Path.cwd()) else answer
    command = ("check", str(shown), "--sources", str(shown.parent / "sources"))
    run(*command)
    run(*command, "--output-format", "html", "--output", str(PAGES / "answer.html"))
    found = {(finding.code, finding.line) for finding in check(answer, sources).findings}
    wrong = [
        f"not found: {code} in line {line}: {PLANTED[code, line]}" for code, line in PLANTED.keys() - found
    ]
    wrong += [f"false: {code} in line {line}" for code, line in found - PLANTED.keys()]
    if not wrong:
        print(f"\nAll {len(PLANTED)} planted faults were found, and nothing beside them.\n", flush=True)
    return wrong


def compare_two_systems() -> list[str]:
    """The second job: two systems that differ in how well they cite; what the comparison got wrong."""
    asked = [part for metric in METRICS for part in ("-m", metric)]
    with TemporaryDirectory() as folder:
        history = str(Path(folder) / "runs.sqlite")
        for system in ("a", "b"):
            run(
                "eval",
                "sample",
                "--answers",
                f"sample:{system}",
                "--name",
                system,
                *asked,
                "--store",
                history,
            )
        run("runs", "compare", "a", "b", "--store", history)
        page = ("--output-format", "html", "--output", str(PAGES / "comparison.html"))
        run("runs", "compare", "a", "b", "--store", history, *page)
        with open_store(history) as store:
            compared = compare(store.find("a"), store.find("b"))
            outcomes = {one.name: one.outcome for one in compared.metrics}
    expected = dict.fromkeys(METRICS[:3], "better")
    return [f"{name} should be {said}" for name, said in expected.items() if outcomes[name] != said]


def run(*arguments: str) -> None:
    print(f"$ pincite {' '.join(arguments)}\n", flush=True)
    pincite(arguments)
    print(flush=True)


if __name__ == "__main__":
    sys.exit(main())
