"""A real browser for tests of pages: an installed Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 60_000
"""Milliseconds that a page may take for anything, on the slowest machine."""


@contextmanager
def open_browser() -> Iterator[Any]:
    """A browser, or a skipped test that says what to install."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium is installed: `make test-web` installs it and runs these tests")
    playwright = pytest.importorskip("playwright.sync_api", reason="`make test-web` installs Playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page that notes every complaint, and every request that would leave it."""

    def __init__(self, browser: Any, content: str | Path, folder: Path, **options: Any) -> None:
        self.complaints: list[str] = []
        self.page = browser.new_page(**options)
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda said: self.complaints.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))
        self.page.on("request", self._note_request)
        if isinstance(content, str):
            path = folder / "page.html"
            path.write_text(content, encoding="utf-8")
            content = path
        self.page.goto(content.as_uri())

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            self.complaints.append(f"request: {request.url}")

    @property
    def overflows(self) -> bool:
        """Whether the page is wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"))
