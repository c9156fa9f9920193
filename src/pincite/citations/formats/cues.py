"""What tells an author from a title before a year: `Smith (2020)` from `Titanic (1997)`."""

from __future__ import annotations

import re

from pincite.citations.formats.works import YEAR, is_organisation

_SURNAMES = (
    # English, Irish, Scottish and Welsh
    "smith johnson williams brown jones davis miller wilson moore taylor anderson thomas jackson white "
    "harris martin thompson robinson clark lewis lee walker hall allen wright scott adams baker nelson "
    "mitchell roberts turner phillips campbell parker evans edwards collins stewart morris rogers reed "
    "cook morgan murphy bailey cooper richardson cox howard ward peterson gray watson brooks kelly "
    "sanders price bennett barnes ross henderson coleman jenkins perry powell patterson hughes butler "
    "simmons foster bryant alexander russell griffin hayes myers ford graham sullivan wallace west cole "
    "reynolds fisher ellis harrison gibson marshall owens stevens tucker porter hunter henry crawford "
    "kennedy burns gordon shaw holmes rice robertson hunt dixon palmer mills nichols grant knight "
    "ferguson rose stone hawkins dunn perkins hudson spencer gardner stephens payne pierce berry matthews "
    "arnold wagner willis watkins olson carroll duncan snyder hart cunningham bradley andrews armstrong "
    "fox riley carr lane austin ryan fuller franklin lawson fields schultz chapman lawrence weaver barker "
    "green hill king young carter simpson "
    # German, Dutch and Nordic
    "müller mueller schmidt schneider fischer weber meyer meier becker schulz hoffmann koch bauer richter "
    "klein wolf schröder neumann schwarz zimmermann braun krüger hofmann hartmann lange schmitt krause "
    "lehmann jansen bakker visser smit meijer mulder bos vos peters hendriks hansen johansen olsen larsen "
    "andersen pedersen nielsen jensen christensen johansson andersson karlsson nilsson eriksson larsson "
    "olsson persson svensson gustafsson korhonen virtanen "
    # Romance
    "garcia garcía rodriguez rodríguez martinez martínez hernandez hernández lopez lópez gonzalez "
    "gonzález perez pérez sanchez sánchez ramirez ramírez torres flores rivera gomez gómez diaz díaz "
    "reyes morales cruz ortiz gutierrez ramos romero alvarez álvarez ruiz fernandez fernández jimenez "
    "moreno muñoz castro vargas silva santos oliveira souza pereira costa ferreira almeida carvalho "
    "ribeiro rossi russo ferrari esposito bianchi romano colombo ricci marino conti dupont dubois bernard "
    "petit durand leroy moreau laurent lefebvre bertrand roux fournier girard "
    # Slavic, Greek, Turkish
    "ivanov petrov smirnov kuznetsov popov sokolov novak nowak kowalski horvat kovač papadopoulos yılmaz "
    "yilmaz kaya demir "
    # Asian and African
    "li wang zhang liu chen yang huang zhao wu zhou xu sun zhu hu guo lin luo zheng liang xie tang deng "
    "feng cheng cai peng pan yuan dong yu su ye lu jiang wei xiao kim park choi jung kang cho yoon jang "
    "lim han shin kwon nguyen tran pham hoang sato suzuki takahashi tanaka watanabe ito yamamoto nakamura "
    "kobayashi kato yoshida yamada sasaki singh kumar sharma patel gupta shah khan ahmed ahmad hussain "
    "rahman chowdhury das reddy rao mehta joshi iyer banerjee mukherjee okafor okonkwo mensah diallo "
    "traoré tan wong chan ng cheung leung cohen levy mizrahi friedman goldberg katz hassan ibrahim "
)
_COMMON = frozenset(_SURNAMES.split())


def is_common_surname(name: str) -> bool:
    return name.casefold() in _COMMON


