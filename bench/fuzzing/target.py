"""What is fuzzed: a function from bytes, the inputs it starts from, and what counts as a failure."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from bench.fuzzing.mutate import unpack

__all__ = ["Target", "fresh_folder", "outcome_of", "text_of", "written_files"]


class Target(Struct, frozen=True):
    """One function that reads what others wrote. It asserts what must hold whatever it is given."""

    name: str
    run: Callable[[bytes], Any]
    """Gives what can be compared with a second run, or raises. A `PinciteError` is an answer."""
    seeds: Callable[[], list[bytes]]
    form: str = "text"
    """How its inputs are changed: a format of `mutate`, or `files` for several in one."""
    longest: int = 32 * 1024
    """Bytes of an input; more is cut off, so that no target spends its time on a few long ones."""
    weight: float = 1.0
    """Its share of all inputs: the cheaper an input, the more."""
    guided: bool = True
    """Whether coverage helps; it does not where a library in C does the reading."""


def outcome_of(target: Target, data: bytes) -> Any:
    """What a target gave, or why it refused the input. Everything else that is raised is a failure."""
    from pincite.errors import PinciteError

    try:
        return target.run(data)
    except PinciteError as error:
        said = str(error)
        assert said.strip(), f"a {type(error).__name__} without a word"
        return f"{type(error).__name__}: {said}"


def text_of(data: bytes) -> str:
    """Any bytes as text; what is no UTF-8 becomes lone surrogates, as JSON can hold them."""
    return data.decode("utf-8", "surrogateescape")


def fresh_folder() -> Path:
    """An empty folder, the current one of the worker: nothing of the last input is left."""
    box = Path(os.environ["FUZZ_BOX"])
    for entry in os.scandir(box):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            Path(entry.path).unlink()
    os.chdir(box)
    return box


def written_files(data: bytes) -> dict[str, Path]:
    """The files of an input, written into an empty folder."""
    box = fresh_folder()
    written: dict[str, Path] = {}
    for name, content in unpack(data).items():
        path = box / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:  # one name is a folder of another
            continue
        written[name] = path
    return written
