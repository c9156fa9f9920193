"""What a user says about an entailment model: where it is, and what its own files leave open.

    nli:FOLDER
    nli:OWNER/MODEL@REVISION
    nli:FOLDER?labels=entailment/neutral/contradiction&order=claim-first

The same keys may stand in a file `pincite.json` beside the model. What is said in the name wins.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from pincite.errors import JudgeError

Order = Literal["evidence-first", "claim-first"]

SIDE_FILE = "pincite.json"
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


def read_name(rest: str) -> tuple[str, Stated]:
    """What stands behind `nli:`, as the model's place and what is said about it."""
    if not rest.strip():
        raise JudgeError("nli: names no model: write nli:FOLDER, or nli:OWNER/MODEL for one of the hub")
    if "?" not in rest or existing(rest):
        return rest, Stated()
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
    return place, _stated(values, f"nli:{rest}")


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


def _known() -> str:
    return (
        "labels=entailment/neutral/contradiction, order=evidence-first or claim-first, "
        "file=onnx/model.onnx, max_length=512"
    )


def read_table(path: Path) -> dict[str, Any]:
    """The JSON object in a file of the model's folder."""
    try:
        value = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise JudgeError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise JudgeError(f"{path}: is not valid JSON ({error}); get the file again") from None
    if not isinstance(value, dict):
        raise JudgeError(f"{path}: holds no JSON object; get the file again")
    return value
