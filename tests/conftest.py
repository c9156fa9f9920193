"""What tests of several rooms share. That this file is here also puts `tests/` on the path of all of them."""

from __future__ import annotations
