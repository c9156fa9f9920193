"""What the rules that ask questions share: the parts of a sentence as expressions, and the question."""

from __future__ import annotations

import re

from msgspec import Struct

from pincite.datasets.draft.phrases import is_noun_phrase

NO_SUBJECT = (
    "after|although|among|as|at|because|before|between|by|during|for|from|if|in|like|of|on|once|over|since|to|under"
    "|until|when|where|whereas|while|with|within|without"
)
SUBJECT = rf"(?!(?i:{NO_SUBJECT})\b)(?P<subject>[A-Z][^,;:.!?()\"“”]{{1,70}}?)"
MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
DAY = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
DATE = rf"(?:in|on|since) (?:\d{{1,2}} )?(?:(?:{MONTH}) )?(?:\d{{1,2}}, )?(?:1[0-9]|20)\d\d\b"
AMOUNT = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|fifty)"
MEASURE = "long|high|wide|deep|tall|thick|old"
DONE = (
    r"(?P<done>(?:[a-z]+(?:ed|ilt|ung|und|ade|ken|ven|old|ent|et|wn)|paid|kept|held|left|lost|bought|brought|done"
    r"|written|chosen|shut)\b(?!-)[^.,;:()]{0,60}?)"
)
ABOUT = r"(?:about |around |approximately |up to |at least |at most |no more than |more than |less than )?"
TIME = r"(?:(?:business|working|calendar|full) )?(?:second|minute|hour|day|night|week|month|quarter|year)s?\b"
DURATION = rf"{ABOUT}{AMOUNT} {TIME}"


class Question(Struct, frozen=True):
    """A question and of which kind it is."""

    text: str
    query_type: str
    difficulty: str


def subject_of(found: re.Match[str] | None, lowered: str) -> str:
    """The subject as it stands inside a sentence; nothing where it is no clean one."""
    subject = "" if found is None else lowered[found.start("subject") : found.end("subject")]
    return subject if is_noun_phrase(subject) else ""
