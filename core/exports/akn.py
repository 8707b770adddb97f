"""Akoma Ntoso 3.0, the OASIS standard for acts: a rule is an `hcontainer`, a line a paragraph.

https://docs.oasis-open.org/legaldocml/akn-core/v1.0/os/akn-core-v1.0-os-part2-specs.html
"""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from core.exports.items import Export, ExportItem
from core.exports.xml import XHTML, clean_xml, serialize_xml

NAMESPACE = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
_SOURCE = "#scrutineer"
_TEXTUAL_CHANGES = {"added": "insertion", "removed": "repeal", "renumbered": "renumbering"}
_LANGUAGES = {"en": "eng", "fr": "fra", "de": "deu", "es": "spa", "it": "ita", "ar": "ara"}
"""The ISO 639-2 codes that the standard asks for; "und" is that of an unknown language."""


def write_akn(export: Export) -> bytes:
    """Return an act; with `since`, its changed rules and the modifications that they underwent."""
    ElementTree.register_namespace("", NAMESPACE)
    ElementTree.register_namespace("xhtml", XHTML)
    root = Element(_tag("akomaNtoso"))
    act = _add(root, "act", name="rulebook")
    meta = _add(act, "meta")
    _add_identification(meta, export)
    if export.since and export.items:
        _add_modifications(meta, export)
    references = _add(meta, "references", source=_SOURCE)
    agent = {"eId": "scrutineer", "href": "/ontology/organization/scrutineer"}
    _add(references, "TLCOrganization", showAs="Scrutineer", **agent)
    body = _add(act, "body")
    if not export.items:
        _add_content(_add(body, "hcontainer", name="empty"), "content", "")
    for item in export.items:
        _add_item(body, item)
    return serialize_xml(root)


def _add_identification(meta: Element, export: Export) -> None:
    document = export.document
    uri = f"/akn/un/act/{export.day}/{export.id}"
    language = _LANGUAGES.get(document.language or "", "und")
    day = {"date": export.day, "name": "publication"}
    identification = _add(meta, "identification", source=_SOURCE)
    for level, suffix in (
        ("FRBRWork", ""),
        ("FRBRExpression", f"/{language}"),
        ("FRBRManifestation", f"/{language}.xml"),
    ):
        element = _add(identification, level)
        _add(element, "FRBRthis", value=f"{uri}{suffix}/!main")
        _add(element, "FRBRuri", value=f"{uri}{suffix}")
        if level == "FRBRWork":
            _add(element, "FRBRalias", value=clean_xml(export.title), name="title")
        _add(element, "FRBRdate", **day)
        _add(element, "FRBRauthor", href=_SOURCE)
        if level == "FRBRWork":
            _add(element, "FRBRcountry", value="un")
        elif level == "FRBRExpression":
            _add(element, "FRBRlanguage", language=language)


def _add_modifications(meta: Element, export: Export) -> None:
    analysis = _add(meta, "analysis", source=_SOURCE)
    modifications = _add(analysis, "passiveModifications")
    for item in export.walk():
        kind = _TEXTUAL_CHANGES.get(item.change, "substitution")
        change = _add(modifications, "textualMod", type=kind, eId=f"mod_{item.id}")
        _add(change, "source", href=_SOURCE)
        _add(change, "destination", href=f"#{_eid(item)}")
        if item.text_before and item.change != "removed":
            old = _add(change, "old")  # takes elements of other namespaces alone
            for line in clean_xml(item.text_before).split("\n"):
                SubElement(old, f"{{{XHTML}}}p").text = line


def _add_item(parent: Element, item: ExportItem) -> None:
    status = {"status": "removed"} if item.status in ("removed", "deleted") else {}
    element = _add(parent, "hcontainer", name="clause", eId=_eid(item), GUID=item.id, **status)
    if item.number or item.part:
        number = f"{item.number} “{item.part}”" if item.part else item.number
        _add(element, "num").text = clean_xml(number)
    if item.title:
        _add(element, "heading").text = clean_xml(item.title)
    if item.text or not item.children:
        _add_content(element, "intro" if item.children else "content", item.text)
    for child in item.children:
        _add_item(element, child)


def _add_content(parent: Element, name: str, text: str) -> None:
    """Add a text, a paragraph for each line."""
    element = _add(parent, name)
    for line in clean_xml(text).split("\n"):
        _add(element, "p").text = line


def _eid(item: ExportItem) -> str:
    return f"clause_{item.id}"


def _add(parent: Element, tag: str, /, **attributes: str) -> Element:
    return SubElement(parent, _tag(tag), attributes)


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"
