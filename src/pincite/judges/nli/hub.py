"""Where the files of an entailment model are: a folder, the hub's cache on this machine, or the hub."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pincite.errors import JudgeError, MissingExtraError
from pincite.judges.nli.folder import DETAILS, Stated, choose_weights, existing, names_in
from pincite.judges.onnx import HUGGING_FACE, telemetry_forbidden

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
