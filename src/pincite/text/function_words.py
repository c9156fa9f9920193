"""The small words by which a language in Latin letters is known, two letters and more.

The lists leave out what is an English word, an English abbreviation or a name's particle more often than a
word of the language: `die`, `war`, `per`, `com`, `min`. Enough is left to know a sentence by.
"""

from __future__ import annotations

from pincite.text.wordlists import word_set

ENGLISH = word_set("""
the and of to with from by that this these those which who whose whom were are been being their there they
them when where while would could should may might must shall because between through before after during
about against than then into onto upon within without its it his her he she our your you we have had has did
does not but if however although though also only other another such both each more most many much some any
all what how why since until
""")
"""Words that hardly any other language has."""

ENGLISH_TOO = word_set(
    "in is was for on as at an or be do no so over under up out off will can am me my us one a"
)
"""English words that other languages have as well: half as telling."""

FOREIGN = {
    name: word_set(words) - ENGLISH - ENGLISH_TOO - {"met", "die", "dan"}
    for name, words in {
        "German": """
            der das und ist nicht von mit dem des auf für sich ein eine einer eines einem einen als auch
            wurde wurden werden wird nach bei aus zum zur über unter durch sind haben hatte hatten oder
            aber wie nur noch kann können mehr vom im um es sie wir ihr ihre ihren zu seit bis dass dieser
            diese dieses keine sein seine seiner gegen zwischen wenn weil damit
        """,
        "French": """
            le la de les des du et est dans pour que qui une par sur pas plus avec sont ne se ce cette ces
            aux été était ont il elle ils elles nous vous mais ou où son sa ses leur leurs entre après
            depuis dont selon être avoir fait comme sans sous très aussi deux à
        """,
        "Spanish": """
            el la de los las del que una por con para su sus se es como más pero fue fueron han hay ya
            este esta estos estas entre desde hasta sobre sin según también cuando donde muy está están
            ser son dos años año había lo le les un al y
        """,
        "Italian": """
            il la lo gli della delle dei degli del di che è un una con nel nella nei nelle sono si da dal
            dalla alla alle ai al più anche come ha hanno stato stata stati suo sua questo questa tra fra
            sul sulla ma dopo quando loro essere
        """,
        "Portuguese": """
            os um uma do da dos das no na nos nas em de que é não para com por ao aos à às foi foram são
            está mais mas como se seu sua seus suas pelo pela entre até também já ser ter tem há desde
            sobre quando esta este
        """,
        "Dutch": """
            het een van en de dat die niet met voor zijn werd werden wordt worden bij ook aan uit naar
            door deze dit maar hij zij ze haar hun als meer dan nog wel kan heeft hebben te tot om tussen
            sinds tegen omdat
        """,
        "Swedish": """
            och att det som är av för på med den inte ett en har var till från om men vid kan hade de
            efter under mellan denna detta blev sedan eller även när sin sina
        """,
        "Danish or Norwegian": """
            og det er som af på til med ikke den en et har blev var fra ved efter men kan også eller
            mellem denne dette deres være blevet sig når av ble etter mellom blitt seg
        """,
        "Finnish": """
            ja on ei se että oli ovat joka jotka mutta kun myös sen hän tai ole olivat vuonna kuin niin
            sekä mukaan jälkeen kanssa ollut tämä jossa
        """,
        "Estonian": """
            ja on ei see et oli ning mis kes kui ka selle tema või aga oma aastal pärast olid mida
        """,
        "Polish": """
            się nie na jest że do od za po przez dla jak który która które są był była było były oraz ale
            tym tego jego jej ich roku przed między może także tylko już
        """,
        "Czech": """
            se na je že do za po ve ze pro který která které jsou byl byla bylo byly ale jako nebo také
            jeho její jejich roce před mezi však od již tento
        """,
        "Slovak": """
            sa na je že do za po vo zo pre ktorý ktorá ktoré sú bol bola bolo boli ale ako alebo tiež jeho
            jej ich roku pred medzi však od už tento
        """,
        "Croatian": """
            je se na da su za od po kao koji koja koje nije bio bila bilo bili ali ili također godine
            između prije nakon što iz
        """,
        "Hungarian": """
            az és hogy nem is volt egy meg már csak mint vagy ez azt után által között szerint voltak aki
            ami pedig még több évben
        """,
        "Romanian": """
            și în la de cu pe nu este sunt din că pentru mai care fost prin între după sau dar ca al ale
            lui acest această sa său au
        """,
        "Turkish": """
            ve bir bu için ile olarak olan daha çok en ne ya da gibi kadar sonra önce tarafından göre ise
            değil oldu olduğu yılında arasında her
        """,
        "Indonesian": """
            yang dan di dari dengan untuk pada ini itu tidak dalam adalah oleh akan telah sebagai juga ke
            atau karena lebih dapat tahun menjadi saat setelah
        """,
        "Vietnamese": """
            và của là các có được trong cho không với một những đã này người từ đến khi để cũng như năm về
            tại theo vào ra
        """,
        "Catalan": """
            els les amb una per que és del dels pel als més també són ha va entre fins seu seva aquest
            aquesta però quan des
        """,
        "Lithuanian": """
            ir yra kad buvo į iš su už po tai bet kaip jo jos metų metais apie kurie kuris taip pat
        """,
        "Latvian": """
            un ir ka bija uz no ar par pēc kas kā arī bet tika gadā starp viņa savu
        """,
        "Swahili": """
            ya na wa kwa ni katika za la cha kuwa hii huo yake hiyo kutoka baada ilikuwa
        """,
        "Tagalog": """
            ang ng sa mga na ay at ito si ni para hindi siya nito kung noong
        """,
        "Afrikaans": """
            die van het en nie wat met vir is hy sy aan deur ook te om na uit word hierdie was dit
        """,
    }.items()
}
"""The words of each language that are not English, by the language's name."""

FOREIGN_TOO = {
    "German": word_set("die den war hat man"),
    "French": word_set("on en un au"),
    "Italian": word_set("per non come"),
    "Portuguese": word_set("com"),
    "Dutch": word_set("die door dan"),
    "Afrikaans": word_set("die"),
}
"""Words of a language that are English words or abbreviations too: they only bear others out."""

PARTICLES = word_set("""
de la las los del della dei di da das dos du des le van der den von zu zum zur ten ter te el al y e
bin ibn ben av af et
""")
"""Words that stand inside names: `Ludwig van Beethoven`, `Universidad de los Andes`."""

LOANED = word_set("""
café cafés naïve naïvely naïveté résumé résumés façade façades fiancé fiancée cliché clichés clichéd décor
entrée entrées protégé protégés protégée déjà à piñata jalapeño crème brûlée fraîche rosé soufflé über touché
exposé passé matinée purée sauté sautéed coöperate señor señora élite émigré émigrés détente née né coup tête
château communiqué fête jalapeños smörgåsbord doppelgänger
""")
"""Words with an accent that English has taken over."""
