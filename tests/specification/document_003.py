"""The example answers of document 003, and the verdict that its tables give on each citation."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    query: str
    answer: str
    verdicts: dict[str, bool]
    """What the answer cites, by the name that the document gives it."""
    score: float


GREEN_TEA = Example(
    "What are the health benefits of green tea?",
    # Indented as it is in the document, where it stands inside a program.
    """
        Green tea has numerous health benefits:

        1. Rich in antioxidants [Source](https://healthline.com/green-tea-benefits)
        2. May improve brain function (Smith et al., 2020)
        3. Great for parties! [Party Guide](https://party-planning.com)
        """,
    {"Source": True, "Smith et al., 2020": True, "Party Guide": False},
    2 / 3,
)
DIABETES = Example(
    "What are effective treatments for type 2 diabetes?",
    "Type 2 diabetes can be managed through:\n\n"
    "1. Lifestyle changes including diet and exercise [ADA Guidelines](https://diabetes.org/guidelines)\n"
    "2. Metformin as first-line medication (Johnson et al., 2021)\n"
    "3. Regular blood glucose monitoring [CDC Recommendations](https://cdc.gov/diabetes)",
    {"ADA Guidelines": True, "Johnson et al., 2021": True, "CDC Recommendations": True},
    1.0,
)
MACHINE_LEARNING = Example(
    "How does machine learning work?",
    "Machine learning uses algorithms to learn from data:\n\n"
    "- Neural networks mimic brain structure [ML Textbook](https://ml-intro.com)\n"
    "- Training requires large datasets [Data Science Blog](https://datascience.com)\n"
    "- My favorite coffee shop uses ML! [Best Coffee](https://coffee-reviews.com)\n"
    "- Check out this unrelated video [Cat Video](https://youtube.com/cats)",
    {"ML Textbook": True, "Data Science Blog": True, "Best Coffee": False, "Cat Video": False},
    0.5,
)
FRANCE = Example(
    "What is the capital of France?",
    "Paris is the capital of France. Here are some links:\n\n"
    "- [My Portfolio](https://myportfolio.com)\n"
    "- [Buy Cheap Flights](https://flights.com)\n"
    "- [Wikipedia - France](https://wikipedia.org/wiki/France)\n"
    "- [Dating Site](https://dating.com)",
    {"My Portfolio": False, "Buy Cheap Flights": False, "Wikipedia - France": True, "Dating Site": False},
    0.25,
)
EXAMPLES = {
    "green tea": GREEN_TEA,
    "diabetes": DIABETES,
    "machine learning": MACHINE_LEARNING,
    "France": FRANCE,
}
