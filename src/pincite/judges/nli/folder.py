"""What is in the folder of an entailment model: which files, how it reads, and what its outputs mean.

Labels are read from the model's own files, or stated by the user; they are never guessed.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pincite.errors import JudgeError
from pincite.judges.nli.place import SIDE_FILE, Order, Stated, choose_weights, names_in, stated_values
from pincite.judges.nli.untrusted import why_not_tokenized
from pincite.stats import sigmoid
from pincite.text import word_set

MOST_BYTES = 4 * 1024 * 1024
MOST_TOKENIZER_BYTES = 64 * 1024 * 1024
"""The largest vocabularies in use take half of it."""


def _read_side_file(folder: Path) -> Stated:
    """What `pincite.json` says about the model beside it."""
    path = folder / SIDE_FILE
    return stated_values(_read_table(path), str(path)) if path.is_file() else Stated()


def require_inside(folder: Path, file: Path) -> None:
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


def _read_table(path: Path, most: int = MOST_BYTES) -> dict[str, Any]:
    """The JSON object in a file of the model's folder."""
    require_inside(path.parent, path)
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


def read_model_folder(folder: Path, stated: Stated) -> ModelFolder:
    """What is in a model's folder, or a `JudgeError` that says what is missing and how to get it."""
    stated = stated.over(_read_side_file(folder))
    names = names_in(folder)
    for name in names:
        require_inside(folder, folder / name)
    if "tokenizer.json" not in names:
        raise JudgeError(
            f"{folder}: there is no tokenizer.json. Save one with the transformers library: "
            f"AutoTokenizer.from_pretrained({str(folder)!r}).save_pretrained({str(folder)!r}), "
            "or copy it from the model's origin"
        )
    weights, kind = choose_weights(names, stated.file, str(folder))
    config = _read_table(folder / "config.json") if "config.json" in names else {}
    settings = _read_table(folder / "tokenizer_config.json") if "tokenizer_config.json" in names else {}
    tokenizer = _read_table(folder / "tokenizer.json", MOST_TOKENIZER_BYTES)
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


def _head(folder: Path, config: dict[str, Any], stated: Stated) -> Head:
    if stated.labels is not None:
        return _head_from_labels(stated.labels, "labels")
    origin = str(folder / "config.json")
    return _head_from_labels(_labels_from_config(config, origin), origin)


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


def hash_model(model: ModelFolder) -> str:
    """A short hash of everything that changes what the model says: its files, labels, order and length."""
    digest = hashlib.sha256()
    parts = [model.tokenizer, model.weights, *sorted(model.folder.glob("*.safetensors"))]
    parts += sorted(model.weights.parent.glob(model.weights.name + "[_.]*"))
    for path in dict.fromkeys(parts):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    digest.update(repr((model.head.roles, model.order, model.max_length)).encode())
    return digest.hexdigest()[:8]


# --- what the outputs mean -------------------------------------------------------------------------

Role = Literal["supported", "neutral", "contradicted", "unsupported"]
"""`unsupported` is what a head with two outputs says of everything that is not supported."""
_NAMES: dict[Role, str] = {
    "supported": "entailment, entailed, entails, entail, supported, supports, support, attributable, "
    "consistent, faithful, grounded",
    "neutral": "neutral, unknown, undetermined, nei, not_enough, not_enough_info, not_enough_information, "
    "insufficient",
    "contradicted": "contradiction, contradicted, contradicts, contradict, contradictory, refutation, "
    "refuted, refutes, refute",
    "unsupported": "not_entailment, not_entailed, no_entailment, non_entailment, unsupported, not_supported, "
    "not_attributable, unattributable, inconsistent, hallucination, hallucinated, unfaithful, ungrounded",
}
_ROLES: dict[str, Role] = {name: role for role, names in _NAMES.items() for name in names.split(", ")}
MOST_LABELS = 100
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


