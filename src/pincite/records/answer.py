"""The nouns that travel between the rooms: plain, frozen, and free of behaviour beyond themselves.

Offsets are half-open and count Unicode code points in the text that the user gave. The records that an answer
has thousands of say `gc=False`: they can form no cycle, and the collector need not walk them.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from pincite.errors import CitationProblems

SCHEMA_VERSION = 1
"""The version of every machine-readable shape that Pincite prints."""

Family = Literal["span", "number", "web", "author_year", "json_path", "provider"]
Severity = Literal["error", "warning", "note"]
Question = Literal["support", "consistency", "grounding", "relevance"]
Outcome = Literal["supported", "contradicted", "not_enough", "unjudged"]


class Span(Struct, frozen=True, order=True, gc=False):
    """A half-open range of code points, `text[start:end]`."""

    start: int
    end: int

    def __len__(self) -> int:
        return max(0, self.end - self.start)

    def of(self, text: str) -> str:
        return text[self.start : self.end]


# --- what a citation points to -------------------------------------------------------------------


class SpanTarget(Struct, frozen=True, gc=False):
    """Characters of a document; `start` and `end` are None when only a page or a document is named."""

    document: str
    page: int | None
    start: int | None
    end: int | None
    key: str
    end_page: int | UnsetType = UNSET
    """The last page, inclusive, where a provider cites a run of pages."""
    blocks: tuple[int, int] | UnsetType = UNSET
    """Half-open content-block indices, where a provider cites blocks rather than characters."""
    lines: tuple[int, int] | UnsetType = UNSET
    """The first and the last line, counted from 1, where lines are cited rather than characters."""
    section: str | UnsetType = UNSET
    """The heading of the part that is cited."""


class NumberTarget(Struct, frozen=True, gc=False):
    """An entry of a numbered list of references. `key` also distinguishes `4:0` and footnote labels."""

    number: int | None
    key: str
    label: str | UnsetType = UNSET
    """What is beside the number in the marker, as `report.pdf` in `【3†report.pdf】`."""


class WebTarget(Struct, frozen=True, gc=False):
    """A page or a paper on the web: exactly one of the four identifiers is set."""

    key: str
    url: str | UnsetType = UNSET
    doi: str | UnsetType = UNSET
    arxiv: str | UnsetType = UNSET
    pmid: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    """The text of the link, where the marker is one."""


class WorkTarget(Struct, frozen=True, gc=False):
    """A work by its authors and year; `year` keeps its suffix (`2020a`), `locator` is `p. 12` or None."""

    authors: tuple[str, ...]
    year: str
    locator: str | None
    key: str


class PathTarget(Struct, frozen=True, gc=False):
    """A value in a JSON document, by its path."""

    path: str
    key: str


Target = SpanTarget | NumberTarget | WebTarget | WorkTarget | PathTarget


# --- the answer ----------------------------------------------------------------------------------


class Citation(Struct, frozen=True, gc=False):
    """One marker in an answer and everything that it points to.

    For the family `provider`, `start` and `end` are the answer text that the citation covers.
    """

    family: Family
    text: str
    start: int
    end: int
    targets: tuple[Target, ...]
    form: str = ""
    """The marker with slots such as `{0.number}` or `{1.authors.0}`, which `citations.render` fills from the
    targets; braces of its own are doubled."""
    cited_text: str | None = None
    """What the citation says the source says: an `excerpt:` or a provider's `cited_text`. Never trusted."""
    source_span: tuple[int, int] | None = None
    document_title: str | None = None
    problem: str | None = None
    """Why the payload that gave this citation does not fit the answer, or None."""

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class Reference(Struct, frozen=True, gc=False):
    """One entry of the answer's own list of references, or one footnote definition."""

    label: str
    """`1`, a footnote's name, or an empty string where the entry has none."""
    text: str
    """The entry without its label."""
    start: int
    end: int
    targets: tuple[Target, ...] = ()
    """What can be read from the entry: a link, a DOI, a file name, authors and a year."""


class Malformed(Struct, frozen=True, gc=False):
    """What was meant as a citation but cannot be read as one."""

    text: str
    start: int
    end: int
    problem: str
    replacement: str | None = None
    """The marker as it was surely meant, or None when that is a guess."""


