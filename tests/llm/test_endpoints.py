"""Which endpoint and which key a model gets, and that a key goes nowhere else."""

from __future__ import annotations

import copy
import logging
import pickle
import traceback
from typing import Any
from urllib.parse import quote

import pytest
from llm_calls import BOTH, call, caller_for, failure

import llm_server as server_of
from llm_server import Behaviour, LlmServer
from pincite.config import LlmSettings, Settings
from pincite.errors import JudgeError
from pincite.llm import CallFailed, make_client

OPENAI = "https://api.openai.com/v1"
OPENROUTER = "https://openrouter.ai/api/v1"
ANTHROPIC = "https://api.anthropic.com"
KEY = "sk-Secret/0123456789+abcdef"
KEYS = {"OPENAI_API_KEY": KEY, "OPENROUTER_API_KEY": "or-" + KEY, "ANTHROPIC_API_KEY": KEY}
OPENAI_ONLY = {"OPENAI_API_KEY": "openai-key"}
ROUTER_ONLY = {"OPENROUTER_API_KEY": "router-key"}


def find_endpoint(model: str, base_url: str | None, environment: dict[str, str]) -> Any:
    return make_client(model, Settings(llm=LlmSettings(base_url=base_url)), environment).endpoint


@pytest.mark.parametrize(
    ("model", "base_url", "environment", "url", "sent_model", "variable"),
    [
        ("gpt-4o", None, KEYS, OPENAI, "gpt-4o", "OPENAI_API_KEY"),
        ("gpt-4o", None, ROUTER_ONLY, OPENROUTER, "gpt-4o", "OPENROUTER_API_KEY"),
        ("openrouter/auto", None, KEYS, OPENROUTER, "openrouter/auto", "OPENROUTER_API_KEY"),
        ("openrouter/openai/gpt-4o", None, KEYS, OPENROUTER, "openai/gpt-4o", "OPENROUTER_API_KEY"),
        ("x", OPENROUTER, KEYS, OPENROUTER, "x", "OPENROUTER_API_KEY"),
        ("x", "https://a.example/v1/", KEYS, "https://a.example/v1", "x", "OPENAI_API_KEY"),
        (
            "x",
            None,
            {**KEYS, "OPENAI_BASE_URL": "https://b.example/v1"},
            "https://b.example/v1",
            "x",
            "OPENAI_API_KEY",
        ),
        ("claude-x", None, KEYS, ANTHROPIC, "claude-x", "ANTHROPIC_API_KEY"),
        ("anthropic:claude-x", None, KEYS, ANTHROPIC, "claude-x", "ANTHROPIC_API_KEY"),
        ("claude-x", "https://a.example/v1", KEYS, "https://a.example/v1", "claude-x", "OPENAI_API_KEY"),
        (
            "anthropic:x",
            "https://a.example",
            KEYS,
            "https://a.example",
            "x",
            "ANTHROPIC_API_KEY",
        ),
        ("anthropic/claude-x", None, ROUTER_ONLY, OPENROUTER, "anthropic/claude-x", "OPENROUTER_API_KEY"),
    ],
)
def test_a_model_finds_its_endpoint_and_key(
    model: str, base_url: str | None, environment: dict[str, str], url: str, sent_model: str, variable: str
) -> None:
    endpoint = find_endpoint(model, base_url, environment)
    assert (endpoint.base_url, endpoint.model, endpoint.variable) == (url, sent_model, variable)
    assert endpoint.key is not None and endpoint.key.reveal() == environment[variable]


@pytest.mark.parametrize(
    ("model", "environment", "variable"),
    [
        ("gpt-4o", {}, "OPENAI_API_KEY"),
        ("openrouter/auto", OPENAI_ONLY, "OPENROUTER_API_KEY"),
        ("claude-x", OPENAI_ONLY, "ANTHROPIC_API_KEY"),
    ],
)
def test_a_missing_key_is_said_by_the_name_of_its_variable(
    model: str, environment: dict[str, str], variable: str
) -> None:
    with pytest.raises(JudgeError, match=f"set the variable {variable}"):
        find_endpoint(model, None, environment)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/v1",
        "http://localhost:11434/v1",
        "http://[::1]:8000/v1",
        "http://192.168.1.5:8000/v1",
        "http://gpu-box:8000/v1",
        "http://gpu.local/v1",
    ],
)
def test_a_local_endpoint_needs_no_key(url: str) -> None:
    assert find_endpoint("m", url, {}).key is None


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("https://models.example/v1", True),
        ("http://models.example/v1", False),
        ("http://192.168.1.5:8000/v1", False),
        ("http://gpu-box:8000/v1", False),
        ("https://192.168.1.5/v1", True),
    ],
)
def test_a_key_travels_only_where_nobody_reads_along(url: str, sent: bool) -> None:
    assert (find_endpoint("m", url, OPENAI_ONLY).key is not None) is sent


def test_a_key_of_one_provider_is_not_sent_to_another() -> None:
    with pytest.raises(JudgeError, match="OPENAI_API_KEY"):
        find_endpoint("m", "https://models.example/v1", ROUTER_ONLY)
    with pytest.raises(JudgeError, match="OPENROUTER_API_KEY"):
        find_endpoint("m", OPENROUTER, OPENAI_ONLY)


@pytest.mark.parametrize(
    "url",
    ["ftp://a/v1", "models.example/v1", "http://", "http://a:port/v1", "http://[::1/v1", "https:///v1", "x"],
)
def test_a_base_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(JudgeError, match="base URL"):
        find_endpoint("m", url, KEYS)


