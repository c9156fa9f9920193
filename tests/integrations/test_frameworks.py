"""What runs the tests of the frameworks: its table, what it refuses, and the guard against the network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import frameworks
import pytest
from frameworks import BASE, FRAMEWORKS, Broken, Framework

HERE = Path(__file__).parent


def run_offline(folder: Path, test: str) -> subprocess.CompletedProcess[str]:
    """One test in a pytest of its own, with the guard."""
    (folder / "test_one.py").write_text(test, encoding="utf-8")
    variables = {**os.environ, "PYTHONPATH": str(HERE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "offline", "--rootdir", str(folder), str(folder)]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda one: one.name)
def test_every_framework_has_tests_a_page_and_an_extra_that_exists(framework: Framework) -> None:
    assert list((HERE / framework.name).glob("test_*.py"))
    assert (HERE.parents[1] / "docs" / "integrations" / f"{framework.name}.md").exists()
    assert frameworks.stamp(framework)


def test_every_folder_of_tests_has_a_row() -> None:
    folders = {path.parent.name for path in HERE.glob("*/test_*.py")}
    assert folders == {framework.name for framework in FRAMEWORKS}


def test_a_framework_is_chosen_by_name_and_an_unknown_name_is_refused() -> None:
    assert frameworks.choose([]) == list(FRAMEWORKS)
    assert frameworks.choose(["ci"]) == [one for one in FRAMEWORKS if one.ci]
    for framework in FRAMEWORKS:
        assert frameworks.choose([framework.name]) == [framework]
    with pytest.raises(Broken, match="no framework is called deepevil"):
        frameworks.choose(["deepevil"])
    assert frameworks.main(["deepevil"]) == 2


def test_an_extra_that_does_not_exist_is_said() -> None:
    with pytest.raises(Broken, match="no extra 'nothing'"):
        frameworks.stamp(Framework("one", "nothing", "one"))


def test_an_environment_depends_on_what_is_installed_in_it() -> None:
    plain = frameworks.stamp(BASE)
    assert plain == frameworks.stamp(BASE)
    assert plain != frameworks.stamp(Framework("pincite", "", "pincite", also=("pytest",)))
    assert plain != frameworks.stamp(Framework("pincite", "tables", "pincite", also=BASE.also))


def test_what_is_not_installed_is_skipped_with_the_way_to_run_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (Framework("gone", "", "no-such-package-at-all"), Framework("here", "", "pytest"))
    monkeypatch.setattr(frameworks, "FRAMEWORKS", rows)
    assert frameworks.missing("gone") == (
        "no-such-package-at-all is not installed: `make test-integrations ONLY=gone`"
    )
    assert frameworks.missing("here") is None
    assert frameworks.missing("other") == "other has no row in tests/integrations/frameworks.py"


def test_a_run_that_tries_to_leave_the_machine_fails_even_if_the_test_hides_it(tmp_path: Path) -> None:
    done = run_offline(
        tmp_path,
        "import socket\n"
        "def test_hidden():\n"
        "    try: socket.create_connection(('203.0.113.7', 80), timeout=1)\n"
        "    except OSError: pass\n",
    )
    assert done.returncode == 1
    assert "tried to leave the machine: socket.getaddrinfo 203.0.113.7" in done.stdout


def test_a_server_on_this_machine_may_be_used(tmp_path: Path) -> None:
    done = run_offline(
        tmp_path,
        "import socket\n"
        "def test_loopback():\n"
        "    with socket.create_server(('127.0.0.1', 0)) as server:\n"
        "        socket.create_connection(server.getsockname()).close()\n"
        "        socket.create_connection(('localhost', server.getsockname()[1])).close()\n",
    )
    assert done.returncode == 0, done.stdout


def test_the_table_of_adapters_lists_every_page() -> None:
    folder = HERE.parents[1] / "docs" / "integrations"
    listed = re.findall(r"\]\((\w+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert [page.name for page in folder.glob("*.md") if page.name not in (*listed, "README.md")] == []
