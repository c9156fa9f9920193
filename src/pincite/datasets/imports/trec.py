"""TREC and BEIR: judgements (`qrels`), topics, runs and a corpus, in files or in a folder."""

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


def read_trec(
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


def read_trec_run(path: Path, *, run: Path | str | None = None) -> Iterator[RecordedAnswer]:
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


# --- BEIR: a folder with `corpus.jsonl`, `queries.jsonl` and `qrels/<split>.tsv` -------------------


def read_beir(path: Path, *, split: str | None = None, judged_only: bool = True) -> EvaluationDataset:
    """The queries of one split, `test` where there is one, with their graded documents.

    Queries that the split does not judge are left out unless `judged_only` is false.
    """
    judged = _read_beir_qrels(_beir_qrels(path, split))
    queries = []
    for place, row in read_rows(_beir_file(path, "queries")):
        query_id = needed_text(row, place, "_id", "id")
        if query_id not in judged and judged_only:
            continue
        metadata = row.get("metadata")
        queries.append(
            EvaluationQuery(
                query_id=query_id,
                query_text=needed_text(row, place, "text"),
                relevant_documents=judged.pop(query_id, {}),
                metadata=metadata if isinstance(metadata, dict) else {},
            )
        )
    if judged:
        missing = next(iter(judged))
        raise InputError(f"{path}: {len(judged)} judged queries are not in queries.jsonl, as {missing!r:.80}")
    return make_dataset(path, "beir", queries, read_corpus(_beir_file(path, "corpus")))


def read_beir_run(path: Path, *, run: Path | str | None = None) -> Iterator[RecordedAnswer]:
    """What a system retrieved, from a run as TREC has them."""
    if run is None:
        raise InputError(f"{path}: a BEIR folder holds no answers; name a run of a system with --run FILE")
    return read_trec_run(Path(run))


def _beir_file(folder: Path, name: str) -> Path:
    for ending in (".jsonl", ".jsonl.gz", ".jsonl.zst"):
        if (folder / f"{name}{ending}").is_file():
            return folder / f"{name}{ending}"
    raise InputError(f"{folder}: a BEIR folder has a file {name}.jsonl, and this one has none")


def _beir_qrels(folder: Path, split: str | None) -> Path:
    found = sorted((folder / "qrels").glob("*.tsv*")) if (folder / "qrels").is_dir() else []
    splits = {file.name.partition(".")[0]: file for file in found}
    if split is None:
        split = "test" if "test" in splits or not splits else next(iter(splits))
    if split not in splits:
        has = f"has {', '.join(splits)}" if splits else "has none"
        raise InputError(f"{folder}: there is no qrels/{split:.40}.tsv; the folder {has}")
    return splits[split]


def _read_beir_qrels(path: Path) -> dict[str, dict[str, float]]:
    judged: dict[str, dict[str, float]] = {}
    for number, line in read_lines(path):
        cells = line.split("\t")
        if number == 1 and cells[0] in ("query-id", "query_id", "qid"):
            continue
        if len(cells) != 3:
            raise InputError(f"{path}: line {number}: expected query, document and grade, separated by tabs")
        try:
            judged.setdefault(cells[0], {})[cells[1]] = float(int(cells[2]))
        except ValueError:
            raise InputError(f"{path}: line {number}: the grade {cells[2]!r:.40} is not an integer") from None
    return judged
