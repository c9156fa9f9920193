"""What a user says about an entailment model, and what the model's own files say.

    nli:FOLDER
    nli:OWNER/MODEL@REVISION
    nli:FOLDER?labels=entailment/neutral/contradiction&order=claim-first
    nli:minicheck

The same keys may be in a file `pincite.json` beside the model. What the name says wins.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from pincite.errors import JudgeError
from pincite.judges.nli.labels import Head, head_from_labels, labels_from_config
from pincite.judges.nli.untrusted import why_not_tokenized
from pincite.text import word_list, word_set

Order = Literal["evidence-first", "claim-first"]

SIDE_FILE = "pincite.json"
MOST_BYTES = 4 * 1024 * 1024
MOST_TOKENIZER_BYTES = 64 * 1024 * 1024
"""The largest vocabularies in use take half of it."""
KEYS = ("labels", "order", "file", "max_length")


class Stated(Struct, frozen=True, forbid_unknown_fields=True):
    """What was said about a model; None where nothing was."""

    labels: tuple[str, ...] | None = None
    """What the outputs mean, in their order."""
    order: Order | None = None
    """Which text the model reads first: NLI models mostly the evidence (the premise)."""
    file: str | None = None
    """The file of weights, as seen from the model's folder."""
    max_length: int | None = None
    """The most tokens of claim and evidence that the model is given at once."""

    def over(self, other: Stated) -> Stated:
        """These statements, and the other's where there are none."""
        said = {key: getattr(self, key) for key in KEYS if getattr(self, key) is not None}
        return msgspec.structs.replace(other, **said)


_NLI_LABELS = ("contradiction", "entailment", "neutral")
SHORT_NAMES = {
    "deberta-xsmall": ("cross-encoder/nli-deberta-v3-xsmall", Stated(_NLI_LABELS, "evidence-first")),
    "deberta-base": ("cross-encoder/nli-deberta-v3-base", Stated(_NLI_LABELS, "evidence-first")),
    "deberta-large": ("cross-encoder/nli-deberta-v3-large", Stated(_NLI_LABELS, "evidence-first")),
    "minicheck": (
        "lytang/MiniCheck-DeBERTa-v3-Large",
        Stated(("unsupported", "supported"), "evidence-first"),
    ),
}
"""Well-known models of the hub, with what their files leave open; `docs/judges.md` tells more of each."""


def read_name(rest: str) -> tuple[str, Stated]:
    """What follows `nli:`, as the model's place and what is said about it."""
    if not rest.strip():
        raise JudgeError("nli: names no model: write nli:FOLDER, or nli:OWNER/MODEL for one of the hub")
    if "?" not in rest or existing(rest):
        return _known_model(rest, Stated())
    place, _, query = rest.rpartition("?")
    values: dict[str, Any] = {}
    for part in query.split("&"):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if key not in KEYS or not equals:
            raise JudgeError(f"nli:{rest}: {part!r} is not understood; after the ? use {_known()}")
        if key in values:
            raise JudgeError(f"nli:{rest}: {key} is given twice")
        text = unquote(value).strip()
        values[key] = (
            [label.strip() for label in text.replace("/", ",").split(",")] if key == "labels" else text
        )
    return _known_model(place, _stated(values, f"nli:{rest}"))


def _known_model(place: str, stated: Stated) -> tuple[str, Stated]:
    """A short name as the model that it stands for; a folder of that name is meant first."""
    name, at, revision = place.partition("@")
    if name not in SHORT_NAMES or existing(place):
        return place, stated
    model, known = SHORT_NAMES[name]
    return f"{model}{at}{revision}", stated.over(known)


def existing(place: str) -> Path | None:
    """The path, when there is something at it."""
    try:
        path = Path(place).expanduser()
        return path if path.exists() else None
    except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, no home
        return None


def read_side_file(folder: Path) -> Stated:
    """What `pincite.json` says about the model beside it."""
    path = folder / SIDE_FILE
    return _stated(read_table(path), str(path)) if path.is_file() else Stated()


