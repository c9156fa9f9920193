"""Rows made by rule carry the verdict that the edit implies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

TRAINING = Path(__file__).parents[2] / "training"
sys.path.insert(0, str(TRAINING))

from pairmaking import context, polarity, quantities, roles  # noqa: E402
from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED, Pool, Row, detokenise  # noqa: E402

ROW = Row(
    "The ferry Aurora carried 412 passengers on June 3 , 1987 .",
    "The Aurora left on June 3 , 1987 , and carried 412 passengers to Bergen .",
    SUPPORTED,
    "p-1",
)
OTHER = Row("The mill was closed .", "The old mill by the river was closed by its owner .", SUPPORTED, "p-2")
POOL = Pool([ROW, OTHER], [])
SEEDS = range(30)


def made(rule: object, row: Row) -> list[Row]:
    assert callable(rule)
    return [new for seed in SEEDS for new in rule(row, Random(seed), POOL)]


@pytest.mark.parametrize("rule", [quantities.number, quantities.date])
def test_a_value_changed_on_one_side_contradicts_and_on_both_sides_supports(rule: object) -> None:
    rows = made(rule, ROW)
    assert {row.verdict for row in rows} == {SUPPORTED, CONTRADICTED}
    for row in rows:
        changed = (row.claim != ROW.claim, row.evidence != ROW.evidence)
        assert row.verdict == (SUPPORTED if changed == (True, True) else CONTRADICTED)


def test_a_bound_is_true_only_on_its_side_of_the_truth() -> None:
    row = Row("The film made more than $ 90 million .", "The film made $ 97 million .", SUPPORTED, "p-3")
    for new in made(quantities.bound, row):
        limit = float(new.claim.split("$ ")[1].split()[0])
        assert (limit < 97) == (new.verdict == SUPPORTED)


def test_a_denied_claim_turns_its_verdict_round() -> None:
    (denied,) = set(made(polarity.negation, OTHER))
    assert denied.claim == "The mill was not closed ."
    assert denied.verdict == CONTRADICTED
    (back,) = set(made(polarity.negation, Row(denied.claim, denied.evidence, CONTRADICTED, "vc-4")))
    assert (back.claim, back.verdict) == (OTHER.claim, SUPPORTED)


def test_exchanged_roles_contradict_in_either_voice() -> None:
    row = Row(
        "Ada Brook painted Morning Fields .", "Morning Fields was painted by Ada Brook .", SUPPORTED, "p-5"
    )
    verdicts = {new.claim: new.verdict for new in made(roles.voice, row)}
    assert verdicts == {
        "Morning Fields was painted by Ada Brook .": SUPPORTED,
        "Ada Brook was painted by Morning Fields .": CONTRADICTED,
        "Morning Fields painted Ada Brook .": CONTRADICTED,
    }


def test_evidence_without_its_own_sentence_is_not_enough() -> None:
    others = Pool([OTHER], [])
    rows = [row for seed in SEEDS for row in context.long_evidence(ROW, Random(seed), others)]
    assert {row.verdict for row in rows} == {SUPPORTED, NOT_ENOUGH}
    for row in rows:
        assert (row.verdict == SUPPORTED) == (ROW.evidence in row.evidence)


def test_natural_spacing_joins_signs_to_their_words() -> None:
    text = "It is n't Bo 's ( the `` Owl '' ) : $ 5 million , or 40 % ."
    assert detokenise(text) == "It isn't Bo's (the \"Owl\"): $5 million, or 40%."


@pytest.mark.thorough
def test_the_same_seed_makes_the_same_file(tmp_path: Path) -> None:
    rows = [
        {"id": f"vc-{n}_1", "claim": f"Ship {n} carried {n + 20} people .", "label": 1, "source": "s"}
        | {"evidence": f"It is said that Ship {n} carried {n + 20} people .", "verdict": "supported"}
        for n in range(30)
    ]
    (tmp_path / "train.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    made_files = []
    for name in ("one.jsonl", "two.jsonl"):
        command = [
            sys.executable,
            str(TRAINING / "make_pairs.py"),
            "--data",
            str(tmp_path),
            "--per-kind",
            "20",
        ]
        subprocess.run([*command, "--out", str(tmp_path / name)], check=True, capture_output=True)
        made_files.append((tmp_path / name).read_text(encoding="utf-8"))
    assert made_files[0] == made_files[1]
    first = json.loads(made_files[0].splitlines()[0])
    assert set(first) == {"id", "claim", "evidence", "label", "source", "verdict"}
    assert first["source"].startswith("made/")
