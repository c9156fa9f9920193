"""People who annotate in a browser, and the server that they use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from browser import PATIENCE

NETWORK = re.compile(r"Failed to load resource: (net::ERR_|the server responded with a status of (409|403))")
"""What Chromium itself says of a request that failed, whoever catches it."""


class Annotator:
    """One window of one person. Whatever the page complains of is noted, and every request to elsewhere."""

    def __init__(
        self, browser: Any, address: str, name: str, context: Any = None, item: str = "", **options: Any
    ) -> None:
        self.address, self.name = address, name
        self.complaints: list[str] = []
        self.context = context or browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.page.on("console", lambda said: self.complaints.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))
        self.page.on("request", self._note_request)
        self.page.goto(f"{address}/as/{quote(name)}" + (f"?item={quote(item, safe='')}" if item else ""))

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith(f"{self.address}/"):
            self.complaints.append(f"request: {request.url}")

    @property
    def grave(self) -> list[str]:
        """Complaints, without what the browser itself says of a server that is not there or refuses."""
        return [one for one in self.complaints if not NETWORK.search(one)]

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def ready(self) -> None:
        """Wait until an item is there, and the text of a document."""
        self.wait("document.getElementById('text')?.children.length > 0")

    def saved(self) -> None:
        self.wait("document.getElementById('saved').textContent === 'Saved'")

    def wait(self, condition: str) -> None:
        """Wait for a condition of the page, from outside: its policy forbids that Playwright looks inside."""
        self.until(lambda: self.page.evaluate(condition))

    def select(self, start: int, end: int, block: int = 0) -> None:
        """Select so many UTF-16 units of a block of the text, as a drag with the mouse does."""
        self.page.evaluate(
            "([start, end, block]) => { const text = document.getElementById('text'); text.focus(); "
            "const node = text.children[block].firstChild; "
            "getSelection().setBaseAndExtent(node, start, node, end); }",
            [start, end, block],
        )

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def until(self, check: Callable[[], Any]) -> Any:
        """Wait for something outside the page, which goes on meanwhile."""
        for _ in range(PATIENCE // 20):
            if found := check():
                return found
            self.page.wait_for_timeout(20)
        raise AssertionError("this never came")


def annotations(folder: Path, person: str) -> list[dict[str, Any]]:
    """What a person has finished, as the file has it at this moment."""
    (path,) = (folder / person).glob("*.gt.json")
    return list(json.loads(path.read_bytes())["annotations"])


def states(folder: Path, person: str) -> dict[str, dict[str, Any]]:
    """The last change of each item of a person."""
    path = folder / person / "changes.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return {change["item"]: change for change in map(json.loads, lines)}
