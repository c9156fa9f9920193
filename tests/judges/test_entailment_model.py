"""The shipped model: whole, small, and saying the same of a pair whatever stands beside it."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from pincite.errors import JudgeError
from pincite.judges import FILES, WEIGHTS, EntailmentModel, Opinion, ReadText, choose_excerpt, cover

HERE = Path(__file__).parent
ROWS = [json.loads(line) for line in (HERE / "planted_set.jsonl").read_text("utf-8").splitlines()][::8]
ADVICE = r"pip install --force-reinstall pincite.*--judge rules"


@pytest.fixture(scope="module")
def model() -> EntailmentModel:
    return EntailmentModel()


def shown(model: EntailmentModel, claim: str, evidence: str) -> Any:
    asked, passages = ReadText(claim), [ReadText(evidence)]
    ranked = cover(asked, passages, [frozenset()]).sentences
    return choose_excerpt(asked, passages, [""], ranked, model.tokens)


def numbers(found: list[Opinion]) -> np.ndarray[Any, Any]:
    return np.array([(one.support, one.denial) for one in found])


# --- the same, in whatever company ----------------------------------------------------------------


def test_a_pair_alone_in_sixteen_and_in_another_order_gets_the_same_score(model: EntailmentModel) -> None:
    pairs = [shown(model, row["claim"], row["evidence"]) for row in ROWS[:16]]
    together = numbers(model.ask(pairs))
    alone = numbers([model.ask([pair])[0] for pair in pairs])
    order = random.Random(3).sample(range(len(pairs)), len(pairs))
    mixed = np.empty_like(together)
    mixed[order] = numbers(model.ask([pairs[place] for place in order]))
    assert np.abs(together - alone).max() < 1e-4
    assert np.abs(together - mixed).max() < 1e-4


def test_onnxruntime_computes_what_plain_arithmetic_does(model: EntailmentModel) -> None:
    """The oracle runs the same graph operator by operator in numpy: nothing optimised, nothing saturated."""
    pairs = [
        shown(model, "Rain fell for nine days.", "It rained for ten days."),
        shown(model, "The town flooded.", "No town was flooded."),
    ]
    ours = numbers(model.ask(pairs))
    plain = ReferenceEvaluator(onnx.load(WEIGHTS / "model.onnx"))
    oracle = EntailmentModel()
    oracle._session = plain
    assert np.abs(numbers(oracle.ask(pairs)) - ours).max() < 0.05


def test_the_same_claim_beside_the_same_evidence_is_read_once(model: EntailmentModel) -> None:
    pair = shown(model, "The harbour was dredged.", "The harbour was dredged in 1962.")
    other = shown(model, "The harbour was closed.", "The harbour was dredged in 1962.")
    runs = []
    real = model._session

    class Counting:
        def run(self, names: object, inputs: dict[str, Any]) -> Any:
            runs.append(inputs["ids"].shape)
            return real.run(names, inputs)

    model._session = Counting()
    try:
        opinions = model.ask([pair, other, pair, pair])
    finally:
        model._session = real
    assert len(runs) == 2
    assert opinions[0] == opinions[2] == opinions[3] != opinions[1]


def test_what_is_kept_is_bounded(model: EntailmentModel) -> None:
    for number in range(10_000):
        model.tokens(f"text number {number}")
    assert len(model._tokens) < 5_000


# --- the files ------------------------------------------------------------------------------------


def test_the_shipped_files_are_those_of_the_manifest_and_small() -> None:
    manifest = EntailmentModel().manifest
    assert set(manifest["sha256"]) == set(FILES)
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) <= 45_000_000


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the weights, to be damaged."""
    folder = tmp_path / "weights"
    shutil.copytree(WEIGHTS, folder)
    return folder


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_one_byte_changed_is_refused_by_name(name: str, broken: Path) -> None:
    content = bytearray((broken / name).read_bytes())
    content[len(content) // 2] ^= 1
    (broken / name).write_bytes(content)
    with pytest.raises(JudgeError, match=rf"{name} is damaged.*{ADVICE}"):
        EntailmentModel(broken)


@pytest.mark.parametrize("name", [*FILES, "manifest.json"])
def test_a_file_that_is_not_there_is_refused(name: str, broken: Path) -> None:
    (broken / name).unlink()
    with pytest.raises(JudgeError, match=rf"cannot be read.*{ADVICE}"):
        EntailmentModel(broken)


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"sha256": 3}', '{"sha256": {}}'])
def test_a_manifest_that_says_nothing_is_refused(manifest: str, broken: Path) -> None:
    (broken / "manifest.json").write_text(manifest)
    with pytest.raises(JudgeError, match=ADVICE):
        EntailmentModel(broken)


