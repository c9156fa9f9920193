"""A small dataset, answers to it, and servers that stand in for systems under test."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite.config import Settings, load_settings

FERRY = "The ferry carries 84 cars. It leaves at nine and returns at noon. Dogs travel free."
MUSEUM = "The museum opened in 1911. It shows 240 paintings. Entry costs four crowns."
RULES: Settings = load_settings(environment={"PINCITE_JUDGE": "rules"}, folder=Path("/"))


def dataset(queries: int = 6) -> dict[str, Any]:
    return {
        "dataset_id": "small",
        "name": "small",
        "version": "1.0.0",
        "documents": [
            {"document_id": "ferry", "content": FERRY, "file_path": "docs/ferry.txt"},
            {"document_id": "museum", "content": MUSEUM, "file_path": "docs/museum.txt"},
        ],
        "queries": [query(number) for number in range(queries)],
    }


def query(number: int) -> dict[str, Any]:
    about = ("ferry", "museum")[number % 2]
    end = (26, 26)[number % 2]
    return {
        "query_id": f"q{number}",
        "query_text": f"What about the {about}, number {number}?",
        "query_type": "factual",
        "difficulty": ("easy", "hard")[number % 2],
        "relevant_documents": [about],
        "citations": [{"file_name": f"{about}.txt", "start_char": 0, "end_char": end}],
    }


def answer(number: int) -> dict[str, Any]:
    about = ("ferry", "museum")[number % 2]
    said = ("The ferry carries 84 cars", "The museum opened in 1911")[number % 2]
    return {
        "query_id": f"q{number}",
        "generated_answer": f"{said} [{about}.txt:0-26].",
        "retrieval_results": {"retrieved_docs": [about], "relevance_scores": [0.9]},
        "latency_ms": 100 + number,
    }


def write_dataset(folder: Path, queries: int = 6) -> Path:
    path = folder / "small_1.0.0.eval.json"
    path.write_text(json.dumps(dataset(queries)), encoding="utf-8")
    return path


def write_answers(folder: Path, numbers: range | list[int] = range(6)) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(answer(number)) + "\n" for number in numbers), encoding="utf-8")
    return path


Handler = Callable[[bytes, bytes, asyncio.StreamWriter], Awaitable[None]]
"""Gets a request's head and body, and answers as it likes."""


@contextmanager
def http_system(handler: Handler) -> Iterator[str]:
    """A real server on the loopback, in a thread of its own; gives its address."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    port = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                fields = dict(
                    line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line
                )
                body = await reader.readexactly(int(fields.get(b"content-length", b"0")))
                await handler(head, body, writer)
                await writer.drain()
                if writer.is_closing():
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def main() -> None:
        nonlocal port
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        stop = asyncio.Event()
        loop.stop_it = stop  # type: ignore[attr-defined]
        ready.set()
        await stop.wait()
        server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def run() -> None:
        loop.run_until_complete(main())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(5)
    try:
        yield f"http://127.0.0.1:{port}/ask"
    finally:
        loop.call_soon_threadsafe(loop.stop_it.set)  # type: ignore[attr-defined]
        thread.join(5)


def reply(status: str, body: bytes, kind: str = "application/json", extra: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return head.encode() + body
