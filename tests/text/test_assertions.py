"""What a sentence does: claims are told from small talk, refusals, pointers and labels."""

from __future__ import annotations

import pytest

from pincite.records import Span
from pincite.text import find_statements


def role_of(sentence: str, cited: bool = False, item: bool = False) -> str:
    """What the sentence does, alone in an answer: as it is, with a marker behind it, as an item of a list."""
    text = f"- {sentence}" if item else sentence
    markers = [Span(len(text) + 1, len(text) + 4)] if cited else []
    statements = find_statements(f"{text} [1]" if cited else text, markers)
    return next((statement.role for statement in statements), "empty")


CLAIMS = [
    "Hello everyone, revenue rose by 5% in 2020.",
    "Thanks to the new rules, revenue rose.",
    "Revenue rose 5%.",
    "Unfortunately, the company went bankrupt in 2010.",
    "Please note that revenue rose 5%.",
    "Contact lenses were invented in 1887.",
    "Here are the facts: revenue rose by 5%.",
    "There is no evidence that it works.",
    "The data do not support the hypothesis.",
    "If you have diabetes, metformin lowers glucose.",
    "He asked “Why?”",
    "Use of drugs rose.",
    "I think revenue rose.",
    "Sure, revenue rose 5%.",
    "Yes, it rose in 2010.",
    "The report does not mention profit.",
    "Hello World is a program that prints.",
    "Great Britain left the EU.",
    "No country has won twice.",
    "Never before had so many people voted.",
    "True crime grew.",
    "Based on the provided sources, revenue rose 5%.",
    "Well water is clean.",
    "Sorry is a song by Justin Bieber.",
    "We can see that revenue rose.",
    "Let's Encrypt issues certificates for 90 days.",
    "Let’s Encrypt is free.",
    "In context, revenue fell.",
    "Revenue: $10M",
    "Die Einnahmen stiegen um 5 %.",
    "收入增长了百分之五。",
]
OTHERS = [
    ("Hi there, thanks for asking.", "courtesy"),
    ("Good morning, John.", "courtesy"),
    ("Hello, thank you for reaching out.", "courtesy"),
    ("As requested, here is the answer.", "courtesy"),
    ("Have a great day!", "courtesy"),
    ("No relevant information was found.", "refusal"),
    ("Hi!", "courtesy"),
    ("Hello there,", "courtesy"),
    ("Sure!", "courtesy"),
    ("Yes.", "courtesy"),
    ("Sure, here is a summary.", "courtesy"),
    ("I hope this helps!", "courtesy"),
    ("Let me know if you have any questions.", "courtesy"),
    ("Great question!", "courtesy"),
    ("Here are the key findings:", "courtesy"),
    ("If you have more questions, feel free to ask.", "courtesy"),
    ("Thank you for your question.", "courtesy"),
    ("Let’s look at the numbers.", "courtesy"),
    ("I’m sorry.", "courtesy"),
    ("I'm sorry, but I can't help with that.", "refusal"),
    ("I could not find this in the documents.", "refusal"),
    ("The sources do not say when it opened.", "refusal"),
    ("The provided context doesn’t mention it.", "refusal"),
    ("None of the sources mention it.", "refusal"),
    ("There is no information about this in the provided documents.", "refusal"),
    ("No information about revenue was found in the sources.", "refusal"),
    ("Unfortunately, I don't have access to that.", "refusal"),
    ("Based on the provided documents, I cannot determine this.", "refusal"),
    ("It is not possible to determine this from the sources.", "refusal"),
    ("The date is not mentioned in the sources.", "refusal"),
    ("As an AI language model, I have no opinion.", "courtesy"),
    ("See the appendix for details.", "pointer"),
    ("See.", "pointer"),
    ("Contact support.", "pointer"),
    ("For more information, see the report.", "pointer"),
    ("Source: Acme report", "pointer"),
    ("Use the following steps.", "pointer"),
    ("Did it rise?", "question"),
    ("“Did it rise?”", "question"),
    ("真的吗？", "question"),
    ("Summary", "label"),
    ("Key points", "label"),
    ("...", "empty"),
    ("", "empty"),
]


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_a_claim(sentence: str) -> None:
    assert role_of(sentence) == "claim"


@pytest.mark.parametrize(("sentence", "role"), OTHERS)
def test_what_asserts_nothing_is_no_claim(sentence: str, role: str) -> None:
    assert role_of(sentence) == role


@pytest.mark.parametrize(
    "sentence",
    [
        "We'll renew it 30 days before expiry.",
        "We will send a reminder before the certificate expires.",
        "Let's Encrypt issues certificates for 90 days.",
        "I would recommend two coats.",
        "We can provide a copy on request.",
        "We can't ship to Norway.",
        "We do not have a shop in Berlin.",
        "We won't share your address.",
        "The documents are not legal advice.",
        "No data were provided to third parties.",
        "It is not possible to confirm an order by phone.",
        "See your doctor if it lasts longer than a week.",
        "See your doctor.",
        "Contact support.",
        "Check the label before use.",
        "Read the leaflet before you take it.",
        "Don't hesitate to call a doctor when you feel faint.",
        "If you are unhappy with the order, just ask for a refund.",
        "Last updated: March 2024",
        "Here is the fee: 5 dollars",
        "Take a dose of 500 mg twice a day.",
        "Weight loss",
        "Yes, it rose.",
    ],
)
def test_with_a_marker_it_is_a_claim(sentence: str) -> None:
    assert role_of(sentence, cited=True) == "claim"


@pytest.mark.parametrize(
    ("sentence", "role"),
    [
        ("", "empty"),
        ("...", "empty"),
        ("See.", "pointer"),
        ("See also.", "pointer"),
        ("(See.)", "pointer"),
        ("See the annual report.", "pointer"),
        ("For more information, see the report.", "pointer"),
        ("See section 4.2 for details.", "pointer"),
        ("Read more here.", "pointer"),
        ("Source: Acme report", "pointer"),
        ("Did it rise?", "question"),
        ("Sure!", "courtesy"),
        ("Yes.", "courtesy"),
        ("I hope this helps!", "courtesy"),
        ("Here is a summary.", "courtesy"),
        ("Let’s look at the numbers.", "courtesy"),
        ("The sources do not say when it opened.", "refusal"),
        ("The provided context doesn’t mention it.", "refusal"),
        ("None of the sources mention it.", "refusal"),
        ("The annual report does not mention profit.", "refusal"),
        ("I could not find this in the documents.", "refusal"),
        ("The date is not mentioned in the sources.", "refusal"),
        ("No information about revenue was found in the sources.", "refusal"),
        ("It is not possible to determine this from the sources.", "refusal"),
    ],
)
def test_what_asserts_nothing_stays_so_with_a_marker(sentence: str, role: str) -> None:
    assert role_of(sentence, cited=True) == role


def test_a_list_item_asserts_with_fewer_words() -> None:
    assert role_of("Founded in 1999", item=True) == "claim"
    assert role_of("Lower blood pressure", item=True) == "claim"
    assert role_of("Weight loss", item=True) == "label"
    assert role_of("Weight loss", cited=True, item=True) == "claim"


def test_a_colon_at_the_end_introduces() -> None:
    def first_role(sentence: str) -> str:
        return next(find_statements(f"{sentence}\n\n- It is fast.\n", [])).role

    assert first_role("Its benefits are:") == "lead_in"
    assert first_role("Its **benefits are:**") == "lead_in"
    assert first_role("Revenue: $10M") == "claim"
