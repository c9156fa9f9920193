"""TREC: judgements (`qrels`), topics and runs, in files or in a folder that has them by these names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from pincite.datasets.formats import EvaluationDataset, EvaluationQuery, SourceDocument
from pincite.datasets.imports.entries import make_dataset
from pincite.datasets.imports.rows import needed_text, read_lines, read_rows, text_in
from pincite.errors import InputError
from pincite.records import RecordedAnswer, RetrievedDocument

_FIELD = re.compile(r"<(num|title|desc|narr)>(.*?)(?=<(?:num|title|desc|narr|/top)>|</|\Z)", re.DOTALL | re.I)
_LABEL = re.compile(r"\A\s*+(?:Number|Topic|Description|Narrative)\s*+:?\s*+", re.IGNORECASE)


def read_dataset(
    path: Path, *, topics: Path | str | None = None, corpus: Path | str | None = None
) -> EvaluationDataset:
    """The judged queries. Their texts come from `topics`, the documents from `corpus` (lines of JSON)."""
    qrels = path
    if path.is_dir():
        qrels = _named(path, "qrel") or path / "qrels.txt"
        topics = topics or _named(path, "topic") or _named(path, "queries")
        corpus = corpus or _named(path, "corpus")
    judged = read_qrels(qrels)
    texts = read_topics(Path(topics)) if topics is not None else {}
    queries = [
        EvaluationQuery(
            query_id=query_id,
            query_text=texts.get(query_id, query_id),
            relevant_documents=grades,
            metadata={} if query_id in texts else {"query_text": "unknown: the id is used instead"},
        )
        for query_id, grades in judged.items()
    ]
    return make_dataset(path, "trec", queries, () if corpus is None else read_corpus(Path(corpus)))


def read_answers(path: Path, *, run: Path | str | None = None) -> Iterator[RecordedAnswer]:
    """The ranking of each query of a run. A run has no answers: their text is empty."""
    if run is not None:
        path = Path(run)
    elif path.is_dir():
        path = _named(path, "run") or path / "run.txt"
    for query_id, ranking in read_run(path).items():
        retrieved = tuple(RetrievedDocument(document, score) for document, score in ranking.items())
        yield RecordedAnswer(query_id=query_id, answer="", retrieved=retrieved)


def read_qrels(path: Path) -> dict[str, dict[str, float]]:
    """Query → document → grade, from lines of `query iteration document grade`."""
    return _read_numbers(path, "query iteration document grade", "; this looks like a run", (4,), 3)


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """Query → document → score, from lines of `query Q0 document rank score tag`."""
    hint = "; these look like judgements: name the run with --run"
    return _read_numbers(path, "query Q0 document rank score tag", hint, (5, 6), 4)


def _read_numbers(
    path: Path, form: str, hint: str, widths: tuple[int, ...], column: int
) -> dict[str, dict[str, float]]:
    numbers: dict[str, dict[str, float]] = {}
    for line_number, line in read_lines(path):
        cells = line.split()
        place = f"{path}: line {line_number}"
        if len(cells) not in widths:
            raise InputError(f"{place}: expected `{form}`{hint if len(cells) in (4, 6) else ''}")
        of_query = numbers.setdefault(cells[0], {})
        if cells[2] in of_query:
            raise InputError(f"{place}: {cells[2]!r:.80} comes twice for {cells[0]!r:.80}")
        try:
            of_query[cells[2]] = float(cells[column])
        except ValueError:
            of_query[cells[2]] = math.nan
        if not math.isfinite(of_query[cells[2]]):
            raise InputError(f"{place}: the {form.split()[column]} {cells[column]!r:.40} is not a number")
    return numbers


def read_corpus(path: Path) -> Iterator[SourceDocument]:
    """The documents of a corpus, one JSON object each."""
    for place, row in read_rows(path):
        metadata = row.get("metadata")
        yield SourceDocument(
            document_id=needed_text(row, place, "_id", "id", "docid", "document_id"),
            content=needed_text(row, place, "text", "contents", "content"),
            title=text_in(row, place, "title") or None,
            metadata=metadata if isinstance(metadata, dict) else {},
        )


def read_topics(path: Path) -> dict[str, str]:
    """Query → text, from `<top>` elements, lines of `query<tab>text`, or lines of JSON."""
    if path.name.lower().removesuffix(".gz").endswith((".jsonl", ".ndjson")):
        return {
            needed_text(row, place, "_id", "id", "query_id", "qid"): needed_text(
                row, place, "text", "query", "title", "query_text"
            )
            for place, row in read_rows(path)
        }
    lines = list(read_lines(path))
    if any("<top" in line.lower() for _, line in lines[:50]):
        return _tagged(path, "\n".join(line for _, line in lines))
    topics = {}
    for number, line in lines:
        query_id, tab, text = line.partition("\t")
        if not tab:
            raise InputError(f"{path}: line {number}: expected `query<tab>text`, or <top> elements")
        topics[query_id.strip()] = text.strip()
    return topics


def _tagged(path: Path, text: str) -> dict[str, str]:
    topics = {}
    for number, part in enumerate(re.split(r"<top\b[^<>]*+>?", text, flags=re.IGNORECASE)[1:], 1):
        fields = {name.lower(): _LABEL.sub("", held, count=1).strip() for name, held in _FIELD.findall(part)}
        if not fields.get("num"):
            raise InputError(f"{path}: topic {number} has no <num>")
        topics[fields["num"]] = " ".join((fields.get("title") or fields.get("desc") or "").split())
    return topics


def _named(folder: Path, part: str) -> Path | None:
    return next(
        (file for file in sorted(folder.iterdir()) if part in file.name.lower() and file.is_file()), None
    )
