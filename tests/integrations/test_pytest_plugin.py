"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

# Loaded by its module, also where it is installed and pytest would load it by its entry point.
LOADED = ("-p", "no:pincite", "-p", "pincite.integrations.pytest_plugin", "--strict-markers")
REPORT = "Revenue grew by 21% in the first quarter."


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> object:
    """Runs the tests that are written, without the plugins of this project's own tests."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def go(source: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(source)
        return pytester.runpytest_inprocess(*LOADED, *options)

    return go


@pytest.fixture
def dataset(pytester: pytest.Pytester) -> None:
    content = {
        "dataset_id": "tiny",
        "name": "Tiny",
        "version": "1.0.0",
        "documents": [{"document_id": "report.txt", "file_path": "report.txt", "content": REPORT}],
        "queries": [{"query_id": f"q{n}", "query_text": "How did revenue grow?"} for n in range(4)],
    }
    (pytester.path / "tiny.eval.json").write_text(json.dumps(content))
    right = "Revenue grew by 21% in the first quarter [report.txt:0-41]."
    wrong = "Revenue grew by 12% in the first quarter [report.txt:0-41]."
    for name, answers in (("good", [right] * 4), ("mixed", [right, right, right, wrong])):
        lines = [json.dumps({"query_id": f"q{n}", "answer": text}) for n, text in enumerate(answers)]
        (pytester.path / f"{name}.jsonl").write_text("\n".join(lines))


# --- the fixture ----------------------------------------------------------------------------------


def test_an_answer_that_is_right_passes(run) -> None:
    result = run(
        f"""
        def test_rag(pincite):
            answer = "Revenue grew by 21% in the first quarter [report.txt:0-41]."
            pincite.check(answer, {{"report.txt": {REPORT!r}}}, judge="rules").assert_ok()
        """
    )
    result.assert_outcomes(passed=1)


def test_an_answer_that_is_wrong_fails_with_its_findings(run) -> None:
    result = run(
        f"""
        def test_rag(pincite):
            answer = "Revenue grew by 12% in the first quarter [report.txt:0-41]."
            pincite.check(answer, {{"report.txt": {REPORT!r}}}).assert_ok()
        """,
        "--pincite-judge=rules",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*CitationProblems: <answer>:1:42: PIN203*12%*21%*"])


def test_the_fixture_has_every_public_name(run) -> None:
    result = run(
        """
        def test_names(pincite):
            import pincite as module
            for name in module.__all__:
                assert getattr(pincite, name) is getattr(module, name), name
            assert dir(pincite) == dir(module)
        """
    )
    result.assert_outcomes(passed=1)


def test_the_judge_of_the_command_line_is_the_default_and_no_more(run) -> None:
    result = run(
        f"""
        import pytest

        SOURCES = {{"report.txt": {REPORT!r}}}
        ANSWER = "Revenue grew by 21% in the first quarter [report.txt:0-41]."

        def test_default(pincite):
            from pincite import JudgeError
            with pytest.raises(JudgeError, match="unknown judge 'nobody'"):
                pincite.check(ANSWER, SOURCES)
            with pytest.raises(JudgeError):
                pincite.check_many([ANSWER], SOURCES)

        def test_named(pincite):
            assert pincite.check(ANSWER, SOURCES, judge="rules").ok
        """,
        "--pincite-judge=nobody",
    )
    result.assert_outcomes(passed=2)


# --- the marker -----------------------------------------------------------------------------------


def marked(options: str, body: str = "def test_system(): pass") -> str:
    return f"import pytest\n\n@pytest.mark.pincite({options})\n{body}\n"


def test_a_system_that_reaches_its_thresholds_passes(run, dataset) -> None:
    result = run(
        marked(
            "dataset='tiny.eval.json', answers='good.jsonl', judge='rules', "
            "thresholds={'citation_correctness': 0.9, 'hallucination_rate': 0.1}"
        )
    )
    result.assert_outcomes(passed=1)


def test_a_missed_threshold_fails_the_test_with_the_table(run, dataset) -> None:
    result = run(
        marked(
            "'tiny.eval.json', answers='mixed.jsonl', "
            "thresholds={'citation_correctness': 0.9, 'citation_completeness': 0.9}"
        ),
        "--pincite-judge=rules",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "citation_correctness is 0.750, below its threshold of 0.9*",
            "metric *value*interval*",
            "citation_correctness * 0.750 * FAIL",
            "citation_completeness * 1.000 * pass",
        ]
    )


def test_a_function_can_be_the_system(run, dataset) -> None:
    body = (
        "def test_system(pincite_run):\n"
        "    assert pincite_run.total == 4\n"
        "    assert {score.metric for score in pincite_run.scores} == {'citation_completeness'}"
    )
    source = (
        "import pytest\n\ndef answer(query):\n    return 'Revenue grew by 21% [report.txt:0-41].'\n\n"
        "@pytest.mark.pincite(dataset='tiny.eval.json', target=answer, judge='rules', "
        f"thresholds={{'citation_completeness': 1.0}})\n{body}\n"
    )
    run(source).assert_outcomes(passed=1)


def test_the_test_itself_may_look_at_the_run_and_fail(run, dataset) -> None:
    body = "def test_system(pincite_run):\n    assert pincite_run.scores[0].value > 2"
    options = "'tiny.eval.json', answers='good.jsonl', judge='rules', metrics=['citation_completeness']"
    result = run(marked(options, body))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert 1.0 > 2*"])


def test_tests_that_share_a_marker_share_its_run(run, dataset) -> None:
    source = """
        import pytest

        asked = []

        def answer(query):
            asked.append(query)
            return "Revenue grew by 21% [report.txt:0-41]."

        @pytest.mark.pincite("tiny.eval.json", target=answer, judge="rules", metrics=["citation_density"])
        class TestSystem:
            @pytest.mark.parametrize("number", [1, 2])
            def test_scores(self, number, pincite_run):
                assert pincite_run.scores

            def test_it_was_asked_once(self):
                assert len(asked) == 4
        """
    run(source).assert_outcomes(passed=3)


def test_a_threshold_that_nothing_was_measured_against_is_missed(run, dataset) -> None:
    options = "'tiny.eval.json', answers='good.jsonl', judge='rules', thresholds={'citation_fidelity': 1}"
    result = run(marked(options))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["citation_fidelity has a threshold of * and no value*"])


@pytest.mark.parametrize(
    "asked",
    [
        "metrics=['citation_correctness']",
        "metrics=['citation_correctness'], thresholds={'citation_correctness': 0.5}",
    ],
)
def test_a_named_metric_fails_the_test_when_nothing_was_measured(run, dataset, asked: str) -> None:
    result = run(marked(f"'tiny.eval.json', target=lambda query: 'I do not know.', judge='rules', {asked}"))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["citation_correctness has a threshold of * and no value*"])


def test_of_the_usual_metrics_one_without_a_value_misses_nothing(run, dataset) -> None:
    run(marked("'tiny.eval.json', answers='good.jsonl', judge='rules'")).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("answers='good.jsonl'", "*names no dataset*"),
        ("'tiny.eval.json'", "*a file of recorded `answers`, or a `target`*"),
        ("'nowhere.eval.json', answers='good.jsonl'", "*nowhere.eval.json*"),
        ("'tiny.eval.json', anwsers='good.jsonl'", "*no option 'anwsers'*"),
        ("'tiny.eval.json', answers='good.jsonl', thresholds={'citation_corectness': 1}", "*did you mean*"),
        ("'tiny.eval.json', 'good.jsonl'", "*takes one dataset*"),
    ],
)
def test_what_cannot_be_measured_fails_with_the_reason_and_no_traceback(
    run, dataset, options: str, said: str
) -> None:
    result = run(marked(options))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([said])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*During handling of the above exception*")


def test_files_are_also_found_beside_the_test(run, dataset, pytester: pytest.Pytester) -> None:
    inner = pytester.mkdir("inner")
    for name in ("tiny.eval.json", "good.jsonl"):
        (pytester.path / name).rename(inner / name)
    source = marked(
        "'tiny.eval.json', answers='good.jsonl', judge='rules', thresholds={'citation_completeness': 1}"
    )
    (inner / "test_inner.py").write_text(source)
    pytester.runpytest_inprocess(*LOADED, "inner").assert_outcomes(passed=1)


def test_the_fixture_of_a_run_needs_the_marker(run) -> None:
    result = run("def test_system(pincite_run): pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*needs a test that is marked*"])


# --- what it costs --------------------------------------------------------------------------------


def test_loading_the_plugin_imports_nothing_of_pincite() -> None:
    code = (
        "import pytest, sys\n"
        "before = set(sys.modules)\n"
        "import pincite.integrations.pytest_plugin\n"
        "print(sorted(set(sys.modules) - before))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert eval(done.stdout) == ["pincite", "pincite.integrations", "pincite.integrations.pytest_plugin"]


# --- failed queries and baselines -----------------------------------------------------------------

FALLING = """
import pytest

