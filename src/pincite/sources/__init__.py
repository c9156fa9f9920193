"""The documents that answers cite: read, named, searched, and cut into passages.

`open_sources` (or `contexts`) reads whatever a user gives into a `Library`; `resolve` leads from a citation's
target to its evidence there; `locate` and its relatives find the places of a quote or a claim; and `passage`
is a stretch of a source as a judge and a report show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.sources.claim_units import ClaimIndex, claim_terms, content_stems
    from pincite.sources.folder import files_below
    from pincite.sources.given import open_sources
    from pincite.sources.given_contexts import contexts
    from pincite.sources.json_paths import MISSING, find_path, get, parse_path
    from pincite.sources.library import Library, unique_names
    from pincite.sources.locator import (
        best_passages,
        claim_index,
        library_index,
        locate,
        locate_claim,
        locate_claims,
        locate_quote,
        locate_together,
        marker_of,
        passages_together,
        shared_passage,
    )
    from pincite.sources.names import file_name, fold, identities, path_parts, same_page, stem
    from pincite.sources.page_pictures import PageBox, PagePicture, draw_marked_pages
    from pincite.sources.passages import HAVE_LINES, find_section, line_of, page_of, page_span, passage
    from pincite.sources.readers import read_bytes
    from pincite.sources.readers.common import Unreadable, decode
    from pincite.sources.readers.json_documents import document_source, is_document
    from pincite.sources.readers.pdf import shared_process
    from pincite.sources.reference_index import ReferenceIndex, plain
    from pincite.sources.resolver import resolve
    from pincite.sources.span_evidence import Offsets
    from pincite.sources.surroundings import evidence_in, heading_above, is_label
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "claim_units": "ClaimIndex claim_terms content_stems",
            "folder": "files_below",
            "given": "open_sources",
            "given_contexts": "contexts",
            "json_paths": "MISSING find_path get parse_path",
            "library": "Library unique_names",
            "locator": (
                "best_passages claim_index library_index locate locate_claim locate_claims locate_quote "
                "locate_together marker_of passages_together shared_passage"
            ),
            "names": "file_name fold identities path_parts same_page stem",
            "page_pictures": "PageBox PagePicture draw_marked_pages",
            "passages": "HAVE_LINES find_section line_of page_of page_span passage",
            "readers": "read_bytes",
            "readers.common": "Unreadable decode",
            "readers.json_documents": "document_source is_document",
            "readers.pdf": "shared_process",
            "reference_index": "ReferenceIndex plain",
            "resolver": "resolve",
            "span_evidence": "Offsets",
            "surroundings": "evidence_in heading_above is_label",
        },
    )
