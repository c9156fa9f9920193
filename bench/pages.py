"""A page with 1,000 findings: how long until it can be used in a browser, and how large it is."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pincite
from bench.figures import Figure
from pincite.reports import write
from pincite.sources import open_sources

FINDINGS = 1_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
READY = """() => {
  document.body.getBoundingClientRect();
  return performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd;
}"""
STEP = """() => {
  const begin = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
  document.body.getBoundingClientRect();
  return performance.now() - begin;
}"""


def run(data: Path | None) -> Iterator[Figure | str]:
    begin = time.perf_counter()
    page, findings = _page()
    yield Figure("findings on the page", findings, "", FINDINGS)
    yield Figure("checking and writing it", time.perf_counter() - begin, " s")
    yield Figure("its size", len(page.encode()) / 1e6, " MB", 5.0, at_most=True)
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        yield "  no browser: `make test-web` installs Playwright and Chromium; its time is not measured"
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "page.html"
        file.write_text(page, encoding="utf-8")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            opened = [_open(browser, file) for _ in range(3)]
        finally:
            browser.close()
    yield Figure(
        "until it can be used, the best of 3", min(ready for ready, _ in opened), " s", 1.5, at_most=True
    )
    yield Figure("a step to the next finding", min(step for _, step in opened), " s", 0.1, at_most=True)


def _page() -> tuple[str, int]:
    names = [f"note_{number:04}.txt" for number in range(FINDINGS)]
    sources = {
        name: f"The mast of station {name[5:9]} is {number + 10} metres high."
        for number, name in enumerate(names)
    }
    claims = [
        f"The mast of station {name[5:9]} is {number + 5_000} metres high [{name}]."
        for number, name in enumerate(names)
    ]
    library = open_sources(sources)
    report = pincite.check("\n\n".join(claims), library, judge="rules")
    return write([report], "html", library=library), len(report.findings)


def _open(browser: Any, file: Path) -> tuple[float, float]:
    """Seconds until the page can be used, with its script run and its first layout done; and of one step."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(file.as_uri())
    page.wait_for_function("document.querySelector('.count').textContent.includes('findings')")
    ready = page.evaluate(READY)
    page.keyboard.press("j")
    step = page.evaluate(STEP)
    page.close()
    return ready / 1000, step / 1000
