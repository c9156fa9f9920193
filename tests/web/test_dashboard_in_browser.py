"""The dashboard, used as a person does: in a browser, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from web_server import HOSTILE, Client, running_evaluation

from accessibility import grave_violations
from browser import PATIENCE, open_browser
from pincite.config import Settings
from pincite.store import Store

PAGES = (
    "/runs", "/runs/bad", "/runs/bad/queries/5", "/compare", "/compare?run=good&run=bad",
    f"/compare?run=good&run=bad&run={quote(HOSTILE)}", "/trends",
    "/alerts", "/datasets", "/judges", "/try?example=1", "/runs/nothing",
)  # fmt: skip


class Visit:
    """A page of the dashboard that notes every complaint, and every request to anywhere else."""

    def __init__(self, browser: Any, client: Client, path: str, **options: Any) -> None:
        self.address = client.address
        self.complaints: list[str] = []
        self.page = browser.new_page(**options)
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda said: self._complain(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self._complain(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self._complain("dialog"), dialog.dismiss()))
        self.page.on("request", self._note_request)
        self.page.goto(self.address + path)

    def _complain(self, said: str) -> None:
        if "status of 404" not in said:  # of a page that is not there, on purpose
            self.complaints.append(said)

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith((f"{self.address}/", "data:")):
            self._complain(f"request: {request.url}")

    @property
    def overflows(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as found:
        yield found


def test_every_page_fits_without_a_complaint_or_a_request_elsewhere(browser: Any, dashboard: Client) -> None:
    for width, scheme in ((1280, "light"), (390, "dark")):
        visit = Visit(browser, dashboard, "/", viewport={"width": width, "height": 800}, color_scheme=scheme)
        for path in PAGES:
            visit.page.goto(dashboard.address + path)
            assert not visit.overflows, (path, width)
        assert visit.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious_on_any_page(
    browser: Any, dashboard: Client, path: str, scheme: str
) -> None:
    page = Visit(browser, dashboard, path, color_scheme=scheme).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert grave_violations(page) == []
    page.close()


def test_two_runs_are_chosen_on_the_list_and_compared(browser: Any, dashboard: Client, good: str) -> None:
    visit = Visit(browser, dashboard, "/runs?q=sample")
    page = visit.page
    page.get_by_label("Compare good").check()
    page.get_by_label("Compare bad").check()
    page.get_by_role("button", name="Compare").click()
    assert "worse" in page.locator("h1").inner_text()
    page.get_by_role("link", name="good", exact=True).click()
    assert page.url == f"{dashboard.address}/runs/{good}"
    assert visit.complaints == []


def test_the_list_is_searched_sorted_and_shared_by_its_address(browser: Any, dashboard: Client) -> None:
    page = Visit(browser, dashboard, "/runs").page
    page.get_by_label("Search").fill("good")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=good**")
    assert page.locator("table.runs tbody tr").count() == 1
    page.get_by_role("link", name="Clear").click()
    page.get_by_role("link", name="Run", exact=True).click()
    assert "sort=name" in page.url
    shown = page.locator("table.runs tbody th a").all_inner_texts()
    assert shown[:2] == ["good", "bad"] or shown[-2:] == ["good", "bad"]


def test_tags_and_a_note_are_written_with_the_keyboard(
    browser: Any, dashboard: Client, store: Store, good: str
) -> None:
    visit = Visit(browser, dashboard, f"/runs/{good}")
    page = visit.page
    page.locator(".remarks summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Tags, separated by commas").focus()
    page.keyboard.type("weekly")
    page.keyboard.press("Tab")
    page.keyboard.type("Looks right.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="weekly", exact=True).wait_for()
    assert store.remarks(good) == (("weekly",), "Looks right.")
    store.remark(good, [], "")
    assert visit.complaints == []


def test_a_verdict_leads_to_its_words_and_to_the_document(browser: Any, dashboard: Client) -> None:
    visit = Visit(browser, dashboard, "/runs/good/queries/0")
    page = visit.page
    page.locator(".text a.verdict").first.click()
    assert "#v" in page.url
    page.goto(f"{dashboard.address}/runs/good/queries/0")
    assert page.locator("aside mark.current").first.is_visible(), "the source is scrolled to what is cited"
    assert page.locator("aside mark.gold").count() > 0
    page.get_by_role("link", name="Next query").click()
    assert page.url.endswith("/queries/1")
    assert visit.complaints == []


def test_an_answer_is_checked_while_it_is_typed_and_then_fixed(browser: Any, dashboard: Client) -> None:
    visit = Visit(browser, dashboard, "/try")
    page = visit.page
    page.get_by_label("Name").first.fill("tariff.md")
    page.get_by_label("Text").first.fill("A cubic metre of water costs 2.04 euros.")
    page.get_by_label("Answer", exact=True).fill("Water costs 2.40 euros a cubic metre [tariff.md].")
    page.locator(".finding[data-code=PIN203]").wait_for()
    assert "/try/" in page.url
    assert page.locator(".filters .count").inner_text() == "1 of 1 findings"
    page.get_by_label("Answer", exact=True).blur()
    page.keyboard.press("j")
    assert page.locator(".finding.current").get_attribute("data-code") == "PIN203"
    assert page.locator("aside mark.current").inner_text() == "A cubic metre of water costs 2.04 euros."
    page.reload()
    page.locator(".fixing input[name=fix]").first.check()
    page.get_by_role("button", name="Apply the chosen fixes").click()
    page.get_by_text("1 fix applied.").wait_for()
    assert page.locator(".copied").input_value() == "Water costs 2.04 euros a cubic metre [tariff.md]."
    assert page.locator(".finding").count() == 0
    assert visit.complaints == []


def test_without_javascript_an_answer_is_checked_by_the_form(browser: Any, dashboard: Client) -> None:
    page = Visit(browser, dashboard, "/try?example=1", java_script_enabled=False).page
    page.get_by_role("button", name="Check").click()
    page.locator(".finding[data-code=PIN203]").first.wait_for()
    assert not page.locator(".copy").is_visible()


def test_hostile_text_does_nothing_in_a_browser(browser: Any, dashboard: Client, store: Store) -> None:
    run_id = store.find(HOSTILE).run_id
    store.remark(run_id, ["<b>"], HOSTILE)
    visit = Visit(browser, dashboard, "/runs", viewport={"width": 390, "height": 800})
    long = f"{HOSTILE} {'x' * 50_000} [{HOSTILE[:30]}]."
    for path in (
        "/runs",
        f"/runs/{run_id}",
        f"/runs/{run_id}/queries/5",
        "/trends",
        f"/compare?run=good&run={run_id}",
    ):
        visit.page.goto(dashboard.address + path)
        assert not visit.overflows, path
    visit.page.goto(f"{dashboard.address}/try")
    visit.page.get_by_label("Answer", exact=True).fill(long)
    visit.page.get_by_role("button", name="Check").click()
    visit.page.locator(".result-tools").wait_for()
    assert not visit.overflows
    assert visit.complaints == []
    store.remark(run_id, [], "")


def test_a_running_evaluation_is_seen_to_grow_and_to_finish(
    browser: Any, tmp_path: Path, settings: Settings
) -> None:
    with running_evaluation(tmp_path, settings) as (client, run_id, go_on):
        visit = Visit(browser, client, f"/runs/{run_id}")
        page = visit.page
        assert page.locator(".live-count").inner_text().startswith("1 of 40")
        assert page.locator(".query-list a").count() == 1
        go_on.set()
        page.get_by_role("heading", name="Metrics").wait_for()
        assert page.locator(".live").count() == 0
        page.close()
    assert visit.complaints == []
