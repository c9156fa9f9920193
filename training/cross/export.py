"""Write the cross-encoder as ONNX with 8-bit weights, and check that it still says the same.

python training/cross/export.py --model FILE --base FOLDER --out src/pincite/judges/entailment/weights

Products are of 8-bit numbers, with weights of 7 bits: those of the full range overflow on processors without
VNNI. Activations are scaled by the largest value of a run, so the judge runs one pair at a time.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
from model import CrossEncoder, base_weights

sys.path.insert(0, str(Path(__file__).parent.parent))
from export import round_products, round_weights

from pincite.judges.telemetry import load_onnxruntime


def read_model(path: Path, base: Path) -> CrossEncoder:
    """The averaged weights of a finished run, or of its last checkpoint."""
    model = CrossEncoder(base_weights(base))
    kept = torch.load(path, weights_only=False)
    model.load_state_dict(kept.get("average", kept), strict=False)
    return model.eval()


def export(model: CrossEncoder, path: Path) -> None:
    warnings.simplefilter("ignore")
    ids = torch.randint(1000, 20000, (1, 11))
    sides = torch.tensor([[0] * 5 + [1] * 6])
    whole = path.with_suffix(".float.onnx")
    torch.onnx.export(
        model,
        (ids, sides, torch.ones_like(ids)),
        str(whole),
        input_names=["ids", "sides", "marks"],
        output_names=["logits"],
        opset_version=17,
        dynamo=False,
        dynamic_axes={name: {1: "length"} for name in ("ids", "sides", "marks")},
    )
    round_products(whole, path)
    print(f"largest rounding error of the tables: {round_weights(path):.4f}")
    _compare(whole, path)
    whole.unlink()


def _compare(whole: Path, rounded: Path) -> None:
    """Both models on the same random pairs: how far the 8-bit logits are from the 32-bit ones."""
    generator = np.random.default_rng(1)
    sessions = [
        load_onnxruntime().InferenceSession(str(path), providers=["CPUExecutionProvider"])
        for path in (whole, rounded)
    ]
    said: list[list[np.ndarray]] = [[], []]
    for _ in range(200):
        length = int(generator.integers(12, 190))
        inputs = {
            "ids": generator.integers(1000, 20000, (1, length)),
            "sides": (np.arange(length) >= length // 4).astype(np.int64)[None],
            "marks": generator.integers(1, 5, (1, length)),
        }
        for session, found in zip(sessions, said, strict=True):
            found.append(session.run(None, inputs)[0][0])
    there, here = np.array(said[0]), np.array(said[1])
    print(f"correlation of logits: {np.corrcoef(there.ravel(), here.ravel())[0, 1]:.5f}")
    print(f"mean difference: {np.abs(there - here).mean():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    export(read_model(options.model, options.base), options.out / "model.onnx")
    shutil.copy(options.base / "tokenizer.json", options.out / "tokenizer.json")
    for file in sorted(options.out.iterdir()):
        print(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB")
