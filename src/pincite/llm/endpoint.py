"""Which endpoint a model is asked at and with which key, and how a key stays where it belongs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Literal, NoReturn
from urllib.parse import quote, urlsplit

from msgspec import Struct

from pincite.errors import JudgeError

OPENAI = "https://api.openai.com/v1"
OPENROUTER = "https://openrouter.ai/api/v1"
ANTHROPIC = "https://api.anthropic.com"
COMPATIBLE = {
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "mistral": ("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
}
"""Providers with an OpenAI-compatible address of their own: `gemini:MODEL`, and where their key is."""
HIDDEN = "[key]"
SHORTEST_SECRET = 8
"""A shorter key is a placeholder such as `EMPTY`: hiding it would take words out of every text."""


class Secret:
    """A key that is not shown by printing, comparing or storing what holds it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not stored")

    def reveal(self) -> str:
        return self._value


class Endpoint(Struct, frozen=True):
    """Where a model is asked, and who asks."""

    kind: Literal["openai", "anthropic"]
    base_url: str
    model: str
    """As the endpoint knows it."""
    key: Secret | None
    variable: str
    """The variable of the environment that holds the key, or would."""
    responses: bool = False
    """Whether OpenAI's Responses API is spoken rather than chat completions."""

    @property
    def protocol(self) -> str:
        """How bodies are written and read: `openai`, `responses` or `anthropic`."""
        return "responses" if self.responses else self.kind

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).netloc


def find_endpoint(model: str, base_url: str | None, environment: Mapping[str, str]) -> Endpoint:
    """The endpoint of a model named as in `llm:MODEL`, with its key, or a `JudgeError` that says what to set.

    `anthropic:MODEL`, and `claude-…` unless a base URL is set, are asked through Anthropic's own API, every
    other model through an OpenAI-compatible one: that of its provider for `gemini:MODEL` and `mistral:MODEL`;
    for others the base URL, else `OPENAI_BASE_URL`, else OpenRouter for `openrouter/…` or when its key is the
    only one, else OpenAI.
    """
    model = model.strip()
    if model.startswith("anthropic:") or (model.startswith("claude-") and not base_url):
        url = base_url or environment.get("ANTHROPIC_BASE_URL") or ANTHROPIC
        return _with_key("anthropic", url, model.removeprefix("anthropic:"), "ANTHROPIC_API_KEY", environment)
    provider, _, rest = model.partition(":")
    if provider in COMPATIBLE:
        usual, variable = COMPATIBLE[provider]
        return _with_key("openai", base_url or usual, rest, variable, environment)
    only_openrouter = environment.get("OPENROUTER_API_KEY") and not environment.get("OPENAI_API_KEY")
    usual = OPENROUTER if model.startswith("openrouter/") or only_openrouter else OPENAI
    url = base_url or environment.get("OPENAI_BASE_URL") or usual
    at_openrouter = _is_openrouter(_checked(url))
    if at_openrouter and model.count("/") > 1:
        # Other tools write `openrouter/` before a name such as `openai/gpt-4o`; `openrouter/auto` is a name.
        model = model.removeprefix("openrouter/")
    variable = "OPENROUTER_API_KEY" if at_openrouter else "OPENAI_API_KEY"
    return _with_key("openai", url, model, variable, environment)


def scrub(text: str, key: Secret | None) -> str:
    """The text with the key hidden, also where it was escaped for a URL or for JSON."""
    value = key.reveal() if key else ""
    if len(value) < SHORTEST_SECRET:
        return text
    for form in {value, quote(value, safe=""), quote(value), json.dumps(value)[1:-1]}:
        text = text.replace(form, HIDDEN)
    return text


def stays_here(base_url: str) -> bool:
    """Whether a request to the URL never leaves this computer."""
    host = urlsplit(base_url).hostname or ""
    address = _address(host)
    return host == "localhost" or host.endswith(".localhost") or bool(address and address.is_loopback)


def _with_key(
    kind: Literal["openai", "anthropic"], url: str, model: str, variable: str, environment: Mapping[str, str]
) -> Endpoint:
    url = _checked(url)
    if not model:
        raise JudgeError("no model is named: write llm:MODEL, or set llm.model")
    value = environment.get(variable, "").strip()
    if value and not all("!" <= char <= "~" for char in value):
        raise JudgeError(f"the value of {variable} has characters that no key has: copy the key again")
    # A key in a request that others on the way can read is a key given away.
    safe = url.startswith("https://") or stays_here(url)
    if not value and not _is_local(url):
        raise JudgeError(
            f"no key for {urlsplit(url).netloc}: set the variable {variable}, "
            "or name another endpoint by --base-url or llm.base_url"
        )
    return Endpoint(kind, url, model, Secret(value) if value and safe else None, variable)


def _checked(url: str) -> str:
    url = url.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise JudgeError(
            "the base URL is not an http or https address: write one like http://127.0.0.1:8000/v1"
        )
    if parts.username or parts.password:
        raise JudgeError(
            f"the base URL of {parts.hostname} holds a name or a password: put the key into the environment"
        )
    if parts.query or parts.fragment:
        raise JudgeError(
            f"the base URL of {parts.hostname} has a query string: end it with the path, such as …/v1"
        )
    return url


def _is_openrouter(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host == "openrouter.ai" or host.endswith(".openrouter.ai")


def _is_local(url: str) -> bool:
    """On this computer or the local network, where servers mostly ask for no key."""
    host = urlsplit(url).hostname or ""
    named = "." not in host and ":" not in host  # as names on a local network are
    address = _address(host)
    private = address is not None and address.is_private
    return stays_here(url) or named or private or host.endswith((".local", ".internal", ".lan"))


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
