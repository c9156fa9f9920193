"""A file checked: whether it is valid, and of a dataset its quality and what it holds.

Quality is what no schema can check and what makes a measurement wrong or worth less. `check_quality` goes
through the queries twice and keeps a few numbers for each, so a million queries need little memory. Issues
come as they are found: those of single queries first, in their order, then those of the whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from pincite.config import Settings
from pincite.datasets.formats import CLASSES, EvaluationQuery, Kind
from pincite.datasets.load import Dataset, dataset_path, open_dataset
from pincite.datasets.paths import file_kind
from pincite.datasets.quality import CitationChecks, Offsets, QualityIssue, issue, named_documents, quoted
from pincite.datasets.record import is_number
from pincite.datasets.repeats import HashedTexts, NearRepeats, nearly_the_same
from pincite.datasets.schema import Problem
from pincite.datasets.validate import kind_of_file, validate_file
from pincite.errors import InputError
from pincite.records import SCHEMA_VERSION


class FileCheck(Struct, frozen=True, kw_only=True):
    """What was found in one file."""

    path: Path
    problem_count: int
    """How many things keep the file from being valid."""
    problems: tuple[Problem, ...]
    """The first of them."""
    statistics: dict[str, Any] | None = None
    """What a dataset holds (`dataset_stats`); None for other files, and for a dataset that cannot be read."""
    issues: tuple[QualityIssue, ...] = ()
    """The first of each code."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many issues there are of each code."""

    @property
    def valid(self) -> bool:
        return self.problem_count == 0


def check_file(
    given: Path | str, kind: Kind | None = None, settings: Settings | None = None, most: int = 50
) -> FileCheck:
    """Whether a file is valid, and of a dataset its quality and statistics.

    At most so many problems, and issues of each code, are kept. A file that cannot be opened raises
    `InputError`.
    """
    path = dataset_path(given) if given == "sample" or Path(given).is_dir() else Path(given)
    problems: list[Problem] = []
    count = 0
    for count, problem in enumerate(validate_file(path, kind), 1):
        if count <= most:
            problems.append(problem)
    found = FileCheck(path=path, problem_count=count, problems=tuple(problems))
    try:
        if file_kind(path).form == "jsonl" or (kind or kind_of_file(path)) != "dataset":
            return found
        opened = open_dataset(path)
    except InputError:
        if not count:
            raise
        return found  # the problems say why
    issues: list[QualityIssue] = []
    counts: Counter[str] = Counter()
    with opened as dataset:
        for one in check_quality(dataset, (settings or Settings()).offsets):
            counts[one.code] += 1
            if counts[one.code] <= most:
                issues.append(one)
        statistics = dataset_stats(dataset)
    return replace(found, statistics=statistics, issues=tuple(issues), counts=dict(sorted(counts.items())))


# --- quality ---------------------------------------------------------------------------------------


def check_quality(dataset: Dataset, offsets: Offsets = "document") -> Iterator[QualityIssue]:
    """Every issue of a dataset. `offsets` says what offsets count from where the dataset does not."""
    found = yield from _document_issues(dataset)
    if not found:
        yield issue("DQ200", "/documents", "there are no documents to check names and spans against")
    citations = CitationChecks(cast("Offsets", dataset.offsets or offsets))
    ids, texts, near, balance = HashedTexts(), HashedTexts(), NearRepeats(), Balance()
    for place, query in enumerate(dataset.queries()):
        pointer = f"/queries/{place}"
        ids.add(query.query_id)
        texts.add(" ".join(query.query_text.casefold().split()) or None)
        near.add(query.query_text)
        balance.add(query)
        yield from word_issues(query, pointer)
        library = None
        if found:
            library = dataset.library() if dataset.in_memory else dataset.library_for(named_documents(query))
        yield from citations.issues(query, pointer, library)
    yield from citations.unverified_pages()
    yield from _repeat_issues(dataset, ids, texts, near)
    yield from balance.issues(dataset.metadata)


def _document_issues(dataset: Dataset) -> Generator[QualityIssue, None, int]:
    """What is wrong with the documents; gives back how many there are."""
    ids, texts = HashedTexts(), HashedTexts()
    for place, document in enumerate(dataset.documents()):
        ids.add(document.document_id)
        texts.add(document.content if document.content.strip() else None)
        if not document.content.strip():
            said = f"the document {quoted(document.document_id)} has no text"
            yield issue("DQ206", f"/documents/{place}/content", said)
    same_ids, same_texts = dict(ids.repeated()), dict(texts.repeated())
    for place, document in enumerate(dataset.documents() if same_ids or same_texts else ()):
        name = quoted(document.document_id)
        if place in same_ids:
            said = f"the id {name} is already that of /documents/{same_ids[place]}"
            yield issue("DQ204", f"/documents/{place}/document_id", said)
        if place in same_texts:
            said = f"the document {name} has the same text as /documents/{same_texts[place]}"
            yield issue("DQ205", f"/documents/{place}/content", said)
    return len(ids.hashes)


