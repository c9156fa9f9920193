"""Carries out many tasks, whatever they are: rooms below say what a task is, an engine where it is done.

`local` does it in processes of this machine, `ray` on a cluster. Another engine needs the methods of `Engine`
and nothing else, and is opened by its name in `opening`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

if TYPE_CHECKING:
    from concurrent.futures import Future


class EngineUnavailable(Exception):
    """No worker can be started or given what it needs: do the work in this process."""


class EngineMissing(EngineUnavailable):
    """A library that the engine needs is not installed."""


class Job(NamedTuple):
    """What the workers of an engine are for."""

    prepare: str
    """`package.module:function`, called once per worker with `given`. It returns a signature and the function
    that carries out one task."""
    given: Any
    signature: str
    """What `prepare` must return first, so that a worker which would work differently is not used."""
    pack: Callable[[Any], Any] = lambda task: task
    """Makes of a task what is sent to a worker."""
    unpack: Callable[[Any], Any] = lambda outcome: outcome
    """Makes an outcome of what a worker sends back."""
    lost: Callable[[Any], Any] = lambda task: None
    """The outcome of a task that ended its worker, also when it was tried again alone."""


class Engine(Protocol):
    """Carries out the tasks of one job. A worker that dies costs no outcome: its tasks are done again."""

    @property
    def workers(self) -> int:
        """How many workers there are, or will be once they have started."""

    def map(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """An outcome for each task, as they come. Workers get a few tasks at a time, and few wait.

        What the task's function raises is raised here; `EngineUnavailable` says that no worker could do it.
        """

    def close(self) -> None:
        """End all workers, whatever they are doing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class HelpingEngine(Engine, Protocol):
    """An engine that also takes tasks as they come, beside other work."""

    @property
    def ready(self) -> int:
        """How many workers have started."""

    @property
    def waiting(self) -> int:
        """How many submissions no worker has begun."""

    def submit(self, tasks: Sequence[Any]) -> Future[list[Any]]:
        """Have one worker carry out these tasks: an outcome each. May be cancelled until it is begun."""

    def grow(self) -> None:
        """Start another worker, where that is allowed and would help."""
