"""A folder full of modules that are called like ours: no command that starts a process there runs one.

A command is run in two ways. As `pincite`, which is how people run it. And by a program that notes which
processes are started, in surroundings that hand the working folder on: in PYTHONPATH, or on its own path.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

from pincite.datasets import save

TELL = """
try:
    import posix as system
except ImportError:
    import nt as system
told = system.open({path!r}, system.O_WRONLY | system.O_CREAT | system.O_APPEND)
system.write(told, b"{name}\\n")
system.close(told)
"""
PACKAGES = ("pincite", "numpy", "encodings", "msgspec", "pypdfium2", "h5py", "onnxruntime", "tokenizers")
MODULES = ("sitecustomize", "usercustomize", "pickle", "struct", "subprocess", "xllamacpp")
STARTER = """
import json, os, sys
noted = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def note(event, given):
    if event == "subprocess.Popen":
        os.write(noted, json.dumps([os.fsdecode(part) for part in given[1]]).encode() + b"\\n")
sys.addaudithook(note)
sys.path += json.loads(sys.argv.pop(1))
from pincite.cli import main
sys.argv[0] = "pincite"
sys.exit(main())
"""
SOURCE = "Town {n} has {houses} houses. Its mayor took office in {year}."
SYSTEM = "def answer(question):\n    return 'The pump starts at 5 bar [1].'\n"
PLUGIN_TEST = """
from pathlib import Path

def test_a_long_answer(pincite):
    pincite.check(Path("towns.md").read_text(), sources="docs", fail_under=0.0)
