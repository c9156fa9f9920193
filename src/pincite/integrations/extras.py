"""What an adapter says when its framework cannot be imported."""

from __future__ import annotations

from pincite.errors import MissingExtraError


def cannot_import(error: ImportError, package: str, extra: str) -> MissingExtraError:
    """Whether the framework is missing or is there and broken, and how to install it either way."""
    install = f"pip install 'pincite[{extra}]'"
    if error.name == package:
        return MissingExtraError(f"this needs the {package} library: {install}")
    return MissingExtraError(f"{package} cannot be imported ({error}); {install} installs what it needs")
