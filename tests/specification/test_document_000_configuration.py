"""Document 000, section 6: its configuration loads as it stands, and every key of it has an effect."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_run import Done, Runner
from small_dataset import FERRY, dataset, query, span, write

from llm_material import by_claim, verdict
from llm_server import LlmServer, fails
from pincite.config import defaults, load_settings
from pincite.runs import evaluate

EVALUATION = """
citation_accuracy:
  enabled: true
  span_matching:
    tolerance_chars: 10
    min_overlap_threshold: 0.5
    max_span_length: 10000
  llm_evaluation:
    model: "openrouter/auto"
    temperature: 0.0
    max_tokens: 100
    retry_attempts: 3
  quality_thresholds:
    span_accuracy: 0.8
    citation_validity: 0.7
    answer_consistency: 0.8
    hallucination_tolerance: 0.1
  performance:
    batch_size: 10
    cache_results: true
    parallel_evaluation: true
  reporting:
    detailed_span_analysis: true
    hallucination_details: true
    confidence_intervals: true
"""
QUALITY_CONTROL = """
quality_control:
  inter_annotator_agreement:
    target_agreement: 0.85
    min_annotators: 2
    recalibration_threshold: 0.8
  validation_checks:
    span_bounds_check: true
    document_existence_check: true
    text_extraction_validation: true
  error_handling:
    max_retries: 3
    fallback_scoring: 0.5
    error_logging: true
"""
DOCUMENT: dict[str, Any] = yaml.safe_load(EVALUATION + QUALITY_CONTROL)


def keys(table: dict[str, Any], prefix: str = "") -> list[str]:
    found = []
    for name, value in table.items():
        found += keys(value, f"{prefix}{name}.") if isinstance(value, dict) else [f"{prefix}{name}"]
    return found


KEYS = [key.partition(".")[2] for key in keys(DOCUMENT)]
EFFECTS: dict[str, Callable[[Runner], None]] = {}


def shows(key: str) -> Callable[[Callable[[Runner], None]], Callable[[Runner], None]]:
    """Take a function as the one that shows what a key does."""

    def take(function: Callable[[Runner], None]) -> Callable[[Runner], None]:
        EFFECTS[key] = function
        return function

    return take


def config(pincite: Runner, key: str = "", value: Any = None) -> str:
    """The document's configuration in a file, with one key set to another value."""
    changed = copy.deepcopy(DOCUMENT)
    if key:
        *sections, name = key.split(".")
        for root in changed.values():
            table = root
            for section in sections:
                table = table.get(section, {})
            if name in table:
                table[name] = value
    return str(pincite.write(f"{key or 'as it stands'}.yaml", yaml.safe_dump(changed)))


def checked(pincite: Runner, answer: str, configured: str, *more: str) -> Done:
    pincite.write("docs/ferry.txt", FERRY)
    pincite.write("answer.md", answer)
    return pincite("check", "answer.md", "--sources", "docs", "--config", configured, *more)


def codes(done: Done) -> list[str]:
    return [finding["code"] for finding in json.loads(done.out)["findings"]]


def evaluated(
    pincite: Runner, answer: dict[str, Any], configured: str, *more: str
) -> tuple[int, dict[str, Any]]:
    """Run `pincite eval` on one query; its exit code and the results document."""
    data = dataset(query("a", citations=[span("ferry.txt", 0, 26)]))
    path = write(pincite.folder / "d.eval.json", data)
    pincite.write("answers.jsonl", json.dumps({"query_id": "a", **answer}))
    done = pincite(
        *("eval", str(path), "--answers", "answers.jsonl", "--config", configured, "--store", "none"),
        *("--set", "evaluation.resamples=100", "--output-format", "json", *more),
    )
    assert done.out, done.err
    return done.code, json.loads(done.out)


CITED = {"answer": "The ferry carries 84 cars [ferry.txt:1:0-26]."}
WRONG = {"answer": "The ferry carries 48 cars [ferry.txt:1:0-26]. The ferry is made of cheese."}


# --- the whole -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [EVALUATION, QUALITY_CONTROL, EVALUATION + QUALITY_CONTROL])
def test_the_configuration_loads_as_it_stands(tmp_path: Path, text: str) -> None:
    path = tmp_path / "document.yaml"
    path.write_text(text, encoding="utf-8")
    load_settings(path, environment={})


def test_it_differs_from_our_defaults_in_five_settings_only(pincite: Runner) -> None:
    """What the document sets and we leave open unless it is asked for."""
    ours, theirs = defaults(), defaults(load_settings(config(pincite), environment={}))
    assert {name: theirs[name] for name in theirs if theirs[name] != ours[name]} == {
        "max_span_length": 10000,
        "batch_size": 10,
        "fail_under": 0.7,
        "reporting.confidence_intervals": True,
        "errors.fallback_scoring": 0.5,
    }


