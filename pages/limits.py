"""What a rulebook limits and obliges, what was not read, and sheets of values held against it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import streamlit as st

from core.library import (
    Document,
    Editions,
    Layers,
    Library,
    Outline,
    Scope,
    ScopeChoice,
    resolve_scope,
)
from core.markdown_escape import escape_markdown
from core.registers import (
    ChecklistEntry,
    ChecklistStore,
    Limit,
    LimitsRegister,
    Obligation,
    ObligationsList,
    RuleList,
    RuleLists,
)
from core.shapes import checklist_row, rule_row
from core.table_files import MAX_BYTES
from pages.components import services, state
from pages.components.dates import format_time
from pages.components.document_names import require_documents
from pages.components.people import person_name
from pages.components.picture import filter_by_picture
from pages.components.registers import (
    collect_obligations,
    load_limits,
    load_obligations,
    offer_rows,
    show_open_counts,
    show_quote,
)
from pages.components.sheet import check_a_sheet
from pages.components.tables import choose_row
from pages.components.widgets import (
    choose_many,
    choose_view,
    count_row,
    select_many,
    select_one,
    take_file,
)
from pages.components.words import language, library_text, say, say_each

Row = Mapping[str, Any]


def take_checklist(library: Library, document: Document, duties: Sequence[Obligation]) -> None:
    """Draw an uploader of a filled checklist, whose columns are kept."""

    def keep_entries(data: bytes, name: str) -> None:
        store = services.open_store(ChecklistStore)
        count, unknown = store.save_file(library, document, duties, data, name, person_name())
        told = say("noted-count", count=count)
        st.toast(f"{told} {say('noted-unknown', count=unknown) if unknown else ''}")

    with st.popover(say("noted-file"), icon=":material/upload:"):
        st.caption(say("noted-about"))
        size, kinds = MAX_BYTES >> 20, ["csv", "xlsx"]
        take_file(say("noted-upload"), kinds, "checklist-file", keep_entries, max_upload_size=size)


def note_obligation(library: Library, scope: Scope, duty: Obligation) -> None:
    """Draw what is noted of an obligation, to be changed."""
    store, document = services.open_store(ChecklistStore), scope.by_id[duty.document_id]
    # One of all: what is noted of other words goes to the obligation that it fits best.
    duties = load_obligations(library, document, scope).obligations
    noted = store.entries_for(library, document, duties).get(duty, ChecklistEntry())
    before = noted.columns_for(duty)["noted_of"]
    if before:
        st.warning(say("noted-before", words=escape_markdown(before)))
    with st.form(f"note-{duty.clause_id}-{hash(duty.quote)}"):
        labels = {name: say(f"column-{name}") for name in ("owner", "subteam", "status")}
        labels["evidence"] = say("noted-evidence")
        cells = {
            name: column.text_input(label, getattr(noted, name)).strip()
            for column, (name, label) in zip(st.columns(len(labels)), labels.items(), strict=True)
        }
        if st.form_submit_button(say("document-save")):
            entries = {duty: replace(noted, **cells)}
            store.save_entries(library, document, entries, person_name())
            st.rerun()
    for change in reversed(noted.history):
        words = {name: escape_markdown(text) for name, text in asdict(change).items()}
        st.caption(say("noted-change", **words | {"time": format_time(change.at)}))


def choose_documents(library: Library) -> Scope:
    """Draw the choice of a document or a competition, and return its scope.

    At first it is the competition of the chat, on its day, else that of the newest document.
    """
    documents, chat = require_documents(library), state.chosen_scope()
    held = tuple(documents.values())
    layers = Layers(held, chat.on)
    competitions = layers.competition_names
    names = {one[:12]: name for one, name in competitions.items()}
    names |= library_text().name_documents(held)
    newest = Editions(held).find_last()
    own = (one.document_id for one in layers.list_with(newest) if one.document_id in competitions)
    fallback = next((one[:12] for one in own), newest.document_id)
    first = list(names).index(chat.competition if chat.competition in names else fallback)
    look = {"index": first, "key": "limits-of", "persist_state": "session"}
    chosen = select_one(say("column-document"), names, **look)
    if chosen in documents:
        return Scope((documents[chosen],), "chosen", day=chat.on)
    return resolve_scope(held, ScopeChoice(competition=chosen, on=chat.on))


def load_register(library: Library, scope: Scope) -> LimitsRegister:
    """The limits of all documents of a scope, as its layers lie; of one as those of the chat."""
    of_all = scope if len(scope.documents) > 1 else None
    return LimitsRegister.join([load_limits(library, one, of_all)[0] for one in scope.documents])


def list_rules(scope: Scope) -> RuleLists:
    return RuleLists(language(), library_text().name_documents(scope.documents))


def choose_limits(library: Library, scope: Scope) -> RuleList:
    """Draw the filters of limits, and return what they leave."""
    register = load_register(library, scope)
    relations = say_each("relation-", dict.fromkeys(limit.relation for limit in register.limits))
    units = sorted({limit.unit for limit in register.limits})
    kinds = choose_many(say("limits-relation"), relations, "relations", width="content")
    names = {unit: unit or say("limits-a-count") for unit in units}
    measures = select_many(say("limits-unit"), names, key="units", width=UNITS_WIDTH)
    return list_rules(scope).limits(register, kinds, measures)


def name_kind(limit: Limit) -> str:
    """What a limit measures, in the reader's language."""
    kind = limit.kind
    return language().say_failure(f"kind-{kind.replace(' ', '-')}", kind) or say("limits-a-count")


