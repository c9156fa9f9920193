"""Configuration, and what comes back from judges and from systems under test."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from bench.fuzzing import reply_seeds as seeds
from bench.fuzzing.target import Target, fresh_folder, text_of
from bench.fuzzing.whole_seeds import calibrations, known_findings


def read_toml(data: bytes) -> Any:
    """A file of settings, a table in `pyproject.toml`, and a file of prices."""
    from pincite.config import load_settings
    from pincite.errors import PinciteError
    from pincite.llm import read_prices

    box = fresh_folder()
    told: list[Any] = []
    for name in ("pincite.toml", "pyproject.toml"):
        (box / name).write_bytes(data)
        try:
            told.append(load_settings(box / name, environment={}))
        except PinciteError as error:
            told.append(str(error))
    try:
        told.append(read_prices(box / "pincite.toml"))
    except PinciteError as error:
        told.append(str(error))
    return told


def read_yaml(data: bytes) -> Any:
    from pincite.config import load_settings
    from pincite.datasets import validate_file
    from pincite.errors import PinciteError

    path = fresh_folder() / "a.config.yaml"
    path.write_bytes(data)
    problems = [str(problem) for problem in validate_file(path)]
    try:
        return problems, load_settings(path, environment={})
    except PinciteError as error:
        return problems, str(error)


def read_settings(data: bytes) -> Any:
    """Any value for any key: in a table, in the environment, as a flag, and as an override."""
    from pincite.config import Settings, load_settings, settings_from, with_overrides
    from pincite.errors import PinciteError

    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        return None
    given = given if isinstance(given, dict) else {"file": given}
    held = given.get("file")
    table: dict[str, Any] = held if isinstance(held, dict) else {"judge": held}
    told: list[Any] = []
    variables = given.get("environment")
    environment = {
        name: value if isinstance(value, str) else str(value)[:1_000]
        for name, value in (variables.items() if isinstance(variables, dict) else ())
        if name != "PINCITE_CONFIG" and "\0" not in name
    }
    own = ("config", "folder", "environment")
    flags = {name.replace(".", "_"): value for name, value in table.items() if name not in own}
    loads: list[Callable[[], Settings]] = [
        lambda: settings_from(table),
        lambda: settings_from(_nested(table)),
        lambda: load_settings(folder=fresh_folder(), environment=environment),
        lambda: load_settings(folder=fresh_folder(), environment={}, **flags),
        lambda: with_overrides(Settings(), flags),
    ]
    for load in loads:
        try:
            told.append(load())
        except PinciteError as error:
            told.append(str(error))
    return told


def _nested(table: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in table.items():
        section, _, key = name.partition(".")
        if key and isinstance(found.setdefault(section, {}), dict):
            found[section][key] = value
        else:
            found[section] = value
    return found


def read_judgement(data: bytes) -> Any:
    """A model's reply: every item is answered or complained about, with a score from 0 to 1."""
    from pincite.judges import read_verdicts, shown_reply

    text = text_of(data)
    told: list[Any] = [shown_reply(text)]
    shown_reply(text).encode()
    for items, outcomes, grades in (
        (1, ("supported", "contradicted", "not_enough"), False),
        (1, ("supported", "not_enough"), True),
        (3, ("supported", "contradicted", "not_enough"), False),
        (2, ("supported", "contradicted"), True),
    ):
        read = read_verdicts(text, items, outcomes, grades)  # type: ignore[arg-type]
        assert set(read.answers) | set(read.complaints) == set(range(1, items + 1)), "an item is lost"
        assert not set(read.answers) & set(read.complaints), "an item is answered and complained about"
        for answer in read.answers.values():
            assert 0.0 <= answer.score <= 1.0, f"a score of {answer.score}"
            assert answer.outcome in outcomes, f"an outcome of {answer.outcome}"
            assert (answer.outcome == "supported") == (answer.score >= 0.5), "outcome and score do not agree"
        told.append(read)
    return told


def judge_by_reply(data: bytes) -> Any:
    """The whole judge: whatever the model says, there is a verdict a pair and nothing is raised."""
    from pincite.judges import LlmJudge
    from pincite.llm import Prompt
    from pincite.records import Pair, Passage, Usage

    text = text_of(data)

    class Parrot:
        identity: dict[str, Any] = {"model": "parrot"}  # noqa: RUF012

        usage = Usage()

        async def call(self, prompt: Prompt) -> str:
            return text.encode("utf-8", "replace").decode()

    passages = (Passage("It rose. It rose by 5%.", "a.txt"),)
    pairs = [Pair("It rose.", passages), Pair("It fell.", passages, question="grounding")]
    verdicts = _loop().run_until_complete(LlmJudge(Parrot(), retry_attempts=1).judge(pairs))
    assert len(verdicts) == len(pairs), "a verdict is missing"
    for verdict in verdicts:
        assert verdict.score is None or 0.0 <= verdict.score <= 1.0, f"a score of {verdict.score}"
    return verdicts


