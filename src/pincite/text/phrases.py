"""English phrases that tell small talk, refusals and pointers from claims: one alternative a line.

They are matched at the beginning of a sentence, in any case, with straight apostrophes. They are narrow on
purpose: a claim taken for small talk would never be checked.
"""

from __future__ import annotations

import re


def _any_of(lines: str) -> str:
    return "(?:" + "|".join(line.strip() for line in lines.strip().splitlines()) + ")"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_THE = r"(?:(?:the|these|those|any|all|my|your|our) )?"
_GIVEN = r"(?:provided|given|available|retrieved|supplied|cited|uploaded|attached|above)"
_SOURCES = _any_of(r"""
    sources?
    documents?
    context
    passages?
    excerpts?
    references
    snippets?
    search results?
    knowledge base
    citations
""")
_GIVEN_SOURCES = (
    rf"{_THE}(?:(?:{_GIVEN} )?{_SOURCES}|{_GIVEN} (?:information|materials?|texts?|data|articles?|files?))"
)
_AT_HAND = r"(?: (?:provided|given|available|above|at hand|i have|i was given|you (?:provided|gave|shared)))?"

PREFIX = _pattern(
    _any_of(rf"""
        i(?:'m| am) sorry
        sorry
        (?:my )?apologies
        i apologi[sz]e
        for (?:that|this|the)(?: \w+)?
        unfortunately
        regrettably
        in (?:conclusion|summary|short)
        overall
        therefore
        finally
        however
        but
        sure
        certainly
        of course
        absolutely
        okay
        ok
        great
        yes
        no
        well
        (?:please )?note that
        (?:hi|hello|hey|greetings)(?: there| again| everyone| all| \w+)?(?=[,!])
        good (?:morning|afternoon|evening|day)(?: \w+)?(?=[,!])
        thanks(?: again)?(?=[,!])
        as (?:you )?(?:requested|asked)
        (?:based on|according to|from|in|as per) {_GIVEN_SOURCES}{_AT_HAND}
    """)
    + r"(?:[,.!;:–—-]| but)?(?: |$)"
)
"""Words before the sentence proper; they decide nothing by themselves. Several may follow one another."""

COURTESY = _pattern(
    _any_of(r"""
        (?:hi|hello|hey|greetings|dear)(?: there| again| everyone| all| \w+)?
        good (?:morning|afternoon|evening|day)(?:,? \w+)?
        have a (?:great|good|nice|lovely|wonderful) (?:day|evening|week|weekend|one)
        welcome(?: back)?
        thanks(?: again)?
        thank you
        you're welcome
        cheers
        (?:best|kind|warm) regards
        sincerely
        (?:good)?bye
        (?:that's |that is |what )?(?:a )?(?:great|good|excellent|interesting) question
        understood
        got it
        no problem
        (?:happy|glad) to help
        my pleasure
        al?right
        wow
        (?:in)?correct
        exactly
        indeed
        true
        false
    """)
    + r"[.!,:… ]*+\Z"
)
"""Small talk that is the whole sentence."""

COURTESY_START = _pattern(
    _any_of(r"""
        (?:i )?hope (?:this|that|it|these|you)\b
        (?:please |just )?let me (?:know|explain|summari[sz]e|help|see|break)\b
        let's(?! (?-i:[A-Z][a-z]))
        (?:let us|would you like|is there anything|thank you for|thanks for|as an ai)\b
        (?:please )?(?:feel free|don't hesitate|do not hesitate)\b
        (?:i'll|i will|i shall|we'll|we will)\b
        i(?:'d| would) (?:be|like|suggest|recommend)\b
        (?:i|we) can (?:help|provide|assist|also|give|offer|try|explain|summari[sz]e|look)\b
        i(?:'m| am) (?:happy|glad|here|ready|an ai|a language|just an)\b
        i(?:'ve| have) (?:compiled|prepared|put together|summari[sz]ed|listed|outlined|included)\b
        if you(?:'d)? (?:have|need|want|would like|like|are)\b[^.]{0,200}\b(?:let me know|feel free)\b
        if you(?:'d)? (?:have|need|want|would like|like|are)\b[^.]{0,200}\b(?:reach out|just ask)\b
        if you(?:'d)? (?:have|need|want|would like|like|are)\b[^.]{0,200}\b(?:happy|glad) to\b
        (?:here's|here is|here are) (?:an?|the|some|what|how|my|your|several|all|more|\d{1,3})\b
        (?:here's|here is|here are) (?:two|three|four|five|six|seven|eight|nine|ten)\b
        below (?:is|are) (?:an?|the|some|what|how|my|your|several|all|more|\d{1,3})\b
        below you(?:'ll| will| can) (?:find|see)\b
        (?:the following|what follows) is (?:an?|the|my|your)\b
        this (?:answer|response|reply|summary|overview) (?:covers|will|gives|provides|summari[sz]es)\b
        in this (?:answer|response|reply|summary|overview),? (?:i|we|you)\b
    """)
)
"""Small talk and introductions, whatever follows. `Let's Encrypt` is a name."""

