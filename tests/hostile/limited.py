"""Runs a command where only so much memory can be addressed, and says how much it took."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LITTLE = 1_000_000 * 1024
"""Bytes of address space, as `ulimit -v 1000000` gives."""

PLENTY = 12 * 1024**3
"""Bytes of address space that end a test rather than the machine."""

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
from pincite.cli import main
code = main(sys.argv[2:])
# The kernel counts for a process what its parent held when it was started, but not here.
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
used = max(int(status["VmHWM"].split()[0]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
print(f"peak {used}", file=sys.stderr)
sys.exit(code)
"""


def run_limited(*arguments: str, cwd: Path, space: int = LITTLE) -> tuple[int, str, int]:
    """A command with so many bytes of address space: its exit code, all it says, and its most kilobytes.

    What the processes that it starts take counts too.
    """
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux keeps to this limit")
    done = subprocess.run(
        [sys.executable, "-P", "-c", LIMITED, str(space), *arguments],
        cwd=cwd,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert "bug in Pincite" not in said
    return done.returncode, said, int(said.rpartition("peak ")[2])