@pytest.mark.parametrize(
    "url",
    ["https://me:s3cret@a.example/v1", "https://s3cret@a.example/v1", "https://a.example/v1?key=s3cret"],
)
def test_a_secret_in_the_base_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(JudgeError, match="a\\.example") as caught:
        find_endpoint("m", url, {})
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("value", ["sk-abc\ndef", "sk-ü-0123456789", "sk abc"])
def test_a_key_that_cannot_be_one_is_refused_without_repeating_it(value: str) -> None:
    with pytest.raises(JudgeError, match="OPENAI_API_KEY") as caught:
        find_endpoint("m", None, {"OPENAI_API_KEY": value})
    assert value not in str(caught.value)


def test_a_key_with_white_space_round_it_is_still_a_key() -> None:
    endpoint = find_endpoint("m", None, {"OPENAI_API_KEY": f" {KEY}\n"})
    assert endpoint.key is not None and endpoint.key.reveal() == KEY


def test_no_model_is_said() -> None:
    for model in ("", "  ", "anthropic:"):
        with pytest.raises(JudgeError, match="no model is named"):
            find_endpoint(model, "http://localhost/v1", {})


def test_what_holds_a_key_does_not_show_it() -> None:
    caller = make_client("gpt-4o", None, KEYS)
    held = repr(caller) + repr(vars(caller)) + str(caller.identity) + repr(caller.endpoint)
    assert KEY not in held
    for store in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="a key is not stored"):
            store(caller.endpoint.key)


# --- over the wire -------------------------------------------------------------------------------


@BOTH
def test_the_key_is_sent_as_the_protocol_wants_it(model: str) -> None:
    with LlmServer() as server:
        call(caller_for(server, model, KEYS))
    headers = server.seen[0].headers
    # Anthropic's SDK has changed the header over the years.
    sent = {headers.get("authorization"), headers.get("x-api-key")} - {None}
    assert sent <= {f"Bearer {KEY}", KEY} and len(sent) == 1


@BOTH
def test_nothing_that_an_sdk_finds_in_the_environment_is_sent_along(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*KEYS, "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "from-the-environment")
    with LlmServer() as server:
        call(caller_for(server, model, {}))
        call(caller_for(server, model, KEYS))
    assert "from-the-environment" not in str([request.headers for request in server.seen])
    assert "authorization" not in server.seen[0].headers and "x-api-key" not in server.seen[0].headers


ECHOES = {
    "an error": lambda: server_of.fails(401, f"Incorrect API key provided: {KEY}"),
    "an error that is retried": lambda: server_of.fails(500, f"Bearer {KEY}"),
    "a page": lambda: server_of.html_page(502),
    "a refusal": lambda: server_of.refuses(f"I refuse {KEY}"),
    "a reply cut short": lambda: server_of.stops_short(f"the key is {KEY}"),
    "wrong JSON": lambda: server_of.sends(f"{{{KEY}"),
    "a cut connection": lambda: server_of.cuts(200, text=KEY * 20),
    "a drip": lambda: server_of.drips(KEY),
}


@BOTH
@pytest.mark.parametrize("name", ECHOES)
def test_no_secret_is_in_an_error_its_reply_its_traceback_or_a_log(
    model: str, name: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    for library in ("openai", "anthropic", "httpx", "httpx2", "httpcore", "httpcore2"):
        caplog.set_level(logging.DEBUG, logger=library)
    behaviour: Behaviour = ECHOES[name]()
    with LlmServer(behaviour) as server:
        caller = caller_for(
            server, model, KEYS, retry_attempts=0, timeout_seconds=0.5 if name == "a drip" else 20
        )
        failed = failure(caller)
    assert isinstance(failed, CallFailed)
    everything = [str(failed), repr(failed), failed.reply or "", repr(vars(failed)), repr(caller)]
    everything += traceback.format_exception(failed)
    everything += [record.getMessage() + repr(record.args) for record in caplog.records]
    assert caplog.records, "the libraries do log"
    assert not any(KEY in text for text in everything)
    assert failed.__cause__ is None and failed.__context__ is None


@BOTH
def test_a_reply_that_repeats_the_key_comes_without_it(model: str) -> None:
    with LlmServer(f"0.9, by the way your key is {KEY}") as server:
        assert call(caller_for(server, model, KEYS, stream=True)) == "0.9, by the way your key is [key]"


@pytest.mark.parametrize(
    ("key", "told", "heard"),
    [
        (KEY, f"url?k={quote(KEY, safe='')} and {quote(KEY)}", "url?k=[key] and [key]"),
        ('a"bcdefgh', 'as JSON "a\\"bcdefgh"', 'as JSON "[key]"'),
        ("EMPTY", "EMPTY is a word, no key", "EMPTY is a word, no key"),
    ],
)
def test_a_key_is_known_in_its_escaped_forms_and_a_placeholder_is_spared(
    key: str, told: str, heard: str
) -> None:
    with LlmServer(told) as server:
        assert call(caller_for(server, environment={"OPENAI_API_KEY": key})) == heard


@BOTH
def test_a_redirect_that_repeats_the_key_is_told_without_it(model: str) -> None:
    with LlmServer(server_of.redirects(f"http://127.0.0.1:9/{KEY}")) as server:
        assert "http://127.0.0.1:9/[key]" in str(failure(caller_for(server, model, KEYS)))


def test_an_unreachable_host_names_no_key() -> None:
    settings = Settings(llm=LlmSettings(base_url="http://127.0.0.1:9/v1", retry_attempts=0))
    failed = failure(make_client("m", settings, KEYS))
    assert failed.cause == "connection" and KEY not in "".join(traceback.format_exception(failed))
