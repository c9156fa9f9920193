"""The nouns of measuring a system: what was asked, what was answered, what came out.

`records/answer.py` has the nouns of checking one answer; these build on them. Offsets are half-open and count
code points.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from pincite.records.answer import Citation, Question, Source

# --- what a metric sees --------------------------------------------------------------------------


class HumanMessage(Struct, frozen=True):
    """What a person said in a conversation."""

    content: str


class AIMessage(Struct, frozen=True):
    """What the assistant said in a conversation."""

    content: str


class MultiTurnConversation(Struct, frozen=True):
    """A conversation, oldest message first."""

    messages: tuple[HumanMessage | AIMessage, ...]


class Place(Struct, frozen=True):
    """A place in a document, half-open, in code points: one cited span, or one that should be cited.

    The offsets are None where a whole page or document is meant.
    """

    document: str
    page: int | None
    start: int | None
    end: int | None


class RetrievedDocument(Struct, frozen=True, gc=False):
    """A document that the system under test retrieved; without a score the order of the list holds."""

    document: str
    score: float | None = None


class DatasetItem(Struct, frozen=True, kw_only=True):
    """One query, what the system answered, and what is known to be true about it.

    None means that nothing is known: `true_spans=()` says that nothing should be cited, `None` says nothing.
    """

    query: str | None = None
    actual_output: str | None = None
    """The answer; None when the system gave none, and then `failure` says why."""
    expected_output: Any = None
    """The expected answer as text, or the JSON data that path citations resolve in."""
    conversation: MultiTurnConversation | None = None
    query_id: str = ""
    citations: tuple[Citation, ...] | None = None
    """As the system gave them; None when they are to be parsed from the answer. One with `start == end` has
    no place in the answer and may support any of its claims."""
    true_spans: tuple[Place, ...] | None = None
    other_true_spans: tuple[tuple[Place, ...], ...] = ()
    """Further sets of spans that would be just as right."""
    relevant: dict[str, float] | None = None
    """Relevant documents and their grade, 1 where the dataset has no grades."""
    retrieved: tuple[RetrievedDocument, ...] | None = None
    references: tuple[str | dict[str, Any], ...] | None = None
    """The numbered list of references that `[1]` counts in: texts, or `{number, source}`."""
    sources: tuple[Source, ...] = ()
    """Documents that came with the answer, beside those of the dataset."""
    latency_ms: float | None = None
    usage: dict[str, Any] | None = None
    """`total_tokens`, `total_requests`, `estimated_cost_usd`, where the system gives them."""
    query_type: str | None = None
    difficulty: str | None = None
    conversation_id: str | None = None
    """Queries of one conversation are not independent of each other."""
    failure: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class RecordedAnswer(Struct, frozen=True, kw_only=True):
    """What a system answered to one query, with the fields of a recorded answer."""

    query_id: str = ""
    answer: str | None = None
    citations: tuple[dict[str, Any], ...] | None = None
    """`{file_name, page_number, start_char, end_char, …}` each; None when they are in the answer."""
    retrieved: tuple[RetrievedDocument, ...] | None = None
    latency_ms: float | None = None
    usage: dict[str, Any] | None = None
    references: tuple[str | dict[str, Any], ...] | None = None
    sources: tuple[Source, ...] = ()
    conversation: MultiTurnConversation | None = None
    failure: str | None = None
    attempts: int = 1
    extra: dict[str, Any] = field(default_factory=dict)
    oddities: tuple[tuple[str, str], ...] = ()
    """What was expected and what was found where a live system gave something that counts as not given."""


# --- what comes out ------------------------------------------------------------------------------


class Result(Struct, frozen=True, kw_only=True):
    """One metric on one item."""

    metric: str
    """The metric's name as it prints."""
    score: float | None
    """None when there was nothing to score or nothing could be judged; `reasons` says why."""
    numerator: float = 0.0
    denominator: float = 0.0
    not_scorable: int = 0
    """Units (claims, targets, spans) that the denominator leaves out because they cannot be scored."""
    unjudged: int = 0
    """Units that the denominator leaves out because the judge failed on them."""
    reasons: dict[str, int] = field(default_factory=dict)
    """Why units were left out, and how many."""
    counts: dict[str, float] = field(default_factory=dict)
    """Further counts that add up over a dataset: `cited_claims`, `perfect_matches`."""
    threshold: float | None = None
    passed: bool | None = None
    """None without a threshold or without a score."""
    signals: Any = None
    """Everything the metric can say about how it came to its score."""
    unit: str = ""
    """What numerator and denominator count, for a reader: `citations relevant`."""

    def pretty(self) -> str:
        """A summary for a person: the score and what it is made of, what was left out, whether it passed."""
        left_out = ", ".join(f"{reason}: {count}" for reason, count in self.reasons.items())
        if self.score is None:
            lines = [f"Score: none ({left_out or 'nothing to score'})"]
        else:
            of = f"{self.numerator:g} of {self.denominator:g} {self.unit}".rstrip()
            lines = [f"Score: {self.score:.2f} ({of})", *([f"Left out: {left_out}"] if left_out else [])]
        if self.passed is not None:
            lines.append(f"{'Passed' if self.passed else 'Failed'} (threshold {self.threshold:g})")
        return "\n".join([self.metric, *lines])


