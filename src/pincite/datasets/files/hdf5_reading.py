"""HDF5 files read by a process of their own, so that a broken one costs an error and nothing else."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import msgspec

from pincite.errors import InputError, MissingExtraError

SECONDS, BYTES_A_SECOND = 20, 5_000_000
"""How long reading may take: a while to begin, and then by the file's size."""


def read_hdf5(content: bytes, name: str) -> tuple[str | None, dict[str, list[Any]]]:
    """What belongs to the whole file, and its columns."""
    if find_spec("h5py") is None:
        raise MissingExtraError("HDF5 needs the h5py library: pip install 'pincite[tables]'")
    # Not from the working folder, where any file might be called like one of our modules.
    command = [sys.executable, "-P", "-m", "pincite.datasets.files.hdf5_columns"]
    try:
        ran = subprocess.run(  # noqa: S603
            command,
            input=content,
            capture_output=True,
            timeout=SECONDS + len(content) / BYTES_A_SECOND,
            check=False,
        )
        answer = msgspec.msgpack.decode(ran.stdout)
    except subprocess.TimeoutExpired:
        raise InputError(
            f"{name}: cannot be read as HDF5: it takes too long, so it is taken for broken"
        ) from None
    except (OSError, msgspec.DecodeError):
        raise InputError(f"{name}: cannot be read as HDF5: the file is broken") from None
    if "problem" in answer:
        raise InputError(f"{name}: {answer['problem']}")
    return answer["about"], answer["columns"]
