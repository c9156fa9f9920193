"""Traces of a small system, made with the real SDKs: tests/answers/traces/recorded comes from here.

    python tests/integrations/traces/recorded_traces.py tests/answers/traces/recorded

Ids and times are fixed, except for those times that Langfuse's SDK takes itself.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from openinference.semconv.trace import (
    DocumentAttributes,
    MessageAttributes,
    OpenInferenceMimeTypeValues,
    OpenInferenceSpanKindValues,
    RerankerAttributes,
    SpanAttributes,
)
from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as gen_ai
from opentelemetry.trace import Span, Status, StatusCode, Tracer, set_span_in_context

BEGAN = 1_767_225_600_000_000_000
"""The first of January 2026, in nanoseconds."""
MANUAL = [
    ("manual#4", "The pump must be serviced every 24 months by a qualified engineer.", 0.91),
    ("manual#7", "The filter is cleaned under running water. Do not use detergents.", 0.77),
]
NEWS = [("news-12", "The plant in Graz opened in 2019 and employs 340 people.", 0.83)]
GOOD = "The pump must be serviced every 24 months by a qualified engineer [1]."
WRONG = "The plant in Graz opened in 2021 [1] and employs 340 people [1]."
TURNS = [
    ("How often must the pump be serviced?", MANUAL, GOOD),
    ("When did the plant in Graz open?", NEWS, WRONG),
    ("Who designed the pump?", MANUAL, None),
]
"""What was asked, what was found, and what was answered; the last one failed."""


class CountedIds(IdGenerator):
    """Ids in the order in which they are asked for."""

    def __init__(self, first: int) -> None:
        self._trace, self._span = first << 64, first << 32

    def generate_trace_id(self) -> int:
        self._trace += 1
        return self._trace

    def generate_span_id(self) -> int:
        self._span += 1
        return self._span


class Recorder:
    """A tracer whose spans last 100 ms each, one after the other, and go to a file as they end."""

    def __init__(self, path: Path, first: int) -> None:
        path.unlink(missing_ok=True)
        self.exporter = FileSpanExporter(path)
        resource = Resource({"service.name": "support-bot"})
        self.provider = TracerProvider(resource=resource, id_generator=CountedIds(first))
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.tracer: Tracer = self.provider.get_tracer("support_bot")
        self.now = BEGAN

    @contextmanager
    def span(self, name: str, parent: Span | None = None, **attributes: Any) -> Iterator[Span]:
        context = None if parent is None else set_span_in_context(parent)
        span = self.tracer.start_span(name, context, start_time=self.now)
        span.set_attributes(attributes)
        try:
            yield span
        finally:
            self.now += 100_000_000
            span.end(self.now)

    def close(self) -> None:
        self.provider.shutdown()


def openinference(path: Path) -> None:
    """A chain around a retriever, a reranker and a model."""
    recorder = Recorder(path, 0x0F)
    kind = SpanAttributes.OPENINFERENCE_SPAN_KIND
    kinds = OpenInferenceSpanKindValues
    for question, documents, answer in TURNS:
        with recorder.span("ask", **{kind: kinds.CHAIN.value}) as root:
            root.set_attribute(SpanAttributes.INPUT_VALUE, json.dumps({"question": question}))
            root.set_attribute(SpanAttributes.INPUT_MIME_TYPE, OpenInferenceMimeTypeValues.JSON.value)
            root.set_attribute(SpanAttributes.SESSION_ID, "session-1")
            with recorder.span("search", root, **{kind: kinds.RETRIEVER.value}) as found:
                found.set_attribute(SpanAttributes.INPUT_VALUE, question)
                # The worst first: what the model was shown is what the reranker made of it.
                _documents(found, SpanAttributes.RETRIEVAL_DOCUMENTS, documents[::-1])
            with recorder.span("rerank", root, **{kind: kinds.RERANKER.value}) as ranked:
                ranked.set_attribute(RerankerAttributes.RERANKER_QUERY, question)
                _documents(ranked, RerankerAttributes.RERANKER_OUTPUT_DOCUMENTS, documents)
            with recorder.span("model", root, **{kind: kinds.LLM.value}) as model:
                _message(model, SpanAttributes.LLM_INPUT_MESSAGES, 0, "system", "Cite by number.")
                _message(model, SpanAttributes.LLM_INPUT_MESSAGES, 1, "user", f"Context: …\n{question}")
                if answer is None:
                    model.set_status(Status(StatusCode.ERROR, "the model is overloaded"))
                    root.set_status(Status(StatusCode.ERROR, "no answer"))
                else:
                    _message(model, SpanAttributes.LLM_OUTPUT_MESSAGES, 0, "assistant", answer)
                    model.set_attribute(SpanAttributes.LLM_TOKEN_COUNT_TOTAL, 120)
            if answer is not None:
                root.set_attribute(SpanAttributes.OUTPUT_VALUE, answer)
                root.set_attribute(SpanAttributes.OUTPUT_MIME_TYPE, OpenInferenceMimeTypeValues.TEXT.value)
    with recorder.span("GET /health", **{"http.request.method": "GET"}):
        pass
    recorder.close()


def _documents(span: Span, prefix: str, documents: list[tuple[str, str, float]]) -> None:
    for place, (name, text, score) in enumerate(documents):
        span.set_attribute(f"{prefix}.{place}.{DocumentAttributes.DOCUMENT_ID}", name)
        span.set_attribute(f"{prefix}.{place}.{DocumentAttributes.DOCUMENT_CONTENT}", text)
        span.set_attribute(f"{prefix}.{place}.{DocumentAttributes.DOCUMENT_SCORE}", score)
        metadata = json.dumps({"source": f"{name.partition('#')[0]}.pdf", "page": place + 1})
        span.set_attribute(f"{prefix}.{place}.{DocumentAttributes.DOCUMENT_METADATA}", metadata)


def _message(span: Span, prefix: str, place: int, role: str, content: str) -> None:
    span.set_attribute(f"{prefix}.{place}.{MessageAttributes.MESSAGE_ROLE}", role)
    span.set_attribute(f"{prefix}.{place}.{MessageAttributes.MESSAGE_CONTENT}", content)


def genai(path: Path) -> None:
    """A web request around a retrieval and a chat, both with OpenTelemetry's own attributes."""
    recorder = Recorder(path, 0x6A)
    operations = gen_ai.GenAiOperationNameValues
    for number, (question, documents, answer) in enumerate(TURNS):
        with recorder.span("POST /ask", **{"http.request.method": "POST"}) as root:
            with recorder.span("retrieval docs", root) as found:
                found.set_attribute(gen_ai.GEN_AI_OPERATION_NAME, operations.RETRIEVAL.value)
                found.set_attribute(gen_ai.GEN_AI_RETRIEVAL_QUERY_TEXT, question)
                held = [{"id": name, "score": score, "content": text} for name, text, score in documents]
                found.set_attribute(gen_ai.GEN_AI_RETRIEVAL_DOCUMENTS, json.dumps(held))
            with recorder.span("chat small", root) as model:
                model.set_attribute(gen_ai.GEN_AI_OPERATION_NAME, operations.CHAT.value)
                model.set_attribute(gen_ai.GEN_AI_REQUEST_MODEL, "small")
                model.set_attribute(gen_ai.GEN_AI_CONVERSATION_ID, "conversation-9")
                asked = [{"role": "user", "parts": [{"type": "text", "content": f"…\n{question}"}]}]
                model.set_attribute(gen_ai.GEN_AI_INPUT_MESSAGES, json.dumps(asked))
                if answer is None:
                    model.set_status(Status(StatusCode.ERROR, "the model is overloaded"))
                    continue
                said = [
                    {
                        "role": "assistant",
                        "parts": [
                            {"type": "reasoning", "content": "The manual says so [7]."},
                            {"type": "text", "content": answer},
                        ],
                        "finish_reason": "stop",
                    }
                ]
                model.set_attribute(gen_ai.GEN_AI_OUTPUT_MESSAGES, json.dumps(said))
                model.set_attribute(gen_ai.GEN_AI_RESPONSE_ID, f"chatcmpl-{number}")
                model.set_attribute(gen_ai.GEN_AI_USAGE_INPUT_TOKENS, 100)
                model.set_attribute(gen_ai.GEN_AI_USAGE_OUTPUT_TOKENS, 20)
    recorder.close()