@pytest.mark.parametrize("key", KEYS)
def test_every_key_has_its_effect(pincite: Runner, key: str) -> None:
    EFFECTS[key](pincite)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_is_misspelt_is_refused_by_name(pincite: Runner, key: str) -> None:
    text = yaml.safe_dump(DOCUMENT).replace(f"{key.rpartition('.')[2]}:", f"{key.rpartition('.')[2]}x:")
    pincite.write("wrong.yaml", text)
    done = checked(pincite, CITED["answer"], "wrong.yaml")
    assert done.code == 2 and f"{key.rpartition('.')[2]}x" in done.err


# --- 6.1: span matching and the language model -----------------------------------------------------


@shows("enabled")
def _(pincite: Runner) -> None:
    assert codes(checked(pincite, WRONG["answer"], config(pincite), "--output-format", "json"))
    off = checked(pincite, WRONG["answer"], config(pincite, "enabled", False))
    assert off.code == 0 and "enabled" in off.out + off.err


@shows("span_matching.tolerance_chars")
def _(pincite: Runner) -> None:
    near = {"answer": "Yes.", "citations": [span("ferry.txt", 5, 26)]}
    found = []
    for configured in (config(pincite), config(pincite, "span_matching.tolerance_chars", 0)):
        _, document = evaluated(pincite, near, configured, "-m", "citation_span_accuracy")
        found.append(document["citation_metrics"]["span_accuracy"]["mean_tolerance_jaccard"])
    assert found == [1.0, pytest.approx(21 / 26)]


@shows("span_matching.min_overlap_threshold")
def _(pincite: Runner) -> None:
    quoted = FERRY[0:65]
    answer = f'It is so [ferry.txt:1:20-65 | excerpt: "{quoted}"].'
    # 45 of 65 characters are cited: enough for a half, and not for nine tenths.
    half = checked(pincite, answer, config(pincite), "--output-format", "json", "--select", "PIN204,PIN205")
    strict = config(pincite, "span_matching.min_overlap_threshold", 0.9)
    more = checked(pincite, answer, strict, "--output-format", "json", "--select", "PIN204,PIN205")
    assert (codes(half), codes(more)) == ([], ["PIN205"])


@shows("span_matching.max_span_length")
def _(pincite: Runner) -> None:
    found = []
    for configured in (config(pincite), config(pincite, "span_matching.max_span_length", 20)):
        _, document = evaluated(pincite, CITED, configured, "-m", "citation_correctness")
        found.append(document["citation_metrics"]["citation_correctness"]["value"])
    assert found == [1.0, 0.0]


def asked_of_a_model(pincite: Runner, key: str, value: Any, reply: Any = None) -> list[dict[str, Any]]:
    """The requests that a language model gets in an evaluation."""
    with LlmServer(reply or by_claim(lambda number, claim: verdict(number, 0.9))) as server:
        evaluated(
            pincite,
            CITED,
            config(pincite, key, value),
            *("-m", "citation_correctness", "--judge", "llm", "--base-url", server.url, "--no-cache"),
        )
        return server.bodies


@shows("llm_evaluation.model")
def _(pincite: Runner) -> None:
    assert asked_of_a_model(pincite, "llm_evaluation.model", "some/model")[0]["model"] == "some/model"
    # It never chooses the judge.
    _, document = evaluated(pincite, CITED, config(pincite, "llm_evaluation.model", "some/model"))
    assert "rules" in document["configuration"]["judge"]


@shows("llm_evaluation.temperature")
def _(pincite: Runner) -> None:
    assert asked_of_a_model(pincite, "", None)[0]["temperature"] == 0.0
    assert asked_of_a_model(pincite, "llm_evaluation.temperature", 0.7)[0]["temperature"] == 0.7


@shows("llm_evaluation.max_tokens")
def _(pincite: Runner) -> None:
    usual = asked_of_a_model(pincite, "", None)[0]
    more = asked_of_a_model(pincite, "llm_evaluation.max_tokens", 300)[0]
    name = next(name for name in usual if name.startswith("max_"))
    assert more[name] - usual[name] == 200


@shows("llm_evaluation.retry_attempts")
def _(pincite: Runner) -> None:
    for attempts in (0, 1):
        asked = asked_of_a_model(pincite, "llm_evaluation.retry_attempts", attempts, fails(500))
        assert len(asked) == attempts + 1


