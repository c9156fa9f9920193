"""The public names of the package, and what it costs to import it."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import pincite

PUBLIC = [
    "Answer",
    "Citation",
    "CitationProblems",
    "Claim",
    "ConfigError",
    "DatasetItem",
    "Evidence",
    "Finding",
    "Fix",
    "InputError",
    "Judge",
    "JudgeError",
    "Match",
    "Metric",
    "MissingExtraError",
    "Pair",
    "Passage",
    "PayloadError",
    "PinciteError",
    "Report",
    "Result",
    "Run",
    "Score",
    "Settings",
    "Source",
    "SourceError",
    "Span",
    "StoreError",
    "Summary",
    "TooLargeError",
    "Verdict",
    "__version__",
    "answer",
    "answer_stream",
    "check",
    "check_contexts",
    "check_many",
    "compare",
    "contexts",
    "evaluate",
    "explain",
    "load_settings",
    "locate",
    "open_dataset",
    "open_judge",
    "open_sources",
    "open_store",
    "parse",
    "parse_metric",
    "read_response",
    "register_metrics",
    "render",
]

HEAVY = (
    "asyncio",
    "ijson",
    "msgspec",
    "numpy",
    "pypdfium2",
    "rapidfuzz",
    "rich",
    "scipy",
    "selectolax",
    "sentencex",
    "sqlalchemy",
    "typer",
    "typing",
    "yaml",
)


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running `code`."""
    script = f"{code}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))"
    # Without the site module, nothing is loaded but what the code asks for.
    paths = json.dumps([path for path in sys.path if path])
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {paths}\n{script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_public_names_are_these_and_no_others() -> None:
    assert sorted(pincite.__all__) == sorted(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_can_be_loaded(name: str) -> None:
    assert getattr(pincite, name) is not None
    assert name in dir(pincite)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = pincite.nonsense


def test_no_public_name_is_a_module_of_the_package() -> None:
    """Importing a module `pincite.check` would overwrite the function `pincite.check`."""
    folder = Path(pincite.__file__).parent
    modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not modules & set(PUBLIC)


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_after("import pincite") & set(HEAVY)


def test_using_one_name_loads_only_what_it_needs() -> None:
    loaded = loaded_after("import pincite\npincite.Answer")
    assert "pincite.records" in loaded
    assert not loaded & {"numpy", "rich", "typer", "asyncio"}
    assert not [name for name in loaded if name.startswith("pincite.findings.")]


def test_the_version_is_the_one_of_the_project_file() -> None:
    project = Path(__file__).parents[1] / "pyproject.toml"
    assert tomllib.loads(project.read_text())["project"]["version"] == pincite.__version__
