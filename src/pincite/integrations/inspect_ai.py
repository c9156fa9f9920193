"""Inspect: a scorer for the citations of an answer, those that a model API returns beside the text included.

`inspect score` and `inspect eval` know it as `pincite/citation_support`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from pincite.citations import Collector, Node, PayloadEntry, Unit, document_target, sentence_start, web_target
from pincite.errors import InputError
from pincite.integrations.extras import cannot_import
from pincite.integrations.outcome import CheckOutcome
from pincite.integrations.rows import check_row, citation_rows, comment_of, find_contexts, not_checked
from pincite.records import Answer, Source, Target
from pincite.reports import safe
from pincite.sources import Library
from pincite.sources import contexts as open_contexts

try:
    from inspect_ai.model import ContentText, ModelOutput
    from inspect_ai.scorer import Score, Scorer, mean, scorer, stderr
    from inspect_ai.scorer import Target as Expected
    from inspect_ai.solver import TaskState
except ImportError as error:
    raise cannot_import(error, "inspect_ai", "inspect") from error

_UNITS: dict[str, Unit] = {"google": "utf8", "vertex": "utf8"}
"""Inspect hands offsets on as an API counts them: Gemini in bytes, all others in characters."""

ContextsOf = Callable[[TaskState], Iterable[Any]]


@scorer(metrics=[mean(), stderr()])
def citation_support(contexts: str | ContextsOf | None = None, judge: str | None = None) -> Scorer:
    """The share of judged citations that their source supports.

    `contexts` is the name under which a sample's metadata, or the store, has the texts that the model was
    shown, or a function that returns them; without it the usual names are tried. A sample of which nothing
    could be judged is unscored, with the reason. The score's metadata has a row for each citation.
    """

    async def score(state: TaskState, target: Expected) -> Score:
        outcome, text = await asyncio.to_thread(_check, state, contexts, judge)
        details: dict[str, Any] = {"citations": citation_rows(outcome), "unjudged": outcome.unjudged}
        if outcome.score is None:
            return Score.unscored(
                reason=_reason(outcome, text), answer=text, explanation=safe(outcome.reason), metadata=details
            )
        return Score(value=outcome.score, answer=text, explanation=comment_of(outcome), metadata=details)

    return score


def _check(state: TaskState, wanted: str | ContextsOf | None, judge: str | None) -> tuple[CheckOutcome, str]:
    try:
        texts = _contexts_of(state, wanted)
        answer = read_output(state.output, texts, _UNITS.get(state.model.api, "code_point"))
    except InputError as error:
        return not_checked(str(error)), state.output.completion
    return check_row(answer, contexts=texts, query=state.input_text, judge=judge), answer.text


def _contexts_of(state: TaskState, wanted: str | ContextsOf | None) -> Any:
    places = (state.metadata, dict(state.store.items()))
    if wanted is None:
        return find_contexts(*places)
    if not isinstance(wanted, str):
        return list(wanted(state))
    for place in places:
        if place.get(wanted) is not None:
            return place[wanted]
    raise InputError(f"neither the sample's metadata nor the store has {wanted!r}")


def _reason(outcome: CheckOutcome, text: str) -> str:
    """One of the reasons that Inspect counts, or one of our own where none of them fits."""
    if not text.strip():
        return "no_response"
    if outcome.reason.startswith("not checked"):
        return "scoring_failed"
    return "unjudged" if outcome.citations else "no_citations"


# --- what a model API cites beside the text ------------------------------------------------------


def read_output(output: ModelOutput, texts: Any = (), unit: Unit = "code_point") -> Answer:
    """A model's answer with the citations of its content, each with the part of the text that it covers.

    Content without citations is searched for markers such as `[1]`. `texts` are what may be cited: a document
    that goes by none of their names is the one at its place in the request, and a passage without a document
    is from the one that holds it.
    """
    content = output.choices[0].message.content if output.choices else ""
    parts = [ContentText(text=content)] if isinstance(content, str) else content
    collector = Collector("inspect_ai", unit)
    cited = _Cited(texts)
    for part in parts:
        if isinstance(part, ContentText):
            span = collector.add_text(part.text)
            collector.cite(span, [_entry(one, part.text, cited) for one in part.citations or ()])
    return collector.answer("<answer>")


class _Cited:
    """The contexts as citations name them, opened when the first one asks."""

    def __init__(self, texts: Any) -> None:
        self._texts = texts
        self._library: Library | None = None

    @property
    def library(self) -> Library:
        if self._library is None:
            listed = list(self._texts.values()) if isinstance(self._texts, Mapping) else self._texts
            names = list(self._texts) if isinstance(self._texts, Mapping) else None
            self._library = open_contexts([listed] if isinstance(listed, str) else listed, ids=names)
        return self._library

    def document(self, title: str | None, index: object) -> str | None:
        """The name of a document: its title if a context goes by it, else its place in the request."""
        if title and self.library.find(title):
            return title
        return f"#{index}" if type(index) is int and index >= 0 else title

    def holding(self, passage: str) -> str | None:
        """The context that a passage is from, if there is just one."""
        entries = enumerate(self.library.entries)
        found = [number for number, one in entries if isinstance(one, Source) and passage in one.text]
        return f"#{found[0]}" if len(found) == 1 else None


def _entry(citation: Any, text: str, cited: _Cited) -> PayloadEntry:
    said = Node(citation.model_dump(mode="json"))
    quoted = citation.cited_text if isinstance(citation.cited_text, str) else None
    target, problem = _TARGETS[citation.type](citation, quoted, cited)
    entry = PayloadEntry(
        node=said,
        targets=() if target is None else (target,),
        start=0,
        end=len(text),
        cited_text=quoted,
        document_title=citation.title,
        problem=problem,
    )
    if isinstance(citation.cited_text, tuple):
        return replace(entry, start=citation.cited_text[0], end=citation.cited_text[1])
    point = (citation.internal or {}).get("index")
    if type(point) is int and 0 < point <= len(text):
        # A point in the text: what stands before it in its sentence is what it speaks for.
        return replace(entry, start=sentence_start(text, point), end=point)
    return entry


_Named = tuple[Target | None, str | None]
"""What a citation points to, or what is wrong with it."""


def _read_url(citation: Any, quoted: str | None, cited: _Cited) -> _Named:
    return (web_target(citation.url, citation.title), None) if citation.url else (None, "it has no address")


def _read_document(citation: Any, quoted: str | None, cited: _Cited) -> _Named:
    internal = citation.internal or {}
    file = internal.get("file_id")
    title = citation.title or (file if isinstance(file, str) else None)
    name = cited.document(title, internal.get("document_index")) or (quoted and cited.holding(quoted))
    if not name:
        return None, "the citation names no document"
    place = citation.range
    if place is None or not 0 <= place.start_index < place.end_index:
        return document_target(name), None
    start, end = place.start_index, place.end_index
    if place.type == "char":
        return document_target(name, start=start, end=end), None
    if place.type == "page":
        return document_target(name, page=start + 1, end_page=end), None
    return document_target(name, blocks=(start, end)), None


def _read_content(citation: Any, quoted: str | None, cited: _Cited) -> _Named:
    name = cited.document(citation.title, None) or (quoted and cited.holding(quoted))
    return (document_target(name), None) if name else (None, "the citation names no document")


_TARGETS = {"url": _read_url, "document": _read_document, "content": _read_content}