asked = []

def answer(query):
    asked.append(query)
    if len(asked) > 1:
        raise RuntimeError("database is down")
    return "Revenue grew by 21% in the first quarter [report.txt:0-41]."

@pytest.mark.pincite("tiny.eval.json", target=answer, judge="rules",
                     thresholds={{"citation_correctness": 0.9}}{more})
def test_system(): ...
"""


def test_failed_queries_fail_the_test_though_the_threshold_is_met(run, dataset) -> None:
    result = run(FALLING.format(more=""))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["3 of 4 queries failed, 5% are allowed: *database is down*"])


def test_as_many_failed_queries_as_the_marker_allows_pass(run, dataset) -> None:
    run(FALLING.format(more=", max_failed=0.75")).assert_outcomes(passed=1)


def test_a_share_of_failed_queries_that_is_none_fails_with_the_reason(run, dataset) -> None:
    result = run(FALLING.format(more=", max_failed=75"))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*max_failed is a share of the queries between 0 and 1, not 75*"])


def test_a_run_that_is_worse_than_its_baseline_fails_the_test(run, pytester) -> None:
    source = """
        import pytest
        from pincite import evaluate
        from pincite.datasets import answers_path

        evaluate("sample", answers=answers_path("b"), metrics=["hit@1"], output="good.results.json")

        @pytest.mark.pincite("sample", answers="sample:a", metrics=["hit@1"], baseline="good.results.json")
        def test_system(): ...
        """
    result = run(source)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["hit@1 is worse than the baseline: 0.316, from 0.868 *"])
