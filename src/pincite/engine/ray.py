"""The engine of a Ray cluster: Ray Data gives chunks of tasks to actors on all of its machines.

The chunks are not read by Ray: whoever maps holds the tasks, and what a journal knows already is never sent.
Ray Data maps over tokens instead. An actor exchanges a token for a chunk, which a feeder beside the caller
hands out. A token whose actor or machine died is mapped again and gets the same chunk again, so that nothing
is lost, and outcomes are told apart by the number of their chunk, so that nothing counts twice. Only a few
chunks are on their way at any time, however many tasks there are.

An actor holds a process of the local engine, so that a task that ends its process costs no other outcome.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import queue
import socket
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import islice
from typing import Any

from pincite.base import cores, describe_error, import_path, missing_extra
from pincite.engine.engine import Engine, EngineUnavailable, Job, pickled, pickled_failure
from pincite.engine.local import LocalEngine

MOST_IN_A_CHUNK = 512
CHUNKS_PER_ACTOR = 16
"""At least so many, where there are enough tasks: the last ones then end at about the same time."""
MOST_TOKENS = 20_000
"""Each is a block to Ray Data, which plans all of them before it begins."""
LEAVING_SECONDS = 10.0
"""How long actors are waited for that are in the middle of a chunk which nobody wants any more."""
CONNECT_SECONDS = 20.0
SHARE = 0.5
EXPECTED = 10_000
"""Tasks to plan for where nobody says how many there are; more are planned for when these are done."""


def require_ray() -> None:
    """Say how to install Ray, where it is missing."""
    if find_spec("ray") is None or find_spec("pyarrow") is None:
        raise missing_extra("the engine `ray` needs Ray", "ray")


class RayEngine(Engine):
    """The actors of one job on a Ray cluster: the one at `address`, or one started on this machine."""

    def __init__(
        self, job: Job, workers: int = 0, address: str | None = None, expected: int | None = None
    ) -> None:
        """`workers` is the most actors; 0 takes one a core of the cluster."""
        require_ray()
        self._job = job
        self._expected = expected
        try:
            started = pickled((_version(), job.prepare, job.given, job.signature))
        except Exception as error:
            raise EngineUnavailable(str(error)) from error
        self._ours = _connect(address)
        try:
            self._share, self._workers = _room(workers)
            import ray

            self._start = ray.put(started)
            self._feeder = _start_feeder()
        except BaseException:
            self.close()
            raise

    @property
    def workers(self) -> int:
        return self._workers

    def map(self, tasks: Iterable[Any], size: int = 0) -> Iterator[Any]:
        """An outcome for each task, as they come. A `size` of 0 chooses how many an actor gets at a time."""
        feeder, remaining = self._feeder, iter(tasks)
        expected = self._expected or EXPECTED
        size = size or chunk_size(expected, self._workers)
        under_way: dict[int, list[Any]] = {}
        next_number, ended, done = 0, False, 0
        while not ended or under_way:
            tokens = min(
                MOST_TOKENS, max(len(under_way), (expected - done + size - 1) // size, self._workers)
            )
            before = done
            arrived: queue.Queue[Any] = queue.Queue(2 * self._workers)
            leaving = threading.Event()
            mapping = threading.Thread(
                target=self._map_tokens, args=(tokens, arrived, leaving), name="pincite-ray", daemon=True
            )
            mapping.start()
            try:
                while True:
                    while not ended and len(under_way) < 2 * self._workers + 2:
                        chunk = list(islice(remaining, size))
                        if not chunk:
                            ended = True
                            break
                        content = pickled([self._job.pack(task) for task in chunk])
                        feeder.put.remote(next_number, content)
                        under_way[next_number] = chunk
                        next_number += 1
                    if ended and not under_way:
                        feeder.end.remote()
                    came = arrived.get()
                    if came is None:  # all tokens are used up
                        break
                    if isinstance(came, BaseException):
                        raise EngineUnavailable(f"Ray could not do it: {describe_error(came)}") from came
                    number, content = came
                    chunk = under_way.pop(number, [])
                    feeder.done.remote(number)
                    if chunk:
                        done += len(chunk)
                        yield from self._outcomes(chunk, content)
            finally:
                leaving.set()
                feeder.end.remote()
                mapping.join(LEAVING_SECONDS)
            if done == before and (under_way or not ended):
                raise EngineUnavailable("Ray gave no outcome at all")
            if under_way or not ended:
                feeder.again.remote()

    def close(self) -> None:
        """End what this engine started; a cluster that was there before stays."""
        import ray

        if self._ours:
            ray.shutdown()
        elif hasattr(self, "_feeder"):
            ray.kill(self._feeder)

    def _outcomes(self, chunk: list[Any], content: bytes) -> Iterator[Any]:
        kind, said = pickle.loads(content)  # noqa: S301 - of our own actor
        if kind == "raised":
            raise said
        if kind == "unavailable":
            raise EngineUnavailable(f"an actor cannot do this: {said}")
        for task, outcome in zip(chunk, said, strict=True):
            yield self._job.lost(task) if outcome is None else self._job.unpack(outcome[0])

    def _map_tokens(self, tokens: int, arrived: queue.Queue[Any], leaving: threading.Event) -> None:
        """Hand over what comes back for each chunk, then None; in a thread beside the caller's."""

        def hand_over(came: Any) -> None:
            while not leaving.is_set():
                with suppress(queue.Full):
                    arrived.put(came, timeout=0.5)
                    return

        try:
            for came in _mapped(tokens, self._start, self._feeder, self._workers, self._share):
                hand_over(came)
                if leaving.is_set():
                    return
            hand_over(None)
        except BaseException as error:
            hand_over(error)


