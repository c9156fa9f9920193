"""The report files, used as a person does: in a browser, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import pincite
from accessibility import grave_violations
from browser import Watched, open_browser
from pincite.datasets import open_dataset
from pincite.reports import trend_events, write, write_comparison, write_run_page, write_trends
from pincite.runs import compare
from pincite.sources import open_sources
from pincite.store import open_store
from reports.html.test_answer_page import ANSWER, CITES_PDF, DEMO, HOSTILE, SOURCES

WIDTHS = [(1280, "light"), (390, "dark")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as found:
        yield found


def pdf_page() -> str:
    library = open_sources([DEMO / "report.pdf"])
    return write([pincite.check(CITES_PDF, library, judge="rules")], "html", library=library)


def answer_page(answer: str = ANSWER, sources: dict[str, str] | None = None) -> str:
    library = open_sources(sources or SOURCES)
    return write([pincite.check(answer, library, judge="rules")], "html", library=library)


@pytest.fixture(scope="module")
def run_pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A good run and a bad one of the sample dataset, each as a page, compared, and over time."""
    url = f"sqlite:///{tmp_path_factory.mktemp('history') / 'history.db'}"
    with open_store(url) as store:
        for name, target in (("good", "answer"), ("bad", wrong_answers)):
            pincite.evaluate("sample", target=target, judge="rules", name=name, store=store, limit=12)
        good, bad = store.find("good"), store.find("bad")
        compared = compare(good, bad)
        with open_dataset("sample") as dataset:
            run = write_run_page(bad, islice(store.items(bad.run_id), 4), dataset)
        return {
            "run": run,
            "comparison": write_comparison(compared),
            "trend": write_trends(
                {"citation_correctness": store.trend("citation_correctness")}, None, trend_events([good, bad])
            ),
        }


def wrong_answers(query: str) -> str:
    return f"The ferry leaves at 9:15 [doc_ferry_timetable]. {query[:60]}"