class Failure(Struct, frozen=True):
    """One thing that went wrong in an answer, for counting which kinds dominate and where."""

    kind: str
    """`unknown_document`, `out_of_bounds`, …, `not_supported`, `contradicted`, `misquoted`,
    `uncited`, `hallucinated`,
    `missed_span`, `needless_span`, `not_retrieved`."""
    document: str | None
    detail: str


class JudgedPlace(Struct, frozen=True, array_like=True):
    """A place that a judge was shown, with the beginning of its words."""

    document: str
    start: int
    end: int
    text: str


class JudgedPair(Struct, frozen=True):
    """A verdict as the history keeps it."""

    question: Question
    claim: str
    documents: tuple[str, ...]
    outcome: str
    score: float | None
    reason: str
    judge: str
    evidence: tuple[JudgedPlace, ...] = ()
    """What the verdict rests on; nothing in runs of older versions."""


class ItemResult(Struct, frozen=True, kw_only=True):
    """Everything that is kept about one query of a run."""

    key: str
    """A hash of all that decides the result, so that a resumed run knows it by content."""
    position: int
    """Where the query is in the dataset, to write results in its order."""
    query_id: str
    query_text: str = ""
    failure: str | None = None
    """Why there is no answer; such a query is counted as failed."""
    attempts: int = 1
    answer: str | None = None
    citations: tuple[dict[str, Any], ...] | None = None
    """With the names of document 001: file_name, page_number, start_char, end_char."""
    retrieved: tuple[RetrievedDocument, ...] | None = None
    relevant: tuple[str, ...] | None = None
    latency_ms: float | None = None
    usage: dict[str, Any] | None = None
    query_type: str | None = None
    difficulty: str | None = None
    documents: tuple[str, ...] = ()
    """Documents that the query is about: the relevant ones, or else those that should be cited."""
    cluster: str | None = None
    """Queries with the same cluster share a document or a conversation and are resampled together."""
    results: tuple[Result, ...] = ()
    """Without their signals."""
    verdicts: tuple[JudgedPair, ...] = ()
    failures: tuple[Failure, ...] = ()
    cited_documents: tuple[str, ...] = ()
    oddities: tuple[tuple[str, str], ...] = ()
    """What the answer came with that could not be used, as `RecordedAnswer` has it."""


