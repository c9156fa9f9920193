"""Verbs whose forms are safe to change by rule: base, past and past participle."""

from __future__ import annotations

_FORMS = """
direct directed directed; produce produced produced; write wrote written; win won won; lose lost lost;
release released released; play played played; star starred starred; sign signed signed; join joined
joined; leave left left; score scored scored; receive received received; earn earned earned; gross
grossed grossed; sell sold sold; buy bought bought; acquire acquired acquired; found founded founded;
publish published published; record recorded recorded; announce announced announced; begin began begun;
start started started; end ended ended; die died died; marry married married; create created created;
open opened opened; close closed closed; move moved moved; serve served served; work worked worked; study
studied studied; attend attended attended; graduate graduated graduated; perform performed performed;
appear appeared appeared; reach reached reached; defeat defeated defeated; beat beat beaten; replace
replaced replaced; cancel cancelled cancelled; approve approved approved; reject rejected rejected;
launch launched launched; build built built; design designed designed; develop developed developed;
invent invented invented; discover discovered discovered; kill killed killed; arrest arrested arrested;
appoint appointed appointed; elect elected elected; nominate nominated nominated; premiere premiered
premiered; debut debuted debuted; feature featured featured; make made made; become became become; get
got got; have had had; sing sang sung; host hosted hosted; lead led led; retire retired retired; return
returned returned; represent represented represented; help helped helped; support supported supported;
criticise criticised criticised; criticize criticized criticized; praise praised praised; control
controlled controlled; own owned owned; influence influenced influenced; inspire inspired inspired;
follow followed followed; complete completed completed; finish finished finished; draw drew drawn; break
broke broken; give gave given; take took taken; go went gone; come came come; adapt adapted adapted;
purchase purchased purchased; edit edited edited; paint painted painted; compose composed composed;
conquer conquered conquered; fund funded funded; sponsor sponsored sponsored; manage managed managed;
coach coached coached; train trained trained; voice voiced voiced; portray portrayed portrayed; film
filmed filmed; kidnap kidnapped kidnapped; rescue rescued rescued; introduce introduced introduced;
distribute distributed distributed; cause caused caused; attack attacked attacked; invade invaded
invaded; succeed succeeded succeeded; hire hired hired; fire fired fired; employ employed employed; treat
treated treated; sue sued sued; teach taught taught; meet met met; see saw seen; hold held held; contain
contained contained; include included included; increase increased increased; decrease decreased
decreased; rise rose risen; fall fell fallen; grow grew grown; drop dropped dropped; live lived lived;
visit visited visited
"""
_ROWS = [tuple(entry.split()) for entry in _FORMS.replace("\n", " ").split(";") if entry.strip()]
BASE_OF_PAST = {past: base for base, past, _ in _ROWS}
PAST_OF_BASE = {base: past for base, past, _ in _ROWS}
PARTICIPLE_OF_PAST = {past: participle for _, past, participle in _ROWS}
BASE_OF_PARTICIPLE = {participle: base for base, _, participle in _ROWS}
PAST_OF_PARTICIPLE = {participle: past for _, past, participle in _ROWS}
TAKES_OBJECT = frozenset(
    "direct produce write release sign buy acquire found publish record create defeat beat replace "
    "cancel approve reject launch build design develop invent discover kill arrest appoint elect "
    "nominate host lead support criticise criticize praise control own influence inspire follow adapt "
    "purchase edit paint compose conquer fund sponsor manage coach train voice portray film kidnap "
    "rescue introduce distribute cause attack invade succeed hire employ treat sue teach sell".split()
)


def gerund(base: str) -> str:
    """The -ing form of a base form in the list."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    if base in _DOUBLED:
        return base + base[-1] + "ing"
    return base + "ing"


_DOUBLED = frozenset("win get begin star kidnap drop cancel control".split())