@pytest.mark.parametrize(("width", "scheme"), WIDTHS)
def test_an_answer_page_fits_without_a_complaint_or_a_request(
    browser: Any, tmp_path: Path, width: int, scheme: str
) -> None:
    watched = Watched(
        browser, answer_page(), tmp_path, viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    assert watched.page.title() == "Pincite: 2 errors and 1 warning in 1 answer"
    assert not watched.overflows
    assert watched.complaints == []


def test_j_and_k_walk_the_findings_and_show_the_source(browser: Any, tmp_path: Path) -> None:
    watched = Watched(browser, answer_page(), tmp_path, viewport={"width": 1280, "height": 500})
    page = watched.page
    page.keyboard.press("j")
    first = page.locator(".finding.current")
    assert first.get_attribute("data-code") == "PIN203"
    assert page.locator("aside mark.current").first.inner_text().startswith("They serve 14,000")
    page.keyboard.press("j")
    assert page.locator(".finding.current").get_attribute("data-code") == "PIN101"
    page.keyboard.press("k")
    assert page.locator(".finding.current").get_attribute("data-code") == "PIN203"
    assert page.evaluate("document.activeElement.classList.contains('current')")
    assert watched.complaints == []


def test_the_picture_of_a_pdfs_page_shows_the_finding_and_can_be_enlarged(
    browser: Any, tmp_path: Path
) -> None:
    watched = Watched(browser, pdf_page(), tmp_path, viewport={"width": 1280, "height": 800})
    page = watched.page
    page.keyboard.press("j")
    assert page.locator(".page-picture rect.current").first.is_visible()
    assert page.evaluate("document.querySelector('image').getBBox().width") == 800
    before = page.locator(".page-picture").bounding_box()["width"]
    page.locator(".enlarge").focus()
    page.keyboard.press("Enter")
    page.locator(".page-picture:target").wait_for()
    assert page.locator(".page-picture").bounding_box()["width"] > 1.5 * before
    assert watched.complaints == []


def test_filters_hide_findings_and_the_keys_pass_over_them(browser: Any, tmp_path: Path) -> None:
    page = Watched(browser, answer_page(), tmp_path).page
    page.locator("select[name=severity]").select_option("warning")
    page.locator("select[name=code]").select_option("PIN301")
    assert page.locator(".finding:visible").count() == 1
    assert page.locator(".count").inner_text() == "1 of 3 findings"
    page.locator("select[name=code]").blur()
    page.keyboard.press("j")
    assert page.locator(".finding.current").get_attribute("data-code") == "PIN301"


def test_a_click_on_a_marker_shows_the_cited_place(browser: Any, tmp_path: Path) -> None:
    sources = SOURCES | {"tariff.md": SOURCES["tariff.md"] + "Filler. " * 3_000}
    page = Watched(
        browser, answer_page(sources=sources), tmp_path, viewport={"width": 1280, "height": 500}
    ).page
    page.locator("a.marker", has_text="[history.md]").click()
    page.locator(".finding.current").wait_for()
    page.locator("a.marker", has_text="[tariff.md]").click()
    assert page.locator("aside mark.current").first.inner_text().startswith("A cubic metre of water")
    assert page.locator("aside mark.current").first.is_visible()


def test_without_javascript_everything_can_be_read(browser: Any, tmp_path: Path) -> None:
    page = Watched(browser, answer_page(), tmp_path, java_script_enabled=False).page
    assert page.locator(".finding").count() == page.locator(".finding:visible").count() == 3
    page.locator("a.marker", has_text="[history.md]").click()
    assert "#s" in page.url
    assert not page.locator(".filters").is_visible()


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_does_nothing_in_a_browser(browser: Any, tmp_path: Path, text: str) -> None:
    answer = f"Water costs 9.99 euros [tariff.md]. {text}. {text} " + "x" * 100_000
    watched = Watched(
        browser,
        answer_page(answer, SOURCES | {text[:40]: text}),
        tmp_path,
        viewport={"width": 390, "height": 800},
    )
    watched.page.keyboard.press("j")
    assert watched.complaints == []
    assert not watched.overflows


@pytest.mark.parametrize("name", ["run", "comparison", "trend"])
@pytest.mark.parametrize(("width", "scheme"), WIDTHS)
def test_pages_of_runs_fit_without_a_complaint_or_a_request(
    browser: Any, tmp_path: Path, run_pages: dict[str, str], name: str, width: int, scheme: str
) -> None:
    watched = Watched(
        browser, run_pages[name], tmp_path, viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    assert not watched.overflows
    assert watched.complaints == []


@pytest.mark.parametrize("name", ["run", "comparison", "trend"])
def test_no_table_is_cut_off_on_paper(
    browser: Any, tmp_path: Path, run_pages: dict[str, str], name: str
) -> None:
    page = Watched(browser, run_pages[name], tmp_path, viewport={"width": 718, "height": 1000}).page
    scrolled = "[...document.querySelectorAll('.scroll:not(:has(.heat))')]"
    wide = f"{scrolled}.map((one) => one.scrollWidth - one.clientWidth)"
    assert max(page.evaluate(wide)) > 1, "on a screen they scroll"
    page.emulate_media(media="print")
    assert max(page.evaluate(wide)) <= 1
    # A heat table may be wider than the paper: nothing hides it, and the browser scales the page.
    styles = "[...document.querySelectorAll('.scroll')].map((one) => getComputedStyle(one).overflowX)"
    assert set(page.evaluate(styles)) == {"visible"}


def test_a_table_of_a_run_can_be_sorted(browser: Any, tmp_path: Path, run_pages: dict[str, str]) -> None:
    page = Watched(browser, run_pages["run"], tmp_path).page
    value = page.locator("table.sortable").first.get_by_role("button", name="Value")
    rows = "[...document.querySelector('table.sortable').tBodies[0].rows]"
    figures = f"{rows}.map((row) => row.cells[1].dataset.sort)"
    value.click()
    down = page.evaluate(figures)
    known = [float(one) for one in down if one]
    assert known == sorted(known, reverse=True) and len(known) < len(down)
    value.click()
    up = page.evaluate(figures)
    assert [float(one) for one in up[: len(known)]] == known[::-1]
    assert not any(up[len(known) :]) and not any(down[len(known) :]), "what has no value comes last"


def test_a_query_opens_to_its_answer_and_its_verdicts(
    browser: Any, tmp_path: Path, run_pages: dict[str, str]
) -> None:
    page = Watched(browser, run_pages["run"], tmp_path).page
    assert f"Pincite{pincite.__version__}" in page.locator("dl.about").inner_text().replace("\n", "")
    row = page.locator("details.query-row").first
    row.locator("summary").click()
    assert "The ferry leaves at 9:15" in row.inner_text()
    assert row.get_by_role("heading", name="Verdicts").is_visible()
    assert row.locator(".source mark.gold").first.is_visible()
    assert row.locator(".source mark:is(.cited, .located)").count() > 0


def test_a_comparison_says_in_words_what_is_decided(
    browser: Any, tmp_path: Path, run_pages: dict[str, str]
) -> None:
    page = Watched(browser, run_pages["comparison"], tmp_path).page
    assert "worse" in page.locator("h1").inner_text()
    row = page.locator("tr", has=page.get_by_role("rowheader", name="citation_correctness", exact=True))
    assert row.locator("td").first.inner_text() == "worse"
    assert page.locator("article.changed ins").count() > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["answer", "pdf", "run", "comparison", "trend"])
def test_a_screen_reader_meets_no_grave_obstacle(
    browser: Any, tmp_path: Path, run_pages: dict[str, str], name: str, scheme: str
) -> None:
    long = SOURCES | {"tariff.md": SOURCES["tariff.md"] + "Filler. " * 3_000}
    pages = {"answer": answer_page(sources=long), "pdf": pdf_page(), **run_pages}
    page = Watched(browser, pages[name], tmp_path, color_scheme=scheme).page
    page.evaluate("[...document.querySelectorAll('details')].slice(0, 5).forEach((one) => (one.open = true))")
    page.keyboard.press("j")
    assert grave_violations(page) == []


def test_a_page_with_obstacles_is_told_apart(browser: Any, tmp_path: Path) -> None:
    bad = "<html><body><img src='data:,'><p style='color:#ccc;background:#fff'>Pale</p></body></html>"
    told = grave_violations(Watched(browser, bad, tmp_path).page)
    assert {one.split(":")[1].split("(")[0].strip() for one in told} >= {"image-alt", "color-contrast"}
