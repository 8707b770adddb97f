"""What XML formats share: texts without characters that it cannot hold, and the file."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

XHTML = "http://www.w3.org/1999/xhtml"
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean_xml(text: str) -> str:
    """Replace the control characters that no XML document may hold."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text).replace("\r", "\n")


def add_child(parent: Element, tag: str, /, **attributes: str) -> Element:
    """Add an element in the namespace of its parent."""
    namespace = parent.tag.rpartition("}")[0]
    return SubElement(parent, f"{namespace}}}{tag}", attributes)


def serialize_xml(root: Element) -> bytes:
    data: bytes = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return data