class Parsed(Struct, frozen=True):
    """Everything that `parse` found, each list in the order of the text."""

    citations: tuple[Citation, ...]
    references: tuple[Reference, ...] = ()
    malformed: tuple[Malformed, ...] = ()


class Answer(Struct, frozen=True):
    """What is to be checked. `citations` is None when they are to be parsed from the text."""

    text: str
    name: str = "<answer>"
    query: str | None = None
    citations: tuple[Citation, ...] | None = None
    sources: tuple[Source, ...] = ()
    """Documents that came with the answer, as some providers send them."""
    provider: str | None = None
    references: tuple[str | dict[str, Any], ...] | None = None
    """The numbered list that came with the answer: texts, or `{number, source}`."""
    retrieved: tuple[str, ...] | None = None
    """The documents that the system was shown, in their order: `[1]` is the first where there is no list."""
    problems: tuple[str, ...] = ()
    """What came with the answer and could not be read."""


class Claim(Struct, frozen=True, gc=False):
    """Something that the answer asserts. `text` is what a judge sees: no markers, no list bullets."""

    text: str
    start: int
    end: int
    kind: Literal["sentence", "item", "row"] = "sentence"
    paragraph: int = 0
    """Which paragraph, list or table it is in, counted from 0."""

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


# --- the sources ---------------------------------------------------------------------------------


class Table(Struct, frozen=True):
    """A table in a source, every cell as its span in the source's text."""

    start: int
    end: int
    header: tuple[Span, ...]
    rows: tuple[tuple[Span, ...], ...]


class Source(Struct, frozen=True, eq=False, weakref=True):
    """One document in one offset space: `text`, and what is known about it."""

    name: str
    """How it is listed: the path below the folder it was read from, or the given name."""
    text: str
    kind: str = "text"
    """text, markdown, html, pdf, docx, json (data), csv."""
    title: str | None = None
    document_id: str | None = None
    file_path: str | None = None
    url: str | None = None
    page_starts: tuple[int, ...] | None = None
    """Where each page begins, page 1 first; None when the source has no pages to speak of."""
    tables: tuple[Table, ...] = ()
    headings: tuple[Span, ...] = ()
    """Headings that the text itself does not mark as such, as in a web page."""
    navigation: tuple[Span, ...] = ()
    """Menus and the like: they are part of the text, and no evidence for anything."""
    data: Any = None
    """The JSON value that paths resolve in, for kind json and csv."""
    value_spans: dict[str, Span] = field(default_factory=dict)
    """Canonical path → where that value is in `text`."""
    sha256: str = ""
    """Of the text in UTF-8, so that stale offsets can be recognised later."""
    metadata: dict[str, Any] = field(default_factory=dict)
    page: int | None = None
    """The page of its document that it is from, where it is a passage that was given by itself."""


class UnreadSource(Struct, frozen=True):
    """A source that could not be read, and why."""

    name: str
    reason: str


class Passage(Struct, frozen=True, gc=False):
    """A stretch of a source shown to a judge: `text == source.text[start:end]`."""

    text: str
    document: str = ""
    start: int = 0
    end: int = 0
    page: int | None = None
    context: str = ""
    """What a reader needs to understand it: the headings above it, the line that opens its list, the question
    that it answers, a table's header and the row's name. Not cited, not quoted."""


EvidenceStatus = Literal[
    "found",
    "unknown_document",
    "ambiguous_document",
    "no_such_page",
    "page_disagrees",
    "out_of_bounds",
    "bad_span",
    "path_not_found",
    "no_entry",
    "unreadable",
    "not_given",
]


class Evidence(Struct, frozen=True):
    """What a target points to, or the reason why it points nowhere.

    `page_disagrees` carries the passage at the offsets: the characters exist, on another page.
    `not_given` is a web page or a work that no given source represents: offline, nobody can say.
    """

    status: EvidenceStatus
    reason: str
    passages: tuple[Passage, ...] = ()
    document: str | None = None
    """The name of the source, where one was found."""
    whole: bool = False
    """The target names a document or a page as a whole, so the caller chooses the passages to judge."""
    page_verified: bool | None = None
    """None when no page was cited; False when the source has no page map (never a failure)."""
    candidates: tuple[str, ...] = ()
    """Names that were meant, perhaps: near misses, or the documents that an ambiguous name fits."""
    note: str = ""
    """What the marker names and the source does not have, so that the whole document was taken instead."""


