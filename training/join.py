"""Fit the join of model and rules, choose the points of warning and error, and seal the weights.

    python training/join.py --data FOLDER --weights src/pincite/judges/entailment/weights [--opinions FILE]

The rows are half A of `support/dev.jsonl` and every other one of the written groups that are kept for
development. Weights are fitted on rows whose licence allows it; the other sources of half A only help to
choose the penalty and to calibrate. Half B and the other written groups are measured, and choose nothing.

In real answers nine claims in ten or more are right, so what counts is how many of those are bothered:
at most 1% may be called an error and 5% warned about, in half A and in the written groups, each by itself.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rows import CONTRADICTED, KEPT_GROUPS, NOT_ENOUGH, SUPPORTED, Row, read_rows

from pincite.judges import (
    FILES,
    NAME,
    EntailmentModel,
    Features,
    Join,
    Observed,
    Opinion,
    Read,
    TextCache,
    Weight,
    decide,
    features,
    load_join,
    read_for_model,
)
from pincite.records import Pair, Passage
from pincite.stats import auroc as area

LICENSED = ("vitaminc_real", "fever_symmetric", "wice_oracle", "begin", "written")
FALSE_ERRORS, FALSE_WARNINGS = 0.01, 0.05
FOLDS = 5


class Seen(NamedTuple):
    """A labelled row as the judge saw it."""

    row: Row
    observed: Observed
    opinion: Opinion

    @property
    def source(self) -> str:
        return self.row.source.split("/")[0]

    @property
    def for_fitting(self) -> bool:
        written = self.row.part == "written" and self.row.group // KEPT_GROUPS % 2 == 0
        return self.row.part == "A" or written

    @property
    def fold(self) -> int:
        """Claims of one written group, and those about the same text, stay together."""
        key = f"group {self.row.group}" if self.row.group >= 0 else self.row.evidence
        return int(hashlib.sha256(key.encode()).hexdigest(), 16) % FOLDS


def look(rows: list[Row], weights: Path, known: Path | None) -> list[Seen]:
    """What the judge itself sees in each row; rows that it does not judge are left out.

    The model's opinions are read from `known` where that is there, and written to it otherwise.
    """
    model = EntailmentModel(weights, sealed=False)
    opinions = json.loads(known.read_text()) if known is not None and known.exists() else None
    seen: list[Seen] = []
    for start in range(0, len(rows), 256):
        cache = TextCache()
        reads = [
            read_for_model(place, Pair(row.claim, (Passage(row.evidence),)), cache, model)
            for place, row in enumerate(rows[start : start + 256])
        ]
        asked = [read for read in reads if isinstance(read, Read)]
        if opinions is None:
            said = model.ask([read.shown for read in asked])
        else:
            said = [Opinion(*found) for found in opinions[len(seen) : len(seen) + len(asked)]]
        for read, opinion in zip(asked, said, strict=True):
            seen.append(Seen(rows[start + read.place], read.observed, opinion))
        print(f"\r{start + len(reads)} of {len(rows)} rows", end="", flush=True)
    print()
    if known is not None and opinions is None:
        known.write_text(json.dumps([(one.opinion.support, one.opinion.denial) for one in seen]))
    return seen


def fit(values: np.ndarray, labels: np.ndarray, weights: np.ndarray, penalty: float) -> np.ndarray:
    """Weights and bias of a logistic function, by Newton's method."""
    columns = np.hstack([values, np.ones((len(values), 1))])
    held = np.eye(columns.shape[1]) * penalty * weights.sum()
    held[-1, -1] = 1e-9
    found = np.zeros(columns.shape[1])
    for _ in range(60):
        said = 1 / (1 + np.exp(-np.clip(columns @ found, -30, 30)))
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


def crossed(
    values: np.ndarray, seen: list[Seen], labels: np.ndarray, penalty: float, power: float
) -> tuple[np.ndarray, np.ndarray]:
    """Log-odds of each row by a fit that did not see it, and the fit over all rows with a licence."""
    sources = np.array([one.source for one in seen])
    licensed = np.isin(sources, LICENSED)
    folds = np.array([one.fold for one in seen])
    odds = np.zeros(len(seen))

    def fitted(chosen: np.ndarray) -> np.ndarray:
        return fit(values[chosen], labels[chosen], source_weights(sources[chosen], power), penalty)

    for fold in range(FOLDS):
        found, here = fitted(licensed & (folds != fold)), folds == fold
        odds[here] = values[here] @ found[:-1] + found[-1]
    return odds, fitted(licensed)


def balanced(scores: np.ndarray, labels: np.ndarray) -> float:
    said = scores >= 0.5
    return 50 * float(said[labels].mean() + (~said[~labels]).mean())


