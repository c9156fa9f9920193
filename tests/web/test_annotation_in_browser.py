"""Annotation as people do it: in a browser, by mouse and by keyboard, several at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from accessibility import grave_violations
from annotation.small_work import EMOJI, TOWER, dataset, say, spans, workspace
from browser import open_browser
from web.annotators import Annotator, annotations, states
from web.web_server import served

pytest.importorskip("starlette", reason="`make test-web` installs what a server needs")
from pincite.annotation import Workspace
from pincite.datasets import open_answers
from pincite.web import annotation_sections

PAIRS = [
    {
        "id": "p1",
        "question": "support",
        "claim": "The tower is 74 metres high.",
        "sentence": "The tower is 74 metres high [tower.md].",
        "evidence": ["The tower is 47 metres high."],
        "documents": ["tower.md"],
        "outcome": "contradicted",
        "reason": "74 is not 47",
    }
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as found:
        yield found


@pytest.fixture(autouse=True)
def closed(browser: Any) -> Iterator[None]:
    yield
    for context in browser.contexts:
        context.close()


@pytest.fixture
def work(tmp_path: Path) -> Workspace:
    return workspace(tmp_path, clock=None)


@pytest.fixture
def address(work: Workspace) -> Iterator[str]:
    with served(annotation_sections(work)) as client:
        yield client.address


def both_done(folder: Path, person: str) -> bool:
    return len(annotations(folder, person)) == 2


def emoji_first(queries: int = 3) -> dict[str, Any]:
    """The document with emoji, line breaks and right-to-left text comes first."""
    made = dataset(queries)
    made["documents"] = [one for one in made["documents"] if one["document_id"] == "emoji.md"]
    return made


def test_spans_are_marked_by_keyboard_alone(browser: Any, work: Workspace, address: str) -> None:
    ada = Annotator(browser, address, "ada")
    ada.ready()
    ada.keys("d", *["Shift+ArrowRight"] * 9, "Enter")
    ada.wait("document.querySelectorAll('.mark-line').length === 1")
    assert ada.text(".quote") == "The tower"
    ada.keys("Control+Enter")
    ada.until(lambda: (work.folder / "ada" / work.file).exists() and annotations(work.folder, "ada"))
    (one,) = annotations(work.folder, "ada")
    (span,) = one["citations"]
    assert (span["start_char"], span["end_char"], span["text"]) == (0, 9, "The tower")
    ada.wait("document.getElementById('question').textContent.includes('tower 1')")
    assert ada.page.locator(".mark-line").count() == 0
    assert ada.complaints == []


def test_a_drag_of_the_mouse_and_a_click_mark_text(browser: Any, work: Workspace, address: str) -> None:
    ada = Annotator(browser, address, "ada")
    ada.ready()
    ada.page.locator("#documents").select_option("tower.md")
    box = ada.page.evaluate(
        "(() => { const range = new Range(), node = document.querySelector('#text div').firstChild;"
        "range.setStart(node, 4); range.setEnd(node, 9); const box = range.getBoundingClientRect();"
        "return [box.left, box.top, box.right, box.bottom]; })()"
    )
    middle = (box[1] + box[3]) / 2
    ada.page.mouse.move(box[0] + 1, middle)
    ada.page.mouse.down()
    ada.page.mouse.move(box[2] - 1, middle, steps=5)
    ada.page.mouse.up()
    ada.page.locator("#mark").click()
    ada.until(lambda: states(work.folder, "ada")["first/spans/q0"]["said"].get("sets", [[]])[0])
    (mark,) = states(work.folder, "ada")["first/spans/q0"]["said"]["sets"][0]
    assert mark == {"document": "tower.md", "start": 4, "end": 9}


def test_what_is_selected_has_the_offsets_of_the_document(browser: Any, tmp_path: Path) -> None:
    """Places are in UTF-16 units, as a browser counts them; the file counts code points."""
    work = workspace(tmp_path, emoji_first(), clock=None)
    places = [(0, 3), (0, 2), (3, 7), (12, 26), (10, 40), (22, 34), (28, 55), (0, 60), (1, 9)]
    units = EMOJI.encode("utf-16-le")
    expected = set()
    with served(annotation_sections(work)) as client:
        ada = Annotator(browser, client.address, "ada")
        ada.ready()
        for start, end in places:
            end = min(end, len(units) // 2)
            ada.select(start, end)
            ada.keys("Enter")
            # Half of a character at the edge is left out.
            expected.add(units[2 * start : 2 * end].decode("utf-16-le", "ignore").strip())
            ada.wait(f"document.querySelectorAll('.mark-line').length === {len(expected)}")
        ada.until(
            lambda: len(states(work.folder, "ada")["first/spans/q0"]["said"]["sets"][0]) == len(expected)
        )
        (marks,) = states(work.folder, "ada")["first/spans/q0"]["said"]["sets"]
    assert {EMOJI[mark["start"] : mark["end"]] for mark in marks} == expected
    assert ada.complaints == []


def test_alternative_sets_relevance_and_nothing_are_kept(browser: Any, work: Workspace, address: str) -> None:
    ada = Annotator(browser, address, "ada")
    ada.ready()
    ada.select(0, 9)
    ada.keys("Enter", "a")
    ada.select(29, 50)
    ada.keys("Enter", "r")
    ada.saved()
    said = states(work.folder, "ada")["first/spans/q0"]["said"]
    assert [[(mark["start"], mark["end"]) for mark in one] for one in said["sets"]] == [[(0, 9)], [(29, 50)]]
    assert list(said["relevance"].values()) == [1]
    ada.page.get_by_role("button", name="Remove", exact=True).last.click()
    ada.page.get_by_role("button", name="Remove this set").click()
    ada.saved()
    assert len(states(work.folder, "ada")["first/spans/q0"]["said"]["sets"]) == 1
    ada.keys("x", "Control+Enter")
    ada.wait("document.getElementById('question').textContent.includes('tower 1')")
    ada.saved()
    assert annotations(work.folder, "ada")[0]["citations"] == []
    assert ada.complaints == []


def test_undo_takes_back_the_last_change(browser: Any, work: Workspace, address: str) -> None:
    ada = Annotator(browser, address, "ada")
    ada.ready()
    ada.select(0, 9)
    ada.keys("Enter")
    ada.select(29, 50)
    ada.keys("Enter", "Escape", "u")
    ada.wait("document.querySelectorAll('.mark-line').length === 1")
    ada.keys("u")
    ada.wait("document.querySelectorAll('.mark-line').length === 0")
    assert ada.complaints == []


def test_a_note_is_saved_while_it_is_typed(browser: Any, work: Workspace, address: str) -> None:
    ada = Annotator(browser, address, "ada")
    ada.ready()
    ada.keys("o")
    ada.page.keyboard.type("unclear, see p. 3: sure?")
    ada.until(
        lambda: states(work.folder, "ada")["first/spans/q0"]["said"].get("note") == "unclear, see p. 3: sure?"
    )
    assert ada.complaints == []


def test_practice_shows_the_known_answer_before_it_goes_on(browser: Any, tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(3, known=1), training=1, clock=None)
    with served(annotation_sections(work)) as client:
        ada = Annotator(browser, client.address, "ada")
        ada.ready()
        assert ada.text("#task").startswith("Practice: ")
        ada.page.locator("#documents").select_option("tower.md")
        ada.wait("document.getElementById('text').textContent.startsWith('The tower')")
        ada.select(0, 14)
        ada.keys("Enter")
        assert "known answer" not in ada.text("#after")
        ada.keys("Control+Enter")
        ada.page.get_by_role("heading", name="The known answer: you agree to 0.50").wait_for()
        ada.keys("Control+Enter")
        ada.wait("!document.getElementById('task').textContent.startsWith('Practice')")
        assert ada.complaints == []


def test_a_verdict_takes_one_key_and_hides_the_judge_until_then(browser: Any, tmp_path: Path) -> None:
    made = dataset(1)
    work = workspace(tmp_path, made, pairs=PAIRS, clock=None)
    say(work, "ada", "first/spans/q0", spans((0, 28)))
    with served(annotation_sections(work)) as client:
        ada = Annotator(browser, client.address, "ada")
        ada.ready()
        assert "74 metres" in ada.text("#given")
        assert "74 is not 47" not in ada.page.content()
        ada.keys("2")
        ada.page.get_by_text("contradicted: 74 is not 47").wait_for()
        ada.keys("Enter")
        ada.page.locator("#question", has_text="How high is tower 0?").wait_for()  # once more, blindly
        ada.saved()
    (row,) = map(json.loads, (work.folder / "ada" / "verdicts.jsonl").read_text().splitlines())
    assert (row["verdict"], row["label"]) == ("contradicted", 0)
    assert ada.complaints == []


def test_an_item_that_comes_again_shows_nothing_of_the_first_time(browser: Any, tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(1), clock=None)
    say(work, "ada", "first/spans/q0", spans((0, 28)) | {"note": "my secret note"})
    with served(annotation_sections(work)) as client:
        ada = Annotator(browser, client.address, "ada")
        ada.ready()
        assert ada.page.locator(".mark-line").count() == 0
        assert ada.page.locator("#note").input_value() == ""
        assert "my secret note" not in ada.page.content()
        ada.select(0, 9)
        ada.keys("Enter", "Control+Enter")
        ada.page.get_by_text("You are done").wait_for()
        back = Annotator(browser, client.address, "ada", item="first/spans/q0")
        back.page.get_by_text("what you said first is closed").wait_for()
    assert [one["citations"][0]["end_char"] for one in annotations(work.folder, "ada")] == [28, 9]


def test_answers_are_marked_with_the_keys_1_to_5(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"query_id": "q0", "generated_answer": "It is 47 metres high."}\n')
    with open_answers(tmp_path / "a.jsonl") as answers:
        work = workspace(tmp_path, dataset(1), answers=answers, clock=None)
        say(work, "ada", "first/spans/q0", spans((0, 28)))
        with served(annotation_sections(work)) as client:
            ada = Annotator(browser, client.address, "ada")
            ada.ready()
            assert "It is 47 metres high." in ada.text("#given")
            ada.keys("Control+Enter")
            ada.page.get_by_text("give all marks").wait_for()
            ada.keys("5", "4", "1", "Control+Enter")
            ada.page.locator("#spans").wait_for()
            ada.saved()
            assert ada.complaints == []
    marks = next(one for one in annotations(work.folder, "ada") if "quality_scores" in one)
    assert marks["quality_scores"] == {"completeness": 1, "correctness": 0.75, "relevance": 0}


def test_two_windows_of_one_person_do_not_overwrite_each_other(
    browser: Any, work: Workspace, address: str
) -> None:
    one = Annotator(browser, address, "ada")
    one.ready()
    one.saved()
    other = Annotator(browser, address, "ada", context=one.context)
    other.ready()
    one.select(0, 9)
    one.keys("Enter")
    one.saved()
    other.select(29, 50)
    other.keys("Enter")
    other.page.get_by_text("changed in another window").wait_for()
    assert other.text(".quote") == "The tower"
    other.page.get_by_role("button", name="Keep what I have here instead").click()
    other.until(lambda: states(work.folder, "ada")["first/spans/q0"]["said"]["sets"][0][0]["start"] == 29)
    assert one.grave == other.grave == []


def test_two_people_disagree_a_third_decides_and_all_is_merged(browser: Any, tmp_path: Path) -> None:
    work = workspace(tmp_path, dataset(2), clock=None)
    with served(annotation_sections(work)) as client:
        ada = Annotator(browser, client.address, "ada")
        ben = Annotator(browser, client.address, "ben")
        for number in range(2):  # side by side
            for person, place in ((ada, (0, 28)), (ben, (0, 28) if number else (29, 50))):
                person.ready()
                person.wait(f"document.getElementById('question').textContent.includes('tower {number}')")
                person.page.locator("#documents").select_option("tower.md")
                person.wait("document.getElementById('text').textContent.startsWith('The tower')")
                person.select(*place)
                person.keys("Enter", "Control+Enter")
        for person in (ada, ben):
            person.until(partial(both_done, work.folder, person.name))
        ben.page.get_by_role("link", name="Progress and agreement").click()
        assert "0.500 is below the target of 0.85" in ben.text("main")
        ben.page.get_by_role("link", name="Conflicts").click()
        assert "1 of 1 are undecided" in ben.text("main")
        assert "not by you" in ben.text("main")
        refused = Annotator(browser, client.address, "ben", item="decide/spans/q0")
        refused.page.locator("#refused").wait_for()
        assert refused.text("main") == "A third person decides: you have annotated this item yourself."
        assert refused.page.locator("main button").count() == 0

        carl = Annotator(browser, client.address, "carl")
        carl.page.get_by_role("link", name="Conflicts").click()
        carl.page.get_by_role("link", name="decide").click()
        carl.page.locator(".side").nth(1).wait_for()
        assert [carl.text(f".side:nth-child({n}) .quote") for n in (1, 2)] == [TOWER[:28], TOWER[29:50]]
        carl.page.get_by_role("button", name="Take what ada said").focus()
        carl.keys("Enter")
        carl.wait("document.querySelectorAll('#sets .mark-line').length === 1")
        carl.keys("Control+Enter")
        carl.page.wait_for_url("**/conflicts")
        assert "by carl" in carl.text("main")
        refused = Annotator(browser, client.address, "carl", item="first/spans/q0")
        refused.page.locator("#refused").wait_for()
        assert refused.text("main") == "You have decided on this item, so you cannot annotate it as well."
        carl.page.get_by_role("link", name="Progress and agreement").click()
        carl.page.get_by_role("button", name="Merge what is settled").click()
        assert "1 agreed, 1 adjudicated: everything that was annotated is settled" in carl.text("main")
        assert ada.complaints == ben.complaints == carl.complaints == []
    truth = json.loads((tmp_path / "merged" / "small_1.0.0.gt.json").read_bytes())["annotations"]
    assert {one["query_id"]: one["citations"][0]["end_char"] for one in truth} == {"q0": 28, "q1": 28}


def test_offline_for_a_while_and_back_loses_nothing(browser: Any, work: Workspace, address: str) -> None:
    ada = Annotator(browser, address, "ada")
    with ada.page.expect_response("**/api/annotation/next?*leave=*"):
        pass
    ada.ready()
    ada.context.set_offline(True)
    ada.select(0, 9)
    ada.keys("Enter")
    ada.page.get_by_text("Not saved yet").wait_for()
    ada.keys("Control+Enter")
    ada.wait("document.getElementById('question').textContent.includes('tower 1')")
    ada.ready()
    ada.select(29, 50)
    ada.keys("Enter")
    assert ada.page.locator(".mark-line").count() == 1
    ada.context.set_offline(False)
    ada.saved()
    kept = states(work.folder, "ada")
    assert kept["first/spans/q0"]["done"] is True
    assert kept["first/spans/q1"]["said"]["sets"][0][0]["start"] == 29
    assert ada.grave == []


def test_what_was_not_sent_is_sent_when_the_page_is_opened_again(
    browser: Any, work: Workspace, address: str
) -> None:
    ada = Annotator(browser, address, "ada")
    ada.ready()
    ada.saved()
    ada.context.set_offline(True)
    ada.select(0, 9)
    ada.keys("Enter")
    ada.page.get_by_text("Not saved yet").wait_for()
    ada.page.close()
    ada.context.set_offline(False)
    again = Annotator(browser, address, "ada", context=ada.context)
    again.ready()
    again.until(lambda: states(work.folder, "ada")["first/spans/q0"]["said"].get("sets"))
    again.wait("document.querySelectorAll('.mark-line').length === 1")


def test_a_document_of_300_pages_opens_with_its_first_window_and_ends_where_it_ends(
    browser: Any, tmp_path: Path
) -> None:
    pages = [f"Page {n}.\n" + f"Line of page {n} 🗼.\n" * 140 for n in range(1, 301)]
    made = dataset(1)
    made["documents"] = [{"document_id": "long.pdf", "content": "\f".join(pages)}]
    made["documents"][0]["content"] += "\nThe very last words."
    text = made["documents"][0]["content"]
    work = workspace(tmp_path, made, clock=None)
    with served(annotation_sections(work)) as client:
        ada = Annotator(browser, client.address, "ada")
        ada.ready()
        shown = ada.page.evaluate(
            "[...document.querySelectorAll('#text div')].map((one) => one.textContent).join('')"
        )
        assert 100_000 < len(shown) < 200_000 < len(text)
        assert (
            ada.page.evaluate("getComputedStyle(document.querySelector('#text div')).contentVisibility")
            == "auto"
        )
        ada.keys("/")
        ada.page.keyboard.type("The very last words")
        ada.keys("Enter")
        ada.wait("document.getElementById('text').textContent.endsWith('The very last words.')")
        last = ada.page.evaluate("document.getElementById('text').children.length - 1")
        length = ada.page.evaluate(f"document.getElementById('text').children[{last}].textContent.length")
        ada.select(length - 20, length, last)
        ada.keys("Enter", "Control+Enter")
        ada.until(lambda: (work.folder / "ada" / work.file).exists() and annotations(work.folder, "ada"))
        assert ada.complaints == []
    (span,) = annotations(work.folder, "ada")[0]["citations"]
    assert (span["text"], span["end_char"], span["page_number"]) == ("The very last words.", len(text), 300)


HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "\u202ereversed\u202c \u2066isolated\u2069 \u200bnothing\ufeff",
    "\x00\x01\x1b[31m\r\n\x7f\x85 \ud800",
    "</textarea><style>body{display:none}</style>{{ 7*7 }}",
    "x" * 1_000_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=["markup", "direction", "control", "style", "line"])
def test_hostile_text_is_shown_harmlessly_and_keeps_its_offsets(
    browser: Any, tmp_path: Path, text: str
) -> None:
    made = dataset(2)
    made["documents"] = [{"document_id": "bad", "title": text[:300], "content": f"{text} Plain words."}]
    made["queries"][0]["query_text"] = text
    pair = PAIRS[0] | {"claim": text, "evidence": [text], "sentence": text, "reason": text}
    (tmp_path / "a.jsonl").write_text(json.dumps({"query_id": "q0", "generated_answer": text}) + "\n")
    with open_answers(tmp_path / "a.jsonl") as answers:
        work = workspace(tmp_path, made, pairs=[pair], answers=answers, clock=None)
        with served(annotation_sections(work)) as client:
            ada = Annotator(browser, client.address, "ada")
            ada.ready()
            content = f"{text} Plain words."
            last = ada.page.evaluate("document.getElementById('text').children.length - 1")
            if len(text) < 1000:
                length = ada.page.evaluate(
                    f"document.getElementById('text').children[{last}].textContent.length"
                )
                ada.select(length - 12, length, last)
                ada.keys("Enter")
                ada.until(lambda: states(work.folder, "ada")["first/spans/q0"]["said"].get("sets"))
                ((mark,),) = states(work.folder, "ada")["first/spans/q0"]["said"]["sets"]
                assert (mark["start"], mark["end"]) == (len(content) - 12, len(content))
                assert content[mark["start"] : mark["end"]] == "Plain words."
            else:
                ada.keys("x")
            for width in (1280, 390):
                ada.page.set_viewport_size({"width": width, "height": 800})
                assert not ada.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
            for item in ("first/verdicts/p1", "first/answers/q0"):
                other = Annotator(browser, client.address, "ada", item=item)
                other.ready()
                other.keys("2")
                assert not other.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
                assert other.complaints == []
            for path in ("/", "/as/ada/progress", "/as/ada/conflicts"):
                ada.page.goto(f"{client.address}{path}")
            assert ada.complaints == []


@pytest.mark.parametrize("path", ["", "/progress", "/conflicts", "people"])
def test_every_page_is_accessible_at_every_width(browser: Any, tmp_path: Path, path: str) -> None:
    work = workspace(tmp_path, dataset(2), clock=None)
    for person, place in (("ada", (0, 28)), ("ben", (29, 50))):
        say(work, person, "first/spans/q0", spans(place))
    with served(annotation_sections(work)) as client:
        ada = Annotator(browser, client.address, "ada")
        ada.ready()
        if path:
            ada.page.goto(client.address + ("/" if path == "people" else f"/as/carl{path}"))
        else:
            ada.select(0, 9)
            ada.keys("Enter")
            ada.wait("document.querySelectorAll('.mark-line').length === 1")
        assert grave_violations(ada.page) == []


@pytest.mark.parametrize("page", ["practice", "refused", "merged"])
def test_what_is_shown_in_reply_is_accessible(browser: Any, tmp_path: Path, page: str) -> None:
    work = workspace(tmp_path, dataset(3, known=1), training=1, clock=None)
    for person, place in (("ada", (0, 28)), ("ben", (29, 50))):
        say(work, person, "first/spans/q0", spans(place))
    with served(annotation_sections(work, "Cite whole sentences.")) as client:
        item = "decide/spans/q0" if page == "refused" else ""
        ada = Annotator(browser, client.address, "ada", item=item)
        if page == "refused":
            ada.page.locator("#refused").wait_for()
        else:
            ada.ready()
        if page == "practice":
            ada.select(0, 9)
            ada.keys("Enter", "Control+Enter")
            ada.page.get_by_role("heading", name="The known answer").wait_for()
        elif page == "merged":
            ada.page.get_by_role("link", name="Progress and agreement").click()
            ada.page.get_by_role("button", name="Merge what is settled").click()
            ada.page.get_by_text("left out as undecided conflicts").wait_for()
        assert grave_violations(ada.page) == []
        assert ada.grave == []


@pytest.mark.parametrize("item", ["first/verdicts/p1", "first/answers/q0", "decide/spans/q1"])
def test_every_kind_of_work_is_accessible(browser: Any, tmp_path: Path, item: str) -> None:
    (tmp_path / "a.jsonl").write_text('{"query_id": "q0", "generated_answer": "It is 47 metres high."}\n')
    with open_answers(tmp_path / "a.jsonl") as answers:
        work = workspace(tmp_path, dataset(2), pairs=PAIRS, answers=answers, clock=None)
        for person, place in (("ada", (0, 28)), ("ben", (29, 50))):
            say(work, person, "first/spans/q1", spans(place))
        with served(annotation_sections(work)) as client:
            carl = Annotator(browser, client.address, "carl", item=item)
            carl.ready()
            carl.keys("2")
            assert grave_violations(carl.page) == []
            assert carl.complaints == []
