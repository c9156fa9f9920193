"""Check an answer against the texts that a system was shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import structs

from pincite.answers.read import to_answer
from pincite.config import Settings
from pincite.findings.check import check, with_given
from pincite.judges.judge import Judge
from pincite.records import Report
from pincite.sources.contexts import contexts as open_contexts


def check_contexts(
    answer: Any,
    contexts: Iterable[Any],
    *,
    ids: Iterable[str | int] | None = None,
    query: str | None = None,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
    provider: str | None = None,
    **overrides: Any,
) -> Report:
    """Check the citations of one answer against a list of texts, as `check` does against files.

    `contexts` and `ids` are what `pincite.contexts` takes: `[2]` cites the second text, and `[doc-7]` the one
    with that id. `query` is the question that was answered. The rest is as for `check`.
    """
    chosen = with_given(settings or Settings(), overrides, judge)
    library = open_contexts(contexts, ids=ids, limits=chosen.limits)
    read = to_answer(answer, chosen.limits, provider)
    if query is not None:
        read = structs.replace(read, query=query)
    return check(read, library, judge=judge, settings=chosen)
