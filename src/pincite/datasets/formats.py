"""The records of every data format. docs/datasets.md shows them with examples.

A field's type says what a file must have to be read at all, and what a valid file keeps to. Offsets are
half-open and count code points.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, field

from pincite.datasets.record import Record, Versioned, from_plain
from pincite.text import Form

# --- types of fields: reading ignores what they add, `validate` and the schemas hold files to it -------

Offset = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
PageNumber = Annotated[int, Meta(extra_json_schema={"minimum": 1})]
Score = Annotated[float, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]
Amount = Annotated[float, Meta(extra_json_schema={"minimum": 0})]
Count = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
Id = Annotated[str, Meta(extra_json_schema={"minLength": 1})]
Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Version = Annotated[str, Meta(description="A semantic version, as 1.10.0")]
CLASSES = {
    "query_type": ["factual", "analytical", "comparative", "temporal"],
    "difficulty": ["easy", "medium", "hard"],
}
"""What a query may be classed as."""
QueryType = Annotated[str, Meta(extra_json_schema={"enum": CLASSES["query_type"]})]
Difficulty = Annotated[str, Meta(extra_json_schema={"enum": CLASSES["difficulty"]})]

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_NULL = {"type": "null"}
_AMOUNT = {"type": "number", "minimum": 0}
_INTERVAL = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_FIGURE: dict[str, Any] = {
    "properties": {
        "value": {"anyOf": [{"type": "number"}, _NULL]},
        "confidence_interval": {"anyOf": [_INTERVAL, _NULL]},
        "n": _COUNT,
        "not_scorable": _COUNT,
        "unjudged": _COUNT,
    }
}
"""One metric of a results document, with how many queries have a value and how many have none."""


def _fields(**properties: Any) -> Meta:
    return Meta(extra_json_schema={"properties": properties})


DatasetMetadata = Annotated[
    dict[str, Any], _fields(domain=_TEXT, language=_TEXT, size=_COUNT, avg_query_length=_AMOUNT, source=_TEXT)
]
Summary = Annotated[
    dict[str, Any],
    _fields(
        total_queries=_COUNT,
        successful_queries=_COUNT,
        failed_queries=_COUNT,
        average_latency_ms={"anyOf": [_AMOUNT, _NULL]},
        total_evaluation_time_seconds={"anyOf": [_AMOUNT, _NULL]},
    ),
]
Figure = Annotated[dict[str, Any], Meta(extra_json_schema={**_FIGURE, "required": ["value"]})]
FigureGroup = Annotated[dict[str, Any], Meta(extra_json_schema=_FIGURE)]


class CitationSpan(Record, frozen=True, kw_only=True):
    """A stretch of a document that should be cited. One of the four names says which document."""

    required: ClassVar[tuple[str, ...]] = ("start_char", "end_char")

    file_name: str | None = None
    document_id: str | None = None
    file_path: str | None = None
    title: str | None = None
    page_number: PageNumber | None = None
    start_char: Offset | None = None
    end_char: Offset | None = None
    confidence_score: Score | None = None
    context_text: str | None = None

    @property
    def document(self) -> str:
        """The name of the document: what names a file goes first, as it is what markers use."""
        return self.file_name or self.document_id or self.file_path or self.title or ""


class AnnotatedSpan(CitationSpan, frozen=True, kw_only=True):
    """A stretch of a document that a person marked."""

    citation_id: str | None = None
    text: str | None = None
    relevance_score: Score | None = None
    annotation_confidence: Score | None = None
    justification: str | None = None


class RelevantDocument(Record, frozen=True, kw_only=True):
    """A document that answers a query, with its grade."""

    required: ClassVar[tuple[str, ...]] = ("document_id", "relevance")

    document_id: str
    relevance: float = 1.0


class EvaluationQuery(Record, frozen=True, kw_only=True):
    """One query and what is known to be true about it. None says that nothing is known."""

    required: ClassVar[tuple[str, ...]] = ("query_id", "query_text", "relevant_documents")

    query_id: Id
    query_text: str
    query_type: QueryType | None = None
    difficulty: Difficulty | None = None
    relevant_documents: tuple[str | RelevantDocument, ...] | dict[str, float] | None = None
    """Ids; or grades by id, as an object or as a list of `{document_id, relevance}`."""
    ground_truth_answer: str | None = None
    citations: tuple[CitationSpan, ...] | None = None
    """An empty list says that nothing should be cited, None says nothing."""
    alternative_citations: tuple[tuple[CitationSpan, ...], ...] = ()
    """Further sets of citations that would be just as right."""
    conversation: Any = None
    """The messages before the query, oldest first: `{role, content}` each."""
    conversation_id: str | None = None
    references: tuple[str | dict[str, Any], ...] | None = None
    expected_output: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def relevant(self) -> dict[str, float] | None:
        """The relevant documents with their grades, 1 where there are none."""
        given = self.relevant_documents
        if given is None or isinstance(given, dict):
            return given
        return {
            one if isinstance(one, str) else one.document_id: 1.0 if isinstance(one, str) else one.relevance
            for one in given
        }


class SourceDocument(Record, frozen=True, kw_only=True):
    """A document that answers may cite."""

    required: ClassVar[tuple[str, ...]] = ("document_id", "content")

    document_id: Id
    content: str
    title: str | None = None
    file_path: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class EvaluationDataset(Versioned, frozen=True, kw_only=True):
    """Queries, and the documents that they are about."""

    required: ClassVar[tuple[str, ...]] = ("dataset_id", "name", "version", "queries")

    dataset_id: Id = ""
    name: str = ""
    version: Version = ""
    description: str | None = None
    created_at: Timestamp | None = None
    offsets: Literal["document", "page"] | None = None
    """What offsets count from; None leaves it to the settings."""
    metadata: DatasetMetadata = field(default_factory=dict)
    queries: tuple[EvaluationQuery, ...] = ()
    documents: tuple[SourceDocument, ...] = ()


# --- what people said ----------------------------------------------------------------------------


class CitationAnnotation(Versioned, frozen=True, kw_only=True):
    """What one person would cite for one query."""

    required: ClassVar[tuple[str, ...]] = ("annotation_id", "query_id", "citations")

    annotation_id: Id
    query_id: Id
    annotator_id: str | None = None
    timestamp: Timestamp | None = None
    citations: tuple[AnnotatedSpan, ...] = ()
    quality_checks: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)


class AnswerQualityAnnotation(Versioned, frozen=True, kw_only=True):
    """What one person thinks of one answer."""

    required: ClassVar[tuple[str, ...]] = ("annotation_id", "query_id", "quality_scores")

    annotation_id: Id
    query_id: Id
    annotator_id: str | None = None
    timestamp: Timestamp | None = None
    answer_text: str | None = None
    quality_scores: dict[str, Score | None] = field(default_factory=dict)
    overall_score: Score | None = None
    aspect_ratings: dict[str, Any] = field(default_factory=dict)
    feedback: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)


class GroundTruth(Versioned, frozen=True, kw_only=True):
    """Everything that people said about a dataset."""

    required: ClassVar[tuple[str, ...]] = ("dataset_id", "version", "annotations")

    dataset_id: Id = ""
    version: Version = ""
    annotations: tuple[Any, ...] = ()
    """Each a `CitationAnnotation` or an `AnswerQualityAnnotation`."""


def annotation_parts(value: Any) -> tuple[CitationAnnotation | AnswerQualityAnnotation, ...]:
    """What one annotation says: people may write what to cite and marks for the answer in one."""
    fields = value if isinstance(value, dict) else {}
    marks = not {"quality_scores", "answer_text", "aspect_ratings", "overall_score"}.isdisjoint(fields)
    kinds: list[type[CitationAnnotation | AnswerQualityAnnotation]] = []
    if "citations" in fields or not marks:
        kinds.append(CitationAnnotation)
    if marks:
        kinds.append(AnswerQualityAnnotation)
    return tuple(from_plain(kind, value) for kind in kinds)


# --- what came out -------------------------------------------------------------------------------


class GivenCitation(Record, frozen=True, kw_only=True):
    """A citation as a system gave it. Whether its place exists is measured, so that no number is refused."""

    file_name: str | None = None
    document_id: str | None = None
    file_path: str | None = None
    title: str | None = None
    page_number: int | None = None
    start_char: int | None = None
    end_char: int | None = None


class QueryResult(Record, frozen=True, kw_only=True):
    """What a run says about one query."""

    required: ClassVar[tuple[str, ...]] = ("query_id",)

    query_id: Id
    query_text: str | None = None
    latency_ms: Amount | None = None
    retrieval_results: dict[str, Any] | None = None
    generated_answer: str | None = None
    citations: tuple[GivenCitation, ...] | None = None
    individual_metrics: dict[str, float | None] | None = None


class EvaluationResults(Versioned, frozen=True, kw_only=True):
    """What a run measured. A group of metrics is there when it was measured."""

    required: ClassVar[tuple[str, ...]] = ("evaluation_id", "timestamp", "dataset_id", "summary")

    evaluation_id: Id
    timestamp: Timestamp | None = None
    system_version: str | None = None
    dataset_id: str | None = None
    configuration: dict[str, Any] | None = None
    summary: Summary = field(default_factory=dict)
    retrieval_metrics: dict[str, Figure] | None = None
    citation_metrics: dict[str, FigureGroup] | None = None
    answer_quality_metrics: dict[str, FigureGroup] | None = None
    performance_metrics: dict[str, Any] | None = None
    query_results: tuple[QueryResult, ...] | None = None
    statistical_analysis: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None


class BenchmarkEntry(Record, frozen=True, kw_only=True):
    """One figure of a benchmark."""

    required: ClassVar[tuple[str, ...]] = ("metric", "value")

    metric: Id
    value: float | None
    unit: str | None = None
    n: Count | None = None
    confidence_interval: tuple[float, float] | None = None
    system_version: str | None = None


class BenchmarkData(Versioned, frozen=True, kw_only=True):
    """Figures that were measured once and are kept to compare with."""

    required: ClassVar[tuple[str, ...]] = ("benchmark_id", "created_at", "entries")

    benchmark_id: Id
    created_at: Timestamp | None = None
    entries: tuple[BenchmarkEntry, ...] = ()


class Configuration(Versioned, frozen=True, kw_only=True):
    """A configuration file. Its keys are those of docs/configuration.md, and are held in `extra`."""


# --- the kinds of files ----------------------------------------------------------------------------

Kind = Literal["dataset", "ground_truth", "results", "benchmark", "configuration"]


class Format(Struct, frozen=True):
    """One kind of file."""

    record: type[Record]
    title: str
    ending: str
    forms: tuple[Form, ...]
    """The forms that it may be written in."""
    lists: dict[str, type[Record]]
    """The lists that may be too long to be held in memory, and the record of an element."""
    marks: tuple[str, ...]
    """Fields that only this kind has. The first kind in the table that has one of its own is taken."""


FORMATS: dict[Kind, Format] = {
    "results": Format(
        EvaluationResults,
        "Evaluation Results",
        ".results.json",
        ("json", "yaml", "csv", "parquet"),
        {"query_results": QueryResult},
        ("evaluation_id", "query_results", "retrieval_metrics", "citation_metrics"),
    ),
    "benchmark": Format(
        BenchmarkData,
        "Benchmark Data",
        ".benchmark.json",
        ("json", "yaml", "parquet", "hdf5"),
        {"entries": BenchmarkEntry},
        ("benchmark_id", "entries"),
    ),
    "ground_truth": Format(
        GroundTruth,
        "Ground Truth",
        ".gt.json",
        ("json", "yaml"),
        {"annotations": CitationAnnotation},
        ("annotations", "annotation_id"),
    ),
    "dataset": Format(
        EvaluationDataset,
        "Evaluation Dataset",
        ".eval.json",
        ("json", "yaml", "csv"),
        {"queries": EvaluationQuery, "documents": SourceDocument},
        ("queries", "documents", "dataset_id"),
    ),
    "configuration": Format(Configuration, "Configuration", ".config.yaml", ("yaml", "json"), {}, ()),
}
"""Every format, once."""