class Score(Struct, frozen=True, kw_only=True):
    """One metric over a dataset. `n + not_scorable + unjudged` is the number of queries."""

    metric: str
    value: float | None
    confidence_interval: tuple[float, float] | None = None
    method: str = ""
    """How the interval was made: `bca`, `wilson`, `delta`, with `, clustered` where it was."""
    n: int = 0
    """Queries that have a value."""
    groups: int | None = None
    """Groups of these queries that share a document or a conversation, if the interval is over groups."""
    not_scorable: int = 0
    """Queries with nothing to score."""
    unjudged: int = 0
    """Queries of which nothing could be judged."""
    numerator: float = 0.0
    denominator: float = 0.0
    unjudged_units: int = 0
    """Claims or targets left out because the judge failed on them, in any query."""
    counts: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    threshold: float | None = None
    passed: bool | None = None
    higher_is_better: bool = True
    corrected: float | None = None
    """The value corrected by human labels, where some were given, with its own interval."""
    corrected_interval: tuple[float, float] | None = None
    labelled: int = 0
    """Queries that people labelled, which the corrected value rests on."""


class Alert(Struct, frozen=True, kw_only=True):
    """One thing that somebody should know about a run."""

    kind: Literal["threshold", "failed", "regression", "drift", "nothing_measured", "undelivered"]
    metric: str
    value: float | None
    message: str
    threshold: float | None = None
    expected: float | None = None
    """What the baseline run, or the mean of the earlier runs, had."""
    p_value: float | None = None
    """Adjusted for the number of metrics that were looked at."""
    decisive: bool = True
    """False when a threshold is missed but lies within the figure's interval."""

    @property
    def subject(self) -> str:
        """The metric, or the run where the alert is about all of it."""
        return self.metric or "the run"


RunStatus = Literal["running", "interrupted", "finished", "failed"]

# --- the results document --------------------------------------------------------------------------


class PartScore(Struct, frozen=True, kw_only=True):
    """One metric over a part of the dataset, as a breakdown has it."""

    value: float | None
    confidence_interval: tuple[float, float] | None = None
    n: int = 0
    not_scorable: int = 0
    unjudged: int = 0


Breakdown = dict[str, dict[str, dict[str, PartScore]]]
"""`query_type`, `difficulty` or `document` → its value → metric → score."""


class RunConfiguration(Struct, frozen=True, kw_only=True):
    """What was run, and the settings that differ from the defaults."""

    target: str = ""
    judge: str = ""
    metrics: tuple[str, ...] = ()
    dataset_digest: str = ""
    fingerprint: str = ""
    grounding_scope: str = ""
    """Which documents an answer is checked against by default."""
    settings: dict[str, Any] = field(default_factory=dict)
    """By dotted path: `llm.model`."""


class RunSummary(Struct, frozen=True, kw_only=True):
    """The counts of a run."""

    total_queries: int = 0
    successful_queries: int = 0
    failed_queries: int = 0
    unjudged_queries: int = 0
    """Queries in which something could not be judged."""
    judged_pairs: int = 0
    unjudged_pairs: int = 0
    average_latency_ms: float | None = None
    total_evaluation_time_seconds: float = 0.0
    thresholds_missed: tuple[str, ...] = ()


class LatencySummary(Struct, frozen=True, kw_only=True):
    """Milliseconds per answer, over the answers that came with a latency."""

    mean: float | None = None
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    min: float | None = None
    max: float | None = None
    n: int = 0
    not_scorable: int = 0


class UsageSummary(Struct, frozen=True, kw_only=True):
    """What the system under test reported that it used; `n` counts the answers behind each sum."""

    total_tokens: int | float | None = None
    total_requests: int | float | None = None
    estimated_cost_usd: float | None = None
    n: dict[str, int] = field(default_factory=dict)


class RunPerformance(Struct, frozen=True, kw_only=True):
    """Latency, usage, and what measuring took of this machine."""

    latency_stats: LatencySummary = field(default_factory=LatencySummary)
    resource_usage: dict[str, Any] | None = None
    api_usage: UsageSummary = field(default_factory=UsageSummary)


class SignificanceTest(Struct, frozen=True, kw_only=True):
    """One metric of the run against the baseline."""

    baseline_mean: float | None
    current_mean: float | None
    difference: float | None
    confidence_interval: tuple[float, float] | None
    p_value: float | None
    p_adjusted: float | None
    significant: bool | None
    effect_size: float | None
    test: str
    unit: str
    baseline: str