def run_with(weights: Path, program: str) -> subprocess.CompletedProcess[str]:
    """A program in another process, whose built-in judge reads these weights."""
    given = "from pathlib import Path\nfrom pincite.judges import EntailmentModel, open_judge\n"
    given += f"EntailmentModel.__init__.__defaults__ = (Path({str(weights)!r}), True)\n"
    command = [sys.executable, "-c", given + program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", ["check", "score"])
def test_a_damaged_model_stops_the_command_and_the_rules_do_not_step_in(
    command: str, broken: Path, tmp_path: Path
) -> None:
    (broken / "model.onnx").write_bytes(b"nothing")
    arguments = [*_arguments(command, tmp_path), "--judge", "entailment"]
    done = run_with(broken, f"from pincite.cli import main\nraise SystemExit(main({arguments!r}))")
    assert (done.returncode, done.stdout) == (2, "")
    assert "model.onnx is damaged" in done.stderr
    assert "pip install --force-reinstall pincite" in done.stderr
    assert "--judge rules" in done.stderr


def test_a_panel_with_a_damaged_member_does_not_go_on_without_it(broken: Path) -> None:
    (broken / "join.json").write_bytes(b"{}")
    done = run_with(
        broken,
        "import asyncio\n"
        "from pincite.records import Pair, Passage\n"
        "pair = Pair('Rain fell on the town.', (Passage('It rained on the town.'),))\n"
        "asyncio.run(open_judge('panel:majority:rules,entailment').judge([pair]))\n",
    )
    assert "JudgeError" in done.stderr and "join.json is damaged" in done.stderr


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_without_its_library_the_judge_says_what_to_do(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)  # what makes `import` fail
    with pytest.raises(JudgeError, match=rf"{library} cannot be imported.*{ADVICE}"):
        EntailmentModel()
    program = f"import sys\nsys.modules[{library!r}] = None\nfrom pincite.cli import main\n"
    done = run_with(WEIGHTS, program + f"raise SystemExit(main({_arguments('check', tmp_path)!r}))")
    assert done.returncode == 2
    assert f"{library} cannot be imported" in done.stderr


def _arguments(command: str, folder: Path) -> list[str]:
    (folder / "pincite.toml").write_text("")
    (folder / "notes.txt").write_text("Rain fell on the town for nine days.")
    (folder / "answer.md").write_text("Rain fell on the town for nine days [notes.txt:0-36].")
    (folder / "rows.jsonl").write_text('{"claim": "Rain fell.", "evidence": "Rain fell on the town."}\n')
    config = ["--config", str(folder / "pincite.toml")]
    if command == "check":
        return ["check", str(folder / "answer.md"), "--sources", str(folder / "notes.txt"), *config]
    return ["judge", "score", str(folder / "rows.jsonl"), *config]


# --- what is loaded, and when ---------------------------------------------------------------------


def test_neither_importing_pincite_nor_the_rule_judge_loads_the_model(tmp_path: Path) -> None:
    arguments = [*_arguments("check", tmp_path), "--judge", "rules"]
    code = (
        "import sys, pincite\n"
        "from pincite.cli import main\n"
        "from pincite.judges import open_judge\n"
        "open_judge()\n"
        f"assert main({arguments!r}) == 0\n"
        "print(sorted({'onnxruntime', 'tokenizers', 'numpy'} & sys.modules.keys()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="there is no fork here")
def test_a_forked_process_judges_with_a_model_of_its_own() -> None:
    code = (
        "import asyncio, os, warnings\n"
        "warnings.simplefilter('ignore')\n"
        "from pincite.judges import open_judge\n"
        "from pincite.records import Pair, Passage\n"
        "pairs = [Pair('Rain fell on the town.', (Passage('The town saw rain. ' * 9 + f'Day {i}.'),))"
        " for i in range(9)]\n"
        "scores = lambda: [v.score for v in asyncio.run(open_judge().judge(pairs))]\n"
        "before = scores()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os._exit(0 if scores() == before else 3)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=100, check=False).returncode == 0