def _repeat_issues(
    dataset: Dataset, ids: HashedTexts, texts: HashedTexts, near: NearRepeats
) -> Iterator[QualityIssue]:
    """Repeats are known by their hashes; what they are is read in a second pass, which keeps only those."""
    same_ids, same_texts = dict(ids.repeated()), dict(texts.repeated())
    pairs, left_out = near.candidates(texts.hashes)
    wanted = {place for pair in pairs for place in pair} | set(same_texts.values())
    if not (same_ids or wanted):
        return
    kept: dict[int, tuple[str, str]] = {}
    for place, query in enumerate(dataset.queries()):
        if place in wanted:
            kept[place] = (query.query_id, query.query_text)
        if place in same_ids:
            said = f"the id is already that of /queries/{same_ids[place]}"
            yield issue("DQ101", f"/queries/{place}/query_id", said, query.query_id)
        if place in same_texts:
            earlier, _ = kept[same_texts[place]]
            said = f"asks the same as query {quoted(earlier)}: {quoted(query.query_text)}"
            yield issue("DQ103", f"/queries/{place}/query_text", said, query.query_id)
    reported: set[int] = set()
    for one, other in pairs:
        # A query is reported once, with the first that it is like.
        if other not in reported and nearly_the_same(kept[one][1], kept[other][1]):
            reported.add(other)
            said = f"asks nearly the same as query {quoted(kept[one][0])}: {quoted(kept[one][1])}"
            yield issue("DQ104", f"/queries/{other}/query_text", said, kept[other][0])
    if left_out:
        said = f"{left_out:,} more pairs of queries look alike and were not compared"
        yield issue("DQ104", "/queries", said)


# --- a query's own words: is there a question, and does it give its answer away? -------------------

LONG_RUN = 8
"""So many words of the answer in a row, if they are at least half of it, give it away."""
SHORTEST_ANSWER = 12
"""Characters: a shorter answer may well be one of the things that are asked about (`A or B?`)."""
MOST_WORDS = 5000
"""Of a text; no question is longer, and a document in its place would take long."""

_WORD = re.compile(r"\w+")


def word_issues(query: EvaluationQuery, pointer: str) -> Iterator[QualityIssue]:
    if not query.query_text.strip():
        yield issue("DQ102", f"{pointer}/query_text", "the query has no text", query.query_id)
        return
    answers = [query.ground_truth_answer, query.expected_output]
    for answer in dict.fromkeys(answer for answer in answers if isinstance(answer, str)):
        leaked = leaked_words(query.query_text, answer)
        if leaked:
            said = f"the query holds {quoted(leaked)} of its own answer"
            yield issue("DQ105", f"{pointer}/query_text", said, query.query_id)


def leaked_words(query: str, answer: str) -> str:
    """The part of the answer that the query contains: all of it, or a long run of words; else nothing."""
    asked, told = _words(query), _words(answer)
    if not told:
        return ""
    whole = " ".join(told)
    if len(whole) >= SHORTEST_ANSWER and f" {whole} " in f" {' '.join(asked)} ":
        return answer.strip()
    run = _longest_run(asked, told)
    return " ".join(run) if 2 * len(run) >= len(told) else ""


def _longest_run(asked: Sequence[str], told: Sequence[str]) -> Sequence[str]:
    """The longest run of at least `LONG_RUN` words that both have, found by runs of that length."""
    runs = {tuple(told[i : i + LONG_RUN]) for i in range(len(told) - LONG_RUN + 1)}
    best = (0, 0)
    begun: int | None = None
    for i in range(len(asked) - LONG_RUN + 2):
        if i + LONG_RUN <= len(asked) and tuple(asked[i : i + LONG_RUN]) in runs:
            begun = i if begun is None else begun
        elif begun is not None:
            best = max(best, (i - 1 + LONG_RUN - begun, begun))
            begun = None
    return asked[best[1] : best[1] + best[0]]


def _words(text: str) -> list[str]:
    found = []
    for match in _WORD.finditer(text.casefold()):
        found.append(match[0])
        if len(found) == MOST_WORDS:
            break
    return found


# --- how queries spread over classes, and whether what the dataset says of itself is so -------------

MOST_SHARE = 0.8
"""Above this share of one class, an average over the dataset is hardly more than that class."""
ENOUGH = 20
"""With fewer queries no share says anything."""
UNREVIEWED = "unreviewed"
"""The `review_status` of a draft."""
MOST_CLASSES = 1000
_MOST = 1e300
LENGTH_ALLOWANCE = 0.5


