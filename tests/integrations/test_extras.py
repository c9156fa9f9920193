"""What an adapter says where its framework is missing or broken."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pincite.integrations.extras import cannot_import

ADAPTERS = {
    "deepeval": ("deepeval", "deepeval"),
    "inspect_ai": ("inspect_ai", "inspect"),
    "pydantic_evals": ("pydantic_evals", "pydantic-evals"),
    "ragas": ("ragas", "ragas"),
}

WITHOUT = """
import sys

class Without:
    def __init__(self, name):
        self.name = name

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

"""


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_without_its_framework_says_how_to_install_it(adapter: str) -> None:
    package, extra = ADAPTERS[adapter]
    program = (
        WITHOUT + f"sys.meta_path.insert(0, Without({package!r})); import pincite.integrations.{adapter}"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        f"pincite.errors.MissingExtraError: this needs the {package} library: pip install 'pincite[{extra}]'"
    )


def test_a_framework_that_is_there_and_broken_is_not_called_missing() -> None:
    error = ModuleNotFoundError("No module named 'other.part'", name="other.part")
    assert str(cannot_import(error, "ragas", "ragas")) == (
        "ragas cannot be imported (No module named 'other.part'); "
        "pip install 'pincite[ragas]' installs what it needs"
    )


def test_the_adapter_for_promptfoo_needs_nothing_but_pincite() -> None:
    from pincite.integrations.promptfoo import get_assert

    contexts = ["Revenue grew by 21% in 2023."]
    graded = get_assert("Revenue grew by 12% in 2023 [1].", {"vars": {"contexts": contexts}})
    assert (graded["pass"], graded["score"]) == (False, 0.0)
