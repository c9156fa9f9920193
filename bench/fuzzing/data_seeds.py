"""Valid datasets of every kind and form, recorded answers, and exports of other tools."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.fuzzing.mutate import pack
from bench.fuzzing.seeds import as_json, as_lines, as_yaml, example

if TYPE_CHECKING:
    from pincite.datasets import Kind

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
    from pincite.datasets import save

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


def tables(ending: str) -> list[bytes]:
    """Parquet or HDF5, written by Pincite; a head alone where the library is not there."""
    from pincite.datasets import save
    from pincite.errors import PinciteError

    found = []
    kinds: tuple[Kind, ...] = ("results", "benchmark") if ending == "parquet" else ("benchmark",)
    for kind in kinds:
        name = f"a.{kind}.{ending}"
        path = Path(os.environ["FUZZ_BOX"]) / name
        try:
            save(example(kind), path, kind)
        except PinciteError:
            continue
        found.append(pack({name: path.read_bytes()}))
    return found or [pack({f"a.benchmark.{ending}": b"PAR1"})]


def parquet() -> list[bytes]:
    """Parquet of every encoding and kind of column that others write."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return tables("parquet")
    rows = 40
    table = pyarrow.table(
        {
            "query_id": [f"q{number}" for number in range(rows)],
            "generated_answer": pyarrow.array(["Nine metres."] * rows).dictionary_encode(),
            "score": [number / 7 for number in range(rows)],
            "count": pyarrow.array(range(rows), pyarrow.int32()),
            "right": [number % 2 == 0 for number in range(rows)],
            "docs": [["depths", "berths"][: number % 3] for number in range(rows)],
            "usage": [{"tokens": number, "cost": None} for number in range(rows)],
            "at": pyarrow.array([1_700_000_000 + number for number in range(rows)], pyarrow.timestamp("s")),
            "nothing": pyarrow.nulls(rows),
            "raw": [b"\x00\xff"] * rows,
        }
    )
    found = []
    for options in (
        {"compression": "none", "use_dictionary": False},
        {"compression": "snappy", "data_page_version": "2.0"},
        {"compression": "zstd", "row_group_size": 8},
        {"compression": "gzip", "use_dictionary": False, "column_encoding": {"count": "DELTA_BINARY_PACKED"}},
    ):
        out = io.BytesIO()
        pyarrow.parquet.write_table(table, out, **options)
        found.append(pack({"a.parquet": out.getvalue()}))
    return [*found, *tables("parquet")]


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
