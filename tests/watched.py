"""Programs run under strace in a home of their own: which sockets they open, which files they change.

Only system calls tell: native libraries use neither Python's `socket` nor its `open`.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

FORBID = ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "DISABLE_TELEMETRY", "DO_NOT_TRACK")
"""What a tester may have set, and most users have not."""

OPENING = ("open", "openat", "openat2", "creat")
CHANGING = (
    *("mkdir", "mkdirat", "rmdir", "mknod", "mknodat", "truncate", "unlink", "unlinkat"),
    *("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"),
)
REACHING = ("socket", "connect", "io_uring_setup")
"""A ring of io_uring could open sockets and files without any other call."""

_WRITES = re.compile(r"\b(?:O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE)\b")
_OPENED = re.compile(r" = \d+<(.*)>$")
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')
_ADDRESS = re.compile(r'htons\((\d+)\).*?"([^"]+)"')


def environment(home: Path, **more: str) -> dict[str, str]:
    """This process's environment, but every folder that a library may choose by itself is inside `home`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in FORBID and not name.startswith(("XDG_", "PINCITE_", "HF_"))
    }
    own = {"HOME": str(home), "USERPROFILE": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    return {**kept, **own, **more}


@cache
def strace() -> tuple[str, ...]:
    """How strace is called here; without it the test that asks is skipped."""
    found = shutil.which("strace")
    why = "strace is not installed, so nobody can tell what native code opens"
    # Stopping at the watched calls alone keeps a program nearly as fast as it is; older ones cannot do it.
    for faster in (("--seccomp-bpf",), ()):
        if found is None:
            break
        command = (found, "-f", *faster)
        tried = subprocess.run([*command, "-o", os.devnull, sys.executable, "-c", ""], capture_output=True)
        if tried.returncode == 0:
            return command
        why = f"strace may not watch processes here: {tried.stderr.decode(errors='replace').strip()[-200:]}"
    pytest.skip(why)


class Watched:
    """A program under strace, which is told its arguments and runs at once."""

    def __init__(self, folder: Path, arguments: Sequence[str], **variables: str) -> None:
        self.home, self.work, self._trace = folder / "home", folder / "work", folder / "trace"
        for made in (self.home, self.work, self._trace):
            made.mkdir(parents=True, exist_ok=True)
        calls = ",".join(f"?{call}" for call in ("execve", *REACHING, *OPENING, *CHANGING))
        # A file a thread, so that no call is torn in two; -y names the files behind descriptors.
        watching = [*strace(), "-ff", "-y", "-e", f"trace={calls}", "-e", "signal=none"]
        self._process = subprocess.Popen(
            [*watching, "-o", str(self._trace / "of"), sys.executable, *arguments],
            cwd=self.work,
            env=environment(self.home, **variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def finish(self) -> tuple[int, str]:
        """Wait for the end: the exit code and what was printed."""
        try:
            printed, _ = self._process.communicate(timeout=500)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            raise
        return self._process.returncode, printed

    def programs(self) -> int:
        """How many programs were started, the first one included."""
        return sum(line.endswith(" = 0") for line in self._calls(("execve",)))

    def sockets(self) -> list[str]:
        """Every socket that is not AF_UNIX, as strace shows the call, and every ring of io_uring."""
        opened = [line for line in self._calls(REACHING) if not line.startswith("connect(")]
        return [line for line in opened if not line.startswith("socket(AF_UNIX,")]

    def connections(self) -> set[str]:
        """The addresses that were connected to, as `host:port`."""
        made = (_ADDRESS.search(line) for line in self._calls(("connect",)) if "sa_family=AF_INET" in line)
        return {f"{address[2]}:{address[1]}" for address in made if address}

    def changed(self, *allowed: Path) -> list[str]:
        """What was created, opened for writing, renamed or removed outside these folders."""
        inside = (*allowed, Path("/dev/null"), Path("/dev/tty"))
        paths = {path for path in self._paths() if not any(path.is_relative_to(folder) for folder in inside)}
        return sorted(map(str, paths))

    def _paths(self) -> Iterator[Path]:
        for line in self._calls(OPENING):
            opened = _OPENED.search(line)
            if opened and _WRITES.search(line.partition('",')[2]):
                yield Path(opened[1])
        for line in self._calls(CHANGING):
            if line.endswith(" = 0"):
                # Of two paths the second is the one that is made.
                folder, path = _PATH.findall(line)[-1]
                yield Path(os.path.normpath(self.work / folder / path))

    def _calls(self, names: Iterable[str]) -> Iterator[str]:
        starts = tuple(f"{name}(" for name in names)
        for file in self._trace.iterdir():
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
                if line.startswith(starts):
                    yield line
