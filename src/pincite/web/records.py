"""What the pages show and the API answers with: one record each, made from those of the history."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from pincite.records import Alert, ItemResult, Place, ResultsDocument, Run, Score
from pincite.reports import TrendEvents
from pincite.runs import Comparison
from pincite.store import ListedRun, TrendPoint


class ApiRun(Struct, frozen=True, kw_only=True):
    """A run as it is listed."""

    run_id: str
    name: str | None
    status: str
    started_at: str
    finished_at: str | None
    dataset_id: str
    dataset_version: str
    target: str
    system_version: str | None
    judge: str
    total: int
    """Queries of the dataset."""
    successful: int
    """Queries that have an answer so far."""
    failed: int
    seconds: float
    scores: tuple[Score, ...]
    alerts: tuple[Alert, ...]
    tags: tuple[str, ...] = ()
    note: str = ""

    @property
    def title(self) -> str:
        return self.name or self.run_id

    @property
    def done(self) -> int:
        return self.successful + self.failed

    def score(self, metric: str) -> Score | None:
        return next((score for score in self.scores if score.metric == metric), None)


class ApiRunList(Struct, frozen=True):
    """A page of runs; `before` and `after` lead to its neighbours."""

    runs: list[ApiRun]
    total: int
    before: str | None
    after: str | None


class ApiRunDetail(Struct, frozen=True):
    """A run with its results document, and how often the judge said what."""

    run: ApiRun
    document: ResultsDocument
    verdicts: dict[str, dict[str, int]]


class ApiQueryList(Struct, frozen=True):
    """A page of a run's queries."""

    run_id: str
    queries: list[ItemResult]
    total: int
    before: str | None
    after: str | None


class ApiQuery(Struct, frozen=True):
    """One query of a run, with what should have been cited where the dataset is at hand."""

    run_id: str
    query: ItemResult
    gold: list[Place] | None
    """What the dataset says should be cited."""
    expected_answer: str | None
    before: int | None
    after: int | None


class ApiProgress(Struct, frozen=True):
    """How far a run has got."""

    run_id: str
    status: str
    total: int
    done: int
    failed: int
    seconds: float


class ApiComparisons(Struct, frozen=True):
    """Runs against a baseline, each with a test of every metric."""

    baseline: ApiRun
    others: list[ApiRun]
    comparisons: list[Comparison]


class ApiTrends(Struct, frozen=True):
    """Metrics over time, the oldest run first."""

    dataset_id: str | None
    trends: dict[str, list[TrendPoint]]
    known: list[str]
    """Every metric that a finished run has."""
    events: dict[str, TrendEvents]
    """What happened at each run: its alerts, and what is not as it was in the run before."""


class ApiAlerts(Struct, frozen=True):
    """Runs that somebody should know about, the newest first, and what was not delivered."""

    runs: list[ApiRun]
    total: int
    before: str | None
    after: str | None


class ApiIssue(Struct, frozen=True):
    """One thing wrong with a dataset."""

    code: str
    name: str
    severity: str
    message: str
    pointer: str
    query_id: str | None


class ApiQuality(Struct, frozen=True):
    """The quality of a dataset that the server was given."""

    counts: dict[str, int]
    """By code."""
    errors: int
    warnings: int
    notes: int
    issues: list[ApiIssue]
    """The first few of each code."""
    problem: str | None = None
    """Why it could not be checked."""


class ApiDataset(Struct, frozen=True, kw_only=True):
    """A dataset that runs used, or that the server was given."""

    dataset_id: str
    runs: int
    latest_run: str | None
    latest_at: float | None
    given: bool
    """Whether the server has its file."""
    name: str = ""
    version: str = ""
    queries: int | None = None
    quality: ApiQuality | None = None
    """None while it is checked, or without the file."""


class ApiDatasets(Struct, frozen=True):
    """All datasets, the most recently used first."""

    datasets: list[ApiDataset]


class ApiJudge(Struct, frozen=True, kw_only=True):
    """A judge that runs used, or that was compared with people."""

    name: str
    runs: int
    latest_run: str | None
    latest_at: float | None
    agreement: dict[str, Any] | None = None
    """What `pincite judge calibrate --store` kept: figures as its JSON has them."""


class ApiJudges(Struct, frozen=True):
    """All judges, the most recently used first."""

    judges: list[ApiJudge]


class ApiRemarks(Struct, frozen=True, forbid_unknown_fields=True):
    """What is written about a run; what is left out stays as it is."""

    tags: list[str] | None = None
    note: str | None = None


class ApiText(Struct, frozen=True, forbid_unknown_fields=True):
    """A source, by its name."""

    name: str
    text: str


class ApiCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to check, and its sources."""

    answer: str
    sources: list[ApiText] = field(default_factory=list)
    query: str | None = None
    fix: bool = False
    """Whether fixes are to be applied."""


class ApiChecked(Struct, frozen=True):
    """What was found, as `pincite check --output-format json` has it."""

    report: dict[str, Any]
    fixed: str | None
    """The answer with its fixes, where they were asked for."""
    fixes: int


def api_run(run: Run, tags: tuple[str, ...] = (), note: str = "") -> ApiRun:
    own = (name for name in ApiRun.__struct_fields__ if name not in ("tags", "note"))
    return ApiRun(**{name: getattr(run, name) for name in own}, tags=tags, note=note)


def listed_run(listed: ListedRun) -> ApiRun:
    return api_run(listed.run, listed.tags, listed.note)
