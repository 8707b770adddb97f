"""What other rooms may use of `core.answers`."""

from .answer_text import (
    describe_answer as describe_answer,
    describe_choice as describe_choice,
    describe_end as describe_end,
    describe_headline as describe_headline,
    describe_outcome as describe_outcome,
    describe_refusal as describe_refusal,
    list_copies as list_copies,
    list_open_points as list_open_points,
    name_source as name_source,
    write_answer as write_answer,
)
from .answer_view import AnswerView as AnswerView, view_answer as view_answer
from .reasoning_parts import (
    CHECK_MARKS as CHECK_MARKS,
    Part as Part,
    Reasoning as Reasoning,
    describe_panels as describe_panels,
    join_labels as join_labels,
    list_lines as list_lines,
    summarize_budget as summarize_budget,
)
from .refusal import explain_run_refusal as explain_run_refusal
from .run_tables import (
    list_check_tables as list_check_tables,
    penalty_table as penalty_table,
    write_table as write_table,
)
