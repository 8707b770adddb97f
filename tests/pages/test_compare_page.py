"""The page Compare: what changed between two issues."""

import csv
import io
import json
from urllib.parse import parse_qsl

import pytest

from core.exports import pairs_csv
from core.library.comparison.compare import compare
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.rulebook.types import MetadataOverride
from tests.pages.visit import opened, pdf, text_of
from tests.rulebook.pdf_builder import Paper


def at_compare(**address):
    app = opened(**address).switch_page("compare.py")
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def badges(app):
    return [
        line.split("]")[0].removeprefix(":").split("[")[1]
        for m in app.markdown
        if "-badge[" in (line := m.value)
    ]


def test_two_seasons_are_compared_as_they_come(library):
    app = at_compare()
    assert (app.selectbox(key="before").value, app.selectbox(key="after").value) == tuple(
        document.document_id for document in library.documents()
    )
    assert badges(app) == ["Changed words"]
    assert "1 of 8 clauses" in text_of(app)
    assert "two different rulebooks" not in text_of(app)
    assert "Place: 8 same. Wording: 7 same, 1 changed." in text_of(app)
    words = [m.value for m in app.markdown]
    assert any(":red-background[~~60~~]" in line and "50" not in line for line in words)
    assert any(":green-background[**50**]" in line and "60" not in line for line in words)


def test_without_two_issues_of_one_rulebook_none_is_chosen(data):
    library = Library(data)
    for name in ("Sleds", "Carts"):
        rule = {"article": "1", "title": "Bells", "text": "Every one has a bell."}
        rule |= {"document": name, "family": name.casefold()}
        assert [a.status for a in add_bytes(library, json.dumps(rule).encode(), f"{name}.jsonl")]
    app = at_compare()
    assert app.selectbox(key="before").value is app.selectbox(key="after").value is None
    assert "No rulebook here has two issues" in text_of(app)
    sleds, carts = (document.document_id for document in library.documents())
    app.selectbox(key="before").set_value(sleds).run()
    app.selectbox(key="after").set_value(carts).run()
    assert not app.exception
    assert "of 1 clause" in text_of(app)
    assert "two different rulebooks" in text_of(app)


def test_below_each_selector_stands_what_its_name_might_be_cut_before(library):
    captions = [caption.value for caption in at_compare().caption]
    issues = [f"{document.season} · Issue {document.issue}" for document in library.documents()]
    assert all(any(caption.startswith(line) for caption in captions) for line in issues)
    assert issues[0] != issues[1]


@pytest.mark.slow
def test_an_issue_with_a_misprinted_date_is_compared_too(library):
    for issue, day in ((1, "1 January 2025"), (2, "31 February 2025")):
        title = f"2025 Kart Sporting Regulations, Issue {issue}, published on {day}"
        data = pdf(
            title, "1 KARTS", f"1.1 Every kart carries {issue} bumpers.", "1.2 Every kart is red."
        )
        assert [addition.status for addition in add_bytes(library, data, f"kart{issue}.pdf")] == [
            "added"
        ]
    at_compare()


def kart_rules(issue, *kilograms):
    """An issue of small rules, on paper, so that words in them can be struck."""
    paper = (
        Paper().at(72, 60, f"2025 Kart Sporting Regulations, Issue {issue}").heading("1", "KARTS")
    )
    paper.clause("1.1", "Every kart carries a bumper at the front and at the rear.")
    return paper.line(
        "A kart weighs at least ", *kilograms, " with its driver.", number="1.2", gap=8
    ).pdf()


@pytest.mark.slow
def test_a_comparison_follows_what_a_document_is_said_to_be(data):
    """Publisher's marks count only in the later issue, and a person can correct which is later."""
    library = Library(data)
    for issue, kilograms in ((1, ["150 kg"]), (2, [("150 kg", "struck"), (" 155 kg", "#CC0000")])):
        [added] = add_bytes(library, kart_rules(issue, *kilograms), f"kart{issue}.pdf")
        assert (added.status, added.document.issue) == ("added", issue)
    app = at_compare()
    assert [one.key for one in app.multiselect] == ["place", "wording", "publisher"]
    library.correct_metadata(added.document.document_id, MetadataOverride(season=2020))
    app.run()
    assert [one.key for one in app.multiselect] == ["place", "wording"]


def test_the_other_way_round(library):
    app = at_compare()
    next(button for button in app.main.button if button.label == "Swap").click().run()
    assert any(":red-background[~~50~~]" in m.value for m in app.markdown)


