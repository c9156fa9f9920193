"""Answers of megabytes, sources of fifty: checked in proportionate steps, with progress, ended by Ctrl-C."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from limited import PLENTY, run_limited

import pincite
from pincite.config import Settings
from pincite.findings import check_answer
from pincite.judges import open_judge
from pincite.records import Answer

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(1800)]  # against a hang alone

MEGABYTE = 1_000_000
SOURCE = "A cubic metre of water costs 2.50 euros in the town. " * 200
CITED = "The fox jumped over {0} dogs and the price rose by {0} percent [a.txt:0-52]. "
UNCITED = "The fox jumped over {0} dogs and the price rose by {0} percent in the town. "
MIXED = 'Water costs {0} euros [a.txt:0-52]. It says "a cubic metre in town {0}" [a.txt:9]. So say {0}.\n'


def repeated(unit: str, size: int) -> str:
    """The unit with a number of its own each time, so that nothing can be remembered."""
    return "".join(unit.format(number) for number in range(size // len(unit)))


def calls(work: Callable[[], object]) -> int:
    """How many functions a piece of work enters and leaves, those of libraries too."""
    count = itertools.count()
    sys.setprofile(lambda *event: next(count))
    try:
        work()
    finally:
        sys.setprofile(None)
    return next(count)


@pytest.mark.parametrize("unit", [CITED, UNCITED, MIXED], ids=["cited", "uncited", "mixed"])
@pytest.mark.parametrize(("judge", "size"), [("entailment", 20_000), ("rules", 100_000)])
def test_an_answer_twice_as_long_takes_at_most_twice_the_steps(judge: str, size: int, unit: str) -> None:
    library = pincite.open_sources({"a.txt": SOURCE})
    settings = Settings(judge=judge)

    def check(size: int) -> None:
        # One process: what others do would not be counted.
        answer = Answer(repeated(unit, size))
        asyncio.run(check_answer(answer, library, open_judge(judge, settings), settings))

    check(1_000)  # what is loaded at the first use is not counted
    once, twice = (calls(lambda size=size: check(size)) for size in (size, 2 * size))
    assert twice <= 2.3 * once


SOURCES = {
    "line.txt": "A cubic metre of water costs {0} euros in the town number {0}. ",
    "page.html": "<p>A cubic metre of <b>water</b> costs {0} euros in <i>the town</i> number {0}.</p>\n",
    "words.txt": "a{0} ",
    "tags.html": "<div>{0}",
}
ANSWER = (
    'Water costs 777 euros in town 777 [{0}]. It is "costs 900 euros in the tower number" [{0}:100-200]. '
    "The fox jumps over the dog [{0}:3000-3100]."
)


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_twice_as_long_takes_at_most_twice_the_steps(name: str, tmp_path: Path) -> None:
    def check(size: int) -> None:
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / name).write_text(repeated(SOURCES[name], size))
        pincite.check(ANSWER.format(name), folder, settings=Settings(judge="rules"))

    check(1_000)
    once, twice = (calls(lambda size=size: check(size)) for size in (MEGABYTE, 2 * MEGABYTE))
    assert twice <= 2.3 * once


@pytest.mark.parametrize("name", ["line.txt", "page.html"])
def test_a_source_of_fifty_megabytes_is_checked(name: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / name).write_text(repeated(SOURCES[name], 50 * MEGABYTE))
    (tmp_path / "answer.md").write_text(ANSWER.format(name))
    given = ("check", "answer.md", "--sources", "docs", "--judge", "entailment", "-f", "json", "-o", "out")
    code, _, peak = run_limited(*given, cwd=tmp_path, space=PLENTY)
    assert code == 1
    report = json.loads((tmp_path / "out").read_text())
    assert {"PIN201", "PIN203", "PIN204"} <= {finding["code"] for finding in report["findings"]}
    assert peak < 1_200_000


def test_tags_that_would_take_too_much_memory_are_named(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.html").write_text("<table><tr><td>" * (50 * MEGABYTE // 15))
    (tmp_path / "answer.md").write_text(ANSWER.format("page.html"))
    given = ("check", "answer.md", "--sources", "docs", "--judge", "rules")
    code, said, peak = run_limited(*given, cwd=tmp_path, space=PLENTY)
    assert code == 1
    assert "could not read page.html: reading it takes more than 1,024 MB of memory" in said
    assert peak < 1_400_000


ON_A_TERMINAL = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # as in a shell: Ctrl-C is a character that is typed
from pincite.cli import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of POSIX")
def test_a_long_check_says_how_long_it_takes_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text(SOURCE)
    (tmp_path / "answer.md").write_text(repeated(CITED, 20 * MEGABYTE))
    given = ("check", "answer.md", "--sources", "docs", "--judge", "entailment", "-f", "json", "-o", "out")
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", ON_A_TERMINAL, *given],
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    said = b""
    while b"judging: " not in said or b" left" not in said:
        select.select([ours], [], [])
        said += os.read(ours, 4096)
    os.write(ours, b"\x03")
    try:
        while piece := os.read(ours, 4096):
            said += piece
    except OSError:  # so the end of a terminal is told
        pass
    os.close(ours)
    assert process.wait() == 130
    assert b"Traceback" not in said
    assert not (tmp_path / "out").exists()
