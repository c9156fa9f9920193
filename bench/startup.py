"""Starting up: `import pincite` and a whole `pincite check`, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench._prose import Prose
from bench.figures import Figure

ROUNDS = 30
CHECK_ROUNDS = 12
WORDS = 500
CITATIONS = 12


def run(data: Path | None) -> Iterator[Figure]:
    """The least of many runs, taken in turns, so that a disturbance hits all of them alike."""
    bare, imported = _least([("-c", "pass"), ("-c", "import pincite")], ROUNDS)
    yield Figure("bare python -c pass", bare * 1e3, " ms")
    yield Figure("import pincite", imported * 1e3, " ms")
    yield Figure("import pincite ÷ bare python", imported / bare, "x", 3.0, at_most=True)
    with tempfile.TemporaryDirectory() as folder:
        answer, words = write_one_page(Path(folder))
        command = ("-m", "pincite", "check", str(answer), "--sources", str(answer.parent / "docs"))
        rules, usual = _least([(*command, "--judge", "rules"), command], CHECK_ROUNDS)
        note = f"{words} words, {CITATIONS} citations, three text sources; the whole process"
        yield Figure("pincite check --judge rules, one page", rules, " s", 0.5, at_most=True, note=note)
        yield Figure("pincite check, one page", usual, " s", 2.0, at_most=True, note="the built-in judge")


def write_one_page(folder: Path) -> tuple[Path, int]:
    """An answer of a page with its three sources; every second sentence is cited, some of them wrongly."""
    docs = folder / "docs"
    docs.mkdir()
    sources = {}
    prose = Prose(seed=7, vocabulary=800)
    said = [prose.sentence() for _ in range(60)]
    for number, others in enumerate((said, said[20:], [prose.sentence() for _ in range(60)])):
        sources[f"report-{number}.txt"] = " ".join(others)
        (docs / f"report-{number}.txt").write_text(sources[f"report-{number}.txt"], encoding="utf-8")
    place = 0
    lines: list[str] = []
    cited = words = 0
    for index, sentence in enumerate(said):
        start = sources["report-0.txt"].index(sentence, place)
        place = start + len(sentence)
        marker = ""
        if index % 2 == 0 and cited < CITATIONS:
            name = "report-0.txt" if cited % 4 else "report-1.txt"
            marker = f" [{name}:{start}-{place}]"
            cited += 1
        lines.append(sentence[:-1] + marker + sentence[-1])
        words += len(sentence.split())
        if words >= WORDS:
            break
    paragraphs = ["\n".join(lines[at : at + 6]) for at in range(0, len(lines), 6)]
    answer = folder / "answer.md"
    answer.write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
    return answer, words


def _least(commands: Sequence[Sequence[str]], rounds: int) -> list[float]:
    # An installed package has its byte code beside it; the first round writes it where that is not so.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    best = [float("inf")] * len(commands)
    for _ in range(rounds):
        for index, command in enumerate(commands):
            start = time.perf_counter()
            subprocess.run([sys.executable, *command], capture_output=True, check=False, env=environment)
            best[index] = min(best[index], time.perf_counter() - start)
    return best
