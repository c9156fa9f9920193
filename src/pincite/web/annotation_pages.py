"""The pages of annotation: who you are, the work itself, how far everybody is, and conflicts."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pincite.annotation import Workspace, check_name
from pincite.web.annotation_api import api_section
from pincite.web.pages import render
from pincite.web.site import Section, WebRoute

STYLE = ("annotate.css",)
MOST_ASKED = 300
"""Characters of a question in a list."""


def annotation_sections(work: Workspace, guidelines: str = "") -> tuple[Section, ...]:
    """The site that `pincite annotate` serves. `guidelines` are the team's own, as plain text."""
    pages = _AnnotationPages(work, guidelines)
    routes = (
        WebRoute("/", pages.people),
        WebRoute("/as", pages.come_in),
        WebRoute("/as/{person}", pages.work),
        WebRoute("/as/{person}/progress", pages.progress),
        WebRoute("/as/{person}/conflicts", pages.conflicts),
        WebRoute("/as/{person}/merge", pages.merge, methods=("POST",)),
    )
    return (Section(routes), api_section(work))


def work_path(person: str) -> str:
    """Where a person works."""
    return f"/as/{quote(person, safe='')}"


class _AnnotationPages:
    def __init__(self, work: Workspace, guidelines: str) -> None:
        self._work = work
        self._guidelines = guidelines
        named = f"{work.folder.resolve()} {work.file}".encode("utf-8", "surrogatepass")
        self._store = hashlib.sha256(named).hexdigest()[:16]
        """Names this work in a browser, which may have others at the same address."""

    def people(self, request: Request) -> Response:
        people = [(person, work_path(person)) for person in self._work.people()]
        return self._page(request, "people", "Who are you?", "", people=people)

    def come_in(self, request: Request) -> Response:
        return RedirectResponse(work_path(check_name(request.query_params.get("name", "").strip())), 303)

    def work(self, request: Request) -> Response:
        person = check_name(request.path_params["person"])
        return self._page(
            request,
            "work",
            "Annotate",
            person,
            scripts=("annotate.js",),
            item=request.query_params.get("item", ""),
            store=self._store,
            guidelines=self._guidelines,
        )

    def progress(self, request: Request) -> Response:
        person = check_name(request.path_params["person"])
        everybody = self._work.progress()
        return self._page(
            request, "progress", "Progress", person, everybody=everybody, figures=self._work.agreement()
        )

    def conflicts(self, request: Request) -> Response:
        person = check_name(request.path_params["person"])
        listed = [
            (one, self._asked(one.kind, one.id), f"{work_path(person)}?item={_item(one.kind, one.id)}")
            for one in self._work.conflicts()
        ]
        return self._page(request, "conflicts", "Conflicts", person, listed=listed)

    def merge(self, request: Request) -> Response:
        person = check_name(request.path_params["person"])
        found, files = self._work.merge()
        return self._page(request, "merged", "Merged", person, found=found, files=files)

    def _asked(self, kind: str, item: str) -> str:
        """What an item is about, in words."""
        if kind == "verdicts":
            pair = self._work.items.pairs.get(item)
            asked = str(pair.row.get("claim") or pair.row.get("query") or "") if pair is not None else item
        else:
            query = self._work.items.queries.get(item)
            asked = query.query_text if query is not None else item
        return asked if len(asked) <= MOST_ASKED else f"{asked[:MOST_ASKED]} …"

    def _page(self, request: Request, name: str, title: str, person: str, **values: Any) -> Response:
        return render(
            request,
            f"annotation/{name}.html",
            styles=STYLE,
            title=f"Pincite: {title}",
            person=person,
            here=name,
            root=work_path(person) if person else "/",
            dataset=self._work.dataset.name or self._work.dataset.dataset_id,
            folder=str(self._work.folder),
            **values,
        )


def _item(kind: str, item: str) -> str:
    return quote(f"decide/{kind}/{item}", safe="")
