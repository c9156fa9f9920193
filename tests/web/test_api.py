"""The API: every route is described, and answers with what its schema says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from web_server import Client

from pincite.config import Settings
from pincite.store import Store
from pincite.web import GivenDatasets, dashboard_sections
from pincite.web.trying import EXAMPLE

ANSWER, SOURCES = EXAMPLE
CHECK = {
    "answer": ANSWER,
    "sources": [{"name": name, "text": text} for name, text in SOURCES.items()],
    "fix": True,
}
BODIES: dict[tuple[str, str], Any] = {
    ("put", "/api/runs/{run}/remarks"): {"tags": ["from a program"], "note": "it works"},
    ("post", "/api/check"): CHECK,
}
QUERIES = {"/api/compare": "?run=good&run=bad", "/api/runs/{run}/queries": "?which=wrong&limit=3"}


@pytest.fixture(scope="module")
def document(dashboard: Client) -> dict[str, Any]:
    answer = dashboard.get("/api/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    found: dict[str, Any] = answer.json
    return found


def validator(document: dict[str, Any], schema: Any) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": document["components"]})


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, one) for path, found in document["paths"].items() for method, one in found.items()]


@pytest.mark.thorough
def test_every_route_of_the_api_is_in_the_document(
    store: Store, settings: Settings, datasets: GivenDatasets, document: dict[str, Any]
) -> None:
    routes = [route for section in dashboard_sections(store, settings, datasets) for route in section.routes]
    served = {
        (route.path, method.lower()) for route in routes for method in route.methods if "/api/" in route.path
    }
    described = {(path, method) for path, method, _ in operations(document)}
    assert served - described == {("/api/openapi.json", "get")}
    assert described - served == {("/api/session", "get")}  # which every site has


def test_every_documented_route_answers_with_what_its_schema_says(
    dashboard: Client, store: Store, document: dict[str, Any], good: str
) -> None:
    token = dashboard.csrf()
    for path, method, operation in operations(document):
        at = path.replace("{run}", good).replace("{position}", "1") + QUERIES.get(path, "")
        body = BODIES.get((method, path))
        sent = None if body is None else json.dumps(body).encode()
        answer = dashboard.ask(method.upper(), at, sent, X_CSRF_Token=token)
        assert answer.status == 200, (path, answer.text)
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        validator(document, schema).validate(answer.json)
        if body is not None:
            taken = operation["requestBody"]["content"]["application/json"]["schema"]
            validator(document, taken).validate(body)
    assert store.remarks(good) == (("from-a-program",), "it works")
    store.remark(good, [], "")


def test_the_schemas_are_not_satisfied_by_anything(document: dict[str, Any]) -> None:
    for _, _, operation in operations(document):
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert not validator(document, schema).is_valid({"something": "else"})
        assert not validator(document, schema).is_valid(3)


def test_refusals_are_what_the_document_says_they_are(dashboard: Client, document: dict[str, Any]) -> None:
    token = dashboard.csrf()
    problem = validator(document, {"$ref": "#/components/schemas/ApiProblem"})
    for method, path, body, status in (
        ("GET", "/api/runs/nothing", None, 404),
        ("GET", "/api/runs/good/queries/999", None, 404),
        ("GET", "/api/runs?limit=x", None, 400),
        ("GET", "/api/compare?run=good", None, 400),
        ("PUT", "/api/runs/nothing/remarks", b"{}", 404),
        ("PUT", "/api/runs/good/remarks", b'{"tag": []}', 400),
        ("PUT", "/api/runs/good/remarks", b"\xff", 400),
        ("POST", "/api/check", b"[" * 100_000, 400),
        ("POST", "/api/check", b'{"answer": ""}', 400),
    ):
        answer = dashboard.ask(method, path, body, X_CSRF_Token=token)
        assert answer.status == status, (path, answer.text)
        problem.validate(answer.json)
    assert dashboard.ask("PUT", "/api/runs/good/remarks", b"{}").status == 403


def test_a_check_gives_findings_and_the_fixed_answer(dashboard: Client) -> None:
    source = "Revenue grew by 21% in the first quarter. The company opened three offices in Spain."
    body = {
        "answer": "The company opened three offices in Spain [report.txt:0-41].",
        "sources": [{"name": "report.txt", "text": source}],
    }

    def check(**more: Any) -> Any:
        sent = json.dumps({**body, **more}).encode()
        return dashboard.ask("POST", "/api/check", sent, X_CSRF_Token=dashboard.csrf()).json

    found, fixed = check(), check(fix=True)
    assert found["fixed"] is None and found["report"]["findings"]
    assert fixed["fixed"] == "The company opened three offices in Spain [report.txt:42-84]."
    assert fixed["fixes"] == 1 and fixed["report"]["findings"] == []
