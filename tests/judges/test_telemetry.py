"""The judges' libraries report nothing to their makers, and the program around keeps its environment."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.judges import load_onnxruntime
from tiny_models import make_model
from watched import environment

ROOT = Path(__file__).parents[2]
ANSWER = "Rain fell on the town for nine days [notes.txt:0-36]. It was sunny on the hill [notes.txt:0-36]."


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "notes.txt").write_text("Rain fell on the town for nine days.", encoding="utf-8")
    (tmp_path / "answer.md").write_text(ANSWER, encoding="utf-8")
    return tmp_path / "home"


@pytest.mark.parametrize("judge", ["entailment", "nli:model"])
def test_a_check_leaves_an_empty_home_empty(judge: str, home: Path) -> None:
    make_model(home.parent / "model")
    arguments = ["check", "answer.md", "--sources", "notes.txt", "--judge", judge]
    done = subprocess.run(
        [sys.executable, "-m", "pincite", *arguments],
        cwd=home.parent,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert "2 targets" in done.stdout, done.stderr
    assert sorted(home.rglob("*")) == []


def test_a_program_that_uses_onnxruntime_itself_keeps_its_environment_and_an_empty_home(home: Path) -> None:
    program = (
        "import os, sys\n"
        "before = dict(os.environ)\n"
        "import pincite\n"
        "report = pincite.check(sys.argv[1], {'notes.txt': 'Rain fell on the town for nine days.'})\n"
        "assert report.summary.targets == 2\n"
        "assert dict(os.environ) == before\n"
        "import onnxruntime\n"
        "assert onnxruntime.get_available_providers()\n"
        "assert 'ORT_DISABLE_TELEMETRY' not in os.environ\n"
    )
    subprocess.run(
        [sys.executable, "-c", program, ANSWER],
        cwd=home.parent,
        env=environment(home),
        check=True,
        timeout=100,
    )
    assert sorted(home.rglob("*")) == []


@pytest.mark.parametrize(
    ("before", "inside"), [(None, "1"), ("", "1"), ("0", "0"), ("1", "1"), ("true", "true")]
)
def test_a_value_that_somebody_has_set_stays_and_no_other_is_left_behind(
    before: str | None, inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "ORT_DISABLE_TELEMETRY"
    monkeypatch.delenv(name, raising=False)
    if before is not None:
        monkeypatch.setenv(name, before)
    # A library of this name, which notes what it is loaded with.
    (tmp_path / "onnxruntime.py").write_text(f"import os\nseen = os.environ[{name!r}]\n")
    (tmp_path / "onnxruntime_fails.py").write_text("raise ImportError('no such library')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)  # put back at the end of the test
    del sys.modules["onnxruntime"]
    assert load_onnxruntime().seen == inside
    assert os.environ.get(name) == before
    del sys.modules["onnxruntime"]
    with pytest.raises(ImportError):
        load_onnxruntime("onnxruntime_fails")
    assert os.environ.get(name) == before


def test_onnxruntime_is_loaded_in_one_place() -> None:
    """An import anywhere else could come first, and then the telemetry is on for the whole process."""
    rooms = ("src", "training", "bench", "tests", "examples")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    naming = {path: text for path, text in texts.items() if "onnxruntime" in text}
    assert ROOT / "src" / "pincite" / "judges" / "onnx.py" in naming
    assert [str(path.relative_to(ROOT)) for path in naming if _imports(naming[path], "onnxruntime")] == []


def _imports(code: str, library: str) -> bool:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            named = [node.module or ""]
        else:
            continue
        if any(name.partition(".")[0] == library for name in named):
            return True
    return False
