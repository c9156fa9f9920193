"""`pincite serve`: the history in a browser."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from pincite.cli.history import open_history
from pincite.cli.options import HistoryOptions, command, flag, opt
from pincite.cli.output import emit, note
from pincite.cli.process import leave, serve_to_end
from pincite.errors import MissingExtraError

HOST, PORT = "127.0.0.1", 8765


class ServeOptions(HistoryOptions):
    port: int = opt("--port N", f"listen here (default: {PORT}; 0: any free port)", int, default=PORT)
    host: str = opt(
        "--host ADDRESS", "listen at this address (default: 127.0.0.1, this machine only)", default=HOST
    )
    allow_host: list[str] = opt("--allow-host NAME...", "another name by which browsers call this server")
    dataset: list[str] = opt(
        "--dataset FILE...", "show documents and gold spans of this dataset, and check its quality"
    )
    no_token: bool = flag("--no-token", "let in every user of this machine; not with --host")
    open: bool = flag("--open", "open the browser")


@command(
    ServeOptions,
    epilog="""\
The printed address holds a token, without which nothing is shown: the one in PINCITE_WEB_TOKEN, or one that
is made up. Ctrl-C ends it.

exit codes: 0 ended by Ctrl-C, 2 could not run, 130 interrupted before it served anything
""",
)
def run(options: ServeOptions) -> int:
    refuse_missing()
    from pincite.web import GivenDatasets, dashboard_sections, serve_site

    # A history that is not there yet is begun: notes are kept in it, and `pincite eval` may come later.
    with open_history(options, write=True) as history, ExitStack() as stack:
        datasets = GivenDatasets(options.dataset, history.settings)
        stack.callback(datasets.close)
        serve = partial(
            serve_site,
            dashboard_sections(history.store, history.settings, datasets),
            host=options.host,
            port=options.port,
            names=options.allow_host,
            with_token=not options.no_token,
            announce=lambda said: emit(f"{said}\n"),
            tell=lambda said: note(said, "error"),
            open_browser=options.open,
        )
        code = serve_to_end(serve)
    return leave(code)


def refuse_missing() -> None:
    """Raise an error that says how to install what a server needs."""
    try:
        import python_multipart  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("pages in a browser need a server: pip install 'pincite[web]'") from error
