"""Pages from templates, which files and served pages share.

A file holds everything inside itself; a served page links its style and script.

Texts that come from outside are escaped by the template engine; control and direction characters are shown
as symbols, so that no text can reorder or hide what stands beside it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pincite.reports.display import visible

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent


class ServedFrame(Struct, frozen=True, kw_only=True):
    """What a served page has around its content, and a file has not."""

    styles: tuple[str, ...]
    scripts: tuple[str, ...]
    icon: str
    links: tuple[tuple[str, str, bool], ...]
    """Title, address, and whether the page is there."""
    csrf: str
    """What a form of the page must carry."""


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The templates of files and pages, with escaping always on."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    found.globals["static"] = _static
    found.filters["name_parts"] = _name_parts
    return found


def _name_parts(name: str) -> list[str]:
    """A long name in parts, between which a narrow column may break it: `span_`, `f1`, `(average=micro)`."""
    return re.split(r"(?<=_)|(?=\()", name)


@lru_cache(maxsize=8)
def _static(name: str) -> str:
    return (FOLDER / "static" / name).read_text(encoding="utf-8")


def render_file(template: str, environment: Environment | None = None, style: str = "", **values: Any) -> str:
    """A page that needs no other file and sends no request.

    `environment` and `style` are for pages that have templates and style of their own beside the shared ones.
    """
    style, script = _static("pincite.css") + style, _static("pincite.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        (environment or templates())
        .get_template(template)
        .render(served=None, style=style, script=script, policy=policy, **values)
    )


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
