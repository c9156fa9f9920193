"""What can be said of a text alone, without sources and without a judge.

`find_blocks` reads its Markdown, `split_sentences` its sentences and `split_claims` what it asserts;
`find_terms` gives its words with their stems, `find_quantities` its numbers and dates as intervals, which
`compare` compares. `normalise` cleans a copy that maps back to the text; `align` finds a pattern in it, give
or take some edits. Every offset is half-open and counts code points of the text as it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.text.alignment import align
    from pincite.text.block_scan import (
        HEADINGS,
        WEAK_HEADINGS,
        Block,
        front_matter_end,
        heading_words,
        may_have_references,
    )
    from pincite.text.blocks import comment_spans, find_blocks, inline_opaque_spans, may_have_code_blocks
    from pincite.text.claims import Statement, claims_among, find_statements, split_claims
    from pincite.text.files import DATA_FORMS, DOCUMENT_ENDINGS, NOT_READ, SOURCE_KINDS, Form, decode_declared
    from pincite.text.language import find_language, foreign_script, language_doubt
    from pincite.text.log_commands import break_commands, command_breaks, escape_commands, has_command
    from pincite.text.normal_form import Normalised, normalise, without_dashes
    from pincite.text.numbers.calendar import day_number, year_of
    from pincite.text.numbers.quantities import CLOSE, Comparison, Quantity, compare
    from pincite.text.numbers.reader import find_quantities
    from pincite.text.numbers.units import UNITS
    from pincite.text.numbers.words import (
        UNITS_AND_TEENS,
        WORD,
        NumberTokens,
        cells_apart,
        is_cell_line,
        read_core,
    )
    from pincite.text.plain import plain_text
    from pincite.text.sentences import split_sentences
    from pincite.text.spans import SpanIndex, blanked, merge, offsets, trim, trimmed
    from pincite.text.terms import (
        UNSPACED,
        Term,
        find_terms,
        find_words,
        first_word,
        inverse_frequency,
        is_stopword,
        stem,
        term_weights,
    )
    from pincite.text.wordlists import WordLists, word_list, word_set
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "alignment": "align",
            "block_scan": "Block HEADINGS WEAK_HEADINGS front_matter_end heading_words may_have_references",
            "blocks": "comment_spans find_blocks inline_opaque_spans may_have_code_blocks",
            "claims": "Statement claims_among find_statements split_claims",
            "files": "DATA_FORMS DOCUMENT_ENDINGS Form NOT_READ SOURCE_KINDS decode_declared",
            "language": "find_language foreign_script language_doubt",
            "log_commands": "break_commands command_breaks escape_commands has_command",
            "normal_form": "Normalised normalise without_dashes",
            "numbers.calendar": "day_number year_of",
            "numbers.quantities": "CLOSE Comparison Quantity compare",
            "numbers.reader": "find_quantities",
            "numbers.units": "UNITS",
            "numbers.words": "NumberTokens UNITS_AND_TEENS WORD cells_apart is_cell_line read_core",
            "plain": "plain_text",
            "sentences": "split_sentences",
            "spans": "SpanIndex blanked merge offsets trim trimmed",
            "terms": "Term UNSPACED find_terms find_words first_word inverse_frequency is_stopword stem"
            " term_weights",
            "wordlists": "WordLists word_list word_set",
        },
    )
