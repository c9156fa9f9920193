"""Which entailment model the user means, and where its files are: a folder, or the hub and its cache.

    nli:FOLDER
    nli:OWNER/MODEL@REVISION
    nli:FOLDER?labels=entailment/neutral/contradiction&order=claim-first
    nli:minicheck

The same keys may be in a file `pincite.json` beside the model. What the name says wins.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from pincite.errors import JudgeError, MissingExtraError
from pincite.judges.onnx import HUGGING_FACE, telemetry_forbidden
from pincite.text import word_list

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
"""Well-known models of the hub, with what their files leave open; `docs/nli-judges.md` tells more of each."""


def read_model_name(rest: str) -> tuple[str, Stated]:
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
    return _known_model(place, stated_values(values, f"nli:{rest}"))


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


def stated_values(values: dict[str, Any], origin: str) -> Stated:
    """The values as statements; `origin` says where they come from when one is refused."""
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


# --- where its files are ---------------------------------------------------------------------------

ONNX_NAMES = word_list(
    "model model_quantized model_int8 model_uint8 model_quint8_avx2 model_optimized model_fp16 model_q4"
)
"""Full precision first: eight-bit activations can saturate on processors that lack instructions for them."""
WEIGHT_NAMES = word_list(
    "model.safetensors model.safetensors.index.json pytorch_model.bin pytorch_model.bin.index.json"
)
DETAILS = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", SIDE_FILE)
"""What is needed or useful beside the weights."""


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


_HUB_NAME = re.compile(r"(?:[A-Za-z0-9][\w.-]{0,95}/)?[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
WAIT = 15.0
"""Seconds in which the hub has to answer."""
_REVISION = re.compile(r"[A-Za-z0-9][\w./-]{0,200}", re.ASCII)


def find_model(place: str, stated: Stated, online: bool) -> tuple[Path, str, Stated]:
    """The folder that holds the model, the name to show for it, and what is now stated about it.

    A folder that exists is always meant before a name of the hub. Nothing is fetched unless `online`.
    """
    path = existing(place)
    if path is not None and path.is_dir():
        return path, path.absolute().name, stated
    if path is not None and path.is_file():
        if path.suffix not in (".onnx", ".safetensors", ".bin"):
            raise JudgeError(f"{place} is a file; name the folder that holds the model")
        folder = path.parent.parent if path.parent.name == "onnx" else path.parent
        file = Stated(file=path.relative_to(folder).as_posix())
        return folder, folder.absolute().name, stated.over(file)
    name, _, revision = place.partition("@")
    if not _HUB_NAME.fullmatch(name) or ".." in place or (revision and not _REVISION.fullmatch(revision)):
        raise JudgeError(f"there is no folder {place!r}, and it is not a model name on the hub (OWNER/MODEL)")
    with telemetry_forbidden(HUGGING_FACE):
        return _from_hub(name, revision or None, stated, online), place, stated


def _from_hub(name: str, revision: str | None, stated: Stated, online: bool) -> Path:
    try:
        import huggingface_hub
    except ImportError:
        raise MissingExtraError(
            f"there is no folder {name!r}; a model from the hub needs a library: pip install 'pincite[nli]'"
        ) from None
    cached = _in_cache(huggingface_hub, name, revision)
    if cached is not None and (not online or _is_complete(cached, stated)):
        return cached
    if not online:
        raise JudgeError(
            f"there is no folder {name!r}, and no model of that name in the hub's cache on this machine; "
            "fetch it with --online (or PINCITE_ONLINE=1), or name a folder"
        )
    return _fetched(huggingface_hub, name, revision, stated)


def _fetched(huggingface_hub: Any, name: str, revision: str | None, stated: Stated) -> Path:
    from huggingface_hub.errors import HfHubHTTPError

    try:
        told = huggingface_hub.HfApi().model_info(name, revision=revision, timeout=WAIT)
        wanted = _wanted([file.rfilename for file in told.siblings or ()], stated, name)
        return Path(huggingface_hub.snapshot_download(name, revision=revision, allow_patterns=wanted))
    except JudgeError:
        raise
    except HfHubHTTPError as error:
        status = getattr(error.response, "status_code", None)
        raise JudgeError(
            f"{name}: the hub refused it ({_why(status)}); check the name and the revision"
        ) from None
    except Exception as error:  # whatever the network layer of this version of the library raises
        raise JudgeError(
            f"{name}: cannot be fetched from the hub ({type(error).__name__}); check the connection, "
            "or fetch the model elsewhere and name its folder"
        ) from None


def _in_cache(hub: Any, name: str, revision: str | None) -> Path | None:
    """The snapshot of a model that was fetched before, by whatever program."""
    for file in ("tokenizer.json", "config.json"):
        found = hub.try_to_load_from_cache(name, file, revision=revision)
        if isinstance(found, str):
            return Path(found).parent
    return None


def _is_complete(folder: Path, stated: Stated) -> bool:
    """Whether the files that will be read are there: another program may have wanted others."""
    names = names_in(folder)
    try:
        choose_weights(names, stated.file, str(folder))
    except JudgeError:
        return False
    return {"tokenizer.json", "config.json"} <= names


def _wanted(files: list[str], stated: Stated, name: str) -> list[str]:
    """Only one variant of the weights, with what belongs to it."""
    near = [file for file in files if "/" not in file or re.fullmatch(r"onnx/[^/]+", file)]
    weights, _ = choose_weights(near, stated.file, name)
    parts = [file for file in near if file.startswith((f"{weights}_", f"{weights}."))]
    if weights.endswith(".index.json"):
        ending = Path(weights.removesuffix(".index.json")).suffix
        parts += [file for file in near if file.endswith(ending)]
    return [weights, *parts, *(file for file in DETAILS if file in files)]


def _why(status: int | None) -> str:
    return {401: "it does not exist, or needs a token", 403: "it needs permission", 404: "not found"}.get(
        status or 0, f"status {status}" if status else "no answer"
    )
