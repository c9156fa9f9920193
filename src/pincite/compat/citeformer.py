"""The names of document 002: an answer as citeformer's `GenerationResult`, with citations placed by us.

`Citeformer.generate` answers a question by `pincite.answering`: every marker exists, every citation was
checked, and `verified`, `entailment_score`, `cited_text`, `source_span` and `document_title` are filled in.
`source_id` counts in the result's own `sources`: those that are cited, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pincite.answering import (
    CITEFORMER_SCHEMA,
    AnswerResult,
    AnswerStream,
    AnthropicBackend,
    BackendFailed,
    Model,
    answer,
    check_style,
    citeformer_shape,
    gather,
    opened_answerer,
    read_options,
    rendered_entries,
    verify,
)
from pincite.base import read_json
from pincite.config import Settings
from pincite.errors import InputError
from pincite.findings import chosen_judge
from pincite.judges import Judge
from pincite.sources import Library, open_sources

__all__ = [
    "AnthropicBackend",
    "Citation",
    "Citeformer",
    "GenerationResult",
    "Reference",
    "Source",
    "StreamingResult",
    "TokenUsage",
]


class GivenSource(Struct, frozen=True, forbid_unknown_fields=True):
    """A document to answer from: a CSL-JSON item, and its text."""

    metadata: dict[str, Any]
    content: str = ""


class MarkedCitation(Struct, frozen=True, forbid_unknown_fields=True):
    """One marker of the text. The last three fields are those that document 002 adds."""

    span: tuple[int, int]
    source_id: int
    verified: bool = False
    entailment_score: float | None = None
    cited_text: str | None = None
    source_span: tuple[int, int] | None = None
    document_title: str | None = None


class RenderedReference(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the bibliography, numbered as in the text."""

    source_id: int
    inline_marker: str
    rendered: str


class TokenUsage(Struct, frozen=True, forbid_unknown_fields=True):
    """What the model took."""

    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cost_credits: float | None = None


Source, Citation, Reference = GivenSource, MarkedCitation, RenderedReference
"""As document 002 calls them; in the rest of Pincite these words mean something else."""


class GenerationResult(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer in citeformer's schema 3. Results of schema 2, which lacks some fields, are read too."""

    text: str
    citations: tuple[MarkedCitation, ...] = ()
    references: tuple[RenderedReference, ...] = ()
    sources: tuple[GivenSource, ...] = ()
    usage: TokenUsage | None = None
    schema_version: int = CITEFORMER_SCHEMA

    @classmethod
    def from_json(cls, given: str | bytes | Mapping[str, Any]) -> Self:
        """A saved result, or an `InputError` that says what is wrong with it."""
        try:
            value = read_json(given) if isinstance(given, str | bytes) else given
            read: Self = msgspec.convert(value, cls)
        except (ValueError, RecursionError) as error:
            raise InputError(f"this is no result of citeformer: {error}"[:300]) from None
        if read.schema_version not in (2, CITEFORMER_SCHEMA):
            raise InputError(f"schema {read.schema_version} is unknown; 2 and {CITEFORMER_SCHEMA} are read")
        return replace(read, schema_version=CITEFORMER_SCHEMA)

    def to_json(self) -> str:
        """The result as citeformer reads and writes it."""
        return msgspec.json.encode(self).decode()

    def verify(self, *, judge: str | Judge | None = None, settings: Settings | None = None) -> Self:
        """The same result, checked against its own sources; a cited span is judged by that span alone."""
        with chosen_judge(judge, settings or Settings()) as (chosen, run):
            found = run(verify(self._shape(), Library(()), chosen, settings or Settings()))
        return type(self).from_json(found.shape)

    def _shape(self) -> dict[str, Any]:
        """Plain values, with lists where JSON has them."""
        shape: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return shape


class Citeformer:
    """Answers questions with a backend: `Citeformer(AnthropicBackend("claude-…"))`, or a model's name."""

    def __init__(
        self,
        backend: Model = None,
        style: str | None = "apa-7",
        *,
        judge: str | Judge | None = None,
        settings: Settings | None = None,
    ) -> None:
        if style is not None:
            check_style(style)  # a misspelt style is an error before anything is asked
        self.backend = backend
        self.style = style
        self._judge = judge
        self._settings = settings

    def generate(self, prompt: str, sources: Sequence[GivenSource], **options: Any) -> GenerationResult:
        """The answer to a question. An option that does not exist is an `InputError`."""
        library, own = _library(sources)
        result = answer(
            prompt, library, model=self.backend, judge=self._judge, settings=self._settings, **options
        )
        return self._result(result, library, own)

    def stream(self, prompt: str, sources: Sequence[GivenSource], **options: Any) -> StreamingResult:
        """The same sentence by sentence, each checked before it is given."""
        library, own = _library(sources)
        chosen, settings = read_options(self._settings, options)
        stream = AnswerStream(prompt, opened_answerer(library, self.backend, self._judge, settings, chosen))
        return StreamingResult(stream, lambda result: self._result(result, library, own))

    def _result(
        self, result: AnswerResult, library: Library, own: Mapping[str, GivenSource]
    ) -> GenerationResult:
        if result.status == "failed":
            raise BackendFailed(result.reason)
        shape = citeformer_shape(result, {source.name: source for source in library.sources})
        shape["sources"] = [msgspec.to_builtins(own[one.document]) for one in result.references]
        if self.style is not None:
            rendered = rendered_entries(gather(shape), self.style)
            for entry in shape["references"]:
                entry["rendered"] = rendered[entry["source_id"]]
        return GenerationResult.from_json(shape)


class StreamingResult:
    """The pieces of an answer; joined, they are its text."""

    def __init__(self, stream: AnswerStream, finish: Any) -> None:
        self._stream = stream
        self._finish = finish

    def __iter__(self) -> Iterator[str]:
        return iter(self._stream)

    def finalize(self) -> GenerationResult:
        """The whole result, once all pieces were taken."""
        if self._stream.result is None:
            raise InputError("the stream is not at its end: take all pieces before finalize()")
        result: GenerationResult = self._finish(self._stream.result)
        return result


def _library(sources: Sequence[GivenSource]) -> tuple[Library, dict[str, GivenSource]]:
    """The sources under names of their own, in a library and by name."""
    own: dict[str, GivenSource] = {}
    for number, source in enumerate(sources, 1):
        said = source.metadata.get("id") or source.metadata.get("title")
        name = str(said) if said and str(said) not in own else f"source {number}"
        own[name] = source
    if not own:
        raise InputError("there are no sources to answer from")
    library = open_sources(
        [
            {"document_id": name, "title": str(one.metadata.get("title") or ""), "content": one.content}
            for name, one in own.items()
        ]
    )
    return library, {source.name: own[source.document_id or source.name] for source in library.sources}
