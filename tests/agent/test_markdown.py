"""Results and quotes as Markdown show what is stored."""

from core.agent import keep_item_numbers


def test_the_items_of_a_quote_keep_their_numbers():
    quote = "> “The ring:\n> 1. gloves\n> 3. a gum shield” [1]"
    assert keep_item_numbers(quote) == "> “The ring:\n> 1\\. gloves\n> 3\\. a gum shield” [1]"
    assert keep_item_numbers("at most 3.5 mm") == "at most 3.5 mm"
