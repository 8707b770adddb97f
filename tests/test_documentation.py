"""The documentation is whole: pages are named, links lead somewhere, commands are told."""

import re

import pytest

from core.cli.app import app
from core.settings import Settings
from docs.site.build import ROOT, find_broken_links, list_sources, redirect_links
from docs.site.examples import PAGES
from docs.site.reference import write_reference

SOURCES = dict(list_sources())
MARKDOWN = [path for path in SOURCES if path.suffix == ".md"]


def test_the_reference_names_every_command_and_setting(tmp_path):
    write_reference(tmp_path)
    commands, settings = (
        (tmp_path / f"{name}.md").read_text() for name in ("commands", "settings")
    )
    for command in app.registered_commands:
        name = command.name or command.callback.__name__.replace("_", "-")
        assert f"\n## {name}\n" in commands
    for name in Settings.model_fields:
        assert name.upper() in settings


@pytest.mark.parametrize("page", MARKDOWN, ids=str)
def test_each_link_of_a_page_leads_to_something(page):
    """A link to nothing ends the building; one to a file outside of the site becomes words."""
    text = redirect_links(page.read_text(encoding="utf-8"), page, SOURCES[page], "")
    assert "../core/" not in re.sub(r"`[^`]*`", "", text)


def test_the_navigation_names_every_page():
    listed = (ROOT / "docs" / "site" / "zensical.toml").read_text()
    assert not [
        name for path, name in SOURCES.items() if path in MARKDOWN and f'"{name}"' not in listed
    ]


def test_commands_that_pages_show_are_followed_by_what_they_print():
    """`make examples` writes it."""
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            assert "\n" in block.strip(), f"{page}: {block}"


def test_a_link_to_nothing_is_found(tmp_path):
    (tmp_path / "index.html").write_text(
        '<a href="other.html#place">there</a> <a href="none.html">nowhere</a>'
        ' <script src="https://elsewhere.example/script.js"></script>'
    )
    (tmp_path / "other.html").write_text('<p id="place">here</p><a href="#away">away</a>')
    assert sorted(find_broken_links(tmp_path)) == [
        "index.html: fetches https://elsewhere.example/script.js",
        "index.html: there is no none.html",
        "other.html: no place of that name in #away",
    ]


def test_the_readme_is_short_and_shows_pictures_that_load():
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) < 120
    for picture in re.findall(r'src(?:set)?="([^"]+)"', text):
        assert (ROOT / picture).stat().st_size < 3_000_000
