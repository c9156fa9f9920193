"""Small valid inputs, from which the fuzzer makes invalid ones. Many are the material of the tests."""

from __future__ import annotations

import functools
import importlib.util
import io
import json
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