def test_wording_articles_and_words_narrow_what_is_shown(library):
    app = at_compare()
    app.multiselect(key="wording").set_value(["same"]).run()
    assert "7 of 8 clauses" in text_of(app)
    app.text_input(key="article").set_value("38").run()
    assert "2 of 8 clauses" in text_of(app)
    app.text_input(key="said").set_value("reprimand").run()
    assert "1 of 8 clauses" in text_of(app)
    app.text_input(key="said").set_value("helicopter").run()
    assert "No clauses match" in text_of(app)


def test_the_address_carries_the_choice(library):
    first, second = library.documents()
    app = at_compare(before=second.document_id, after=first.document_id, said="speed")
    assert app.selectbox(key="before").value == second.document_id
    assert app.text_input(key="said").value == "speed"
    assert any(":red-background[~~50~~]" in m.value for m in app.markdown)


def test_the_same_document_twice_is_told(library):
    app = at_compare()
    app.selectbox(key="before").set_value(library.documents()[1].document_id).run()
    assert "same document twice" in text_of(app)


def test_a_clause_opens_in_browse(library):
    links = (link.proto for link in at_compare().get("page_link"))
    link = next(link for link in links if link.label.startswith("21\\.3 in Cup Rules 2023"))
    [(name, clause_id)] = parse_qsl(link.query_string)
    app = opened().switch_page(f"{link.page}.py")
    app.query_params[name] = clause_id
    app.run()
    assert not app.exception
    assert app.title[0].value == "Rulebooks"
    assert "21.3 Speed limit" in text_of(app)


def test_an_empty_library_and_one_document_say_what_to_do(library):
    first, second = library.documents()
    library.remove_document(first.document_id)
    assert "the library holds one document" in text_of(at_compare())
    library.remove_document(second.document_id)
    assert "the library is empty" in text_of(at_compare())


@pytest.mark.slow
def test_many_pairs_come_on_pages(library):
    for season in (2023, 2024):
        lines = [
            {
                "document": f"Long Rules {season}",
                "article": f"{number}",
                "text": f"Rule {number} of the long book is on {number * 7} of year {season}.",
                "season": season,
                "issue": 1,
                "family": "long",
                "date": f"{season}-01-01",
            }
            for number in range(1, 51)
        ]
        list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"long{season}.jsonl"))
    app = at_compare()
    assert "50 of 50 clauses" in text_of(app)
    assert len(badges(app)) == 20
    app.pagination(key="changes-page").set_value(3).run()
    assert len(badges(app)) == 10


def test_the_pairs_go_into_files(library):
    sides = library.documents()
    pairs = compare(*(library.clauses(document.document_id) for document in sides))
    rows = list(csv.DictReader(io.StringIO(pairs_csv(pairs).decode("utf-8-sig"))))
    assert [row["kind"] for row in rows if row["article_a"] == "21.3"] == ["changed"]
    offered = [button.label for button in at_compare().get("download_button")]
    assert offered == ["CSV", "Word", "PDF"]


@pytest.mark.slow
def test_a_renumbered_rule_with_other_words_is_among_the_changed_ones(library):
    belts = "Each driver must wear a harness with six straps that is fixed to the chassis"
    for season, rules in ((2023, ("Dogs stay at home.", f"{belts}.")), (2024, (f"{belts}, too.",))):
        lines = [
            {"document": f"Belts {season}", "article": f"7.{number}", "text": text}
            | {"season": season, "issue": 1, "family": "belts"}
            for number, text in enumerate(rules, 1)
        ]
        list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"b{season}.jsonl"))
    before, after = (d.document_id for d in library.documents() if d.family == "belts")
    app = at_compare(before=before, after=after)
    for place, count in (("renumbered", "1 of 2"), ("moved", "No clauses match")):
        app.multiselect(key="place").set_value([place]).run()
        assert count in text_of(app)
    app.multiselect(key="place").set_value([]).run()
    app.multiselect(key="wording").set_value(["changed"]).run()
    [line] = [m.value for m in app.markdown if "Renumbered" in m.value]
    assert "badge[Changed words]" in line


def test_a_heading_says_which_rules_came_and_left_below_it(library):
    ladder, dogs = "Every ladder is fixed to the floor.", "No animals in any room where we cook."
    for season, number, text in ((2023, "1.1", ladder), (2024, "1.2", dogs)):
        texts, titles = {"1": "", number: text}, {"1": "Kitchen"}
        lines = [
            {"document": f"Food {season}", "article": number, "text": text}
            | {"title": titles.get(number, ""), "season": season, "issue": 1, "family": "food"}
            for number, text in texts.items()
        ]
        list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"f{season}.jsonl"))
    before, after = (d.document_id for d in library.documents() if d.family == "food")
    app = at_compare(before=before, after=after)
    captions = [caption.value.replace("\\", "") for caption in app.caption]
    assert {"Came below it: 1.2.", "Left it: 1.1."} <= set(captions)
    assert badges(app) == ["Added", "Removed"]
