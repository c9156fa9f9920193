"""Traces as the real SDKs write them, and our events as OpenTelemetry's own parsers read them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pandas
import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as gen_ai
from opentelemetry.semconv.attributes import error_attributes
from recorded_traces import (
    TURNS,
    genai,
    langfuse_observations,
    langfuse_spans,
    openinference,
    phoenix_rows,
)

from pincite.cli import main
from pincite.datasets import open_traces

RECORDED = Path(__file__).parents[2] / "answers" / "traces" / "recorded"


def records_of(path: Path, *without: str) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in record.items() if name not in without}
        for record in open_traces(path).records
    ]


@pytest.mark.parametrize("make", [openinference, genai])
def test_the_recorded_files_are_what_the_sdk_writes(tmp_path: Path, make: Any) -> None:
    path = tmp_path / f"{make.__name__}.jsonl"
    make(path)
    recorded = (RECORDED / path.name).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        json.loads(one) for one in recorded
    ]


def test_what_langfuse_sends_reads_as_what_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "langfuse_spans.jsonl"
    langfuse_spans(path)
    wanted = records_of(RECORDED / path.name, "latency_ms")  # its SDK takes the time itself
    assert records_of(path, "latency_ms") == wanted


def test_what_langfuse_returns_reads_as_what_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "observations.json"
    path.write_text(json.dumps({"data": langfuse_observations()}))
    assert records_of(path) == records_of(RECORDED / "langfuse_observations.json")


def test_protobufs_own_json_with_its_ids_in_base64_reads_the_same(tmp_path: Path) -> None:
    for name in ("openinference.jsonl", "genai.jsonl"):
        path = tmp_path / name
        with path.open("w") as file:
            for line in (RECORDED / name).read_text(encoding="utf-8").splitlines():
                request = ParseDict(_in_base64(json.loads(line)), ExportTraceServiceRequest())
                for snake_case in (False, True):
                    whole = MessageToDict(request, preserving_proto_field_name=snake_case)
                    file.write(json.dumps(whole) + "\n")
        assert records_of(path) == records_of(RECORDED / name)


def test_the_sdks_own_json_of_a_span_reads_the_same(tmp_path: Path) -> None:
    """`span.to_json()`, which the console exporter prints."""
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
    from recorded_traces import Recorder

    printed: list[str] = []

    class Printing(SpanExporter):
        def export(self, spans: Any) -> SpanExportResult:
            printed.extend(span.to_json(indent=None) for span in spans)
            return SpanExportResult.SUCCESS

    usual = Recorder.__init__

    def with_another(self: Recorder, path: Path, first: int) -> None:
        usual(self, path, first)
        self.provider.add_span_processor(SimpleSpanProcessor(Printing()))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recorder, "__init__", with_another)
        genai(tmp_path / "otlp.jsonl")
    path = tmp_path / "printed.jsonl"
    path.write_text("".join(f"{one}\n" for one in printed))
    assert records_of(path) == records_of(tmp_path / "otlp.jsonl")


def test_phoenix_makes_the_same_spans_of_its_dataframe_as_we_do(tmp_path: Path) -> None:
    from phoenix.client.helpers.spans import dataframe_to_spans

    frame = pandas.DataFrame(phoenix_rows())
    path = tmp_path / "spans.json"
    path.write_text(json.dumps(dataframe_to_spans(frame), default=str))
    usual = records_of(RECORDED / "phoenix.parquet")
    assert records_of(path) == usual
    for name in ("phoenix.csv", "phoenix.json", "phoenix_rows.jsonl"):
        assert records_of(RECORDED / name) == usual
    assert [record.get("generated_answer") for record in usual] == [answer for _, _, answer in TURNS]


def test_our_events_are_log_records_with_the_names_of_the_conventions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pincite.toml").write_text("")
    traces = str(RECORDED / "genai.jsonl")
    main(
        ["eval", "--traces", traces, "--judge", "rules", "--store", "none", "--events", "events.jsonl", "-q"]
    )
    known = {
        gen_ai.GEN_AI_EVALUATION_NAME,
        gen_ai.GEN_AI_EVALUATION_SCORE_VALUE,
        gen_ai.GEN_AI_EVALUATION_SCORE_LABEL,
        gen_ai.GEN_AI_EVALUATION_EXPLANATION,
        gen_ai.GEN_AI_RESPONSE_ID,
        error_attributes.ERROR_TYPE,
    }
    seen = set()
    for line in (tmp_path / "events.jsonl").read_text().splitlines():
        # Strict: a field that OTLP does not have is an error.
        request = ParseDict(_in_base64(json.loads(line)), ExportLogsServiceRequest())
        for record in request.resource_logs[0].scope_logs[0].log_records:
            assert record.event_name == "gen_ai.evaluation.result"
            assert (len(record.trace_id), len(record.span_id)) == (16, 8)
            names = {one.key for one in record.attributes}
            assert names <= known
            assert gen_ai.GEN_AI_EVALUATION_NAME in names
            seen.add(record.span_id.hex())
    spans = [record["span_id"] for record in records_of(RECORDED / "genai.jsonl")]
    assert seen == set(spans)


def _in_base64(value: Any) -> Any:
    """OTLP writes ids in hexadecimal digits, where protobuf's JSON reads base64."""
    if isinstance(value, list):
        return [_in_base64(one) for one in value]
    if not isinstance(value, dict):
        return value
    ids = ("traceId", "spanId", "parentSpanId")
    return {
        name: base64.b64encode(bytes.fromhex(held)).decode() if name in ids else _in_base64(held)
        for name, held in value.items()
    }
