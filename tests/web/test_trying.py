"""Try it: what is pasted or uploaded is checked, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_server import HOSTILE, Client

from pincite.config import Settings
from pincite.records import Source
from pincite.web import try_page
from pincite.web.try_page import EXAMPLE, TryPage, plain_name, read_sources

ANSWER, SOURCES = EXAMPLE


def pasted(answer: str = ANSWER, **more: object) -> dict[str, object]:
    return {"answer": answer, "source_name": list(SOURCES), "source_text": list(SOURCES.values()), **more}


def multipart(client: Client, parts: list[tuple[str, str | None, bytes]]) -> tuple[bytes, str]:
    """A form with files, as a browser sends it."""
    edge, body = "edge-of-parts", b""
    for name, file, content in [("csrf", None, client.csrf().encode()), *parts]:
        named = f'; filename="{file}"' if file is not None else ""
        body += (
            f'--{edge}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'.encode()
            + content
            + b"\r\n"
        )
    return body + f"--{edge}--\r\n".encode(), f"multipart/form-data; boundary={edge}"


def upload(client: Client, parts: list[tuple[str, str | None, bytes]]) -> str:
    body, kind = multipart(client, parts)
    answer = client.ask("POST", "/try", body, Content_Type=kind)
    assert answer.status == 303, answer.text
    return client.get(answer.headers["location"]).text


def test_a_pasted_answer_is_shown_with_its_findings_under_an_address(dashboard: Client) -> None:
    answer = dashboard.post("/try", pasted())
    assert answer.status == 303
    text = dashboard.get(answer.headers["location"]).text
    assert 'data-code="PIN203"' in text and "Apply the chosen fixes" in text
    assert dashboard.get(answer.headers["location"]).text == text
    for form in ("html", "csv", "json"):
        assert "PIN203" in dashboard.get(f"{answer.headers['location']}?format={form}").text


def test_a_question_is_answered_from_the_sources_and_the_answer_is_checked(dashboard: Client) -> None:
    asked = pasted("", query="What does a cubic metre of water cost?", do="answer")
    at = dashboard.post("/try", asked)
    assert at.status == 303
    text = dashboard.get(at.headers["location"]).text
    assert "A cubic metre of water costs 2.04 euros" in text and "tariff.md:0-40" in text
    assert "without a model" in text and "data-code" not in text
    checked_again = dashboard.post("/try", pasted(copied(text)))
    assert "data-code" not in dashboard.get(checked_again.headers["location"]).text


def test_that_the_sources_do_not_say_and_that_nothing_was_asked_is_told(dashboard: Client) -> None:
    at = dashboard.post("/try", pasted("", query="Who won the chess tournament in Baku?", do="answer"))
    text = dashboard.get(at.headers["location"]).text
    assert "I cannot answer that from these sources." in text and "data-code" not in text
    for more, said in (({"query": ""}, "no question"), ({"query": "Q?", "source_text": []}, "no source")):
        refused = dashboard.post("/try", {**pasted(""), "do": "answer", **more})
        assert refused.status == 400 and said in refused.text


def copied(text: str) -> str:
    """The answer as it can be copied from the page."""
    return text.partition('class="copied"')[2].partition(">")[2].partition("</textarea>")[0]


def test_fixes_are_applied_and_the_result_can_be_copied(dashboard: Client) -> None:
    at = dashboard.post("/try", pasted()).headers["location"]
    fixed = dashboard.post(f"{at}/fix", {"fix": ["0", "99", "x", "-1"]})
    text = dashboard.get(fixed.headers["location"]).text
    assert "1 fix applied" in text
    assert "2.04 euros" in copied(text)
    assert dashboard.post(f"{at}/fix", {"csrf": "forged"}).status == 403


def test_files_are_read_by_their_kind_and_named_by_their_last_part(dashboard: Client) -> None:
    text = upload(
        dashboard,
        [
            ("answer_file", "a.md", b"Water costs 2.40 euros [tariff.html]."),
            ("source_file", "..\\..\\etc/tariff.html", b"<p>Water costs <b>2.04</b> euros.</p>"),
        ],
    )
    assert 'data-code="PIN203"' in text and '<h2 id="s1-name">tariff.html</h2>' in text


def test_a_name_or_a_text_never_becomes_a_path(tmp_path: Path, dashboard: Client) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("swordfish")
    records = (
        f'[{{"document_id": "d", "content": "Nothing.", "file_path": "{secret}"}}, {{"path": "{secret}"}}]'
    )
    for name, content in (
        (str(secret), "Water."), ("content", str(secret)), ("file_path", str(secret)), ("d.json", records),
    ):  # fmt: skip
        library = read_sources([(name, content), ("document_id", "x"), ("content", "y")])
        assert all("swordfish" not in source.text and source.file_path is None for source in library.sources)
    text = upload(
        dashboard,
        [("answer", None, f"See {secret} [{secret}].".encode()), ("source_file", "d.json", records.encode())],
    )
    assert "swordfish" not in text


@pytest.mark.parametrize("name", ["../../x.md", "C:\\a\\x.md", "/x.md", "x.md\0"])
def test_only_the_last_part_of_a_name_counts(name: str) -> None:
    assert plain_name(name) == "x.md"


def test_markup_in_an_answer_and_in_sources_is_text(dashboard: Client) -> None:
    fields = {"answer": f"{HOSTILE} [a.md]. </textarea>{HOSTILE}", "source_name": [HOSTILE[:60]]}
    answer = dashboard.post("/try", {**fields, "source_text": [HOSTILE], "query": HOSTILE})
    text = dashboard.get(answer.headers["location"]).text
    assert "<script>alert" not in text and "<img src=x" not in text and "</textarea>&lt;script" not in text


@pytest.mark.parametrize(
    ("fields", "status"), [({"answer": " "}, 400), ({}, 400), ({"answer": "x" * 1_000_001}, 413)]
)
def test_what_cannot_be_checked_is_refused_in_words(
    dashboard: Client, fields: dict[str, str], status: int
) -> None:
    answer = dashboard.post("/try", fields)
    assert answer.status == status and '<p class="message">' in answer.text


def test_an_upload_over_the_limit_is_refused(dashboard: Client) -> None:
    answer = dashboard.ask(
        "POST", "/try", b"x", Content_Length=str(try_page.MOST_BYTES + 1), X_CSRF_Token=dashboard.csrf()
    )
    assert answer.status == 413
    body, kind = multipart(
        dashboard, [("source_file", "a.txt", b"x")] * 60 + [("answer", None, b"Hello there.")]
    )
    assert dashboard.ask("POST", "/try", body, Content_Type=kind).status == 413


def test_the_oldest_results_go_when_the_room_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = TryPage(Settings(judge="rules"))
    attempt = tried.check("x" * 60, [])
    first, second = tried.keep(attempt), tried.keep(attempt)
    monkeypatch.setattr(try_page, "KEPT_BYTES", 2 * len(tried._kept[first]))
    third = tried.keep(attempt)
    assert list(tried._kept) == [second, third]


def test_a_source_that_cannot_be_read_is_listed(dashboard: Client) -> None:
    text = upload(dashboard, [("answer", None, b"Water [a.pdf]."), ("source_file", "a.pdf", b"%PDF-broken")])
    assert "Not read" in text and "a.pdf" in text


def test_sources_keep_their_order_and_repeated_names_apart() -> None:
    library = read_sources([("a", "one"), ("a", "two"), ("", "three")])
    assert [(one.name, one.text) for one in library.sources if isinstance(one, Source)] == [
        ("a#1", "one"), ("a#2", "two"), ("source 3", "three"),
    ]  # fmt: skip
