"""Every setting, its default and its range, and what document 000 calls it."""

from __future__ import annotations

from enum import Enum, auto
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Above = Annotated[float, Meta(gt=0)]


class Reach(Enum):
    """What a setting could do if somebody else chose its value.

    Every setting that holds a text says so here, `NOTHING` included, so that a new one is a decision and
    not an oversight; a test holds that line. `config.trust` says which values need a trusted file.
    """

    NOTHING = auto()
    ADDRESS = auto()
    """Names a server that is sent texts, figures or a key."""
    COMMAND = auto()
    """Names a program that is run."""
    JUDGE = auto()
    """May send every text to a service, with a key, or load a model that somebody else made."""
    NETWORK = auto()
    """Opens the network where it is true."""
    STORE = auto()
    """Names a database server, or a file that is written."""
    FILE = auto()
    """Names a file that is read or written."""
    BUDGET = auto()
    """Limits what a run may spend."""


class Limits(Struct, frozen=True):
    """What is refused by name rather than read."""

    answer_bytes: Positive = 50 * 1024 * 1024
    """Bytes of an answer; a larger one is refused by name."""
    source_bytes: Positive = 1024 * 1024 * 1024
    """Bytes of a source; a larger one is refused by name."""
    reader_mb: Positive = 1024
    """Megabytes of memory that reading one source may take beyond the file itself."""
    reader_seconds: Above = 30.0
    """Seconds that reading one source may take; each megabyte of the file adds 5."""


class LlmSettings(Struct, frozen=True):
    """How a language model is called when one is the judge. These never choose the judge."""

    model: Annotated[str, Reach.NOTHING] = "openrouter/auto"
    """The model that `--judge llm` asks; `llm:MODEL` names another."""
    temperature: Annotated[float, Meta(ge=0, le=2)] = 0.0
    """The sampling temperature."""
    max_tokens: Positive = 100
    """Tokens of a reply for each pair that it is about."""
    retry_attempts: Count = 3
    """How often a request that failed is sent again."""
    base_url: Annotated[str | None, Reach.ADDRESS] = None
    """The endpoint; None finds it by the model's name and the keys in the environment."""
    timeout_seconds: Above = 60.0
    """For one request, from its first byte to the last byte of its reply."""
    max_in_flight: Positive = 8
    """Concurrent requests."""
    requests_per_minute: Positive | None = None
    """Requests started in any 60 seconds."""
    stream: bool = False
    """Ask for the reply as a stream, for endpoints that cut connections which stay silent for long."""
    max_tokens_total: Annotated[Positive | None, Reach.BUDGET] = None
    """Tokens in and out over a whole run; what would go over it is not asked."""
    max_cost: Annotated[Annotated[float, Meta(ge=0)] | None, Reach.BUDGET] = None
    """US dollars over a whole run."""
    max_prompt_chars: Annotated[int, Meta(ge=5000)] = 48_000
    """Characters of one prompt: an answer with more than that to judge is asked about in several."""
    prices: Annotated[str | None, Reach.FILE] = None
    """A TOML file of prices that go before ours; relative to the file that sets it."""


class CacheSettings(Struct, frozen=True):
    """Where replies of language models are kept, and how long. `performance.cache_results` turns it off."""

    folder: Annotated[str | None, Reach.FILE] = None
    """None is the user's cache folder, as the platform has it."""
    max_megabytes: Positive = 200
    """Past this, the oldest replies go first."""
    max_age_days: Positive = 30
    """Days that a reply is kept."""


class PanelSettings(Struct, frozen=True):
    """When the cheap judge of a cascade is sure, and what happens where the next one fails."""

    low: Share = 0.2
    """At or below this score the cheap judge of a cascade is sure."""
    high: Share = 0.8
    """At or above this score too."""
    keep_unsure: bool = False
    """Keep the unsure verdict of the cheap judge where the next one fails, and say so."""


class Thresholds(Struct, frozen=True):
    """What a measured system must reach. The threshold of a check is `Settings.fail_under`."""

    span_accuracy: Share = 0.8
    """What `citation_span_accuracy` must reach."""
    answer_consistency: Share = 0.8
    """What `factual_consistency` must reach."""
    hallucination_tolerance: Share = 0.1
    """What `hallucination_rate` must not exceed."""


class Performance(Struct, frozen=True):
    """How many answers are measured. The size of a batch is `Settings.batch_size`."""

    cache_results: bool = True
    """Keep replies of language models."""
    parallel_evaluation: bool = True
    """Check several answers at once where the judge waits, as for a language model."""


