"""The rows of an evaluation, in the shapes that frameworks have, without any of the frameworks."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.integrations.outcome import outcome_of
from pincite.integrations.rows import (
    check_row,
    citation_rows,
    comment_of,
    find_answer,
    find_query,
    label_of,
    not_checked,
)

FIRST = "Revenue grew by 21% in the first quarter."
SECOND = "The office in Lisbon opened in May."
WRONG = "Revenue grew by 12% in the first quarter [1]. The Lisbon office opened in May [2]."
CONTEXTS = [FIRST, SECOND]
MESSAGES = [{"role": "user", "content": "What happened?"}, {"role": "assistant", "content": WRONG}]
RESPONSE = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": WRONG}]}


@pytest.mark.parametrize(
    "outputs",
    [
        WRONG,
        {"answer": WRONG},
        {"response": WRONG, "text": "not this"},
        {"messages": MESSAGES},
        MESSAGES,
        [*MESSAGES, {"role": "user", "content": "Thanks."}],
        [{"role": "assistant", "content": [{"type": "text", "text": WRONG}]}],
        RESPONSE,
        pincite.Answer(WRONG),
    ],
)
def test_the_answer_is_found_wherever_it_is(outputs: Any) -> None:
    assert check_row(outputs, contexts=CONTEXTS, judge="rules").score == 0.5


@pytest.mark.parametrize(
    "place",
    [
        {"contexts": CONTEXTS},
        {"documents": tuple(CONTEXTS)},
        {"retrieved_contexts": [{"content": FIRST}, {"page_content": SECOND}]},
        {"sources": {"1": FIRST, "2": SECOND}},
    ],
)
def test_the_contexts_are_found_in_the_outputs_or_elsewhere(place: dict[str, Any]) -> None:
    assert check_row({"answer": WRONG, **place}, judge="rules").score == 0.5
    assert check_row(WRONG, {"question": "?"}, place, judge="rules").score == 0.5
    assert check_row(WRONG, None, "?", place, judge="rules").score == 0.5


def test_one_text_is_one_context() -> None:
    assert check_row("The office in Lisbon opened in May [1].", contexts=SECOND, judge="rules").score == 1.0


def test_the_question_is_never_the_answer() -> None:
    assert find_query() is None
    assert find_query({"question": "What happened?"}) == "What happened?"
    assert find_query("What happened?", {"query": "else"}) == "What happened?"
    assert find_query(None, {"answer": WRONG}) is None


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        (None, "the system returned nothing"),
        ({}, "the system returned nothing"),
        ({"something": 3}, "there is no answer: give it under one of the names answer,"),
        ([], "none of the messages is from a model"),
        (3.5, "not 3.5"),
        (Path("answer.md"), "a path is not read"),
    ],
)
def test_without_an_answer_there_is_a_reason_and_no_score(outputs: Any, reason: str) -> None:
    outcome = check_row(outputs, contexts=CONTEXTS, judge="rules")
    assert (outcome.score, outcome.ok, outcome.citations, label_of(outcome)) == (None, False, (), "unjudged")
    assert outcome.reason.startswith("not checked: ")
    assert reason in outcome.reason


@pytest.mark.parametrize(
    ("contexts", "reason"),
    [
        (3, "contexts is of type int"),
        ([3], "context 1 is of type int"),
        (float("nan"), "contexts is of type float"),
        ({"a": None}, "nothing was judged"),
    ],
)
def test_contexts_without_a_text_leave_the_row_without_a_score(contexts: Any, reason: str) -> None:
    outcome = check_row("Costs fell [1].", contexts=contexts, judge="rules")
    assert outcome.score is None
    assert reason in outcome.reason


def test_a_wrong_setting_is_not_the_fault_of_a_row() -> None:
    with pytest.raises(pincite.ConfigError):
        check_row(WRONG, contexts=CONTEXTS, judge="rules", no_such_setting=True)
    with pytest.raises(pincite.JudgeError):
        check_row(WRONG, contexts=CONTEXTS, judge="no such judge")


def test_the_label_is_ok_only_if_everything_that_was_judged_is() -> None:
    assert label_of(check_row(WRONG, contexts=CONTEXTS, judge="rules")) == "problems"
    assert (
        label_of(check_row("The Lisbon office opened in May [2].", contexts=CONTEXTS, judge="rules")) == "ok"
    )
    assert label_of(not_checked("why")) == "unjudged"


def test_a_comment_has_a_line_for_each_citation_and_ends() -> None:
    outcome = check_row(WRONG, contexts=CONTEXTS, judge="rules")
    assert len(comment_of(outcome).splitlines()) == 3
    many = check_row(
        " ".join(f"Sentence {n} is here [1]." for n in range(80)), contexts=CONTEXTS, judge="rules"
    )
    lines = comment_of(many).splitlines()
    assert (len(lines), lines[-1]) == (52, "- and 30 more")


def test_a_comment_holds_nothing_that_a_terminal_or_a_log_would_obey() -> None:
    text = "Revenue\n::error::grew \x1b[31mby 12%\nin the first quarter. " + "Much was said. " * 20
    citation = {"type": "citation", "title": "1", "start_index": 0, "end_index": len(text)}
    answer = find_answer(
        [{"role": "assistant", "content": [{"type": "text", "text": text, "annotations": [citation]}]}]
    )
    (first, line) = comment_of(
        outcome_of(pincite.check_contexts(answer, CONTEXTS, judge="rules"))
    ).splitlines()
    assert not {"\x1b", "\n"} & set(first + line)
    assert len(line.partition(": ")[0]) < 90


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ("type", "title", "url", "start_index", "end_index", "cited_text", "extras", "source", "index")
ANNOTATIONS = st.lists(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5) | JSON, max_size=3)


@given(text=st.text(max_size=40), annotations=ANNOTATIONS, outputs=JSON)
def test_whatever_a_system_returns_there_is_an_outcome(text: str, annotations: Any, outputs: Any) -> None:
    block = {"type": "text", "text": text, "annotations": annotations}
    for given_ in (outputs, {"answer": outputs}, [{"role": "assistant", "content": [block]}]):
        outcome = check_row(given_, contexts=CONTEXTS, judge="rules")
        assert outcome.reason
        assert (outcome.score is None) == (label_of(outcome) == "unjudged")
        json.dumps(citation_rows(outcome))
        assert comment_of(outcome)


def test_the_rows_are_json() -> None:
    outcome = check_row(WRONG, contexts=CONTEXTS, judge="rules")
    rows = json.loads(json.dumps(citation_rows(outcome)))
    assert [(row["marker"], row["verdict"]) for row in rows] == [
        ("[1]", "contradicted"),
        ("[2]", "supported"),
    ]


@pytest.mark.parametrize(
    ("module", "needs", "extra"),
    [
        ("haystack", "haystack", "haystack"),
        ("langfuse", "langfuse", "langfuse"),
        ("llamaindex", "llama_index", "llamaindex"),
        ("mlflow", "mlflow", "mlflow"),
        ("phoenix", "phoenix.evals", "phoenix"),
    ],
)
def test_an_adapter_without_its_framework_says_how_to_install_it(module: str, needs: str, extra: str) -> None:
    code = (
        "import pincite, sys\n"
        f"sys.modules[{needs!r}] = None\n"
        "try:\n"
        f"    import pincite.integrations.{module}\n"
        "except pincite.MissingExtraError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f"pip install 'pincite[{extra}]'" in done.stdout


@pytest.mark.parametrize("module", ["langchain", "langsmith", "rows"])
def test_these_need_no_framework(module: str) -> None:
    assert find_spec(f"pincite.integrations.{module}") is not None
    code = (
        f"import sys, pincite.integrations.{module}\n"
        "print(sorted({'langchain_core', 'langsmith', 'pydantic', 'numpy'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
