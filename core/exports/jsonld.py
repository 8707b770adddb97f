"""JSON-LD in the words of schema.org: a rulebook and its rules are `Legislation`."""

import json
from typing import Any

from core.exports.items import Export, ExportItem


def write_jsonld(export: Export) -> bytes:
    """Return one document of JSON-LD; its context needs no network."""
    document = export.document
    fields = {
        "@context": {"@vocab": "https://schema.org/", "scrutineer": "https://scrutineer/ns#"},
        **_legislation(export.id, export.title),
        "legislationDate": document.date,
        "inLanguage": document.language,
        "version": ".".join(str(n) for n in (document.season, document.issue) if n is not None),
        "hasPart": [_part(item) for item in export.items],
    }
    return json.dumps(_without_empty(fields), ensure_ascii=False, indent=1).encode()


def _part(item: ExportItem) -> dict[str, Any]:
    in_force = item.status == "in_force"
    return _without_empty(
        {
            **_legislation(item.id, item.title),
            "legislationIdentifier": item.number,
            "alternateName": item.part,
            "text": item.text,
            "legislationLegalForce": "InForce" if in_force else "NotInForce",
            "pageStart": item.page_first,
            "pageEnd": item.page_last,
            "scrutineer:change": item.change,
            "scrutineer:numberBefore": item.number_before,
            "scrutineer:textBefore": item.text_before,
            "scrutineer:declared": item.declared,
            "hasPart": [_part(child) for child in item.children],
        }
    )


def _legislation(item_id: str, name: str) -> dict[str, Any]:
    return {"@type": "Legislation", "@id": f"urn:uuid:{item_id}", "name": name}


def _without_empty(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in ("", None, [])}
