"""The program that runs a local model, apart from everything else: a broken model file ends only it.

One message of JSON asks, others answer: pieces of the reply (`{"text": …}`) and its end
(`{"end": …, "prompt": …, "reply": …}`), or what went wrong (`{"error": …}`).
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from typing import Any

from pincite.base import ParentPipe


def load(path: str, context: int, threads: int) -> Any:
    """The model behind llama.cpp's own server, of which only the functions are used."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = context
    params.n_parallel = 1
    params.n_gpu_layers = -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.warmup = False
    # It opens a port of this machine, which nobody knows the key of.
    params.port = 0
    params.api_keys = [secrets.token_hex(32)]
    return xllamacpp.Server(params)


class Complaints:
    """What the libraries print, kept apart from the answers. Only what it says of a grammar matters."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        for standard in (1, 2):
            os.dup2(self._file.fileno(), standard)

    def grammar_failed(self) -> bool:
        """Whether a grammar was given up since this was asked last: the model then goes on without one."""
        self._file.seek(0)
        said = self._file.read()
        self._file.seek(0)
        self._file.truncate()
        return b"llg error" in said


def reply(server: Any, request: dict[str, Any], send: Any, complaints: Complaints | None = None) -> None:
    """Send the reply to one request, piece by piece; an error where nothing held the model any more."""
    ends = ""
    usage: dict[str, Any] = {}

    def hear(raw: str | dict[str, Any]) -> bool:
        nonlocal ends, usage
        event = json.loads(raw) if isinstance(raw, str | bytes) else raw
        if "error" in event:
            send({"error": str(event["error"].get("message", "the model failed"))[:300]})
            ends = "error"
            return True
        for choice in event.get("choices", ()):
            text = choice.get("delta", {}).get("content")
            if text:
                send({"text": text})
            ends = choice.get("finish_reason") or ends
        usage = event.get("usage") or usage
        return False

    wanted = {**request, "stream": True, "stream_options": {"include_usage": True}}
    server.handle_chat_completions(json.dumps(wanted), hear)
    if complaints is not None and complaints.grammar_failed():
        send({"error": "the grammar was given up on the way, so nothing held the model to its passages"})
    elif ends != "error":
        send(
            {"end": ends, "prompt": usage.get("prompt_tokens", 0), "reply": usage.get("completion_tokens", 0)}
        )


def serve(parent: ParentPipe) -> None:
    """Load the model that the first message names, and answer the messages after it."""
    complaints = Complaints()

    def send(value: dict[str, Any]) -> None:
        parent.send(json.dumps(value).encode("ascii"))

    first = json.loads(parent.receive())
    try:
        server = load(first["path"], first["context"], first["threads"])
    except Exception as error:
        send({"error": f"the model cannot be loaded: {str(error)[:300]}"})
        return
    send({"ready": True})
    while True:
        request = json.loads(parent.receive())
        try:
            reply(server, request, send, complaints)
        except Exception as error:
            send({"error": f"{type(error).__name__}: {str(error)[:300]}"})
