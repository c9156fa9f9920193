"""Which words of a marker stay in the claim."""

from __future__ import annotations

import pytest

from pincite.citations import kept_words, parse


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("Smith (2020) found so.", ["Smith"]),
        ("Smith and Jones (2020, p. 5) found so.", ["Smith and Jones"]),
        ("Van der Berg et al. (2021) found so.", ["Van der Berg et al."]),
        ("It helps (Smith, 2020).", []),
        ("According to the [IPCC report](https://a.org/r), it rose.", ["IPCC report"]),
        ("[Acme](https://a.org/r) reported growth.", ["Acme"]),
        ("It rose. [Acme](https://a.org/r)'s boss left.", ["Acme"]),
        ("Acme bought [Beta Corp](https://a.org/r) in 2010.", ["Beta Corp"]),
        ("It has a [large population](https://a.org/r).", ["large population"]),
        ("It rose 5% [Reuters](https://a.org/r).", []),
        ("It rose 5% [Reuters](https://a.org/r), while costs fell.", []),
        ("It rose 5% [Reuters](https://a.org/r) and costs fell.", []),
        ("It rose 5% ([Reuters](https://a.org/r)).", []),
        ("It rose. [Party Guide](https://a.org/r)", []),
        ("It rose [here](https://a.org/r) in May.", []),
        ("It rose [1](https://a.org/r) in May.", []),
        ("The [a.org](https://a.org/r) figures rose.", []),
        ("It rose [1].", []),
    ],
)
def test_words_that_are_part_of_the_sentence_are_kept(answer: str, words: list[str]) -> None:
    assert list(kept_words(parse(answer).citations, answer).values()) == words