def chunk_size(expected: int, workers: int) -> int:
    """How many tasks an actor gets at a time: few where there are few, so that no actor is without."""
    fair = expected // (CHUNKS_PER_ACTOR * workers)
    return max(1, min(MOST_IN_A_CHUNK, fair), expected // MOST_TOKENS)


# --- on the cluster ------------------------------------------------------------------------------


class Feeder:
    """Holds the chunks that are on their way. It runs beside the caller, as an actor without a core."""

    def __init__(self) -> None:
        self._change = asyncio.Condition()
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._given: dict[int, tuple[int, bytes]] = {}
        """By token."""
        self._ended = False

    async def put(self, number: int, content: bytes) -> None:
        async with self._change:
            self._waiting.append((number, content))
            self._change.notify()

    async def take(self, token: int) -> tuple[int, bytes] | None:
        """The chunk of a token; one that asks again gets the same. None when there are no more."""
        async with self._change:
            while token not in self._given:
                if self._waiting:
                    self._given[token] = self._waiting.popleft()
                elif self._ended:
                    return None
                else:
                    await self._change.wait()
            return self._given[token]

    async def done(self, number: int) -> None:
        """The outcomes of a chunk have arrived."""
        async with self._change:
            for token in [token for token, (held, _) in self._given.items() if held == number]:
                del self._given[token]

    async def end(self) -> None:
        """No more chunks come."""
        async with self._change:
            self._ended = True
            self._change.notify_all()

    async def again(self) -> None:
        """Other tokens follow: they get what is left of these."""
        async with self._change:
            self._waiting.extendleft(reversed(self._given.values()))
            self._given.clear()
            self._ended = False


class Measuring:
    """What an actor of Ray Data does: it holds one process of the local engine, and so one model."""

    def __init__(self, start: list[Any], feeder: Any) -> None:
        import ray

        self._feeder = feeder
        self._engine: LocalEngine | None = None
        self._problem = ""
        try:
            version, prepare, given, signature = pickle.loads(ray.get(start[0]))  # noqa: S301 - our caller's
            if version != _version():
                raise EngineUnavailable(f"it has Pincite {_version()}, not {version}")
            job = Job(prepare, given, signature, unpack=lambda outcome: (outcome,))
            self._engine = LocalEngine(job, 1)
        except Exception as error:
            self._problem = describe_error(error)

    def __call__(self, batch: Any) -> Iterator[Any]:
        import pyarrow
        import ray

        for token in batch["token"].to_pylist():
            taken = ray.get(self._feeder.take.remote(token))
            numbers = [] if taken is None else [taken[0]]
            outcomes = [] if taken is None else [self._outcome(taken[1])]
            yield pyarrow.table(
                {
                    "chunk": pyarrow.array(numbers, pyarrow.int64()),
                    "outcome": pyarrow.array(outcomes, pyarrow.large_binary()),
                }
            )

    def _outcome(self, content: bytes) -> bytes:
        try:
            if self._engine is None:
                raise EngineUnavailable(self._problem)
            tasks = pickle.loads(content)  # noqa: S301 - our caller's
            return pickled(("done", self._engine.submit(tasks).result()))
        except EngineUnavailable as error:
            return pickled(("unavailable", describe_error(error)))
        except Exception as error:
            return pickled_failure(error)


def _mapped(tokens: int, start: Any, feeder: Any, workers: int, share: float) -> Iterator[tuple[int, bytes]]:
    import ray.data

    # A block each: an actor takes whole blocks, and all in one would keep one actor busy.
    asked = ray.data.from_items([{"token": token} for token in range(tokens)], override_num_blocks=tokens)
    measured = asked.map_batches(
        Measuring,
        fn_constructor_args=([start], feeder),
        batch_format="pyarrow",
        batch_size=1,
        compute=ray.data.ActorPoolStrategy(size=workers, max_tasks_in_flight_per_actor=1),
        num_cpus=share,
        scheduling_strategy="SPREAD",
    )
    for table in measured.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        yield from zip(table["chunk"].to_pylist(), table["outcome"].to_pylist(), strict=True)


def _start_feeder() -> Any:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = ray.get_runtime_context().get_node_id()
    beside_us = NodeAffinitySchedulingStrategy(node_id=here, soft=False)
    made: Any = ray.remote(Feeder)
    return made.options(num_cpus=0, max_concurrency=10_000, scheduling_strategy=beside_us).remote()


def _connect(address: str | None) -> bool:
    """Join the cluster, or start one on this machine; whether it is ours to end."""
    # Before Ray is imported, which reads them once. It would report to its makers otherwise.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ENABLE_AUTO_CONNECT", "0")  # a thread that ends late must not start Ray again
    import ray
    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # what goes wrong is raised
    if ray.is_initialized():
        return False
    address = address or os.environ.get("RAY_ADDRESS")
    how: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address is None:
        # Nobody else on the network is to reach it.
        how |= {"num_cpus": cores(), "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    if address is None or not address.startswith("ray://"):
        how["job_config"] = _job_config()
    try:
        if address is not None:
            _knock(address)
        with _own_import_path():
            ray.init(address=address or "local", **how)
    except Exception as error:
        where = f"there is no Ray cluster at {address}" if address else "Ray cannot be started"
        raise EngineUnavailable(f"{where}: {describe_error(error)}") from error
    return True


def _job_config() -> Any:
    """How workers are started: Ray would put the working folder first on their path, whatever is in it."""
    from ray.job_config import JobConfig

    class Config(JobConfig):  # type: ignore[misc, unused-ignore]
        def _runtime_env_has_working_dir(self) -> bool:
            return True  # so that neither the working folder nor that of the program is added

    allowed = import_path()
    return Config(_py_driver_sys_path=[entry for entry in sys.path[:1] if entry in allowed])


@contextmanager
def _own_import_path() -> Iterator[None]:
    """What is started within finds modules as a process of ours does, and not in the working folder."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(import_path())
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def _knock(address: str) -> None:
    """Raise an `OSError` where nobody answers: Ray itself would wait for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()


def _room(most: int) -> tuple[float, int]:
    """The share of a core that an actor asks for, and how many actors there can be: one a core.

    An actor keeps one core busy but asks for half. The other half is room for the actors of a machine that
    goes away: without it they could not start again elsewhere, and what they had would wait for ever.
    """
    import ray

    offered = [node["Resources"].get("CPU", 0.0) for node in ray.nodes() if node["Alive"]]
    offered = [count for count in offered if count > 0]
    if not offered:
        raise EngineUnavailable("the Ray cluster offers no core")
    fitting = sum(max(1, int(count)) for count in offered)
    return min(SHARE, *offered), max(1, min(most, fitting) if most else fitting)


def _version() -> str:
    return str(getattr(sys.modules["pincite"], "__version__", ""))
