"""Fit the join of models and rules on development rows, and write weights/join.json.

The rows are half A of `support/dev.jsonl` and every other one of the written groups that are kept for
development. Weights are fitted on rows whose licence allows it; the other sources of half A only help to
choose the strength of the penalty and to calibrate. Half B and the other written groups are not looked at.

    python training/join.py --work FOLDER --data FOLDER --out src/pincite/judges/entailment/weights
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "cross"))
from rows import KEPT_GROUPS, Row, read_rows

from pincite.judges.entailment.join import Features, likeness, load_join, plainness
from pincite.judges.entailment.judge import Read, look, read_for_model
from pincite.judges.entailment.model import EntailmentModel
from pincite.judges.rules.reading import ReadingRoom
from pincite.records import Pair, Passage, Verdict
from pincite.stats.agreement import auroc as area

LICENSED = ("vitaminc_real", "fever_symmetric", "wice_oracle", "begin", "written")
UNWEIGHED = ("coverage: best", "model: words alike", "model: meaning alike")
"""How many words are shared is left to the head, which sees it word by word. In the join it made nothing
better on half A, and a restatement that changes many words and no fact would pay for it. Likeness weighs
meaning by itself."""
FALSE_ERRORS, FALSE_WARNINGS = 0.008, 0.035
"""Of the right claims this share may be called an error, and be warned about, for their score alone. What the
rules name comes on top: `points.py --judge entailment` shows whether all of it stays below 1% and 5%, and the
shipped points were moved by hand until it did."""


def auroc(scores: np.ndarray, labels: np.ndarray) -> float:
    return area(labels.tolist(), scores.tolist()) or 0.0


def development_rows(data: Path) -> list[Row]:
    """Half A, and every other written group that is kept for development."""
    return [row for row in read_rows(data) if row.part == "A" or is_for_fitting(row)]


def is_for_fitting(row: Row) -> bool:
    return bool(row.part == "written" and row.group // KEPT_GROUPS % 2 == 0)


def features(rows: list[Row], weights: Path) -> list[Features | None]:
    """What the judge itself sees in each row, with the weights as they are shipped."""
    model = EntailmentModel(weights, sealed=False)
    values: list[Features | None] = []
    for start in range(0, len(rows), 256):
        room = ReadingRoom()
        reads: list[Read | Verdict] = []
        for row in rows[start : start + 256]:
            pair = Pair(row.claim, (Passage(row.evidence),))
            reads.append(read_for_model(len(reads), pair, room, model.tokenize))
        seen = {
            found.read.place: found.values for found in look([r for r in reads if isinstance(r, Read)], model)
        }
        values += [seen.get(place) for place in range(len(reads))]
    return values


def fold_of(row: Row) -> int:
    """Claims of one written group, and those about the same text, stay together."""
    key = f"group {row.group}" if row.group >= 0 else row.evidence
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 5


def fit(
    values: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    penalty: float,
    given: np.ndarray | None = None,
) -> np.ndarray:
    """Weights and bias of a logistic function by Newton's method, on top of what is `given`."""
    columns = np.hstack([values, np.ones((len(values), 1))])
    given = np.zeros(len(values)) if given is None else given
    held = np.eye(columns.shape[1]) * penalty * weights.sum()
    held[-1, -1] = 1e-9
    found = np.zeros(columns.shape[1])
    for _ in range(60):
        said = 1 / (1 + np.exp(-np.clip(columns @ found + given, -30, 30)))
        slope = columns.T @ (weights * (said - labels)) + held @ found
        bend = (columns * (weights * said * (1 - said))[:, None]).T @ columns + held
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(found)), slope)
        found -= step
        if np.abs(step).max() < 1e-8:
            break
    return found


def source_weights(sources: np.ndarray, power: float) -> np.ndarray:
    """Rows of small sources count more: with power 1 each source counts the same, with 0 each row does."""
    counts = {name: float((sources == name).sum()) for name in set(sources)}
    found = np.array([counts[name] ** -power for name in sources])
    scaled: np.ndarray = found / found.mean()
    return scaled


