"""The citation graph of many answers: who cites what, what is cited together, what is never used."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from msgspec import Struct

from pincite.records import ItemResult
from pincite.text import break_commands

MOST_TOGETHER = 50
"""Documents of one answer of which every two count as cited together. Of an answer that cites more, only the
first so many are paired: pairs grow as the square."""


class CitedSource(Struct, frozen=True):
    """A document and the answers that cite it."""

    document: str
    answers: tuple[str, ...]
    """The ids of their queries, in the order of the dataset."""
    known: bool | None
    """Whether it is a document of the dataset; None where the dataset's documents were not given."""


class CoCitation(Struct, frozen=True):
    """Two documents, by name, and in how many answers both are cited."""

    first: str
    second: str
    answers: int


class CitationGraph(Struct, frozen=True):
    """Most cited first; of two that are cited as often, by name."""

    answers: int
    """Answers that were given; those without any citation are counted too."""
    citing: int
    """Answers that cite at least one document."""
    sources: tuple[CitedSource, ...]
    together: tuple[CoCitation, ...]
    never_used: tuple[str, ...] | None
    """Documents of the dataset that no answer cites; None where its documents were not given."""
    shortened: int = 0
    """Answers that cite more than `MOST_TOGETHER` documents, of which not all were paired."""
    unanswered: int = 0
    """Queries that got no answer; they are none of the answers."""

    def to_json(self) -> dict[str, Any]:
        """Nodes and edges as plain values, with the counts beside them."""
        return {
            "answers": self.answers,
            "citing_answers": self.citing,
            "sources": [
                {"document": one.document, "cited_by": list(one.answers), "in_dataset": one.known}
                for one in self.sources
            ],
            "co_citations": [
                {"documents": [one.first, one.second], "answers": one.answers} for one in self.together
            ],
            "never_used": None if self.never_used is None else list(self.never_used),
            "shortened_answers": self.shortened,
            "unanswered_queries": self.unanswered,
        }

    def to_dot(self) -> str:
        """A drawing for Graphviz: documents, joined by a line for each two that are cited together."""
        lines = ["graph citations {", "  node [shape=box];"]
        for one in self.sources:
            label = _quoted(f"{one.document} ({len(one.answers)})")
            lines.append(f"  {_quoted(one.document)} [label={label}];")
        lines += [f"  {_quoted(name)} [style=dashed];" for name in self.never_used or ()]
        lines += [
            f"  {_quoted(one.first)} -- {_quoted(one.second)} [label={one.answers}, weight={one.answers}];"
            for one in self.together
        ]
        return "\n".join([*lines, "}"]) + "\n"

    def to_text(self, most: int = 20) -> str:
        """A summary for a person, the `most` frequent of each."""
        count = len(self.sources)
        lines = [f"{self.citing} of {self.answers} answers cite {count} document{'' if count == 1 else 's'}"]
        if self.unanswered:
            lines.append(f"{self.unanswered} {'query' if self.unanswered == 1 else 'queries'} got no answer")
        for one in self.sources[:most]:
            unknown = "" if one.known is not False else "  (not in the dataset)"
            lines.append(f"{len(one.answers):6}  {_plain(one.document)}{unknown}")
        lines += _more(len(self.sources), most)
        if self.together:
            lines.append("cited together:")
            lines += [
                f"{one.answers:6}  {_plain(one.first)} + {_plain(one.second)}" for one in self.together[:most]
            ]
            lines += _more(len(self.together), most)
        if self.shortened:
            lines.append(
                f"{self.shortened} answers cite more than {MOST_TOGETHER} documents; of those the first "
                f"{MOST_TOGETHER} are paired"
            )
        if self.never_used:
            unused = len(self.never_used)
            lines.append(f"never used: {unused} document{'' if unused == 1 else 's'}")
            lines += [f"        {_plain(name)}" for name in self.never_used[:most]]
            lines += _more(len(self.never_used), most)
        return "\n".join(lines) + "\n"


def citation_graph(items: Iterable[ItemResult], documents: Iterable[str] | None = None) -> CitationGraph:
    """The graph of the items' `cited_documents`; `documents` are the names of all that could be cited."""
    known = None if documents is None else dict.fromkeys(documents)
    cited_by: dict[str, dict[str, None]] = {}
    together: Counter[tuple[str, str]] = Counter()
    answers = citing = shortened = unanswered = 0
    for item in items:
        if item.failure is not None:
            unanswered += 1
            continue
        answers += 1
        cited = list(dict.fromkeys(item.cited_documents))
        citing += bool(cited)
        for document in cited:
            cited_by.setdefault(document, {})[item.query_id or str(item.position)] = None
        shortened += len(cited) > MOST_TOGETHER
        together.update(combinations(sorted(cited[:MOST_TOGETHER]), 2))
    sources = [
        CitedSource(name, tuple(by), None if known is None else name in known)
        for name, by in cited_by.items()
    ]
    sources.sort(key=lambda one: (-len(one.answers), one.document))
    pairs = [CoCitation(first, second, count) for (first, second), count in together.items()]
    pairs.sort(key=lambda one: (-one.answers, one.first, one.second))
    never = None if known is None else tuple(name for name in known if name not in cited_by)
    return CitationGraph(answers, citing, tuple(sources), tuple(pairs), never, shortened, unanswered)


def _quoted(name: str) -> str:
    """A quoted string of the DOT language: it knows the escapes of JSON that matter, and no control codes."""
    return json.dumps(_plain(name), ensure_ascii=False)


def _plain(name: str) -> str:
    """The name on one line, without anything that a terminal or a CI log would obey."""
    return break_commands("".join(character if character.isprintable() else "\ufffd" for character in name))


def _more(total: int, most: int) -> list[str]:
    return [f"        … and {total - most} more"] if total > most else []
