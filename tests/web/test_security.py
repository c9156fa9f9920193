"""Who is let in, and what a browser may do with what it gets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from web_server import Client, served

from pincite.errors import InputError
from pincite.web import Guard, Section, WebRoute
from pincite.web.pages import render

TOKEN = "0123456789abcdef0123456789abcdef"
HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'


async def change(request: Request) -> Response:
    return PlainTextResponse(f"changed {len(await request.body())}")


def form(request: Request) -> Response:
    return PlainTextResponse("form taken")


def fail(request: Request) -> Response:
    raise RuntimeError("the password is swordfish")


def refuse(request: Request) -> Response:
    raise InputError(f"no {HOSTILE}")


def page(request: Request) -> Response:
    return render(request, "error.html", title=HOSTILE, said=HOSTILE)


SECTIONS = (
    Section(
        (
            WebRoute("/page", page),
            WebRoute("/change", change, ("POST", "PUT", "DELETE"), 1000),
            WebRoute("/form", form, ("POST",), 1000),
            WebRoute("/fail", fail),
            WebRoute("/refuse", refuse),
            WebRoute("/api/refuse", refuse),
            WebRoute("/api/fail", fail),
        ),
        "Page",
        "/page",
    ),
)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with served(SECTIONS) as found:
        yield found


@pytest.fixture(scope="module")
def locked() -> Iterator[Client]:
    with served(SECTIONS, host="192.0.2.7", token=TOKEN, names=["box.example"]) as found:
        yield found


# --- the name of the server ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:80", "127.9.9.9", "localhost."]
)
def test_a_request_that_names_this_machine_is_answered(client: Client, host: str) -> None:
    assert client.get("/page", Host=host).status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.1.9", "", "a b", "[::1"],
)
def test_a_foreign_name_is_refused_with_nothing_of_the_site(client: Client, host: str) -> None:
    answer = client.get("/page", Host=host)
    assert answer.status in (400, 403)
    assert "Pincite" not in answer.text


def test_a_server_for_others_takes_numbers_and_its_own_names_only() -> None:
    guard = Guard("0.0.0.0", 1, TOKEN, ["box.example"])
    assert guard.admits_host("203.0.113.5:8765")
    assert guard.admits_host("[2001:db8::1]:8765")
    assert guard.admits_host("box.example")
    assert not guard.admits_host("rebound.example")
    assert not guard.admits_host(None)


def test_only_this_machine_needs_no_token() -> None:
    for host in ("127.0.0.1", "::1", "localhost"):
        assert Guard(host).token is None
    for host in ("0.0.0.0", "example.com"):
        with pytest.raises(ValueError, match="token"):
            Guard(host)


# --- the token -------------------------------------------------------------------------------------


def test_without_the_token_nothing_is_shown(locked: Client) -> None:
    for path in ("/page", "/static/x/y", "/api/session", "/nowhere", "/page?token=wrong", "/page?token="):
        answer = Client(locked.port).get(path)
        assert answer.status == 401
        assert "/page" not in answer.text
    assert "pincite_token" not in str(Client(locked.port).get("/page?token=wrong").headers)


def test_the_token_becomes_a_cookie_and_leaves_the_address(locked: Client) -> None:
    client = Client(locked.port)
    answer = client.get(f"/page?a=1&token={TOKEN}&b=%2F%3F")
    assert (answer.status, answer.headers["location"]) == (303, "/page?a=1&b=%2F%3F")
    kept = [one for one in answer.headers.get_all("set-cookie", []) if one.startswith("pincite_token")]
    assert len(kept) == 1 and "HttpOnly" in kept[0] and "SameSite=Strict" in kept[0]
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert TOKEN not in str(answer.headers) and TOKEN not in answer.text
    assert client.get("/page").status == 200


@pytest.mark.parametrize("query", ["token={0}&token=x", "token=x&token={0}", "token=x", "token=&a=1"])
def test_no_page_is_shown_at_an_address_with_a_token(locked: Client, query: str) -> None:
    client = Client(locked.port)
    client.get(f"/page?token={TOKEN}")
    for headers in ({}, {"Authorization": f"Bearer {TOKEN}"}):
        answer = client.get(f"/page?{query.format(TOKEN)}", **headers)
        assert answer.status == 303 and "token" not in answer.headers["location"]


def test_a_token_for_a_single_use_lets_in_once() -> None:
    guard = Guard(token=TOKEN)
    single = guard.single_token()
    assert [guard.takes_token(single), guard.takes_token(single)] == [True, False]
    assert guard.takes_token(TOKEN) and guard.takes_token(TOKEN)
    assert not guard.admits_token(single) and not guard.admits_pass(single)


def test_the_cookie_of_a_server_without_its_token_is_worth_nothing() -> None:
    first, again, other = Guard(token=TOKEN), Guard(token=TOKEN), Guard(token=TOKEN[::-1])
    assert again.admits_pass(first.pass_key)
    assert not other.admits_pass(first.pass_key) and not first.admits_pass(TOKEN)
    assert not first.admits_pass("") and not first.admits_pass("\udcff") and not first.admits_pass(None)


def test_the_token_cannot_send_a_browser_elsewhere(locked: Client) -> None:
    for path in ("//evil.example/", "/%5Cevil.example", "///evil.example"):
        location = Client(locked.port).get(f"{path}?token={TOKEN}").headers["location"]
        assert location.startswith("/") and not location.startswith(("//", "/\\"))


def test_a_program_sends_the_token_in_a_header_and_needs_nothing_else(locked: Client) -> None:
    client = Client(locked.port)
    assert client.ask("POST", "/change", b"{}", Authorization=f"Bearer {TOKEN}").text == "changed 2"
    assert client.ask("POST", "/change", b"{}", Authorization="Bearer wrong").status == 401
    assert client.ask("POST", f"/change?token={TOKEN}", b"{}").status == 401


def test_the_cookie_alone_changes_nothing(locked: Client) -> None:
    client = Client(locked.port)
    client.get(f"/page?token={TOKEN}")
    assert client.ask("POST", "/change", b"{}").status == 403


# --- pages of other sites --------------------------------------------------------------------------

FOREIGN = ["http://evil.example", "http://127.0.0.1:9", "http://localhost:9", "null", "file://", "", "x"]


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_foreign_origin_is_refused_whatever_else_is_right(
    client: Client, locked: Client, origin: str, method: str
) -> None:
    path = "/change" if method == "POST" else "/page"
    key = {"X_CSRF_Token": client.csrf()}
    assert client.ask(method, path, b"{}", Origin=origin, **key).status == 403
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert Client(locked.port).ask(method, path, b"{}", Origin=origin, **bearer).status == 403


def test_the_own_origin_is_admitted_also_behind_a_proxy(client: Client, locked: Client) -> None:
    key = {"X_CSRF_Token": client.csrf()}
    assert client.ask("POST", "/change", b"{}", Origin=client.address, **key).status == 200
    private = client.ask("POST", "/change", b"{}", Origin="null", Sec_Fetch_Site="same-origin", **key)
    assert private.status == 200
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    for host, origin in (
        ("box.example", "https://box.example"),
        ("box.example:443", "https://box.example"),
        (f"127.0.0.1:{locked.port}", "https://box.example"),
        (f"127.0.0.1:{locked.port}", "https://BOX.example:8443"),
    ):
        asked = Client(locked.port).ask("POST", "/change", b"{}", Host=host, Origin=origin, **bearer)
        assert asked.status == 200, origin


# --- forged requests -------------------------------------------------------------------------------


def test_a_form_of_the_site_is_taken(client: Client) -> None:
    assert client.post("/form", {"a": "1"}).text == "form taken"


def test_a_header_does_as_well_as_a_field(client: Client) -> None:
    token = client.csrf()
    for method in ("POST", "PUT", "DELETE"):
        assert client.ask(method, "/change", b"{}", X_CSRF_Token=token).text == "changed 2"


@pytest.mark.parametrize(
    ("fields", "headers"),
    [
        ({"csrf": ""}, {}),
        ({"csrf": "0" * 64}, {}),
        ({"csrf": "ünï"}, {}),
        ({}, {"X_CSRF_Token": "wrong"}),
        ({}, {"Sec_Fetch_Site": "cross-site"}),
        ({}, {"Sec_Fetch_Site": "same-site"}),
    ],
)
def test_a_forged_form_is_refused(client: Client, fields: dict[str, str], headers: dict[str, str]) -> None:
    answer = client.post("/form", fields, **headers)
    assert answer.status == 403
    assert "Reload the page" in answer.text


def test_the_key_of_another_session_is_refused(client: Client) -> None:
    other = Client(client.port).csrf()
    assert client.post("/form", {"csrf": other}).status == 403


def test_a_change_without_a_body_or_of_another_kind_is_refused(client: Client) -> None:
    assert client.ask("POST", "/change").status == 403
    assert client.ask("POST", "/change", b'{"csrf": 1}', Content_Type="application/json").status == 403
    assert client.ask("POST", "/change", b"x", Content_Type="multipart/form-data").status in (400, 403)


# --- bodies ----------------------------------------------------------------------------------------


def test_a_body_that_is_too_large_is_refused_before_it_is_read(client: Client) -> None:
    # Nothing of the body is sent: a server that closes with unread bytes resets the connection.
    answer = client.ask("POST", "/change", Content_Length="1001", X_CSRF_Token=client.csrf())
    assert answer.status == 413
    for length in ("9" * 4000, "-1", "²"):
        assert client.ask("POST", "/change", Content_Length=length).status in (400, 403, 413)


def test_a_body_without_a_length_is_cut_off_at_the_limit(client: Client) -> None:
    token = client.csrf()
    small = client.ask("POST", "/change", iter([b"x" * 500]), X_CSRF_Token=token)
    assert small.text == "changed 500"
    large = client.ask("POST", "/change", iter([b"x" * 400] * 3), X_CSRF_Token=token)
    assert large.status == 413


# --- what a browser may do -------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/page", "/nowhere", "/api/nowhere", "/fail"])
def test_every_response_forbids_what_no_page_needs(client: Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


def test_a_page_has_no_inline_script_or_style_and_shows_markup_as_text(client: Client) -> None:
    text = client.get("/page").text
    assert "<script>" not in text and "<style" not in text and " style=" not in text
    assert "<img" not in text and "&lt;img" in text


def test_static_files_are_kept_by_a_browser_under_an_address_of_their_content(client: Client) -> None:
    text = client.get("/page").text
    address = text.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    answer = client.get(address)
    assert answer.status == 200 and answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    assert client.get(address.replace("/static/", "/static/0")).status == 404


@pytest.mark.parametrize(
    "name",
    ["../page.py", "..%2f..%2fpage.py", "%2e%2e/page.py", "/etc/passwd", "%2fetc%2fpasswd", "pincite.css%00"],
)
def test_no_path_leads_out_of_the_static_files(client: Client, name: str) -> None:
    version = client.get("/page").text.partition("/static/")[2].partition("/")[0]
    assert client.get(f"/static/{version}/{name}").status == 404


# --- errors ----------------------------------------------------------------------------------------


def test_a_defect_shows_no_detail_to_the_browser_and_one_line_to_the_terminal() -> None:
    told: list[str] = []
    with served(SECTIONS, told) as client:
        for path in ("/fail", "/api/fail"):
            answer = client.get(path)
            assert answer.status == 500
            assert "swordfish" not in answer.text and "Traceback" not in answer.text
        assert client.get("/page").status == 200
    assert len(told) == 2 and "RuntimeError" in told[0] and "\n" not in told[0]


def test_bad_input_is_explained_as_text(client: Client) -> None:
    answer = client.get("/refuse")
    assert answer.status == 400
    assert "<script>alert" not in answer.text and "&lt;script&gt;" in answer.text
    assert client.get("/api/refuse").json == {"error": f"no {HOSTILE}"}
    assert client.get("/api/nowhere").json == {"error": "Not found"}


def test_a_method_that_an_address_does_not_have_is_refused(client: Client) -> None:
    assert client.ask("DELETE", "/page").status == 405