# --- 6.1: thresholds -----------------------------------------------------------------------------


def threshold(pincite: Runner, key: str, value: float, metric: str) -> tuple[int, int]:
    """The exit codes of an evaluation with the document's threshold and with another one."""
    found = []
    for configured, expected in ((config(pincite), None), (config(pincite, key, value), value)):
        code, document = evaluated(pincite, WRONG, configured, "-m", metric)
        groups = (document.get(name, {}) for name in ("citation_metrics", "answer_quality_metrics"))
        (node,) = (node for group in groups for node in group.values())
        node = node.get("figures", {}).get("mean_tolerance_jaccard", node)
        assert expected is None or node["threshold"] == expected
        found.append(code)
    return found[0], found[1]


@shows("quality_thresholds.span_accuracy")
def _(pincite: Runner) -> None:
    near = {"answer": "Yes.", "citations": [span("ferry.txt", 0, 50)]}
    found = []
    for configured in (config(pincite), config(pincite, "quality_thresholds.span_accuracy", 0.4)):
        found.append(evaluated(pincite, near, configured, "-m", "citation_span_accuracy")[0])
    assert found == [1, 0]


@shows("quality_thresholds.citation_validity")
def _(pincite: Runner) -> None:
    assert threshold(pincite, "quality_thresholds.citation_validity", 0.0, "citation_correctness") == (1, 0)


@shows("quality_thresholds.answer_consistency")
def _(pincite: Runner) -> None:
    assert threshold(pincite, "quality_thresholds.answer_consistency", 0.5, "factual_consistency") == (1, 0)


@shows("quality_thresholds.hallucination_tolerance")
def _(pincite: Runner) -> None:
    assert threshold(pincite, "quality_thresholds.hallucination_tolerance", 1.0, "hallucination_rate") == (
        1,
        0,
    )


# --- 6.1: performance and reporting ----------------------------------------------------------------


@shows("performance.batch_size")
def _(pincite: Runner) -> None:
    three = (
        "84 cars go on it [ferry.txt:0-26]. It leaves at nine [ferry.txt:27-65]. Dogs pay [ferry.txt:66-93]."
    )
    for size, requests in ((10, 1), (1, 3)):
        with LlmServer(by_claim(lambda number, claim: verdict(number, 0.9))) as server:
            configured = config(pincite, "performance.batch_size", size)
            checked(pincite, three, configured, "--judge", "llm", "--base-url", server.url, "--no-cache")
            assert len(server.seen) == requests


@shows("performance.cache_results")
def _(pincite: Runner) -> None:
    pincite._patch.setenv("PINCITE_CACHE_DIR", str(pincite.folder / "cache"))
    for cached, requests in ((True, 1), (False, 2)):
        with LlmServer(by_claim(lambda number, claim: verdict(number, 0.9))) as server:
            configured = config(pincite, "performance.cache_results", cached)
            for _ in range(2):
                given = ("-m", "citation_correctness", "--judge", "llm", "--base-url", server.url)
                evaluated(pincite, CITED, configured, *given)
            assert len(server.seen) == requests


@shows("performance.parallel_evaluation")
def _(pincite: Runner) -> None:
    for parallel in (True, False):
        now = most = 0

        async def answer(text: str) -> str:
            nonlocal now, most
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.01)
            now -= 1
            return "Yes."

        settings = load_settings(
            config(pincite, "performance.parallel_evaluation", parallel),
            judge="rules",
            evaluation_resamples=100,
        )
        data = dataset(*(query(f"q{number}") for number in range(6)))
        evaluate(data, target=answer, metrics=["citation_density"], settings=settings)
        assert (most > 1) is parallel


@shows("reporting.detailed_span_analysis")
def _(pincite: Runner) -> None:
    full = checked(pincite, WRONG["answer"], config(pincite)).out
    less = checked(pincite, WRONG["answer"], config(pincite, "reporting.detailed_span_analysis", False)).out
    assert "characters 0–26" in full and "characters 0–26" not in less


@shows("reporting.hallucination_details")
def _(pincite: Runner) -> None:
    full = checked(pincite, WRONG["answer"], config(pincite)).out
    less = checked(pincite, WRONG["answer"], config(pincite, "reporting.hallucination_details", False)).out
    assert "PIN301" in full and "PIN301" not in less
    assert "1 claim without a citation" in less


@shows("reporting.confidence_intervals")
def _(pincite: Runner) -> None:
    full = checked(pincite, WRONG["answer"], config(pincite))
    less = checked(pincite, WRONG["answer"], config(pincite, "reporting.confidence_intervals", False))
    assert "95% interval" in full.out + full.err and "95% interval" not in less.out + less.err