SMALL_TALK = _pattern(
    _any_of(r"""
        (?:i )?hope (?:this|that|it|these|you)\b
        (?:please |just )?let me (?:know|explain|summari[sz]e|help|see|break)\b
        let's (?:look|see|explore|start|begin|dive|go|break|take|turn|review|examine|walk)\b
        (?:please )?(?:feel free|(?:don't|do not) hesitate) to (?:ask|let me know|contact me)\b
        if you(?:'d)? (?:have|need|want|would like|like|are)\b[^.]{0,200}\b(?:let me know|feel free to ask)\b
        (?:thank you|thanks) for (?:your|asking|the question|reaching)\b
        (?:would you like|is there anything|as an ai)\b
        i(?:'d| would) be (?:happy|glad)\b
        i(?:'m| am) (?:happy|glad|here|ready|an ai|a language|just an)\b
        i(?:'ve| have) (?:compiled|prepared|put together|summari[sz]ed|listed|outlined|included)\b
        (?:here's|here is|here are|below is|below are) (?:an?|the|some|what|how|my|your|several|all|more)\b
        below you(?:'ll| will| can) (?:find|see)\b
        (?:the following|what follows) is (?:an?|the|my|your) (?:summary|overview|list|answer)\b
        this (?:answer|response|reply|summary|overview) (?:covers|will|gives|provides|summari[sz]es)\b
        in this (?:answer|response|reply|summary|overview),? (?:i|we|you)\b
    """)
)
"""What stays small talk with a marker in it. `We will renew it …` is not among it: a source can say that."""

_CANNOT = _any_of(r"""
    can't
    can ?not
    could not
    couldn't
    (?:was|were|am|are|'m|'re) (?:unable|not able)
    wasn't able
    (?:do not|don't) (?:have|know|find|see)
    (?:did not|didn't) (?:find|see|locate)
    found (?:no|nothing)
    have no
    won't
    will not
    must decline
    can only
    (?:am|'m) not (?:sure|certain|aware)
""")
_DO_NOT = _any_of(r"""
    (?:do|does|did|is|are|was|were|has|have) not
    (?:do|does|did|is|are|was|were|has|have)n't
    cannot
    can't
    only
    lacks?
    (?:contain|provide|give|make|offer)s? no
    (?:is|are) silent
""")
_TOLD = _any_of(r"""
    (?:mention|stat|specifi|cover|address|discuss|provid|includ|describ|disclos|list|answer|explain)e?d
    given
    available
    found
    said
""")
_NEGATED = r"(?:(?:do|does|did) not|(?:do|does|did)n't|never)"
_TELL_IN_WORDS = r"(?:say|state|mention|specify|indicate|disclose|clarify)s?"
_TELL = r"(?:say|state|mention|contain|provide|specify|include|address|discuss|cover|give|indicate|answer)s?"

REFUSAL = _pattern(
    _any_of(rf"""
        (?:i|we) ?{_CANNOT}\b
        (?:(?:none|neither|both|all|any) of )?{_GIVEN_SOURCES}{_AT_HAND} {_DO_NOT}\b
        none of {_GIVEN_SOURCES} {_TELL}\b
        there (?:is|are|was|were) (?:no|not enough|nothing)\b[^.]{{0,99}} (?:in|from) {_GIVEN_SOURCES}
        no (?:information|mention|details?|answer|data)\b[^.]{{0,200}} (?:is|was|were|are|can be) {_TOLD}\b
        no (?:relevant|such|further) (?:information|details?|answer|data) (?:is|was|were|are|can be) {_TOLD}\b
        it is (?:not possible|impossible) to (?:determine|say|answer|tell|know|verify|confirm)\b
        (?:it|this|that) (?:cannot|can't|could not) be (?:determined|answered|verified|confirmed)\b
        [^.]{{0,200}} (?:is|are|was|were) not (?:\w+ly )?{_TOLD} (?:in|by|within) {_GIVEN_SOURCES}
    """)
)
"""Refusals, and what is said about the sources as such, which no source can support."""

_TEXT_OF_ITS_OWN = _any_of(r"""
    reports?
    articles?
    polic(?:y|ies)
    (?:web ?)?pages?
    (?:web ?)?sites?
    texts?
    sections?
    leaflets?
    guides?
    faqs?
    contracts?
    agreements?
    papers?
    files?
    surveys?
    manuals?
    handbooks?
    documentation
    tables?
    chapters?
    notices?
    specifications?
    datasets?
    terms
""")

