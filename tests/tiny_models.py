"""Tiny entailment models, made on the spot, whose answers can be worked out by hand.

They count words. A claim is entailed by evidence that holds all its words; a claim that says "not" where the
evidence does not, or the other way round, is contradicted by evidence that holds most of its words.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

THREE = ("entailment", "neutral", "contradiction")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = (
    "a an and are bridge built by city closed cost cows council did doctors drink eat fish four grass in is "
    "it many mayor million most not of often old on opened people rain rained river said seven she sleep "
    "snow tea the they this three to town train trees two was water were 1990 1995 2001 . ,"
)
VOCABULARY = {word: index for index, word in enumerate((*SPECIAL, *WORDS.split()))}
ENTAILED_FROM = 0.9
"""The share of a claim's words that evidence has to hold."""


def make_model(
    folder: Path,
    labels: Sequence[str] = THREE,
    *,
    types: bool = True,
    mask: bool = True,
    claim_first: bool = False,
    file: str = "model.onnx",
    batch: int | str = "rows",
    length: int | str = "tokens",
    spoil: float | None = None,
    **config: object,
) -> Path:
    """A folder with a model, its tokenizer and its configuration."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    save(_graph(labels, types, mask, claim_first, batch, length, spoil), str(folder / file))
    make_tokenizer().save(str(folder / "tokenizer.json"))
    table = {
        "model_type": "bert",
        "max_position_embeddings": 64,
        "pad_token_id": VOCABULARY["[PAD]"],
        "id2label": {str(index): label for index, label in enumerate(labels)},
        **config,
    }
    (folder / "config.json").write_text(json.dumps(table))
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"pad_token": "[PAD]", "model_max_length": 1e30})
    )
    return folder


def make_tokenizer() -> Tokenizer:
    """One token a known word, lower-cased, framed as BERT frames a pair."""
    tokenizer = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", VOCABULARY["[CLS]"]), ("[SEP]", VOCABULARY["[SEP]"])],
    )
    return tokenizer


def _graph(
    labels: Sequence[str],
    types: bool,
    mask: bool,
    claim_first: bool,
    batch: int | str,
    length: int | str,
    spoil: float | None,
) -> object:
    size = len(VOCABULARY)
    known = np.ones(size, np.float32)
    known[: len(SPECIAL)] = 0
    known[[VOCABULARY["."], VOCABULARY[","]]] = 0
    denies = np.zeros((size, 1), np.float32)
    denies[VOCABULARY["not"]] = 1
    # Each label's raw output is a sum of: the share of words held, a differing "not", and a constant.
    weights = {
        "entailment": (20.0, -20.0, -20.0 * ENTAILED_FROM),
        "neutral": (0.0, 0.0, 0.0),
        "contradiction": (6.0, 12.0, -12.0),
        "not_entailment": (0.0, 0.0, 0.0),
    }
    rows = np.array([weights[_plain(label)] for label in labels], np.float32)
    constants = {
        "words": np.diag(known),
        "denies": denies,
        "one": np.array(1, np.float32),
        "tokens_axis": np.array([1], np.int64),
        "separator": np.array(VOCABULARY["[SEP]"], np.int64),
        "axis": np.array(1, np.int64),
        "weights": rows[:, :2].T.copy(),
        "constants": rows[:, 2],
        "spoil": np.array(1.0 if spoil is None else spoil, np.float32),
    }
    node = helper.make_node
    nodes = [node("Gather", ["words", "input_ids"], ["hot"])]
    if mask:
        nodes += [
            node("Cast", ["attention_mask"], ["seen"], to=TensorProto.FLOAT),
            node("Unsqueeze", ["seen", "last_axis"], ["seen3"]),
            node("Mul", ["hot", "seen3"], ["shown"]),
        ]
    else:
        nodes += [node("Identity", ["hot"], ["shown"])]
    constants["last_axis"] = np.array([2], np.int64)
    if types:
        nodes += [node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT)]
    else:
        nodes += [
            node("Equal", ["input_ids", "separator"], ["ends"]),
            node("Cast", ["ends"], ["ends_f"], to=TensorProto.FLOAT),
            node("CumSum", ["ends_f", "axis"], ["ended"], exclusive=1),
            node("Min", ["ended", "one"], ["second"]),
        ]
    claim, evidence = ("bag_first", "bag_second") if claim_first else ("bag_second", "bag_first")
    nodes += [
        node("Sub", ["one", "second"], ["first"]),
        *(
            made
            for part in ("first", "second")
            for made in (
                node("Unsqueeze", [part, "last_axis"], [f"{part}3"]),
                node("Mul", ["shown", f"{part}3"], [f"{part}_words"]),
                node("ReduceSum", [f"{part}_words", "tokens_axis"], [f"{part}_sum"], keepdims=0),
                node("Min", [f"{part}_sum", "one"], [f"bag_{part}"]),
            )
        ),
        node("Mul", [claim, evidence], ["shared"]),
        node("ReduceSum", ["shared", "tokens_axis"], ["shared_count"], keepdims=1),
        node("ReduceSum", [claim, "tokens_axis"], ["claim_count"], keepdims=1),
        node("Max", ["claim_count", "one"], ["claim_least"]),
        node("Div", ["shared_count", "claim_least"], ["share"]),
        node("MatMul", [claim, "denies"], ["claim_denies"]),
        node("MatMul", [evidence, "denies"], ["evidence_denies"]),
        node("Sub", ["claim_denies", "evidence_denies"], ["differ"]),
        node("Abs", ["differ"], ["flip"]),
        node("Concat", ["share", "flip"], ["signals"], axis=1),
        node("MatMul", ["signals", "weights"], ["weighed"]),
        node("Add", ["weighed", "constants"], ["raw"]),
        node("Mul", ["raw", "spoil"], ["logits"]),
    ]
    names = ["input_ids", *(["attention_mask"] if mask else []), *(["token_type_ids"] if types else [])]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [batch, length]) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [batch, len(labels)])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    checker.check_model(model)
    return model


def _plain(label: str) -> str:
    """Which of the four meanings a label of a test has."""
    meanings = {
        "supported": "entailment",
        "entailed": "entailment",
        "contradictory": "contradiction",
        "unsupported": "not_entailment",
        "label_0": "entailment",
        "label_1": "neutral",
        "label_2": "contradiction",
    }
    return meanings.get(label.lower(), label.lower())
