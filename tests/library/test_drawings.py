"""A figure that was drawn anew is a change, though no word of its rule is another."""

import pytest

from core.library import ClausePair, Library, compare_documents
from core.library.ingestion.ingest import add_bytes
from tests.rulebook.pdf_builder import Paper

RULES = {
    "1.1": "Every wing must lie within the hatched area of the drawing below.",
    "1.2": "Every bumper must be fixed to the chassis at both of its ends.",
    "1.3": "Every ladder in the garage has to be fixed to the floor.",
}


def rulebook(title: str, holes: int = 1, gap: int = 0, scale: float = 1.0) -> bytes:
    """A rulebook with a plate that has some holes below rule 1.1, some points further down."""
    paper = Paper().line(title, bold=True).heading("1", "BODYWORK")
    for number, text in RULES.items():
        paper.clause(number, text)
        if number == "1.1":
            paper.y -= gap + 20 + 120 * scale
            canvas = paper.canvas
            canvas.saveState()
            canvas.translate(150, paper.y)
            canvas.scale(scale, scale)
            canvas.rect(0, 0, 240, 120)
            for hole in range(holes):
                canvas.circle(40 + 60 * hole, 60, 20)
            canvas.line(0, 0, 240, 120 if holes < 3 else 60)
            canvas.restoreState()
    return paper.pdf()


def compare_rulebooks(library: Library, before: bytes, after: bytes) -> dict[str, ClausePair]:
    ids = []
    for data, name in ((before, "old"), (after, "new")):
        [added] = add_bytes(
            library, data, name + (".pdf" if data.startswith(b"%PDF") else ".jsonl")
        )
        assert added.document is not None
        ids.append(added.document.document_id)
    pairs = compare_documents(library, *ids, is_drawn=True)
    return {pair.articles[-1]: pair for pair in pairs}


@pytest.mark.slow
def test_a_figure_with_other_lines_is_drawn_differently(library: Library) -> None:
    before, after = rulebook("2024 Wing Rules"), rulebook("2025 Wing Rules", holes=3)
    pairs = compare_rulebooks(library, before, after)
    [figure] = pairs["1.1"].redrawn
    assert figure.page == 1
    assert (pairs["1.1"].kind, pairs["1.1"].wording) == ("changed", "same")
    assert {pairs[number].redrawn for number in ("1.2", "1.3")} == {()}


@pytest.mark.slow
def test_a_figure_that_only_moved_or_grew_is_the_same(library: Library) -> None:
    before = rulebook("2024 Wing Rules", holes=2)
    for title, after in (
        ("moved", rulebook("2025 Wing Rules", holes=2, gap=37)),
        ("grew", rulebook("2026 Wing Rules", holes=2, scale=1.2)),
    ):
        pairs = compare_rulebooks(library, before, after)
        assert {pair.redrawn for pair in pairs.values()} == {()}, title


def test_of_documents_without_pages_nothing_is_said_of_figures(library: Library) -> None:
    lines = b'{"document": "Wing Rules", "article": "1", "text": "Wings are wide."}'
    pairs = compare_rulebooks(library, lines, lines.replace(b"wide", b"long"))
    assert [pair.redrawn for pair in pairs.values()] == [()]
