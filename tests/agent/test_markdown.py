"""Results and quotes as Markdown show what is stored."""

from core.agent.markdown import format_tables
from core.agent.types import ToolResult
from core.answers.answer_view import keep_item_numbers
from core.library import ClausePair
from core.library.types import DiffSegment


def test_the_items_of_a_quote_keep_their_numbers():
    quote = "> “The ring:\n> 1. gloves\n> 3. a gum shield” [1]"
    assert keep_item_numbers(quote) == "> “The ring:\n> 1\\. gloves\n> 3\\. a gum shield” [1]"
    assert keep_item_numbers("at most 3.5 mm") == "at most 3.5 mm"


def pair(number, before="", after="", *pieces):
    """A pair of clauses, with these pieces where its words changed."""
    wording, kind = ("changed", "changed") if pieces else ("same", "unchanged")
    pieces = tuple(DiffSegment(*piece) for piece in pieces)
    return ClausePair(
        kind, number, number, "Speed", before, after, 0.9, pieces=pieces, wording=wording
    )


def test_a_comparison_gives_changed_words_and_no_wording_twice():
    kept = "km/h. It holds for every car throughout the Event."
    pieces = ("same", "It is"), ("deleted", "60"), ("inserted", "50"), ("same", kept)
    short = pair("21.3", f"It is 60 {kept}", f"It is 50 {kept}", *pieces)
    old, new = "old words " * 60, "new signs " * 60
    long = pair("21.4", old, new, ("deleted", old), ("inserted", new))
    table = format_tables(ToolResult(pairs=(short, long, pair("21.5", kept, kept))))
    assert "| changed | 21.3 | 21.3 | Speed | ~~60~~ **50** |" in table
    assert "| changed | 21.4 | 21.4 | Speed |  |" in table
    assert table.endswith("Unchanged: 21.5 Speed.")
    assert not any(words in table for words in ("throughout the Event", "old words"))