def _stated(values: dict[str, Any], origin: str) -> Stated:
    try:
        stated = msgspec.convert(values, Stated, strict=False)
    except msgspec.ValidationError as error:
        message = str(error).replace("`", "")
        raise JudgeError(f"{origin}: {message}; a model is described by {_known()}") from None
    if stated.max_length is not None and stated.max_length < 16:
        raise JudgeError(f"{origin}: max_length is at least 16 tokens, not {stated.max_length}")
    return stated


def refuse_outside(folder: Path, file: Path) -> None:
    """A `JudgeError` for a file that is not in the folder, or a link out of it.

    The links of the hub's cache lead to its `blobs`, beside the folders of its snapshots.
    """
    here = Path(os.path.realpath(folder))
    allowed = [here, here.parent.parent / "blobs"] if here.parent.name == "snapshots" else [here]
    place = Path(os.path.realpath(file))
    if not any(place.is_relative_to(root) for root in allowed):
        raise JudgeError(
            f"{file}: leads out of the model's folder, to {place}; put the file itself into the folder"
        )


def _known() -> str:
    return (
        "labels=entailment/neutral/contradiction, order=evidence-first or claim-first, "
        "file=onnx/model.onnx, max_length=512"
    )


def read_table(path: Path, most: int = MOST_BYTES) -> dict[str, Any]:
    """The JSON object in a file of the model's folder."""
    refuse_outside(path.parent, path)
    try:
        size = path.stat().st_size
        if size > most:
            raise JudgeError(f"{path}: has {size:,} bytes, and {most:,} at most are read; get the file again")
        value = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise JudgeError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise JudgeError(f"{path}: is not valid JSON ({error}); get the file again") from None
    if not isinstance(value, dict):
        raise JudgeError(f"{path}: holds no JSON object; get the file again")
    return value


ONNX_NAMES = word_list(
    "model model_quantized model_int8 model_uint8 model_quint8_avx2 model_optimized model_fp16 model_q4"
)
"""Full precision first: eight-bit activations can saturate on processors that lack instructions for them."""

WEIGHT_NAMES = word_list(
    "model.safetensors model.safetensors.index.json pytorch_model.bin pytorch_model.bin.index.json"
)
DETAILS = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", SIDE_FILE)
"""What is needed or useful beside the weights."""

USUAL_LENGTH = 512
"""Models that can read more were mostly trained on less, and memory grows with the square of it."""

_POSITIONS_AFTER_PADDING = word_set(
    "camembert data2vec-text ibert longformer luke mpnet roberta roberta-prelayernorm xlm-roberta "
    "xlm-roberta-xl xmod"
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
    for name in names:
        refuse_outside(folder, folder / name)
    if "tokenizer.json" not in names:
        raise JudgeError(
            f"{folder}: there is no tokenizer.json. Save one with the transformers library: "
            f"AutoTokenizer.from_pretrained({str(folder)!r}).save_pretrained({str(folder)!r}), "
            "or copy it from the model's origin"
        )
    weights, kind = choose_weights(names, stated.file, str(folder))
    config = read_table(folder / "config.json") if "config.json" in names else {}
    settings = read_table(folder / "tokenizer_config.json") if "tokenizer_config.json" in names else {}
    tokenizer = read_table(folder / "tokenizer.json", MOST_TOKENIZER_BYTES)
    why = why_not_tokenized(tokenizer)
    if why is not None:
        raise JudgeError(
            f"{folder / 'tokenizer.json'}: {why}, which may take for ever; use another tokenizer"
        )
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
    stands_in = _whole_number(config.get("n_positions"))
    positions = _whole_number(config.get("max_position_embeddings")) or stands_in
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
    added = [one for one in tokenizer.get("added_tokens") or () if isinstance(one, dict)]
    named = [one.get("id") for one in added if token is not None and one.get("content") == token]
    numbers = map(_whole_number, (*named, config.get("pad_token_id"), padding.get("pad_id")))
    return next((number for number in numbers if number is not None), 0)


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
