"""What other rooms may use of `core.answers`."""

from .answer_view import (
    AnswerBlock as AnswerBlock,
    AnswerView as AnswerView,
    Headline as Headline,
    find_shortfall as find_shortfall,
    judge_rulebooks as judge_rulebooks,
    split_blocks as split_blocks,
    view_answer as view_answer,
)
from .panels import (
    drop_replaced_drafts as drop_replaced_drafts,
    join_fragments as join_fragments,
    split_panels as split_panels,
)
from .refusal import (
    AbsentArticle as AbsentArticle,
    Refusal as Refusal,
    explain_refusal as explain_refusal,
)