def make_join(seen: list[Seen]) -> Join:
    """The logistic function that does best on rows it did not see, calibrated on all of them."""
    chosen = [one for one in seen if one.for_fitting]
    named: list[Features] = [features(one.observed, one.opinion) for one in chosen]
    raw = np.array([list(values.values()) for values in named])
    labels = np.array([one.row.label == SUPPORTED for one in chosen])
    sources = np.array([one.source for one in chosen])
    mean, scale = raw.mean(0), raw.std(0)
    scale[scale < 1e-6] = 1.0
    values = np.clip((raw - mean) / scale, -4, 4)
    tried = []
    for penalty in (3e-4, 1e-3, 3e-3, 1e-2):
        for power in (0.0, 0.5, 1.0):
            odds, found = crossed(values, chosen, labels, penalty, power)
            # One slope and one intercept over every source, those without a licence for training as well.
            slope, intercept = fit(odds[:, None], labels, source_weights(sources, 0.5), 1e-6)
            scores = 1 / (1 + np.exp(-np.clip(slope * odds + intercept, -30, 30)))
            right = np.mean([balanced(scores[sources == n], labels[sources == n]) for n in set(sources)])
            tried.append((float(right), penalty, power, found * slope + np.eye(len(found))[-1] * intercept))
    best, penalty, power, found = max(tried, key=lambda one: one[0])
    print(f"penalty {penalty}, power {power}: {best:.2f} balanced accuracy, mean of the sources")
    weights = {
        name: Weight(round(float(m), 5), round(float(s), 5), round(float(w), 5))
        for name, m, s, w in zip(named[0], mean, scale, found, strict=False)
    }
    for name, one in sorted(weights.items(), key=lambda item: -abs(item[1].weight)):
        print(f"  {one.weight:+.3f} {name}")
    return choose_points(Join(round(float(found[-1]), 5), weights, 0.0, 0.0), chosen)


def choose_points(join: Join, chosen: list[Seen]) -> Join:
    """The highest points that bother few enough right claims, in the written groups and in half A."""
    rows = [one for one in chosen if one.row.label == SUPPORTED]
    parts = [[one for one in rows if (one.row.part == "written") == written] for written in (True, False)]

    def share(join: Join, errors: bool) -> float:
        """Of the right claims, in the part where it is larger."""
        shares = []
        for part in parts:
            told = [decide(one.observed, one.opinion, join) for one in part]
            bothered = [d.outcome != "supported" and not d.doubtful and (d.sure or not errors) for d in told]
            shares.append(float(np.mean(bothered)))
        return max(shares)

    def highest(make: Any, errors: bool, most: float) -> Join:
        low, high = 0.0, 0.5
        while high - low > 0.0005:
            middle = (low + high) / 2
            low, high = (middle, high) if share(make(middle), errors) <= most else (low, middle)
        found: Join = make(round(low, 4))
        return found

    warned = highest(lambda point: _with(join, sure=0.0, warn=point), False, FALSE_WARNINGS)
    return highest(lambda point: _with(warned, sure=min(point, warned.warn)), True, FALSE_ERRORS)


def _with(join: Join, sure: float, warn: float | None = None) -> Join:
    return Join(join.bias, join.weights, sure, join.warn if warn is None else warn)


def report(join: Join, seen: list[Seen]) -> None:
    """What was fitted on, and what was not, each source by itself."""
    print(f"an error at and below {join.sure:.4f}, a warning at and below {join.warn:.4f}")
    for title, part in (("fitted on", True), ("held out", False)):
        print(
            f"{title}: balanced accuracy / AUROC; right and wrong warned about, called an error; contradicted"
        )
        rows = [one for one in seen if one.for_fitting == part]
        told = {id(one): decide(one.observed, one.opinion, join) for one in rows}
        for name in sorted({one.source for one in rows}):
            here = [one for one in rows if one.source == name]
            labels = np.array([one.row.label == SUPPORTED for one in here])
            scores = np.array([told[id(one)].support for one in here])
            warned = np.array([scores[i] < 0.5 and not told[id(one)].doubtful for i, one in enumerate(here)])
            errors = warned & np.array([told[id(one)].sure for one in here])
            shares = [100 * which[of].mean() for which in (warned, errors) for of in (labels, ~labels)]
            ranked = 100 * (area(labels.tolist(), scores.tolist()) or 0.0)
            known = [one for one in here if one.row.label in (CONTRADICTED, NOT_ENOUGH) and one.opinion]
            denied = [(one.opinion.denial >= 0) == (one.row.label == CONTRADICTED) for one in known]
            print(
                f"  {name:<18}{len(here):>6}  {balanced(scores, labels):5.1f} / {ranked:.1f}   "
                f"{shares[0]:4.1f} {shares[1]:5.1f}   {shares[2]:4.2f} {shares[3]:5.1f}   "
                f"{100 * np.mean(denied) if denied else 0:.0f}"
            )


def seal(folder: Path) -> None:
    """Write what the weights are, and the hash of each file, which the judge checks when it loads them."""
    manifest = {
        "schema_version": 2,
        "name": NAME,
        "base": "cross-encoder/ms-marco-MiniLM-L-12-v2 (Apache-2.0)",
        "trained_on": "see training/MODEL_CARD.md",
        "sha256": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(f"{sum((folder / name).stat().st_size for name in FILES) / 1e6:.1f} MB in {folder}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--opinions", type=Path, help="where the model's opinions are kept, for another fit")
    options = parser.parse_args()
    rows = [row for row in read_rows(options.data) if row.part != "train"]
    seen = look(rows, options.weights, options.opinions)
    join = make_join(seen)
    report(join, seen)
    path = options.weights / "join.json"
    content = {
        "bias": join.bias,
        "weights": {
            name: {"mean": one.mean, "scale": one.scale, "weight": one.weight}
            for name, one in join.weights.items()
        },
        "sure": join.sure,
        "warn": join.warn,
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    if load_join(path) != join:
        raise SystemExit("the judge does not read join.json as it was meant")
    seal(options.weights)


if __name__ == "__main__":
    main()
