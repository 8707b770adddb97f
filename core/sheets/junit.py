"""Checked sheets as a JUnit report, which build servers read."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from xml.etree import ElementTree

from core.sheets.checked_rows import CheckedRow
from core.sheets.sheet_check import SheetResult, SheetRow

_NONE: Mapping[str, object] = MappingProxyType({})


def junit_report(
    checked: Iterable[CheckedRow], strict: bool = False, properties: Mapping[str, object] = _NONE
) -> bytes:
    """Return a report with a case for each row and document, and properties of all by name.

    "Not legal" is a failure. What is not decided is skipped with what is missing; a failure too if
    `strict`.
    """
    suite = ElementTree.Element("testsuite", name="compliance sheet")
    counts = {"tests": 0, "failures": 0, "skipped": 0}
    listed = ElementTree.SubElement(suite, "properties")
    for name, value in properties.items():
        ElementTree.SubElement(listed, "property", name=_printable(name), value=str(value))
    for one in checked:
        document, row, result = one.document.file, one.row, one.result
        counts["tests"] += 1
        name = _printable(f"{row.id}: {row.parameter}")
        case = ElementTree.SubElement(suite, "testcase", classname=_printable(document), name=name)
        if result.verdict == "legal":
            continue
        is_failure = strict or result.verdict == "not legal"
        counts["failures" if is_failure else "skipped"] += 1
        message = _printable(f"{result.verdict}: {_explain(row, result)}")
        ElementTree.SubElement(case, "failure" if is_failure else "skipped", message=message)
    for name, count in counts.items():
        suite.set(name, str(count))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def _explain(row: SheetRow, result: SheetResult) -> str:
    """Return what a limit asks for, or what to add to the row."""
    articles = ", ".join(result.articles)
    if result.verdict == "not legal":
        yours = f"{row.value} {row.unit}".strip()
        return f"{result.limit} by {articles}, yours {yours}, margin {result.margin}"
    what = "" if result.verdict == "no rule" else "say "
    return f"{what}{result.missing}" + (f" ({articles})" if articles else "")


def _printable(text: str) -> str:
    """Return a text without what XML cannot hold."""
    return "".join(one for one in text if one.isprintable())
