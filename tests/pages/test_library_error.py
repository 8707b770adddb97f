"""A library that another version made is refused with a sentence, and read again with a click."""

import lancedb
import pytest

from core.library.storage.library import Library
from tests.pages.visit import opened, text_of


@pytest.mark.slow
def test_a_library_of_another_version_is_read_again_with_a_click(data, sporting):
    held = sporting.documents()
    index = lancedb.connect(str(data / "index"))
    for name in ("documents", "clauses"):
        rows = index.open_table(name).to_arrow()
        index.create_table(name, rows.replace_schema_metadata({"format": "1"}), mode="overwrite")
    app = opened()
    assert "was made by another version of Scrutineer" in text_of(app)
    next(
        button for button in app.button if button.label == "Read its documents again"
    ).click().run()
    assert "It is made again from the stored files" in text_of(app)
    next(button for button in app.button if button.label == "Continue").click().run()
    assert "another version" not in text_of(app)
    assert app.chat_input
    assert Library(data).documents() == held
