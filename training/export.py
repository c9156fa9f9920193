"""Write encoder and head as ONNX with 8-bit weights, and check that they still say the same.

The encoder multiplies 8-bit numbers, with weights of reduced range (7 bits): products of the full range
saturate on processors without VNNI. Activations are scaled by the largest of a run, so the judge runs texts
one by one. The head's weights are rounded too, and turned back into 32-bit numbers when it is loaded.

    python training/export.py --work FOLDER --head head --model MODEL_FOLDER \\
        --out src/pincite/judges/entailment/weights
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
from encode import KEPT
from encoder import Encoder, base_weights
from head import FLAGS, VECTORS, Head
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from pincite.judges.telemetry import load_onnxruntime

SMALLEST = 4096
"""Smaller tensors are kept as they are."""
INPUTS = ("claim", "claim_flags", "claim_mask", "evidence", "evidence_flags", "evidence_mask", "same")


class Vectors(nn.Module):
    """Token ids in, the vectors after the kept layers out, side by side."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.encoder.layers = self.encoder.layers[: max(KEPT)]

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return torch.cat(self.encoder(ids, KEPT), 2)


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


def run(path: Path, inputs: dict[str, np.ndarray]) -> np.ndarray:
    session = load_onnxruntime().InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found: np.ndarray = session.run(None, inputs)[0]
    return found


def export(options: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")
    options.out.mkdir(parents=True, exist_ok=True)
    vectors = Vectors(Encoder(base_weights(options.model))).eval()
    if options.tuned is not None:
        vectors.encoder.load_state_dict(
            torch.load(options.work / f"{options.tuned}.pt")["encoder"], strict=False
        )
    kept = torch.load(options.work / f"{options.head}.pt")
    head = Head(**kept["settings"]).eval()
    head.load_state_dict(kept["weights"])

    path = options.out / "encoder.onnx"
    ids = torch.randint(1000, 20000, (2, 11))
    torch.onnx.export(
        vectors,
        (ids,),
        str(path),
        input_names=["ids"],
        output_names=["vectors"],
        opset_version=17,
        dynamo=False,
        dynamic_axes={"ids": {0: "batch", 1: "length"}, "vectors": {0: "batch", 1: "length"}},
    )
    whole = options.out / "encoder.float.onnx"
    path.rename(whole)
    round_products(whole, path)
    whole.unlink()
    print(f"encoder: largest rounding error of the tables {round_weights(path):.4f}")
    ids = torch.randint(1000, 20000, (3, 40))
    there, here = vectors(ids).detach().numpy(), run(path, {"ids": ids.numpy()})
    print(f"encoder: correlation of vectors {np.corrcoef(there.ravel(), here.ravel())[0, 1]:.6f}")

    path = options.out / "head.onnx"
    sample = (
        torch.randn(2, 5, VECTORS),
        torch.zeros(2, 5, FLAGS),
        torch.ones(2, 5),
        torch.randn(2, 7, VECTORS),
        torch.zeros(2, 7, FLAGS),
        torch.ones(2, 7),
        torch.zeros(2, 5, 7),
    )
    axes = {
        name: {0: "batch", 1: "claim"} if name.startswith("claim") else {0: "batch", 1: "evidence"}
        for name in INPUTS
    }
    axes["same"] = {0: "batch", 1: "claim", 2: "evidence"}
    torch.onnx.export(
        head,
        sample,
        str(path),
        input_names=list(INPUTS),
        output_names=["logits", "alike"],
        opset_version=17,
        dynamo=False,
        dynamic_axes={**axes, "logits": {0: "batch"}, "alike": {0: "batch"}},
    )
    print(f"head: largest rounding error {round_weights(path):.4f}")
    shutil.copy(options.model / "tokenizer.json", options.out / "tokenizer.json")
    for file in sorted(options.out.iterdir()):
        print(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--head", default="head")
    parser.add_argument("--tuned", default=None)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    export(parser.parse_args())
