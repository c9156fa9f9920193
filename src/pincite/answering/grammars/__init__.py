"""Grammars that hold a local model to its passages: it can write no marker and no quote of its own."""

from pincite.answering.grammars.marked import marker_gbnf, marker_grammar, read_marked
from pincite.answering.grammars.quoted import quote_grammar, read_quoted

__all__ = ["marker_gbnf", "marker_grammar", "quote_grammar", "read_marked", "read_quoted"]
