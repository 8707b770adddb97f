"""OSCAL, NIST's format for requirements: a rule is a control with a statement.

https://pages.nist.gov/OSCAL/reference/latest/catalog/json-outline/
"""

import json
from collections.abc import Iterator
from typing import Any

from core.exports.items import Export, ExportItem

OSCAL_VERSION = "1.1.3"
NAMESPACE = "https://scrutineer/ns/oscal"


def write_oscal(export: Export) -> bytes:
    """Return a catalog in JSON."""
    issue = (export.document.season, export.document.issue)
    metadata = {
        "title": export.title,
        "last-modified": f"{export.day}T00:00:00Z",
        "version": ".".join(str(number) for number in issue if number is not None) or "1",
        "oscal-version": OSCAL_VERSION,
    }
    catalog: dict[str, Any] = {"uuid": export.id, "metadata": metadata}
    if export.items:
        catalog["controls"] = [_control(item) for item in export.items]
    return json.dumps({"catalog": catalog}, ensure_ascii=False, indent=1).encode()


def _control(item: ExportItem) -> dict[str, Any]:
    control: dict[str, Any] = {
        "id": f"clause-{item.id}",
        "class": item.status,
        "title": item.name or item.part or item.id,
        "props": list(_props(item)),
    }
    if item.address:
        control["links"] = [{"href": item.address, "rel": "canonical"}]
    if parts := list(_parts(item)):
        control["parts"] = parts
    if item.children:
        control["controls"] = [_control(child) for child in item.children]
    return control


def _props(item: ExportItem) -> Iterator[dict[str, str]]:
    """Yield the number as the control's label, and our own properties in our namespace."""
    label = " ".join(f"{item.number} {item.part}".split())
    if label:
        yield {"name": "label", "value": label}
    own = {
        "clause-id": item.clause_id,
        "page": str(item.page_first or ""),
        "change": item.change,
        "number-before": item.number_before,
        "declared": item.declared,
    }
    for name, value in own.items():
        if words := " ".join(value.split()):
            yield {"name": name, "ns": NAMESPACE, "value": words}


def _parts(item: ExportItem) -> Iterator[dict[str, str]]:
    if item.text:
        yield {"id": f"statement-{item.id}", "name": "statement", "prose": item.text}
    if item.text_before:
        yield {"id": f"before-{item.id}", "name": "before", "prose": item.text_before} | {
            "ns": NAMESPACE
        }