"""


class Folder:
    """A hostile working folder, and what was run from it."""

    def __init__(self, path: Path) -> None:
        self.path = path / "checkout"
        self.told = path / "told"
        self.noted = path / "noted"
        self.path.mkdir()

    def plant(self) -> None:
        """Last of all, so that no file is written by one of them."""
        for name in PACKAGES:
            self._write(f"{name}/__init__.py", name)
        for name in MODULES:
            self._write(f"{name}.py", name)
        for name in ("pincite/__main__.py", "pincite/engine/__init__.py", "pincite/engine/local.py"):
            self._write(name, name)

    def ran(self) -> list[str]:
        """What was run of it."""
        return self.told.read_text().splitlines() if self.told.exists() else []

    def _write(self, name: str, told: str) -> None:
        (self.path / name).parent.mkdir(exist_ok=True)
        content = TELL.replace("{path!r}", repr(os.fsencode(self.told))).replace("{name}", told)
        (self.path / name).write_text(content)

    def start(self, *arguments: str, program: str = "pincite") -> subprocess.Popen[str]:
        """The installed command, as people run it."""
        return self.popen([str(Path(sysconfig.get_path("scripts")) / program), *arguments])

    def popen(self, command: list[str], **more: str) -> subprocess.Popen[str]:
        ours = ("PINCITE_", "PYTEST_", "PYTHON")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return subprocess.Popen(
            command,
            cwd=self.path,
            env={**kept, "PYTHONDONTWRITEBYTECODE": "1", **more},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, program: str = "pincite") -> tuple[int, str, str]:
        """The exit code, and what was printed."""
        process = self.start(*arguments, program=program)
        out, err = process.communicate()
        return process.returncode, out, err


class Surroundings(Folder):
    """The same command by a program that notes what it starts, where the working folder is handed on.

    The program itself does not import from there, or its parent would run what was planted.
    """

    variables: dict[str, str]
    path_entries: list[str]

    def start(self, *arguments: str, program: str = "pincite") -> subprocess.Popen[str]:
        given = [str(self.noted), json.dumps(self.path_entries), *arguments]
        return self.popen([sys.executable, "-I", "-c", STARTER, *given], **self.variables)

    def started(self) -> int:
        """How many processes of Python were started."""
        lines = self.noted.read_text().splitlines()
        return sum(json.loads(line)[0] == sys.executable for line in lines)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return prepared(Folder(tmp_path))


def prepared(made: Folder) -> Folder:
    docs = made.path / "docs"
    docs.mkdir()
    count = 210
    for n in range(count):
        (docs / f"town{n}.txt").write_text(SOURCE.format(n=n, houses=n + 100, year=1950 + n))
    said = [
        f"Town {n} has {n + 100} houses [town{n}.txt]. Its mayor took office in {1951 + n} [town{n}.txt]. "
        f"Nobody ever counted the bridges of town {n}, or asked its people what they thought of it."
        for n in range(count)
    ]
    (made.path / "long.md").write_text("\n\n".join(said))
    # Long enough for a second process with the default judge, which takes a tenth of a second for each town.
    (made.path / "towns.md").write_text("\n\n".join(said[:30]))
    assert (made.path / "long.md").stat().st_size > 36_000
    # On a machine with one core too, and with the default judge.
    (made.path / "pincite.toml").write_text("[evaluation]\nworkers = 2\n")
    (made.path / "report.pdf").write_bytes(pdf("Revenue grew by 21%."))
    (made.path / "short.md").write_text("Revenue grew by 21% [report.pdf].\n")
    table = {
        "benchmark_id": "b",
        "created_at": "2026-01-01T00:00:00Z",
        "entries": [{"metric": "hit@1", "value": 0.5}],
    }
    save(table, made.path / "b.benchmark.h5")
    (made.path / "model.gguf").write_bytes(b"GGUF" + b"\xff" * 1000)
    (made.path / "rag_system.py").write_text(SYSTEM)
    (made.path / "tests").mkdir()
    (made.path / "tests" / "test_answers.py").write_text(PLUGIN_TEST)
    made.plant()
    return made


def pdf(text: str) -> bytes:
    """The smallest file that pdfium reads: it mends the missing table of places."""
    drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    parts = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, part) for n, part in enumerate(parts, 1))
    return b"%PDF-1.4\n" + body + b"trailer << /Root 1 0 R >>\n%%EOF\n"


# --- every command that starts a process ---------------------------------------------------------


def check_a_long_answer(folder: Folder) -> None:
    code, out, err = folder.run("check", "towns.md", "--sources", "docs", "--quiet")
    assert (code, err) == (1, "")
    assert "PIN203" in out


def check_with_a_pdf(folder: Folder) -> None:
    code, _, err = folder.run("check", "short.md", "--sources", "report.pdf", "--fail-under", "1")
    assert (code, err) == (0, "")  # it would say that no process could be started


def evaluate_with_two_workers(folder: Folder) -> None:
    metrics = ("-m", "citation_correctness", "-m", "hit@1", "--set", "evaluation.resamples=100")
    code, _, err = folder.run(
        "eval", "sample", "--answers", "sample:a", "--set", "evaluation.workers=2", *metrics
    )
    assert code in (0, 1), err


def read_an_hdf5_file(folder: Folder) -> None:
    code, out, err = folder.run("data", "check", "b.benchmark.h5")
    assert code == 0, out + err


def answer_with_a_model_file(folder: Folder) -> None:
    if find_spec("xllamacpp") is None:
        pytest.skip("pip install 'pincite[llama]'")
    asked = ("How many houses has town 7?", "--sources", "docs", "--model", "llama:model.gguf")
    code, _, err = folder.run("answer", *asked)
    assert code == 2
    assert "the model" in err


def evaluate_an_isolated_function(folder: Folder) -> None:
    asked = ("--target", "rag_system:answer", "--isolate", "--limit", "2", "--judge", "rules")
    code, _, err = folder.run(
        "eval", "sample", *asked, "-m", "citation_density", "--set", "evaluation.resamples=100"
    )
    assert code == 0, err


def serve_an_assistant(folder: Folder) -> None:
    # By its distribution: a folder of tests has the same name.
    if not any(one.name == "mcp" for one in distributions()):
        pytest.skip("pip install 'pincite[mcp]'")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    draft = {"answer": (folder.path / "towns.md").read_text()}
    with folder.start("mcp", "--sources", "docs") as process:
        assert process.stdin is not None and process.stdout is not None
        for asked in (
            {"id": 1, "method": "initialize", "params": hello},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": {"name": "check_citations", "arguments": draft}},
        ):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **asked}) + "\n")
            process.stdin.flush()
        replies = (json.loads(line) for line in process.stdout)
        (reply,) = (next(one for one in replies if one.get("id") == 2),)
        assert reply["result"]["structuredContent"]["findings"]
        process.stdin.close()


COMMANDS = (
    check_a_long_answer,
    check_with_a_pdf,
    evaluate_with_two_workers,
    read_an_hdf5_file,
    answer_with_a_model_file,
    evaluate_an_isolated_function,
    serve_an_assistant,
)
every_command = pytest.mark.parametrize("use", COMMANDS, ids=lambda use: use.__name__)


@every_command
def test_no_command_runs_a_module_of_the_working_folder(
    folder: Folder, use: Callable[[Folder], None]
) -> None:
    use(folder)
    assert folder.ran() == []


def test_the_pytest_plugin_runs_no_module_of_the_working_folder(folder: Folder) -> None:
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "tests")
    code, out, err = folder.run(*options, program="pytest")
    assert folder.ran() == []
    assert code == 0, out + err


SURROUNDINGS = {
    "empty PYTHONPATH": ({"PYTHONPATH": ""}, []),
    "an empty entry in PYTHONPATH": ({"PYTHONPATH": os.pathsep}, []),
    "PYTHONPATH=.": ({"PYTHONPATH": "."}, []),
    "the working folder in PYTHONPATH": ({"PYTHONPATH": "{folder}"}, []),
    "an empty entry on the path": ({}, [""]),
    "a point on the path": ({}, ["."]),
    "the working folder on the path": ({}, ["{folder}"]),
    "the working folder by another name": ({}, ["{folder}/docs/.."]),
    "a folder whose name has a separator": ({}, ["{folder}:."]),
}


@pytest.fixture(params=SURROUNDINGS.values(), ids=SURROUNDINGS)
def surroundings(tmp_path: Path, request: pytest.FixtureRequest) -> Surroundings:
    made = Surroundings(tmp_path)
    variables, entries = request.param
    made.variables = {name: value.format(folder=made.path) for name, value in variables.items()}
    made.path_entries = [entry.format(folder=made.path) for entry in entries]
    (tmp_path / "checkout:.").mkdir()
    prepared(made)
    return made


def test_wherever_the_working_folder_stands_it_is_not_handed_to_a_process(surroundings: Surroundings) -> None:
    sources = ("--sources", "docs", "--sources", "report.pdf")
    code, _, err = surroundings.run("check", "long.md", "short.md", *sources, "--quiet", "--judge", "rules")
    assert (code, err) == (1, "")
    assert surroundings.ran() == []
    assert surroundings.started() == 2  # a worker, and the reader of PDFs


@pytest.mark.thorough
@every_command
def test_wherever_the_working_folder_stands_no_command_hands_it_to_a_process(
    surroundings: Surroundings, use: Callable[[Folder], None]
) -> None:
    use(surroundings)
    assert surroundings.ran() == []
    assert surroundings.started() >= 1
