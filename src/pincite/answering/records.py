"""The nouns of answering: options, what a model is given, what it drafts, and the result that a user gets.

Offsets are half-open code points, of the answer's text or of a source's text, as everywhere in Pincite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import fields

from pincite.base import did_you_mean
from pincite.config import Settings, with_overrides
from pincite.errors import ConfigError, InputError, PinciteError
from pincite.records import Report, Standing, Usage

RESULT_SCHEMA = 1
"""The version of a saved result."""

Grounding = Literal[
    "quote_grammar", "marker_grammar", "json_schema", "provider_citations", "prompt", "extractive", "function"
]
"""How a draft was held to its sources. The first five are levels, the strongest first.

`quote_grammar`: every quote is constrained to be a substring of its source. `marker_grammar`: only markers
of existing sources can be produced. `json_schema`: structured output with an enum of sources.
`provider_citations`: the provider's own citations, compared with the source. `prompt`: asked for in words,
and read with care. `extractive` has no model; `function` is the user's own.
"""

GROUNDING_LEVELS: tuple[Grounding, ...] = (
    "quote_grammar",
    "marker_grammar",
    "json_schema",
    "provider_citations",
    "prompt",
)
"""The strongest first."""

Cite = Literal["quotes", "spans", "numbers", "provider"]
"""How an answer cites: `[1]` with a verbatim quote for each, `[file:page:start-end]`, `[1]`, or `[1]` from
the citations that a provider's API returns."""

OnUnsupported = Literal["drop", "mark", "refuse"]
"""What happens to a sentence that its source does not support, after repairing."""

Status = Literal["answered", "cannot_answer", "refused", "failed"]
"""`cannot_answer`: the sources do not say. `refused`: a sentence failed and `refuse` was asked for. `failed`:
the model gave no whole reply, and `reason` says why."""

CANNOT_ANSWER = "I cannot answer that from these sources."
REFUSED = "I cannot give an answer whose every sentence is supported by these sources."


class BackendFailed(PinciteError):
    """A backend gave no usable draft: cut off, garbage, refused, no connection. It never holds a key."""

    def __init__(self, reason: str, cause: str = "error") -> None:
        super().__init__(reason)
        self.cause = cause
        """timeout, connection, rate_limit, server, auth, refusal, empty, length, budget, reply, error."""


# --- what a backend is given ---------------------------------------------------------------------


class RetrievedPassage(Struct, frozen=True):
    """A stretch of a source that may be cited: `text == source.text[start:end]`."""

    id: int
    """How a draft names it: 1 for the first, the best one."""
    document: str
    """The source's name in the library."""
    text: str
    start: int
    end: int
    page: int | None = None
    title: str | None = None
    score: float = 0.0
    context: str = ""
    """The headings above it and the like: for a model to read, never to be cited."""


class FailedSentence(Struct, frozen=True):
    """A sentence of an earlier draft that is to be written again, and why."""

    text: str
    reason: str
    passages: tuple[int, ...] = ()
    """The ids of the passages that it cited."""


class DraftRequest(Struct, frozen=True):
    """Everything that a backend is asked for. Equal requests should give equal drafts."""

    question: str
    passages: tuple[RetrievedPassage, ...]
    grounding: Grounding
    quotes: bool = False
    """Whether each sentence must come with a verbatim quote."""
    max_sentences: int = 6
    failed: tuple[FailedSentence, ...] = ()
    """Where this is not empty, only these sentences are to be written again, each once and in order."""
    seed: int = 0

    @property
    def wanted(self) -> int:
        """How many sentences are to be written."""
        return len(self.failed) or self.max_sentences


# --- what a backend drafts -----------------------------------------------------------------------


class DraftCitation(Struct, frozen=True):
    """One passage that a sentence cites, by its id. It is compared with the source, never trusted."""

    passage: int
    quote: str | None = None
    """Words of the passage, verbatim, where the backend gives them."""
    start: int | None = None
    end: int | None = None
    """Where in the source's text (not the passage's), where the backend knows; else the quote or the whole
    passage is meant."""


class DraftSentence(Struct, frozen=True):
    """A sentence without markers, and what it cites."""

    text: str
    citations: tuple[DraftCitation, ...] = ()
    paragraph: bool = False
    """Whether it begins a new paragraph."""


class AnswerDraft(Struct, frozen=True):
    """A whole draft. `answerable` is False where the backend says that the passages do not answer."""

    sentences: tuple[DraftSentence, ...]
    answerable: bool = True
    problems: tuple[str, ...] = ()
    """What the reply held and could not be used."""
    grounding: Grounding | None = None
    """How the draft was held to its sources in the end, where not as it was asked for."""


# --- what a user gets ----------------------------------------------------------------------------


