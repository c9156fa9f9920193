"""A Python function by its name: `package.module:function`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from pincite.base.messages import describe_error, did_you_mean
from pincite.errors import InputError


def find_function(spec: str, folder: str = "", what: str = "target") -> Callable[..., Any]:
    """The function that `package.module:function` names; modules of the current folder are found too."""
    module_name, _, path = spec.partition(":")
    # A program that is started from a folder finds the modules in it; an installed command would not.
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found: Any = import_module(module_name)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # a module may do anything when it is imported, also exit
        raise InputError(
            f"cannot import {module_name!r} of the {what} {spec!r}: {describe_error(error)}"
        ) from error
    for step in path.split("."):
        inside, found = found, getattr(found, step, None)
        if found is None:
            hint = did_you_mean(step, (name for name in dir(inside) if not name.startswith("_")))
            raise InputError(f"the {what} {spec!r}: {module_name!r} has no {path!r}{hint}")
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            said = f"is a class that cannot be instantiated: {describe_error(error)}"
            raise InputError(f"the {what} {spec!r} {said}") from error
    if not callable(found):
        raise InputError(f"the {what} {spec!r} is a {type(found).__name__}, which cannot be called")
    function: Callable[..., Any] = found
    return function
