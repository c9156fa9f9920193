"""Opens a backend by its name. Each kind is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from pincite.answering.backend import Backend
from pincite.answering.backends.function import FunctionBackend
from pincite.answering.records import Cite, Way
from pincite.base import did_you_mean, find_function
from pincite.config import Settings
from pincite.errors import InputError

_KINDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "extractive": ("extractive", "ExtractiveBackend", {}),
    "openai": ("openai", "OpenAiBackend", {}),
    "openai-responses": ("openai", "OpenAiBackend", {"responses": True}),
    "anthropic": ("anthropic", "AnthropicBackend", {}),
    "gemini": ("openai", "OpenAiBackend", {"provider": "gemini"}),
    "mistral": ("openai", "OpenAiBackend", {"provider": "mistral"}),
    "llama": ("llama", "LlamaBackend", {}),
}
"""Each kind of backend: its module in `backends/`, its class, and options of its own."""


def open_backend(model: str | Backend | Callable[..., Any] | None, settings: Settings) -> Backend:
    """The backend of that name, `extractive` without one; a function of your own, or a `Backend` as it is.

    `extractive`, `openai:MODEL`, `openai-responses:MODEL`, `anthropic:MODEL`, `gemini:MODEL`,
    `mistral:MODEL`, `llama:FILE.gguf`, and `package.module:function`.
    """
    if isinstance(model, Backend):
        return model
    if model is None:
        model = "extractive"
    if callable(model):
        return FunctionBackend(model)
    if not isinstance(model, str):
        raise InputError(f"a model is a name, a function or a Backend, not a {type(model).__name__}")
    kind, _, rest = model.partition(":")
    if kind not in _KINDS:
        near = did_you_mean(kind, _KINDS)
        if rest and not near:
            return FunctionBackend(find_function(model, what="model"), model)
        known = ", ".join([*_KINDS, "package.module:function"])
        raise InputError(f"unknown model {model!r:.80}{near or f': use one of {known}'}")
    module, name, options = _KINDS[kind]
    opened: Backend = getattr(import_module(f"pincite.answering.backends.{module}"), name)(
        rest, settings, **options
    )
    return opened


_FITTING: dict[Cite, tuple[Way, ...]] = {
    "quotes": ("quote_grammar", "json_schema", "provider_citations", "prompt", "extractive", "function"),
    "provider": ("provider_citations",),
}


def choose_way(backend: Backend, cite: Cite, wanted: Way | None = None) -> Way:
    """The first of the backend's ways that can cite like this, or the one that is wanted."""
    fitting = _FITTING.get(cite)
    if wanted is not None:
        if wanted not in backend.ways:
            known = ", ".join(backend.ways)
            raise InputError(f"{backend.name} cannot draft by {wanted}: it can draft by {known}")
        if fitting is not None and wanted not in fitting:
            raise InputError(f"what is drafted by {wanted} cannot be cited by {cite}")
        return wanted
    for way in backend.ways:
        if fitting is None or way in fitting:
            return way
    raise InputError(f"{backend.name} cannot cite by {cite}: it can only draft by {', '.join(backend.ways)}")
