"""One case for all frameworks: contexts, and answers that are right, wrong, and without anything to judge."""

from __future__ import annotations

QUESTION = "How did the first quarter go?"
CONTEXTS = [
    "Revenue grew by 21% in the first quarter of 2023.",
    "The company opened two new offices in Lisbon in 2023.",
]
RIGHT = (
    "Revenue grew by 21% in the first quarter of 2023 [1]. The company opened two new offices in Lisbon [2]."
)
WRONG = (
    "Revenue grew by 12% in the first quarter of 2023 [1]. The company opened two new offices in Lisbon [2]."
)
UNJUDGED = "Revenue grew by 21% in the first quarter of 2023 (https://example.org/report)."
UNCITED = "Hello! How can I help you today?"