class Odds(Struct, frozen=True, gc=False):
    """How likely each outcome is, for one claim and one stretch of evidence."""

    supported: float
    contradicted: float
    """0 where the model cannot tell a contradiction from silence."""

    @property
    def neutral(self) -> float:
        return max(0.0, 1.0 - self.supported - self.contradicted)


class Head(Struct, frozen=True):
    """The meaning of each output, in order."""

    roles: tuple[Role, ...]

    @property
    def sees_contradiction(self) -> bool:
        """A head of two outputs, or one, only separates supported from not."""
        return len(self.roles) > 2 and "contradicted" in self.roles

    def odds(self, logits: Sequence[float]) -> Odds | None:
        """Probabilities from raw outputs; None when they are no numbers to go by."""
        if len(logits) != len(self.roles) or not all(map(math.isfinite, logits)):
            return None
        if len(logits) == 1:
            return Odds(sigmoid(logits[0]), 0.0)
        highest = max(logits)
        weights = [math.exp(value - highest) for value in logits]
        total = sum(weights)
        shares = dict.fromkeys(_NAMES, 0.0)
        for role, weight in zip(self.roles, weights, strict=True):
            shares[role] += weight / total
        return Odds(shares["supported"], shares["contradicted"] if self.sees_contradiction else 0.0)


def _head_from_labels(labels: Sequence[str], origin: str) -> Head:
    """The head with these labels, in the order of the model's outputs."""
    roles = []
    for label in labels:
        role = _ROLES.get(_NOT_A_WORD.sub("_", label.casefold()).strip("_"))
        if role is None:
            raise JudgeError(
                f"{origin}: the label {label!r:.60} is not understood. {_how_to_state(len(labels))}"
            )
        roles.append(role)
    if roles.count("supported") != 1:
        raise JudgeError(
            f"{origin}: exactly one output has to mean that the claim is supported; "
            f"the labels are {', '.join(labels)[:200] or 'none'}. {_how_to_state(len(labels))}"
        )
    return Head(tuple(roles))


def _labels_from_config(config: Mapping[str, Any], origin: str) -> tuple[str, ...]:
    """The labels that a model's `config.json` gives its outputs, in their order."""
    for name in ("id2label", "label2id"):
        table = config.get(name)
        if isinstance(table, Mapping) and len(table) > MOST_LABELS:
            raise JudgeError(
                f"{origin}: {name} has {len(table):,} labels; a classifier of two texts has up to three. "
                f"{_how_to_state(3)}"
            )
    by_id = _by_id(config.get("id2label"), origin)
    by_label = config.get("label2id")
    if isinstance(by_label, Mapping) and by_label:
        turned = _by_id(by_label, origin, turned=True)
        if by_id and turned and turned != by_id:
            raise JudgeError(f"{origin}: id2label and label2id disagree. {_how_to_state(len(by_id))}")
        by_id = by_id or turned
    if not by_id:
        raise JudgeError(f"{origin}: does not say what the outputs mean (id2label). {_how_to_state(3)}")
    if sorted(by_id) != list(range(len(by_id))):
        raise JudgeError(
            f"{origin}: id2label does not count from 0 without gaps. {_how_to_state(len(by_id))}"
        )
    return tuple(by_id[index] for index in range(len(by_id)))


def _by_id(table: Any, origin: str, turned: bool = False) -> dict[int, str]:
    if not isinstance(table, Mapping):
        return {}
    try:
        pairs = ((index, label) for label, index in table.items()) if turned else table.items()
        return {int(index): str(label) for index, label in pairs}
    except (TypeError, ValueError, OverflowError):
        raise JudgeError(f"{origin}: the labels have no whole numbers. {_how_to_state(3)}") from None


def _how_to_state(outputs: int) -> str:
    example = {1: "supported", 2: "unsupported/supported"}.get(outputs, "entailment/neutral/contradiction")
    listed = ", ".join(f'"{label}"' for label in example.split("/"))
    return (
        "Look up in the model's description what its outputs mean and say it in their order: "
        f"nli:MODEL?labels={example}, or a file pincite.json beside the model with "
        f'{{"labels": [{listed}]}}'
    )