class Balance:
    """Counts classes, lengths and reviews while the queries go by."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str | None]] = {name: Counter() for name in CLASSES}
        self._queries = 0
        self._characters = 0
        self._unreviewed = 0

    def add(self, query: EvaluationQuery) -> None:
        self._queries += 1
        self._characters += len(query.query_text)
        self._unreviewed += query.metadata.get("review_status") == UNREVIEWED
        for name, counts in self._counts.items():
            given = getattr(query, name)
            kept = given if given in counts or len(counts) < MOST_CLASSES else None
            counts[kept] += 1

    def issues(self, metadata: Mapping[str, Any]) -> Iterator[QualityIssue]:
        if not self._queries:
            yield issue("DQ602", "/queries", "the dataset has no queries")
            return
        for name, counts in self._counts.items():
            yield from self._class_issues(name, counts)
        yield from self._metadata_issues(metadata)
        if self._unreviewed:
            said = f"{self._unreviewed:,} of {self._queries:,} queries are unreviewed drafts"
            yield issue("DQ603", "/queries", said)

    def _class_issues(self, name: str, counts: Counter[str | None]) -> Iterator[QualityIssue]:
        without = counts[None]
        labelled = self._queries - without
        if not labelled:
            yield issue("DQ502", "/queries", f"no query has a {name}")
            return
        if without:
            yield issue("DQ502", "/queries", f"{without:,} of {self._queries:,} queries have no {name}")
        missing = [one for one in CLASSES[name] if not counts[one]]
        if missing:
            yield issue("DQ502", "/queries", f"no query has the {name} {' or '.join(missing)}")
        largest, count = max(((one, n) for one, n in counts.items() if one is not None), key=lambda kv: kv[1])
        if labelled >= ENOUGH and count > MOST_SHARE * labelled:
            share = f"{count:,} of {labelled:,} queries ({count / labelled:.0%})"
            yield issue("DQ501", "/queries", f"{share} have the {name} {quoted(largest)}")

    def _metadata_issues(self, metadata: Mapping[str, Any]) -> Iterator[QualityIssue]:
        size = metadata.get("size")
        if is_number(size) and size != self._queries:
            said = f"metadata.size is {size:,}, but there are {self._queries:,} queries"
            yield issue("DQ601", "/metadata/size", said)
        length = metadata.get("avg_query_length")
        mean = self._characters / self._queries
        if not is_number(length):
            return
        length = max(-_MOST, min(length, _MOST))  # a whole number may be larger than any float
        if abs(length - mean) > LENGTH_ALLOWANCE + 0.01 * mean:
            said = f"metadata.avg_query_length is {length:g}, but queries average {mean:.1f} characters"
            yield issue("DQ601", "/metadata/avg_query_length", said)


# --- what a dataset holds -------------------------------------------------------------------------


def dataset_stats(dataset: Dataset) -> dict[str, Any]:
    """Counts of queries, documents and citations. A mean of nothing is None."""
    counts: Counter[str] = Counter()
    types: Counter[str] = Counter()
    difficulties: Counter[str] = Counter()
    for query in dataset.queries():
        counts["queries"] += 1
        counts["characters"] += len(query.query_text)
        types[query.query_type or "(none)"] += 1
        difficulties[query.difficulty or "(none)"] += 1
        relevant = query.relevant
        counts["with relevant documents"] += bool(relevant)
        counts["graded"] += any(grade not in (0, 1) for grade in (relevant or {}).values())
        counts["relevant documents"] += len(relevant or {})
        counts["with answer"] += query.ground_truth_answer is not None
        counts["in conversations"] += query.conversation is not None or query.conversation_id is not None
        if query.citations is None:
            counts["without citations field"] += 1
        else:
            counts["with citations" if query.citations else "nothing to cite"] += 1
            counts["citations"] += len(query.citations)
            counts["cited characters"] += sum(
                (span.end_char or 0) - (span.start_char or 0) for span in query.citations
            )
        counts["alternative sets"] += len(query.alternative_citations)
    for document in dataset.documents():
        counts["documents"] += 1
        counts["document characters"] += len(document.content)
    return {
        "schema_version": SCHEMA_VERSION,
        "dataset_id": dataset.dataset_id,
        "name": dataset.name,
        "version": dataset.version,
        "digest": dataset.digest,
        "queries": {
            "total": counts["queries"],
            "by_query_type": dict(sorted(types.items())),
            "by_difficulty": dict(sorted(difficulties.items())),
            "mean_length": _mean(counts["characters"], counts["queries"]),
            "with_ground_truth_answer": counts["with answer"],
            "with_relevant_documents": counts["with relevant documents"],
            "with_graded_relevance": counts["graded"],
            "mean_relevant_documents": _mean(counts["relevant documents"], counts["with relevant documents"]),
            "in_conversations": counts["in conversations"],
        },
        "citations": {
            "total": counts["citations"],
            "queries_with_citations": counts["with citations"],
            "queries_with_nothing_to_cite": counts["nothing to cite"],
            "queries_without_citations_field": counts["without citations field"],
            "alternative_sets": counts["alternative sets"],
            "mean_length": _mean(counts["cited characters"], counts["citations"]),
        },
        "documents": {
            "total": counts["documents"],
            "mean_length": _mean(counts["document characters"], counts["documents"]),
        },
    }


def _mean(total: float, count: int) -> float | None:
    try:
        return round(total / count, 3) if count else None
    except OverflowError:  # offsets of hundreds of digits
        return None
