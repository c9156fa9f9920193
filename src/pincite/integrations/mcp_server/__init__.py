"""A server for assistants that speak the Model Context Protocol (extra `pincite[mcp]`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.integrations.mcp_server.folders import NamedFolders
    from pincite.integrations.mcp_server.serving import serve_http, serve_stdio
    from pincite.integrations.mcp_server.tools import CitationTools
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "folders": "NamedFolders",
            "serving": "serve_http serve_stdio",
            "tools": "CitationTools",
        },
    )