def read_body(data: bytes) -> Any:
    """A body of either protocol, whole or cut, as JSON or as a stream."""
    from pincite.llm import RequestFailure, sendable
    from pincite.llm import read_reply_body as read

    text = data.decode("utf-8", "replace")
    told: list[Any] = []
    for kind in ("openai", "anthropic"):
        for content_type, cut in (("application/json", False), ("text/event-stream", False), ("", True)):
            heard = read(text, content_type, kind, cut)
            if isinstance(heard, RequestFailure):
                assert heard.reason.strip(), "a failure without a reason"
                sendable(heard.reason)
            else:
                sendable(heard.text)
            told.append(heard)
    return told


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


class _Writer:
    """Takes a request and sends it nowhere."""

    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...

    def close(self) -> None: ...

    async def wait_closed(self) -> None: ...

    def is_closing(self) -> bool:
        return True


def read_http(data: bytes) -> Any:
    """The bytes that a server sends back: an answer, or a failure with a reason."""
    from pincite.base import MOST_HEADERS
    from pincite.datasets import EvaluationQuery
    from pincite.runs import HttpTarget, TargetFailed

    told: list[Any] = []
    query = EvaluationQuery(query_id="q1", query_text="How high?")
    for answer_path, citations_path in ((None, None), ("answer", "citations"), ("choices.0.text", None)):

        async def ask(
            answer_path: str | None = answer_path, citations_path: str | None = citations_path
        ) -> Any:
            async def connect(_: Any) -> Any:
                reader = asyncio.StreamReader(limit=MOST_HEADERS)
                reader.feed_data(data)
                reader.feed_eof()
                return reader, _Writer()

            target = HttpTarget("http://h/", answer_path=answer_path, citations_path=citations_path)
            target._client._connect = connect  # type: ignore[method-assign, assignment]
            return await target.answer(query)

        try:
            answer = _loop().run_until_complete(ask())
            assert answer.query_id == "q1"
            told.append((answer.answer, answer.citations, answer.oddities))
        except TargetFailed as failed:
            assert failed.reason.strip(), "a failure without a reason"
            told.append(failed.reason)
    return told


def read_live(data: bytes) -> Any:
    """What a function gives back, and the answer measured as any other."""
    from pincite.runs import TargetFailed, read_reply

    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = text_of(data)
    path = (None, "answer", "data.answer", "choices.0.message.content")[len(data) % 4]
    try:
        answer = read_reply(value, "q1", path, "citations" if len(data) % 3 else None)
    except TargetFailed as failed:
        assert failed.reason.strip(), "a failure without a reason"
        return failed.reason
    assert answer.query_id == "q1"
    return answer


def calibrate(data: bytes) -> Any:
    """A saved calibration, applied to scores; and a baseline of known findings."""
    from pincite.errors import PinciteError
    from pincite.findings import load_baseline
    from pincite.judges import load_calibration, recalibrated
    from pincite.records import Verdict

    path = fresh_folder() / "a.json"
    path.write_bytes(data)
    told: list[Any] = []
    try:
        saved = load_calibration(path)
        random = Random(1)
        for score in (0.0, 1.0, 0.5, random.random()):
            moved = recalibrated(Verdict("supported", score, ""), saved, "rules")
            assert moved.score is not None
            assert 0.0 <= moved.score <= 1.0, f"a score of {moved.score}"
            told.append(moved)
    except PinciteError as error:
        told.append(str(error))
    try:
        told.append(load_baseline(Path(path)))
    except PinciteError as error:
        told.append(str(error))
    return told


TARGETS = [
    Target("toml", read_toml, seeds.toml_files, "toml", weight=30),
    Target("yaml", read_yaml, seeds.yaml_files, "yaml", weight=15),
    Target("settings", read_settings, seeds.environments, "json", weight=8),
    Target("judge-replies", read_judgement, seeds.replies, "reply", weight=90),
    Target("judge-by-reply", judge_by_reply, seeds.replies, "reply", weight=15),
    Target("bodies", read_body, seeds.bodies, "reply", weight=60),
    Target("http", read_http, seeds.http_replies, "http", weight=40),
    Target("live-replies", read_live, seeds.live_replies, "json", weight=80),
    Target("calibrations", calibrate, lambda: [*calibrations(), *known_findings()], "json", weight=30),
]
