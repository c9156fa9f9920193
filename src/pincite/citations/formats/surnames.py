"""Family names that many people bear.

`Smith (2020)` and `Titanic (1997)` look alike. Where nothing around them tells an author from a title, a name
that is common among people does. Names that are well-known titles too are left out.
"""

from __future__ import annotations

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
