"""Annotation with hostile datasets, names, ids and bodies: words for each, no defect, no file elsewhere."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

from annotation.small_work import TOWER, dataset, spans, workspace
from web.web_server import HOSTILE, Answer, Client, served

pytest.importorskip("starlette", reason="`make test-web` installs what a server needs")
from pincite.annotation import ItemKey, Workspace
from pincite.errors import InputError
from pincite.web import annotation_sections

ODD: list[Any] = [
    None, True, 0, -1, 2**53, 2**64, 10**400, 1e308, float("nan"), float("inf"), "", "x", "\0", "\ud800",
    "../../etc/passwd", "/etc/passwd", "first/spans/q0", "decide/spans/q0", "train/spans/q3",
    "again/spans/q0", "first/verdicts/../../x", HOSTILE, "x" * 100_000, [], [[]], [1] * 1000, {}, {"a": 1},
    {"sets": []},
    {"sets": [[{"document": "tower.md", "start": 0, "end": 9}]] * 1001}, {"sets": [[{"document": "x"}]]},
    {"note": "x" * 4001}, {"note": "\ud800"}, {"scores": {"completeness": 2}}, {"nothing": 1},
    {"relevance": {"tower.md": float("nan")}}, {"relevance": {"../x": 1}}, {"verdict": HOSTILE},
]  # fmt: skip
CHANGE: dict[str, Any] = {
    "as": "ada",
    "item": "first/spans/q0",
    "revision": 0,
    "said": spans((0, 9)),
    "done": True,
    "seconds": 1,
    "by": "w",
}


class Site(NamedTuple):
    client: Client
    work: Workspace
    told: list[str]

    def send(self, what: str, body: bytes) -> Answer:
        headers = {"X_CSRF_Token": self.client.csrf(), "Content_Type": "application/json"}
        return self.client.ask("POST", f"/api/annotation/{what}", body, **headers)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    given = dataset(4, known=1, name=HOSTILE)
    given["queries"][0]["query_text"] = HOSTILE
    pairs = [{"id": "../../x", "claim": HOSTILE, "evidence": [HOSTILE], "document": HOSTILE}]
    (tmp_path / "in").mkdir()
    work, told = workspace(tmp_path / "in", given, pairs=pairs, training=1), list[str]()
    with served(annotation_sections(work), told) as client:
        yield Site(client, work, told)
    assert told == []
    outside = [path for path in tmp_path.iterdir() if path.name != "in"]
    assert outside == [] and {path.name for path in (tmp_path / "in").iterdir()} <= {"annotations", "merged"}


@pytest.mark.thorough
def test_every_field_may_hold_anything(site: Site) -> None:
    drawn = random.Random(7)
    bodies = [
        (what, CHANGE | {name: odd}) for what in ("begin", "change", "undo") for name in CHANGE for odd in ODD
    ]
    for _ in range(300):
        names = drawn.sample(list(CHANGE), 3)
        bodies.append(
            (drawn.choice(["begin", "change", "undo"]), CHANGE | {one: drawn.choice(ODD) for one in names})
        )
    statuses = {site.send(what, json.dumps(body).encode()).status for what, body in bodies}
    assert statuses == {200, 400, 403, 409}
    again = workspace(site.work.folder.parent, dataset(4, known=1), training=1)
    assert set(again.people()) <= {"ada", "x"} and again.states("ada")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b'{"as":' * 100_000,
        b'{"as": "ada", "item": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"as": "ada", "item": "first/spans/q0", "revision": 0, "said": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"as": "ada", "item": "first/spans/q0", "revision": ' + b"9" * 5000 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_body_is_refused_in_words(site: Site, body: bytes) -> None:
    answer = site.send("change", body)
    assert answer.status == 400 and answer.json["error"]


def test_a_body_over_the_limit_is_refused_before_it_is_read(site: Site) -> None:
    headers = {"X_CSRF_Token": site.client.csrf(), "Content_Length": str(1024 * 1024 + 1)}
    assert site.client.ask("POST", "/api/annotation/change", **headers).status == 413


@pytest.mark.parametrize(
    "name",
    ["..", ".", "a/b", "../x", "", "x" * 61, "a\0b", "con", "merged", HOSTILE, "a\nb", ".a", "a ", "\ud800"],
)
def test_a_name_that_could_be_a_path_is_refused(site: Site, name: str) -> None:
    quoted = quote(name.encode("utf-8", "surrogatepass"), safe="")
    for path in (
        f"/as/{quoted}",
        f"/as/{quoted}/progress",
        f"/as?name={quoted}",
        f"/api/annotation/next?as={quoted}",
    ):
        answer = site.client.get(path)
        assert answer.status in (400, 404) or answer.headers["location"] == "/as/a"
        assert "<script>alert" not in answer.text or answer.headers["content-type"] == "application/json"
    assert site.send("begin", json.dumps(CHANGE | {"as": name}).encode()).status == 400
    assert site.work.people() == []


def test_markup_of_a_dataset_is_text_on_every_page(site: Site) -> None:
    for who, place in (("ada", (0, 9)), ("ben", (20, 30))):
        said = CHANGE | {"as": who, "said": spans(place), "by": HOSTILE}
        assert site.send("change", json.dumps(said).encode()).status == 200
    for path in ("/", "/as/carl", "/as/carl/progress", "/as/carl/conflicts"):
        text = site.client.get(path).text
        assert "<script>alert" not in text and "<img src=x" not in text
    for path in ("next?as=carl", f"item?as=carl&item={quote('first/verdicts/../../x', safe='')}"):
        answer = site.client.get(f"/api/annotation/{path}")
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff" and "\u202e" not in answer.text


@pytest.mark.parametrize(
    "given",
    [
        dataset(1, dataset_id="../../x"),
        dataset(1, dataset_id="a\ud800"),
        dataset(1, version="../1"),
        {**dataset(1), "queries": [{"query_id": "\ud800", "query_text": "?", "relevant_documents": []}]},
    ],
)
def test_an_id_that_cannot_be_kept_is_said_before_anything_is_served(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match=r"file's name|half a character"):
        workspace(tmp_path, given)
    with pytest.raises(InputError, match="half a character"):
        workspace(tmp_path, pairs=[{"id": "\ud800", "claim": "c"}])


@pytest.mark.thorough
def test_giant_items_are_served_in_pieces(tmp_path: Path) -> None:
    given = dataset(2)
    given["queries"][0]["query_text"] = "How high? " * 500_000
    given["documents"][0]["content"] = TOWER * 50_000
    pairs = [{"id": "p", "claim": "x" * 3_000_000, "evidence": ["y" * 3_000_000]}]
    work = workspace(tmp_path, given, pairs=pairs)
    work.change("ada", ItemKey("first", "spans", "q0"), 0, spans((0, 9)), True)
    work.change("ben", ItemKey("first", "spans", "q0"), 0, spans((20, 30)), True)
    with served(annotation_sections(work), told := []) as client:
        for path in (
            "/api/annotation/next?as=ada",
            "/api/annotation/item?as=ada&item=first/verdicts/p",
            "/api/annotation/window?document=tower.md&start=0",
            "/as/carl/conflicts",
        ):
            answer = client.get(path)
            assert answer.status == 200 and len(answer.body) < 1_000_000, path
    assert told == []


# --- two at once -----------------------------------------------------------------------------------


@pytest.mark.parametrize("servers", [1, 2])
def test_of_many_changes_to_one_revision_one_is_saved_and_the_others_are_told(
    tmp_path: Path, servers: int
) -> None:
    """From several windows, of one server or of two on the same folder."""
    works = [workspace(tmp_path, dataset(2)) for _ in range(servers)]
    together = threading.Barrier(8)

    def save(number: int) -> Answer:
        client = Client(ports[number % servers])
        headers = {"X_CSRF_Token": client.csrf(), "Content_Type": "application/json"}
        together.wait()
        body = CHANGE | {"said": spans((0, number + 1)), "by": f"w{number}"}
        return client.ask("POST", "/api/annotation/change", json.dumps(body).encode(), **headers)

    with served(annotation_sections(works[0])) as one, served(annotation_sections(works[-1])) as other:
        ports = [one.port, other.port]
        with ThreadPoolExecutor(8) as windows:
            answers = list(windows.map(save, range(8)))
    assert sorted(answer.status for answer in answers) == [200] + [409] * 7
    won = next(answer.json["said"] for answer in answers if answer.status == 200)
    assert all(answer.json["said"] == won for answer in answers)
    assert workspace(tmp_path, dataset(2)).states("ada")["first/spans/q0"].said == won


def test_a_change_that_cannot_be_written_is_not_refused_but_asked_for_again(site: Site) -> None:
    """A page keeps what it is told to send again, and gives up what is refused."""
    site.work.folder.mkdir(parents=True)
    (site.work.folder / "ada").write_text("a file where a folder should be")
    assert site.send("change", json.dumps(CHANGE).encode()).status == 503
    (site.work.folder / "ada").unlink()
    assert site.send("change", json.dumps(CHANGE).encode()).status == 200