class Reporting(Struct, frozen=True):
    """What the reports for people show."""

    detailed_span_analysis: bool = True
    """The source's passage beside each finding."""
    hallucination_details: bool = True
    """Each claim without support on its own, rather than as a count."""
    confidence_intervals: bool = False
    """The 95% interval beside the score."""


class AgreementSettings(Struct, frozen=True):
    """What is asked of people who annotate a dataset."""

    target_agreement: Share = 0.85
    """The agreement that annotators should reach."""
    min_annotators: Positive = 2
    """Annotators that a query needs to be compared."""
    recalibration_threshold: Share = 0.8
    """Agreement below which annotators should be recalibrated."""


class ErrorHandling(Struct, frozen=True):
    """What happens when a judge or a source fails."""

    max_retries: Count = 3
    """How often a failed call of the measured system is retried."""
    fallback_scoring: Share | None = None
    """The score of what a language model failed to judge; None leaves it unjudged and out of the ratio."""
    error_logging: bool = True
    """Name each source that could not be read, rather than only count them."""


class Evaluation(Struct, frozen=True):
    """How a system is measured. How often a failed call of it is tried again is `errors.max_retries`."""

    metrics: Annotated[tuple[str, ...], Reach.NOTHING] = ()
    """The metrics of a run by name; none means every default one that the dataset has data for."""
    timeout_seconds: Above = 30.0
    """For one answer of the system under test."""
    max_in_flight: Positive = 50
    """Queries that are being answered or judged at once."""
    random_seed: Count = 42
    """Of the sample that `--limit` draws, and of every interval and test."""
    resamples: Annotated[int, Meta(ge=100, le=1_000_000)] = 10_000
    """Of the bootstrap."""
    confidence_level: Annotated[float, Meta(gt=0, lt=1)] = 0.95
    """Of every interval."""
    workers: Count = 0
    """Processes that judge; 0 takes one a core where there is much to judge, 1 keeps to this one."""
    engine: Literal["local", "ray"] = "local"
    """Where recorded answers are scored: on this machine, or on a Ray cluster."""
    engine_address: Annotated[str | None, Reach.ADDRESS] = None
    """The cluster: `host:port`, `ray://host:port` or `auto`; None starts one on this machine."""


class StoreSettings(Struct, frozen=True):
    """Where the history of runs is kept."""

    url: Annotated[str, Reach.STORE] = "data/evaluation/runs.sqlite"
    """A SQLite file, or the address of a PostgreSQL database: `postgresql://user@host/name`."""
    statement_seconds: Annotated[float, Meta(gt=0, le=86_400)] = 60.0
    """How long one question to the history may take; raise it for a history that is very large."""


class Alerts(Struct, frozen=True):
    """When an alert is raised about a run, and who gets it."""

    max_failed: Share = 0.05
    """The share of queries that may fail, or have no recorded answer, without an alert; 1 allows all."""
    window: Count = 10
    """Earlier runs that a run is compared with, where no baseline is named; 0 compares with none."""
    significance: Annotated[float, Meta(gt=0, lt=1)] = 0.05
    """The level from which a change is reported."""
    webhook: Annotated[str | None, Reach.ADDRESS] = None
    """An address that gets the alerts as JSON."""
    command: Annotated[tuple[str, ...], Reach.COMMAND] = ()
    """A program and its arguments that gets the alerts as JSON on standard input; no shell reads it."""


class Settings(Struct, frozen=True):
    """Everything that changes what a check says."""

    select: Annotated[tuple[str, ...], Reach.NOTHING] = ()
    """Codes or groups to report: `PIN2`, `PIN101`. None given means all."""
    ignore: Annotated[tuple[str, ...], Reach.NOTHING] = ()
    """Codes or groups to leave out."""
    strict: bool = False
    """Warnings fail too."""
    fail_under: Share | None = None
    """The lowest score that does not fail."""
    fail_on_unjudged: bool = False
    """Whether something that could not be judged fails."""
    judge: Annotated[str, Reach.JUDGE] = "entailment"
    """Who decides whether a source supports a claim."""
    calibration: Annotated[str | None, Reach.FILE] = None
    """A file that `pincite judge calibrate` wrote for this judge; relative to the file that sets it."""
    online: Annotated[bool, Reach.NETWORK] = False
    """Whether a model that a judge names may be fetched from the network."""
    offsets: Literal["document", "page"] = "document"
    """What cited offsets count from: the start of the document, or of the cited page."""
    attach: Literal["sentence", "paragraph"] = "sentence"
    """What a marker at the end of a paragraph speaks for: its sentence, or every uncited one before it."""
    language: Annotated[str, Reach.NOTHING] = "en"
    """The language of the answers, for splitting sentences."""
    tolerance_chars: Count = 10
    """How far a cited boundary may be from the true one before a place counts as another place."""
    min_overlap_threshold: Share = 0.5
    """How much a quote's true place and the cited span must share to count as one place."""
    max_span_length: Positive | None = None
    """Characters of a cited span; a longer one is reported as PIN106."""
    limits: Limits = Limits()
    enabled: bool = True
    """When false, a check reports nothing and says so."""
    sources: Annotated[tuple[str, ...], Reach.FILE] = ()
    """Files and folders that are used when the command line names none; relative to the file that sets it."""
    baseline: Annotated[str | None, Reach.FILE] = None
    """A file of known findings; relative to the file that sets it."""
    batch_size: Positive | None = None
    """Pairs in one call of the judge; None puts all pairs of an answer in one."""
    llm: LlmSettings = LlmSettings()
    cache: CacheSettings = CacheSettings()
    panel: PanelSettings = PanelSettings()
    thresholds: Thresholds = Thresholds()
    performance: Performance = Performance()
    reporting: Reporting = Reporting()
    agreement: AgreementSettings = AgreementSettings()
    errors: ErrorHandling = ErrorHandling()
    evaluation: Evaluation = Evaluation()
    store: StoreSettings = StoreSettings()
    alerts: Alerts = Alerts()


