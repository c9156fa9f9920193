"""Encode the texts of prepared pairs with the frozen base, and keep the vectors after two of its layers.

python training/encode.py --name train --work FOLDER --model MODEL_FOLDER
"""

from __future__ import annotations

import argparse
import pickle
import time
from pathlib import Path

import numpy as np
import torch
from encoder import WIDTH, Encoder, base_weights

KEPT = (4, 6)
"""After the fourth layer words are still themselves; after the sixth they carry the sentence."""
TOKENS_A_BATCH = 4096


def reuse(
    options: argparse.Namespace, ids: list[np.ndarray], starts: np.ndarray, files: list[np.memmap]
) -> set[int]:
    """Copy the vectors of texts that another set has already, since spacing does not change the ids."""
    if options.have is None:
        return set()
    theirs = pickle.loads((options.work / f"{options.have}.pairs").read_bytes())["ids"]
    begins = np.concatenate([[0], np.cumsum([len(found) for found in theirs])])
    place = {found.tobytes(): i for i, found in enumerate(theirs)}
    vectors = [np.load(options.work / f"{options.have}.l{layer}.npy", mmap_mode="r") for layer in KEPT]
    known = set()
    for i, found in enumerate(ids):
        j = place.get(found.tobytes())
        if j is not None:
            for file, there in zip(files, vectors, strict=True):
                file[starts[i] : starts[i + 1]] = there[begins[j] : begins[j + 1]]
            known.add(i)
    print(f"{len(known)} of {len(ids)} texts known from {options.have}", flush=True)
    return known


def open_file(options: argparse.Namespace, layer: int, tokens: int) -> np.memmap:
    """The file of a layer's vectors; the first of several processes makes it, the others wait for it."""
    path = options.work / f"{options.name}.l{layer}.npy"
    if options.part == 0:
        made = path.with_suffix(".new")
        np.lib.format.open_memmap(made, "w+", np.float16, (tokens, WIDTH)).flush()
        made.rename(path)
    while not path.exists():
        time.sleep(1)
    return np.lib.format.open_memmap(path, "r+")


def encode(options: argparse.Namespace) -> None:
    torch.set_num_threads(options.threads)
    encoder = Encoder(base_weights(options.model)).eval()
    ids = pickle.loads((options.work / f"{options.name}.pairs").read_bytes())["ids"]
    starts = np.concatenate([[0], np.cumsum([len(found) for found in ids])])
    files = [open_file(options, layer, int(starts[-1])) for layer in KEPT]
    known = reuse(options, ids, starts, files)
    order = sorted((i for i in range(len(ids)) if i not in known), key=lambda i: len(ids[i]))
    twins: dict[bytes, list[int]] = {}
    for i in order:
        twins.setdefault(ids[i].tobytes(), []).append(i)
    order = [i for i in order if twins[ids[i].tobytes()][0] == i]
    order = order[options.part :: options.parts]
    began, done, place = time.time(), 0, 0
    with torch.inference_mode():
        while place < len(order):
            size = max(1, min(256, TOKENS_A_BATCH // len(ids[order[min(place + 63, len(order) - 1)]])))
            batch = order[place : place + size]
            width = max(len(ids[i]) for i in batch)
            padded = torch.zeros(len(batch), width, dtype=torch.long)
            for row, i in enumerate(batch):
                padded[row, : len(ids[i])] = torch.from_numpy(ids[i].astype(np.int64))
            for file, vectors in zip(files, encoder(padded, KEPT), strict=True):
                kept = vectors.half().numpy()
                for row, i in enumerate(batch):
                    for twin in twins[ids[i].tobytes()]:
                        file[starts[twin] : starts[twin + 1]] = kept[row, : len(ids[i])]
            place += size
            done += len(batch)
            if place // 10000 != (place - size) // 10000:
                print(f"{done} of {len(order)} texts, {time.time() - began:.0f} s", flush=True)
    for file in files:
        file.flush()
    print(f"{len(ids)} texts, {time.time() - began:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--have", default=None, help="a set that is encoded already")
    parser.add_argument("--part", type=int, default=0, help="which share of the texts this process encodes")
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    encode(parser.parse_args())
