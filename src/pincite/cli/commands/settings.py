"""The settings of a command, with a line on standard error about those that are ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.config import Settings


def load_settings(config: str | None = None, *, told: bool = False, **flags: Any) -> Settings:
    """As `pincite.load_settings`; what an untrusted file may not say is a warning, also with `--quiet`.

    `told` spares a command that loads them twice the second one.
    """
    from pincite.cli.output import note
    from pincite.config import load_settings

    def tell(text: str) -> None:
        if not told:
            note(text, "warning")

    return load_settings(config, tell=tell, **flags)
