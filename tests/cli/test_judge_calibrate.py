from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from cli_run import Runner

from pincite.annotation import label_of
from pincite.cli.judge_rows import read_rows

CITIES = [
    "Oslo",
    "Rome",
    "Lima",
    "Cairo",
    "Delhi",
    "Perth",
    "Quito",
    "Turin",
    "Lagos",
    "Miami",
    "Sofia",
    "Seoul",
]


def lines(count: int = 40, labelled: int | None = None, source: bool = False) -> str:
    """Rows that the rule judge mostly gets right: every fourth label is the other way round."""
    made = []
    for number in range(count):
        city, other = CITIES[number % 12], CITIES[(number + 5) % 12]
        true = number % 2 == 0
        entry: dict[str, Any] = {
            "id": number,
            "claim": f"The harbour of {city} opened in {1900 + number}.",
            "evidence": f"The harbour of {city if true else other} opened in {1900 + number + (not true)}.",
        }
        if labelled is None or number < labelled:
            entry["label"] = int(true if number % 8 else not true)
        if source:
            entry["source"] = "first" if number % 4 < 2 else "second"
        made.append(json.dumps(entry))
    return "\n".join(made) + "\n"


def calibrate(pincite: Runner, *options: str) -> Any:
    done = pincite("judge", "calibrate", "rows.jsonl", "--judge", "rules", "-f", "json", *options)
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_agreement_is_reported_with_intervals(pincite: Runner) -> None:
    pincite.write("rows.jsonl", lines(source=True))
    shape = calibrate(pincite)
    assert shape["judge"] == "rules/1"
    assert shape["rows"]["labelled"] == 40
    for name in ("accuracy", "balanced_accuracy", "macro_f1", "kappa", "auroc"):
        figure = shape["agreement"][name]
        assert figure["interval"][0] <= figure["value"] <= figure["interval"][1]
    assert list(shape["by_source"]) == ["first", "second"]
    assert shape["by_source"]["first"]["rows"] == 20
    assert shape["saved"] is None


def test_people_get_the_same_in_words(pincite: Runner) -> None:
    pincite.write("rows.jsonl", lines(60, labelled=40))
    done = pincite("judge", "calibrate", "rows.jsonl", "--judge", "rules")
    assert done.code == 0
    for said in ("accuracy", "kappa", "AUROC", "◆", "Calibration error", "The threshold that agrees best"):
        assert said in done.out
    assert "Rate of supported: judge alone 0." in done.out
    assert "corrected 0." in done.out and "labels alone 0." in done.out
    assert "20 without a label" in done.out


def test_a_saved_calibration_is_applied_and_named_by_later_runs(pincite: Runner) -> None:
    pincite.write("rows.jsonl", lines())
    shape = calibrate(pincite, "--save", "mine.json", "--picture", "curve.svg")
    assert shape["saved"] == "mine.json"
    saved = json.loads((pincite.folder / "mine.json").read_bytes())
    assert (saved["judge"], saved["rows"], saved["question"]) == ("rules/1", 40, "support")
    assert saved["name"] == f"mine-{saved['data_sha256'][:8]}"
    ET.parse(pincite.folder / "curve.svg")

    plain = pincite("judge", "score", "rows.jsonl", "--judge", "rules").out.splitlines()
    moved = pincite("judge", "score", "rows.jsonl", "--judge", "rules", "--set", "calibration=mine.json")
    assert moved.code == 0
    for before, after in zip(plain, moved.out.splitlines(), strict=True):
        score = json.loads(after)["score"]
        assert score != json.loads(before)["score"]
        verdict = json.loads(after)["verdict"]
        assert (verdict == "supported") == (score >= saved["threshold"]) or verdict == "contradicted"

    pincite.write("answer.md", "Revenue grew by 21% in the first quarter [report.txt:0-41].\n")
    check = ("check", "answer.md", "--sources", "docs", "--judge", "rules", "-f", "json")
    done = pincite(*check, "--set", "calibration=mine.json")
    assert json.loads(done.out)["run"]["judge"] == f"rules/1+cal:{saved['name']}"
    pincite.write("pincite.toml", 'calibration = "mine.json"\n')
    assert json.loads(pincite(*check).out)["run"]["judge"].endswith(saved["name"])


def test_a_calibrated_judge_can_be_measured_but_not_calibrated_again(pincite: Runner) -> None:
    pincite.write("rows.jsonl", lines())
    calibrate(pincite, "--save", "mine.json")
    assert "+cal:mine-" in calibrate(pincite, "--set", "calibration=mine.json")["judge"]
    done = pincite("judge", "calibrate", "rows.jsonl", "--set", "calibration=mine.json", "--save", "b.json")
    assert done.code == 0 and "configured calibration is ignored" in done.err
    pincite.write("pincite.toml", 'calibration = "mine.json"\njudge = "rules"\n')
    done = pincite("judge", "calibrate", "rows.jsonl", "--save", "b.json")
    assert done.code == 0
    assert "configured calibration is ignored" in done.err


def test_a_calibration_of_another_judge_is_refused(pincite: Runner) -> None:
    pincite.write("rows.jsonl", lines())
    calibrate(pincite, "--save", "mine.json")
    saved = json.loads((pincite.folder / "mine.json").read_bytes())
    pincite.write("other.json", json.dumps({**saved, "judge": "llm:some-model support/1"}))
    done = pincite("judge", "score", "rows.jsonl", "--judge", "rules", "--set", "calibration=other.json")
    assert (done.code, done.out) == (2, "")
    assert "was made for the judge llm:some-model support/1, and this one is rules/1" in done.err


