"""What Pincite keeps, whole evaluations, and the command line from its arguments to its exit code."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.fuzzing import whole_seeds as seeds
from bench.fuzzing.data_seeds import evaluations
from bench.fuzzing.inside import module_at
from bench.fuzzing.target import Target, fresh_folder, text_of, written_files

LONG = 256 * 1024
"""Bytes of an input that holds a database."""
EXIT_CODES = (0, 1, 2, 130)


def evaluate(data: bytes) -> Any:
    """A dataset and recorded answers, measured; the results document keeps to its own format."""
    import pincite
    from pincite.config import Evaluation, Settings
    from pincite.datasets import validate_file

    files = written_files(data)
    dataset = next((path for name, path in files.items() if ".eval." in name), Path("none.eval.json"))
    answers = next((path for name, path in files.items() if name.startswith("answers")), None)
    settings = Settings(judge="rules", evaluation=Evaluation(workers=1, resamples=100))
    given: dict[str, Any] = {"target": "answer"} if answers is None else {"answers": answers}
    output = Path("out.results.json")
    valid = not any(True for path in files.values() for _ in validate_file(path))
    run = pincite.evaluate(dataset, settings=settings, output=output, **given)
    # Citations are repeated as the system gave them, sound or not.
    problems = [str(problem) for problem in validate_file(output) if "/citations/" not in problem.pointer]
    assert not problems or not valid, f"of a valid dataset comes a document that is not: {problems[0]}"
    assert run.total == run.successful + run.failed, "queries are lost"
    for score in run.scores:
        assert score.n + score.not_scorable + score.unjudged == run.total, f"{score.metric}: queries are lost"
    return run.scores


def read_store(data: bytes) -> Any:
    """A history whose file was damaged: read, or refused by name."""
    import pincite
    from pincite.errors import PinciteError

    path = fresh_folder() / "h.sqlite"
    path.write_bytes(data)
    told: list[Any] = []
    with pincite.open_store(path, patience=0.0) as store:
        for ask in (
            lambda: [run.name for run in store.runs()],
            lambda: store.find("latest").name,
            lambda: [item.query_id for item in store.items(store.find("first").run_id)],
            lambda: store.trend("hit@1"),
            lambda: store.verdicts(store.find("latest").run_id),
            lambda: [store.get("ab", key) for key in store.keys("ab")],
            lambda: str(store.compare("latest", "latest~1"))[:100],
            lambda: len(store.old_runs(0)),
        ):
            try:
                told.append(ask())
            except PinciteError as error:
                assert str(error).strip()
                told.append(str(error))
    return None  # what SQLite makes of a damaged page may differ from one time to the next


def read_cache(data: bytes) -> Any:
    """A cache whose file was damaged costs a call, never the run."""
    from pincite.llm import ReplyCache

    path = fresh_folder() / "replies-1.sqlite3"
    path.write_bytes(data)
    cache = ReplyCache(path, now=lambda: 1_900_000_000.0, max_age_days=100_000)
    found = [cache.get(f"{number:064x}") for number in range(5)]
    assert all(one is None or one.startswith("reply") for one in found), "a reply that was never kept"
    cache.put("a" * 64, "new")
    cache.info()
    cache.clear()
    cache.close()
    return None


def read_journal(data: bytes) -> Any:
    """A result as it was written to disk; whoever reads it from a store is told by a name."""
    import msgspec

    from pincite.runs import decode, encode

    try:
        item = decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    written = encode(item)  # as bytes, since NaN is not equal to itself
    assert encode(decode(written)) == written
    return item.query_id


@contextmanager
def _captured() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"It rose [1].\n"), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", write_through=True)
    try:
        yield out, err
    finally:
        # Detached, since a wrapper that is collected would close what is still to be read.
        for stream in (sys.stdout, sys.stderr):
            stream.detach()
        sys.stdin, sys.stdout, sys.stderr = before


def run_command(data: bytes) -> Any:
    """A command with odd arguments and odd files: a known exit code, and never a traceback."""
    from pincite.cli import main

    output = module_at("cli/output.py")
    raised: list[Exception] = []
    report_failure = output.report_failure
    files = written_files(data)
    path = files.pop("arguments", None)
    arguments = [] if path is None else text_of(path.read_bytes()).split("\n")
    arguments = [one.replace("\0", "") for one in arguments][:60]
    arguments = [one for one in arguments if not _leads_out(one)]
    with _captured() as (out, err):
        output.report_failure = lambda error: raised.append(error) or report_failure(error)  # type: ignore[func-returns-value]
        try:
            code = main(arguments)
        finally:
            output.report_failure = report_failure
    said = err.getvalue().decode("utf-8")
    told = out.getvalue().decode("utf-8")
    assert code in EXIT_CODES, f"exit code {code}"
    if "bug in Pincite" in said:
        raise AssertionError("it calls bad input a bug") from (raised[-1] if raised else None)
    assert "Traceback" not in said, "a traceback"
    assert code != 2 or said.strip() or told.strip(), "it could not run and does not say why"
    if told and _is_json(arguments) and code in (0, 1):
        json.loads(told)
    return code


def _leads_out(argument: str) -> bool:
    """Whether it names a folder of this machine: to read all of `/` takes long, and shows nothing."""
    named = argument.partition("=")[2] if argument.startswith("-") else argument
    outside = not os.path.realpath(named).startswith(os.path.realpath(os.curdir))
    return outside and os.path.isdir(named)  # noqa: PTH112 - says no to any name, however long


def _is_json(arguments: list[str]) -> bool:
    """Whether JSON is printed: asked for last, and to nowhere else."""
    chosen = [after for before, after in pairwise(arguments) if before == "-f"]
    asked = arguments.count("-f") == 1 and chosen == ["json"]
    others = (
        "--help",
        "-h",
        "--text",
        "--output",
        "-o",
        "--output-format",
        "--diff",
        "--fix",
        "score",
    )
    return asked and not any(other in argument for other in others for argument in arguments)


TARGETS = [
    Target("evaluate", evaluate, evaluations, "files", weight=14),
    Target("store", read_store, seeds.stores, "bytes", LONG, weight=8, guided=False),
    Target("cache", read_cache, seeds.caches, "bytes", LONG, weight=6, guided=False),
    Target("journal", read_journal, seeds.journals, "bytes", weight=30, guided=False),
    Target("commands", run_command, seeds.commands, "files", LONG, weight=30),
]