def calibration_error(scores: np.ndarray, labels: np.ndarray, bins: int = 10) -> float:
    order = np.argsort(scores, kind="stable")
    parts = np.array_split(order, bins)
    return float(sum(len(p) * abs(scores[p].mean() - labels[p].mean()) for p in parts) / len(scores))


def show(scores: np.ndarray, labels: np.ndarray, sources: np.ndarray, title: str) -> float:
    parts, sums = [], []
    for name in sorted(set(sources)):
        here = sources == name
        said, true = scores[here] >= 0.5, labels[here]
        balanced = 50 * (said[true].mean() + (~said[~true]).mean())
        sums.append(balanced)
        parts.append(
            f"{name[:11]} {balanced:.1f}/{100 * auroc(scores[here], true):.1f}"
            f"/{calibration_error(scores[here], true):.3f}"
        )
    print(f"{title}: {np.mean(sums):.2f}  " + "  ".join(parts), flush=True)
    return float(np.mean(sums))


def standardised(
    values: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    mean, scale = values.mean(0), values.std(0)
    scale[scale < 1e-6] = 1.0
    return mean, scale, lambda found: np.clip((found - mean) / scale, -4, 4)


def crossed(
    values: np.ndarray,
    labels: np.ndarray,
    sources: np.ndarray,
    licensed: np.ndarray,
    folds: np.ndarray,
    penalty: float,
    power: float,
    given: np.ndarray,
) -> np.ndarray:
    """Log-odds of each row by a fit that did not see it; rows without a licence are never fitted on."""
    found = np.zeros(len(labels))
    for fold in range(5):
        train, test = licensed & (folds != fold), folds == fold
        weights = source_weights(sources[train], power)
        part = fit(values[train], labels[train], weights, penalty, given[train])
        found[test] = values[test] @ part[:-1] + part[-1] + given[test]
    return found


def choose(
    values: np.ndarray,
    labels: np.ndarray,
    sources: np.ndarray,
    licensed: np.ndarray,
    folds: np.ndarray,
    alike: np.ndarray,
    basis: np.ndarray,
) -> tuple[float, float, float]:
    """Penalty, weighting and the weight of likeness, by cross-validation over all sources of half A."""
    tried = []
    for penalty in (0.01, 0.03, 0.1):
        for power in (0.0, 0.5, 1.0):
            for weight in (0.0, 4.0, 8.0, 12.0, 16.0):
                raw = crossed(values, labels, sources, licensed, folds, penalty, power, weight * alike)
                scores = calibrated(raw, basis, *calibrate(raw, labels, basis))
                names = sorted(set(sources))
                areas = np.mean([100 * auroc(scores[sources == n], labels[sources == n]) for n in names])
                title = f"penalty {penalty} power {power} likeness {weight} areas {areas:.2f}"
                tried.append((show(scores, labels, sources, title) + areas, penalty, power, weight))
    return max(tried)[1:]


def calibrate(raw: np.ndarray, labels: np.ndarray, basis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slopes and intercepts over the basis: a logistic fit of raw × basis and basis, hardly held back."""
    columns = np.hstack([raw[:, None] * basis, basis])
    found = np.r_[1.0, np.zeros(columns.shape[1] - 1)]
    held = 1e-4 * len(labels) * np.eye(len(found))
    for _ in range(60):
        said = 1 / (1 + np.exp(-np.clip(columns @ found, -30, 30)))
        slope = columns.T @ (said - labels) + held @ found
        step = np.linalg.solve((columns * (said * (1 - said))[:, None]).T @ columns + held, slope)
        found -= step
        if np.abs(step).max() < 1e-8:
            break
    return found[: basis.shape[1]], found[basis.shape[1] :]


def calibrated(raw: np.ndarray, basis: np.ndarray, slopes: np.ndarray, intercepts: np.ndarray) -> np.ndarray:
    odds = np.clip((basis @ slopes) * raw + basis @ intercepts, -30, 30)
    scores: np.ndarray = 1 / (1 + np.exp(-odds))
    return scores


def main(options: argparse.Namespace) -> None:
    everything = development_rows(options.data)
    path = options.work / "join.features.json"
    if not path.exists() or options.fresh:
        path.write_text(json.dumps(features(everything, options.out)))
    found = json.loads(path.read_text())
    rows = [row for row, values in zip(everything, found, strict=True) if values is not None]
    named: list[Features] = [values for values in found if values is not None]
    names = list(named[0])
    sources = np.array([row.source.split("/")[0] for row in rows])
    truth = np.array([row.label for row in rows])
    labels = truth == 0
    seen = np.array([list(values.values()) for values in named])
    mean, scale, standard = standardised(seen)
    weighed = np.array([name not in UNWEIGHED for name in names])
    values = standard(seen) * weighed
    licensed = np.isin(sources, LICENSED)
    folds = np.array([fold_of(row) for row in rows])
    alike = np.array([likeness(values) for values in named])
    basis = np.array([(1.0, *plainness(values)) for values in named])
    penalty, power, weight = choose(values, labels, sources, licensed, folds, alike, basis)
    print(f"chosen: penalty {penalty}, power {power}, likeness {weight}")

    given = weight * alike
    found = fit(
        values[licensed], labels[licensed], source_weights(sources[licensed], power), penalty, given[licensed]
    )
    cross = crossed(values, labels, sources, licensed, folds, penalty, power, given)
    cross[~licensed] = (values @ found[:-1] + found[-1] + given)[~licensed]
    slopes, intercepts = calibrate(cross, labels, basis)
    scores = calibrated(cross, basis, slopes, intercepts)
    show(scores, labels, sources, "half A, calibrated")
    print(f"pooled calibration error on half A {calibration_error(scores, labels):.4f}")
    written = sources == "written"
    sure, warn = (
        min(float(np.quantile(scores[labels & here], share)) for here in (written, ~written))
        for share in (FALSE_ERRORS, FALSE_WARNINGS)
    )
    print(f"an error at and below {sure:.4f}, a warning at and below {warn:.4f}")
    for name in sorted(set(sources)):
        right, wrong = labels & (sources == name), ~labels & (sources == name)
        said = [
            f"{100 * (scores[which] <= at).mean():.1f}%" for at in (sure, warn) for which in (right, wrong)
        ]
        print(f"  {name}: right and wrong called an error {said[:2]}, at least warned about {said[2:]}")

    denied = licensed & ((truth == 1) | (truth == 2))
    against = fit(values[denied], truth[denied] == 1, np.ones(denied.sum()), penalty)
    said = values[denied] @ against[:-1] + against[-1] > 0
    print(f"contradicted told from not enough: {100 * np.mean(said == (truth[denied] == 1)):.1f}%")

    def layer(weights: np.ndarray) -> dict[str, Any]:
        weighed = {
            name: {"mean": round(float(m), 5), "scale": round(float(s), 5), "weight": round(float(w), 5)}
            for name, m, s, w in zip(names, mean, scale, weights, strict=False)
        }
        used = {name: found for name, found in weighed.items() if found["weight"]}
        return {"bias": round(float(weights[-1]), 5), "weights": used}

    for name, worth in sorted(zip(names, found, strict=False), key=lambda t: -abs(t[1])):
        print(f"  {worth:+.3f} {name}")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "join.json").write_text(
        json.dumps(
            {
                "support": layer(found),
                "denial": layer(against),
                "likeness": weight,
                "slope": [round(float(v), 5) for v in slopes],
                "intercept": [round(float(v), 5) for v in intercepts],
                "sure": round(sure, 4),
                "warn": round(warn, 4),
            },
            indent=1,
        )
        + "\n"
    )

    written = load_join(options.out / "join.json")
    again = np.array([written.support_of(values) for values in named])
    direct = calibrated(values @ found[:-1] + found[-1] + given, basis, slopes, intercepts)
    if np.abs(again - direct).max() > 0.001:
        raise SystemExit("the judge does not read join.json as it was meant")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fresh", action="store_true")
    main(parser.parse_args())
