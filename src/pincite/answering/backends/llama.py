"""A model file on this machine (GGUF), held to its passages by a grammar: `llama:qwen.gguf`.

The model runs in a process of its own (`llama_process`), which is started for the first draft. Its replies
follow the grammar by construction, and are read with the same care as any other.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pincite.answering.backend import Backend, Event
from pincite.answering.draft_prompts import write_lines
from pincite.answering.grammars import (
    marker_grammar,
    quote_grammar,
    read_marked,
    read_marked_line,
    read_quoted,
    read_quoted_pair,
    split_quoted,
)
from pincite.answering.records import (
    AnswerDraft,
    BackendFailed,
    DraftRequest,
    DraftSentence,
    Grounding,
    RetrievedPassage,
)
from pincite.base import ChildProcess, MessageTooLong, ProcessEnded, cores, open_named
from pincite.config import Settings
from pincite.errors import InputError, MissingExtraError
from pincite.records import Usage

CONTEXT_TOKENS = 8192
TOKENS_A_SENTENCE = 120
"""For a sentence and its quote."""
LEAST_SECONDS = 600.0
"""A local model may be slow: a reply may take so long, whatever the limit for hosted models is."""
_CHARACTERS_A_TOKEN = 2.5
_PROGRAM = "pincite.answering.backends.llama_process"
_LONGEST_MESSAGE = 1024 * 1024
"""Bytes of one piece of a reply: a few words, as JSON."""


class LlamaBackend(Backend):
    """Drafts by one reply of a local model; repairs by one more."""

    name = ""  # each has its own
    groundings: tuple[Grounding, ...] = ("quote_grammar", "marker_grammar")
    at_once = 1
    usage = Usage()

    def __init__(self, path: str, settings: Settings) -> None:
        file = Path(path).expanduser()
        _refuse_file(file, path)
        if find_spec("xllamacpp") is None:
            raise MissingExtraError(
                "running a model file needs the xllamacpp library: pip install 'pincite[llama]'"
            )
        self._file = file.resolve()
        self._seconds = max(LEAST_SECONDS, settings.llm.timeout_seconds)
        self._process: _LlamaProcess | None = None
        self._turn = threading.Lock()
        self.name = f"llama:{self._file.name}"

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        async for event in self.stream(request):
            if isinstance(event, AnswerDraft):
                return event
        raise BackendFailed("the model gave no reply", "empty")

    async def stream(self, request: DraftRequest) -> AsyncGenerator[Event, None]:
        """Sentences as the model writes them. Whoever stops reading ends the model's process."""
        passages = _fitting(request)
        body = _body(request, passages)
        pieces: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        worker = threading.Thread(target=self._run, args=(body, pieces), daemon=True)
        worker.start()
        text, given = "", 0
        try:
            while True:
                piece = await asyncio.to_thread(pieces.get)
                if "error" in piece:
                    raise BackendFailed(str(piece["error"]), str(piece.get("cause", "error")))
                if "text" in piece:
                    text += piece["text"]
                    if "\n" not in piece["text"]:
                        continue  # no line more than before
                    whole = _read(text[: text.rfind("\n") + 1], request, passages, partial=True)
                    for sentence in whole.sentences[given:]:
                        given += 1
                        yield sentence
                    continue
                self.usage += Usage(1, int(piece.get("prompt", 0)), int(piece.get("reply", 0)), 0.0)
                drafted = _read(text, request, passages)
                if not drafted.sentences and drafted.answerable:
                    reason = drafted.problems[0] if drafted.problems else "the reply is empty"
                    raise BackendFailed(reason, "length" if piece["end"] == "length" else "empty")
                yield drafted
                return
        finally:
            if worker.is_alive():
                self._end()
                await asyncio.to_thread(worker.join, 10)

    async def close(self) -> None:
        self._end()

    def _run(self, body: dict[str, Any], pieces: queue.SimpleQueue[dict[str, Any]]) -> None:
        """In a thread of its own: send one request, and pass on what comes."""
        with self._turn:
            try:
                if self._process is None or not self._process.is_alive():
                    self._process = _LlamaProcess(self._file, self._seconds)
                for piece in self._process.ask(body, self._seconds):
                    pieces.put(piece)
            except BackendFailed as died:
                self._end()
                pieces.put({"error": str(died), "cause": died.cause})
            except Exception as error:
                self._end()
                pieces.put({"error": f"the model's process failed: {type(error).__name__}"})

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