_NAME = r"(?-i:[^\W\d_a-z])[\w'’-]{1,30}+"
# `(2020), Jones (2021) and Lee (2022)`: the verb that follows the last of them speaks for all.
_MORE_WORKS = rf"(?:[,;]?[ ](?:and[ ]|&[ ]|or[ ])?+{_NAME}(?:[ ]et[ ]al\.)?+[ ]\({YEAR}[a-z]?+\)){{0,6}}+"
_ASIDE = r"(?:,[ ](?:for example|for instance|in contrast|by contrast|however|in turn|too|among others),)?+"
_ADVERBS = (
    r"(?:(?:also|first|later|further|then|both|have|has|had|did not|does not|do not|\w{2,15}ly|"
    r"(?:was|were) (?:the first|able) to)[ ]){0,2}"
)
# What a person does and a film does not.
_HUMAN_VERBS = (
    r"argue|found|finds|report|suggest|propos|conclu|claim|contend|assert|wrote|writes|note[sd]?\b|"
    r"maintain|observ|recommend|stat(?:ed|es)\b"
)
_HUMAN = re.compile(rf"{_ASIDE}[ ]{_ADVERBS}(?:{_HUMAN_VERBS})")
_REPORTING = re.compile(
    rf"{_MORE_WORKS}{_ASIDE}[ ]{_ADVERBS}(?:{_HUMAN_VERBS}|find\b|show|demonstrat|estimat|describ|state\b|"
    r"examin|investigat|stud(?:y|ied)|review|analy[sz]|discuss|identif|introduc|develop|compar|measur|point|"
    r"defin|explain|reveal|indicat|emphasi|highlight|warn|caution|write\b|provid|present|us(?:e|ed|es)\b|call|"
    r"sa(?:y|id)|predict|confirm|document|survey|replicat|critici|calculat|hypothesi|acknowledg|assess|"
    r"quantif|summari|reject|refut|posit|speculat|conduct|establish|prove[sd]?\b|deriv|advocat|distinguish|"
    r"consider|conceptuali|categori|classif|theori|formali|formulat|attribut|associat|evaluat|simulat|adopt|"
    r"appl(?:y|ie)|assum|believ|hold|held\b|sees\b|saw\b|treat|view|extend|remark|stress|underscor|underlin|"
    r"illustrat|list(?:s|ed)\b|quot|cit(?:e|es|ed)\b|trace[sd]?\b|infer|deduc|generali|outlin|coin|term(?:s|ed)\b|"
    r"refer|mention|challeng|critiqu|disput|question|oppos|support|agree|disagree|corroborat|verif|validat|"
    r"elaborat|clarif|add(?:s|ed)\b|ask|address|offer|reach|determin|detect|discover|record|builds?\b|built\b|"
    r"rel(?:y|ie)|test(?:s|ed)\b|model(?:s|led|ed)\b|puts?\b|give|gave\b|named\b|focused\b)",
    re.I,
)
_STUDIES = (
    r"stud(?:y|ies)|works?|papers?|articles?|results?|findings?|data|models?|methods?|analys[ei]s|approach|"
    r"framework|theory|definitions?|reviews?|surveys?|estimates?|arguments?|claims?|ideas?|reports?|evidence|"
    r"experiments?|trials?|formula|notation|views?|proof|proposal|criteria|classification|scale|dataset"
)
_STUDY_AFTER = re.compile(rf"[ ](?:{_STUDIES})\b", re.I)
_DONE = (
    r"shown|described|introduced|proposed|discussed|reported|defined|given|used|detailed|reviewed|outlined|"
    r"suggested|observed|found|presented|developed|explained|noted|argued|cited|summari[sz]ed|demonstrated|"
    r"established|analy[sz]ed|documented|studied|derived|taken|adapted|quoted|confirmed|supported|obtained"
)
# Words that lead to an author and hardly to a title; the weaker ones only where nothing speaks of art.
_LEADING_IN = re.compile(
    r"(?<![\w-])(?:according to|contrary to|(?:cited|quoted|reported|shown|conducted|made|written) by|"
    rf"(?:{_STUDIES}) (?:of|by|from|in)|(?:{_DONE}) (?:in|by|from)|"
    r"(?:consistent|agrees?|agreement|accordance|line|contrast|disagrees?) with)[ ](?:the[ ])?$",
    re.I,
)
_MAYBE_LEADING_IN = re.compile(
    r"(?<![\w-])(?:as in|see|see also|see, e\.g\.,|e\.g\.,?|cf\.|per|following|by|from|of|unlike|as did|like|"
    r"contra|contradicts?|confirms?|replicat\w{1,4}|extends?|challenges?|cit(?:es?|ing)|quot(?:es?|ing))"
    r"[ ](?:the[ ])?$",
    re.I,
)
# Before a name whose kind is open, `of` and `from` say little: the director of a film, a line from it.
_WEAKEST = re.compile(
    r"(?<![\w-])(?:(?:inspired|followed|preceded|influenced) by|of|from|like)[ ](?:the[ ])?$", re.I
)
_ART = r"films?|movies?|novels?|albums?|songs?|operas?|sequels?|musicals?|paintings?|sitcoms?"
_ART_BEFORE = re.compile(rf"\b(?:{_ART})[ ,]{{1,2}}$", re.I)
_MAYBE_ART_BEFORE = re.compile(r"\b(?:books?|games?|series|shows?|plays?)[ ,]{1,2}$", re.I)
_ART_NEAR = re.compile(
    rf"\b(?:{_ART}|directed|director|starring|starred|soundtrack|premiered|remake|actor|actress|cinema)\b",
    re.I,
)
_WORK_OF_ART = re.compile(
    r",? (?:directed|starring|written by|released|painted|which (?:won|was|is|starred)|where)\b"
    r"|, an? (?:\w+ ){0,2}(?:film|movie|novel|album|song|book|game|play)\b"
    r"|[ ](?:is|was|are|were|stars|starred|won|grossed|premiered|features)\b"
)
_ARTICLE = re.compile(r"(?:^|[^\w])(?:The|A|An)[ ]$")
_SMALL_ARTICLE = re.compile(r"(?<!\w)(?:the|this|that|a|an)[ ]$")
_SMALL_WORDS = "van von de der den del della di da dos du la le ten ter of for the on "
SMALL = frozenset(_SMALL_WORDS.split())
# Capitalised at the head of a name. After an article of a Romance language a title stands as often.
_CAPITAL_PARTICLES_WORDS = "Van Von De Der Den Del Della Di Da Dos Du Ten Ter "
_CAPITAL_PARTICLES = frozenset(_CAPITAL_PARTICLES_WORDS.split())
_CAPITAL_ARTICLES = frozenset(("La", "Le", "El", "Al"))
_NAME_SHAPE = re.compile(r"(?:Mac|Mc|Fitz)[A-Z]|[A-Z]['’][A-Z]|\w{2,20}-[A-Z]|(?:[A-Z]\.[ -]?){1,4}\w")


