"""Write the cross-encoder as ONNX with 8-bit weights, and check that it still says the same.

    python training/export.py --model FILE --base FOLDER --data FOLDER \\
        --out src/pincite/judges/entailment/weights

Products are of 8-bit numbers, with weights of 7 bits: those of the full range overflow on processors without
VNNI. Activations are scaled by the largest value of a run, so the judge runs one pair at a time.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from model import CrossEncoder
from onnx import TensorProto, helper, numpy_helper
from relevance import fit_relevance
from safetensors.torch import load_file
from torch import nn

from base import base_weights
from pincite.judges import load_onnxruntime

SMALLEST = 4096
"""Smaller tensors are kept as they are."""


def read_model(path: Path, base: Path) -> CrossEncoder:
    """The averaged weights of a finished run, or of its last checkpoint."""
    model = CrossEncoder(base_weights(base))
    if path.suffix == ".safetensors":
        kept = {name: values.float() for name, values in load_file(path).items()}
    else:
        kept = torch.load(path, weights_only=False)
    model.load_state_dict(kept.get("average", kept), strict=False)
    return model.eval()


class Exported(nn.Module):
    """The model with both of its outputs: the verdict, and the relevance that needs half of the layers."""

    def __init__(self, model: CrossEncoder, relevance: nn.Linear) -> None:
        super().__init__()
        self.model, self.relevance = model, relevance

    def forward(
        self, ids: torch.Tensor, sides: torch.Tensor, marks: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        logits, middle = self.model.read(ids, sides, marks)
        return logits, self.relevance(middle)


def export(model: nn.Module, path: Path) -> None:
    warnings.simplefilter("ignore")
    ids = torch.randint(1000, 20000, (1, 11))
    sides = torch.tensor([[0] * 5 + [1] * 6])
    whole = path.with_suffix(".float.onnx")
    torch.onnx.export(
        model,
        (ids, sides, torch.ones_like(ids)),
        str(whole),
        input_names=["ids", "sides", "marks"],
        output_names=["logits", "relevance"],
        opset_version=17,
        dynamo=False,
        dynamic_axes={name: {1: "length"} for name in ("ids", "sides", "marks")},
    )
    round_products(whole, path)
    print(f"largest rounding error of the tables: {round_weights(path):.4f}")
    _compare(whole, path)
    whole.unlink()


def round_weights(path: Path) -> float:
    """Put 8-bit tensors in the place of the large 32-bit ones; gives the largest relative error."""
    model = onnx.load(str(path))
    graph = model.graph
    gathered = {node.input[0]: node for node in graph.node if node.op_type == "Gather"}
    kept, added, worst = [], [], 0.0
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < SMALLEST:
            kept.append(tensor)
            continue
        name = tensor.name
        axis = 1 if name in gathered else 0
        scale = np.maximum(np.abs(values).max(axis=axis, keepdims=True), 1e-12) / 127
        rounded = np.clip(np.rint(values / scale), -127, 127).astype(np.int8)
        worst = max(worst, float(np.abs(rounded * scale - values).max() / np.abs(values).max()))
        kept.append(numpy_helper.from_array(rounded, f"{name}.8"))
        kept.append(numpy_helper.from_array(scale.astype(np.float32), f"{name}.scale"))
        if name in gathered:
            # Rows of a table are looked up first and widened after: the table stays small in memory.
            node = gathered[name]
            ids, out = node.input[1], node.output[0]
            node.input[0], node.output[0] = f"{name}.8", f"{name}.rows"
            after = [
                helper.make_node("Gather", [f"{name}.scale", ids], [f"{name}.row_scale"], axis=0),
                helper.make_node("Cast", [f"{name}.rows"], [f"{name}.wide"], to=TensorProto.FLOAT),
                helper.make_node("Mul", [f"{name}.wide", f"{name}.row_scale"], [out]),
            ]
            place = list(graph.node).index(node)
            for step, extra in enumerate(after, start=1):
                graph.node.insert(place + step, extra)
        else:
            added.append(helper.make_node("Cast", [f"{name}.8"], [f"{name}.wide"], to=TensorProto.FLOAT))
            added.append(helper.make_node("Mul", [f"{name}.wide", f"{name}.scale"], [name]))
    for number, node in enumerate(added):
        graph.node.insert(number, node)
    del graph.initializer[:]
    graph.initializer.extend(kept)
    graph.doc_string = model.doc_string = ""
    for node in graph.node:
        node.doc_string = ""
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    return worst


def round_products(whole: Path, path: Path) -> None:
    """The model of `whole` with products of 8-bit numbers and weights of 7 bits, written to `path`."""
    logging.disable(logging.WARNING)
    quantization = load_onnxruntime("onnxruntime.quantization")
    quantization.quantize_dynamic(
        str(whole),
        str(path),
        weight_type=quantization.QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=["MatMul"],
    )


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
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    model = read_model(options.model, options.base)
    relevance = fit_relevance(model, options.base, options.data)
    export(Exported(model, relevance).eval(), options.out / "model.onnx")
    shutil.copy(options.base / "tokenizer.json", options.out / "tokenizer.json")
    for file in sorted(options.out.iterdir()):
        print(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB")
