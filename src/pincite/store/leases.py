"""Who is working on a run, and whether they still are.

On the same machine the process is looked for, so that a run that was killed can go on at once. Of a process
elsewhere only its heartbeat can be seen.
"""

from __future__ import annotations

import os
import platform
import sys
import uuid
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

BEAT_SECONDS = 20.0
SILENT_SECONDS = 90.0
"""After this long without a heartbeat a process elsewhere is taken for dead."""

_ACTIVE: set[str] = set()
"""The owners of this process that have not let go of their run."""


def new_owner() -> str:
    """A name for one who works on a run here: which machine, which process, since when, which of several."""
    owner = f"{_machine()}:{os.getpid()}:{_began(os.getpid())}:{uuid.uuid4().hex}"
    _ACTIVE.add(owner)
    return owner


def let_go(owner: str) -> None:
    _ACTIVE.discard(owner)


def is_alive(owner: str | None, silent: float) -> bool:
    """Whether the owner may still be at work; `silent` is the time since its last heartbeat."""
    if not owner:
        return False
    machine, _, rest = owner.partition(":")
    pid, _, rest = rest.partition(":")
    began, _, _ = rest.partition(":")
    if machine != _machine() or not pid.isdigit() or sys.platform == "win32":
        return owner in _ACTIVE or silent < SILENT_SECONDS
    if int(pid) == os.getpid() and began == _began(os.getpid()):
        return owner in _ACTIVE
    if not _exists(int(pid)) or began != _began(int(pid)):
        return False
    # If the kernel does not say when a process began, its number may be another's by now.
    return bool(began) or silent < SILENT_SECONDS


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # somebody else's process
        return True
    return True


def _began(pid: int) -> str:
    """When the process began, by the kernel's count: a number is given to another process in time."""
    try:
        # The name of the program may hold spaces and brackets, so count from its end.
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return "" if fields[0] == "Z" else fields[19]
    except (OSError, IndexError):
        return ""


def _machine() -> str:
    """This machine since its last start, and this container on it."""
    parts = [platform.node()]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
    with suppress(OSError):
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return blake2b("/".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()