def is_author_before_year(name: str, text: str, start: int, found: re.Match[str], in_entry: bool) -> bool:
    """Whether one name before a year is an author for certain, and not the title of a film or a heading."""
    end = found.end()
    before = text[max(0, start - 48) : start]
    if _ART_BEFORE.search(before):
        return False
    reporting = reports(text, end)
    words = [word for word in name.split(" ") if not _is_particle(word) and not _is_initial(word)]
    if len(words) > 1:
        if is_organisation(name):
            return reporting or _leads_in(before)
        return len(words) == 2 and _HUMAN.match(text, end, end + 60) is not None
    if name.isupper() and len(name) > 1:
        return reporting or _leads_in(before)
    if _ARTICLE.search(before):
        return _HUMAN.match(text, end, end + 60) is not None
    return reporting or _is_lone_surname(name, text, start, found, before, in_entry)


def _is_lone_surname(
    name: str, text: str, start: int, found: re.Match[str], before: str, in_entry: bool
) -> bool:
    """One surname that no verb of reporting follows."""
    end = found.end()
    if _has_detail(name, text, start, found) or _LEADING_IN.search(before):
        return True
    if _SMALL_ARTICLE.search(before):
        return _STUDY_AFTER.match(text, end, end + 30) is not None
    if in_entry:
        return not is_work_of_art(text, start, end)
    if _MAYBE_ART_BEFORE.search(before) or _is_about_art(text, start, end):
        return False
    if _MAYBE_LEADING_IN.search(before) and not _WEAKEST.search(before):
        return True
    return _looks_like_a_surname(name)


def _is_about_art(text: str, start: int, end: int) -> bool:
    """Whether the sentence around the name speaks of films, albums and their like, near it."""
    left = text[max(0, start - 60) : start].rpartition(". ")[2]
    right = text[end : end + 60].partition(". ")[0]
    return _ART_NEAR.search(left) is not None or _ART_NEAR.search(right) is not None


def _has_detail(name: str, text: str, start: int, found: re.Match[str]) -> bool:
    """A page, a letter after the year, several years or a possessive: nobody cites a film like that."""
    return found[2] is not None or len(found[1]) != 4 or text[start + len(name)] != " "


def _looks_like_a_surname(name: str) -> bool:
    head, _, rest = name.partition(" ")
    if rest and head in _CAPITAL_ARTICLES:
        return False
    if rest and (_is_particle(head) or _is_initial(head)):
        return True
    return _NAME_SHAPE.match(name) is not None or is_common_surname(name)


def reports(text: str, end: int) -> bool:
    """Whether a verb of reporting follows there, or follows a row of works that goes on there."""
    return _REPORTING.match(text, end, end + 200) is not None


def _leads_in(before: str) -> bool:
    return _LEADING_IN.search(before) is not None or _MAYBE_LEADING_IN.search(before) is not None


def is_work_of_art(text: str, start: int, end: int) -> bool:
    """`the film Inception (2010)`, `Father and Daughter (2000), which won a prize`."""
    if _WORK_OF_ART.match(text, end, end + 50):
        return True
    before = text[max(0, start - 24) : start]
    return _ART_BEFORE.search(before) is not None or _MAYBE_ART_BEFORE.search(before) is not None


def _is_particle(word: str) -> bool:
    return word in SMALL or word in _CAPITAL_PARTICLES or word in _CAPITAL_ARTICLES


def _is_initial(word: str) -> bool:
    return len(word) <= 3 and word.endswith(".")
