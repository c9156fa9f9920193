"""Markers in an answer: found, attached to their claims, written back, and read from providers' payloads.

`parse(text, sources)` finds every marker and the answer's own references; `attach(claims, citations, text)`
says which claims each marker speaks for; `render` and `replace_target` write a marker. `read_response` makes
an answer of what a provider's API sent, with the citations of the payload, and `write_citations` gives those
back. `find_quotes` finds what a source is said to contain letter by letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.citations.attachment import attach, covered_spans, kept_words, marker_spans
    from pincite.citations.formats.form import double_braces
    from pincite.citations.formats.span_places import span_target
    from pincite.citations.formats.web import doi_key, read_web_target
    from pincite.citations.parser import parse
    from pincite.citations.providers import (
        PROVIDERS,
        is_generation_result,
        provided_markers,
        read_response,
        write_citations,
    )
    from pincite.citations.providers.entries import (
        Collector,
        PayloadEntry,
        document_target,
        is_web_address,
        web_target,
    )
    from pincite.citations.providers.offsets import Unit, sentence_start
    from pincite.citations.providers.payload import Node, to_plain
    from pincite.citations.quotes import Quote, find_quotes
    from pincite.citations.renderer import render, render_span, replace_target
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "attachment": "attach covered_spans kept_words marker_spans",
            "formats.form": "double_braces",
            "formats.span_places": "span_target",
            "formats.web": "doi_key read_web_target",
            "parser": "parse",
            "providers": "PROVIDERS is_generation_result provided_markers read_response write_citations",
            "providers.entries": "Collector PayloadEntry document_target is_web_address web_target",
            "providers.offsets": "Unit sentence_start",
            "providers.payload": "Node to_plain",
            "quotes": "Quote find_quotes",
            "renderer": "render render_span replace_target",
        },
    )