class AnswerCitation(Struct, frozen=True):
    """One marker of the answer and one place that it cites; a marker of two places is two of these."""

    marker: str
    start: int
    end: int
    """The marker is `text[start:end]`."""
    number: int
    """The number of its entry in `references`."""
    document: str
    page: int | None
    source_span: tuple[int, int]
    cited_text: str
    """The source's own words at `source_span`, read from the source."""
    document_title: str | None = None
    quoted: bool = False
    """Whether the backend gave these words itself as a quote, and they were found verbatim."""
    standing: Standing = "unjudged"
    verified: bool = False
    """Whether the judge found the sentence supported by this place, and everything else about it right."""
    entailment_score: float | None = None
    reason: str = ""


class AnswerReference(Struct, frozen=True):
    """A document that the answer cites, numbered by where it is first cited in the text."""

    number: int
    document: str
    title: str | None = None
    url: str | None = None
    pages: tuple[int, ...] = ()
    """The cited pages, in order."""


DroppedKind = Literal["sentence", "citation", "quote", "marker"]


class Dropped(Struct, frozen=True):
    """Something that a draft held and the answer does not: a sentence, a citation, a quote, a marker."""

    kind: DroppedKind
    text: str
    reason: str


class StreamedSentence(str):
    """A piece of an answer as it is shown; joined, the pieces that were not retracted are the answer's text.

    One with `retracted` takes back the piece of the same text that was shown last.
    """

    __slots__ = ("reason", "retracted")
    retracted: bool
    reason: str

    def __new__(cls, text: str, retracted: bool = False, reason: str = "") -> StreamedSentence:
        piece = super().__new__(cls, text)
        piece.retracted = retracted
        piece.reason = reason
        return piece


class SavedAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer and what it cites, as a file keeps it."""

    question: str
    text: str
    status: Status
    reason: str = ""
    """Why there is no answer, or why it is not whole; empty where all is well."""
    citations: tuple[AnswerCitation, ...] = ()
    references: tuple[AnswerReference, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    grounding: Grounding = "extractive"
    cite: Cite = "numbers"
    model: str = "extractive"
    judge: str = ""
    repaired: int = 0
    """Sentences that were asked for again."""
    problems: tuple[str, ...] = ()
    """What the model's reply held and could not be used."""
    usage: Usage = Usage()
    """What drafting and repairs took, and the judge where it is a language model."""
    passages: tuple[RetrievedPassage, ...] = ()
    """What was retrieved: nothing else can be cited."""
    schema_version: int = RESULT_SCHEMA


class AnswerResult(SavedAnswer, frozen=True):
    """An answer, what it cites, and the proof."""

    report: Report | None = None
    """The check of the final text."""

    @property
    def ok(self) -> bool:
        """Whether this is an answer all of whose citations are verified."""
        return self.status == "answered" and all(citation.verified for citation in self.citations)

    def __str__(self) -> str:
        return self.text


# --- how a question is to be answered ------------------------------------------------------------


Retriever = Callable[[str], Iterable[Any]]
"""A user's function: a question in, passages out (`retrieving.retrieve_with` says in which shapes)."""


class AnswerOptions(Struct, frozen=True):
    """What `pincite.answer` takes beside the question, the sources and the model."""

    cite: Cite = "numbers"
    on_unsupported: OnUnsupported = "drop"
    max_sentences: int = 6
    passages: int = 8
    """How many passages are retrieved, and so can be cited."""
    repairs: int = 1
    """How often the sentences that failed are asked for again."""
    seed: int = 0
    retriever: Retriever | None = None
    grounding: Grounding | None = None
    """How the draft is held to its sources, where the backend offers several; without one, its first."""

    def checked(self) -> AnswerOptions:
        """The same, or an `InputError` about the first value that cannot be."""
        for name, kind in (("cite", Cite), ("on_unsupported", OnUnsupported), ("grounding", Grounding)):
            value, known = getattr(self, name), get_args(kind)
            if value not in known and not (name == "grounding" and value is None):
                raise InputError(f"{name} is one of {', '.join(known)}, not {value!r:.40}")
        for name, least, most in (("max_sentences", 1, 100), ("passages", 1, 200), ("repairs", 0, 10)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise InputError(f"{name} is a whole number from {least} to {most}, not {value!r:.40}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise InputError(f"seed is a whole number from 0, not {self.seed!r:.40}")
        if self.retriever is not None and not callable(self.retriever):
            raise InputError(f"retriever is a function, not a {type(self.retriever).__name__}")
        return self


def read_options(settings: Settings | None, given: dict[str, Any]) -> tuple[AnswerOptions, Settings]:
    """Options of answering and fields of `Settings`, as they were given by name, apart from each other."""
    own = {field.name for field in fields(AnswerOptions)}
    options = AnswerOptions(**{name: value for name, value in given.items() if name in own}).checked()
    rest = {name: value for name, value in given.items() if name not in own}
    try:
        return options, with_overrides(settings or Settings(), rest)
    except ConfigError as error:
        for name in rest:
            near = did_you_mean(name, own)
            if near and name not in {field.name for field in fields(Settings)}:
                raise InputError(f"there is no option {name!r:.60}{near}") from None
        raise InputError(str(error)) from None
