"""ReqIF 1.2, the OMG's format between requirement tools: a rule is an object of one type.

Attributes have the names of the ReqIF Implementation Guide. It is written by the standard library:
the package `reqif` joins strings, and loses line breaks and quotation marks in names. It reads and
validates these files in the tests. https://www.omg.org/spec/ReqIF/1.2
"""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from core.exports.items import Export, ExportItem
from core.exports.xml import XHTML, add_child, clean_xml, serialize_xml

NAMESPACE = "http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"
STRINGS = {
    "ReqIF.ForeignID": "number",
    "ReqIF.ChapterName": "title",
    "Part": "part",
    "Status": "status",
    "ClauseId": "clause_id",
    "Change": "change",
    "NumberBefore": "number_before",
    "Declared": "declared",
    "Address": "address",
}
TEXTS = {"ReqIF.Text": "text", "TextBefore": "text_before"}
_MAX_LENGTH = "32000"


def write_reqif(export: Export) -> bytes:
    """Return a ReqIF document with one specification."""
    ElementTree.register_namespace("", NAMESPACE)
    ElementTree.register_namespace("xhtml", XHTML)
    root = Element(f"{{{NAMESPACE}}}REQ-IF")
    _add_header(root, export)
    content = add_child(add_child(root, "CORE-CONTENT"), "REQ-IF-CONTENT")
    changed = f"{export.day}T00:00:00Z"
    _add_types(content, changed)
    objects = add_child(content, "SPEC-OBJECTS")
    for item in export.walk():
        _add_object(objects, item, changed)
    named = {"IDENTIFIER": f"_{export.id}", "LONG-NAME": clean_xml(export.title)}
    specifications = add_child(content, "SPECIFICATIONS")
    specification = add_child(specifications, "SPECIFICATION", **named, **{"LAST-CHANGE": changed})
    _add_reference(specification, "TYPE", "SPECIFICATION-TYPE-REF", "specification-type")
    if export.items:
        _add_hierarchy(specification, export.items, changed)
    return serialize_xml(root)


def _add_header(root: Element, export: Export) -> None:
    header = add_child(
        add_child(root, "THE-HEADER"), "REQ-IF-HEADER", IDENTIFIER=f"header-{export.id}"
    )
    for name, text in (
        ("CREATION-TIME", f"{export.day}T00:00:00Z"),
        ("REQ-IF-TOOL-ID", "Scrutineer"),
        ("REQ-IF-VERSION", "1.0"),  # of the schema, also in ReqIF 1.2
        ("SOURCE-TOOL-ID", "Scrutineer"),
        ("TITLE", clean_xml(export.title)),
    ):
        add_child(header, name).text = text


def _add_types(content: Element, changed: str) -> None:
    last = {"LAST-CHANGE": changed}
    data_types = add_child(content, "DATATYPES")
    string = {"IDENTIFIER": "string-type", "MAX-LENGTH": _MAX_LENGTH} | last
    add_child(data_types, "DATATYPE-DEFINITION-STRING", **string)
    add_child(data_types, "DATATYPE-DEFINITION-XHTML", IDENTIFIER="text-type", **last)
    types = add_child(content, "SPEC-TYPES")
    rule = {"IDENTIFIER": "rule-type", "LONG-NAME": "Rule"} | last
    attributes = add_child(add_child(types, "SPEC-OBJECT-TYPE", **rule), "SPEC-ATTRIBUTES")
    for kind, names, type_id in (
        ("STRING", STRINGS, "string-type"),
        ("XHTML", TEXTS, "text-type"),
    ):
        for name in names:
            named = {"IDENTIFIER": f"attribute-{name}", "LONG-NAME": name} | last
            definition = add_child(attributes, f"ATTRIBUTE-DEFINITION-{kind}", **named)
            _add_reference(definition, "TYPE", f"DATATYPE-DEFINITION-{kind}-REF", type_id)
    add_child(types, "SPECIFICATION-TYPE", IDENTIFIER="specification-type", **last)


def _add_object(objects: Element, item: ExportItem, changed: str) -> None:
    named = {"IDENTIFIER": f"_{item.id}", "LONG-NAME": clean_xml(item.name), "LAST-CHANGE": changed}
    element = add_child(objects, "SPEC-OBJECT", **named)
    values = add_child(element, "VALUES")
    for name, field in STRINGS.items():
        if text := clean_xml(getattr(item, field)):
            value = add_child(values, "ATTRIBUTE-VALUE-STRING", **{"THE-VALUE": text})
            _add_definition(value, "STRING", name)
    for name, field in TEXTS.items():
        if text := clean_xml(getattr(item, field)):
            value = add_child(values, "ATTRIBUTE-VALUE-XHTML")
            _add_definition(value, "XHTML", name)
            div = SubElement(add_child(value, "THE-VALUE"), f"{{{XHTML}}}div")
            for line in text.split("\n"):
                SubElement(div, f"{{{XHTML}}}p").text = line
    _add_reference(element, "TYPE", "SPEC-OBJECT-TYPE-REF", "rule-type")


def _add_hierarchy(parent: Element, items: tuple[ExportItem, ...], changed: str) -> None:
    children = add_child(parent, "CHILDREN")
    for item in items:
        named = {"IDENTIFIER": f"place-{item.id}", "LAST-CHANGE": changed}
        hierarchy = add_child(children, "SPEC-HIERARCHY", **named)
        _add_reference(hierarchy, "OBJECT", "SPEC-OBJECT-REF", f"_{item.id}")
        if item.children:
            _add_hierarchy(hierarchy, item.children, changed)


def _add_definition(value: Element, kind: str, name: str) -> None:
    reference = f"ATTRIBUTE-DEFINITION-{kind}-REF"
    _add_reference(value, "DEFINITION", reference, f"attribute-{name}")


def _add_reference(parent: Element, name: str, reference: str, identifier: str) -> None:
    add_child(add_child(parent, name), reference).text = identifier
