"""Starts a Python process of ours, talks to it and ends it. Nothing else in Pincite starts one.

The process loads this very Pincite by its absolute path, and everything else from where this process found
it, but never from the working folder: a repository that is checked there must not run its own `pincite/`,
`numpy/` or `sitecustomize.py`. It is a program of its own and not one of `multiprocessing`, which would run
the caller's main module a second time.

Messages go both ways over its standard input and output, each a length and then so many bytes. What the bytes
mean is for the two ends to agree on.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

_LENGTH = 8
_NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0
_ROOT = str(Path(__file__).absolute().parents[2])
"""Where this Pincite is: a folder, or an archive."""

_INHERITED = (
    "DYLD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "PYTHONHOME", "PYTHONUTF8",
    "SYSTEMROOT",
)  # fmt: skip
"""What a Python needs of the environment to start; the rest, with its keys and passwords, stays here."""

_PROGRAM = """
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
root, module = sys.argv[1:]
spec = PathFinder.find_spec("pincite", [root])
package = sys.modules["pincite"] = module_from_spec(spec)
spec.loader.exec_module(package)
from pincite.base.child_process import run_child
run_child(module)
"""
"""Pincite is loaded from its own place, whatever of that name can be found elsewhere on the path."""

OUT_OF_MEMORY = 127
"""How a process ends when Python runs out of memory, as it does when the dynamic loader runs out of it."""


class ProcessEnded(Exception):
    """The process at the other end is gone, or has closed its pipe."""


class MessageTooLong(Exception):
    """A message is longer than whoever waits for it can take."""


class ChildProcess:
    """A process that runs `serve` of one of our modules. Any thread may kill it; one at a time talks."""

    def __init__(self, module: str, *, reads_untrusted_file: bool = False) -> None:
        """Start it. One that reads a file nobody trusts gets no keys or passwords and stays silent.

        Raises `OSError` where no process can be started.
        """
        import subprocess

        self.late = False
        """Whether it was killed since a deadline passed."""
        self._lock = threading.Lock()
        self._waited_for: object | None = None
        """What is to be over in time: a timer that comes too late finds something else here."""
        # Site-packages are on the path that is handed over: a reader need not look for them again.
        options = ["-P", "-S"] if reads_untrusted_file else ["-P"]
        options += ["-B"] if sys.dont_write_bytecode else []
        options += ["-s"] if sys.flags.no_user_site else []
        python = _python()
        self._process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603 - ourselves
            [python, *options, "-c", _PROGRAM, _ROOT, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if reads_untrusted_file else None,
            # Away from the working folder too, where a library might look for parts of its own.
            cwd=Path(python).anchor if reads_untrusted_file else None,
            env=_environment(reads_untrusted_file),
            process_group=0,  # Ctrl-C is for us: we end it
            creationflags=_NO_WINDOW,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """How it ended; None until that was seen by `end` or `is_running`."""
        return self._process.returncode

    def is_running(self) -> bool:
        return self._process.poll() is None

    def send(self, message: bytes) -> None:
        """Raises `ProcessEnded` if nobody is left to read it."""
        assert self._process.stdin is not None
        try:
            write_message(self._process.stdin, message)
        except (OSError, ValueError) as error:  # ValueError: we have closed the pipe
            raise ProcessEnded(str(error)) from error

    def receive(self, most: int = sys.maxsize) -> bytes:
        """The next message. Raises `ProcessEnded` if none comes, `MessageTooLong` if it has more bytes."""
        assert self._process.stdout is not None
        try:
            return read_message(self._process.stdout, most)
        except (OSError, ValueError) as error:
            raise ProcessEnded(str(error)) from error

    @contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """Past it the process is killed, which ends every wait for it."""
        waited_for = self._waited_for = object()
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._expire, (waited_for,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            with self._lock:
                self._waited_for = None
            timer.cancel()

    def kill(self) -> None:
        """Kill it with all that it started; a reader of its pipe sees the end."""
        with self._lock:
            kill_group(self._process)

    def end(self, patience: float = 0) -> int:
        """Kill it and let go of its pipes, from which nobody may be reading; returns how it ended.

        One that is ending by itself may have some seconds of patience, to say what of.
        """
        if patience:
            from subprocess import TimeoutExpired

            with suppress(TimeoutExpired):
                self._process.wait(patience)
        self.kill()
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not sent yet is of no use any more
                if pipe is not None:
                    pipe.close()
        return code

    def _expire(self, waited_for: object) -> None:
        with self._lock:
            if self._waited_for is waited_for:
                self.late = True
                kill_group(self._process)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a group of its own, with its children, unless it was seen to end."""
    if process.returncode is not None:
        return
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        process.kill()


def import_path() -> list[str]:
    """Where a process of ours may import from: `sys.path` without the working folder and relative entries."""
    found: dict[str, None] = {}
    for entry in sys.path:
        # A separator in a name would make two entries of one, and the second might be a relative one.
        if isinstance(entry, str) and Path(entry).is_absolute() and os.pathsep not in entry:
            with suppress(OSError, ValueError):  # it is not there
                if not Path(entry).samefile(os.curdir):
                    found[entry] = None
    return list(found)


def write_message(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(len(message).to_bytes(_LENGTH, "big"))
    pipe.write(message)
    pipe.flush()


def read_message(pipe: IO[bytes], most: int = sys.maxsize) -> bytes:
    size = int.from_bytes(_exactly(pipe, _LENGTH), "big")
    if size > most:
        raise MessageTooLong(f"{size:,} bytes")
    return _exactly(pipe, size)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise ProcessEnded("its pipe is closed")
    return content


def _python() -> str:
    # In a program that was frozen, or that embeds Python, the executable is that program and no Python.
    if not sys.executable or not Path(sys.executable).is_absolute() or getattr(sys, "frozen", False):
        raise OSError("there is no Python program to start")
    return sys.executable


def _environment(reads_untrusted_file: bool) -> dict[str, str]:
    kept = dict(os.environ)
    if reads_untrusted_file:
        kept = {name: kept[name] for name in _INHERITED if name in kept}
    if sys.flags.ignore_environment:
        kept = {name: value for name, value in kept.items() if not name.startswith("PYTHON")}
    kept["PYTHONPATH"] = os.pathsep.join(import_path())
    return kept


# --- in the process that was started -----------------------------------------------------------------


class ParentPipe:
    """The pipe to the process that started this one. When that is gone, this one ends at once.

    Only messages go through it: whatever a library prints from now on goes to standard error, and nothing
    else can read what we are sent.
    """

    def __init__(self) -> None:
        inward = os.fdopen(os.dup(0), "rb")
        self._outward = os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        try:
            os.dup2(2, 1)
        except OSError:  # it was closed
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        self._messages: SimpleQueue[bytes] = SimpleQueue()
        # A thread of its own reads, so that the end of the other process also ends a task that never would.
        threading.Thread(target=self._listen, args=(inward,), daemon=True).start()

    def receive(self) -> bytes:
        """The next message, however long it takes to come."""
        return self._messages.get()

    def send(self, message: bytes) -> None:
        """Raises `OSError` if nobody is left to read it."""
        write_message(self._outward, message)

    def _listen(self, inward: IO[bytes]) -> None:
        try:
            while True:
                self._messages.put(read_message(inward))
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        except BaseException:
            if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)  # with all that was started here
            os._exit(0)


def run_child(module: str) -> None:
    """Call `serve` of this module with the pipe; the process ends when it returns."""
    parent = ParentPipe()
    with suppress(BrokenPipeError):  # nobody is left to work for
        import_module(module).serve(parent)
