"""`pincite mcp` where the protocol's library is missing, and what it loads before it is needed."""

from __future__ import annotations

import subprocess
import sys


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_a_missing_library_is_said_in_one_line() -> None:
    done = run("import sys; sys.modules['mcp'] = None; from pincite.cli import main; sys.exit(main(['mcp']))")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "error: `pincite mcp` needs the protocol's library: pip install 'pincite[mcp]'\n"


def test_help_loads_no_server() -> None:
    done = run(
        "import sys; from pincite.cli import main; main(['mcp', '--help']); "
        "print(sorted({'mcp', 'pydantic', 'starlette', 'uvicorn', 'anyio'} & set(sys.modules)))"
    )
    assert done.stdout.endswith("\n[]\n")
    assert "PINCITE_MCP_TOKEN" in done.stdout
