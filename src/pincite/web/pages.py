"""Responses: a page from the same templates as the report files, a view as a file, or an error in words."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from pincite.base import is_formula, write_json
from pincite.reports import FOLDER, ServedFrame, render_file, templates
from pincite.web import query_params
from pincite.web.site import HERE, site_of

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.requests import Request

_TITLES = {
    400: "That cannot be used",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Not allowed here",
    413: "Too large",
    500: "Something went wrong",
    503: "Not available",
}
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")
Cell = str | int | float | None
Table = tuple[Sequence[str], Iterable[Sequence[Cell]]]


@lru_cache(maxsize=1)
def _templates() -> Environment:
    from jinja2 import FileSystemLoader

    return templates().overlay(loader=FileSystemLoader([HERE / "templates", FOLDER / "templates"]))


def csrf_of(request: Request) -> str:
    """What a form of this session must carry."""
    return str(request.scope.get("pincite.csrf", ""))


def render(
    request: Request,
    template: str,
    *,
    status: int = 200,
    scripts: Sequence[str] = (),
    styles: Sequence[str] = (),
    **values: Any,
) -> HTMLResponse:
    """A page of the site. `scripts` and `styles` are further static files, by name."""
    site, path = site_of(request), request.url.path
    address = site.static.address
    frame = ServedFrame(
        styles=tuple(map(address, ("pincite.css", "site.css", *styles))),
        scripts=tuple(map(address, ("pincite.js", *scripts))),
        icon=address("icon.svg"),
        links=tuple(
            (section.title, section.address, _is_in(path, section.address))
            for section in site.sections
            if section.title
        ),
        csrf=csrf_of(request),
    )
    text = _templates().get_template(template).render(served=frame, **values)
    # Half a surrogate pair cannot be sent.
    return HTMLResponse(text.encode("utf-8", "replace"), status)


def render_page_file(template: str, **values: Any) -> str:
    """The same page as one file that needs no server."""
    style = (HERE / "static" / "site.css").read_text(encoding="utf-8")
    return render_file(template, _templates(), style, **values)


def _is_in(path: str, address: str) -> bool:
    return path == address or (address != "/" and path.startswith(f"{address}/"))


def wants_json(request: Request) -> bool:
    """Whether a program is asking: below `/api/`, or by what it accepts."""
    accepted = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accepted and "html" not in accepted)


def error_response(
    request: Request, status: int, message: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """An error as a page, or as JSON for a program. It says nothing of how the server is made."""
    title = _TITLES.get(status, "Error")
    if wants_json(request):
        return JSONResponse({"error": message or title}, status, headers)
    if "app" not in request.scope:  # refused at the door, where nothing of the site is shown
        return Response(f"{title}. {message}\n", status, headers, "text/plain; charset=utf-8")
    page = render(request, "error.html", status=status, title=f"Pincite: {title}", said=message)
    page.headers.update(headers or {})
    return page


def download(content: str | bytes, name: str, media_type: str) -> Response:
    """A file for the browser to save; what is not plain in its name becomes a dash."""
    body = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    plain = _NOT_IN_A_NAME.sub("-", name).strip("-.")[:120] or "pincite"
    return Response(
        body, media_type=media_type, headers={"content-disposition": f'attachment; filename="{plain}"'}
    )


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response:
    """A table. A text that a spreadsheet would take for a formula gets an apostrophe in front."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(header)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return download(out.getvalue(), f"{name}.csv", "text/csv; charset=utf-8")


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return f"'{value}" if is_formula(value) else value
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def json_file(name: str, value: Any) -> Response:
    return download(write_json(value, 2) + b"\n", f"{name}.json", "application/json")


def html_file(name: str, page: str) -> Response:
    return download(page, f"{name}.html", "text/html; charset=utf-8")


def file_response(
    request: Request, name: str, data: Any, table: Callable[[], Table], page: Callable[[], str]
) -> Response | None:
    """A view as the file that its address asks for; None where it asks for none."""
    form = query_params.wanted_format(request)
    if form == "json":
        return json_file(name, data)
    if form == "csv":
        return csv_file(name, *table())
    return html_file(name, page()) if form == "html" else None
