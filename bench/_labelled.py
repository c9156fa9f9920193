"""Rows that people have labelled, the half they fall into, and the groups they are measured in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.text import find_quantities, find_terms

POOLED = "AttributionBench"
NUMERIC = "vitaminc_real, numeric rows"
ALL = "all rows"
WRITTEN = "written"
ROOT = Path(__file__).parent.parent
PLANTED = ROOT / "tests" / "judges"
KEPT_GROUPS = 10
"""One written group in so many is not trained on: `training/rows.py` leaves out the same ones."""
COUNTED_FILES = 13
"""In these it is every tenth group; in later files a hash of the first passage decides."""


@dataclass(frozen=True)
class Row:
    """A claim, the evidence it was checked against, and whether people call it supported."""

    id: str
    claim: str
    evidence: str
    supported: bool
    source: str
    group: str = ""
    """Written claims about the same two passages share one."""


def read_labelled(data: Path | None, half_wanted: str) -> list[Row]:
    """The rows of one half of `support/dev.jsonl`; none when the data are not there."""
    path = data / "support" / "dev.jsonl" if data is not None else None
    if path is None or not path.is_file():
        return []
    return [row for row in _read(path, "source") if half(row.id) == half_wanted]


def read_planted(name: str = "planted_set") -> list[Row]:
    """The planted pairs, whose source is their kind."""
    return _read(PLANTED / f"{name}.jsonl", "kind")


def read_written(half_wanted: str) -> list[Row]:
    """The written groups that were not trained on. The join is fitted on every other one of them, half A."""
    rows = []
    number = 0
    for path in sorted((ROOT / "training" / "data" / "written").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            here, number = number, number + 1
            group = json.loads(line)
            if not is_kept(path.name, here, group["a"]) or "AB"[here // KEPT_GROUPS % 2] != half_wanted:
                continue
            for place, (claim, _, *labels) in enumerate(group["claims"]):
                for side, label in zip("ab", labels, strict=True):
                    name = f"{WRITTEN}/{here}/{place}/{side}"
                    rows.append(Row(name, claim, group[side], label == "S", WRITTEN, f"{here}"))
    return rows


def is_kept(file: str, number: int, passage: str) -> bool:
    """Whether a written group is kept from training, by its number or by its text."""
    if int(file[:2]) > COUNTED_FILES:
        number = int(hashlib.sha256(passage.encode()).hexdigest(), 16)
    return number % KEPT_GROUPS == 0


def _read(path: Path, source: str) -> list[Row]:
    rows = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            name = row["id"] if source == "source" else f"{path.stem}/{row['id']}"
            rows.append(Row(name, row["claim"], row["evidence"], row["label"] == 1, row[source]))
    return rows


def half(identifier: str) -> str:
    """A, which is for choosing, or B, which is for every figure that is reported: by the identifier alone."""
    return "A" if int(hashlib.sha256(identifier.encode()).hexdigest(), 16) % 2 == 0 else "B"


def groups_of(rows: Sequence[Row]) -> dict[str, list[int]]:
    """Which rows are measured together: each source, the sets of one collection pooled, and everything."""
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for name in _groups(row):
            groups.setdefault(name, []).append(place)
    order = sorted(groups, key=lambda name: (name == ALL, name))
    return {name: groups[name] for name in order}


def _groups(row: Row) -> Iterable[str]:
    yield ALL
    yield row.source
    if row.source.startswith(POOLED + "/"):
        yield POOLED
    if row.source == "vitaminc_real" and any(found.kind != "ordinal" for found in find_quantities(row.claim)):
        yield NUMERIC


def word_coverage(claim: str, evidence: str) -> float:
    """The baseline: which part of the claim's content words the evidence holds."""
    wanted = {term.stem for term in find_terms(claim) if not term.stop}
    held = {term.stem for term in find_terms(evidence)}
    return len(wanted & held) / max(1, len(wanted))
