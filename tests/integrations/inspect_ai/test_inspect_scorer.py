"""The Inspect scorer, run by Inspect with a model that replies as it is told."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases import CONTEXTS, QUESTION, RIGHT, UNCITED, UNJUDGED, WRONG
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import Task, eval, score
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    Content,
    ContentCitation,
    ContentReasoning,
    ContentText,
    DocumentCitation,
    ModelOutput,
    ModelUsage,
    UrlCitation,
    get_model,
)
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState, generate, solver

from pages import run_page
from pincite.integrations.inspect_ai import citation_support, read_output


def replying(content: str | list[Content]) -> ModelOutput:
    message = ChatMessageAssistant(content=content, source="generate")
    # Without a usage, Inspect fetches a tokenizer to count one.
    return ModelOutput(
        model="mockllm/model", choices=[ChatCompletionChoice(message=message)], usage=ModelUsage()
    )


def run(
    outputs: list[str | list[Content]], folder: Path, metadata: dict[str, Any] | None = None, **arguments: Any
) -> EvalLog:
    """An evaluation with one sample for each reply."""
    given = {"contexts": CONTEXTS} if metadata is None else metadata
    samples = [Sample(id=n + 1, input=QUESTION, metadata=given) for n, _ in enumerate(outputs)]
    task = Task(dataset=samples, scorer=citation_support(judge="rules", **arguments))
    model = get_model("mockllm/model", custom_outputs=[replying(one) for one in outputs])
    (log,) = eval(task, model=model, log_dir=str(folder), display="none", max_connections=1, max_samples=1)
    assert log.status == "success", log.error
    return log


def scores(log: EvalLog) -> list[Score]:
    return [sample.scores["citation_support"] for sample in sorted(log.samples, key=lambda one: one.id)]


def metric(log: EvalLog, name: str) -> float:
    return log.results.scores[0].metrics[name].value


def one_score(content: str | list[Content], folder: Path, **arguments: Any) -> Score:
    return scores(run([content], folder, **arguments))[0]


def test_a_sample_scores_the_share_of_its_supported_citations(tmp_path: Path) -> None:
    log = run([RIGHT, WRONG], tmp_path)
    right, wrong = scores(log)
    assert (right.value, wrong.value) == (1.0, 0.5)
    assert "[1]: PIN203 contradicted, 12% in the claim, 21% in the source" in wrong.explanation
    assert [row["verdict"] for row in wrong.metadata["citations"]] == ["contradicted", "supported"]
    assert wrong.answer == WRONG
    assert metric(log, "mean") == 0.75


@pytest.mark.parametrize(
    ("answer", "reason"), [(UNJUDGED, "unjudged"), (UNCITED, "no_citations"), ("", "no_response")]
)
def test_what_cannot_be_judged_is_unscored_and_in_no_metric(answer: str, reason: str, tmp_path: Path) -> None:
    log = run([WRONG, answer], tmp_path)
    unscored = scores(log)[1]
    assert math.isnan(unscored.value)
    assert unscored.reason == reason
    assert "nothing" in unscored.explanation
    assert metric(log, "mean") == 0.5
    assert (log.results.scores[0].scored_samples, log.results.scores[0].unscored_samples) == (1, 1)


def test_a_sample_without_contexts_is_unscored_and_says_what_is_missing(tmp_path: Path) -> None:
    missing = one_score(RIGHT, tmp_path, metadata={})
    assert (math.isnan(missing.value), missing.reason) == (True, "scoring_failed")
    assert "there are no contexts" in missing.explanation
    named = one_score(RIGHT, tmp_path, contexts="passages")
    assert "'passages'" in named.explanation
    cited = ContentText(text="Revenue grew.", citations=[DocumentCitation(title="Report")])
    odd = one_score([cited], tmp_path, metadata={"contexts": [3.5]})
    assert (math.isnan(odd.value), odd.reason) == (True, "scoring_failed")
    assert "context 1 is of type float" in odd.explanation


def test_contexts_are_found_by_name_by_a_function_and_in_the_store(tmp_path: Path) -> None:
    assert one_score(WRONG, tmp_path, metadata={"passages": CONTEXTS}, contexts="passages").value == 0.5

    def shown(state: TaskState) -> list[str]:
        return state.metadata["rows"]["texts"]

    assert one_score(WRONG, tmp_path, metadata={"rows": {"texts": CONTEXTS}}, contexts=shown).value == 0.5

    @solver
    def retrieving() -> Any:
        async def solve(state: TaskState, generate: Callable[..., Any]) -> TaskState:
            state.store.set("documents", CONTEXTS)
            return await generate(state)

        return solve

    task = Task(dataset=[Sample(input=QUESTION)], solver=retrieving(), scorer=citation_support(judge="rules"))
    model = get_model("mockllm/model", custom_outputs=[replying(WRONG)])
    (log,) = eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert scores(log)[0].value == 0.5


def test_a_log_can_be_scored_later_by_the_registered_name(tmp_path: Path) -> None:
    from inspect_ai.scorer._scorer import scorer_create

    task = Task(dataset=[Sample(id=1, input=QUESTION, metadata={"contexts": CONTEXTS})], solver=generate())
    model = get_model("mockllm/model", custom_outputs=[replying(WRONG)])
    (log,) = eval(task, model=model, log_dir=str(tmp_path), display="none")
    scored = score(log, scorer_create("pincite/citation_support", judge="rules"), display="none")
    assert scores(scored)[0].value == 0.5


# --- citations that come beside the text ---------------------------------------------------------


def test_a_document_citation_is_read_with_its_characters_and_its_quote(tmp_path: Path) -> None:
    quote = "Revenue grew by 21%"
    right = DocumentCitation(
        cited_text=quote,
        title="Some title of the request",
        range={"type": "char", "start_index": 0, "end_index": len(CONTEXTS[0])},
        internal={"document_index": 0},
    )
    content = [
        ContentText(text="Revenue grew by 21% in the first quarter of 2023", citations=[right]),
        ContentText(text=". "),
        ContentText(
            text="Revenue grew by 12% in the first quarter of 2023",
            citations=[right.model_copy(update={"cited_text": None})],
        ),
    ]
    judged = one_score(content, tmp_path)
    assert judged.value == 0.5
    assert [row["verdict"] for row in judged.metadata["citations"]] == ["supported", "contradicted"]
    first = judged.metadata["citations"][0]
    assert judged.answer[first["start"] : first["end"]] == content[0].text


def test_a_document_is_known_by_its_title_before_its_place() -> None:
    citation = DocumentCitation(title="Offices", internal={"document_index": 0})
    texts = [{"text": CONTEXTS[0], "title": "Revenue"}, {"text": CONTEXTS[1], "title": "Offices"}]
    answer = read_output(replying([ContentText(text="Two offices opened.", citations=[citation])]), texts)
    assert answer.citations[0].targets[0].document == "Offices"
    unknown = citation.model_copy(update={"title": "Something else"})
    answer = read_output(replying([ContentText(text="Two offices opened.", citations=[unknown])]), texts)
    assert answer.citations[0].targets[0].document == "#0"


def test_pages_and_blocks_keep_what_they_count() -> None:
    def target(kind: str, start: int, end: int) -> Any:
        place = {"type": kind, "start_index": start, "end_index": end}
        citation = DocumentCitation(title="report.pdf", range=place)
        answer = read_output(replying([ContentText(text="Revenue grew.", citations=[citation])]))
        return answer.citations[0].targets[0]

    # Inspect counts pages from 0, and the end is not part of the range.
    assert (target("page", 4, 5).page, target("page", 4, 5).end_page) == (5, 5)
    assert (target("page", 4, 7).page, target("page", 4, 7).end_page) == (5, 7)
    assert target("block", 1, 3).blocks == (1, 3)
    assert target("char", 9, 3).start is None  # no range: the document as a whole


def test_a_url_citation_covers_the_part_of_the_text_that_it_names(tmp_path: Path) -> None:
    address = "https://example.org/report"
    text = "It was quiet. Revenue grew by 12% in the first quarter of 2023."
    citation = UrlCitation(url=address, title="Report", cited_text=(14, len(text)))
    judged = one_score(
        [ContentReasoning(reasoning="hm"), ContentText(text=text, citations=[citation])],
        tmp_path,
        metadata={"contexts": [{"text": CONTEXTS[0], "url": address}]},
    )
    (row,) = judged.metadata["citations"]
    assert (row["verdict"], row["start"], row["end"]) == ("contradicted", 14, len(text))
    assert judged.value == 0.0


def test_a_url_that_nobody_gave_is_unjudged(tmp_path: Path) -> None:
    text = "Revenue grew by 12% in the first quarter of 2023."
    citation = UrlCitation(url="https://example.org/else", cited_text=(0, len(text)))
    judged = one_score([ContentText(text=text, citations=[citation])], tmp_path)
    assert math.isnan(judged.value)
    assert judged.metadata["unjudged"] == 1


def test_a_content_citation_is_of_the_context_that_holds_its_text(tmp_path: Path) -> None:
    citation = ContentCitation(cited_text="opened two new offices in Lisbon")
    judged = one_score(
        [ContentText(text="The company opened two new offices in Lisbon.", citations=[citation])], tmp_path
    )
    assert (judged.value, judged.metadata["citations"][0]["document"]) == (1.0, "context 2")


def test_a_file_citation_at_a_point_speaks_for_its_sentence() -> None:
    text = "Costs fell. Revenue grew by 21%."
    citation = DocumentCitation(internal={"file_id": "file-7", "index": len(text)})
    answer = read_output(replying([ContentText(text=text, citations=[citation])]))
    (read,) = answer.citations
    assert (read.text, read.targets[0].document) == ("Revenue grew by 21%.", "file-7")


def test_offsets_in_bytes_are_read_as_characters() -> None:
    text = "Größe: Revenue grew."
    start = len("Größe: ".encode())
    citation = UrlCitation(url="https://example.org", cited_text=(start, len(text.encode())))
    answer = read_output(replying([ContentText(text=text, citations=[citation])]), unit="utf8")
    assert answer.citations[0].text == "Revenue grew."


@given(
    parts=st.lists(
        st.tuples(
            st.text(max_size=30), st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40)), max_size=3)
        ),
        max_size=5,
    )
)
def test_every_citation_covers_what_its_span_says_whatever_the_offsets_are(
    parts: list[tuple[str, list[tuple[int, int]]]],
) -> None:
    content = [
        ContentText(
            text=text, citations=[UrlCitation(url="https://example.org", cited_text=one) for one in spans]
        )
        for text, spans in parts
    ]
    answer = read_output(replying(content))
    assert answer.text == "".join(text for text, _ in parts)
    assert len(answer.citations or ()) == sum(len(spans) for _, spans in parts)
    for citation in answer.citations or ():
        assert 0 <= citation.start <= citation.end <= len(answer.text)
        assert citation.text == answer.text[citation.start : citation.end]


def test_the_page_shows_what_its_example_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    run_page("inspect_ai")
