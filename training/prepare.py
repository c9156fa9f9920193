"""Read labelled rows as the judge reads them, encode every text once with the frozen encoder, and keep both.

python training/prepare.py --rows train.jsonl made.jsonl --name train --work FOLDER --model MODEL_FOLDER
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from pincite.judges.entailment.join import rule_features
from pincite.judges.entailment.pairs import Slice, Tokens, read_pair
from pincite.judges.rules.detectors import observe
from pincite.judges.rules.reading import ReadingRoom

VERDICTS = {"supported": 0, "contradicted": 1, "not_enough": 2}
UNSUPPORTED = 3
"""Labelled as not supported, without saying which of the two."""


def tokenizer(folder: Path) -> Callable[[str, int], Tokens]:
    cutter = Tokenizer.from_file(str(folder / "tokenizer.json"))
    cutter.no_padding()
    cutter.no_truncation()
    unknown = cutter.token_to_id("[UNK]")
    kept: dict[tuple[str, int], Tokens] = {}

    def tokenize(text: str, most: int) -> Tokens:
        if (text, most) not in kept:
            found = cutter.encode(text)
            ids = found.ids[:most]
            missing = 0 if unknown is None else ids.count(unknown)
            kept[text, most] = Tokens(tuple(ids), tuple(found.offsets[:most]), missing)
        return kept[text, most]

    return tokenize


def rows(paths: list[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


def label(row: dict[str, Any]) -> int:
    if row.get("verdict"):
        return VERDICTS[row["verdict"]]
    return 0 if row["label"] else UNSUPPORTED


def prepare(options: argparse.Namespace) -> None:
    tokenize = tokenizer(options.model)
    texts: dict[str, int] = {}
    ids: list[np.ndarray] = []
    prepared = []
    began = time.time()
    room = ReadingRoom()

    def place(piece: Slice, most: int) -> int:
        if piece.text not in texts:
            texts[piece.text] = len(ids)
            ids.append(np.array(tokenize(piece.text, most).ids, dtype=np.int32))
        return texts[piece.text]

    for row in rows(options.rows):
        evidence = row["evidence"] if isinstance(row["evidence"], list) else [row["evidence"]]
        claim, passages = room.read(row["claim"]), [room.read(text) for text in evidence]
        if not claim.terms or not any(reading.terms for reading in passages):
            continue
        observed = observe(claim, passages)
        pair = read_pair(observed, tokenize)
        asked = place(pair.claim, 128)
        shown = [(place(part, 256), part.first, part.last) for part in pair.evidence]
        prepared.append(
            (
                row["id"],
                row["source"],
                label(row),
                (asked, pair.claim.last),
                shown,
                np.array(pair.claim.flags, dtype=np.int32),
                np.array([flag for part in pair.evidence for flag in part.flags], dtype=np.int32),
                np.array(list(rule_features(observed).values()), dtype=np.float32),
            )
        )
        if len(prepared) % 5000 == 0:
            print(f"{len(prepared)} rows, {len(ids)} texts, {time.time() - began:.0f} s", flush=True)
    options.work.mkdir(parents=True, exist_ok=True)
    with (options.work / f"{options.name}.pairs").open("wb") as kept:
        pickle.dump({"rows": prepared, "ids": ids}, kept)
    tokens = sum(len(found) for found in ids)
    print(f"{len(prepared)} rows, {len(ids)} texts, {tokens} tokens, {time.time() - began:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, nargs="+", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    prepare(parser.parse_args())
