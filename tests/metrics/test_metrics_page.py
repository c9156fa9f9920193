from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

from pincite.config import Settings
from pincite.errors import ConfigError
from pincite.metrics import list_metrics, names, parse_metric

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("metrics.md", "span-metrics.md", "retrieval-metrics.md", "reference-metrics.md", "custom-metrics.md")
REFERENCE = DOCS / "reference" / "metrics.md"
TEXT = "\n".join((DOCS / name).read_text(encoding="utf-8") for name in PAGES)
EXAMPLES = re.findall(r"```python\n(.+?)```\n\n```text\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("example", range(len(EXAMPLES)))
def test_the_examples_on_the_page_print_what_the_page_says(example, monkeypatch):
    monkeypatch.setattr(names, "_registered", {})
    code, expected = EXAMPLES[example]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "metrics", "exec", dont_inherit=True), {})
    assert printed.getvalue() == expected


def install(folder, module, entries):
    """A package as an installer leaves it, with its code and its entry points."""
    (folder / "mypackage").mkdir()
    (folder / "mypackage" / "__init__.py").touch()
    (folder / "mypackage" / "metrics.py").write_text(module, encoding="utf-8")
    told = folder / "mypackage-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: mypackage\nVersion: 1.0\n", encoding="utf-8")
    lines = "".join(f"{name} = {home}\n" for name, home in entries.items())
    (told / "entry_points.txt").write_text(f"[{names.ENTRY_POINTS}]\n{lines}", encoding="utf-8")


@pytest.fixture
def own_metric(tmp_path, monkeypatch):
    (code,) = [code for code, _ in EXAMPLES if "class Brevity" in code]
    (project,) = re.findall(r"```toml\n(.+?)```", TEXT, re.DOTALL)
    entries = tomllib.loads(project)["project"]["entry-points"][names.ENTRY_POINTS]
    broken = {"gone": "mypackage.nowhere:Gone", "odd": "mypackage.metrics:pincite"}
    install(tmp_path, code.partition("\n\n\npincite.register")[0], entries | broken)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in ("mypackage", "mypackage.metrics"):
        sys.modules.pop(name, None)


def test_a_metric_of_an_installed_package_is_known_by_its_entry_point(own_metric):
    assert str(parse_metric("Brevity(most=30)")) == "brevity(most=30)"
    listed = {one.name: one for one in list_metrics(Settings())}
    assert (listed["brevity"].summary, listed["brevity"].threshold) == (
        "Answers of few words ÷ answers.",
        0.9,
    )


def test_a_package_that_is_installed_later_is_found(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    os.utime(tmp_path, (0, 0))
    with pytest.raises(ConfigError, match="there is no metric 'late'"):
        parse_metric("late")
    install(tmp_path, "", {"late": "mypackage.metrics:Late"})
    with pytest.raises(ConfigError, match=r"'late' of mypackage.* cannot be loaded"):
        parse_metric("late")
    for name in ("mypackage", "mypackage.metrics"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", ["gone", "odd"])
def test_a_metric_of_an_installed_package_that_cannot_be_loaded_costs_itself_alone(own_metric, name):
    with pytest.raises(ConfigError, match=f"'{name}' of mypackage.* cannot be loaded"):
        parse_metric(name)
    listed = {one.name: one for one in list_metrics(Settings())}
    assert "cannot be loaded" in listed[name].summary and len(listed) > 30


JUDGED = ("citation_metrics", "alce", "graded", "answer_metrics", "span_semantic")


def judged_metrics(module):
    metrics = [parse_metric(one.name) for one in list_metrics(Settings())]
    return [one.title for one in metrics if type(one).__module__ == f"pincite.metrics.{module}"]


@pytest.mark.parametrize("module", JUDGED)
def test_every_module_of_judged_metrics_has_some(module):
    assert judged_metrics(module)


@pytest.mark.parametrize("title", [title for module in JUDGED for title in judged_metrics(module)])
def test_the_page_states_the_formula_of_every_judged_metric(title):
    rows = [line for line in REFERENCE.read_text(encoding="utf-8").splitlines() if f"`{title}`" in line]
    assert any("÷" in row or "harmonic mean" in row for row in rows), title
