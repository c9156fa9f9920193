"""Many questions, one answer per line, resumed where it was interrupted.

The file of answers is its own journal: each line is written whole, in the order of the questions, and bears a
key made from everything that could change the answer. What the file holds is not asked again.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import deque
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pincite.answering.pipeline import Answerer
from pincite.answering.records import AnswerOptions, AnswerResult, DraftRequest, Grounding
from pincite.answering.retrieve import refuse_question, retrieve
from pincite.answering.saved_answers import result_shape
from pincite.base import read_json, read_limited
from pincite.config import Settings
from pincite.datasets import write_whole
from pincite.errors import InputError
from pincite.records import Usage
from pincite.sources import Library

MOST_QUESTIONS = 1_000_000
_TEXT = ("question", "query", "query_text", "text")
_ID = ("id", "query_id", "question_id")


class AskedQuestion(Struct, frozen=True):
    """One line of a file of questions."""

    id: str
    text: str


class BatchOutcome(Struct, frozen=True):
    """What came of a batch, by status, without what was resumed."""

    counts: dict[str, int]
    unverified: int
    resumed: int
    total: int


def read_questions(path: Path, most_bytes: int) -> list[AskedQuestion]:
    """The questions of a JSON Lines file: texts, or objects with `question` and perhaps `id`."""
    try:
        raw = read_limited(path, most_bytes + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot read the questions: {error.strerror or error}") from error
    if len(raw) > most_bytes:
        raise InputError(f"{path}: the questions are over {most_bytes:,} bytes")
    asked: list[AskedQuestion] = []
    places: dict[str, int] = {}
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if not line.strip():
            continue
        one = _question(line, path, number)
        if one.id in places:
            raise InputError(f"{path}:{number}: the id {one.id!r:.60} is also on line {places[one.id]}")
        places[one.id] = number
        asked.append(one)
        if len(asked) > MOST_QUESTIONS:
            raise InputError(f"{path}: more than {MOST_QUESTIONS:,} questions")
    if not asked:
        raise InputError(f"{path}: there are no questions in it")
    return asked


def _question(line: bytes, path: Path, number: int) -> AskedQuestion:
    try:
        value = read_json(line)
    except ValueError as error:
        raise InputError(f"{path}:{number}: this is not JSON: {error}"[:300]) from None
    if isinstance(value, str):
        value = {"question": value}
    if not isinstance(value, dict):
        raise InputError(f"{path}:{number}: a question is a text, or an object with `question`")
    text = next((value[name] for name in _TEXT if isinstance(value.get(name), str)), None)
    if text is None:
        raise InputError(f"{path}:{number}: there is no question under any of {', '.join(_TEXT)}")
    known = next((value[name] for name in _ID if isinstance(value.get(name), str | int)), number)
    return AskedQuestion(str(known), text)


class AnswersFile:
    """The file that answers go to. It always ends with a whole line."""

    def __init__(self, path: Path, keys: dict[str, AskedQuestion], resume: bool) -> None:
        self._path = path
        self.done: set[str] = set()
        if resume and path.is_file():
            self._read(keys)
        elif path.exists() and not path.is_file():
            raise InputError(f"{path} is not a file that answers can be added to")
        else:
            write_whole(path, b"")
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}") from error

    def _read(self, keys: dict[str, AskedQuestion]) -> None:
        """Keep what can be kept: whole lines of these questions that did not fail."""
        kept: list[bytes] = []
        raw = self._path.read_bytes()
        for number, line in enumerate(raw.splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                break  # of a process that was killed while it wrote
            key, status = _key_of(line)
            if key not in keys:
                raise InputError(
                    f"{self._path}:{number} is not an answer of this run: the questions, the sources, the "
                    "model or an option changed; name another file, or start over with --no-resume"
                )
            if status != "failed" and key not in self.done:
                self.done.add(key)
                kept.append(line)
        if b"".join(kept) != raw:
            write_whole(self._path, b"".join(kept))

    def append(self, key: str, asked: AskedQuestion, result: AnswerResult) -> None:
        """Add one line, whole."""
        shape = {"key": key, "id": asked.id, "query_id": asked.id, **result_shape(result)}
        line = json.dumps(shape, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        written = 0
        while written < len(line):
            written += os.write(self._file, line[written:])

    def close(self) -> None:
        os.close(self._file)


def _key_of(line: bytes) -> tuple[str, str]:
    try:
        value = read_json(line)
    except ValueError:
        value = None
    found = value if isinstance(value, dict) else {}
    return str(found.get("key", "")), str(found.get("status", ""))


def expect_answers(
    questions: Sequence[str], library: Library, model: str, settings: Settings, options: AnswerOptions
) -> dict[str, Any]:
    """What answering would ask of a hosted model, and what that may cost, without a key and without a call.

    Only the first request for each question is counted, and every reply is as long as it may become.
    """
    from pincite.answering.backends.anthropic import cited_prompt
    from pincite.answering.backends.hosted import LONGER_REPLIES
    from pincite.answering.draft_prompts import write_prompt
    from pincite.llm import estimate

    kind, _, name = model.partition(":")
    kind = {"gemini": "openai", "mistral": "openai"}.get(kind, kind.removesuffix("-responses"))
    write = {"openai": write_prompt, "anthropic": cited_prompt}.get(kind)
    grounding: Grounding = "provider_citations" if kind == "anthropic" else "json_schema"
    quotes, most = options.cite == "quotes", options.max_sentences
    requests = [
        DraftRequest(question, passages, grounding, quotes, most, seed=options.seed)
        for question in questions
        if (passages := retrieve(refuse_question(question), library, options.passages))
    ]
    told = {"questions": len(questions), "with_passages": len(requests), "model": model}
    llm = replace(settings.llm, max_tokens=settings.llm.max_tokens * LONGER_REPLIES)
    prompts = [write(request) for request in requests] if write is not None else []
    usage = estimate(prompts, name, replace(settings, llm=llm)) if write is not None else Usage()
    counted = ("requests", "input_tokens", "output_tokens", "cost")
    return told | {field: getattr(usage, field) for field in counted}


def batch_keys(answerer: Answerer, asked: Sequence[AskedQuestion]) -> dict[str, AskedQuestion]:
    """The questions by a hash of all that could change their answers."""
    options = answerer.options
    sources = [(source.name, source.sha256 or source.text) for source in answerer.library.sources]
    about: list[Any] = [answerer.backend.name, answerer.judge.name, answerer.grounding, sources]
    about += [options.cite, options.on_unsupported, options.max_sentences, options.passages, options.repairs]
    about.append(options.seed)
    shared = sha256(json.dumps(about).encode("ascii"))
    keys = {}
    for one in asked:
        own = shared.copy()
        own.update(json.dumps([one.id, one.text]).encode("ascii"))
        keys[own.hexdigest()[:24]] = one
    return keys


async def answer_many(
    answerer: Answerer,
    keys: dict[str, AskedQuestion],
    file: AnswersFile,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> BatchOutcome:
    """Answer what the file does not have yet, several at once where the backend waits."""
    waiting = deque((key, one) for key, one in keys.items() if key not in file.done)
    under_way: deque[tuple[str, AskedQuestion, asyncio.Task[AnswerResult]]] = deque()
    counts: dict[str, int] = {}
    unverified = done = 0
    try:
        while waiting or under_way:
            if answerer.backend.at_once == 1:
                key, one = waiting.popleft()
                result = await _answer(answerer, one)
            else:
                while waiting and len(under_way) < answerer.backend.at_once:
                    key, one = waiting.popleft()
                    under_way.append((key, one, asyncio.create_task(_answer(answerer, one))))
                key, one, task = under_way.popleft()
                result = await task
            file.append(key, one, result)
            counts[result.status] = counts.get(result.status, 0) + 1
            unverified += any(not citation.verified for citation in result.citations)
            done += 1
            tell(len(file.done) + done, len(keys))
    finally:
        for _, _, task in under_way:
            task.cancel()
        if under_way:  # nothing that waits needs no event loop
            await asyncio.gather(*(task for _, _, task in under_way), return_exceptions=True)
    return BatchOutcome(counts, unverified, len(file.done), len(keys))


async def _answer(answerer: Answerer, one: AskedQuestion) -> AnswerResult:
    try:
        return await answerer.answer(one.text)
    except InputError as error:  # of one question, which must not cost the others
        return AnswerResult(one.text, "", "failed", str(error), model=answerer.backend.name)
