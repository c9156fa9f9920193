"""Small valid inputs, from which the fuzzer makes invalid ones. Many are the material of the tests."""

from __future__ import annotations

import functools
import gzip
import importlib.util
import io
import json
import os
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

from bench.fuzzing.mutate import pack

TESTS = Path(__file__).resolve().parents[2] / "tests"

ANSWER = (
    "It rose 12% [a.txt:1:0-9,12-20]. [1–3] 【4:0†source】 ^1 ¹ [^1] “quote me here” "
    '[a.txt:1-2 | excerpt: "x"]\n\n| a | b |\n|---|---|\n| 1 | [x.y[0]] |\n\n> q\n\n'
    "- (Smith & Lee, 2020a, p. 4) doi:10.1000/1 <!-- x -->"
    "\n\n```\ncode\n```\n[t](http://a.b/c_(d))\n\n## References\n[1] a.txt\n[^1]: b"
)
SOURCE = "It rose 21% in 2020. The fox jumps over the lazy dog. Revenue was $5 million. Staff stayed at 400."
SHORT = "Revenue was $6 million [a.txt:54-77]. The fox jumps [a.txt:21-53]. It fell [b.txt].\n"


@functools.cache
def material(name: str) -> ModuleType:
    """A module of the tests that holds samples."""
    path = TESTS / name
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def example(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = material("datasets/data_samples.py").example(kind)
    return found


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def as_lines(rows: list[Any]) -> bytes:
    return b"\n".join(as_json(row) for row in rows)


def as_yaml(value: Any) -> bytes:
    import yaml

    return yaml.safe_dump(value).encode()


# --- texts and sources ---------------------------------------------------------------------------


def answers() -> list[bytes]:
    return [
        ANSWER.encode(),
        SHORT.encode(),
        b"between $1.5bn and 3,000 km (-5%) on 3 March 2020; a['k'].b[0]",
    ]


def checks() -> list[bytes]:
    return [
        pack({"answer.txt": ANSWER.encode(), "a.txt": SOURCE.encode(), "data.json": b'{"x": {"y": [1]}}'}),
        pack({"answer.txt": SHORT.encode(), "a.txt": SOURCE.encode(), "b.md": b"# It fell\n\n- by 3%\n"}),
    ]


def payloads() -> list[bytes]:
    module = material("citations/providers/provider_payloads.py")
    return [
        as_json(one) for one in [*module.PAYLOADS.values(), *(payload for _, payload in module.MORE_PAYLOADS)]
    ]


def source_of(kind: str) -> list[bytes]:
    known = {
        "html": [
            b"<html><title>t</title><body><p>a&amp;b<table><tr><th>h<td colspan=2>1</table><!-- c -->",
            b'<html><head><meta charset="utf-8"></head><h1>A</h1><pre>x\ny</pre><ul><li>1<li>2</ul>',
        ],
        "json": [
            b'{"a": [1, {"b": "x\\u00e9"}], "text": null}',
            as_json([{"document_id": "d", "title": "t", "content": "a b", "metadata": {"page": 1}}]),
            as_json({"documents": example("dataset")["documents"]}),
        ],
        "jsonl": [b'{"text": "a", "id": 1}\n{"content": "b", "title": "t", "page": 2}\n'],
        "csv": [b'name,value\n"a ""b""",1\nc;d\t2\n'],
        "docx": [docx()],
        "pdf": [pdf()],
    }
    return known.get(kind, [ANSWER.encode(), f"# T\n\n{SOURCE}\n\n| a | b |\n|--|--|\n| 1 | 2 |\n".encode()])


def docx() -> bytes:
    body = (
        "<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>fox</w:t><w:tab/></w:r></w:p>"
        "<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr>"
        "<w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    )
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>")
    return packed.getvalue()


def pdf() -> bytes:
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ImportError:
        return b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]>>endobj\n"
    packed = io.BytesIO()
    canvas = Canvas(packed, pageCompression=0)
    canvas.drawString(72, 700, "The fox jumps.")
    canvas.showPage()
    canvas.save()
    return packed.getvalue()


# --- datasets and what belongs to them -----------------------------------------------------------

RECORDED: list[dict[str, Any]] = [
    {
        "query_id": "q1",
        "generated_answer": "Nine metres [depths.pdf:3:4-29].",
        "citations": [{"file_name": "depths.pdf", "page_number": 3, "start_char": 4, "end_char": 29}],
        "retrieval_results": {"retrieved_docs": ["depths", "berths"], "relevance_scores": [0.9, 0.1]},
        "latency_ms": 12.5,
        "usage": {"total_tokens": 5, "total_requests": 1, "estimated_cost_usd": 0.1},
    },
    {"query_id": "q2", "generated_answer": "The town owns it [berths.md:0-9].", "references": ["berths.md"]},
    {"query_id": "q3", "answer": "Old [1].", "sources": [{"document_id": "x", "content": "It is old."}]},
]


def datasets(form: str) -> list[bytes]:
    value = example("dataset")
    if form == "yaml":
        return [as_yaml(value)]
    if form == "csv":
        header = "query_id,query_text,query_type,relevant_documents,ground_truth_answer,citations\n"
        cited = '"[{""file_name"": ""a"", ""start_char"": 0, ""end_char"": 4}]"'
        rows = f'q1,How deep?,factual,"[""depths""]",Nine.,{cited}\n'
        return [(header + rows + "q2,Who?,,berths,,\n").encode(), *_converted("csv")]
    return [as_json(value)]


def _converted(ending: str) -> list[bytes]:
    """The sample as Pincite writes it in this form."""
    from pincite.datasets.save import save

    path = Path(os.environ["FUZZ_BOX"]) / f"seed.eval.{ending}"
    save(example("dataset"), path, "dataset")
    return [path.read_bytes()]


def other_kinds() -> list[bytes]:
    """Ground truth, results, benchmarks and configurations, in JSON and YAML."""
    files = []
    for kind, ending in (
        ("ground_truth", "gt"),
        ("results", "results"),
        ("benchmark", "benchmark"),
        ("configuration", "config"),
    ):
        files.append(pack({f"a.{ending}.json": as_json(example(kind))}))
        files.append(pack({f"a.{ending}.yaml": as_yaml(example(kind))}))
    return files


def annotated() -> list[bytes]:
    value = example("ground_truth")
    more = json.loads(json.dumps(value).replace("annotator_001", "annotator_009").replace('"a1"', '"a3"'))
    return [pack({"annotator_001/a.gt.json": as_json(value), "annotator_002/b.gt.json": as_json(more)})]


def compressed() -> list[bytes]:
    value = as_json(example("dataset"))
    found = [pack({"a.eval.json.gz": gzip.compress(value, mtime=0)})]
    try:
        import zstandard
    except ImportError:
        return found
    return [*found, pack({"a.eval.json.zst": zstandard.ZstdCompressor().compress(value)})]


def tables() -> list[bytes]:
    """Parquet and HDF5, written by Pincite; empty where the libraries are not there."""
    from pincite.datasets.save import save
    from pincite.errors import PinciteError

    found = []
    for kind, name in (
        ("results", "a.results.parquet"),
        ("benchmark", "a.benchmark.parquet"),
        ("benchmark", "a.benchmark.h5"),
    ):
        path = Path(os.environ["FUZZ_BOX"]) / name
        try:
            save(example(kind), path, kind)  # type: ignore[arg-type]
        except PinciteError:
            continue
        found.append(pack({name: path.read_bytes()}))
    return found or [pack({"a.results.parquet": b"PAR1"})]


def recorded() -> list[bytes]:
    return [
        pack({"answers.jsonl": as_lines(RECORDED)}),
        pack({"answers.json": as_json(RECORDED)}),
        pack({"answers.json": as_json(example("results"))}),
        pack({"answers.yaml": as_yaml({"query_results": RECORDED})}),
    ]


def evaluations() -> list[bytes]:
    plain = example("dataset")
    return [
        pack({"a.eval.json": as_json(plain), "answers.jsonl": as_lines(RECORDED)}),
        pack({"a.eval.yaml": as_yaml(plain), "answers.jsonl": as_lines(RECORDED[:2])}),
    ]


def rows() -> list[bytes]:
    """Rows for a judge, labels and verdicts of people."""
    judged = [
        {"id": "a", "claim": "Staff stayed at 400.", "evidence": "Staff numbers stayed at 400.", "label": 1},
        {
            "id": "b",
            "claim": "It fell.",
            "passages": [{"text": "It rose."}],
            "label": "contradicted",
            "source": "x",
        },
    ]
    labels = [
        {
            "query_id": "q1",
            "claim": "Nine metres",
            "document": "depths.pdf",
            "label": "supported",
            "question": "support",
        },
        {
            "query_id": "q2",
            "claim": "The town owns it",
            "spans": ["berths.md:0-9"],
            "verdict": "agree",
            "code": "PIN201",
        },
    ]
    return [
        pack({"rows.jsonl": as_lines(judged)}),
        pack({"rows.jsonl": as_lines(labels)}),
        pack({"rows.csv": b"query_id,claim,document,label\nq1,Nine metres,depths.pdf,1\n"}),
    ]


RAGAS = {
    "user_input": "How high?",
    "retrieved_contexts": ["It is 47 metres high.", "It has steps."],
    "reference_contexts": ["It is 47 metres high."],
    "response": "47 metres [1].",
    "reference": "47 metres.",
}
DEEPEVAL = {
    "input": "How high?",
    "actual_output": "47 m",
    "expected_output": "47 metres",
    "retrieval_context": ["It is 47 m high.|It has steps."],
    "context": ["It is 47 m high."],
    "completion_time": 1.5,
    "token_cost": 0.1,
}
LANGSMITH = {
    "id": "r1",
    "run_type": "chain",
    "inputs": {"messages": [{"role": "user", "content": "How high?"}]},
    "outputs": {
        "answer": "47 m",
        "documents": [{"page_content": "It is 47 m high.", "metadata": {"source": "a"}}],
    },
    "reference_outputs": {"answer": "47 metres"},
    "execution_time": 1.5,
    "example_id": "e1",
}
ALCE = {
    "sample_id": "s1",
    "question": "Who built it?",
    "answer": "Ada.",
    "docs": [{"id": "d1", "title": "T", "text": "Ada built it.", "answers_found": [1], "score": "0.5"}],
    "output": "Ada built it [1].",
}
HAGRID = {
    "query_id": 7,
    "query": "Who was first?",
    "quotes": [{"idx": 1, "docid": "12#3", "text": "Ada was first."}],
    "answers": [
        {
            "answer": "Ada was first [1].",
            "informative": 1,
            "attributable": 1,
            "sentences": [{"index": 0, "text": "Ada was first [1].", "attributable": 1}],
        }
    ],
}
BEIR = {
    "corpus.jsonl": as_lines([{"_id": "d1", "title": "T", "text": "It is 47 metres high.", "metadata": {}}]),
    "queries.jsonl": as_lines([{"_id": "q1", "text": "How high?", "metadata": {"a": 1}}]),
    "qrels/test.tsv": b"query-id\tcorpus-id\tscore\nq1\td1\t2\n",
    "bm25.run": b"q1 Q0 d1 1 3.1 bm25\nq1 Q0 d2 2 2.9 bm25\n",
}
TREC = {
    "qrels.tsv": b"301 0 FR-1 1\n301 0 FR-2 0\n302 0 FT-9 2\n",
    "topics.tsv": b"<top>\n<num> Number: 301\n<title> Crime\n<desc> Description:\nWho?\n</top>\n302\tPolio\n",
    "corpus.jsonl": as_lines([{"id": "FR-1", "contents": "Crime rose.", "title": "C"}]),
    "run.tsv": b"301 Q0 FR-2 1 9.5 bm25\n301 Q0 FR-1 2 9.25 bm25\n",
}


def imports() -> list[bytes]:
    """The kind is the name of the first folder."""
    found = []
    for kind, row in (
        ("ragas", RAGAS),
        ("deepeval", DEEPEVAL),
        ("langsmith", LANGSMITH),
        ("alce", ALCE),
        ("hagrid", HAGRID),
    ):
        other = (
            json.dumps(row)
            .replace('"r1"', '"r2"')
            .replace('"e1"', '"e2"')
            .replace('"s1"', '"s2"')
            .replace(": 7", ": 8")
        )
        found.append(pack({f"{kind}/a.jsonl": as_lines([row, json.loads(other)])}))
        found.append(pack({f"{kind}/a.json": as_json({"data": [row]})}))
        cells = ",".join('"' + str(value).replace('"', '""') + '"' for value in row.values())
        found.append(pack({f"{kind}/a.csv": (",".join(row) + "\n" + cells + "\n").encode()}))
    own = {
        "query_text": "How high?",
        "generated_answer": "47 m",
        "relevant_documents": {"d": 1},
        "citations": [],
    }
    found.append(pack({"jsonl/a.jsonl": as_lines([own, {"a": {"b": "x"}, **own}])}))
    found.append(pack({f"beir/{name}": content for name, content in BEIR.items()}))
    found.append(pack({f"trec/{name}": content for name, content in TREC.items()}))
    return found


# --- configuration and replies -------------------------------------------------------------------

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


# --- what Pincite keeps --------------------------------------------------------------------------


def calibrations() -> list[bytes]:
    saved = {
        "schema_version": 1,
        "name": "mine",
        "judge": "rules/1",
        "question": "support",
        "slope": 1.5,
        "intercept": -0.2,
        "threshold": 0.5,
        "rows": 100,
        "date": "2026-01-01",
        "data_sha256": "0" * 64,
    }
    return [as_json(saved)]


def known_findings() -> list[bytes]:
    import pincite
    from pincite.reports import write

    report = pincite.check(pincite.Answer(SHORT), {"a.txt": SOURCE}, settings=pincite.Settings(judge="rules"))
    return [write([report], "json").encode()]


def stores() -> list[bytes]:
    """A history with two runs and a test."""
    import pincite

    box = Path(os.environ["FUZZ_BOX"])
    (box / "answers.jsonl").write_bytes(as_lines(RECORDED))
    with pincite.open_store(box / "runs.sqlite") as store:
        for name in ("first", "second"):
            pincite.evaluate(
                example("dataset"), answers=box / "answers.jsonl", judge="rules", store=store, name=name
            )
        store.put("ab", "mine", {"pairs": [[1, 0]], "alpha": 0.05})
    return [(box / "runs.sqlite").read_bytes()]


def caches() -> list[bytes]:
    from pincite.judges.cache import ReplyCache

    path = Path(os.environ["FUZZ_BOX"]) / "replies-1.sqlite3"
    cache = ReplyCache(path)
    for number in range(20):
        cache.put(f"{number:064x}", f"reply {number}")
    cache.close()
    return [path.read_bytes()]


def journals() -> list[bytes]:
    import pincite
    from pincite.runs.storable import encode

    box = Path(os.environ["FUZZ_BOX"])
    (box / "answers.jsonl").write_bytes(as_lines(RECORDED))
    with pincite.open_store(box / "runs.sqlite") as store:
        run = pincite.evaluate(example("dataset"), answers=box / "answers.jsonl", judge="rules", store=store)
        return [encode(item) for item in store.items(run.run_id)]


# --- the command line ----------------------------------------------------------------------------

# fmt: off
OPTIONS = (
    "-f json", "-f text", "-f markdown", "-f junit", "-f sarif", "-f github", "--quiet", "--strict",
    "--no-color", "--sources docs", "--sources docs/a.txt", "--from anthropic", "--from ragas",
    "--kind dataset", "--kind results", "--config pincite.toml", "--config a.config.yaml",
    "--baseline known.json", "--calibration cal.json", "--judge rules",
    "--judge panel:majority:rules,rules", "--select PIN2", "--ignore PIN301", "--fail-under 0.5", "--diff",
    "--fix", "--max-source-mb 1", "--max-answer-mb 1", "--limit 1", "--seed 3", "--resamples 100",
    "-m hit@1", "-m span_f1", "--threshold hit@1=0.5", "--store h.sqlite", "--store none", "--name first",
    "--dry-run", "--no-resume", "--labels rows.jsonl", "--output out.json", "-o out.csv", "-o out.yaml",
    "--answers answers.jsonl", "--target reference", "--map query_text=a.b", "--min-annotators 1",
    "--max-problems 1", "--older-than 7d", "--since 2026-01-01", "--items", "--failed", "--verbose",
    "--keep first", "--to out.results.json", "--queries 2", "--of-run latest", "--force", "--text a.txt",
    "--attach paragraph", "--offsets page", "--statistics", "--write-baseline out.json", "--save out.json",
    "--unlabelled rows.jsonl", "--yes", "--difference 0.1", "--power 0.8", "--alpha 0.05", "--sd 0.3",
    "--a latest", "--b latest~1", "--topics t.tsv", "--help",
)
_COMMANDS = (
    "check answer.md --sources docs", "check answer.md payload.json -f json", "parse answer.md -f json",
    "sources docs -f json", "locate fox --sources docs", "explain PIN203", "rules -f json",
    "metrics -f json", "cache info -f json", "cache clear",
    "data validate a.eval.json answers.jsonl a.gt.json", "data stats a.eval.json",
    "data check a.eval.json -f json", "data convert a.eval.json out.eval.csv",
    "data convert --from ragas ragas.jsonl out.eval.json --answers out.jsonl",
    "data new --from docs -n 3 out.eval.json", "data fill a.eval.json out.eval.json --sources docs",
    "data labels rows.jsonl out.jsonl", "agreement a.gt.json -f json",
    "judge score rows.jsonl --judge rules -f json", "judge calibrate rows.jsonl --judge rules -f json",
    "eval a.eval.json --answers answers.jsonl -f json", "eval a.eval.json --target reference -m hit@1",
    "runs list --store h.sqlite", "runs show --store h.sqlite -f json",
    "runs compare latest latest~1 --store h.sqlite", "runs trend hit@1 --store h.sqlite",
    "runs report --store h.sqlite", "runs graph --store h.sqlite",
    "runs export latest --to out.results.json --store h.sqlite",
    "runs prune --older-than 90d --dry-run --store h.sqlite", "ab plan --difference 0.1 --sd 0.3",
    "ab status --store h.sqlite", "ab add t --a latest --b latest~1 --store h.sqlite",
    "runs compare a.results.json b.results.json", "check answer.md --baseline known.json",
)
# fmt: on


def commands() -> list[bytes]:
    """Every command, each with the files that it reads."""
    results = as_json(example("results"))
    files = {
        "docs/a.txt": SOURCE.encode(),
        "docs/b.json": b'{"x": {"y": [1]}}',
        "answer.md": SHORT.encode(),
        "payload.json": payloads()[0],
        "a.eval.json": datasets("json")[0],
        "answers.jsonl": as_lines(RECORDED),
        "a.gt.json": as_json(example("ground_truth")),
        "a.results.json": results,
        "b.results.json": results,
        "rows.jsonl": as_lines([{"id": "a", "claim": "It rose.", "evidence": "It rose.", "label": 1}]),
        "ragas.jsonl": as_lines([RAGAS]),
        "pincite.toml": b'judge = "rules"\n[store]\nurl = "h.sqlite"\n',
        "a.config.yaml": b"strict: true\n",
        "known.json": known_findings()[0],
        "cal.json": calibrations()[0],
        "h.sqlite": stores()[0],
    }
    found = []
    for command in _COMMANDS:
        words = command.split(" ")
        named = {name for name in files if name.partition("/")[0] in words} | {"pincite.toml"}
        wanted = {name: content for name, content in files.items() if name in named}
        found.append(pack({"arguments": "\n".join(words).encode(), **wanted}))
    return found
