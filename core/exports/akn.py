"""Akoma Ntoso 3.0, the OASIS standard for acts: a rule is an `hcontainer`, a line a paragraph.

https://docs.oasis-open.org/legaldocml/akn-core/v1.0/os/akn-core-v1.0-os-part2-specs.html
"""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from core.exports.items import Export, ExportItem
from core.exports.xml import XHTML, add_child, clean_xml, serialize_xml

NAMESPACE = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
_SOURCE = "#scrutineer"
_TEXTUAL_CHANGES = {"added": "insertion", "removed": "repeal", "renumbered": "renumbering"}
_LANGUAGES = {"en": "eng", "fr": "fra", "de": "deu", "es": "spa", "it": "ita", "ar": "ara"}
"""The ISO 639-2 codes that the standard asks for; "und" is that of an unknown language."""


def write_akn(export: Export) -> bytes:
    """Return an act; with `since`, its changed rules and the modifications that they underwent."""
    ElementTree.register_namespace("", NAMESPACE)
    ElementTree.register_namespace("xhtml", XHTML)
    root = Element(f"{{{NAMESPACE}}}akomaNtoso")
    act = add_child(root, "act", name="rulebook")
    meta = add_child(act, "meta")
    _add_identification(meta, export)
    if export.since and export.items:
        _add_modifications(meta, export)
    references = add_child(meta, "references", source=_SOURCE)
    agent = {"eId": "scrutineer", "href": "/ontology/organization/scrutineer"}
    add_child(references, "TLCOrganization", showAs="Scrutineer", **agent)
    for item in export.walk():
        if item.address:
            named = {"eId": f"address_{item.id}", "href": item.address}
            add_child(references, "TLCReference", name="address", showAs=item.number, **named)
    body = add_child(act, "body")
    if not export.items:
        _add_content(add_child(body, "hcontainer", name="empty"), "content", "")
    for item in export.items:
        _add_item(body, item)
    return serialize_xml(root)


def _add_identification(meta: Element, export: Export) -> None:
    document = export.document
    uri = f"/akn/un/act/{export.day}/{export.id}"
    language = _LANGUAGES.get(document.language or "", "und")
    day = {"date": export.day, "name": "publication"}
    identification = add_child(meta, "identification", source=_SOURCE)
    for level, suffix in (
        ("FRBRWork", ""),
        ("FRBRExpression", f"/{language}"),
        ("FRBRManifestation", f"/{language}.xml"),
    ):
        element = add_child(identification, level)
        add_child(element, "FRBRthis", value=f"{uri}{suffix}/!main")
        add_child(element, "FRBRuri", value=f"{uri}{suffix}")
        if level == "FRBRWork":
            add_child(element, "FRBRalias", value=clean_xml(export.title), name="title")
        add_child(element, "FRBRdate", **day)
        add_child(element, "FRBRauthor", href=_SOURCE)
        if level == "FRBRWork":
            add_child(element, "FRBRcountry", value="un")
        elif level == "FRBRExpression":
            add_child(element, "FRBRlanguage", language=language)


def _add_modifications(meta: Element, export: Export) -> None:
    analysis = add_child(meta, "analysis", source=_SOURCE)
    modifications = add_child(analysis, "passiveModifications")
    for item in export.walk():
        kind = _TEXTUAL_CHANGES.get(item.change, "substitution")
        change = add_child(modifications, "textualMod", type=kind, eId=f"mod_{item.id}")
        add_child(change, "source", href=_SOURCE)
        add_child(change, "destination", href=f"#{_eid(item)}")
        if item.text_before and item.change != "removed":
            old = add_child(change, "old")  # takes elements of other namespaces alone
            for line in clean_xml(item.text_before).split("\n"):
                SubElement(old, f"{{{XHTML}}}p").text = line


def _add_item(parent: Element, item: ExportItem) -> None:
    named = {"refersTo": f"#address_{item.id}"} if item.address else {}
    named |= {"status": "removed"} if item.status in ("removed", "deleted") else {}
    element = add_child(parent, "hcontainer", name="clause", eId=_eid(item), GUID=item.id, **named)
    if item.number or item.part:
        number = f"{item.number} “{item.part}”" if item.part else item.number
        add_child(element, "num").text = clean_xml(number)
    if item.title:
        add_child(element, "heading").text = clean_xml(item.title)
    if item.text or not item.children:
        _add_content(element, "intro" if item.children else "content", item.text)
    for child in item.children:
        _add_item(element, child)


def _add_content(parent: Element, name: str, text: str) -> None:
    """Add a text, a paragraph for each line."""
    element = add_child(parent, name)
    for line in clean_xml(text).split("\n"):
        add_child(element, "p").text = line


def _eid(item: ExportItem) -> str:
    return f"clause_{item.id}"