def load_entries(library: Library, scope: Scope) -> dict[Obligation, ChecklistEntry]:
    """What is noted of the obligations of a scope."""
    store = services.open_store(ChecklistStore)
    noted: dict[Obligation, ChecklistEntry] = {}
    for one in scope.documents:
        noted |= store.entries_for(library, one, load_obligations(library, one, scope).obligations)
    return noted


def choose_obligations(library: Library, scope: Scope) -> RuleList:
    """Draw the filter of obligations, and return what it leaves."""
    documents = scope.documents
    listed = ObligationsList.join(load_obligations(library, one, scope) for one in documents)
    modalities = say_each("duty-", dict.fromkeys(duty.modality for duty in listed.obligations))
    kinds = choose_many(say("limits-duty"), modalities, "duties", width="content")
    noted = load_entries(library, scope)
    teams = sorted({entry.subteam for entry in noted.values()} - {""})
    names = {"": say("noted-unowned")} | {team: team for team in teams}
    subteams = select_many(say("column-subteam"), names, key="subteams", width=UNITS_WIDTH)
    if len(documents) == 1:  # a filled list is one document's
        take_checklist(library, documents[0], listed.obligations)
    return list_rules(scope).obligations(listed, noted, kinds, subteams)


def show_unowned(library: Library, document: Document) -> None:
    """Draw how many obligations of a document nobody owns, now and on earlier days."""
    duties = collect_obligations(library, document, (), None).obligations
    unowned = services.open_store(ChecklistStore).list_unowned(library, document, duties)
    show_open_counts(say("open-unowned"), document, len(unowned))


def make_rows(library: Library, scope: Scope, rules: Sequence[Any]) -> Iterable[Mapping[str, Any]]:
    """The rows of rules for files; of obligations with what is noted of them."""
    duties = [rule for rule in rules if isinstance(rule, Obligation)]
    if not duties:
        return (rule_row(scope.by_id[rule.document_id], rule).model_dump() for rule in rules)
    noted = load_entries(library, scope)
    return (checklist_row(scope.by_id[one.document_id], one, noted).model_dump() for one in duties)


def get_unread(library: Library, scope: Scope) -> RuleList:
    return list_rules(scope).unread(load_register(library, scope))


UNITS_WIDTH = 200
LISTS = {"limits": choose_limits, "obligations": choose_obligations, "unread": get_unread}


def show_limits() -> None:
    st.title(say("page-limits"), anchor=False)
    library = services.get_library()
    require_documents(library)
    view = choose_view("limits", (*LISTS, "sheet"))
    if view == "sheet":
        check_a_sheet(library)
        return
    left, right = st.columns(2)
    with left:
        scope = choose_documents(library)
    words = right.text_input(say("limits-words"), key="limit-words")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        listed = LISTS[view](library, scope)
        is_in_force = st.toggle(say("limits-in-force"), value=True, key="in-force")
    shown: Sequence[Any] = listed.find_rules(words, is_in_force)
    if view == "limits":
        chapters: dict[str, str] = {}
        for one in scope.ids:
            chapters |= Outline(library.clauses(one)).name_chapters()
        parts = [(chapters.get(rule.clause_id, ""), name_kind(rule)) for rule in shown]
        shown = filter_by_picture(shown, parts, "limits-picture", {})
    total = language().format_number(listed.total)
    with count_row(say(f"limits-shown-{view}", count=len(shown), total=total)):
        offer_rows(view, make_rows(library, scope, shown))
    st.caption(escape_markdown(listed.summary))
    if view == "obligations" and len(scope.documents) == 1:
        show_unowned(library, scope.documents[0])
    place = choose_row([listed.cells(rule) for rule in shown], say(f"view-{view}"))
    if place is not None:
        show_quote(library, shown[place])
        if view == "obligations":
            note_obligation(library, scope, shown[place])


show_limits()
