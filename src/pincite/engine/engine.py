"""What an engine is, what it is given to do, and values as its processes send them to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

if TYPE_CHECKING:
    from concurrent.futures import Future

MOST_MODELS = 8
"""Processes that each load a model, where nobody says how many: one takes about 200 MB."""


class EngineUnavailable(Exception):
    """No worker can be started or given what it needs: do the work in this process."""


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


class SubmittingEngine(Engine, Protocol):
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


# --- values as processes send them to each other -----------------------------------------------------


def unpickled(content: bytes) -> Any:
    """Only for what a process of ours has sent that runs nothing but what we gave it."""
    import pickle

    return pickle.loads(content)  # noqa: S301


def pickled(value: Any) -> bytes:
    import pickle

    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def pickled_failure(error: Exception) -> bytes:
    """What a task raised, to be raised again elsewhere; one that cannot be sent is told in words."""
    try:
        return pickled(("raised", error))
    except Exception:
        return pickled(("raised", RuntimeError(f"{type(error).__name__}: {error}")))