def defaults(settings: Settings | None = None) -> dict[str, Any]:
    """Every setting by its dotted name, nested ones too, with its value."""
    values: dict[str, Any] = {}
    for name, value in msgspec.structs.asdict(settings or Settings()).items():
        if isinstance(value, Struct):
            inner = msgspec.structs.asdict(value)
            values.update({f"{name}.{key}": inner[key] for key in inner})
        else:
            values[name] = value
    return values


_MEASURING = (
    "llm.",
    "panel.",
    "thresholds.",
    "performance.",
    "agreement.",
    "evaluation.",
    "store.",
    "alerts.",
    "errors.max_retries",
    "errors.fallback_scoring",
)


def without_effect(settings: Settings) -> tuple[str, ...]:
    """Changed settings that only matter for measuring a system, or for a judge that is not in use."""
    usual, now = defaults(), defaults(settings)
    used = _used_by(settings.judge)
    return tuple(
        path
        for path in now
        if path.startswith(_MEASURING) and not path.startswith(used) and now[path] != usual[path]
    )


def _used_by(judge: str) -> tuple[str, ...]:
    """The settings that a judge of this name reads; a panel reads those of its members too."""
    way, members = judge, judge
    if judge.startswith("panel:"):
        way, _, members = judge.removeprefix("panel:").partition(":")
    asks_a_model = any(member.strip().partition(":")[0] == "llm" for member in members.split(","))
    return (
        "evaluation.workers",
        *(("llm.", "performance.", "errors.fallback_scoring") if asks_a_model else ()),
        *(("panel.",) if way == "cascade" else ()),
    )


# --- the names of document 000's configuration, and which setting or which codes each one means --------

ALIASES = {
    "span_matching.tolerance_chars": "tolerance_chars",
    "span_matching.min_overlap_threshold": "min_overlap_threshold",
    "span_matching.max_span_length": "max_span_length",
    "llm_evaluation.model": "llm.model",
    "llm_evaluation.temperature": "llm.temperature",
    "llm_evaluation.max_tokens": "llm.max_tokens",
    "llm_evaluation.retry_attempts": "llm.retry_attempts",
    "quality_thresholds.span_accuracy": "thresholds.span_accuracy",
    "quality_thresholds.citation_validity": "fail_under",
    "quality_thresholds.answer_consistency": "thresholds.answer_consistency",
    "quality_thresholds.hallucination_tolerance": "thresholds.hallucination_tolerance",
    "performance.batch_size": "batch_size",
    "inter_annotator_agreement.target_agreement": "agreement.target_agreement",
    "inter_annotator_agreement.min_annotators": "agreement.min_annotators",
    "inter_annotator_agreement.recalibration_threshold": "agreement.recalibration_threshold",
    "error_handling.max_retries": "errors.max_retries",
    "error_handling.fallback_scoring": "errors.fallback_scoring",
    "error_handling.error_logging": "errors.error_logging",
}
"""The specification's key → ours, where the names differ."""

SWITCHES = {
    "validation_checks.span_bounds_check": ("PIN105", "PIN106"),
    "validation_checks.document_existence_check": ("PIN101",),
    "validation_checks.text_extraction_validation": ("PIN204", "PIN205"),
}
"""Keys that, when false, leave out the findings of these codes."""

ROOTS = ("citation_accuracy", "quality_control")
"""The two tables that hold those keys in the specification; a file may leave them out."""
