"""Valid configurations, and what judges and systems under test send back."""

from __future__ import annotations

import gzip

from bench.fuzzing.data_seeds import RECORDED
from bench.fuzzing.seeds import as_json, as_yaml, example

CONFIG = """\
select = ["PIN2"]
fail-under = 0.9
judge = "rules"
sources = ["docs"]
[limits]
answer_bytes = 1000
[llm]
model = "small"
base_url = "http://localhost:1/v1"
max_cost = 1.5
[evaluation]
metrics = ["hit@1", "span_f1(average=micro, tolerance=10)"]
random_seed = 7
[alerts]
command = ["true"]
[citation_accuracy.span_matching]
tolerance_chars = 5
[quality_control.validation_checks]
span_bounds_check = false
"""


def toml_files() -> list[bytes]:
    return [
        CONFIG.encode(),
        b"[tool.pincite]\nstrict = true\n[tool.other]\na = 1\n",
        b'[models."small"]\ninput = 1.5\noutput = 2\n',
    ]


def yaml_files() -> list[bytes]:
    import tomllib

    return [
        as_yaml(tomllib.loads(CONFIG)),
        as_yaml(example("configuration")),
        b"a: &a {b: 1}\nc: *a\nd: {<<: *a}\n",
    ]


def environments() -> list[bytes]:
    """Every setting once, as a table and as variables."""
    from pincite.config import defaults

    values = {name: "" if value is None else value for name, value in defaults().items()}
    told = {f"PINCITE_{name.replace('.', '_').upper()}": str(value) for name, value in values.items()}
    return [
        as_json({"file": values, "environment": told}),
        as_json({"file": {"judge": "rules"}, "environment": {}}),
    ]


def replies() -> list[bytes]:
    verdicts = {
        "verdicts": [
            {
                "item": 1,
                "outcome": "supported",
                "score": 0.9,
                "reason": "so",
                "quote": "It rose.",
                "passage": 1,
            }
        ]
    }
    return [
        as_json(verdicts),
        b"```json\n" + as_json({"verdicts": verdicts["verdicts"] * 2}) + b"\n```",
        b'<think>hm</think>{"1": 0.8, "2": "contradicted"}',
        b"Score: 8/10. It is supported.",
        b"[0.5, 0.6, 0.7]",
    ]


def bodies() -> list[bytes]:
    openai = {
        "choices": [{"message": {"content": '{"score": 0.9}', "refusal": None}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 2, "cost": 0.1},
    }
    anthropic = {
        "content": [{"type": "text", "text": '{"score": 0.9}'}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 1},
    }
    delta = {
        "choices": [{"delta": {"content": "0.9"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5},
    }
    events = [
        {"type": "message_start", "message": {"usage": {"input_tokens": 5}}},
        {"type": "content_block_delta", "delta": {"text": "0.9"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]
    return [
        as_json(openai),
        as_json(anthropic),
        as_json({"error": {"message": "slow down", "code": "429", "type": "rate_limit_error"}}),
        b"data: " + as_json(delta) + b"\n\ndata: [DONE]\n\n",
        b"".join(b"data: " + as_json(event) + b"\n\n" for event in events),
    ]


def http_replies() -> list[bytes]:
    body = as_json(
        {
            "answer": "Nine [1].",
            "citations": [{"file_name": "a", "start_char": 0, "end_char": 4}],
            "usage": {"total_tokens": 5},
        }
    )
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    events = b'data: {"delta": {"text": "Ni"}}\n\ndata: {"delta": {"text": "ne"}}\n\ndata: [DONE]\n\n'
    lines = b'{"token": "Ni"}\n{"token": "ne", "citations": []}\n'
    return [
        head + b"Content-Length: %d\r\n\r\n" % len(body) + body,
        head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + events,
        b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n" + lines,
        head + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(body, mtime=0),
        b"HTTP/1.1 503 Busy\r\nRetry-After: 5\r\nContent-Length: 4\r\n\r\nbusy",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=latin-1\r\n\r\nna\xefve [1]",
    ]


def live_replies() -> list[bytes]:
    openai = {"choices": [{"message": {"content": "Nine."}}]}
    return [as_json(one) for one in (*RECORDED, openai, {"data": {"answer": "a"}}, "a", ["a"])]
