"""Our own processes, and values between them: a length, then the value. Nobody else writes into the pipes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

MOST_MODELS = 8
"""Processes that each load a model, where nobody says how many: one takes about 200 MB."""

_share: int | None = None
"""Of the cores, where this process has to share them with others of ours."""

_INHERITED = (
    "DYLD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "PYTHONHOME", "PYTHONUTF8",
    "SYSTEMROOT",
)  # fmt: skip
"""What a Python needs of the environment to start; the rest, with its keys and passwords, stays here."""


def reader_environment() -> dict[str, str]:
    """The environment of a process that reads a file nobody trusts."""
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(str(Path(path).absolute()) for path in sys.path)
    return environment


class Closed(Exception):
    """The other process is gone."""


def cores() -> int:
    """How many cores this process should use."""
    if _share is not None:
        return _share
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_megabytes() -> int | None:
    """Memory that new processes can have; None where the machine does not say."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024
    except (OSError, ValueError):
        pass
    return None


def keep_to_one_core() -> None:
    """Use one core from now on: as many processes as there are cores do the same work."""
    global _share
    _share = 1


def send(pipe: IO[bytes] | None, value: Any) -> None:
    if pipe is None:
        raise Closed
    content = value if isinstance(value, bytes) else pickled(value)
    pipe.write(len(content).to_bytes(8, "big"))
    pipe.write(content)
    pipe.flush()


def _unpickled(content: bytes) -> Any:
    import pickle

    return pickle.loads(content)  # noqa: S301 - of our own process


def receive(pipe: IO[bytes] | None, load: Callable[[bytes], Any] = _unpickled) -> Any:
    if pipe is None:
        raise Closed
    return load(_exactly(pipe, int.from_bytes(_exactly(pipe, 8), "big")))


def start_process(module: str) -> subprocess.Popen[bytes]:
    """A process that runs one of our modules, to be talked to over its standard input and output.

    It is a program of its own and not one of `multiprocessing`, which would run the caller's main
    module a second time.
    """
    import subprocess

    if not sys.executable:
        raise OSError("it is not known which Python this is")
    return subprocess.Popen(  # noqa: S603 - ourselves
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        process_group=0,  # Ctrl-C is for us: we end them in order
    )


def own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """In such a process: where to read from and to write to.

    Whatever is printed there goes to standard error from now on, and nothing can read what we are sent.
    """
    inward = os.fdopen(os.dup(0), "rb")
    outward = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        os.dup2(2, 1)
    except OSError:  # it was closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return inward, outward


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a group of its own, with its children."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        process.kill()


def close_pipes(process: subprocess.Popen[bytes]) -> None:
    """Let go of the pipes of a process that has ended, from which nobody may be reading."""
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what was not sent yet is of no use any more
            if pipe is not None:
                pipe.close()


def pickled(value: Any) -> bytes:
    import pickle

    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def pickled_failure(error: Exception) -> bytes:
    """What a task raised, to be raised again elsewhere; one that cannot be sent is told in words."""
    try:
        return pickled(("raised", error))
    except Exception:
        return pickled(("raised", RuntimeError(f"{type(error).__name__}: {error}")))


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise Closed
    return content
