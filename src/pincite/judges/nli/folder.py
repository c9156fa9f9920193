"""The files of an entailment model: which of them are used, and what they say about it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from msgspec import Struct

from pincite.errors import JudgeError
from pincite.judges.nli.labels import Head, head_from_labels, labels_from_config
from pincite.judges.nli.spec import SIDE_FILE, Order, Stated, read_side_file, read_table

ONNX_NAMES = (
    "model",
    "model_quantized",
    "model_int8",
    "model_uint8",
    "model_quint8_avx2",
    "model_optimized",
    "model_fp16",
    "model_q4",
)
"""Full precision first: eight-bit activations can saturate on processors that lack instructions for them."""

WEIGHT_NAMES = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
DETAILS = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", SIDE_FILE)
"""What is needed or useful beside the weights."""

USUAL_LENGTH = 512
"""Models that can read more were mostly trained on less, and memory grows with the square of it."""

_POSITIONS_AFTER_PADDING = (
    "camembert",
    "data2vec-text",
    "ibert",
    "longformer",
    "luke",
    "mpnet",
    "roberta",
    "roberta-prelayernorm",
    "xlm-roberta",
    "xlm-roberta-xl",
    "xmod",
)
"""Families that count positions from behind the padding id, so that some of theirs are never used."""


class ModelFolder(Struct, frozen=True):
    """A model that is ready to be loaded."""

    folder: Path
    weights: Path
    kind: Literal["onnx", "torch"]
    head: Head
    order: Order
    max_length: int
    pad_id: int
    pad_type_id: int
    padding_side: Literal["left", "right"]

    @property
    def tokenizer(self) -> Path:
        return self.folder / "tokenizer.json"


def read_folder(folder: Path, stated: Stated) -> ModelFolder:
    """What is in a model's folder, or a `JudgeError` that says what is missing and how to get it."""
    stated = stated.over(read_side_file(folder))
    names = names_in(folder)
    if "tokenizer.json" not in names:
        raise JudgeError(
            f"{folder}: there is no tokenizer.json. Save one with the transformers library: "
            f"AutoTokenizer.from_pretrained({str(folder)!r}).save_pretrained({str(folder)!r}), "
            "or copy it from the model's origin"
        )
    weights, kind = choose_weights(names, stated.file, str(folder))
    config = read_table(folder / "config.json") if "config.json" in names else {}
    settings = read_table(folder / "tokenizer_config.json") if "tokenizer_config.json" in names else {}
    tokenizer = read_table(folder / "tokenizer.json")
    said = tokenizer.get("padding")
    padding: dict[str, Any] = said if isinstance(said, dict) else {}
    pad_id = _pad_id(config, settings, tokenizer, padding)
    side = settings.get("padding_side") or str(padding.get("direction", "right")).casefold()
    return ModelFolder(
        folder,
        folder / weights,
        kind,
        _head(folder, config, stated),
        stated.order or "evidence-first",
        _max_length(config, settings, pad_id, stated, folder),
        pad_id,
        _whole_number(padding.get("pad_type_id")) or 0,
        "left" if side == "left" else "right",
    )


def names_in(folder: Path) -> set[str]:
    """The files of the folder and of its subfolder `onnx`, with slashes."""
    try:
        return {
            path.relative_to(folder).as_posix()
            for place in (folder, folder / "onnx")
            if place.is_dir()
            for path in place.iterdir()
            if path.is_file()
        }
    except OSError as error:
        raise JudgeError(f"{folder}: cannot be read: {error.strerror or error}") from None


def choose_weights(
    names: Collection[str], stated: str | None, origin: str
) -> tuple[str, Literal["onnx", "torch"]]:
    """Which of these files holds the weights that will be used."""
    if stated is not None:
        if stated not in names:
            raise JudgeError(f"{origin}: there is no file {stated!r}; there are {_listed(names)}")
        return stated, "onnx" if stated.endswith(".onnx") else "torch"
    for stem in ONNX_NAMES:
        for folder in ("", "onnx/"):
            if f"{folder}{stem}.onnx" in names:
                return f"{folder}{stem}.onnx", "onnx"
    others = sorted(name for name in names if PurePosixPath(name).suffix == ".onnx")
    if len(others) == 1:
        return others[0], "onnx"
    if others:
        raise JudgeError(f"{origin}: holds several models; choose one with ?file=: {_listed(others)}")
    for name in WEIGHT_NAMES:
        if name in names:
            return name, "torch"
    raise JudgeError(
        f"{origin}: holds no model.onnx, onnx/model.onnx, model.safetensors or pytorch_model.bin. "
        "Export one with `optimum-cli export onnx --task text-classification --model MODEL FOLDER`"
    )


def _listed(names: Collection[str]) -> str:
    shown = sorted(names)[:12]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "") if shown else "no files"


def _head(folder: Path, config: dict[str, Any], stated: Stated) -> Head:
    if stated.labels is not None:
        return head_from_labels(stated.labels, "labels")
    origin = str(folder / "config.json")
    return head_from_labels(labels_from_config(config, origin), origin)


def _max_length(
    config: dict[str, Any], settings: dict[str, Any], pad_id: int, stated: Stated, folder: Path
) -> int:
    positions = _whole_number(config.get("max_position_embeddings")) or _whole_number(
        config.get("n_positions")
    )
    if positions and config.get("model_type") in _POSITIONS_AFTER_PADDING:
        positions -= pad_id + 1
    # Tokenizers that know no limit write an astronomical number.
    limits = [limit for limit in (positions, _whole_number(settings.get("model_max_length"))) if limit]
    most = min((limit for limit in limits if limit < 10_000_000), default=None)
    if stated.max_length is None:
        return min(most or USUAL_LENGTH, USUAL_LENGTH)
    if positions and stated.max_length > positions:
        raise JudgeError(
            f"{folder}: max_length={stated.max_length}, but the model reads {positions} tokens at most"
        )
    return stated.max_length


def _pad_id(
    config: dict[str, Any], settings: dict[str, Any], tokenizer: dict[str, Any], padding: dict[str, Any]
) -> int:
    """The token that fills up short rows, from the first file that names it."""
    token = settings.get("pad_token")
    token = token.get("content") if isinstance(token, dict) else token
    for added in tokenizer.get("added_tokens") or ():
        if isinstance(added, dict) and token is not None and added.get("content") == token:
            number = _whole_number(added.get("id"))
            if number is not None:
                return number
    for given in (config.get("pad_token_id"), padding.get("pad_id")):
        number = _whole_number(given)
        if number is not None:
            return number
    return 0


def _whole_number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or value < 0:
        return None
    return int(min(value, 1e15))


def fingerprint(model: ModelFolder) -> str:
    """A short hash of everything that changes what the model says: its files, labels, order and length."""
    digest = hashlib.sha256()
    parts = [model.tokenizer, model.weights, *sorted(model.folder.glob("*.safetensors"))]
    parts += sorted(model.weights.parent.glob(model.weights.name + "[_.]*"))
    for path in dict.fromkeys(parts):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    digest.update(repr((model.head.roles, model.order, model.max_length)).encode())
    return digest.hexdigest()[:8]
