"""Our own processes, and values between them: a length, then the value. Nobody else writes into the pipes."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

MOST_MODELS = 8
"""Processes that each load a model, where nobody says how many: one takes about 200 MB."""

_share: int | None = None
"""Of the cores, where this process has to share them with others of ours."""

READY_SECONDS = 60.0


class Closed(Exception):
    """The other process is gone."""


class PoolUnavailable(Exception):
    """Processes cannot be started here, or cannot be given what they need."""


def cores() -> int:
    """How many cores this process should use."""
    if _share is not None:
        return _share
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def keep_to_one_core() -> None:
    """Use one core from now on: as many processes as there are cores do the same work."""
    global _share
    _share = 1


def send(pipe: IO[bytes] | None, value: Any) -> None:
    if pipe is None:
        raise Closed
    content = value if isinstance(value, bytes) else _pickled(value)
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

    It is a program of its own and not one of `multiprocessing`, which would run the main module of whoever
    calls us a second time.
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


def serve(prepare: Callable[[Any], tuple[str, Callable[[Any], Any]]]) -> int:
    """What such a process does, until its input ends.

    `prepare` is given what the process needs, and gives the name of its judge and a function that answers
    whatever the process is asked.
    """
    inward, outward = own_pipes()
    try:
        try:
            paths, given = receive(inward)
            sys.path[:] = paths
            judge, answer = prepare(given)
        except Closed:
            raise
        except Exception as error:
            send(outward, ("cannot start", f"{type(error).__name__}: {error}"))
            return 0
        send(outward, ("ready", judge))
        while True:
            try:
                asked = receive(inward)
            except Closed:
                raise
            except Exception as error:  # something of a class that is only known where it was made
                send(outward, ("unreadable", f"{type(error).__name__}: {error}"))
                continue
            send(outward, answer(asked))
    except (Closed, BrokenPipeError):
        return 0  # nobody is left to work for


def start_of(needed: Any) -> bytes:
    """What a process is given first: where this one finds its modules, and what `prepare` needs."""
    return _pickled((sys.path, needed))


def close_pipes(process: subprocess.Popen[bytes]) -> None:
    """Let go of the pipes of a process that has ended, from which nobody may be reading."""
    for pipe in (process.stdin, process.stdout):
        try:
            if pipe is not None:
                pipe.close()
        except OSError:
            pass  # what was not sent yet is of no use any more


def _pickled(value: Any) -> bytes:
    import pickle

    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise Closed
    return content


class Worker:
    """One process that is given what it needs, says that it is ready, and then answers what it is asked."""

    def __init__(self, module: str, start: bytes, judge: str) -> None:
        self._module = module
        self._start = start
        self._judge = judge
        """The name of the judge that the process must have."""
        self.ready = False
        self._process = self._started()

    def begin(self) -> None:
        """Give the process what it needs, and wait until it can be asked."""
        timer = threading.Timer(READY_SECONDS, self._process.kill)
        timer.start()
        try:
            send(self._process.stdin, self._start)
            said = receive(self._process.stdout)
        except (Closed, OSError) as error:
            raise PoolUnavailable(f"a process ended as it was started: {error}") from error
        finally:
            timer.cancel()
        if said != ("ready", self._judge):
            raise PoolUnavailable(f"a process has another judge, or none: {said}")
        self.ready = True

    def ask(self, value: Any) -> Any:
        """What the process answers. A process that dies over it raises `Closed` or `OSError`."""
        try:
            pickled = _pickled(value)
        except Exception as error:  # a function may have answered with anything
            raise PoolUnavailable(f"this cannot be sent: {error}") from error
        send(self._process.stdin, pickled)
        return receive(self._process.stdout)

    def start_again(self) -> None:
        self.ready = False
        self.end()
        self._process = self._started()
        self.begin()

    def kill(self) -> None:
        """End the process; whoever reads from it sees its end."""
        self._process.kill()

    def end(self) -> None:
        """End the process and let go of its pipes, from which nobody may be reading."""
        self._process.kill()
        self._process.wait()
        close_pipes(self._process)

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            return start_process(self._module)
        except OSError as error:
            raise PoolUnavailable(str(error)) from error