# --- 6.2: quality control ------------------------------------------------------------------------


def agreement(pincite: Runner, key: str = "", value: Any = None) -> tuple[int, dict[str, Any]]:
    """Three people on one query, of whom one marks less than the others."""
    ends = {"ann": 20, "bob": 20, "cy": 15}
    told = [
        {
            "annotation_id": f"of {name}",
            "query_id": "q1",
            "annotator_id": name,
            "citations": [span("ferry.txt", 0, end)],
        }
        for name, end in ends.items()
    ]
    write(pincite.folder / "all.gt.json", {"dataset_id": "d", "version": "1.0.0", "annotations": told})
    configured = config(pincite, f"inter_annotator_agreement.{key}" if key else "", value)
    done = pincite("agreement", "all.gt.json", "--config", configured, "--output-format", "json")
    return done.code, json.loads(done.out)


@shows("inter_annotator_agreement.target_agreement")
def _(pincite: Runner) -> None:
    code, figures = agreement(pincite)
    assert code == 1
    assert figures["jaccard"]["value"] == pytest.approx((1 + 0.75 + 0.75) / 3)
    assert agreement(pincite, "target_agreement", 0.75)[0] == 0


@shows("inter_annotator_agreement.min_annotators")
def _(pincite: Runner) -> None:
    assert agreement(pincite)[1]["compared"] == 1
    assert agreement(pincite, "min_annotators", 4)[1]["compared"] == 0


@shows("inter_annotator_agreement.recalibration_threshold")
def _(pincite: Runner) -> None:
    assert agreement(pincite)[1]["recalibrate"] is False
    assert agreement(pincite, "recalibration_threshold", 0.84)[1]["recalibrate"] is True


def validation_check(pincite: Runner, key: str, answer: str, code: str) -> None:
    given = ("--output-format", "json")
    assert code in codes(checked(pincite, answer, config(pincite), *given))
    off = config(pincite, f"validation_checks.{key}", False)
    assert code not in codes(checked(pincite, answer, off, *given))


@shows("validation_checks.span_bounds_check")
def _(pincite: Runner) -> None:
    validation_check(pincite, "span_bounds_check", "It floats [ferry.txt:0-900].", "PIN105")
    validation_check(pincite, "span_bounds_check", "It floats [ferry.txt:9-5].", "PIN106")


@shows("validation_checks.document_existence_check")
def _(pincite: Runner) -> None:
    validation_check(pincite, "document_existence_check", "It floats [lost.txt:0-9].", "PIN101")


@shows("validation_checks.text_extraction_validation")
def _(pincite: Runner) -> None:
    answer = 'It floats [ferry.txt:1:0-26 | excerpt: "carries 840 cars"].'
    validation_check(pincite, "text_extraction_validation", answer, "PIN204")


@shows("error_handling.max_retries")
def _(pincite: Runner) -> None:
    pincite._patch.setattr("pincite.runs.targets.target.FIRST_PAUSE", 0.001)
    for retries in (0, 3):
        calls: list[str] = []

        def fail(text: str, calls: list[str] = calls) -> str:
            calls.append(text)
            raise ConnectionError("gone")

        settings = load_settings(
            config(pincite, "error_handling.max_retries", retries), judge="rules", evaluation_resamples=100
        )
        evaluate(dataset(query("a")), target=fail, metrics=["citation_density"], settings=settings)
        assert len(calls) == retries + 1


@shows("error_handling.fallback_scoring")
def _(pincite: Runner) -> None:
    for fallback, said in ((0.5, "scored 0.5 by errors.fallback_scoring"), (False, "")):
        with LlmServer("I would rather not say") as server:
            configured = config(pincite, "error_handling.fallback_scoring", fallback)
            asked = ("--judge", "llm", "--base-url", server.url, "--no-cache")
            _, document = evaluated(pincite, CITED, configured, "-m", "citation_correctness", *asked)
            shown = checked(pincite, CITED["answer"], configured, *asked)
        assert document["summary"]["unjudged_pairs"] == 1
        assert document["citation_metrics"]["citation_correctness"]["value"] is None
        assert said in shown.out and ("errors.fallback_scoring" in shown.out) == bool(said)


@shows("error_handling.error_logging")
def _(pincite: Runner) -> None:
    pincite.write("docs/scan.pdf", b"%PDF-1.7 no such thing")
    full = checked(pincite, CITED["answer"], config(pincite))
    less = checked(pincite, CITED["answer"], config(pincite, "error_handling.error_logging", False))
    assert "scan.pdf" in full.out + full.err and "scan.pdf" not in less.out + less.err
