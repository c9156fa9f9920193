"""The pages over a history, as sections of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pincite.web.pages import render
from pincite.web.site import Section, WebRoute

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.store.history import Store


def dashboard_sections(store: Store, settings: Settings) -> tuple[Section, ...]:
    """All sections, in the order of the navigation."""

    def home(request: Request) -> Response:
        return RedirectResponse("/runs", 303)

    def runs(request: Request) -> Response:
        return render(request, "runs.html", title="Pincite: runs", runs=store.runs(limit=50))

    return (Section((WebRoute("/", home), WebRoute("/runs", runs)), "Runs", "/runs"),)