ABSENCE = _pattern(
    _any_of(rf"""
        i ?{_CANNOT}\b
        (?:(?:none|neither|both|all|any) of )?{_GIVEN_SOURCES}{_AT_HAND} {_DO_NOT} (?:\w+ly )?{_TELL}\b
        (?:the|this|that|these|your|our) (?:\w+ )?{_TEXT_OF_ITS_OWN} {_NEGATED} (?:\w+ly )?{_TELL_IN_WORDS}\b
        none of {_GIVEN_SOURCES} {_TELL}\b
        there (?:is|are|was|were) (?:no|not enough|nothing)\b[^.]{{0,99}} (?:in|from) {_GIVEN_SOURCES}
        no (?:information|mention|details?|answer|data)\b[^.]{{0,200}} (?:in|by|within|from) {_GIVEN_SOURCES}
        no (?:relevant|such|further) (?:information|details?|answer|data) (?:is|was|were|are|can be) {_TOLD}\b
        it is (?:not possible|impossible) to \w+\b[^.]{{0,99}} (?:from|in|by|with) {_GIVEN_SOURCES}
        (?:it|this|that) (?:cannot|can't|could not) be \w+ (?:from|in|by|with) {_GIVEN_SOURCES}
        [^.]{{0,200}} (?:is|are|was|were) not (?:\w+ly )?{_TOLD} (?:in|by|within) {_GIVEN_SOURCES}
    """)
)
"""What says that something is not in the sources. No passage can show that, so it is not judged even with a
marker. Other refusals are claims then: `We cannot ship to Norway [1].`"""

POINTER = _pattern(
    _any_of(r"""
        see(?: also)?
        refer to
        consult
        visit
        read(?: more)?
        check(?: out)?
        review
        contact
        click(?: on)?
        ask
        call
        e-?mail
        download
        cf\.?
        learn more
        find out more
        compare
    """)
    + r"(?!['\w-])(?! of\b)"
)
POINTER_PREFIX = _pattern(r"(?:please |also |for (?:more|further|additional|details)\b[^,.]{0,60}, ?){1,3}")
POINTED_AT = _pattern(r"[ ,]{0,2}(?:the|an?|our|your|this|these|section|page|figure|table|chapter)\b")
"""What follows a verb of POINTER in an order: without it, `Contact lenses were invented …` is a claim."""

CITED_POINTER = _pattern(
    r"(?:see(?: also)?|refer to|consult|visit|compare|cf\.?"
    r"|(?:read|learn|find out) more(?: in| at| about| on)?)"
    r"(?: (?:here|above|below)|(?: [\w'-]{1,40}){0,4} "
    + _any_of(r"""
        (?:sources?|references?|documents?|docs|links?|appendix|annex|footnotes?|figures?|tables?|diagrams?)
        (?:reports?|articles?|sections?|papers?|study|studies|guides?|manual|handbook|documentation|faqs?)
        (?:(?:web ?)?pages?|(?:web ?)?sites?|chapters?)
    """)
    + r"(?: [\d.]{1,12})?)?(?:,? for [^.]{1,99})?[.,;: )]{0,4}\Z"
)
"""An order that only sends the reader to a text. `See your doctor if it lasts [1].` says more than that."""

ACTION = _pattern(
    _any_of(r"""
        (?:please|do not|don't|make sure|be sure|ensure|remember to|try to) \w
        (?:always |never )?(?:use|take|avoid|add|mix|combine|stir|bake|cook|put|pour|open|select)#
        (?:choose|enter|place)#
        (?:run|install|set|go|keep|start|stop|follow|try|consider|remember|make|create|write|save)#
        (?:restart|press|turn|apply|wash|drink|eat|talk|speak|seek|get|give|look|wait)#
    """).replace(
        "#",
        r" (?:the|an?|your|our|my|this|these|those|its?|them|to|for|with|on|in|into|at|up|out|off|all"
        r"|any|only|some|each|every|both|\d)",
    )
)
"""Orders to the reader."""

FINITE_VERB = _pattern(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|may|might|must|should|shall"
    r"|rose|fell|grew|made|became|won|lost|led|said|says|shows|found|[a-z]{2,20}(?:ed|izes|ises|ates))\b"
)
"""A word that is surely a verb in the indicative. Many verbs are not among them."""

SOURCE_LABEL = _pattern(
    _any_of(r"""
        \(?(?:sources?|references?|citations?|bibliography|further reading|credit|via|retrieved from)
        \(?(?:image|photo|figure)
    """)
    + r"(?: \d{1,3})?:"
)
NOTICE_LABEL = _pattern(r"\(?(?:last updated|disclaimer)(?: \d{1,3})?:")
