"""Rules by which a person chooses many documents at once, and the line that says what is chosen."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from core.language import Language
from core.library.scope import resolve_scope, without_samples
from core.library.types import ID_PREFIX_LENGTH, Document, Scope, ScopeChoice
from core.markdown_escape import escape_markdown
from core.sanitize import strip_control_characters

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


def list_scope_choices(language: Language, documents: Sequence[Document]) -> dict[ScopeChoice, str]:
    """Return the scopes that one click can choose, with names: newest, a season, a document."""
    choices = {ScopeChoice(): language.say("preset-newest")}
    for season in list_seasons(documents):
        choices[ScopeChoice(season=season)] = language.say("decide-season", season=str(season))
    for document in documents:
        label = strip_control_characters(document.citation_label)
        choices[ScopeChoice(document=document.document_id)] = label
    return choices


def write_ticks(document_ids: Iterable[str]) -> str:
    """Return ticked documents as an address names them, which has no room for whole ids."""
    return ",".join(document_id[:ID_PREFIX_LENGTH] for document_id in document_ids)


def read_ticks(ticks: str, documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the ids of the documents that an address ticks, in the order of the documents."""
    named = ticks.split(",")
    return tuple(one.document_id for one in documents if any(map(one.matches_id, named)))


def scope_of_rulebooks(
    documents: Iterable[Document],
    rulebooks: Sequence[str],
    seasons: Sequence[int],
    all_issues: bool,
) -> Scope:
    """Return the documents of some rulebooks and seasons; no rulebooks or seasons mean all.

    Unless all issues are wanted: the newest of each season that is named, else the newest of all.
    Samples are searched beside other documents only if their rulebook is named.
    """
    every = tuple(documents)
    held = [
        document
        for document in (every if rulebooks else without_samples(every, every))
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
    labels = [escape_markdown(document.citation_label) for document in scope.documents]
    first = labels[0] if labels else ""
    details = [f"{escape_markdown(scope.why).capitalize()}.", "", *(f"- {one}" for one in labels)]
    if scope.left_out:
        left = (escape_markdown(document.citation_label) for document in scope.left_out)
        details += ["", language.say("scope-left-out"), "", *(f"- {label}" for label in left)]
    if len(labels) > 1:
        first = language.say("scope-more", document=first, more=len(labels) - 1)
    return " · ".join(filter(None, (first, count, soon))), "\n".join(details)
