"""`pincite mcp`: a server for assistants, which check their own drafts with it."""

from __future__ import annotations

import os
from functools import partial

from pincite.cli.options import ConfigOptions, JudgeOptions, command, flag, load_settings, opt
from pincite.cli.output import emit
from pincite.cli.process import serve_to_end
from pincite.errors import MissingExtraError

HOST, PORT = "127.0.0.1", 8766
TOKEN = "PINCITE_MCP_TOKEN"  # noqa: S105 - the name of a variable


class McpOptions(JudgeOptions, ConfigOptions):
    folders: list[str] = opt(
        "-s, --sources PATH...", "a folder or file that assistants may cite; no other is read"
    )
    http: bool = flag("--http", "serve over HTTP instead of standard input and output")
    port: int = opt(
        "--port N", f"with --http, listen here (default: {PORT}; 0: any free port)", int, default=PORT
    )
    host: str = opt("--host ADDRESS", f"with --http, listen at this address (default: {HOST})", default=HOST)
    allow_host: list[str] = opt(
        "--allow-host NAME...", "with --http, another name by which clients call this server"
    )


@command(
    McpOptions,
    epilog=f"""\
Over HTTP every request needs a token: the one in {TOKEN}, or one that is made up and printed.
""",
)
def run(options: McpOptions) -> int:
    _refuse_missing()
    from pincite.integrations.mcp_server import CitationTools, NamedFolders, serve_http, serve_stdio

    settings = load_settings(options)
    # Only what is named on the command line: a file of settings must not open folders to an assistant.
    tools = CitationTools(settings, NamedFolders(options.folders, settings.limits))
    if not options.http:
        serve_stdio(tools)
        return 0
    serve = partial(
        serve_http,
        tools,
        host=options.host,
        port=options.port,
        token=os.environ.get(TOKEN) or None,
        names=options.allow_host,
        announce=lambda said: emit(f"{said}\n"),
    )
    return serve_to_end(serve)


def _refuse_missing() -> None:
    try:
        import mcp.server.mcpserver  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "`pincite mcp` needs the protocol's library: pip install 'pincite[mcp]'"
        ) from error