def langfuse_spans(path: Path) -> None:
    """What the Langfuse SDK sends, by OpenTelemetry."""
    from langfuse import Langfuse

    path.unlink(missing_ok=True)
    client = Langfuse(
        public_key="pk-lf-recorded",
        secret_key="sk-lf-recorded",
        base_url="http://127.0.0.1:9",
        span_exporter=FileSpanExporter(path),
        tracer_provider=TracerProvider(
            resource=Resource({"service.name": "support-bot"}), id_generator=CountedIds(0x1F)
        ),
    )
    for question, documents, answer in TURNS:
        with client.start_as_current_observation(
            name="ask", as_type="chain", input={"question": question}
        ) as root:
            with client.start_as_current_observation(
                name="search", as_type="retriever", input=question
            ) as found:
                found.update(output=[{"id": n, "page_content": text, "score": s} for n, text, s in documents])
            with client.start_as_current_observation(
                name="model",
                as_type="generation",
                model="small",
                input=[{"role": "user", "content": question}],
            ) as model:
                if answer is None:
                    model.update(level="ERROR", status_message="the model is overloaded")
                else:
                    model.update(
                        output={"role": "assistant", "content": answer},
                        usage_details={"input": 100, "total": 120},
                    )
            if answer is not None:
                root.update(output=answer)
    client.flush()
    client.shutdown()


