"""Builds the sample rulebooks as Word files from the sources of their PDFs.

The numbers are typed; what an issue strikes and inserts are tracked changes.
"""

from tests.rulebook.word_builder import (
    CHANGE,
    deleted,
    heading_styles,
    inserted,
    paragraph,
    run,
    table,
    word_file,
)

_STYLES = {"article": "Heading1", "heading": "Heading2"}
_INDENTS = {"item": 24, "subitem": 48}


def build_word_sample(build, issue, source: str) -> bytes:
    """Return an issue as a Word file; `build` is the module that builds the PDFs."""
    step = issue.step
    body = [
        paragraph(run(issue.title.upper(), "<w:b/>" + '<w:sz w:val="28"/>')),
        paragraph(run(f"PUBLISHED ON {issue.date.upper()}", "<w:b/>")),
        paragraph(run(f"Issue {issue.number}", "<w:b/>") + '<w:r><w:br w:type="page"/></w:r>'),
    ]
    rows: list[list[str]] = []
    for line in [*build.read_lines(source), build.Line("text", (), "", "")]:
        if line.kind == "row":
            cells = [_runs(build, cell.strip(), line.edits, step) for cell in line.text.split("|")]
            if any(cells):
                rows.append([paragraph(cell) for cell in cells])
            continue
        if len(rows) > 1:
            body.append(table(*rows))
        rows = []
        runs = build.runs_of(line.text, line.edits, step)
        if line.kind == "widths" or not runs:
            continue
        label = build.runs_of(line.label, line.edits, step)
        if label:
            label[-1] = (f"{label[-1][0]}\t", label[-1][1])
        is_gone = all(mark == "deleted" for _, mark in [*label, *runs])
        words = "".join(map(_run, label)) + "".join(map(_run, runs))
        indent = f'<w:ind w:left="{20 * _INDENTS.get(line.kind, 0)}"/>'
        mark = f"<w:del {CHANGE}/>" if is_gone else ""
        style = _STYLES.get(line.kind, "")
        body.append(paragraph(words, style=style, properties=indent, mark=mark))
    footer = paragraph(f"{issue.title} {issue.date} Issue {issue.number}")
    return word_file("".join(body), styles=heading_styles(numbers=False), parts={"footer1": footer})


def _runs(build, text: str, edits, step: int) -> str:
    return "".join(map(_run, build.runs_of(text, edits, step)))


def _run(part) -> str:
    text, mark = part
    write = {"deleted": deleted, "inserted": inserted, "same": run}[mark]
    return write(text)
