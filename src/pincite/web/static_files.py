"""Scripts and styles, read once. Their address changes with what is in them, so that a browser keeps them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class StaticFiles:
    """Files by name. Nothing in a request reaches the file system."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._files: dict[str, tuple[bytes, str]] = {}
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                if path.suffix in _TYPES:
                    name = path.relative_to(folder).as_posix()
                    self._files[name] = (path.read_bytes(), _TYPES[path.suffix])
        # One hash for all: a module may import another by its relative name.
        digest = hashlib.sha256()
        for name, (content, _) in sorted(self._files.items()):
            digest.update(f"{name} {len(content)} ".encode() + content)
        self._version = digest.hexdigest()[:16]

    def address(self, name: str) -> str:
        """Where a file is served."""
        if name not in self._files:
            raise KeyError(f"there is no static file {name!r}")
        return f"/static/{self._version}/{name}"

    def respond(self, request: Request) -> Response:
        found = self._files.get(request.path_params["name"])
        if found is None or request.path_params["version"] != self._version:
            raise HTTPException(404)
        content, media_type = found
        return Response(
            content, media_type=media_type, headers={"cache-control": "public, max-age=31536000, immutable"}
        )
