"""Coverage-guided fuzzing of everything that reads what others wrote: executions a second, and crashes.

`python -m bench.fuzz TARGET [libFuzzer options]` runs one target by hand, without end.
"""

from __future__ import annotations

import importlib.util
import io
import json
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.figures import Figure

RUNS = 20_000
FEWER_RUNS = {"check": 3_000, "pdf": 5_000, "docx": 10_000}
SLOWEST = 10
"""Seconds after which one input counts as a hang."""
LONGEST = 4_096
_DONE = re.compile(r"Done (\d+)")
_MARKERS = (
    "It rose 12% [a.txt:1:0-9,12-20]. [1–3] 【4:0†source】 ^1 ¹ [^1] “quote me here” "
    '[a.txt:1-2 | excerpt: "x"]\n\n| a | b |\n|---|---|\n| 1 | [x.y[0]] |\n\n> q\n\n'
    "- (Smith & Lee, 2020a, p. 4) doi:10.1000/1 <!-- x -->"
    "\n\n```\ncode\n```\n[t](http://a.b/c_(d))\n\n## References\n[1] a.txt\n[^1]: b"
)
_PAYLOADS: list[object] = [
    {"content": [{"type": "text", "text": "a", "citations": [{"type": "char_location", "cited_text": "a"}]}]},
    {"output": [{"type": "message", "content": [{"text": "a", "annotations": [{"type": "url_citation"}]}]}]},
    {"choices": [{"message": {"content": "a", "annotations": []}}], "citations": ["http://a.b"]},
    {"candidates": [{"content": {"parts": [{"text": "a"}]}, "groundingMetadata": {"groundingSupports": []}}]},
    {"message": {"content": [{"text": "a"}], "citations": [{"start": 0, "end": 1, "sources": []}]}},
    {"schema_version": 3, "text": "a [1]", "citations": [{"cited_text": "a", "source_span": [0, 1]}]},
]


def run(data: Path | None) -> Iterator[Figure]:
    """Every target for a bounded number of inputs; without atheris there is nothing to run."""
    if importlib.util.find_spec("atheris") is None:
        yield Figure("fuzzing", 0, note="skipped: needs the extra `bench` (atheris, on Linux)")
        return
    crashes = 0
    for name in TARGETS:
        done, seconds, crash = _fuzz(name)
        crashes += bool(crash)
        yield Figure(f"fuzz {name}", done / seconds, "/s", note=crash or f"{done:,} inputs")
    yield Figure("fuzzing, targets that crashed or hung", crashes, "", 0, at_most=True)


def _fuzz(name: str) -> tuple[int, float, str]:
    """Runs, seconds, and the words of a crash; in a process of its own, which libFuzzer ends."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, seed in enumerate(seeds(name)):
            (corpus / str(number)).write_bytes(seed)
        options = [
            f"-atheris_runs={FEWER_RUNS.get(name, RUNS)}",
            f"-max_len={LONGEST}",
            f"-timeout={SLOWEST}",
            "-rss_limit_mb=4096",
            "-seed=7",
            f"-artifact_prefix={folder}/",
        ]
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "bench.fuzz", name, *options, str(corpus)],
            capture_output=True,
            text=True,
            errors="replace",
        )
        seconds = time.perf_counter() - start
    said = _DONE.search(done.stderr)
    runs = int(said[1]) if said else 0
    if done.returncode == 0 and said:
        return runs, seconds, ""
    last = [line for line in done.stderr.splitlines() if "Error" in line or "ERROR" in line]
    return runs, seconds, (last[0] if last else f"exit {done.returncode}")[:120]


# --- what is fuzzed ------------------------------------------------------------------------------


def _text(data: bytes) -> str:
    """Any bytes as text: lone surrogates and NULs are welcome."""
    return data.decode("utf-8", "surrogateescape")


def parse_text(data: bytes) -> None:
    import pincite
    from pincite.citations.quotes import find_quotes
    from pincite.text.claims import split_claims

    text = _text(data)
    parsed = pincite.parse(text)
    for citation in parsed.citations:
        assert text[citation.start : citation.end] == citation.text == pincite.render(citation)
    markers = [citation.span for citation in parsed.citations]
    split_claims(text, markers)
    find_quotes(text, markers=markers)


def check_answer(data: bytes) -> None:
    import pincite
    from pincite.reports import FORMATS, write

    answer, _, source = _text(data).partition("\0")
    report = pincite.check(pincite.Answer(answer), {"a.txt": source, "data": {"x": {"y": [1]}}})
    for name in FORMATS:
        write([report], name).encode("utf-8")


def read_reply(data: bytes) -> None:
    import pincite
    from pincite.errors import PinciteError

    try:
        answer = pincite.read_response(_text(data))
    except PinciteError:
        return
    for citation in answer.citations or ():
        assert 0 <= citation.start <= citation.end <= len(answer.text)


def read_source(kind: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        from pincite.config import Limits
        from pincite.sources.readers import read_bytes

        read_bytes(data, f"a.{kind}", Limits(source_bytes=1_000_000))

    return read


def read_small_things(data: bytes) -> None:
    from pincite.sources.paths import parse_path
    from pincite.text.normalise import normalise
    from pincite.text.numbers import find_quantities

    text = _text(data)
    parse_path(text)
    for quantity in find_quantities(text):
        assert 0 <= quantity.start <= quantity.end <= len(text)
    cleaned = normalise(text, fold_case=True)
    span = cleaned.to_original(0, len(cleaned.text))
    assert 0 <= span.start <= span.end <= len(text)


KINDS = ("txt", "md", "html", "json", "jsonl", "csv", "docx", "pdf")
TARGETS: dict[str, Callable[[bytes], None]] = {
    "parse": parse_text,
    "check": check_answer,
    "response": read_reply,
    "numbers": read_small_things,
    **{kind: read_source(kind) for kind in KINDS},
}


def seeds(name: str) -> list[bytes]:
    """Small valid inputs, from which libFuzzer makes invalid ones."""
    if name == "response":
        return [json.dumps(payload).encode() for payload in _PAYLOADS]
    if name == "docx":
        return [_docx()]
    if name == "pdf":
        return [_pdf()]
    known = {
        "html": b"<html><title>t</title><body><p>a&amp;b<table><tr><th>h<td colspan=2>1</table><!-- c -->",
        "json": b'{"a": [1, {"b": "x\\u00e9"}], "text": null}',
        "jsonl": b'{"text": "a", "id": 1}\n{"content": "b"}\n',
        "csv": b'name,value\n"a ""b""",1\nc;d\t2\n',
        "numbers": b"between $1.5bn and 3,000 km (-5%) on 3 March 2020; a['k'].b[0]",
        "check": f"{_MARKERS}\0It rose 21% in 2020. The fox jumps.".encode(),
    }
    return [known.get(name, _MARKERS.encode())]


def _docx() -> bytes:
    body = "<w:p><w:r><w:t>fox</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>")
    return packed.getvalue()


def _pdf() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    packed = io.BytesIO()
    canvas = Canvas(packed, pageCompression=0)
    canvas.drawString(72, 700, "The fox jumps.")
    canvas.showPage()
    canvas.save()
    return packed.getvalue()


def main() -> None:
    import atheris

    name = sys.argv[1]
    with atheris.instrument_imports(include=["pincite"]):
        TARGETS[name](b"a")
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
