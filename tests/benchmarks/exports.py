"""How large each format of export is, how long it takes, and what programs of others say of it.

    python tests/benchmarks/exports.py FOLDER [--formats akn oscal ...] [--no-changes]

Adds the PDFs of FOLDER to the library of the settings (`SCRUTINEER_DATA_DIR`), where they stay for
the next time. Exported are each document and its changes since the edition before it. After `make
validators` each is read by the programs of others, which must find the same rules with the same
letters. Prints per format the number of exports, their size, how long writing took beside reading
the same rules from the library, and how many were refused; the exit status is 1 if any was.

Twelve rulebooks, five files that are hard to read and nine changes, 10,774 rules in all, on a
busy machine; none of the 130 files was refused:

            bytes a rule   processor ms for 1,000 rules
    csv          677           11
    jsonl        775           42
    akn          724           41
    oscal      1,239           54
    reqif      1,953          113
    xlsx         215          148       reading and comparing the rules: 910
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.choices import ExportFormat
from core.exports import export_changes, export_document, write_export
from core.exports.formats import FORMATS
from core.exports.items import Export
from core.library import Library, add_file
from core.settings import load_settings
from tests.exports.test_exports import SUFFIXES, VALIDATED, VALIDATORS


@dataclass
class Total:
    """What all exports of a format add up to."""

    exports: int = 0
    rules: int = 0
    size: int = 0
    seconds: float = 0.0
    checked: int = 0
    refused: int = 0

    @property
    def row(self) -> str:
        return (
            f"{self.exports:9}{self.rules:9}{self.size / 1e6:9.1f}"
            f"{self.size / max(self.rules, 1):9.0f}{self.seconds:9.2f}"
            f"{self.checked:9}{self.refused:9}"
        )


def all_exports(library: Library, with_changes: bool) -> Iterator[Export]:
    """Yield every document, and its changes since the edition before it."""
    for document in library.documents():
        yield export_document(library, document.document_id)
        editions = library.list_editions(document)
        before = editions.index(document) - 1
        if with_changes and before >= 0:
            yield export_changes(library, document.document_id, editions[before].document_id)


def find_fault(export: Export, export_format: ExportFormat, written: bytes) -> str:
    """Return what programs of others say against an export, "" for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"export{SUFFIXES.get(export_format, f'.{export_format}')}"
        file.write_bytes(written)
        validate = ROOT / "tests" / "exports" / "validate.py"
        command = [VALIDATORS, validate, export_format, file]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr[-1500:]
    read = {item_id: text for item_id, (_, text) in json.loads(done.stdout).items()}
    stored = {item.id: item.text for item in export.walk()}
    differing = [key for key in stored.keys() | read.keys() if stored.get(key) != read.get(key)]
    return f"{len(differing)} rules read otherwise, as {differing[0]}" if differing else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--formats", nargs="+", choices=list(FORMATS), default=list(FORMATS))
    parser.add_argument("--no-changes", action="store_true")
    arguments = parser.parse_args()
    library = Library.open(load_settings())
    known = {document.file for document in library.documents()}
    for path in sorted(arguments.folder.glob("*.pdf")):
        if path.name not in known:
            print(next(iter(add_file(library, path))).message or path.name, file=sys.stderr)
    totals = {name: Total() for name in arguments.formats}
    reading = Total()
    started = time.process_time()
    for export in all_exports(library, not arguments.no_changes):
        reading.seconds += time.process_time() - started
        for name, total in totals.items():
            started = time.process_time()
            written = write_export(export, name)
            total.seconds += time.process_time() - started
            total.exports += 1
            total.rules += sum(1 for _ in export.walk())
            total.size += len(written)
            if name in VALIDATED and VALIDATORS.is_file():
                total.checked += 1
                if fault := find_fault(export, name, written):
                    total.refused += 1
                    print(f"{name}, {export.title}: {fault}", file=sys.stderr)
        started = time.process_time()
    columns = ("exports", "rules", "MB", "bytes/rule", "seconds", "checked", "refused")
    print(" " * 8 + "".join(f"{column:>9}" for column in columns))
    for name, total in totals.items():
        print(f"{name:8}{total.row}")
    print(f"Processor seconds; reading and comparing the same rules took {reading.seconds:.2f}.")
    return any(total.refused for total in totals.values())


if __name__ == "__main__":
    sys.exit(main())
