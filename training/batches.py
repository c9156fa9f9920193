"""Prepared pairs and their cached vectors, as batches of tensors."""

from __future__ import annotations

import hashlib
import pickle
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from head import FLAGS


class Rows:
    """A prepared set, or with `set/kind` the rows of it whose source begins with `made/kind`."""

    def __init__(self, work: Path, name: str, layers: tuple[int, ...] = (4, 6)) -> None:
        name, _, kind = name.partition("/")
        kept = pickle.loads((work / f"{name}.pairs").read_bytes())
        self.rows, self.ids = (
            [row for row in kept["rows"] if row[1].startswith(f"made/{kind}" if kind else "")],
            kept["ids"],
        )
        self.starts = np.concatenate([[0], np.cumsum([len(found) for found in self.ids])])
        self.layers = [np.load(work / f"{name}.l{layer}.npy", mmap_mode="r") for layer in layers]
        self.sources = np.array([row[1] for row in self.rows])
        self.labels = np.array([row[2] for row in self.rows])
        self.lengths = np.array([row[3][1] + sum(b - a for _, a, b in row[4]) for row in self.rows])
        self.features = np.stack([row[7] for row in self.rows])

    def batch(self, chosen: Iterable[int]) -> tuple[torch.Tensor, ...]:
        rows = [self.rows[i] for i in chosen]
        long_c = max(row[3][1] for row in rows)
        long_e = max(1, max(len(row[6]) for row in rows))
        size = len(rows)
        width = sum(layer.shape[1] for layer in self.layers)
        claim, evidence = (
            np.zeros((size, long_c, width), np.float32),
            np.zeros((size, long_e, width), np.float32),
        )
        claim_flags, evidence_flags = np.zeros((size, long_c), np.int32), np.zeros((size, long_e), np.int32)
        claim_mask, evidence_mask = np.zeros((size, long_c), np.float32), np.zeros((size, long_e), np.float32)
        claim_ids, evidence_ids = np.full((size, long_c), -1), np.full((size, long_e), -2)
        for n, row in enumerate(rows):
            text, last = row[3]
            self._fill(claim[n], claim_ids[n], text, 0, last, 0)
            claim_flags[n, :last], claim_mask[n, :last] = row[5], 1
            place = 0
            for text, first, end in row[4]:
                self._fill(evidence[n], evidence_ids[n], text, first, end, place)
                place += end - first
            evidence_flags[n, :place], evidence_mask[n, :place] = row[6], 1
            if not place:
                evidence_mask[n, 0] = 1
        same = (claim_ids[:, :, None] == evidence_ids[:, None, :]).astype(np.float32)
        arrays = (claim, bits(claim_flags), claim_mask, evidence, bits(evidence_flags), evidence_mask, same)
        return tuple(torch.from_numpy(array) for array in arrays)

    def _fill(self, into: np.ndarray, ids: np.ndarray, text: int, first: int, last: int, place: int) -> None:
        start = self.starts[text]
        column = 0
        for layer in self.layers:
            into[place : place + last - first, column : column + layer.shape[1]] = layer[
                start + first : start + last
            ]
            column += layer.shape[1]
        ids[place : place + last - first] = self.ids[text][first:last]


def bits(flags: np.ndarray) -> np.ndarray:
    return ((flags[..., None] >> np.arange(FLAGS)) & 1).astype(np.float32)


def half(identifier: str) -> str:
    return "A" if int(hashlib.sha256(identifier.encode()).hexdigest(), 16) % 2 == 0 else "B"


def shuffled(
    chosen: Iterable[int], lengths: Sequence[int] | np.ndarray, size: int, generator: random.Random
) -> list[list[int]]:
    """Batches of rows of about the same length, in random order."""
    chosen = list(chosen)
    generator.shuffle(chosen)
    batches = []
    for start in range(0, len(chosen), size * 64):
        near = sorted(chosen[start : start + size * 64], key=lambda i: lengths[i])
        batches += [near[i : i + size] for i in range(0, len(near), size)]
    generator.shuffle(batches)
    return batches
