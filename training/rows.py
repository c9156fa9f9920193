"""Labelled rows as the cross-encoder reads them: claim and evidence in one text, cut into tokens once.

python training/rows.py --data FOLDER --base FOLDER --out FILE

Rows come from `nli/` and `support/` of the data folder, and from `training/data/written`. Every tenth written
group is kept for development, and so is `support/dev.jsonl`. One array holds all tokens, to save memory.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from altered import alter
from tokenizers import Tokenizer

from pincite.judges import CLAIM_TOKENS, TOKENS, CutIntoTokens, ReadText, choose_excerpt, cover

SUPPORTED, CONTRADICTED, NOT_ENOUGH, ONLY_NOT = 0, 1, 2, 3
"""`ONLY_NOT`: known not to be supported, but not which of the other two it is."""
NAMES = {"supported": SUPPORTED, "contradicted": CONTRADICTED, "not_enough": NOT_ENOUGH, None: ONLY_NOT}
LETTERS = {"S": SUPPORTED, "C": CONTRADICTED, "N": NOT_ENOUGH}
WRITTEN = Path(__file__).parent / "data" / "written"
KEPT_GROUPS = 10
"""One written group in so many is kept for development."""
COUNTED_FILES = 13
"""In the first files every tenth group is kept, by its number. In later ones a hash of the first passage
decides, so that adding a file moves no group."""
CLS, SEP = 101, 102
NOT_TRAINED = {"AttributionBench", "healthver"}
"""Sets without a stated licence: measured on, never trained on."""


class Row(NamedTuple):
    claim: str
    evidence: str
    label: int
    source: str
    group: int
    """Rows of one written group share a number; -1 elsewhere."""
    part: str
    """`train`, `A` or `B` of the development rows, or `written` for the groups kept aside."""


def read_rows(data: Path) -> Iterator[Row]:
    for path in sorted((data / "nli").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                label = SUPPORTED if row["label"] == 1 else NAMES[row.get("three")]
                yield Row(row["claim"], row["evidence"], label, path.name.split(".")[0], -1, "train")
    for name in ("train", "dev"):
        for line in (data / "support" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            label = SUPPORTED if row["label"] == 1 else NAMES[row.get("verdict")]
            part = "train" if name == "train" else half(row["id"])
            yield Row(row["claim"], row["evidence"], label, row["source"].split("/")[0], -1, part)
    number = 0
    for path in sorted(WRITTEN.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            group = json.loads(line)
            part = "written" if is_kept(path.name, number, group["a"]) else "train"
            for claim, kind, *letters in group["claims"]:
                for passage, letter in zip((group["a"], group["b"]), letters, strict=True):
                    yield Row(claim, passage, LETTERS[letter], f"written/{kind}", number, part)
            number += 1


def altered_rows(rows: list[Row]) -> list[Row]:
    """Supported training claims with one value exchanged."""
    generator = random.Random(1)
    found = []
    for row in rows:
        if row.part == "train" and row.label == SUPPORTED:
            claim = alter(row.claim, row.evidence, generator)
            if claim is not None:
                found.append(row._replace(claim=claim, label=CONTRADICTED, source="altered", group=-1))
    return found


def is_kept(file: str, number: int, passage: str) -> bool:
    """Whether a written group is kept for development."""
    if int(file[:2]) > COUNTED_FILES:
        number = int(hashlib.sha256(passage.encode()).hexdigest(), 16)
    return number % KEPT_GROUPS == 0


def half(row_id: str) -> str:
    """Half A chooses and calibrates, half B is reported."""
    return "AB"[int(hashlib.sha256(row_id.encode()).hexdigest(), 16) % 2]


def best_of(row: Row, tokens_of: CutIntoTokens) -> tuple[int, ...]:
    """Of evidence that is too long, what the judge would show."""
    claim, evidence = ReadText(row.claim), ReadText(row.evidence)
    ranked = cover(claim, [evidence], [frozenset()]).sentences
    return choose_excerpt(claim, [evidence], [""], ranked, tokens_of).evidence


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rows = [row for row in read_rows(options.data) if row.part != "train" or row.source not in NOT_TRAINED]
    rows += altered_rows(rows)
    tokenizer = Tokenizer.from_file(str(options.base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def cut(texts: list[str]) -> list[list[int]]:
        return [found.ids for found in tokenizer.encode_batch(texts, add_special_tokens=False)]

    @lru_cache(maxsize=100_000)
    def tokens_of(text: str) -> tuple[int, ...]:
        return tuple(cut([text])[0])

    tokens, starts, claims = [], [0], []
    for first in range(0, len(rows), 10_000):
        some = rows[first : first + 10_000]
        for row, claim, evidence in zip(
            some, cut([row.claim for row in some]), cut([row.evidence for row in some]), strict=True
        ):
            claim = claim[:CLAIM_TOKENS]
            if len(claim) + len(evidence) + 3 > TOKENS:
                evidence = list(best_of(row, tokens_of))
            ids = [CLS, *claim, SEP, *evidence, SEP]
            tokens.append(np.array(ids, np.uint16))
            starts.append(starts[-1] + len(ids))
            claims.append(len(claim) + 2)
    sources = sorted({row.source for row in rows})
    parts = ["train", "A", "B", "written"]
    np.savez(
        options.out,
        tokens=np.concatenate(tokens),
        starts=np.array(starts, np.int64),
        claims=np.array(claims, np.uint8),
        labels=np.array([row.label for row in rows], np.uint8),
        groups=np.array([row.group for row in rows], np.int32),
        sources=np.array([sources.index(row.source) for row in rows], np.uint8),
        source_names=np.array(sources),
        parts=np.array([parts.index(row.part) for row in rows], np.uint8),
    )
    print(f"{len(rows):,} rows, {starts[-1]:,} tokens")


if __name__ == "__main__":
    main()
