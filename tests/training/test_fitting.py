"""What is fitted and chosen on development rows: the join, its calibration, the points, the manifest."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

TRAINING = Path(__file__).parents[2] / "training"
sys.path.insert(0, str(TRAINING))

import join  # noqa: E402
import points  # noqa: E402
import prepare  # noqa: E402
import seal  # noqa: E402


def drawn(count: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """Two features, and labels that follow their log-odds 2x - y + 0.5."""
    draw = np.random.default_rng(1)
    values = draw.normal(size=(count, 2))
    odds = values @ np.array([2.0, -1.0]) + 0.5
    return values, draw.random(count) < 1 / (1 + np.exp(-odds))


def test_a_fit_finds_the_weights_that_made_the_labels() -> None:
    values, labels = drawn()
    found = join.fit(values, labels, np.ones(len(labels)), penalty=1e-6)
    assert found == pytest.approx([2.0, -1.0, 0.5], abs=0.2)


def test_what_is_given_is_not_fitted_again() -> None:
    values, labels = drawn()
    given = values @ np.array([2.0, -1.0]) + 0.5
    assert join.fit(values, labels, np.ones(len(labels)), 1e-6, given) == pytest.approx([0, 0, 0], abs=0.2)


def test_calibration_takes_back_what_was_shrunk() -> None:
    values, labels = drawn()
    raw, basis = (values @ np.array([2.0, -1.0]) + 0.5) / 2, np.ones((len(labels), 1))
    slopes, intercepts = join.calibrate(raw, labels, basis)
    assert (slopes[0], intercepts[0]) == (pytest.approx(2, abs=0.2), pytest.approx(0, abs=0.1))
    before = join.calibration_error(1 / (1 + np.exp(-raw)), labels)
    assert join.calibration_error(join.calibrated(raw, basis, slopes, intercepts), labels) < before / 2


def test_small_sources_count_as_much_as_large_ones_with_power_1() -> None:
    weights = join.source_weights(np.array(["large"] * 30 + ["small"] * 10), 1.0)
    assert weights[:30].sum() == pytest.approx(weights[30:].sum())
    assert join.source_weights(np.array(["large", "large", "small"]), 0.0) == pytest.approx([1, 1, 1])


def test_the_point_is_the_lowest_that_bothers_few_enough_right_claims() -> None:
    rows = [points.Measured("A", True, number / 100, "") for number in range(100)]
    rows += [points.Measured("A", False, 0.995, ""), points.Measured("B", True, 1.0, "")]
    assert points.choose(rows, 0.05) == 0.95
    assert points.choose(rows, 0.0) == 0.995


@pytest.mark.parametrize(
    ("row", "label"),
    [
        ({"verdict": "contradicted", "label": 0}, 1),
        ({"verdict": None, "label": 1}, 0),
        ({"label": 0}, prepare.UNSUPPORTED),
    ],
)
def test_a_row_without_a_verdict_says_only_whether_it_is_supported(row: dict, label: int) -> None:
    assert prepare.label(row) == label


def test_the_manifest_holds_the_hash_of_each_file(tmp_path: Path) -> None:
    for name in seal.FILES:
        (tmp_path / name).write_bytes(name.encode())
    seal.seal(tmp_path)
    sealed = json.loads((tmp_path / "manifest.json").read_text())["sha256"]
    assert sealed == {name: hashlib.sha256(name.encode()).hexdigest() for name in seal.FILES}
