"""Rounded numbers must not change what the built-in judge says: alone, among others, or in 32 bits."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from pincite.judges import (
    WEIGHTS,
    EntailmentModel,
    Read,
    TextCache,
    decide,
    load_join,
    load_onnxruntime,
    open_judge,
    read_for_model,
)
from pincite.records import Pair, Passage

HERE = Path(__file__).parent


def pairs() -> list[Pair]:
    lines = (HERE / "planted_set.jsonl").read_text(encoding="utf-8").splitlines()[::11]
    return [Pair(row["claim"], (Passage(row["evidence"]),)) for row in map(json.loads, lines)]


def scores(asked: list[Pair]) -> list[float]:
    return [verdict.score or 0.0 for verdict in asyncio.run(open_judge("entailment").judge(asked))]


def in_32_bits() -> bytes:
    """The shipped model with plain products of its weights in the place of 8-bit ones."""
    model = onnx.load(WEIGHTS / "model.onnx")
    graph = model.graph
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    made_by = {name: node for node in graph.node for name in node.output}
    users: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    plain, gone = {}, []
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        given = made_by[node.input[0]].input[0]
        name = node.input[1].removesuffix("_quantized")
        weights = held[node.input[1]].astype(np.float32) - held[node.input[3]].astype(np.float32)
        graph.initializer.append(numpy_helper.from_array(weights * held[f"{name}_scale"], f"{name}.plain"))
        scaled = users[users[node.output[0]][0].output[0]][0]
        plain[scaled.output[0]] = helper.make_node("MatMul", [given, f"{name}.plain"], [scaled.output[0]])
        gone.append(scaled.output[0])
    kept = [plain.get(node.output[0], node) for node in graph.node]
    del graph.node[:]
    graph.node.extend(kept)
    assert len(gone) == 75
    written: bytes = model.SerializeToString()
    return written


def test_a_pair_gets_the_same_score_alone_and_among_sixteen() -> None:
    asked = pairs()[:16]
    together = scores(asked)
    alone = [scores([pair])[0] for pair in asked]
    assert alone == pytest.approx(together, abs=1e-4)


def supports(model: EntailmentModel, asked: list[Pair]) -> list[float]:
    """What the judge would make of the pairs with this model."""
    reads = [read_for_model(place, pair, TextCache(), model) for place, pair in enumerate(asked)]
    found = [read for read in reads if isinstance(read, Read)]
    assert len(found) == len(asked)
    join, opinions = load_join(WEIGHTS / "join.json"), model.ask([read.shown for read in found])
    return [decide(read.observed, said, join).support for read, said in zip(found, opinions, strict=True)]


def test_8_bits_say_what_32_bits_say() -> None:
    asked, model = pairs(), EntailmentModel()
    rounded = supports(model, asked)
    model._session = load_onnxruntime().InferenceSession(in_32_bits(), providers=["CPUExecutionProvider"])
    exact = supports(model, asked)
    assert len(asked) >= 30
    assert np.corrcoef(exact, rounded)[0, 1] > 0.99
    assert np.abs(np.subtract(exact, rounded)).mean() < 0.02
    assert np.abs(np.subtract(exact, rounded)).max() < 0.1
