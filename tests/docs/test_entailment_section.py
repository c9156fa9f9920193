"""What the page on judges says about entailment models is so."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.errors import JudgeError
from pincite.judges import open_judge
from tiny_models import make_model

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs" / "nli-judges.md").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_commands_of_the_section_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "judges"))
    make_model(tmp_path / "models" / "deberta")
    make_model(tmp_path / "models" / "deberta", file="onnx/model_quantized.onnx")
    make_model(
        tmp_path / "models" / "minicheck",
        ["unsupported", "supported"],
        id2label={"0": "LABEL_0", "1": "LABEL_1"},
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "report.txt").write_text("The council of the old city opened the bridge in 1990.")
    (tmp_path / "answer.md").write_text("The council opened the bridge [report.txt:0-54].")
    (tmp_path / "pincite.toml").write_text("")
    blocks = re.findall(r"^```sh\n(.*?)^```$", SECTION, re.M | re.S)
    commands = [line for block in blocks for line in block.splitlines() if line.startswith("pincite check")]
    offline = [command for command in commands if "--online" not in command]
    assert len(offline) >= 3
    for command in offline:
        parts = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(parts, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert "nothing wrong" in done.stdout


def test_every_label_that_the_section_names_is_understood(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    paragraph = SECTION.partition("never guessed.**")[2].partition("\n\n")[0]
    named = set(re.findall(r"`([A-Za-z_ ]+)`", paragraph)) - {"in the name"}
    assert len(named) >= 10
    for label in named:
        alone = label.lower().startswith(("entail", "support"))
        labels = label if alone else f"{label}/entailment"
        with pytest.raises(JudgeError, match="gives 3 outputs per pair, but the labels are for"):
            open_judge(f"nli:{folder}?labels={labels}")
    with pytest.raises(JudgeError, match="not understood"):
        open_judge(f"nli:{folder}?labels=LABEL_0")


def test_the_section_names_every_key() -> None:
    with pytest.raises(JudgeError) as raised:
        open_judge("nli:x?colour=red")
    keys = re.findall(r"(\w+)=", str(raised.value).partition("use ")[2])
    assert len(keys) == 4
    for key in keys:
        assert f"| `{key}` |" in SECTION


def test_the_section_names_the_files_in_the_order_in_which_they_are_taken(tmp_path: Path) -> None:
    (row,) = [line for line in SECTION.splitlines() if line.startswith("| `model.onnx`")]
    names = [f"{name}.onnx" for name in ("model", *re.findall(r"`(model_\w+)`", row))]
    assert len(names) == 8
    folder = make_model(tmp_path, file=names[-1])
    for name in reversed(names[:-1]):
        (folder / name).write_bytes(b"not a model")
        with pytest.raises(JudgeError, match=f"{name}: onnxruntime cannot load it"):
            open_judge(f"nli:{folder}")
