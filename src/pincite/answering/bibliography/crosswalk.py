"""What CSL's types and fields are called in BibTeX, in RIS and in what sources say of themselves.

Of several names in BibTeX and RIS the first is written and each is read. In a source, what indexes of papers
read comes before what any page may say.
"""

from typing import NamedTuple


class Names(NamedTuple):
    """The names of one field, divided by spaces."""

    bibtex: str = ""
    ris: str = ""
    source: str = ""


TYPES = {
    "article-journal": ("article", "JOUR EJOUR MGZN NEWS"),
    "article": ("misc unpublished", "UNPB"),
    "book": ("book proceedings", "BOOK EBOOK"),
    "chapter": ("incollection inbook", "CHAP ECHAP"),
    "paper-conference": ("inproceedings conference", "CPAPER CONF"),
    "report": ("techreport report", "RPRT"),
    "thesis": ("phdthesis mastersthesis thesis", "THES"),
    "webpage": ("online electronic www", "ELEC WEB BLOG"),
    "dataset": ("dataset", "DATA"),
    "software": ("software", "COMP"),
    "document": ("misc", "GEN"),
}
"""The types that are told apart, in BibTeX and in RIS. `article` is a preprint, `document` anything else."""

FIELDS = {
    "title": Names("title", "TI T1 CT", "citation_title dc.title dcterms.title og:title title"),
    "author": Names(
        "author",
        "AU A1",
        "author authors creator citation_author dc.creator dcterms.creator article:author byline "
        "parsely-author",
    ),
    "editor": Names("editor", "ED A2", "editor editors citation_editor"),
    "issued": Names(
        "date",
        "DA",
        "citation_publication_date citation_date citation_online_date dc.date dcterms.issued dc.date.issued "
        "prism.publicationdate article:published_time date issued published publication_date year",
    ),
    "accessed": Names("urldate", "Y2"),
    "container-title": Names(
        "journal booktitle journaltitle maintitle",
        "T2 JO JF BT J2",
        "citation_journal_title citation_conference_title citation_inbook_title prism.publicationname "
        "container-title journal booktitle og:site_name",
    ),
    "publisher": Names(
        "publisher school institution organization howpublished",
        "PB",
        "citation_publisher dc.publisher citation_technical_report_institution "
        "citation_dissertation_institution publisher institution",
    ),
    "publisher-place": Names("address location", "CY PP", "publisher-place address location"),
    "volume": Names("volume", "VL", "citation_volume prism.volume volume"),
    "issue": Names("number", "IS", "citation_issue prism.number issue"),
    "page": Names("pages", "SP", "citation_firstpage pages page"),
    "edition": Names("edition", "ET", "edition"),
    "number": Names("", "M1", "citation_technical_report_number report_number"),
    "DOI": Names("doi", "DO", "citation_doi doi dc.identifier prism.doi subject identifier"),
    "URL": Names("url", "UR L2", "citation_public_url og:url url source_url"),
    "ISBN": Names("isbn", "", "citation_isbn isbn"),
    "ISSN": Names("issn", "SN", "citation_issn prism.issn issn"),
    "language": Names("language langid", "LA", "citation_language dc.language language lang"),
}
TEXTS = tuple(name for name in FIELDS if name not in ("author", "editor", "issued", "accessed"))