def langfuse_observations() -> list[dict[str, Any]]:
    """What Langfuse's API returns for these observations."""
    from langfuse.api.commons.types.observation_v2 import ObservationV2

    moment = datetime(2026, 1, 1, tzinfo=UTC)
    found: list[ObservationV2] = []

    def add(trace: int, kind: str, parent: str | None, **more: Any) -> str:
        number = len(found) + 1
        begun = moment + timedelta(seconds=number)
        fields = {
            "end_time": begun + timedelta(seconds=1),
            "parent_observation_id": parent,
            "type": kind,
            **more,
        }
        found.append(
            ObservationV2(
                id=f"obs-{number}", trace_id=f"trace-{trace}", start_time=begun, project_id="p", **fields
            )
        )
        return f"obs-{number}"

    for trace, (question, documents, answer) in enumerate(TURNS, 1):
        root = add(trace, "CHAIN", None, name="ask", input={"question": question}, output=answer)
        held = [
            {"page_content": text, "metadata": {"id": name, "score": score}}
            for name, text, score in documents
        ]
        add(trace, "RETRIEVER", root, name="search", input=question, output={"documents": held})
        failed = {"level": "ERROR", "status_message": "the model is overloaded"} if answer is None else {}
        add(
            trace,
            "GENERATION",
            root,
            name="model",
            input=[{"role": "user", "content": question}],
            output=answer and {"role": "assistant", "content": answer},
            usage_details={"input": 100, "output": 20, "total": 120},
            **failed,
        )
    return [json.loads(one.json(by_alias=True)) for one in found]


def _phoenix_row(
    trace: int, good: bool, number: int, name: str, kind: str, parent: str | None, **attributes: Any
) -> dict[str, Any]:
    begun = datetime(2026, 1, 1, 0, trace, number, tzinfo=UTC)
    return {
        "name": name,
        "span_kind": kind,
        "parent_id": parent,
        "start_time": begun,
        "end_time": begun + timedelta(seconds=1),
        "status_code": "OK" if good else "ERROR",
        "status_message": "" if good else "the model is overloaded",
        "context.trace_id": f"{trace:032x}",
        "context.span_id": f"{trace:08x}{number + 1:08x}",
        **{f"attributes.{key}": value for key, value in attributes.items()},
    }


def phoenix_rows() -> list[dict[str, Any]]:
    """The rows of Phoenix's dataframe of spans: an attribute per column, documents as a list."""
    kind, rows = SpanAttributes, []
    document = DocumentAttributes
    for trace, (question, documents, answer) in enumerate(TURNS, 1):
        row = partial(_phoenix_row, trace, answer is not None)
        held = [
            {
                document.DOCUMENT_ID: name,
                document.DOCUMENT_CONTENT: text,
                document.DOCUMENT_SCORE: score,
                document.DOCUMENT_METADATA: {"source": f"{name.partition('#')[0]}.pdf"},
            }
            for name, text, score in documents
        ]
        root = f"{trace:08x}{1:08x}"
        rows.append(row(0, "ask", "CHAIN", None, **{kind.INPUT_VALUE: question, kind.OUTPUT_VALUE: answer}))
        rows.append(
            row(
                1, "search", "RETRIEVER", root, **{kind.INPUT_VALUE: question, kind.RETRIEVAL_DOCUMENTS: held}
            )
        )
        messages = [{MessageAttributes.MESSAGE_ROLE: "assistant", MessageAttributes.MESSAGE_CONTENT: answer}]
        rows.append(row(2, "model", "LLM", root, **{kind.LLM_OUTPUT_MESSAGES: messages if answer else None}))
    return rows


def write_all(folder: Path) -> None:
    """Every file."""
    import pandas

    folder.mkdir(parents=True, exist_ok=True)
    openinference(folder / "openinference.jsonl")
    genai(folder / "genai.jsonl")
    langfuse_spans(folder / "langfuse_spans.jsonl")
    observations = json.dumps({"data": langfuse_observations(), "meta": {}}, indent=1, ensure_ascii=False)
    (folder / "langfuse_observations.json").write_text(observations + "\n", encoding="utf-8")
    frame = pandas.DataFrame(phoenix_rows())
    frame.to_csv(folder / "phoenix.csv", index=False)
    frame.to_json(folder / "phoenix.json", date_format="iso")
    frame.to_json(folder / "phoenix_rows.jsonl", orient="records", lines=True, date_format="iso")
    frame.to_parquet(folder / "phoenix.parquet", index=False)


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