def _refuse_file(file: Path, given: str) -> None:
    try:
        with open_named(file) as opened:
            head = opened.read(4)
    except OSError as error:
        raise InputError(f"cannot read the model file {given!r:.200}: {error.strerror}") from None
    if head != b"GGUF":
        raise InputError(f"{given!r:.200} is not a GGUF file: llama: runs models in the format of llama.cpp")


# --- what is asked -------------------------------------------------------------------------------


def _fitting(request: DraftRequest) -> tuple[RetrievedPassage, ...]:
    """The passages, the best first, as far as the model can read them; the first in any case."""
    room = (CONTEXT_TOKENS - request.wanted * TOKENS_A_SENTENCE - 800) * _CHARACTERS_A_TOKEN
    taken: list[RetrievedPassage] = []
    for passage in request.passages:
        room -= len(passage.text.encode("utf-8", "replace")) + len(passage.context) + 30
        if taken and room < 0:
            break
        taken.append(passage)
    return tuple(taken)


def _body(request: DraftRequest, passages: tuple[RetrievedPassage, ...]) -> dict[str, Any]:
    wanted, exactly = request.wanted, bool(request.failed)
    quotes = request.grounding == "quote_grammar"
    try:
        grammar = (
            quote_grammar(passages, wanted, exactly=exactly)
            if quotes
            else marker_grammar([passage.id for passage in passages], wanted, exactly=exactly)
        )
    except ValueError as error:
        raise BackendFailed(str(error), "empty") from None
    system, user = write_lines(request, passages, "quote" if quotes else "marker")
    return {
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        "grammar": grammar,
        "max_tokens": wanted * TOKENS_A_SENTENCE,
        "temperature": 0,
        "seed": request.seed,
        "cache_prompt": False,
    }


# --- what is read --------------------------------------------------------------------------------


def _read(
    text: str, request: DraftRequest, passages: tuple[RetrievedPassage, ...], *, partial: bool = False
) -> AnswerDraft:
    quotes = request.grounding == "quote_grammar"
    # llama.cpp lets a model go on freely where its grammar has come to an end: that is no part of the draft.
    lines = text.splitlines(keepends=True)[: request.wanted * (2 if quotes else 1)]
    if partial and quotes:
        lines = lines[: len(lines) // 2 * 2]
    text = "".join(lines)
    if request.failed:
        # Each must stay in its place: what could not be used is an empty sentence.
        pieces = split_quoted(text) if quotes else lines
        read = [read_quoted_pair(one, passages) if quotes else read_marked_line(one) for one in pieces]
        each = (one if isinstance(one, DraftSentence) else DraftSentence("") for one in read)
        return AnswerDraft(tuple(each), grounding=request.grounding)
    return read_quoted(text, passages) if quotes else read_marked(text)


# --- the process ---------------------------------------------------------------------------------


class _LlamaProcess:
    """A running `llama_process` with its model loaded."""

    def __init__(self, file: Path, seconds: float) -> None:
        self._process = ChildProcess(_PROGRAM, reads_untrusted_file=True)
        self.is_alive = self._process.is_running
        self.end = self._process.end
        first = {"path": str(file), "context": CONTEXT_TOKENS, "threads": cores()}
        try:
            ready = next(self._exchange(first, seconds))
            if "ready" not in ready:
                raise BackendFailed(str(ready.get("error", "the model cannot be loaded")))
        except BaseException:
            self.end()
            raise

    def ask(self, body: dict[str, Any], seconds: float) -> Iterator[dict[str, Any]]:
        """What the model writes, and how it ended."""
        for piece in self._exchange(body, seconds):
            yield piece
            if "text" not in piece:
                return

    def _exchange(self, value: dict[str, Any], seconds: float) -> Iterator[dict[str, Any]]:
        with suppress(ProcessEnded, MessageTooLong, ValueError), self._process.deadline(seconds):
            self._process.send(json.dumps(value).encode("ascii"))
            while True:
                yield json.loads(self._process.receive(_LONGEST_MESSAGE))
        if self._process.late:
            raise BackendFailed(f"the model took more than {seconds:.0f} seconds", "timeout")
        raise BackendFailed("the model's process ended: the file may be broken, or memory too small")