class Match(Struct, frozen=True, gc=False):
    """Where a quote or a claim is in a source."""

    document: str
    page: int | None
    start: int
    end: int
    text: str
    score: float
    citation: str = ""
    """A marker that cites this place, `[document:page:start-end]`, where `locate` was asked for it."""
    method: Literal["exact", "normalised", "fuzzy", "claim"] = "exact"


# --- judging -------------------------------------------------------------------------------------


class Pair(Struct, frozen=True, gc=False):
    """A question to a judge about a claim and the passages that the caller chose."""

    claim: str
    passages: tuple[Passage, ...]
    question: Question = "support"
    query: str | None = None


class Verdict(Struct, frozen=True, gc=False):
    """A judge's answer to one pair."""

    outcome: Outcome
    score: float | None
    """How well the passages support the claim, 0 to 1. None when unjudged, or what `errors.fallback_scoring`
    sets, which counts in no ratio."""
    reason: str
    """A sentence for a person: `12% in the claim, 21% in the source`."""
    cause: str = ""
    """What decided: coverage, number, date, negation, antonym, quantifier, entity, empty, error."""
    passage: int | None = None
    """Index of the passage that the verdict rests on."""
    span: Span | None = None
    """Where in that passage's text."""
    claim_text: str | None = None
    """The claim's own words that decided, as `12%`, so that a reader can be shown them."""
    evidence_text: str | None = None
    judge: str = ""
    sure: bool = True
    """Past the point where a judge is right about an unsupported claim so often that it may be called an
    error."""
    doubtful: bool = False
    """Not supported, but short of the point where a warning is worth a person's time: most such claims are
    right. `check` counts them and reports no finding."""


class Stage(Struct, frozen=True, gc=False):
    """One step on a judge's way to a verdict, with the number it came to."""

    name: str
    score: float | None
    note: str = ""
    """What the number means or is compared with."""


class Trace(Struct, frozen=True, gc=False):
    """How a judge came to a verdict: its stages in order, and what it noticed in both texts."""

    stages: tuple[Stage, ...] = ()
    observations: tuple[str, ...] = ()


class Explanation(Struct, frozen=True, gc=False):
    """What a judge was asked where a finding rests on it, what it answered, and, if wanted, how."""

    pair: Pair
    verdict: Verdict
    trace: Trace | None = None


class Usage(Struct, frozen=True):
    """What judging took: nothing at all, for a judge that runs here."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    """In US dollars; None when the price of a model is not known."""
    cache_hits: int = 0
    asked: int = 0
    """Pairs put to a judge that has several stages."""
    asked_further: int = 0
    """Those of them that the first stage was not sure of."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if self.cost is None or other.cost is None else self.cost + other.cost,
            self.cache_hits + other.cache_hits,
            self.asked + other.asked,
            self.asked_further + other.asked_further,
        )


# --- findings ------------------------------------------------------------------------------------


class Fix(Struct, frozen=True, gc=False):
    """A replacement of `answer[start:end]`. Only a safe one is written without being asked for each."""

    start: int
    end: int
    replacement: str
    safe: bool
    description: str
    sure: bool = False
    """An unsafe one that is applied where unsafe fixes are asked for: it adds a citation that surely fits."""


class SourceExcerpt(Struct, frozen=True, gc=False):
    """The passage of a source that a finding speaks of."""

    document: str
    page: int | None
    start: int | None
    end: int | None
    text: str
    mark: str | None = None
    """The words of `text` that decided, as `21%`, for a report to point at."""


class Finding(Struct, frozen=True, gc=False):
    """One thing that is wrong, with its place in the answer. Lines and columns count from 1."""

    code: str
    severity: Severity
    message: str
    start: int
    end: int
    line: int
    column: int
    citation: str | None = None
    source: SourceExcerpt | None = None
    fix: Fix | None = None
    targets: tuple[int, ...] = ()
    """Which of the answer's targets it speaks of, counted from 0 over all citations."""
    mark: str | None = None
    """The claim's own words that decided, as `12%`, for a report to point at."""
    claim: Span | None = None
    """Where the judged claim is, for a report to show all of it."""
    explanation: Explanation | None = None
    """What the judge was shown and said, where the finding rests on that."""


