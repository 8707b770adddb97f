"""Rules by which a person chooses many documents at once, and the line that says what is chosen."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from core.language import Language
from core.library.scope import resolve_scope
from core.library.types import Document, Scope, ScopeChoice
from core.markdown_escape import escape_markdown

ScopePreset = Literal["newest", "day", "ticks"] | int
"""A rule that ticks documents; a number is a season."""


def list_seasons(documents: Iterable[Document]) -> list[int]:
    """Return the seasons of documents, the newest first."""
    return sorted({document.season for document in documents if document.season}, reverse=True)


def list_presets(documents: Iterable[Document]) -> list[ScopePreset]:
    return ["newest", *list_seasons(documents), "day", "ticks"]


def preset_of(choice: ScopeChoice) -> ScopePreset:
    """Return the rule that a choice follows."""
    if choice.documents is not None:
        return "ticks"
    return "day" if choice.on else choice.season or "newest"


def choice_of(preset: ScopePreset, ticked: tuple[str, ...]) -> ScopeChoice:
    """Return the choice by a rule: of ticks that of the ticked documents, of a day that today."""
    match preset:
        case "newest":
            return ScopeChoice()
        case "ticks":
            return ScopeChoice(documents=ticked)
        case "day":
            return ScopeChoice(on=date.today().isoformat())
    return ScopeChoice(season=preset)


def scope_of_rulebooks(
    documents: Iterable[Document],
    rulebooks: Sequence[str],
    seasons: Sequence[int],
    all_issues: bool,
) -> Scope:
    """Return the documents of some rulebooks and seasons; no rulebooks or seasons mean all.

    Unless all issues are wanted: the newest of each season that is named, else the newest of all.
    """
    held = [
        document
        for document in documents
        if (not rulebooks or document.rulebook in rulebooks)
        and (not seasons or document.season in seasons)
    ]
    if all_issues:
        return Scope(tuple(held), "all issues")
    groups = [[one for one in held if one.season == year] for year in seasons] or [held]
    return Scope(tuple(one for group in groups for one in resolve_scope(group).documents), "newest")


def describe_scope(language: Language, scope: Scope, held: int, adding: int) -> tuple[str, str]:
    """Return a short line on a scope of `held` documents, and the whole of it, both as Markdown.

    `adding` are the files that are not read yet.
    """
    count = language.say("scope-count", count=len(scope.documents), held=held)
    soon = language.say("scope-adding", count=adding) if adding else ""
    labels = [escape_markdown(document.label) for document in scope.documents]
    first = labels[0] if labels else ""
    details = [f"{escape_markdown(scope.why).capitalize()}.", "", *(f"- {one}" for one in labels)]
    if scope.left_out:
        left = (escape_markdown(document.citation_label) for document in scope.left_out)
        details += ["", language.say("scope-left-out"), "", *(f"- {label}" for label in left)]
    if len(labels) > 1:
        first = language.say("scope-more", document=first, more=len(labels) - 1)
    return " · ".join(filter(None, (first, count, soon))), "\n".join(details)
