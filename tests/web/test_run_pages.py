"""The list of runs, one run, one query: what they show, what they take, and what they give away."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from web_server import HOSTILE, Client, running_evaluation, served

from pincite.config import Settings
from pincite.store import Store
from pincite.web import GivenDatasets, dashboard_sections


def test_the_list_shows_every_run_with_its_main_figures(dashboard: Client, good: str, bad: str) -> None:
    text = dashboard.get("/runs").text
    assert "3 runs" in text
    assert f'href="/runs/{good}">good</a>' in text and f'href="/runs/{bad}">bad</a>' in text
    assert dashboard.get("/").headers["location"] == "/runs"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("q=GOO", 1), ("q=nothing", 0), ("dataset=sample", 3), ("dataset=other", 0),
        ("status=finished", 3), ("status=running", 0), ("since=2020-01-01", 3), ("until=2020-01-01", 0),
        ("tag=none", 0), ("limit=2", 3),
    ],
)  # fmt: skip
def test_filters_are_part_of_the_address(dashboard: Client, asked: str, found: int) -> None:
    assert dashboard.get(f"/runs?{asked}&format=json").json["total"] == found
    assert dashboard.get(f"/runs?{asked}").status == 200


@pytest.mark.parametrize(
    "asked",
    [
        "status=x",
        "sort=x",
        "order=x",
        "since=1",
        "limit=0",
        "limit=x",
        "after=x",
        f"q={'x' * 201}",
        "format=exe",
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(dashboard: Client, asked: str) -> None:
    answer = dashboard.get(f"/runs?{asked}")
    assert answer.status == 400
    assert '<p class="message">' in answer.text


def test_pages_lead_to_each_other(dashboard: Client) -> None:
    first = dashboard.get("/runs?limit=2&sort=name&order=up")
    after = first.text.partition('rel="next">')[0].rpartition('href="')[2].partition('"')[0]
    second = dashboard.get(after.replace("&amp;", "&"))
    assert 'rel="prev"' in second.text and 'rel="next"' not in second.text


def test_names_answers_and_notes_are_text(dashboard: Client, store: Store, bad: str) -> None:
    store.remark(bad, note=HOSTILE, tags=["<b>"])
    pages = [dashboard.get(path).text for path in ("/runs", f"/runs/{bad}", f"/runs/{bad}/queries/0")]
    pages += [dashboard.get(f"/runs/{bad}?format=html").text, dashboard.get("/runs?format=html").text]
    store.remark(bad, note="", tags=[])
    for text in pages:
        assert "<script>alert" not in text and "<img src=x" not in text and "\u202e" not in text
    assert all("&lt;script&gt;alert(1)" in text for text in pages)


def test_tags_and_notes_are_written_by_a_form(dashboard: Client, store: Store, good: str) -> None:
    answer = dashboard.post(
        f"/runs/{good}/remarks", {"tags": "Release, nightly", "note": "Better.\r\nKeep it."}
    )
    assert (answer.status, answer.headers["location"]) == (303, f"/runs/{good}")
    assert store.remarks(good) == (("nightly", "release"), "Better.\nKeep it.")
    text = dashboard.get(f"/runs/{good}").text
    assert 'class="tag" href="/runs?tag=nightly"' in text and "Keep it." in text
    assert dashboard.get("/runs?tag=release&format=json").json["total"] == 1
    assert dashboard.post(f"/runs/{good}/remarks", {"tags": "x" * 60, "note": ""}).status == 400
    assert dashboard.post(f"/runs/{good}/remarks", {"csrf": "forged", "note": "x"}).status == 403
    assert dashboard.post("/runs/nothing/remarks", {"note": "x"}).status == 400
    store.remark(good, [], "")


def test_a_run_shows_its_figures_and_its_worst_queries(dashboard: Client, bad: str) -> None:
    text = dashboard.get(f"/runs/{bad}").text
    assert "citation_correctness" in text and "What went wrong" in text
    assert '<strong aria-current="true">Something wrong' in text
    failed = dashboard.get(f"/runs/{bad}?which=failed").text
    assert "the ferry is late &lt;b&gt;today" in failed


def test_the_queries_of_a_run_are_paged_on_the_server(dashboard: Client, bad: str) -> None:
    seen, path = [], f"/runs/{bad}?which=all&limit=15"
    for _ in range(3):
        text = dashboard.get(path).text
        seen += [part.partition('"')[0] for part in text.split(f'href="/runs/{bad}/queries/')[1:]]
        if 'rel="next">' not in text:
            break
        path = (
            text.partition('rel="next">')[0].rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")
        )
    assert seen == [str(number) for number in range(40)]


def test_a_query_stands_beside_its_documents_with_what_was_cited_and_what_is_right(
    dashboard: Client, good: str
) -> None:
    text = dashboard.get(f"/runs/{good}/queries/0").text
    assert '<mark class="' in text and "gold " in text and "cited " in text and "located " in text
    assert "Expected answer" in text and "Should be cited" in text
    assert 'href="#v1"' in text and 'id="v1"' in text
    assert '<span class="claim supported">' in text
    assert "Next query" in text and "Previous query" not in text


def test_without_its_dataset_a_query_says_how_to_see_the_documents(
    store: Store, good: str, settings: Settings
) -> None:
    datasets = GivenDatasets([], settings)
    datasets._found.clear()
    with served(dashboard_sections(store, settings, datasets)) as client:
        assert "--dataset FILE" in client.get(f"/runs/{good}/queries/0").text


def test_a_query_is_found_by_its_id(dashboard: Client, good: str) -> None:
    assert dashboard.get(f"/runs/{good}?query=query_003").headers["location"] == f"/runs/{good}/queries/2"
    assert dashboard.get(f"/runs/{good}?query=no").status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/runs/nothing", "/runs/RUN/queries/999", "/runs/RUN/queries/x", "/runs/RUN/queries/-1",
        "/runs/..%2f..%2fetc", "/runs/RUN/queries/%D9%A3", "/runs/%00",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(dashboard: Client, good: str, path: str) -> None:
    assert dashboard.get(path.replace("RUN", good)).status == 404


def test_every_view_downloads_as_a_page_a_table_and_json(dashboard: Client, bad: str) -> None:
    for path in ("/runs", f"/runs/{bad}", f"/runs/{bad}/queries/0"):
        page = dashboard.get(f"{path}?format=html")
        assert "attachment" in page.headers["content-disposition"]
        assert "<style>" in page.text and "/static/" not in page.text and "<form" not in page.text
        table = list(csv.reader(io.StringIO(dashboard.get(f"{path}?format=csv").text)))
        assert len({len(row) for row in table}) == 1 and len(table) > 1
        assert dashboard.get(f"{path}?format=json").json
    assert len(dashboard.get(f"/runs/{bad}?format=json").json["query_results"]) == 40
    assert 'gold "' in dashboard.get(f"/runs/{bad}?format=html").text, "the file has the sources, too"


def test_a_cell_is_no_formula(dashboard: Client, store: Store, good: str) -> None:
    store.remark(good, note="=HYPERLINK(1)")
    rows = list(csv.DictReader(io.StringIO(dashboard.get("/runs?format=csv").text)))
    store.remark(good, note="")
    assert "'=HYPERLINK(1)" in [row["note"] for row in rows]


# --- live ------------------------------------------------------------------------------------------


def test_a_running_evaluation_is_followed_until_it_is_over(tmp_path: Path, settings: Settings) -> None:
    """The first results can be read while the others are still to come."""
    with running_evaluation(tmp_path, settings) as (client, run_id, go_on):
        at = f"/runs/{run_id}"
        page = client.get(at).text
        assert f'data-events="{at}/events"' in page and "live.js" in page
        first = page.partition(f'href="{at}/queries/')[2].partition('"')[0]
        assert client.get(f"{at}/queries/{first}").status == 200
        assert client.get("/runs?status=running&format=json").json["total"] == 1
        sent, over = [], ""
        for line in client.lines(f"{at}/events"):
            go_on.set()  # once the first of them is here
            if line.startswith('data: {"'):
                sent.append(json.loads(line[6:]))
            over = line or over
    assert (sent[0]["status"], sent[0]["done"]) == ("running", 1)
    assert (sent[-1]["status"], sent[-1]["done"], sent[-1]["total"]) == ("finished", 40, 40)
    assert over == "data: {}"
