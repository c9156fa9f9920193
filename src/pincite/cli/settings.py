"""The settings of a command, with a line on standard error about those that are ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.config import Settings


def load_settings(config: str | None = None, **flags: Any) -> Settings:
    """As `pincite.load_settings`; what an untrusted file may not say is a warning, also with `--quiet`."""
    from pincite.cli.output import note
    from pincite.config import load_settings

    return load_settings(config, tell=lambda text: note(text, "warning"), **flags)
