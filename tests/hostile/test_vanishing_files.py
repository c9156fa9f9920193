"""Files that are removed, emptied or replaced while a command reads them: an error by name, never a bug."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite.cli import main
from pincite.datasets import open_dataset, sample_path
from pincite.errors import InputError

ANSWER = "Revenue grew by 12% [r.txt:0-20].\n"


class Saboteur:
    """Does something to a file just before it is opened for the nth time, as another program might."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self._left = 0
        self._act: Callable[[Path], None] = Path.unlink
        self.struck = False

    def watch(self, path: Path, number: int, act: Callable[[Path], None]) -> None:
        self.path, self._left, self._act, self.struck = path, number, act, False

    def hear(self, event: str, given: tuple[Any, ...]) -> None:
        if self.path is None or event != "open" or not isinstance(given[0], str | os.PathLike):
            return
        if Path(given[0]).absolute() != self.path:
            return
        self._left -= 1
        if self._left == 0:
            path, self.path, self.struck = self.path, None, True
            self._act(path)


SABOTEUR = Saboteur()
sys.addaudithook(SABOTEUR.hear)  # there is no way to remove one; without a path it hears nothing


@pytest.fixture
def saboteur() -> Any:
    yield SABOTEUR
    SABOTEUR.path = None


def empty(path: Path) -> None:
    os.truncate(path, 0)


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


COMMANDS = [
    ("check", "WATCHED.md", "-s", "docs"),
    ("check", "WATCHED.md", "-s", "docs", "--fix"),
    ("check", "WATCHED.jsonl", "-s", "docs"),
    ("check", "a.md", "-s", "docs/WATCHED.txt"),
    ("check", "a.md", "-s", "docs/WATCHED.json"),
    ("check", "a.md", "-s", "docs/WATCHED.csv"),
    ("check", "a.md", "-s", "docs/WATCHED.docx"),
    ("check", "a.md", "-s", "docs/WATCHED.html"),
    ("check", "a.md", "-s", "docs", "--config", "WATCHED.toml"),
    ("check", "a.md", "-s", "docs", "--baseline", "WATCHED.json"),
    ("data", "check", "WATCHED.eval.json"),
    ("data", "convert", "WATCHED.eval.json", "out.eval.yaml"),
    ("eval", "WATCHED.eval.json", "--answers", "sample:b", "-m", "hit@1", "--store", "none"),
    ("eval", "sample", "--answers", "WATCHED.jsonl", "-m", "hit@1", "--store", "none"),
    ("eval", "--traces", "WATCHED.jsonl", "--store", "none"),
    ("judge", "score", "WATCHED.jsonl"),
    ("verify", "WATCHED.json", "-s", "docs"),
    ("bibliography", "WATCHED.bib"),
    ("trust", "WATCHED.toml"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "r.txt").write_text("Revenue grew by 21%.\n")
    (tmp_path / "a.md").write_text(ANSWER)
    return tmp_path


def content(name: str) -> bytes:
    """Something that the command would accept."""
    if name.endswith(".eval.json"):
        return sample_path().read_bytes()
    return {
        ".md": ANSWER,
        ".jsonl": json.dumps(
            {"query_id": "q", "id": "q", "answer": ANSWER, "claim": "It grew.", "evidence": "It grew."}
        ),
        ".json": json.dumps({"fingerprints": {}, "answer": "x", "title": "Revenue grew by 21%."}),
        ".toml": "fail_under = 0.1\nonline = true\n",
        ".bib": "@book{a, title = {Harbours}}",
        ".csv": "a,b\n1,2\n",
        ".html": "<p>Revenue grew by 21%.</p>",
    }.get(Path(name).suffix, "Revenue grew by 21%.\n").encode()


@pytest.mark.parametrize(
    "act", [Path.unlink, empty, halve, make_folder, make_loop], ids=lambda act: act.__name__
)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_file_that_changes_under_the_reader_is_an_error_or_what_is_left_of_it(
    folder: Path,
    saboteur: Saboteur,
    command: Sequence[str],
    act: Callable[[Path], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = next(word for word in command if "WATCHED" in word)
    path = folder / name
    for number in range(1, 20):
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
        path.write_bytes(content(name))
        saboteur.watch(path, number, act)
        code = main(command)
        _, err = capsys.readouterr()
        assert code in (0, 1, 2), (number, err)
        assert "Traceback" not in err and "bug in Pincite" not in err, (number, err)
        if not saboteur.struck:
            assert number > 1, "it was never opened"
            return
    pytest.fail("the file is opened again and again")


@pytest.mark.parametrize("act", [empty, halve])
def test_a_large_dataset_that_shrinks_while_it_is_read_is_an_error(
    tmp_path: Path, act: Callable[[Path], None]
) -> None:
    path = tmp_path / "x.eval.json"
    queries = [{"query_id": f"q{number}", "query_text": "Why? " * 2000} for number in range(1700)]
    path.write_text(json.dumps({"dataset_id": "d", "name": "d", "version": "1.0.0", "queries": queries}))
    with open_dataset(path) as dataset:
        assert dataset.streamed
        reading = dataset.queries()
        assert next(reading).query_id == "q0"
        act(path)
        with pytest.raises(InputError, match=r"x\.eval\.json"):
            list(reading)