def test_rows_without_a_label_serve_the_corrected_rate(pincite: Runner) -> None:
    everything = lines(80)
    pincite.write("rows.jsonl", "".join(line + "\n" for line in everything.splitlines()[:30]))
    pincite.write("all.jsonl", everything)
    shape = calibrate(pincite, "--unlabelled", "all.jsonl")
    # The thirty labelled ones stand in both files and count once.
    assert (shape["rows"]["labelled"], shape["rows"]["unlabelled"]) == (30, 50)
    corrected = shape["rate"]["corrected"]
    assert corrected["method"] == "power-tuned"
    assert corrected["interval"][0] <= corrected["rate"] <= corrected["interval"][1]


def test_verdicts_serve_as_labels(pincite: Runner) -> None:
    rows = [
        {"claim": "It rained.", "evidence": "It rained.", "verdict": "supported"},
        {"claim": "It rained.", "evidence": "It did not rain.", "verdict": "contradicted"},
        {"claim": "It rained.", "evidence": "It was Tuesday.", "verdict": "not_enough", "label": False},
        {"claim": "It rained.", "evidence": "It rained a lot.", "label": True},
        {"claim": "It rained.", "evidence": "It rained all day.", "verdict": "unjudged"},
        {"claim": "It rained.", "evidence": "It rained.", "verdict": "supported", "label": 0},
        {"claim": "It rained.", "evidence": "It rained.", "label": "yes"},
        {"claim": "It rained.", "evidence": "It rained.", "verdict": "true"},
        {"claim": "It rained.", "evidence": "It rained.", "label": 2},
        {"claim": " ", "evidence": "It rained.", "label": 1},
    ]
    pincite.write("rows.jsonl", "".join(json.dumps(one) + "\n" for one in rows))
    shape = calibrate(pincite)
    assert shape["rows"] == {
        "labelled": 5,
        "unlabelled": 1,
        "unjudged_labelled": 1,
        "unjudged_unlabelled": 0,
        "unusable": 4,
    }
    assert shape["agreement"]["accuracy"]["value"] == 1.0


def test_one_class_says_why_there_is_no_auroc_and_saves_nothing(pincite: Runner) -> None:
    pincite.write(
        "rows.jsonl", json.dumps({"claim": "It rained.", "evidence": "It rained.", "label": 1}) + "\n"
    )
    shape = calibrate(pincite)
    assert shape["agreement"]["auroc"] == {
        "value": None,
        "interval": None,
        "reason": "people call every row supported",
    }
    done = pincite("judge", "calibrate", "rows.jsonl", "--judge", "rules", "--save", "mine.json")
    assert done.code == 2
    assert "AUROC              none: people call every row supported" in done.out
    assert "nothing was written: people call every row supported" in done.err
    assert not (pincite.folder / "mine.json").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no row has a label"),
        ("x\n", "the first problem: line 1: not JSON"),
        ('{"claim": "a", "evidence": "b"}\n', "no row has a label"),
        ('{"claim": "", "evidence": "b", "label": 1}\n', "no labelled row could be judged"),
        (
            '{"claim": "a b", "evidence": "b", "label": 1}\n'
            '{"claim": "a b", "evidence": "b", "label": 1, "question": "consistency"}\n',
            "the rows ask several questions",
        ),
    ],
)
def test_rows_that_cannot_serve_are_refused(pincite: Runner, content: str, said: str) -> None:
    pincite.write("rows.jsonl", content)
    done = pincite("judge", "calibrate", "rows.jsonl", "--judge", "rules")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_standard_input_is_read_once(pincite: Runner) -> None:
    done = pincite("judge", "calibrate", "-", "--judge", "rules", "-f", "json", stdin=lines().encode())
    assert json.loads(done.out)["rows"]["labelled"] == 40
    assert "not both" in pincite("judge", "calibrate", "-", "--unlabelled", "-").err


def test_the_figures_go_to_a_file(pincite: Runner) -> None:
    pincite.write("rows.jsonl", lines())
    done = pincite("judge", "calibrate", "rows.jsonl", "--judge", "rules", "-f", "json", "-o", "out.json")
    assert (done.code, done.out) == (0, "")
    assert json.loads((pincite.folder / "out.json").read_bytes())["schema_version"] == 1


def test_a_verdict_means_the_same_here_as_in_the_labels_of_an_evaluation() -> None:
    raw = json.dumps(
        {
            "claim": "It rained.",
            "evidence": "It was Tuesday.",
            "question": "consistency",
            "verdict": "not_enough",
        }
    ).encode()
    (row,) = read_rows(io.BytesIO(raw), labelled=True)
    assert row.label is label_of(json.loads(raw)) is True, "a text that says nothing contradicts nothing"


def test_the_agreement_is_kept_in_the_history_that_is_named(pincite: Runner) -> None:
    from pincite.store import AGREEMENT, open_store

    rows = [
        {"claim": "It costs 5 euros.", "evidence": f"It costs {n} euros.", "label": int(n == 5)}
        for n in (4, 5, 6, 5)
    ]
    pincite.write("rows.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    assert pincite("judge", "calibrate", "rows.jsonl", "--judge", "rules", "--store", "kept.db").code == 0
    with open_store("kept.db") as store:
        (name,) = store.keys(AGREEMENT)
        kept = store.get(AGREEMENT, name)
    assert kept is not None and kept["agreement"]["rows"] == 4
    assert kept["agreement"]["accuracy"]["value"] == 1.0
