"""What other rooms may use of `core.answers`."""

from .answer_text import (
    describe_cautions as describe_cautions,
    describe_choice as describe_choice,
    describe_end as describe_end,
    describe_headline as describe_headline,
    describe_outcome as describe_outcome,
    describe_refusal as describe_refusal,
    format_citation as format_citation,
    format_limit as format_limit,
    list_copies as list_copies,
    list_failures as list_failures,
    list_open_points as list_open_points,
    mark_changes as mark_changes,
    write_answer as write_answer,
)
from .answer_view import (
    AnswerBlock as AnswerBlock,
    AnswerView as AnswerView,
    split_blocks as split_blocks,
    view_answer as view_answer,
)
from .event_lines import (
    CHECK_MARKS as CHECK_MARKS,
    EventLines as EventLines,
    describe_budget as describe_budget,
    describe_check as describe_check,
    drop_replaced_drafts as drop_replaced_drafts,
    join_fragments as join_fragments,
    join_labels as join_labels,
    split_panels as split_panels,
    summarize_budget as summarize_budget,
)
from .headline import Headline as Headline, group_by_rulebook as group_by_rulebook
from .refusal import (
    Refusal as Refusal,
    explain_run_refusal as explain_run_refusal,
)
from .run_tables import (
    compliance_cells as compliance_cells,
    label_panel as label_panel,
    list_tables as list_tables,
    penalty_cells as penalty_cells,
    summarize_counters as summarize_counters,
    summarize_run as summarize_run,
)