class Summary(Struct, frozen=True):
    """Counts over one answer or many. `score` is judged targets without an error ÷ judged targets."""

    citations: int = 0
    targets: int = 0
    claims: int = 0
    findings_by_code: dict[str, int] = field(default_factory=dict)
    unjudged: int = 0
    sources_failed: int = 0
    score: float | None = None
    judged: int = 0
    """Pairs that a judge decided."""
    targets_with_error: int = 0
    silenced: int = 0
    """Findings left out by a comment in the answer or by a baseline."""
    judge: str = ""
    skipped: dict[str, int] = field(default_factory=dict)
    """Sentences that were not judged because they claim nothing, by what they are: `courtesy`, `question`,
    `refusal` (also what is said to be missing from the sources), `pointer`, `label`, `lead_in`, and with a
    marker `heading` and `empty`."""
    targets_left_out: int = 0
    """Targets that are neither right nor wrong, and not in the score: nobody could judge them, or they are
    cited for no claim."""
    doubtful: int = 0
    """Citations that the judge does not find supported, with too small a doubt to warn about. The score
    counts their targets as being without an error, as it does those with a warning."""


Standing = Literal[
    "correct", "doubtful", "incorrect", "contradicted", "misquoted", "broken", "unjudged", "behind_no_claim"
]
"""What a citation is worth; `reading.assess` decides."""
ClaimStanding = Literal["supported", "doubtful", "unsupported", "contradicted", "unjudged", "uncited"]


class JudgedCitation(Struct, frozen=True, gc=False):
    """One target of one marker in the answer, and what it turned out to be worth."""

    start: int
    end: int
    """The marker, `answer[start:end]`."""
    target: str
    """What the marker names."""
    standing: Standing
    reason: str
    document: str | None = None
    page: int | None = None
    cited: tuple[Span, ...] = ()
    """The cited places in the document; none where a whole page or document is cited."""
    located: tuple[Span, ...] = ()
    """What the judge was shown of a whole page or document, or the sentence that its verdict rests on."""
    score: float | None = None
    claim: int | None = None
    """The claim that decided, as its number in `Judged.claims`."""


class JudgedClaim(Struct, frozen=True, gc=False):
    """One claim of the answer, and whether what it cites supports it."""

    start: int
    end: int
    standing: ClaimStanding
    citations: tuple[int, ...] = ()


class SkippedSentence(Struct, frozen=True, gc=False):
    """A sentence that claims nothing, and what it is instead, as `question`."""

    start: int
    end: int
    role: str


class Judged(Struct, frozen=True):
    """All of an answer, right and wrong, for a report that shows it whole."""

    claims: tuple[JudgedClaim, ...] = ()
    citations: tuple[JudgedCitation, ...] = ()
    skipped: tuple[SkippedSentence, ...] = ()


class Report(Struct, frozen=True):
    """The findings of one answer, in the order of its text."""

    answer: Answer
    findings: tuple[Finding, ...]
    summary: Summary
    unread: tuple[UnreadSource, ...] = ()
    doubtful: tuple[Finding, ...] = ()
    """What `summary.doubtful` counts, in the shape of findings: no findings, but they can be looked at."""
    judged: Judged = Judged()
    """Every claim and every citation, also those with no finding."""

    @property
    def ok(self) -> bool:
        """True when nothing is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    def assert_ok(self) -> None:
        """Raise `CitationProblems`, listing every error, unless there is none."""
        __tracebackhide__ = True  # pytest shows the line of the test and the findings
        if not self.ok:
            raise CitationProblems("\n".join(self._lines("error")))

    def __str__(self) -> str:
        """One line per finding, and the score."""
        score = "nothing to score" if self.summary.score is None else f"score {self.summary.score:.2f}"
        found = f"{len(self.findings)} finding" + ("" if len(self.findings) == 1 else "s")
        return "\n".join([*self._lines(), f"{self.answer.name}: {found}, {score}"])

    def _lines(self, severity: Severity | None = None) -> list[str]:
        return [
            f"{self.answer.name}:{f.line}:{f.column}: {f.code} {f.message}"
            for f in self.findings
            if severity in (None, f.severity)
        ]