class IntervalMethods(Struct, frozen=True, kw_only=True):
    """How the intervals were made, and which metrics have none."""

    all_metrics: str = "calculated"
    confidence_level: float = 0.95
    methods: dict[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()


class StatisticalAnalysis(Struct, frozen=True, kw_only=True):
    """The tests against a baseline, and the intervals."""

    significance_tests: dict[str, SignificanceTest] = field(default_factory=dict)
    confidence_intervals: IntervalMethods = field(default_factory=IntervalMethods)


class DocumentFailures(Struct, frozen=True, kw_only=True):
    """How often one kind of failure occurred in one document."""

    kind: str
    document: str
    count: int


class FailureCounts(Struct, frozen=True, kw_only=True):
    """What went wrong, the most frequent first."""

    by_kind: dict[str, int] = field(default_factory=dict)
    by_document: tuple[DocumentFailures, ...] = ()
    failed_queries: dict[str, int] = field(default_factory=dict)
    """Why queries have no answer."""


class RunMetadata(Struct, frozen=True, kw_only=True):
    """Where and how the run was made, and what was checked about its results."""

    evaluation_environment: dict[str, Any] = field(default_factory=dict)
    evaluation_parameters: dict[str, Any] = field(default_factory=dict)
    quality_assurance: dict[str, str] = field(default_factory=dict)


MetricGroup = dict[str, dict[str, Any]]
"""The figures of a group of metrics as the format names them. `Run.scores` has the same figures typed."""


class ResultsDocument(Struct, frozen=True, kw_only=True):
    """The results document without `query_results`: its fields are the JSON that is written, in its order."""

    schema_version: int | str = 1
    evaluation_id: str = ""
    """Empty for a run that was not concluded: then nothing else is known either."""
    name: str | None = None
    status: str = ""
    timestamp: str = ""
    finished_at: str | None = None
    system_version: str | None = None
    dataset_id: str = ""
    dataset_version: str = ""
    configuration: RunConfiguration = field(default_factory=RunConfiguration)
    summary: RunSummary = field(default_factory=RunSummary)
    retrieval_metrics: MetricGroup | UnsetType = UNSET
    citation_metrics: MetricGroup | UnsetType = UNSET
    answer_quality_metrics: MetricGroup | UnsetType = UNSET
    other_metrics: MetricGroup | UnsetType = UNSET
    """Metrics that belong to none of the groups above."""
    performance_metrics: RunPerformance = field(default_factory=RunPerformance)
    statistical_analysis: StatisticalAnalysis = field(default_factory=StatisticalAnalysis)
    breakdown: Breakdown = field(default_factory=dict)
    failures: FailureCounts = field(default_factory=FailureCounts)
    metadata: RunMetadata = field(default_factory=RunMetadata)


# --- a run -----------------------------------------------------------------------------------------


class Run(Struct, frozen=True, kw_only=True):
    """One evaluation: what was measured, how, and what came out."""

    run_id: str
    name: str | None = None
    fingerprint: str = ""
    """A hash of dataset, target, metrics, judge and settings: the same command has the same one."""
    status: RunStatus = "running"
    started_at: str = ""
    """ISO 8601 in UTC."""
    finished_at: str | None = None
    dataset_id: str = ""
    dataset_version: str = ""
    dataset_digest: str = ""
    target: str = ""
    system_version: str | None = None
    judge: str = ""
    metrics: tuple[str, ...] = ()
    unmeasured: tuple[str, ...] = ()
    """Metrics that were tried and turned out to have nothing to go by."""
    total: int = 0
    successful: int = 0
    failed: int = 0
    seconds: float = 0.0
    scores: tuple[Score, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    """`timeout_seconds`, `max_retries`, `random_seed`, and whatever else the command set."""
    environment: dict[str, Any] = field(default_factory=dict)
    alerts: tuple[Alert, ...] = ()
    """What somebody should be told about it."""
    document: ResultsDocument = field(default_factory=ResultsDocument)
    """Everything else that was found out: summary, breakdown, failures, performance, tests, environment."""
    items: Any = None
    """A function that returns the `ItemResult`s in the order of the dataset, while they can be read."""
