"""The texts of the reasoning as `trace.js` draws them, in a real browser."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).parents[2] / "pages/components/browser/trace.js"
DRAW = """text => {
    const box = document.createElement("div");
    box.append(...drawBlocks(text.split("\\n")));
    return box.innerHTML.replaceAll(' class=""', "");
}"""


@pytest.fixture(scope="module")
def draw(browser):
    """Draw a text, and return the HTML of it."""
    page = browser.new_page()
    page.add_script_tag(content="function make(" + SCRIPT.read_text().split("function make(", 1)[1])
    yield lambda text: page.evaluate(DRAW, text)
    page.close()


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("3. a\n4. b", '<ol><li value="3">a</li><li value="4">b</li></ol>'),
        ("1. a\n\n2. b", '<ol><li value="1">a</li></ol><ol><li value="2">b</li></ol>'),
        ("- all of\n  - x\n  - y", "<ul><li><p>all of</p><ul><li>x</li><li>y</li></ul></li></ul>"),
        ("> q\n> more", "<blockquote><p>q\nmore</p></blockquote>"),
        ("one\\*two\\* **three**", "<p>one*two* <strong>three</strong></p>"),
        ("<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"),
        ("[a](http://example.org)", "<p>[a](http://example.org)</p>"),
    ],
)
def test_a_text_keeps_its_numbers_and_nesting_and_becomes_no_markup(draw, text, drawn):
    assert draw(text) == drawn


def test_a_text_made_to_take_long_is_drawn_at_once(draw):
    assert draw("- " * 1_000 + "deep").count("<ul>") == 8
    assert draw(f"a{' ' * 100_000}b").startswith("<p>a")
