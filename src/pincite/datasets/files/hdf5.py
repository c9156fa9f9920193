"""The columns of an HDF5 file, written and read.

The library that reads them believes what a file says about itself: a broken one can make it reserve all the
memory there is, or crash. So a process of its own, which runs this module, reads a file.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import msgspec

from pincite.base import (
    ChildProcess,
    MessageTooLong,
    ParentPipe,
    ProcessEnded,
    import_extra,
    missing_extra,
    np,
)
from pincite.datasets.files.streams import limit_memory, most_cells, too_many_cells
from pincite.errors import InputError

LARGEST = 1024 * 1024 * 1024
ABOUT = "pincite"
"""The attribute that keeps what belongs to the whole file."""
_NEEDED = ("HDF5 needs the h5py library", "tables")
SECONDS, BYTES_A_SECOND = 20, 5_000_000
"""How long reading may take: a while to begin, and then by the file's size."""


def hdf5_bytes(about: str, columns: Mapping[str, list[Any]]) -> bytes:
    """The content of a file with these columns."""
    h5py = import_extra("h5py", *_NEEDED)
    out = io.BytesIO()
    with h5py.File(out, "w", track_order=True) as file:
        file.attrs[ABOUT] = about
        for name, cells in columns.items():
            kinds = {type(cell) for cell in cells}
            if float in kinds:
                numbers = np.array([np.nan if cell is None else cell for cell in cells], dtype="f8")
                file.create_dataset(_escaped(name), data=numbers)
            elif int in kinds:
                file.create_dataset(_escaped(name), data=np.array(cells, dtype="i8"))
            else:
                texts = [cell or "" for cell in cells]
                file.create_dataset(_escaped(name), data=texts, dtype=h5py.string_dtype())
    return out.getvalue()


def read_hdf5(content: bytes, name: str) -> tuple[str | None, dict[str, list[Any]]]:
    """What belongs to the whole file, and its columns."""
    if find_spec("h5py") is None:
        raise missing_extra(*_NEEDED)
    late = False
    try:
        process = ChildProcess(__name__, reads_untrusted_file=True)
        try:
            with process.deadline(SECONDS + len(content) / BYTES_A_SECOND):
                process.send(content)
                answer = msgspec.msgpack.decode(process.receive(2 * LARGEST))
        finally:
            late = process.late
            process.end()
    except (OSError, ProcessEnded, MessageTooLong, msgspec.DecodeError):
        why = "it takes too long, so it is taken for broken" if late else "the file is broken"
        raise InputError(f"{name}: cannot be read as HDF5: {why}") from None
    if "problem" in answer:
        raise InputError(f"{name}: {answer['problem']}")
    return answer["about"], answer["columns"]


def read_columns(content: bytes) -> tuple[str | None, dict[str, list[Any]]]:
    """What belongs to the whole file, and its columns. Raises `ValueError` with what is wrong."""
    h5py = import_extra("h5py", *_NEEDED)
    columns: dict[str, list[Any]] = {}
    try:
        with h5py.File(io.BytesIO(content), "r") as file:
            about = file.attrs.get(ABOUT)
            size = cells = 0
            for name in file:
                # A link out of the file is not followed.
                if not isinstance(file.get(name, getlink=True), h5py.HardLink):
                    raise ValueError(f"{name!r:.80} is a link, and links are not followed")
                held = file[name]
                if not isinstance(held, h5py.Dataset) or held.ndim != 1:
                    raise ValueError(f"{name!r:.80} is no column")
                if held.external or held.is_virtual:
                    raise ValueError(f"{name!r:.80} is kept in another file, which is not read")
                size += held.size * held.dtype.itemsize
                cells += held.size
                if cells > most_cells(len(content)):
                    raise ValueError(too_many_cells(len(content)))
                if size > LARGEST:
                    raise ValueError(f"the table holds more than {LARGEST // 2**20} MB")
                columns[_unescaped(name)] = _cells(held, name)
    except UnicodeDecodeError:
        raise ValueError("a text in it is not UTF-8") from None
    except MemoryError:
        raise ValueError("cannot be read as HDF5: it unpacks to far more than its size") from None
    except (OSError, RuntimeError, KeyError, TypeError, OverflowError) as error:
        raise ValueError(f"cannot be read as HDF5: {error}"[:400]) from None
    return about if isinstance(about, str) else None, columns


def _cells(held: Any, name: str) -> list[Any]:
    if held.dtype.kind == "f":
        return [None if cell != cell else float(cell) for cell in held[()]]
    if held.dtype.kind in "iu":
        return [int(cell) for cell in held[()]]
    if held.dtype.kind not in "OS":
        raise ValueError(f"the column {name!r:.80} is neither text nor number")
    texts = [cell.decode() if isinstance(cell, bytes) else cell for cell in held[()]]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"the column {name!r:.80} is neither text nor number")
    return [text or None for text in texts]


def _escaped(name: str) -> str:
    """A name that HDF5 takes for one name: a slash would make a group, and a point means this one."""
    return name.replace("%", "%25").replace("/", "%2F").replace(".", "%2E").replace("\0", "%00") or "%"


def _unescaped(name: str) -> str:
    if name == "%":
        return ""
    return name.replace("%00", "\0").replace("%2E", ".").replace("%2F", "/").replace("%25", "%")


# --- the process of its own ----------------------------------------------------------------------


def serve(parent: ParentPipe) -> None:
    """Read the file that is sent; its columns go back, or what is wrong."""
    import_extra("h5py", *_NEEDED)
    content = parent.receive()
    limit_memory(len(content))
    try:
        answer: dict[str, Any] = dict(zip(("about", "columns"), read_columns(content), strict=True))
    except (ValueError, InputError) as error:
        answer = {"problem": str(error)}
    parent.send(msgspec.msgpack.encode(answer))
